"""Write a store of fields that the explorer reads in several ways, and beside it what it must show of them, by numpy and xarray.

    python tests/oracle/field.py OUTDIR

OUTDIR gets store.zarr (a consolidated Zarr v3 hierarchy), image.zarr (an OME-Zarr image of three channels) and expected.json.
"""

import json
import sys
from pathlib import Path

import numpy as np
import xarray as xr
import zarr

out = Path(sys.argv[1])
root = zarr.create_group(out / "store.zarr")
rng = np.random.default_rng(7)


def put(group, name, values, dimensions=None, chunks=None, **attributes):
    array = group.create_array(name, shape=values.shape, dtype=values.dtype, chunks=chunks or values.shape, compressors=None,
                               dimension_names=dimensions, attributes=attributes)
    array[...] = values


def entries(parts):
    """Entries of a table of 256 colours by parts of a scale; None where there is no value."""
    return [None if np.isnan(part) else int(np.clip(np.floor(part * 256), 0, 255)) for part in parts.ravel().tolist()]


def symlog(values, unit):
    return np.sign(values) * np.log1p(np.abs(values) / unit)


rows, columns = 12, 24
spread = 10.0 ** np.linspace(-3, 3, rows * columns).reshape(rows, columns)
spread[3, 5] = np.nan
crossing = np.where(rng.random((rows, columns)) < 0.5, -1, 1) * 10.0 ** rng.uniform(-2, 2, (rows, columns))
rain = np.where(rng.random((rows, columns)) < 0.3, 0, 10.0 ** rng.uniform(-6, 1, (rows, columns)))
scales = root.create_group("scales")
put(scales, "spread", spread.astype("float32"), ["y", "x"])
put(scales, "crossing", crossing, ["y", "x"])
put(scales, "rain", rain, ["y", "x"])
put(scales, "below", -1 - spread, ["y", "x"])
spread = spread.astype("float32").astype("float64")
low, high = np.nanmin(spread), np.nanmax(spread)
unit = np.abs(crossing).max() * 1e-3
ends = symlog(np.array([crossing.min(), crossing.max()]), unit)
least = rain.max() * 1e-4
with np.errstate(divide="ignore"):
    expected = {
        "spread": entries(np.log(spread / low) / np.log(high / low)),
        "crossing": entries((symlog(crossing, unit) - ends[0]) / (ends[1] - ends[0])),
        "rain": entries(np.log(rain / least) / np.log(rain.max() / least)),
    }
expected["counts"] = {
    "even": np.histogram(rain, bins=64)[0].tolist(),
    "log": np.histogram(np.log(spread[np.isfinite(spread)]), bins=64)[0].tolist(),
}
expected["profiles"] = {"row": crossing[4].tolist(), "column": crossing[:, 7].tolist()}

steps = root.create_group("steps")
values = (rng.normal(280, 8, (5, 2, 6, 8))).round(2)
values[1, 0, 2, 3] = np.nan
put(steps, "time", np.arange(5), ["time"], units="days since 2020-02-27")
put(steps, "level", np.array([1000.0, 500.0]), ["level"], units="hPa")
put(steps, "warmth", values, ["time", "level", "y", "x"], chunks=(1, 1, 3, 4), units="K")
large = 2**60 + rng.integers(0, 1000, (3, 4, 6))
put(steps, "large", large, ["time", "y", "x"], chunks=(1, 4, 6))
put(steps, "kinds", rng.integers(0, 3, (2, 4, 6)).astype("uint8"), ["time", "y", "x"], flag_values=[0, 1, 2], flag_meanings="sea land ice")
difference = values[3, 1] - values[1, 0]
expected["difference"] = np.where(np.isnan(difference), None, difference).tolist()
expected["large"] = (large[2] - large[0]).tolist()
expected["lines"] = {"first": values[:, 1, 2, 3].tolist(), "second": values[:, 1, 5, 0].tolist()}

image = zarr.create_group(out / "image.zarr", attributes={"ome": {
    "version": "0.5",
    "multiscales": [{
        "axes": [{"name": "c", "type": "channel"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
        "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1.0, 1.0, 1.0]}]}],
    }],
    "omero": {"channels": [
        {"label": "DAPI", "color": "0000FF", "active": True, "window": {"min": 0, "max": 4095, "start": 100, "end": 2000}},
        {"label": "GFP", "color": "00FF00", "active": True, "window": {"min": 0, "max": 4095, "start": 0, "end": 4000}},
        {"label": "Cy5", "color": "FF8000", "active": False, "window": {"min": 0, "max": 4095, "start": 500, "end": 1500}},
    ]},
}})
channels = rng.integers(0, 4096, (3, rows, columns)).astype("uint16")
put(image, "0", channels, ["c", "y", "x"], chunks=(1, rows, columns))
zarr.consolidate_metadata(image.store_path)
windows = [((0, 0, 255), 100, 2000), ((0, 255, 0), 0, 4000), ((255, 128, 0), 500, 1500)]


def composite(shown):
    total = np.zeros((rows, columns, 3), dtype=int)
    for nth in shown:
        colour, start, end = windows[nth]
        entry = np.clip(np.floor((channels[nth].astype(float) - start) / (end - start) * 256), 0, 255)
        total += np.floor(entry[..., None] * np.array(colour) / 255 + 0.5).astype(int)
    return np.minimum(total, 255).reshape(-1, 3).tolist()


expected["composites"] = {name: composite([int(n) for n in name.split(",")]) for name in ("0,1", "0,1,2", "2")}
expected["channels"] = channels[:, 4, 7].tolist()

dates = {}
for calendar, units, values in [
    ("standard", "hours since 1999-12-31T06:00", np.arange(400) * 12),
    ("360_day", "days since 2000-01-01", np.arange(60) * 5),
    ("noleap", "days since 2000-01-01", np.arange(100) * 1),
]:
    group = root.create_group(f"dates/{calendar}")
    put(group, "time", values.astype("int64"), ["time"], units=units, calendar=calendar)
    put(group, "heat", np.arange(values.size * 4, dtype="float32").reshape(-1, 2, 2), ["time", "y", "x"], chunks=(40, 2, 2))
zarr.consolidate_metadata(root.store_path)
index = xr.open_zarr(out / "store.zarr", group="dates/standard").indexes["time"]
dates["standard"] = {text: int(index.get_indexer([np.datetime64(text)], method="nearest")[0]) for text in ("2000-02-29T20:00", "2000-01-15T01:30", "1990-01-01", "2030-05-06T00:00")}
# Of other calendars xarray knows nothing without cftime: days of a year of twelve months of 30, and of one without 29 February.
months = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
dates["360_day"] = {f"2000-{month:02}-{day:02}": int(np.rint(((month - 1) * 30 + day - 1) / 5)) for month, day in [(2, 30), (2, 29), (3, 2), (7, 14)]}
dates["noleap"] = {f"2000-{month:02}-{day:02}": int(months[: month - 1].sum() + day - 1) for month, day in [(2, 28), (3, 1), (4, 10)]}
expected["dates"] = dates

(out / "expected.json").write_text(json.dumps(expected))
