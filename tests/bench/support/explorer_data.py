"""Write the stores that the explorer's benches open, of the kinds and sizes that are out there.

    python tests/bench/support/explorer_data.py OUTDIR

OUTDIR gets era.zarr (a quarter of a degree, int16 with a factor, one chunk of zstd a step), ome05.zarr and ome04.zarr
(images of three channels and five levels, not consolidated) and icon.zarr (327,680 triangles with their corners, in
radians). What exists is kept. field_data.py writes a field that is stored as float32.
"""

import sys
from pathlib import Path

import numpy as np
import zarr
from zarr.codecs import ZstdCodec

out = Path(sys.argv[1])
rng = np.random.default_rng(7)
ROWS, COLUMNS, STEPS = 721, 1440, 12
SPLIT = 128  # parts of an edge of the icosahedron: R02B06 of ICON
COLOURS = {"DAPI": "0000FF", "GFP": "00FF00", "RFP": "FF0000"}


def put(group, name, values, chunks, names, attributes=None, **more):
    array = group.create_array(name, shape=values.shape, chunks=chunks, dtype=values.dtype, dimension_names=names, attributes=attributes or {}, **more)
    array[...] = values


def era():
    """Waves whose heights fall with their lengths as those of weather do, and 0.05 K of noise, which is what packing leaves."""
    group = zarr.create_group(out / "era.zarr")
    lat, lon = np.linspace(90, -90, ROWS), np.arange(COLUMNS) * 0.25
    rows, columns = np.fft.fftfreq(ROWS)[:, None] * ROWS, np.fft.rfftfreq(COLUMNS)[None, :] * COLUMNS
    heights = (1 + np.hypot(rows, columns)) ** -3.0
    names = ["time", "lat", "lon"]
    attributes = {"units": "K", "long_name": "2 metre temperature", "scale_factor": 0.05, "add_offset": 270.0}
    array = group.create_array("t2m", shape=(STEPS, ROWS, COLUMNS), chunks=(1, ROWS, COLUMNS), dtype="int16", dimension_names=names,
                               attributes=attributes, compressors=ZstdCodec(level=9), fill_value=-32767)
    for step in range(STEPS):
        turns = np.exp(2j * np.pi * (rng.random(heights.shape) + step / 40))
        waves = np.fft.irfft2(heights * turns, s=(ROWS, COLUMNS))
        field = 250 + 45 * np.cos(np.radians(lat))[:, None] + 6 * waves / waves.std()
        array[step] = np.round((field - 270) / 0.05).astype("int16")
    put(group, "lat", lat.astype("float32"), lat.shape, ["lat"], {"units": "degrees_north"})
    put(group, "lon", lon.astype("float32"), lon.shape, ["lon"], {"units": "degrees_east"})
    put(group, "time", np.arange(STEPS), (STEPS,), ["time"], {"units": "hours since 2024-01-01"})
    zarr.consolidate_metadata(out / "era.zarr")


def image(name, version):
    """Spots on a dark ground, in stacks of three channels."""
    axes = [{"name": "c", "type": "channel"}] + [{"name": each, "type": "space", "unit": "micrometer"} for each in "zyx"]
    levels = [{"path": str(n), "coordinateTransformations": [{"type": "scale", "scale": [1, 1, 0.3 * 2**n, 0.3 * 2**n]}]} for n in range(5)]
    channels = [{"label": label, "color": colour, "active": True, "window": {"min": 0, "max": 4095, "start": 0, "end": 3000}} for label, colour in COLOURS.items()]
    attributes = {"multiscales": [{"name": "Cells", "axes": axes, "datasets": levels, **({} if version == "0.5" else {"version": version})}],
                  "omero": {"channels": channels, "rdefs": {"defaultZ": 2}}}
    is_new = version == "0.5"
    group = zarr.create_group(out / name, zarr_format=3 if is_new else 2, attributes={"ome": {"version": version, **attributes}} if is_new else attributes)
    spots = rng.random((3, 6, 2048, 2048)) ** 40 * 2500 + rng.normal(200, 30, (3, 6, 2048, 2048))
    values = np.clip(spots, 0, 4095).astype("uint16")
    for n in range(5):
        level = values[..., :: 2**n, :: 2**n]
        put(group, str(n), level, (1, 1, 1024, 1024), list("czyx") if is_new else None, **({} if is_new else {"chunk_key_encoding": {"name": "v2", "separator": "/"}}))


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def triangles():
    """Corners of the cells, (cell, 3, 3), as unit vectors: those of an icosahedron's sides, whose edges are split."""
    golden = (1 + 5**0.5) / 2
    points = [(s, t * golden, 0) for s in (-1, 1) for t in (-1, 1)]
    points = unit(np.array(points + [(0, x, y) for x, y, _ in points] + [(y, 0, x) for x, y, _ in points], float))
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < np.min(np.linalg.norm(points[0] - points[1:], axis=1)) * 1.01
    sides = [points[[a, b, c]] for a in range(12) for b in range(a) for c in range(b) if near[a, b] and near[b, c] and near[a, c]]
    i, j = (part.ravel() for part in np.meshgrid(np.arange(SPLIT), np.arange(SPLIT), indexing="ij"))
    up, down = i + j < SPLIT, i + j < SPLIT - 1
    corners = [((i[up], j[up]), (i[up] + 1, j[up]), (i[up], j[up] + 1)), ((i[down] + 1, j[down]), (i[down] + 1, j[down] + 1), (i[down], j[down] + 1))]
    found = []
    for a, b, c in sides:
        at = lambda p: unit(a + (b - a) * p[0][:, None] / SPLIT + (c - a) * p[1][:, None] / SPLIT)  # noqa: B023, E731
        found += [np.stack([at(p) for p in three], 1) for three in corners]
    return np.concatenate(found)


def icon():
    cells = triangles()
    places = lambda v: (np.arctan2(v[..., 1], v[..., 0]), np.arcsin(np.clip(v[..., 2], -1, 1)))  # noqa: E731
    lon, lat = places(unit(cells.sum(1)))
    group = zarr.create_group(out / "icon.zarr")
    smooth = 15 + 20 * np.cos(2 * lat) + 5 * np.sin(3 * lon) * np.cos(lat)
    values = np.stack([smooth + step + rng.normal(0, 0.2, lon.size) for step in range(STEPS)]).astype("float32")
    put(group, "t", values, (1, lon.size), ["time", "ncells"], {"units": "degC", "long_name": "Temperature", "coordinates": "clat clon"})
    for name, centres, corners in zip(("clon", "clat"), (lon, lat), places(cells)):
        put(group, name, centres, centres.shape, ["ncells"], {"units": "radian", "standard_name": "longitude" if name == "clon" else "latitude", "bounds": f"{name}_vertices"})
        put(group, f"{name}_vertices", corners, corners.shape, ["ncells", "vertices"], {"units": "radian"})
    put(group, "time", np.arange(STEPS), (STEPS,), ["time"], {"units": "days since 2024-01-01"})
    zarr.consolidate_metadata(out / "icon.zarr")


for name, write in {"era.zarr": era, "ome05.zarr": lambda: image("ome05.zarr", "0.5"), "ome04.zarr": lambda: image("ome04.zarr", "0.4"), "icon.zarr": icon}.items():
    if not (out / name).exists():
        write()
