"""Write a store of arrays that the explorer draws less each other, and beside it what xarray and numpy have of the differences.

    python tests/oracle/less.py OUTDIR

OUTDIR gets store.zarr (a consolidated Zarr v3 hierarchy), year.zarr (another year of it, and what does not fit), and expected.json.
"""

import json
import sys
from pathlib import Path

import numpy as np
import xarray as xr
import zarr

out = Path(sys.argv[1])
root = zarr.create_group(out / "store.zarr")
rng = np.random.default_rng(42)
STEPS, ROWS, COLUMNS = 40, 6, 8


def put(group, name, values, dimensions, chunks=None, **attributes):
    array = group.create_array(name, shape=values.shape, dtype=values.dtype, chunks=chunks or values.shape, compressors=None,
                               dimension_names=dimensions, attributes=attributes)
    array[...] = values


days = root.create_group("days")
put(days, "time", np.arange(STEPS), ["time"], units="days since 2020-01-20")
put(days, "lat", np.array([57.5, 52.5, 47.5, 42.5, 37.5, 32.5]), ["lat"], units="degrees_north", standard_name="latitude")
put(days, "lon", np.arange(-12.5, 27.5, 5), ["lon"], units="degrees_east", standard_name="longitude")
axes = ["time", "lat", "lon"]
high = rng.normal(288, 6, (STEPS, ROWS, COLUMNS)).astype("float32")
high[2, 1, 3] = np.nan
low = np.rint((rng.normal(283, 6, high.shape) - 273.15) * 100).astype("int16")
low[2, 4, 5] = -9999
put(days, "tasmax", high, axes, chunks=(1, 3, 4), units="K", long_name="Daily maximum", standard_name="air_temperature", cell_methods="time: maximum")
# Packed, in other chunks, whose last ones the array cuts off.
put(days, "tasmin", low, axes, chunks=(7, 4, 5), units="K", long_name="Daily minimum", standard_name="air_temperature", cell_methods="time: minimum",
    scale_factor=0.01, add_offset=273.15, _FillValue=-9999)
put(days, "celsius", (high - 273.15).astype("float32"), axes, chunks=(1, 6, 8), units="degC", long_name="Daily maximum")
put(days, "kinds", rng.integers(0, 3, high.shape).astype("uint8"), axes, flag_values=[0, 1, 2], flag_meanings="sea land ice")
put(days, "short", high[:5], ["step", "lat", "lon"], chunks=(1, 6, 8), units="K")
put(days, "turned", high.transpose(0, 2, 1), ["time", "lon", "lat"], chunks=(1, 8, 6), units="K")
ids = root.create_group("ids")
a, b = 2**60 + rng.integers(0, 1000, (2, 3, 4, 6))
put(ids, "a", a, ["time", "y", "x"], chunks=(1, 4, 6))
put(ids, "b", b, ["time", "y", "x"], chunks=(1, 4, 6))
put(ids, "small", rng.integers(0, 9, a.shape), ["time", "y", "x"], chunks=(3, 4, 6))
layout = {"layout": [{"asset": "0", "spatial:transform": [1, 0, 0, 0, 1, 0]},
                     {"asset": "1", "derived_from": "0", "transform": {"scale": [2, 2], "translation": [0, 0]}, "spatial:transform": [2, 0, 0, 0, 2, 0]}]}
pyramid = zarr.create_group(out / "pyramid.zarr", attributes={"multiscales": layout, "zarr_conventions": [{"name": "multiscales"}, {"name": "spatial:"}]})
fine = {name: rng.integers(0, 500, (2048, 2048)).astype("uint16") for name in ("up", "down")}
for level, step in ((0, 1), (1, 2)):
    group = pyramid.create_group(str(level))
    for name, values in fine.items():
        put(group, name, values[::step, ::step].copy(), ["y", "x"], chunks=(512, 512) if name == "up" else (256, 1024))
# Another year on the same grid, whose latitudes have another name and are rounded, and grids that differ.
year = zarr.create_group(out / "year.zarr")
later = np.rint((rng.normal(289, 6, high.shape) - 273.15) * 100).astype("int16")
latitudes = np.array([57.5, 52.5, 47.5, 42.5, 37.5, 32.5], dtype="float32") + np.float32(1e-5)
for name, rows, columns, unit in (("days", latitudes, np.arange(-12.5, 27.5, 5), "K"), ("celsius", latitudes, np.arange(-12.5, 27.5, 5), "degC"),
                                  ("shifted", latitudes - 0.5, np.arange(-12.5, 27.5, 5), "K"), ("turned", latitudes[::-1], np.arange(-12.5, 27.5, 5), "K"),
                                  ("around", latitudes, np.arange(347.5, 387.5, 5), "K")):
    group = year.create_group(name)
    put(group, "time", np.arange(STEPS), ["time"], units="days since 2021-01-20")
    put(group, "latitude", rows, ["latitude"], units="degrees_north", standard_name="latitude")
    put(group, "lon", columns, ["lon"], units="degrees_east", standard_name="longitude")
    put(group, "tasmax", later, ["time", "latitude", "lon"], chunks=(5, 6, 8), units=unit, long_name="Daily maximum", scale_factor=0.01, add_offset=273.15, _FillValue=-9999)
put(year["days"], "short", later[:5], ["step", "latitude", "lon"], units="K")
put(year["days"], "levels", later, ["level", "latitude", "lon"], units="K")
zarr.consolidate_metadata(year.store_path)
zarr.consolidate_metadata(pyramid.store_path)
zarr.consolidate_metadata(root.store_path)

opened = xr.open_zarr(out / "store.zarr", group="days")
difference = opened["tasmax"].astype("float64") - opened["tasmin"].astype("float64")
# Areas of cells, whose edges lie half-way between their centres.
edges = np.deg2rad(np.array([60.0, 55, 50, 45, 40, 35, 30]))
weights = xr.DataArray(-np.diff(np.sin(edges)), dims="lat")


def listed(values):
    values = np.asarray(values, dtype="float64")
    return np.where(np.isnan(values), None, values).tolist()


of_year = opened["tasmax"].astype("float64").to_numpy() - xr.open_zarr(out / "year.zarr", group="days")["tasmax"].astype("float64").to_numpy()
part = difference.isel(lat=slice(1, 3), lon=slice(2, 5))
expected = {
    "planes": {str(step): listed(difference[step]) for step in (0, 2, 3)},
    "range": [float(difference[0].min()), float(difference[0].max())],
    "year": {str(step): listed(of_year[step]) for step in (0, 2)},
    "year_line": listed(of_year[:, 2, 3]),
    "year_mean": listed(xr.DataArray(of_year, dims=("time", "lat", "lon")).weighted(weights).mean(("lat", "lon"))),
    "line": listed(difference[:, 2, 3]),
    "mean": listed(difference.weighted(weights).mean(("lat", "lon"))),
    "least": listed(difference.min(("lat", "lon"))),
    "area": listed(part.weighted(weights.isel(lat=slice(1, 3))).mean(("lat", "lon"))),
    "ids": (a[1] - b[1]).tolist(),
    "mixed": (a[1] - root["ids/small"][1]).tolist(),
    "coarse": (fine["up"][::2, ::2].astype(int) - fine["down"][::2, ::2])[:2, :2].tolist(),
    "fine": (fine["up"].astype(int) - fine["down"])[1000:1002, 1000:1002].tolist(),
}
(out / "expected.json").write_text(json.dumps(expected))
