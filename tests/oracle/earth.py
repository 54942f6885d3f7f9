"""Write grids with latitudes and longitudes of their own, of more cells than the explorer reads places of.

    python tests/oracle/earth.py OUTDIR

OUTDIR gets wide.zarr: the place of row r and column c is 30 + 0.02 r + 0.003 c degrees north, 10 + 0.03 c - 0.004 r east.
It gets bent.zarr, of 2000 x 2000 cells in 400 chunks, crumbs.zarr, the same in 2500 chunks, and bent.json with the places
of some: rows and columns are even on a plane that touches the Earth at 60 N, 15 E, as an azimuthal projection has them.
"""

import json

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

SIZE, CELL = 2000, 1500.0 / 6371000.0  # cells, and radians along one
row, column = np.mgrid[0:SIZE, 0:SIZE]
x, y = (column - SIZE / 2) * CELL, (SIZE / 2 - row) * CELL
away, middle = np.hypot(x, y), np.radians(60)
lat = np.arcsin(np.cos(away) * np.sin(middle) + np.where(away > 0, y * np.sin(away) * np.cos(middle) / np.maximum(away, 1e-12), 0))
lon = np.radians(15) + np.arctan2(x * np.sin(away), away * np.cos(middle) * np.cos(away) - y * np.sin(middle) * np.sin(away))
grids = {"v": row * SIZE + column, "lat": np.degrees(lat), "lon": np.degrees(lon)}
units = {"v": {"coordinates": "lat lon"}, "lat": {"units": "degrees_north"}, "lon": {"units": "degrees_east"}}
for store, chunk in (("bent.zarr", 100), ("crumbs.zarr", 40)):
    bent = zarr.create_group(Path(sys.argv[1]) / store)
    for name, values in grids.items():
        chunks, dtype = ((500, 500), "int32") if name == "v" else ((chunk, chunk), "float64")
        bent.create_array(name, shape=(SIZE, SIZE), chunks=chunks, dtype=dtype, dimension_names=["y", "x"], attributes=units[name], compressors=None)[...] = values
    zarr.consolidate_metadata(bent.store)
some = [(10, 10), (10, 1990), (1003, 997), (1990, 333), (777, 1501), (1989, 1989)]
# With the cells around each, as a pointer meets one of them where a pixel shows several.
AROUND = range(-8, 9)
cells = {(min(max(r + dr, 0), SIZE - 1), min(max(c + dc, 0), SIZE - 1)) for r, c in some for dr in AROUND for dc in AROUND}
places = {int(r * SIZE + c): [float(grids["lon"][r, c]), float(grids["lat"][r, c])] for r, c in cells}
(Path(sys.argv[1]) / "bent.json").write_text(json.dumps({"places": some, "degrees": places}))
