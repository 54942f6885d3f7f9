"""Writes grids in many systems of the Earth, and where PROJ puts their cells and the coast.

    python tests/neighbours/earth_sets.py /tmp/sets/earth LAND.json /tmp/sets/healpix

LAND.json is world-atlas' land-110m.json, whose vertices the coast is checked at. `oracle.json` has for each store the
longitude and latitude of cells, and for vertices of the coast the row and the column that they lie at, from the corner of
the first cell; for each EPSG code of www/src/earth/epsg.js places in its area with their coordinates; and for arrays of
fixtures/healpix the middles of cells by healpix-geo, with their values.
"""

import json
import shutil
import sys
from pathlib import Path

import healpix_geo
import numpy as np
import zarr
from pyproj import CRS, Transformer

target, land, cells = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[3])
rng = np.random.default_rng(8)
oracle = {"grids": {}, "codes": {}}

scale, shift = (np.array(land["transform"][name]) for name in ("scale", "translate"))
VERTICES = np.concatenate([np.cumsum(np.array(arc), axis=0) * scale + shift for arc in land["arcs"]])


def group(name, attributes=None):
    path = target / name
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    return zarr.create_group(path, attributes=attributes or {})


def put(root, name, values, dimensions, **attributes):
    values = np.asarray(values)
    more = {"chunks": values.shape} if values.ndim else {}
    array = root.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=dimensions, attributes=attributes, **more)
    array[...] = values


def plane(height, width):
    row, col = np.mgrid[0:height, 0:width]
    return (1000 * row + col).astype("f4")


def note(name, crs, x, y, to_cell):
    """Places of some cells, and the cells of some vertices of the coast, by PROJ."""
    inverse = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    rows, cols = rng.integers(0, len(y), 6), rng.integers(0, len(x), 6)
    lon, lat = inverse.transform(x[cols], y[rows])
    places = [[int(r), int(c), float(a), float(b)] for r, c, a, b in zip(rows, cols, lon, lat) if np.isfinite(a)]
    px, py = inverse.transform(VERTICES[:, 0], VERTICES[:, 1], direction="INVERSE")
    row, col = to_cell(np.asarray(px), np.asarray(py))
    back = np.array(inverse.transform(px, py)).T
    inside = np.isfinite(px) & (row > 1) & (row < len(y) - 1) & (col > 1) & (col < len(x) - 1) & (np.abs(back - VERTICES).max(axis=1) < 1e-6)
    chosen = np.flatnonzero(inside)
    chosen = chosen[:: max(1, len(chosen) // 8)]
    oracle["grids"][name] = {"shape": [len(y), len(x)], "places": places, "coast": [[float(row[i]), float(col[i])] for i in chosen]}


def even(x, y):
    """From coordinates to rows and columns, of evenly spaced centres."""
    return lambda px, py: ((py - y[0]) / (y[1] - y[0]) + 0.5, (px - x[0]) / (x[1] - x[0]) + 0.5)


def projected(name, crs, x, y, mapping, units="m", unit=1.0, names=("y", "x"), **more):
    """A grid with coordinates and CF's grid mapping; the coordinates are in `unit` of the system's own."""
    root = group(name)
    put(root, "v", plane(len(y), len(x)), list(names), grid_mapping="crs")
    standard = more.get("standard", ("projection_y_coordinate", "projection_x_coordinate"))
    for axis, values, word in zip(names, (y, x), standard):
        put(root, axis, values / unit, [axis], units=units, standard_name=word)
    put(root, "crs", np.int32(0), [], **mapping)
    zarr.consolidate_metadata(root.store)
    note(name, crs, x, y, even(x, y))


utm = CRS.from_epsg(32633)
projected("utm.zarr", utm, 300000 + 5000.0 * np.arange(60), 5050000 - 5000.0 * np.arange(50), {"crs_wkt": utm.to_wkt("WKT2_2019")})
plain = CRS.from_proj4("+proj=tmerc +lat_0=0 +lon_0=10 +k=0.9996 +x_0=500000 +y_0=0 +ellps=GRS80")
projected("wkt.zarr", plain, 200000 + 20000.0 * np.arange(50), 6600000 - 20000.0 * np.arange(60), {"spatial_ref": plain.to_wkt("WKT1_GDAL")})
lcc = CRS.from_cf({"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [25.0, 25.0], "longitude_of_central_meridian": 265.0, "latitude_of_projection_origin": 25.0, "earth_radius": 6371229.0})
projected("lcc.zarr", lcc, -2600000 + 80000.0 * np.arange(66), -1500000 + 80000.0 * np.arange(40), {k: v for k, v in lcc.to_cf().items() if k in ("grid_mapping_name", "standard_parallel", "longitude_of_central_meridian", "latitude_of_projection_origin")} | {"earth_radius": 6371229.0})
polar = {"grid_mapping_name": "polar_stereographic", "straight_vertical_longitude_from_pole": -45.0, "latitude_of_projection_origin": 90.0, "standard_parallel": 70.0, "semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
projected("polar.zarr", CRS.from_epsg(3413), -3000000 + 100000.0 * np.arange(60), 3000000 - 100000.0 * np.arange(60), polar, units="km", unit=1000.0)
height = 35786023.0
goes = {"grid_mapping_name": "geostationary", "perspective_point_height": height, "semi_major_axis": 6378137.0, "semi_minor_axis": 6356752.31414, "longitude_of_projection_origin": -75.0, "sweep_angle_axis": "x"}
angle = np.linspace(-0.15, 0.15, 61) * height
projected("goes.zarr", CRS.from_proj4(f"+proj=geos +h={height} +lon_0=-75 +sweep=x +a=6378137 +b=6356752.31414"), angle, -angle, goes, units="rad", unit=height)
rotated = {"grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 39.25, "grid_north_pole_longitude": -162.0, "earth_radius": 6371000.0}
turned = CRS.from_cf(rotated)
projected("rotated.zarr", turned, -20 + 1.0 * np.arange(40), -20 + 1.0 * np.arange(42), rotated, units="degrees", names=("rlat", "rlon"), standard=("grid_latitude", "grid_longitude"))

# As GeoZarr says it: a code and a transform, and no coordinates.
x, y = 2600000 + 50000.0 * (np.arange(90) + 0.5), 5300000 - 50000.0 * (np.arange(80) + 0.5)
for name, code in [("geozarr.zarr", "EPSG:3035"), ("unknown.zarr", "EPSG:99999")]:
    root = group(name, {"zarr_conventions": [{"name": "proj:"}, {"name": "spatial:"}]})
    put(root, "v", plane(80, 90), ["y", "x"], **{"proj:code": code, "spatial:transform": [50000.0, 0, 2600000.0, 0, -50000.0, 5300000.0], "spatial:dimensions": ["y", "x"]})
    zarr.consolidate_metadata(root.store)
note("geozarr.zarr", CRS.from_epsg(3035), x, y, even(x, y))

equal = CRS.from_proj4("+proj=laea +lat_0=-30 +lon_0=25 +x_0=0 +y_0=0 +ellps=WGS84")
root = group("projjson.zarr", {"proj:projjson": equal.to_json_dict()})
put(root, "v", plane(80, 90), ["y", "x"], **{"spatial:transform": [50000.0, 0, -2250000.0, 0, -50000.0, 2000000.0]})
zarr.consolidate_metadata(root.store)
x, y = -2250000 + 50000.0 * (np.arange(90) + 0.5), 2000000 - 50000.0 * (np.arange(80) + 0.5)
note("projjson.zarr", equal, x, y, even(x, y))

# Latitudes and longitudes of their own, across the seam, in both spans of longitudes; and masked in a corner.
bering = CRS.from_cf({"grid_mapping_name": "rotated_latitude_longitude", "grid_north_pole_latitude": 30.0, "grid_north_pole_longitude": 10.0, "earth_radius": 6371000.0})
x, y = -20 + 0.5 * np.arange(80), -12 + 0.5 * np.arange(50)
lon, lat = Transformer.from_crs(bering, "EPSG:4326", always_xy=True).transform(*np.meshgrid(x, y))
for name, span in [("curvilinear-180.zarr", lon), ("curvilinear-360.zarr", lon % 360)]:
    root = group(name)
    lat_gap, lon_gap = lat.copy(), span.copy()
    lat_gap[:3, :4] = lon_gap[:3, :4] = np.nan
    put(root, "v", plane(50, 80), ["j", "i"], coordinates="nav_lat nav_lon")
    put(root, "nav_lat", lat_gap, ["j", "i"], units="degrees_north", standard_name="latitude")
    put(root, "nav_lon", lon_gap, ["j", "i"], units="degrees_east", standard_name="longitude")
    zarr.consolidate_metadata(root.store)
    note(name, bering, x, y, even(x, y))
    oracle["grids"][name]["places"] = [place for place in oracle["grids"][name]["places"] if place[0] >= 4 or place[1] >= 5]

# Grids of degrees: from 0 to 360, of Gaussian latitudes, and beside them other grids of the same store.
root = group("grids.zarr")
turn = {"east": 2 + 4.0 * np.arange(90), "west": -178.75 + 2.5 * np.arange(144)}
for name, lons in turn.items():
    part = root.create_group(name)
    lats = 88.0 - 4 * np.arange(45) if name == "east" else np.degrees(np.arcsin(np.polynomial.legendre.leggauss(64)[0]))
    put(part, "t", np.stack([step * 1e6 + plane(len(lats), len(lons)) for step in range(4)]), ["time", "lat", "lon"])
    put(part, "still", plane(len(lats), len(lons)), ["lat", "lon"])
    put(part, "lat", lats, ["lat"], units="degrees_north")
    put(part, "lon", lons, ["lon"], units="degrees_east")
oracle["gaussian"] = np.degrees(np.arcsin(np.polynomial.legendre.leggauss(64)[0])).tolist()
part = root.create_group("local")
put(part, "u", np.stack([step * 1e6 + plane(50, 80) for step in range(4)]), ["time", "j", "i"], coordinates="lat lon")
put(part, "lat", lat, ["j", "i"], units="degrees_north")
put(part, "lon", lon, ["j", "i"], units="degrees_east")
zarr.consolidate_metadata(root.store)
oracle["pins"] = [[int(r), int(c), float(lon[r, c]), float(lat[r, c])] for r, c in [(20, 30), (33, 61)]]

# A cell of fixtures/levels/topozarr.zarr: row 300, column 400.
oracle["pyramid"] = Transformer.from_crs(32633, 4326, always_xy=True).transform(504005, 4996995)

CODES = [2056, 2154, 2193, 3006, 3031, 3034, 3035, 3067, 3338, 3347, 3395, 3411, 3412, 3413, 3577, 3976, 3978, 3995, 3996, 5070, 6931, 6932, 6933, 27700]
for code in [*CODES, 3857, 4326, 4258, 25832, 26910, 26918, 32601, 32633, 32660, 32701, 32756]:
    crs = CRS.from_epsg(code)
    west, south, east, north = crs.area_of_use.bounds
    width = (east - west) % 360 or 360
    forward = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    points = []
    for u, v in [(0.5, 0.5), (0.2, 0.7), (0.8, 0.3)]:
        place = (west + u * width + 180) % 360 - 180, south + v * (north - south)
        points.append([*place, *forward.transform(*place)])
    oracle["codes"][f"EPSG:{code}"] = points


def middles(name, level, scheme, ellipsoid="sphere"):
    """Middles of cells of an array, first those that are stored and then some that are not: value at the first time."""
    root = zarr.open_group(cells / name, mode="r")
    values = root["t"][...]
    values = values[0] if values.ndim == 2 else values
    ids = root["cell_ids"][...] if "cell_ids" in root else np.arange(values.size, dtype="u8")
    stored = dict(zip(ids.tolist(), values.tolist()))
    missing = [] if scheme == "zuniq" else [cell for cell in range(0, 12 * 4**level, 29) if cell not in stored][:6]
    chosen = [*ids.tolist()[:: max(1, ids.size // 14)], *missing]
    lib = getattr(healpix_geo, scheme)
    args = (np.array(chosen, "u8"),) if scheme == "zuniq" else (np.array(chosen, "u8"), level)
    lon, lat = lib.healpix_to_lonlat(*args, ellipsoid)
    return [[float(a), float(b), str(cell), stored.get(cell)] for a, b, cell in zip(lon, lat, chosen)]


oracle["cells"] = {
    "whole-nested.zarr": middles("whole-nested.zarr", 2, "nested"),
    "whole-ring.zarr": middles("whole-ring.zarr", 2, "ring"),
    "xdggs-WGS84.zarr": middles("xdggs-WGS84.zarr", 2, "nested", "WGS84"),
    "shuffled.zarr": middles("shuffled.zarr", 4, "nested"),
    "zuniq.zarr": middles("zuniq.zarr", 4, "zuniq"),
}

(target / "oracle.json").write_text(json.dumps(oracle, indent=None, separators=(",", ":")) + "\n")
