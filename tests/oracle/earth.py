"""Write a grid with latitudes and longitudes of its own, of more cells than the explorer reads places of.

    python tests/oracle/earth.py OUTDIR

OUTDIR gets wide.zarr: the place of row r and column c is 30 + 0.02 r + 0.003 c degrees north, 10 + 0.03 c - 0.004 r east.
"""

import sys
from pathlib import Path

import numpy as np
import zarr

root = zarr.create_group(Path(sys.argv[1]) / "wide.zarr")
row, column = np.mgrid[0:1400, 0:1500]
arrays = {
    "v": (row * 1500 + column, {"coordinates": "lat lon"}),
    "lat": (30 + 0.02 * row + 0.003 * column, {"units": "degrees_north"}),
    "lon": (10 + 0.03 * column - 0.004 * row, {"units": "degrees_east"}),
}
for name, (values, attributes) in arrays.items():
    dtype = "int32" if name == "v" else "float64"
    array = root.create_array(name, shape=values.shape, chunks=(350, 500), dtype=dtype, dimension_names=["y", "x"], attributes=attributes)
    array[...] = values
zarr.consolidate_metadata(root.store)
