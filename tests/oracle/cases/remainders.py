"""Shards whose edges the inner chunks do not divide: proposed for `sharding_indexed`, and no writer has it yet.

zarr-python writes each inner chunk as an array of its own; the shards are put together by hand. The last inner chunk
along an axis ends with its shard, as zarr-specs pull request 370 and zarr-python pull request 4198 of 2026 have it.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import BytesCodec, TransposeCodec, ZstdCodec

from registry import Case, Reading, add, create, edit
from shard_files import EMPTY, encoded_index
from values import hard

CASES: list[Case] = []

INDEX_CODECS = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]


def _spans(length: int, edge: int) -> list[slice]:
    return [slice(start, min(start + edge, length)) for start in range(0, length, edge)]


def _encoded(values: np.ndarray, options: dict[str, Any]) -> bytes:
    """An inner chunk, as the one chunk of an array."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "inner"
        create(path, values, chunks=values.shape, fill_value=None, config={"write_empty_chunks": True}, **options)
        return path.joinpath("c", *["0"] * values.ndim).read_bytes()


def _shard(values: np.ndarray, levels: list[tuple[int, ...]], fill: Any, options: dict[str, Any], at_start: bool) -> bytes:
    """The bytes of a shard, whose inner chunks are shards where there are further levels."""
    inner, *further = levels
    body, index = b"", []
    spans = [_spans(length, edge) for length, edge in zip(values.shape, inner, strict=True)]
    before = 16 * int(np.prod([len(axis) for axis in spans])) + 4 if at_start else 0
    for box in itertools.product(*spans):
        part = values[box]
        if (part == fill).all():
            index.append((EMPTY, EMPTY))
            continue
        data = _shard(part, further, fill, options, at_start) if further else _encoded(np.ascontiguousarray(part), options)
        index.append((before + len(body), len(data)))
        body += data
    return encoded_index(index) + body if at_start else body + encoded_index(index)


def _array(
    name: str,
    about: str,
    dtype: str,
    edges: list[list[int]],
    *levels: tuple[int, ...],
    shape: tuple[int, ...] | None = None,
    spelled: Any = None,
    empty: tuple[slice, ...] | None = None,
    at_start: bool = False,
    **options: Any,
) -> None:
    """Register an array of shards of these edges; `spelled` is a regular grid's chunk shape."""

    @add(CASES, f"remainder-{name}", about, proposals=("sharding_remainder",))
    def write(path: Path) -> Reading:
        extents = shape or tuple(map(sum, edges))
        whole = hard(dtype, tuple(map(sum, edges)), path.name)
        if empty:
            whole[empty] = 7
        part = tuple(slice(extent) for extent in extents)
        codecs = {"compressors": None, **options}
        array = create(path, whole[part], chunks=spelled or edges, fill_value=7, **codecs)
        inner = [codec.to_dict() for codec in array.metadata.codecs]
        for level in reversed(levels):
            settings = {
                "chunk_shape": list(level),
                "codecs": inner,
                "index_codecs": INDEX_CODECS,
                "index_location": "start" if at_start else "end",
            }
            inner = [{"name": "sharding_indexed", "configuration": settings}]
        edit(path, lambda document: document.update(codecs=inner))
        starts = [np.cumsum([0, *axis]) for axis in edges]
        for file in path.glob("c/**/*"):
            if not file.is_file():
                continue
            at = map(int, file.relative_to(path / "c").parts)
            box = tuple(slice(start[nth], start[nth + 1]) for start, nth in zip(starts, at, strict=True))
            file.write_bytes(_shard(whole[box], list(levels), 7, codecs, at_start))
        ends = [[min(stop, extent) - start for start, stop in itertools.pairwise(axis) if start < extent] for axis, extent in zip(starts, extents, strict=True)]
        return whole[part], [list(map(int, axis)) for axis in ends]


_array("regular", "Shards of 10 in chunks of 8 and 2; the array ends within one.", "int32", [[10] * 3], (8,), shape=(23,), spelled=(10,))
_array("rectilinear", "Shards of 31, 29 and 40 in chunks of 10.", "uint16", [[31, 29, 40]], (10,))
_array("plane", "Two axes, of which one is divided, zstd.", "float32", [[5, 3, 7], [4, 8]], (3, 4), compressors=[ZstdCodec(level=3)])
_array("large", "Inner chunks that are larger than some shards.", "int16", [[2, 9], [3, 5]], (4, 4), at_start=True)
_array("holes", "Inner chunks that are not stored, among them smaller ones.", "int64", [[7, 7], [5]], (3, 2), empty=(slice(3, 7), slice(2, 5)))
_array("nested", "Shards of 10 in shards of 8 and 2, in chunks of 4 and 2.", "uint8", [[10, 6], [5]], (8, 5), (4, 2))
_array("turned", "Inner chunks that are transposed and big endian.", "uint32", [[5, 4], [7]], (3, 2), filters=[TransposeCodec(order=(1, 0))], serializer=BytesCodec(endian="big"))
