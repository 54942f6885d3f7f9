"""Write stores of many kinds as xarray writes them, and compare the files that the explorer saves of their views with what xarray has of the same.

    python tests/oracle/taken.py OUTDIR              writes the stores, cases.json (by name a link and the files that it offers) and answers.json
    python tests/oracle/taken.py OUTDIR SAVED        prints as JSON what differs of the files in SAVED, CASE.csv, CASE.npy, CASE.nc and CASE.tif

Files are read by numpy, pandas, xarray with netCDF4, and rasterio.
"""

import csv
import io
import json
import re
import sys
import warnings
from pathlib import Path
from urllib.parse import unquote

import cftime
import netCDF4
import numpy as np
import pandas as pd
import rasterio
import xarray as xr
import zarr

warnings.simplefilter("ignore")
out = Path(sys.argv[1])
rng = np.random.default_rng(2029)

NORTH, EAST = {"units": "degrees_north", "standard_name": "latitude"}, {"units": "degrees_east", "standard_name": "longitude"}
METRES = [{"units": "m", "standard_name": f"projection_{name}_coordinate"} for name in "yx"]


def smooth(*shape):
    """Values that differ in all cells."""
    return (np.arange(np.prod(shape)).reshape(shape) * 0.37 % 91 - 40 + rng.random(shape)).astype("float64")


def write(name, data, **encoding):
    data.to_zarr(out / f"{name}.zarr", zarr_format=3, consolidated=True, mode="w", encoding=encoding)


def regular():
    """Latitudes of both directions and longitudes of both seams, in types and packings."""
    lat, lon = np.linspace(80, -80, 9), np.arange(0, 360, 20.0)
    field = smooth(9, 18)
    holes = field.copy()
    holes[2, 3] = holes[7, 11] = np.nan
    named = {"units": "K", "long_name": "Temperature", "standard_name": "air_temperature", "cell_methods": "time: mean", "numbers": [1, 2, 3], "valid_min": -100.0}
    data = xr.Dataset(
        {
            "t": (("lat", "lon"), holes.astype("float32"), named),
            "half": (("lat", "lon"), field.astype("float16"), {"units": "1"}),
            "packed": (("lat", "lon"), holes, {"units": "degC"}),
            "bytes": (("lat", "lon"), holes, {"units": "%"}),
            "truth": (("lat", "lon"), field > 0),
            "count": (("lat", "lon"), (field * 10).astype("int32")),
            "kinds": (("lat", "lon"), (np.abs(field) % 3).astype("uint8"), {"flag_values": np.array([0, 1, 2], "uint8"), "flag_meanings": "sea land ice"}),
            "far": (("lat", "lon"), 2**60 + (field * 1000).astype("int64"), {"units": "s"}),
            "gappy": (("lat", "lon"), np.where(np.isnan(holes), -1, 2**60 + (field * 1000).astype("int64"))),
            "farther": (("lat", "lon"), np.uint64(2**63) + (np.abs(field) * 1000).astype("uint64")),
        },
        {"lat": ("lat", lat, NORTH), "lon": ("lon", lon, EAST)},
    )
    packing = {
        "packed": {"dtype": "int16", "scale_factor": 0.01, "add_offset": 12.5, "_FillValue": -32768, "chunks": (4, 5)},
        "gappy": {"_FillValue": -1},
        "bytes": {"dtype": "uint8", "scale_factor": 0.5, "add_offset": -45.0, "_FillValue": 255},
    }
    write("down", data, **packing)
    up = data.isel(lat=slice(None, None, -1)).assign_coords(lon=("lon", np.arange(-170, 190, 20.0), EAST))
    up["west"] = (("lat", "lon"), field[:, ::-1].copy())
    write("up", up, **packing)
    # The date line in the middle, columns from east to west, and the longitudes first.
    other = xr.Dataset({"t": (("lon", "lat"), smooth(6, 5))}, {"lon": ("lon", np.arange(190, 160, -5.0), EAST), "lat": ("lat", np.arange(-20, -10, 2.0), NORTH)})
    write("line", other)


def steps():
    """Times in several calendars, levels, and two arrays to take off each other."""
    for calendar, units in {"standard": "hours since 1999-12-30T06:00", "noleap": "days since 2000-02-26", "360_day": "days since 2000-02-26"}.items():
        time = xr.Variable("time", np.arange(7) * (12 if "hours" in units else 1), {"units": units, "calendar": calendar})
        data = xr.Dataset(
            {
                "t": (("time", "level", "lat", "lon"), smooth(7, 2, 4, 6), {"units": "K", "long_name": "Warmth"}),
                "other": (("time", "level", "lat", "lon"), smooth(7, 2, 4, 6), {"units": "K", "long_name": "Chill"}),
                "ids": (("time", "lat", "lon"), 2**60 + rng.integers(0, 1000, (7, 4, 6))),
                "when": (("time", "lat"), np.arange(28).reshape(7, 4), {"units": units, "calendar": calendar}),
            },
            {"time": time, "level": ("level", [1000.0, 500.0], {"units": "hPa", "positive": "down"}), "lat": ("lat", [10.0, 20, 30, 40], NORTH), "lon": ("lon", np.arange(6) * 5.0, EAST)},
        )
        data["t"][2, 0, 1, 2] = np.nan
        write(f"calendar-{calendar}", data, t={"chunks": (1, 2, 4, 6)})
    time = pd.date_range("2001-01-15", periods=30, freq="MS") + pd.Timedelta(days=14)
    months = xr.Dataset({"t": (("time", "lat", "lon"), smooth(30, 6, 8).astype("float32"), {"units": "mm"})}, {"time": time, "lat": ("lat", np.linspace(50, -50, 6), NORTH), "lon": ("lon", np.arange(8) * 45.0, EAST)})
    months["t"][3, 2, :4] = np.nan
    write("months", months, t={"chunks": (3, 3, 8)})


def projected():
    """Grids in metres, of a system with a code, of one that only its words say, rotated ones, and curvilinear ones."""
    x, y = 500_000 + 250.0 * np.arange(12), 5_300_000 + 250.0 * np.arange(9)
    height = smooth(9, 12).astype("float32")
    code = {"grid_mapping_name": "transverse_mercator", "crs_wkt": wkt(32632), "longitude_of_central_meridian": 9.0, "latitude_of_projection_origin": 0.0,
            "scale_factor_at_central_meridian": 0.9996, "false_easting": 500_000.0, "false_northing": 0.0, "semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
    write("utm", xr.Dataset(
        {"height": (("y", "x"), height, {"units": "m", "grid_mapping": "spatial_ref"}), "spatial_ref": ((), 0, code)},
        {"y": ("y", y, METRES[0]), "x": ("x", x, METRES[1])},
    ))
    polar = {"grid_mapping_name": "polar_stereographic", "latitude_of_projection_origin": 90.0, "standard_parallel": 70.0, "straight_vertical_longitude_from_pole": -45.0,
             "false_easting": 0.0, "false_northing": 0.0, "semi_major_axis": 6378273.0, "semi_minor_axis": 6356889.449}
    write("polar", xr.Dataset(
        {"ice": (("time", "y", "x"), smooth(2, 14, 10), {"units": "%", "grid_mapping": "crs"}), "crs": ((), 0, polar)},
        {"y": ("y", 5_837_500 - 700_000.0 * np.arange(14), METRES[0]), "x": ("x", -3_837_500 + 800_000.0 * np.arange(10), METRES[1]), "time": pd.date_range("2020-03-01", periods=2)},
    ))
    rotated = {"grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 39.25, "grid_north_pole_longitude": -162.0}
    rlat, rlon = np.linspace(-10, 10, 8), np.linspace(-15, 15, 10)
    lat, lon = 45 + rlat[:, None] + rlon * 0.1, 10 + rlon + rlat[:, None] * 0.2
    write("rotated", xr.Dataset(
        {"tas": (("rlat", "rlon"), smooth(8, 10).astype("float32"), {"units": "K", "grid_mapping": "rotated_pole"}), "rotated_pole": ((), 0, rotated)},
        {"rlat": ("rlat", rlat, {"units": "degrees", "standard_name": "grid_latitude"}), "rlon": ("rlon", rlon, {"units": "degrees", "standard_name": "grid_longitude"}),
         "lat": (("rlat", "rlon"), lat, NORTH), "lon": (("rlat", "rlon"), lon, EAST)},
    ))
    write("curved", xr.Dataset(
        {"sst": (("time", "j", "i"), smooth(2, 8, 10), {"units": "degC"})},
        {"nav_lat": (("j", "i"), lat, NORTH), "nav_lon": (("j", "i"), lon, EAST), "time": pd.date_range("2020-03-01", periods=2)},
    ))
    bare = zarr.create_group(out / "bare.zarr")
    bare.create_array("height", shape=(9, 12), dtype="float32", chunks=(4, 4), dimension_names=["y", "x"], attributes={
        "units": "m", "proj:code": "EPSG:32632", "spatial:dimensions": ["y", "x"], "spatial:transform": [250.0, 0.0, 500_000.0, 0.0, -250.0, 5_300_000.0],
        "zarr_conventions": [{"name": "proj:"}, {"name": "spatial:"}]})[...] = height
    zarr.consolidate_metadata(bare.store)


def cells():
    """Grids of cells along one axis: HEALPix, and points whose nearest is drawn."""
    side = 8
    write("healpix", xr.Dataset({"z": (("time", "cell"), smooth(2, 12 * side**2), {"units": "K", "grid_mapping": "crs"}),
                                 "crs": ((), 0, {"grid_mapping_name": "healpix", "refinement_level": 3, "indexing_scheme": "nested"})}, {"time": pd.date_range("2020-03-01", periods=2)}))
    lat, lon = (axis.ravel() for axis in np.meshgrid(np.arange(-80, 81, 20.0), np.arange(0, 360, 30.0), indexing="ij"))
    write("points", xr.Dataset({"z": ("cell", smooth(lat.size), {"units": "K"})}, {"lat": ("cell", lat, NORTH), "lon": ("cell", lon, EAST)}))


def others():
    """An image, lists, lines, large arrays of which every nth cell is drawn, and names that need quotes."""
    image = zarr.create_group(out / "image.zarr", attributes={"ome": {"version": "0.5", "multiscales": [{
        "name": "Cells", "axes": [{"name": "z", "type": "space", "unit": "micrometer"}, {"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type": "space", "unit": "micrometer"}],
        "datasets": [{"path": str(nth), "coordinateTransformations": [{"type": "scale", "scale": [2.0, 0.325 * 2**nth, 0.325 * 2**nth]}]} for nth in range(2)]}]}})
    cube = rng.integers(0, 60_000, (3, 32, 48)).astype("uint16")
    for nth in range(2):
        image.create_array(str(nth), shape=cube[:, :: 2**nth, :: 2**nth].shape, dtype="uint16", chunks=(1, 16, 16), dimension_names=["z", "y", "x"])[...] = cube[:, :: 2**nth, :: 2**nth]
    zarr.consolidate_metadata(image.store)
    words = zarr.create_group(out / "words.zarr")
    for name, values in {"station": ["Oslo", "Zürich, ETH", 'the "old" one', "", "東京"], "height": [23.0, 488.5, np.nan, -3, 40]}.items():
        array = np.array(values, dtype=np.dtypes.StringDType() if name == "station" else "float64")
        words.create_array(name, shape=array.shape, dtype=array.dtype, chunks=(2,), dimension_names=["station"], attributes={"units": "m, above sea"} if name == "height" else {})[...] = array
    words.create_array("speed / gust \"max\"", shape=(3, 4), dtype="float32", chunks=(3, 4), dimension_names=["a,b", 'say "c"'], attributes={"long_name": 'Speed,\n"fast"', "units": "m s-1"})[...] = smooth(3, 4)
    words.create_array("complex", shape=(3, 4), dtype="complex64", chunks=(3, 4), dimension_names=["a", "b"])[...] = smooth(3, 4) + 1j * smooth(3, 4)
    words.create_array("one", shape=(), dtype="float64")[...] = 2.5
    zarr.consolidate_metadata(words.store)
    with rasterio.open(out / "slope.tif", "w", driver="GTiff", height=9, width=12, count=1, dtype="float32", crs="EPSG:32632", transform=rasterio.transform.from_origin(5e5, 5.3e6, 250, 250)) as file:
        file.write(smooth(9, 12).astype("float32"), 1)
    large = zarr.create_group(out / "large.zarr")
    large.create_array("v", shape=(3000, 5000), dtype="int32", chunks=(500, 500), dimension_names=["y", "x"])[...] = np.arange(15_000_000, dtype="int32").reshape(3000, 5000)
    large.create_array("series", shape=(5000,), dtype="float64", chunks=(500,), dimension_names=["time"])[...] = np.sin(np.arange(5000) / 50)
    large.create_array("time", shape=(5000,), dtype="int64", chunks=(5000,), dimension_names=["time"], attributes={"units": "hours since 2010-01-01", "calendar": "standard"})[...] = np.arange(5000)
    zarr.consolidate_metadata(large.store)


def wkt(code):
    return rasterio.crs.CRS.from_epsg(code).to_wkt(version="WKT2")


def opened(name):
    return xr.open_zarr(out / f"{name}.zarr", consolidated=True)


def raw(name, path, dims):
    return xr.DataArray(zarr.open_array(out / f"{name}.zarr", path=path, mode="r")[...], dims=dims)


def cell_of(lat, lon, field, side=8):
    """Values of nested HEALPix cells at places, by Górski's equations."""
    z, turn = np.sin(np.radians(lat)), (np.radians(lon) % (2 * np.pi)) / (np.pi / 2)
    up, down = side * (0.5 + turn - z * 0.75), side * (0.5 + turn + z * 0.75)
    jp, jm = np.floor(up).astype(int), np.floor(down).astype(int)
    fp, fm = jp // side, jm // side
    face = np.where(fp == fm, (fp & 3) | 4, np.where(fp < fm, fp & 3, (fm & 3) + 8))
    x, y = jm & (side - 1), side - (jp & (side - 1)) - 1
    ring = np.minimum(3, np.floor(turn).astype(int))
    part = turn - ring
    root = side * np.sqrt(3 * (1 - np.abs(z)))
    p, m = np.minimum(side - 1, np.floor(part * root).astype(int)), np.minimum(side - 1, np.floor((1 - part) * root).astype(int))
    cap = np.abs(z) > 2 / 3
    face = np.where(cap, np.where(z > 0, ring, ring + 8), face)
    x = np.where(cap, np.where(z > 0, side - m - 1, p), x)
    y = np.where(cap, np.where(z > 0, side - p - 1, m), y)
    spread = lambda n: sum(((n >> bit) & 1) << (2 * bit) for bit in range(8))  # noqa: E731
    return field[face * side**2 + spread(x) + 2 * spread(y)]


def nearest(lat, lon, lats, lons, field):
    vectors = lambda a, b: np.stack([np.cos(np.radians(a)) * np.cos(np.radians(b)), np.cos(np.radians(a)) * np.sin(np.radians(b)), np.sin(np.radians(a))], -1)  # noqa: E731
    return field[np.argmax(vectors(lat, lon) @ vectors(lats, lons).T, axis=-1)]


def on_map(find):
    """A field on the latitudes and longitudes of a file, by `find(lat, lon)`."""
    return lambda lat, lon: xr.DataArray(find(lat[:, None], lon[None, :]), dims=("lat", "lon"), coords={"lat": ("lat", lat, {"units": "degrees_north"}), "lon": ("lon", lon, {"units": "degrees_east"})}, attrs={"units": "K"})


def slope():
    """What GDAL has of the TIFF."""
    with rasterio.open(out / "slope.tif") as file:
        values, step = file.read(1), file.transform
    places = {"y": step.f + step.e * (np.arange(values.shape[0]) + 0.5), "x": step.c + step.a * (np.arange(values.shape[1]) + 0.5)}
    return xr.DataArray(values, dims=("y", "x"), coords={name: (name, place, {"standard_name": f"projection_{name}_coordinate"}) for name, place in places.items()})


NOTHING = -(2**63) + 2  # NetCDF's own for int64
MICRONS = {"units": "µm"}
ALL = ("csv", "npy", "nc")
MAP = (*ALL, "tif")

# By name: the link, the files that are offered of it, what xarray has of the same, and the code of the system that a GeoTIFF states.
CASES = {
    **{f"down-{name}": (f"down.zarr/{name}", MAP, lambda name=name: opened("down")[name], 4326) for name in ("t", "half", "packed", "bytes", "truth", "count", "kinds", "far", "farther")},
    **{f"up-{name}": (f"up.zarr/{name}", MAP, lambda name=name: opened("up")[name], 4326) for name in ("t", "packed", "west", "far")},
    "down-gappy": ("down.zarr/gappy", MAP, lambda: raw("down", "gappy", ("lat", "lon")).assign_coords(opened("down").coords).pipe(lambda a: a.where(a != -1, NOTHING)), 4326),
    "turned": ("down.zarr/t&axes=1,0", ALL, lambda: opened("down")["t"].transpose("lon", "lat"), None),
    "zoomed": ("down.zarr/packed&view=4.5,9,2", MAP, lambda: opened("down")["packed"], 4326),
    "dateline": ("line.zarr/t", MAP, lambda: opened("line")["t"].transpose("lat", "lon"), 4326),
    **{f"calendar-{name}": (f"calendar-{name}.zarr/t&at=2,0", MAP, lambda name=name: opened(f"calendar-{name}")["t"].isel(time=2, level=0), 4326) for name in ("standard", "noleap", "360_day")},
    **{f"section-{name}": (f"calendar-{name}.zarr/t&at=1,2&axes=0,3", ALL, lambda name=name: opened(f"calendar-{name}")["t"].isel(level=1, lat=2), None) for name in ("standard", "noleap", "360_day")},
    **{f"when-{name}": (f"calendar-{name}.zarr/when", ("csv",), lambda name=name: opened(f"calendar-{name}")["when"], None) for name in ("standard", "noleap", "360_day")},
    "minus": ("calendar-standard.zarr/t&at=4,1&minus=2,0", MAP, lambda: less(opened("calendar-standard")["t"], [dict(time=4, level=1), dict(time=2, level=0)]), 4326),
    "minus-far": ("calendar-standard.zarr/ids&at=4&minus=1", MAP, lambda: less(opened("calendar-standard")["ids"], [dict(time=4), dict(time=1)]), 4326),
    "less": ("calendar-noleap.zarr/t&at=2,0&less=other", MAP, lambda: (opened("calendar-noleap")["t"] - opened("calendar-noleap")["other"]).isel(time=2, level=0), 4326),
    "months": ("months.zarr/t&at=3", MAP, lambda: opened("months")["t"].isel(time=3), 4326),
    "utm": ("utm.zarr/height", MAP, lambda: opened("utm")["height"], 32632),
    "bare": ("bare.zarr/height", MAP, lambda: raw("bare", "height", ("y", "x")).assign_coords(**{name: (name, from_ + step * (np.arange(n) + 0.5), {"standard_name": f"projection_{name}_coordinate"}) for name, n, from_, step in (("y", 9, 5_300_000, -250), ("x", 12, 500_000, 250))}).assign_attrs(units="m"), 32632),
    "polar": ("polar.zarr/ice&at=1", ALL, lambda: opened("polar")["ice"].isel(time=1), None),
    "rotated": ("rotated.zarr/tas", ALL, lambda: opened("rotated")["tas"], None),
    "curved": ("curved.zarr/sst&at=1", ALL, lambda: opened("curved")["sst"].isel(time=1), None),
    "healpix": ("healpix.zarr/z&at=1", MAP, on_map(lambda lat, lon: cell_of(lat, lon, opened("healpix")["z"].values[1])), 4326),
    "points": ("points.zarr/z", MAP, on_map(lambda lat, lon: nearest(*np.broadcast_arrays(lat, lon), *(opened("points")[name].values for name in ("lat", "lon", "z")))), 4326),
    "image": ("image.zarr/0&at=1", ALL, lambda: raw("image", "0", ("z", "y", "x"))[1].assign_coords(z=((), 2.0, MICRONS), y=("y", np.arange(32) * 0.325, MICRONS), x=("x", np.arange(48) * 0.325, MICRONS)), None),
    "slope": ("slope.tif/0", MAP, slope, 32632),
    "station": ("words.zarr/station", ("csv",), lambda: raw("words", "station", ("station",)), None),
    "height": ("words.zarr/height", ALL, lambda: raw("words", "height", ("station",)).assign_coords(station=zarr.open_array(out / "words.zarr", path="station", mode="r")[...].astype(object)).assign_attrs(units="m, above sea"), None),
    "complex": ("words.zarr/complex", ALL, lambda: abs(raw("words", "complex", ("a", "b")).astype("complex128")), None),
    "one": ("words.zarr/one", ALL, lambda: raw("words", "one", ()), None),
    "quotes": ("words.zarr/speed%20%2F%20gust%20%22max%22", ALL, lambda: raw("words", 'speed / gust "max"', ("a,b", 'say "c"')).assign_attrs(units="m s-1", long_name='Speed,\n"fast"'), None),
    "large": ("large.zarr/v", ALL, lambda: raw("large", "v", ("y", "x")), None),
    "large-zoomed": ("large.zarr/v&view=700,1200,16", ALL, lambda: raw("large", "v", ("y", "x")), None),
    "series": ("large.zarr/series", ALL, lambda: opened("large")["series"], None),
    "series-part": ("large.zarr/series&span=1000,1100", ALL, lambda: opened("large")["series"], None),
}


def less(array, places):
    first, second = [array.isel(place) for place in places]
    values = first.values.astype(object) - second.values.astype(object) if array.dtype.kind in "iu" else first.values.astype("float64") - second.values
    return first.copy(data=np.asarray(values, dtype="float64")).assign_attrs(array.attrs)


def numbers(array):
    """Values as float64, or as Python's integers where no float64 holds them all."""
    values = np.asarray(array)
    if values.dtype.kind in "iu" and values.size and max(abs(int(values.min())), abs(int(values.max()))) > 2**53:
        return values.astype(object)
    return values.astype("float64")


def same(a, b, exactly=True):
    if a.shape != b.shape:
        return False
    if a.dtype == object or b.dtype == object:
        return bool(np.all(a == b))
    return bool(np.array_equal(a, b, equal_nan=True) if exactly else np.allclose(a, b, rtol=1e-13, atol=1e-13, equal_nan=True))


def label(value):
    """A coordinate as tables have it."""
    if isinstance(value, np.datetime64):
        return str(value.astype("datetime64[s]"))
    return value.isoformat() if hasattr(value, "isoformat") else value


def labels_of(wanted, name):
    if name not in wanted.coords:
        return [int(n) for n in range(wanted.sizes[name])]
    return [label(value) for value in wanted[name].values]


def placed(wanted, rows):
    """What is wanted at the rows and columns that a file names, and whether these are in order and evenly apart; a file may have a part."""
    picked = []
    for name, found in zip(wanted.dims, rows, strict=True):
        known = labels_of(wanted, name)
        isText = isinstance(known[0], str) if known else True
        at = [known.index(one) if isText else int(np.argmin(np.abs(np.asarray(known, "float64") - float(one)))) for one in found]
        if not isText and not np.allclose(np.asarray(known, "float64")[at], np.asarray(found, "float64"), rtol=1e-12, atol=1e-9):
            raise ValueError(f"places along {name} are {found[:4]}, not of {known[:4]}")
        if len(set(np.diff(at))) > 1 or (at and len(set(at)) < len(at)):
            raise ValueError(f"places along {name} are {at}")
        picked.append(at)
    return wanted.isel(dict(zip(wanted.dims, picked, strict=True)))


def table(text):
    """Comments, the first line and the others of a table."""
    comments = re.match(r"(?:# .*\n)*", text).group()
    first, *rows = list(csv.reader(io.StringIO(text[len(comments):])))
    return comments.splitlines(), first, rows


def source_of(name):
    """The path of a case's array in its store's address."""
    path = unquote(CASES[name][0].split("&")[0])
    return f"/{path}"


def check_csv(path, wanted, name, say):
    comments, first, rows = table(path.read_text())
    if not any(comment.endswith(source_of(name)) for comment in comments):
        say(f"its comments are {comments}")
    units = wanted.attrs.get("units")
    if units and units != "1" and not comments[0].endswith(units.replace("degC", "°C").replace("m s-1", "m s⁻¹")):
        say(f"its units are in {comments[0]}")
    corner = "\\".join(wanted.dims) or first[0]
    if first[0] != corner:
        say(f"its first line begins with {first[0]}")
    found = [[row[0] for row in rows][: None if wanted.ndim else 0], first[1:]][: wanted.ndim]
    values = [row[1:] for row in rows] if wanted.ndim == 2 else [row[1] for row in rows] if wanted.ndim else rows[0][0]
    part = placed(wanted, found)
    got = np.asarray(values, dtype=object)
    if np.asarray(wanted).dtype.kind in "MT" or isinstance(np.ravel(wanted)[0], (str, cftime.datetime)):
        want = [label(one) for one in np.ravel(part.values if wanted.dtype.kind == "M" else part.values.astype(object))]
        if list(np.ravel(got)) != want:
            say(f"values are {np.ravel(got)[:5]}, not {want[:5]}")
        return
    want = numbers(part)
    words = {"true": 1, "false": 0, "": np.nan}
    got = np.vectorize(lambda one: int(one or NOTHING) if want.dtype == object else float(words.get(one, one)), otypes=[want.dtype])(got)
    if not same(got, want, False):
        say(f"values are {np.ravel(got)[:5]}, not {np.ravel(want)[:5]}")
    if wanted.ndim == 2 and pd.read_csv(path, comment="#", index_col=0).shape != part.shape:
        say("pandas reads another shape")


def check_npy(path, wanted, name, say):
    got = np.load(path)
    if got.dtype.kind in "iu" and got.dtype != wanted.dtype:
        say(f"its type is {got.dtype}")
    if got.shape == wanted.shape:
        if not same(numbers(got), numbers(wanted), PACKED not in name):
            say(f"values are {np.ravel(got)[:5]}, not {np.ravel(wanted)[:5]}")
    elif not name.startswith(PARTS):
        say(f"its shape is {got.shape}")


def check_nc(path, wanted, name, say):
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        for variable in file.variables.values():
            variable[...]
        if file.data_model not in ("NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"):
            say(f"it is {file.data_model}")
    with xr.open_dataset(path, engine="netcdf4", mask_and_scale="gappy" not in name) as file:
        own = [one for one in file.data_vars if file[one].dims == tuple(named(dim) for dim in wanted.dims) and one not in file.coords and "grid_mapping_name" not in file[one].attrs]
        if len(own) != 1:
            return say(f"it has {list(file.variables)}")
        got = file[own[0]].load()
        part = placed(wanted, [[one.decode() if isinstance(one, bytes) else label(one) for one in (got[named(dim)].values if named(dim) in got.coords else np.arange(got.sizes[named(dim)]))] for dim in wanted.dims])
        if not same(numbers(got), numbers(part), PACKED not in name):
            say(f"values are {np.ravel(got)[:5]}, not {np.ravel(part)[:5]}")
        for one, value in part.coords.items():
            if one not in got.coords:
                say(f"it has no coordinate {one}")
                continue
            mine = got[one]
            if mine.dims != tuple(named(dim) for dim in value.dims):
                say(f"{one} lies along {mine.dims}")
            elif value.dtype.kind == "M" or isinstance(np.ravel(value)[0], cftime.datetime):
                if [label(each) for each in np.ravel(mine)] != [label(each) for each in np.ravel(value)]:
                    say(f"{one} is {np.ravel(mine)[:3]}, not {np.ravel(value)[:3]}")
            elif value.dtype.kind == "O":
                if [one.decode() for one in mine.values] != list(value.values):
                    say(f"{one} is {mine.values}")
            elif not same(numbers(mine), numbers(value), False):
                say(f"{one} is {np.ravel(mine)[:3]}, not {np.ravel(value)[:3]}")
            for key in ("units", "standard_name", "long_name", "positive", "axis"):
                if mine.attrs.get(key) != value.attrs.get(key):
                    say(f"{key} of {one} is {mine.attrs.get(key)}")
        for key in ("units", "long_name", "standard_name", "cell_methods"):
            if got.attrs.get(key) != part.attrs.get(key) and "less" not in name:
                say(f"its {key} is {got.attrs.get(key)}")
        if not file.attrs["source"].endswith(source_of(name)):
            say(f"its source is {file.attrs.get('source')}")
        mapping = getattr(wanted, "encoding", {}).get("grid_mapping", wanted.attrs.get("grid_mapping"))
        if mapping and mapping != "crs_of_cells" and CASES[name][2].__name__ != "found":
            stated = got.encoding.get("grid_mapping", got.attrs.get("grid_mapping"))
            if stated not in file.variables:
                say("it has no grid mapping")
            elif file[stated].attrs["grid_mapping_name"] != opened(CASES[name][0].split(".")[0])[mapping].attrs["grid_mapping_name"]:
                say(f"its grid mapping is {file[stated].attrs}")


def named(text):
    """A name as NetCDF allows it."""
    return re.sub(r"[^\w.+@-]", "_", text)


def check_tif(path, wanted, name, say):
    with rasterio.open(path) as file:
        got, transform = file.read(1), file.transform
        if file.crs.to_epsg() != CASES[name][3]:
            say(f"its system is {file.crs}")
        if not (file.dtypes[0].startswith("int") or file.dtypes[0].startswith("uint") or np.isnan(file.nodata)):
            say(f"its nodata is {file.nodata}")
        if not (transform.e < 0 < transform.a):
            say(f"its transform is {transform}")
        ys = transform.f + transform.e * (np.arange(file.height) + 0.5)
        xs = transform.c + transform.a * (np.arange(file.width) + 0.5)
        part = placed(wanted.sortby(wanted.dims[0], ascending=False).sortby(wanted.dims[1]), [ys, xs])
        if not same(numbers(got), numbers(part), PACKED not in name):
            say(f"values are {np.ravel(got)[:5]}, not {np.ravel(part)[:5]}")


def answers():
    """Statistics of months.zarr by xarray, over both axes weighted by areas of cells: by a statistic and a curve as the page names them."""
    data = opened("months")["t"].astype("float64")
    edges = np.radians(np.linspace(60, -60, 7))
    weights = xr.DataArray(np.sin(edges[:-1]) - np.sin(edges[1:]), dims="lat")
    weighted = data.weighted(weights)
    mean, step = weighted.mean(("lat", "lon")), data.isel(time=3)
    curves = {
        "mean": {"along time, over the view": mean, "by month, over the view": mean.groupby("time.month").mean(), "along lat, over lon": step.mean("lon"), "along lon, over lat": step.mean("lat")},
        "max": {"along time, over the view": data.max(("lat", "lon")), "by month, over the view": data.max(("lat", "lon")).groupby("time.month").max()},
        "std": {"along time, over the view": weighted.std(("lat", "lon"))},
    }
    return {how: {name: np.where(np.isnan(curve), None, curve).tolist() for name, curve in each.items()} for how, each in curves.items()}


CHECKS = {"csv": check_csv, "npy": check_npy, "nc": check_nc, "tif": check_tif}
PACKED = "packed"  # whose unpacked values may differ in the last digit
PARTS = ("zoomed", "large", "series", "healpix", "points")  # of which the view has a part, or every nth cell


def differences(folder):
    found = {}
    for name, (_, endings, wanted, *_) in CASES.items():
        problems = found[name] = []
        for ending in endings:
            path = folder / f"{name}.{ending}"
            say = lambda text, ending=ending: problems.append(f"{ending}: {text}")  # noqa: E731, B023
            if not path.exists():
                say("it was not saved")
                continue
            try:
                want = wanted
                if want.__code__.co_argcount - len(want.__defaults__ or ()) == 2:  # of a map that is made for a view
                    want = lambda path=path, make=wanted, ending=ending: make(*places_in(folder / f"{name}.nc"))  # noqa: E731, B023
                CHECKS[ending](path, want(), name, say)
            except Exception as error:  # noqa: BLE001 # what a reader refuses is a finding too
                say(f"{type(error).__name__}: {error}")
    return {name: problems for name, problems in found.items() if problems}


def places_in(path):
    with xr.open_dataset(path, engine="netcdf4") as file:
        return file["lat"].values, file["lon"].values


if len(sys.argv) == 2:
    for make in (regular, steps, projected, cells, others):
        make()
    (out / "cases.json").write_text(json.dumps({name: [link, endings] for name, (link, endings, *_) in CASES.items()}))
    (out / "answers.json").write_text(json.dumps(answers()))
else:
    print(json.dumps(differences(Path(sys.argv[2])), ensure_ascii=False, indent=1))
