"""Write small stores of each kind that the explorer shows in its own way.

    python tests/oracle/sights.py OUTDIR

OUTDIR gets ends.zarr (maps with ticks at their ends), climate.zarr (maps on the Earth, months of a year, flags, a line, a list, times, shards, and what was never
written), old.zarr (Zarr v2, of which one chunk of four is stored), transform.zarr (a projected grid without coordinates)
and coordinates.zarr (the same with them), image.zarr (OME-Zarr with labels), and plateXX.zarr, a plate of each version of
OME-Zarr, whose wells have two images; plate04 and plate05f are not consolidated.
"""

import sys
from pathlib import Path

import numpy as np
import zarr

out = Path(sys.argv[1])
rng = np.random.default_rng(13)


def put(group, name, values, dimensions, chunks=None, **attributes):
    values = np.asarray(values)
    array = group.create_array(name, shape=values.shape, dtype=values.dtype, chunks=chunks or values.shape, compressors=None, dimension_names=dimensions, attributes=attributes)
    array[...] = values


def finish(group):
    zarr.consolidate_metadata(group.store_path)


root = zarr.create_group(out / "climate.zarr")
lat, lon = np.linspace(85, -85, 35), np.arange(0, 360, 5.0)
wave = np.cos(np.radians(2 * lat))[:, None] * 20 + np.sin(np.radians(3 * lon))[None] * 4 + 280
middles = np.array([15.5, 45, 74.5, 105, 135.5, 166, 196.5, 227.5, 258, 288.5, 319, 349.5])
put(root, "lat", lat, ["lat"], units="degrees_north")
put(root, "lon", lon, ["lon"], units="degrees_east")
put(root, "month", middles, ["month"], units="days since 2023-01-01")
put(root, "time", np.arange(40), ["time"], units="days since 2024-01-01")
put(root, "member", np.arange(1), ["member"])
put(root, "basin", rng.integers(0, 9, (35, 72)), ["lat", "lon"])  # the first by its name of two alike
put(root, "cover", (np.abs(wave) % 3).astype("uint8"), ["lat", "lon"], long_name="Land cover", flag_values=[0, 1, 2], flag_meanings="water forest ice")
put(root, "tas", np.stack([wave + step for step in range(40)]).astype("float32"), ["time", "lat", "lon"], (1, 35, 72), units="K", long_name="Air temperature")
put(root, "monthly", np.stack([wave + step for step in range(12)]).astype("float32")[None], ["member", "month", "lat", "lon"], (1, 1, 35, 72), units="K")
put(root, "when", (np.arange(600) * 86400 + 946684800).reshape(20, 30), ["y", "x"], units="seconds since 1970-01-01")
put(root, "station_height", np.arange(9.0), ["station"], units="m")
names = root.create_array("station_name", shape=(9,), dtype=str, chunks=(9,), dimension_names=["station"])
names[...] = np.array([f"Station {nth}" for nth in range(9)], dtype=np.dtypes.StringDType())
root.create_array("unwritten", shape=(40, 50), dtype="float32", chunks=(20, 25), fill_value=0, dimension_names=["y", "x"])
partly = root.create_array("partly", shape=(40, 50), dtype="float32", chunks=(20, 25), fill_value=0, dimension_names=["y", "x"])
partly[:20, :25] = 3
root.create_array("sharded", shape=(35, 72), dtype="float32", chunks=(5, 12), shards=(35, 36), dimension_names=["lat", "lon"])[...] = wave
finish(root)

# Ticks stand at the very ends of the axis across, with short and with long labels.
ends = zarr.create_group(out / "ends.zarr")
put(ends, "lat", np.arange(-20, 21, 1.0), ["lat"], units="degrees_north")
put(ends, "lon", np.arange(-180, 181, 1.0), ["lon"], units="degrees_east")
put(ends, "y", np.arange(-2_000_000, 2_000_001, 100_000.0), ["y"], units="m")
put(ends, "x", np.arange(6_000_000, 9_000_001, 100_000.0), ["x"], units="m")
put(ends, "v", rng.random((41, 361)), ["lat", "lon"])
put(ends, "far", rng.random((41, 31)), ["y", "x"])
finish(ends)

old = zarr.create_group(out / "old.zarr", zarr_format=2)
old.create_array("v", shape=(40, 50), dtype="float32", chunks=(20, 25), fill_value=np.nan, attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})[:20, :25] = 3
finish(old)

# A slope of 100 m cells in UTM 32N: what is in a box is the same with coordinates and without.
grid = np.add.outer(np.arange(40.0), 2 * np.arange(60.0)).astype("float32")
east, north = 500_000 + 100 * (np.arange(60) + 0.5), 5_300_000 - 100 * (np.arange(40) + 0.5)
bare = zarr.create_group(out / "transform.zarr")
put(bare, "height", grid, ["y", "x"], (20, 20), units="m", **{
    "proj:code": "EPSG:32632", "spatial:dimensions": ["y", "x"], "spatial:transform": [100.0, 0.0, 500_000.0, 0.0, -100.0, 5_300_000.0],
    "zarr_conventions": [{"name": "proj:"}, {"name": "spatial:"}],
})
finish(bare)
full = zarr.create_group(out / "coordinates.zarr")
put(full, "x", east, ["x"], units="m", standard_name="projection_x_coordinate")
put(full, "y", north, ["y"], units="m", standard_name="projection_y_coordinate")
put(full, "height", grid, ["y", "x"], (20, 20), units="m", **{"proj:code": "EPSG:32632"})
finish(full)

AXES = [{"name": "c", "type": "channel"}, *({"name": name, "type": "space", "unit": "micrometer"} for name in "yx")]
CHANNELS = [{"label": label, "color": color, "active": True, "window": {"min": 0, "max": 255, "start": 0, "end": 200}} for label, color in (("DAPI", "0000FF"), ("GFP", "00FF00"))]


def levels(version, name, axes=AXES, number=2):
    """The multiscales of images whose rows and columns halve, as a version writes them."""
    found = []
    for nth in range(number):
        scale = {"type": "scale", "scale": [*(1.0 for _ in axes[:-2]), 0.5 * 2**nth, 0.5 * 2**nth]}
        if version == "0.6":
            scale |= {"input": {"path": str(nth)}, "output": {"name": "physical"}}
        found.append({"path": str(nth), **({"coordinateTransformations": [scale]} if version >= "0.4" else {})})
    more = {"0.3": {"axes": [axis["name"] for axis in axes]}, "0.4": {"axes": axes}, "0.5": {"axes": axes}, "0.6": {"coordinateSystems": [{"name": "physical", "axes": axes}]}}
    return [{"version": version, "name": name, "datasets": found, **more.get(version, {})}]


def attributes_of(version, given):
    return {"ome": {"version": version, **given}} if version >= "0.5" else given


def store(group, values, names, number=2):
    more = {"chunk_key_encoding": {"name": "v2", "separator": "/"}} if group.metadata.zarr_format == 2 else {"dimension_names": names}
    for nth in range(number):
        level = values[..., :: 2**nth, :: 2**nth]
        group.create_array(str(nth), shape=level.shape, dtype=level.dtype, chunks=(*(1 for _ in level.shape[:-2]), *level.shape[-2:]), compressors=None, **more)[...] = level


image = zarr.create_group(out / "image.zarr", attributes=attributes_of("0.5", {"multiscales": levels("0.5", "Two channels"), "omero": {"channels": CHANNELS}}))
store(image, rng.integers(0, 200, (2, 64, 96)).astype("uint8"), list("cyx"))
cells = np.zeros((64, 96), "uint8")
cells[8:24, 12:36] = 1
cells[32:48, 48:80] = 2
labels = image.create_group("labels", attributes=attributes_of("0.5", {"labels": ["cells"]}))
about = {"colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}], "properties": [{"label-value": 1, "class": "mitotic"}]}
store(labels.create_group("cells", attributes=attributes_of("0.5", {"multiscales": levels("0.5", "cells", AXES[1:]), "image-label": about})), cells, list("yx"))
finish(image)


def plate(path, version, is_consolidated=True, field="0"):
    """Wells A/1, A/2 and B/2 of two rows and columns, whose images are all of the number 10 r + c + 1, and 100 more in the second field."""
    three = version >= "0.5"
    wells = [("A", "1"), ("A", "2"), ("B", "2")]
    given = {"rows": [{"name": name} for name in "AB"], "columns": [{"name": name} for name in "12"], "name": f"Plate {version}", "version": version}
    given["wells"] = [{"path": f"{row}/{column}", **({} if version < "0.4" else {"rowIndex": "AB".index(row), "columnIndex": int(column) - 1})} for row, column in wells]
    group = zarr.create_group(path, zarr_format=3 if three else 2, attributes=attributes_of(version, {"plate": given}))
    for row in "AB":
        group.create_group(row)
    for row, column in wells:
        fields = [field, "second"]
        well = group.create_group(f"{row}/{column}", attributes=attributes_of(version, {"well": {"images": [{"path": each} for each in fields], "version": version}}))
        for nth, each in enumerate(fields):
            one = well.create_group(each, attributes=attributes_of(version, {"multiscales": levels(version, f"{row}{column} {each}"), "omero": {"channels": CHANNELS}}))
            number = 10 * "AB".index(row) + int(column) + 100 * nth
            shape = (1, 2, 1, 32, 48) if version < "0.3" else (2, 32, 48)  # before 0.3 all images have five axes
            store(one, np.full(shape, number, "uint8"), list("cyx"))
    if is_consolidated:
        finish(group)


for version in ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6"):
    plate(out / f"plate{version.replace('.', '')}.zarr", version, version != "0.4")
plate(out / "plate05f.zarr", "0.5", False, "first")
