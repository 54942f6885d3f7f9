"""Times healpix-geo's cells of points, for the bench of `cellAt`.

    python tests/bench/healpix/healpix_points.py nested|ring sphere|WGS84 LEVEL COUNT

Prints the milliseconds of the processor on all threads, and a digest of the cells.
"""

import hashlib
import sys
import time

import healpix_geo
import numpy as np

scheme, ellipsoid, level, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
i = np.arange(count)
lon, lat = (i * 137.50776405003785) % 360 - 180, ((i * 0.7548776662466927) % 1) * 180 - 90
cells_of = getattr(healpix_geo, scheme).lonlat_to_healpix
cells_of(lon[:1000], lat[:1000], level, ellipsoid=ellipsoid)
started = time.process_time()
cells = cells_of(lon, lat, level, ellipsoid=ellipsoid)
print((time.process_time() - started) * 1000, hashlib.sha256(cells.astype("<u8").tobytes()).hexdigest())
