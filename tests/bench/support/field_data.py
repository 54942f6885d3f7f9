"""Write a global field of a quarter of a degree by steps, one chunk of zstd each, as reanalyses are stored.

    python tests/bench/support/field_data.py OUTDIR

OUTDIR/field.zarr gets the array t2m of 24 steps with its coordinates; it is kept if it exists.
"""

import sys
from pathlib import Path

import numpy as np
import zarr

STEPS, ROWS, COLUMNS = 24, 721, 1440
out = Path(sys.argv[1]) / "field.zarr"
if not out.exists():
    group = zarr.create_group(out)
    lat, lon = np.linspace(90, -90, ROWS), np.arange(COLUMNS) * 0.25
    noise = np.random.default_rng(3).normal(0, 0.3, (ROWS, COLUMNS))
    array = group.create_array("t2m", shape=(STEPS, ROWS, COLUMNS), chunks=(1, ROWS, COLUMNS), dtype="float32",
                               dimension_names=["time", "lat", "lon"], attributes={"units": "K", "long_name": "Temperature"})
    for step in range(STEPS):
        waves = 4 * np.sin(np.radians(3 * lon[None, :] + 9 * step)) * np.cos(np.radians(lat[:, None]))
        array[step] = (250 + 45 * np.cos(np.radians(lat))[:, None] + waves + noise).astype("float32")
    for name, values, units in [("lat", lat, "degrees_north"), ("lon", lon, "degrees_east"), ("time", np.arange(STEPS), "hours since 2024-01-01")]:
        axis = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=[name], attributes={"units": units})
        axis[:] = values
    zarr.consolidate_metadata(out)
