"""Chunk grids as created: regular, rectilinear and mixed; key encodings; no dimensions at all."""

from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import ZstdCodec

from registry import Case, add, create
from values import counting, hard

CASES: list[Case] = []

# name: (sentence, shape, chunks)
GRIDS: dict[str, tuple[str, tuple[int, ...], Any]] = {
    "regular-exact": ("A regular grid that divides the shape.", (6, 8), (3, 4)),
    "regular-clipped": ("Regular edge chunks stored full and clipped by the extent.", (7, 10, 3), (3, 4, 2)),
    "regular-one-larger": ("One regular chunk larger than the array.", (5, 3), (8, 16)),
    "rectilinear-lists": ("Lists of unequal edges on both axes.", (14, 22), [[1, 9, 4], [10, 1, 3, 8]]),
    "rectilinear-runs": (
        "Runs of equal edges, stored as pairs between single edges.",
        (31, 9),
        [[2, 2, 2, 7, 3, 3, 3, 3, 6], [4, 4, 1]],
    ),
    "rectilinear-mixed": ("A bare integer on one axis and lists on the others.", (9, 10, 6), [[2, 7], 4, [1, 1, 3, 1]]),
    "rectilinear-single": ("One edge per axis: a list of one.", (6, 4), [[6], [3, 1]]),
    "rectilinear-ones": ("Forty chunks of one element each, then a large one.", (90,), [[1] * 40 + [50]]),
    "rectilinear-4d": ("Four dimensions, two of them rectilinear.", (4, 5, 3, 6), [[1, 3], 2, [2, 1], 6]),
}


def _register(name: str, about: str, shape: tuple[int, ...], chunks: Any) -> None:
    @add(CASES, name, about)
    def write(path: Path) -> None:
        create(path, counting("int32", shape), chunks=chunks)


for name, (about, shape, chunks) in GRIDS.items():
    _register(name, about, shape, chunks)


def _keys(encoding: str, separator: str) -> None:
    name = f"keys-{encoding}-{'dot' if separator == '.' else 'slash'}"

    @add(CASES, name, f"Chunk key encoding {encoding} with separator {separator!r}.")
    def write(path: Path) -> None:
        keys = {"name": encoding, "separator": separator}
        create(path, counting("int16", (5, 4, 3)), chunks=[[2, 3], 3, [1, 2]], chunk_key_encoding=keys)


for encoding in ("default", "v2"):
    for separator in (".", "/"):
        _keys(encoding, separator)


@add(CASES, "scalar-default", "No dimensions: one chunk, key c.")
def scalar_default(path: Path) -> None:
    create(path, np.array(-(2**53) - 1, "int64"), compressors=[ZstdCodec()])


@add(CASES, "scalar-v2", "No dimensions with the v2 key encoding: key 0.")
def scalar_v2(path: Path) -> None:
    create(path, np.array(2.5, "float64"), chunk_key_encoding={"name": "v2", "separator": "."})


@add(CASES, "scalar-missing", "No dimensions and no chunk: the fill value.")
def scalar_missing(path: Path) -> None:
    zarr.create_array(store=path, shape=(), dtype="float32", fill_value=float("nan"))


def _empty(name: str, about: str, shape: tuple[int, ...], chunks: Any) -> None:
    @add(CASES, name, about)
    def write(path: Path) -> None:
        zarr.create_array(store=path, shape=shape, chunks=chunks, dtype="uint16")


_empty("zero-regular", "A regular axis of length zero beside one of length three.", (0, 3), (2, 2))
_empty("zero-regular-last", "The last axis has length zero.", (4, 0), (3, 1))
_empty("zero-rectilinear", "Extent zero with edges declared: legal, and no chunk is listed.", (0, 3), [[2, 3], [1, 2]])


@add(CASES, "names-and-attributes", "Dimension names with a null, attributes beyond ASCII, NaN among them.")
def names_and_attributes(path: Path) -> None:
    attributes = {
        "long_name": "Température à 2 m, 雪, \U0001f30d",
        "missing": float("nan"),
        "range": [float("-inf"), 1.5, float("inf")],
        "nested": {"empty": {}, "list": [], "none": None, "yes": True},
        "big": 2**53 + 1,
        'quote " and slash /': "line\nbreak\ttab",
    }
    values = hard("float32", (3, 4, 2), path.name)
    create(path, values, chunks=[[1, 2], 2, [2]], dimension_names=["time", None, "x y/é"], attributes=attributes)


@add(CASES, "in-a-group", "An array two groups down, opened by its path.", array_path="models/t 2m")
def in_a_group(path: Path) -> None:
    group = zarr.create_group(store=path, attributes={"title": "a group"}).create_group("models")
    values = counting("uint8", (6, 5))
    array = group.create_array("t 2m", shape=(6, 5), dtype="uint8", chunks=[[1, 5], [2, 3]], compressors=None)
    array[...] = values
