"""Writes images, maps and tables of cells in forms that the programs which show them in browsers lack.

    python tests/neighbours/viewer_sets.py /tmp/sets/viewers

`images.zarr` holds a group of OME-Zarr 0.5 for each way of storing that those programs lack. Each image has two channels
and two levels; an item is its place in the level, as `place` gives it. `older.zarr` has images of OME-Zarr 0.4 in Zarr
v2 likewise: one that they read, and one of a codec that they lack. `cells.zarr` has the layout of AnnData, with
dense matrices of cells by genes whose items are row * 100 + column. `world.zarr` has maps of the world with one level,
placed by zarr-conventions, whose items are row * 60 + column + 1: zarr-layer takes
the fill value 0 for missing.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np
import zarr
from zarr.codecs import ZstdCodec

AXES = [{"name": "c", "type": "channel"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]
CHANNELS = 2
LEVELS = [(60, 80), (30, 40)]

UNEVEN = {"chunks": [[1, 1], [25, 35], [50, 30]]}, {"chunks": [[1, 1], [12, 18], [25, 15]]}
SHARDED = {"chunks": (1, 16, 16), "shards": (2, 32, 32)}, {"chunks": (1, 16, 16), "shards": (2, 32, 32)}

# name: data type, and the chunks of each level
IMAGES: dict[str, tuple[str, tuple[dict[str, Any], ...]]] = {
    "uneven": ("uint16", UNEVEN),
    "shards": ("uint16", SHARDED),
    "int64": ("int64", UNEVEN),
    "float16": ("float16", SHARDED),
}


def place(shape: tuple[int, int, int]) -> np.ndarray:
    """Items that tell channels, rows and columns apart, below the largest exact integer of float16."""
    channel, row, column = np.indices(shape)
    return channel * 1000 + row * 8 + column


OLDER = {"zstd": numcodecs.Zstd(level=3), "lzma": numcodecs.LZMA(preset=6)}


def described(name: str) -> dict[str, Any]:
    """Attributes of an image: its multiscales and its channels."""
    window = {"start": 0, "end": 1600, "min": 0, "max": 1600}
    channels = [{"label": f"c{nth}", "color": color, "active": True, "window": window} for nth, color in enumerate(["FF0000", "00FF00"])]
    datasets = [
        {"path": str(level), "coordinateTransformations": [{"type": "scale", "scale": [1, 2**level, 2**level]}]} for level in range(len(LEVELS))
    ]
    return {"multiscales": [{"name": name, "axes": AXES, "datasets": datasets}], "omero": {"channels": channels}}


def write_older(root: zarr.Group, name: str) -> None:
    attributes = described(name)
    attributes["multiscales"][0]["version"] = "0.4"
    group = root.create_group(name, attributes=attributes)
    for level, size in enumerate(LEVELS):
        shape = (CHANNELS, *size)
        array = group.create_array(
            str(level),
            shape=shape,
            dtype="uint16",
            chunks=(1, 25, 50),
            compressors=OLDER[name],
            chunk_key_encoding={"name": "v2", "separator": "/"},
        )
        array[...] = place(shape)


def write_image(root: zarr.Group, name: str, dtype: str, levels: tuple[dict[str, Any], ...]) -> None:
    group = root.create_group(name, attributes={"ome": {"version": "0.5", **described(name)}})
    for level, ((rows, columns), chunks) in enumerate(zip(LEVELS, levels, strict=True)):
        shape = (CHANNELS, rows, columns)
        names = [axis["name"] for axis in AXES]
        array = group.create_array(str(level), shape=shape, dtype=dtype, dimension_names=names, compressors=ZstdCodec(level=3), **chunks)
        array[...] = place(shape).astype(dtype)


def write_cells(root: zarr.Group) -> None:
    """AnnData's groups, with attributes as anndata 0.12 writes them."""
    cells, genes = 50, 12

    def group(path: str, kind: str, **attributes: Any) -> None:
        version = {"anndata": "0.1.0", "dict": "0.1.0", "dataframe": "0.2.0"}[kind]
        root.require_group(path).attrs.put({"encoding-type": kind, "encoding-version": version, **attributes})

    def array(path: str, values: np.ndarray, kind: str = "array", **chunks: Any) -> None:
        attributes = {"encoding-type": kind, "encoding-version": "0.2.0"}
        dtype = "string" if kind == "string-array" else values.dtype
        made = root.create_array(path, shape=values.shape, dtype=dtype, attributes=attributes, **chunks)
        made[...] = values
        assert (made[...] == values).all(), path

    root.attrs.put({"encoding-type": "anndata", "encoding-version": "0.1.0"})
    for name, length, letter in [("obs", cells, "c"), ("var", genes, "g")]:
        group(name, "dataframe", _index="_index", **{"column-order": []})
        array(f"{name}/_index", np.array([f"{letter}{nth}" for nth in range(length)]), "string-array", chunks=(length,))
    for name in ["obsm", "layers"]:
        group(name, "dict")
    rows, columns = np.indices((cells, genes))
    items = rows * 100 + columns
    array("X", items.astype("float32"), chunks=[[20, 13, 17], [5, 7]])
    array("layers/counts", items.astype("int64"), chunks=[[20, 13, 17], [5, 7]])
    array("obsm/X_pca", items[:, :2].astype("float32"), chunks=(10, 2), shards=(40, 2))


def write_world(root: zarr.Group) -> None:
    """Maps of one level, as the oracle's maps.py places them."""
    rows, columns = 30, 60
    items = 1 + np.arange(rows * columns).reshape(rows, columns)
    group = root.create_group("0")
    edge = 360 / columns
    for name, values in [("lat", 90 - edge * (np.arange(rows) + 0.5)), ("lon", edge * (np.arange(columns) + 0.5) - 180)]:
        array = group.create_array(name, shape=values.shape, dtype="float64", chunks=values.shape, dimension_names=[name])
        array[...] = values
    uneven = {"chunks": [[13, 17], [25, 35]]}
    maps = {"shards": ("float32", {"chunks": (8, 8), "shards": (16, 32)}), "int64": ("int64", uneven), "float16": ("float16", uneven)}
    for name, (dtype, chunks) in maps.items():
        array = group.create_array(name, shape=items.shape, dtype=dtype, dimension_names=["lat", "lon"], compressors=ZstdCodec(level=3), **chunks)
        array[...] = items.astype(dtype)
        assert (array[...] == items).all(), name
    layout = [{"asset": "0", "spatial:shape": [rows, columns], "transform": {"scale": [1, 1], "translation": [0, 0]}}]
    spatial = {"spatial:bbox": [-180, -90, 180, 90], "spatial:dimensions": ["lat", "lon"]}
    root.attrs.put({"multiscales": {"layout": layout}, "proj:code": "EPSG:4326", **spatial})
    zarr.consolidate_metadata(root.store)


def main(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    with zarr.config.set({"array.rectilinear_chunks": True}):
        root = zarr.create_group(out / "images.zarr", zarr_format=3)
        for name, (dtype, levels) in IMAGES.items():
            write_image(root, name, dtype, levels)
            found = zarr.open_array(out / "images.zarr" / name / "0", mode="r")[...]
            assert (found == place(found.shape)).all(), name
        older = zarr.create_group(out / "older.zarr", zarr_format=2)
        for name in OLDER:
            write_older(older, name)
            found = zarr.open_array(out / "older.zarr" / name / "0", mode="r")[...]
            assert (found == place(found.shape)).all(), name
        write_cells(zarr.create_group(out / "cells.zarr", zarr_format=3))
        write_world(zarr.create_group(out / "world.zarr", zarr_format=3))


main(Path(sys.argv[1]))
