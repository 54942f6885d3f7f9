"""Codecs that zarr-python does not write: numcodecs encodes the chunks, and the metadata are written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np

from registry import Case, Reading, add
from seen import Seen
from values import hard

CASES: list[Case] = []

SHAPE = (7, 4)
EDGES = ((3, 3, 1), (3, 1))
CHUNKS = (3, 3)


def _boxes(shape: tuple[int, ...], chunks: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[slice, ...]]]:
    """Coordinates of each chunk, and where it lies."""
    grid = [-(-extent // edge) for extent, edge in zip(shape, chunks, strict=True)]
    return [
        (coords, tuple(slice(at * edge, (at + 1) * edge) for at, edge in zip(coords, chunks, strict=True)))
        for coords in np.ndindex(*grid)
    ]


def _sizes(shape: tuple[int, ...], chunks: tuple[int, ...]) -> list[list[int]]:
    axes = zip(shape, chunks, strict=True)
    return [[min(edge, extent - at) for at in range(0, extent, edge)] for extent, edge in axes]


def _array(
    name: str,
    about: str,
    values: np.ndarray,
    document: dict[str, Any],
    encode: Callable[[np.ndarray], bytes],
    *,
    padding: Any,
    fill: Any,
    seen: Seen,
    known: Callable[[Any], Any] = lambda item: item,
    chunks: tuple[int, ...] = CHUNKS,
) -> None:
    """Register an array whose chunk (1, 0, …) is missing, where there is more than one along the first axis.

    `document` is its zarr.json or .zarray but for shape and chunks; what lies past the array holds `padding`;
    `known` makes of an item what the index' values hold.
    """

    @add(CASES, f"object-{name}", about, seen=seen)
    def write(path: Path) -> Reading:
        path.mkdir(parents=True)
        is_v2 = document["zarr_format"] == 2
        grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
        shaped = {"shape": values.shape} | ({"chunks": chunks} if is_v2 else {"chunk_grid": grid})
        text = json.dumps(document | shaped, indent=2) + "\n"
        (path / (".zarray" if is_v2 else "zarr.json")).write_text(text)
        expected = np.empty(values.shape, object)
        for index in np.ndindex(*values.shape):
            expected[index] = known(values[index])
        for coords, box in _boxes(values.shape, chunks):
            if coords and coords[0] == 1 and not any(coords[1:]):
                for index in np.ndindex(*expected[box].shape):
                    expected[box][index] = known(fill)
                continue
            chunk = np.full(chunks, padding, values.dtype)
            part = values[box]
            chunk[tuple(slice(0, extent) for extent in part.shape)] = part
            key = ".".join(map(str, coords)) or "0"
            file = path / (key if is_v2 else "/".join(["c", *map(str, coords)]))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encode(chunk))
        kept = expected if values.dtype.kind == "O" else expected.astype(values.dtype)
        return kept, _sizes(values.shape, chunks)


V3 = {
    "zarr_format": 3,
    "node_type": "array",
    "chunk_key_encoding": {"name": "default"},
    "attributes": {},
}
V2 = {"zarr_format": 2, "order": "C", "compressor": None, "filters": None, "dimension_separator": "."}
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}

# base64, alone, over other codecs and below them; lengths with no padding, one and two letters of it.

_u1 = hard("uint8", SHAPE, "base64")
_seen = Seen(np.array([9], "uint8"))


def _base64(name: str, chunks: tuple[int, ...], before: list[Any], after: list[Any]) -> None:
    def encode(chunk: np.ndarray) -> bytes:
        data: Any = chunk.tobytes()
        for codec in (*before, numcodecs.Base64(), *after):
            data = codec.encode(data)
        return bytes(data)

    def spelled(codec: Any) -> dict[str, Any]:
        settings = codec.get_config()
        return {"name": f"numcodecs.{settings.pop('id')}", "configuration": settings}

    codecs = [BYTES, *map(spelled, (*before, numcodecs.Base64(), *after))]
    document = V3 | {"data_type": "uint8", "fill_value": 9, "codecs": codecs}
    about = f"uint8 in chunks of {chunks} through base64."
    _array(name, about, _u1, document, encode, padding=0, fill=9, seen=_seen, chunks=chunks)


_base64("base64", (3, 3), [], [])
_base64("base64-padded", (2, 2), [], [])
_base64("base64-padded-twice", (7, 4), [], [])
_base64("base64-of-zlib", (3, 3), [numcodecs.Zlib(1)], [])
_base64("base64-in-lz4", (4, 4), [], [numcodecs.LZ4(), numcodecs.CRC32()])
