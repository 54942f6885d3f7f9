"""Variable chunks as ZEP 3 and early prototypes spelled them, before the grid was called rectilinear.

No package writes them today: chunks are zarr-python's, metadata and keys are rewritten by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from registry import Case, Reading, add, create, edit, sizes_of
from values import counting, hard

CASES: list[Case] = []

Document = dict[str, Any]


def _moved(path: Path, key: Callable[[list[str]], str]) -> None:
    """Store each chunk under another key of its coordinates."""
    files = [file for file in (path / "c").rglob("*") if file.is_file()]
    found = [(file.relative_to(path / "c").parts, file.read_bytes()) for file in files]
    for file in files:
        file.unlink()
    for folder in sorted((path / "c").rglob("*"), reverse=True):
        folder.rmdir()
    (path / "c").rmdir()
    for coords, chunk in found:
        file = path / key(list(coords))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(chunk)


def _grid(grid: Document, *, keys: bool = True) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["chunk_grid"] = grid
        if not keys:
            del document["chunk_key_encoding"]

    return change


# ZEP 3's own example, of which it says that (17, 17) is at (2, 2) of chunk (3, 1); it is at (2, 7).
ZEP = [[5, 5, 5, 15, 15, 20, 35], 10]
ZEP_CHUNKS = [ZEP[0], [10] * 10]


@add(CASES, "older-zep3", 'ZEP 3\'s example: {"type": "rectangular"} with its own separator, keys c0/0.')
def zep3(path: Path) -> Reading:
    values = counting("uint16", (100, 100))
    sizes = sizes_of(create(path, values, chunks=ZEP_CHUNKS))
    _moved(path, lambda coords: "c" + "/".join(coords))
    edit(path, _grid({"type": "rectangular", "chunk_shape": ZEP, "separator": "/"}, keys=False))
    return values, sizes


@add(CASES, "older-zep3-dot", "The same with a dot between coordinates, and an extent that the list exceeds.")
def zep3_dot(path: Path) -> Reading:
    values = hard("float32", (7, 5), path.name)
    array = create(path, values, chunks=[[2, 1, 4], [3, 2]])
    sizes = sizes_of(array)
    _moved(path, lambda coords: "c" + ".".join(coords))
    edit(path, _grid({"type": "rectangular", "chunk_shape": [[2, 1, 4, 3], [3, 2]], "separator": "."}, keys=False))
    return values, sizes


@add(CASES, "older-draft-regular", 'The draft\'s regular grid, {"type": "regular"}, without a separator.')
def draft_regular(path: Path) -> Reading:
    values = hard("int16", (7, 5), path.name)
    sizes = sizes_of(create(path, values, chunks=(3, 2)))
    _moved(path, lambda coords: "c" + "/".join(coords))
    edit(path, _grid({"type": "regular", "chunk_shape": [3, 2]}, keys=False))
    return values, sizes


@add(CASES, "older-draft-keys", "The draft's grid beside today's chunk_key_encoding, which then says what keys are.")
def draft_keys(path: Path) -> Reading:
    values = hard("int32", (7, 5), path.name)
    sizes = sizes_of(create(path, values, chunks=[[3, 4], [1, 4]]))
    edit(path, _grid({"type": "rectangular", "chunk_shape": [[3, 4], [1, 4]], "separator": "."}))
    return values, sizes


@add(CASES, "older-name", 'The prototypes\' {"name": "rectangular"}, a list and a bare edge.')
def name(path: Path) -> Reading:
    values = hard("float64", (9, 9), path.name)
    sizes = sizes_of(create(path, values, chunks=[[4, 1, 4], [3, 3, 3]]))
    edit(path, _grid({"name": "rectangular", "configuration": {"chunk_shape": [[4, 1, 4], 3]}}))
    return values, sizes


def _as_v2(document: Document, chunks: list[Any]) -> Document:
    return {
        "zarr_format": 2,
        "shape": document["shape"],
        "chunks": chunks,
        "dtype": np.dtype(document["data_type"]).str,
        "compressor": None,
        "fill_value": document["fill_value"],
        "order": "C",
        "filters": None,
    }


@add(CASES, "older-v2", 'Nested lists in the "chunks" of a .zarray, as prototypes of zarr-python 2 and kerchunk wrote them.')
def v2(path: Path) -> Reading:
    values = hard("int32", (10, 12), path.name)
    array = create(path, values, chunks=[[1, 2, 2, 5], [5, 5, 2]])
    sizes = sizes_of(array)
    edge = 5
    # A chunk at the end of a bare edge is whole in v2 as elsewhere.
    whole = np.zeros((10, 15), values.dtype)
    whole[:, :12] = values
    at = np.cumsum([0, *sizes[0]])
    document = json.loads((path / "zarr.json").read_text())
    _moved(path, lambda coords: ".".join(coords))
    for i, size in enumerate(sizes[0]):
        block = whole[at[i] : at[i] + size, 10:15]
        (path / f"{i}.2").write_bytes(np.ascontiguousarray(block).tobytes())
    (path / "zarr.json").unlink()
    (path / ".zarray").write_text(json.dumps(_as_v2(document, [[1, 2, 2, 5], edge]), indent=2) + "\n")
    (path / ".zattrs").write_text("{}\n")
    return values, sizes
