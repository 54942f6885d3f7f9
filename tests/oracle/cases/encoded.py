"""Chunks that decode to more than they give to the array: `encoded_chunk_shapes`, proposed for rectilinear grids.

zarr-python does not read it. It writes an array of the encoded chunks, of which each gives its first part; the
metadata are then rewritten to say so. The text: zarr-extensions pull request 75, of 2026-09.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import BytesCodec, TransposeCodec, ZstdCodec

from registry import Case, Reading, add, create, edit
from values import hard

CASES: list[Case] = []


def _parts(edges: list[int], encoded: list[int], extent: int) -> tuple[list[int], list[int]]:
    """The coordinates of the encoded array that the other one has, in order, and its clipped chunk sizes."""
    taken, sizes, at = [], [], 0
    for edge, length in zip(edges, encoded, strict=True):
        size = min(edge, extent - len(taken))
        taken += range(at, at + size)
        sizes += [size] if size > 0 else []
        at += length
    return taken, sizes


def _array(
    name: str,
    about: str,
    dtype: str,
    edges: list[list[int]],
    encoded: list[list[int]],
    spelled: list[Any],
    spelled_encoded: list[Any] | None,
    *,
    shape: tuple[int, ...] | None = None,
    missing: str | None = None,
    **options: Any,
) -> None:
    """Register an array of these edges, which decode to `encoded`; `spelled` is how the metadata put both."""

    @add(CASES, f"encoded-{name}", about, proposals=("encoded_chunk_shapes",))
    def write(path: Path) -> Reading:
        extents = shape or tuple(map(sum, edges))
        whole = hard(dtype, tuple(map(sum, encoded)), path.name)
        create(path, whole, **{"chunks": encoded, "fill_value": 7, **options})
        parts = [_parts(*axis) for axis in zip(edges, encoded, extents, strict=True)]
        if missing:
            (path / missing).unlink()
            box = tuple(
                slice(sum(axis[:at]), sum(axis[: at + 1]))
                for axis, at in zip(encoded, map(int, missing.split("/")[1:]), strict=True)
            )
            whole[box] = 7

        def change(document: dict[str, Any]) -> None:
            configuration = {"kind": "inline", "chunk_shapes": spelled}
            if spelled_encoded is not None:
                configuration["encoded_chunk_shapes"] = spelled_encoded
            document.update(shape=list(extents), chunk_grid={"name": "rectilinear", "configuration": configuration})

        edit(path, change)
        return np.ascontiguousarray(whole[np.ix_(*[taken for taken, _ in parts])]), [sizes for _, sizes in parts]


_array(
    "joined",
    "Two arrays of 11 in chunks of 4, end to end: the proposal's example on a smaller scale.",
    "int32",
    [[4, 4, 3, 4, 4, 3]],
    [[4] * 6],
    [[[4, 2], 3, [4, 2], 3]],
    [4],
)
_array(
    "plane",
    "Two axes, a list and a bare length, transposed, zstd, one chunk missing.",
    "float32",
    [[3, 2, 3, 2], [5, 4]],
    [[4] * 4, [5, 6]],
    [[3, 2, 3, 2], [5, 4]],
    [4, [5, 6]],
    missing="c/1/0",
    filters=[TransposeCodec(order=(1, 0))],
    serializer=BytesCodec(endian="big"),
    compressors=[ZstdCodec(level=1)],
)
_array(
    "runs",
    "Runs that are split otherwise than those of the edges.",
    "uint16",
    [[2] * 5 + [3] * 3],
    [[2, 2, 3, 3, 3, 3, 4, 4]],
    [[[2, 5], [3, 3]]],
    [[[2, 2], [3, 4], 4, [4, 1]]],
)
_array(
    "clipped",
    "The array ends within a chunk's part; a whole chunk lies past it.",
    "int16",
    [[4, 2, 4, 4], [3, 3]],
    [[5] * 4, [3, 9]],
    [[4, 2, [4, 2]], 3],
    [5, [3, 9]],
    shape=(9, 5),
)
_array("bare", "Bare edges and bare lengths.", "int8", [[3, 3, 3], [2, 2]], [[5] * 3, [2, 2]], [3, 2], [5, 2], shape=(8, 4))
_array("equal", "Lengths that are the edges.", "int64", [[3, 4]], [[3, 4]], [[3, 4]], [[3, 4]])
_array("absent", "None given, though asked for.", "int32", [[3, 4]], [[3, 4]], [[3, 4]], None)
_array("empty", "An axis of length 0.", "int32", [[3, 4], [2, 2]], [[5, 4], [2, 2]], [[3, 4], 2], [[5, 4], 2], shape=(0, 4))
_array("empty-bare", "An axis of length 0 with bare numbers.", "int32", [[3], [2, 2]], [[5], [2, 2]], [3, 2], [5, 2], shape=(0, 4))
_array(
    "shards",
    "Shards that end within an inner chunk, and between two.",
    "int32",
    [[5, 6, 2, 6], [4, 3]],
    [[6] * 4, [4, 4]],
    [[5, 6, 2, 6], [4, 3]],
    [6, 4],
    shards=[[6] * 4, [4, 4]],
    chunks=(2, 2),
)
_array(
    "shards-clipped",
    "Shards of which each gives a whole number of inner chunks; the array ends within one.",
    "int32",
    [[4, 4, 4], [4, 4]],
    [[6] * 3, [4, 4]],
    [[[4, 3]], 4],
    [6, 4],
    shape=(11, 7),
    shards=[[6] * 3, [4, 4]],
    chunks=(2, 2),
)
