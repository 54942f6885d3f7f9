"""Write stores of unstructured grids, and beside them which cell each of many places lies in, by all cells one by one.

    python tests/oracle/unstructured.py OUTDIR

OUTDIR gets icon.zarr (triangles of an icosahedron with their corners, in radians, as ICON writes them), centres.zarr (the
same without corners), reduced.zarr (an octahedral reduced Gaussian grid along "values"), ocean.zarr (points of a region on
both sides of the date line), track.zarr (observations of a ship), and expected.json.
"""

import json
import sys
from pathlib import Path

import numpy as np
import xarray as xr

out = Path(sys.argv[1])
rng = np.random.default_rng(11)
SPLIT = 16  # parts of an edge of the icosahedron
STEPS = 3
NEAR = 1e-5  # of the sphere's radius, that places are away from the border between two cells


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def vectors_of(lon, lat):
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


def places_of(vectors):
    return np.arctan2(vectors[..., 1], vectors[..., 0]), np.arcsin(np.clip(vectors[..., 2], -1, 1))


def icosahedron():
    golden = (1 + 5**0.5) / 2
    points = [(s, t * golden, 0) for s in (-1, 1) for t in (-1, 1)]
    points = unit(np.array(points + [(0, x, y) for x, y, _ in points] + [(y, 0, x) for x, y, _ in points], float))
    edge = np.min(np.linalg.norm(points[0] - points[1:], axis=1)) * 1.01
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < edge
    return np.array([points[[a, b, c]] for a in range(12) for b in range(a) for c in range(b) if near[a, b] and near[b, c] and near[a, c]])


def triangles():
    """Corners of the cells, (cell, 3, 3), as unit vectors."""
    found = []
    for a, b, c in icosahedron():
        at = lambda i, j: unit(a + (b - a) * i / SPLIT + (c - a) * j / SPLIT)  # noqa: E731
        for i in range(SPLIT):
            for j in range(SPLIT - i):
                found.append([at(i, j), at(i + 1, j), at(i, j + 1)])
                if i + j < SPLIT - 1:
                    found.append([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)])
    return np.array(found)


def values_of(lon, lat):
    """A field by degrees, and by steps."""
    smooth = 15 + 20 * np.cos(2 * np.radians(lat)) + 5 * np.sin(3 * np.radians(lon)) * np.cos(np.radians(lat))
    return np.stack([smooth + step for step in range(STEPS)]).astype("float32")


def write(name, dimension, lon, lat, coords, attrs=None):
    cells = lon.size
    data = xr.Dataset(
        {"t": (("time", dimension), values_of(lon, lat), {"units": "degC", "long_name": "Temperature", **(attrs or {})})},
        {**coords, "time": ("time", np.arange(STEPS), {"units": "days since 2024-01-01"})},
    )
    data.to_zarr(out / f"{name}.zarr", zarr_format=3, consolidated=True, encoding={"t": {"chunks": (1, cells // 3)}})


expected = {}


def tell(name, lon, lat, cell_of, places, **more):
    found = []
    values = values_of(lon, lat)[0]
    for place in places:
        cell = cell_of(place)
        if cell is not None:
            found.append([*place.tolist(), cell, None if cell < 0 else float(values[cell])])
    expected[name] = {"places": found, "values": [float(value) for value in values], **more}


def somewhere(count, lons=(-180, 180), lats=(-90, 90)):
    rises = np.sin(np.radians(lats))
    return np.stack([rng.uniform(*lons, count), np.degrees(np.arcsin(rng.uniform(*rises, count)))], -1)


def nearest(lon, lat, reach=None):
    """The cell whose centre is the nearest to a place, -1 beyond its reach; None on a border."""
    vectors = vectors_of(lon, lat)

    def cell_of(place):
        apart = np.linalg.norm(vectors - vectors_of(*place), axis=1)
        first, second = np.argsort(apart)[:2]
        if apart[second] - apart[first] < NEAR:
            return None
        if reach is None:
            return int(first)
        # As far as 1.25 times the way to the third neighbour.
        limit = reach * np.sort(np.linalg.norm(vectors - vectors[first], axis=1))[3]
        return None if abs(apart[first] - limit) < 10 * NEAR else int(first) if apart[first] < limit else -1

    return cell_of


corners = triangles()
centres = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
centres *= np.sign(np.sum(centres * corners[:, 0], axis=1))[:, None]  # of the circle through the corners
order = rng.permutation(len(corners))
corners, centres = corners[order], centres[order]
clon, clat = places_of(centres)
vlon, vlat = places_of(corners)


def containing(place):
    vector = vectors_of(*place)
    sides = np.stack([np.sum(np.cross(corners[:, k], corners[:, (k + 1) % 3]) * vector, axis=1) for k in range(3)])
    inside = (np.all(sides > 0, axis=0) | np.all(sides < 0, axis=0)) & (centres @ vector > 0)
    cell = np.flatnonzero(inside)
    return int(cell[0]) if cell.size == 1 and np.min(np.abs(sides[:, cell[0]])) > NEAR else None


def icon(name, with_corners):
    radian = {"units": "radian"}
    coords = {
        "clon": ("cell", clon, {**radian, "standard_name": "longitude", **({"bounds": "clon_vertices"} if with_corners else {})}),
        "clat": ("cell", clat, {**radian, "standard_name": "latitude", **({"bounds": "clat_vertices"} if with_corners else {})}),
    }
    if with_corners:
        coords |= {"clon_vertices": (("cell", "nv"), vlon, radian), "clat_vertices": (("cell", "nv"), vlat, radian)}
    write(name, "cell", np.degrees(clon), np.degrees(clat), coords, {"CDI_grid_type": "unstructured"})


icon("icon", True)
tell("icon", np.degrees(clon), np.degrees(clat), containing, somewhere(2000), cells=len(corners))
icon("centres", False)
tell("centres", np.degrees(clon), np.degrees(clat), nearest(np.degrees(clon), np.degrees(clat)), somewhere(1000), cells=len(corners))

# 24 latitudes from pole to pole, 20 points in the first and 4 more in each, as octahedral grids have.
sines = np.polynomial.legendre.leggauss(24)[0][::-1]
rows = [np.degrees(np.arcsin(sine)) for sine in sines]
counts = [20 + 4 * min(row, 23 - row) for row in range(24)]
lat = np.concatenate([np.full(n, row) for n, row in zip(counts, rows, strict=True)])
lon = np.concatenate([np.arange(n) * 360 / n for n in counts])
write("reduced", "values", lon, lat, {
    "latitude": ("values", lat, {"units": "degrees_north", "standard_name": "latitude"}),
    "longitude": ("values", lon, {"units": "degrees_east", "standard_name": "longitude"}),
})
tell("reduced", lon, lat, nearest(lon, lat), somewhere(1000), cells=lat.size)

# Points about 0.5 degrees apart, from 170 E to 170 W, but for an island.
lon, lat = (axis.ravel() for axis in np.meshgrid(np.arange(170, 190, 0.5), np.arange(-20, 0, 0.5)))
lon, lat = lon + rng.uniform(-0.15, 0.15, lon.size), lat + rng.uniform(-0.15, 0.15, lat.size)
sea = np.hypot(lon - 178, lat + 10) > 3
lon, lat = lon[sea], lat[sea]
write("ocean", "node", lon, lat, {"lon": ("node", lon - 360 * (lon > 180), {"units": "degrees_east"}), "lat": ("node", lat, {"units": "degrees_north"})})
tell("ocean", lon, lat, nearest(lon, lat, 1.25), somewhere(1000, (168, 192), (-22, 2)), cells=lat.size)

count = 400
xr.Dataset(
    {"t": ("obs", np.linspace(3, 5, count).astype("float32"), {"units": "degC"})},
    {"lat": ("obs", np.linspace(10, 20, count), {"units": "degrees_north"}), "lon": ("obs", np.linspace(-40, -20, count), {"units": "degrees_east"}),
     "time": ("obs", np.arange(count), {"units": "hours since 2024-01-01"})},
).to_zarr(out / "track.zarr", zarr_format=3, consolidated=True)

(out / "expected.json").write_text(json.dumps(expected))
