"""The list of arrays the oracle writes, and the helpers that every case uses."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numcodecs.gzip
import numpy as np
import zarr
from zarr.core.dtype import get_data_type_from_json
from zarr.core.metadata.v2 import get_object_codec_id
from zarr.core.sync import sync

from seen import Seen

zarr.config.set({"array.rectilinear_chunks": True})

# gzip stamps the clock into its header; a fixed time makes two runs give the same bytes.
numcodecs.gzip._gzip.GzipFile = functools.partial(gzip.GzipFile, mtime=0)


# The values of an array, and its chunk sizes along each axis, clipped to the extent.
Reading = tuple[np.ndarray, list[list[int]]]


def sizes_of(array: zarr.Array) -> list[list[int]]:
    """zarr-python's write_chunk_sizes, in the form that JSON gives back."""
    return [list(axis) for axis in array.write_chunk_sizes]


def inner_shapes(document: dict[str, Any]) -> list[list[int]]:
    """The inner chunk shapes of each level of shards that can be read in part, outermost first."""
    shapes, codecs = [], document["codecs"]
    while len(codecs) == 1 and isinstance(codecs[0], dict) and codecs[0]["name"] == "sharding_indexed":
        settings = codecs[0]["configuration"]
        shapes.append(list(settings["chunk_shape"]))
        codecs = settings["codecs"]
    return shapes


def read_sizes(document: dict[str, Any], sizes: list[list[int]]) -> list[list[int]]:
    """The sizes of the chunks that can be read alone, however deep in shards; `sizes` are those of the grid."""
    shapes = inner_shapes(document)
    if not shapes:
        return sizes
    # The outer edges are multiples of the inner ones, so only the end of what a shard gives to the array cuts one.
    axes = zip(sizes, shapes[-1], strict=True)
    return [[min(edge, size - at) for size in outer for at in range(0, size, edge)] for outer, edge in axes]


@dataclass(frozen=True)
class Case:
    """One array: `write(path)` puts it on disk.

    It returns what must be read where zarr-python may refuse, and None where it must not.
    """

    name: str
    about: str
    write: Callable[[Path], Reading | None]
    selections: tuple[list[Any], ...] = ()
    proposals: tuple[str, ...] = ()
    array_path: str = ""
    seen: Seen | None = None


def add(cases: list[Case], name: str, about: str, **options: Any) -> Callable[[Callable], Callable]:
    """Decorator: appends the function to `cases` under `name`."""

    def register(write: Callable) -> Callable:
        cases.append(Case(name, about, write, **options))
        return write

    return register


def create(path: Path, values: np.ndarray, **options: Any) -> zarr.Array:
    """Create an array of the values' shape and data type, uncompressed unless told, and fill it."""
    options.setdefault("compressors", None)
    array = zarr.create_array(store=path, shape=values.shape, dtype=values.dtype, **options)
    array[...] = values
    return array


def resize(path: Path, shape: tuple[int, ...], *, keep_chunks: bool = False) -> zarr.Array:
    """Resize on disk; `keep_chunks` leaves the chunks outside the new shape where they lie."""
    array = zarr.open_array(path, mode="r+")
    sync(array._async_array.resize(shape, delete_outside_chunks=not keep_chunks))
    return zarr.open_array(path, mode="r+")


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Rewrite the array's zarr.json, or .zarray, by hand, as another writer would have put it."""
    file = path / "zarr.json"
    if not file.exists():
        file = path / ".zarray"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document, indent=2) + "\n")


OBJECT_CODECS = {"json", "json2", "msgpack", "msgpack2", "vlen-array"}


def has_shapes(fields: list[Any]) -> bool:
    """Whether a field of a struct, or of a struct in it, has a shape."""
    return any(len(field) > 2 or (isinstance(field[1], list) and has_shapes(field[1])) for field in fields)


def described(node: Path) -> dict[str, Any]:
    """The array's zarr.json, or what its .zarray and .zattrs would be as one.

    What zarr-python makes of v2's data type and fill value is taken from it; the rest is as written.
    """
    file = node / "zarr.json"
    if file.exists():
        return json.loads(file.read_text())
    document = json.loads((node / ".zarray").read_text())
    attributes = json.loads(file.read_text()) if (file := node / ".zattrs").exists() else {}
    names = attributes.get("_ARRAY_DIMENSIONS")
    data_type, fill = document["dtype"], document["fill_value"]
    if OBJECT_CODECS & {codec["id"] for codec in document.get("filters") or []}:
        # zarr-python 3 reads no objects of these.
        data_type = "v2:object"
    elif data_type == "|O" and "categorize" in {codec["id"] for codec in document.get("filters") or []}:
        # Nor of this, whose objects are text.
        data_type = "string"
    elif isinstance(data_type, list) and has_shapes(data_type):
        # zarr-python 3 reads no subarrays.
        data_type = "struct"
    # TensorStore's own spellings are v3's names.
    elif not isinstance(data_type, str) or data_type[0] in "<>|":
        codec = get_object_codec_id((*(document.get("filters") or ()), document.get("compressor")))
        dtype = get_data_type_from_json({"name": data_type, "object_codec_id": codec}, zarr_format=2)
        data_type = dtype.to_json(zarr_format=3)
        if fill is not None:
            fill = dtype.to_json_scalar(dtype.from_json_scalar(fill, zarr_format=2), zarr_format=2)
    return {
        "zarr_format": 2,
        "shape": document["shape"],
        "data_type": data_type,
        "dimension_names": names if names and len(names) == len(document["shape"]) else None,
        "fill_value": fill,
        "attributes": attributes,
        "codecs": [],
    }


def chunk_shapes(document: dict[str, Any]) -> list[Any]:
    """The `chunk_shapes` list of a rectilinear zarr.json, for editing in place."""
    return document["chunk_grid"]["configuration"]["chunk_shapes"]
