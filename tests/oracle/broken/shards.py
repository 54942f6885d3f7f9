"""Shards whose index or metadata cannot be right; the rest of the array stays good."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zarr.codecs import BytesCodec, GzipCodec, ShardingCodec, ZstdCodec

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken, Document, metadata
from broken.chunks import BAD_KEY, VALUES, flip
from registry import create
from selections import result
from shard_files import EMPTY, Index, indexed

CASES: list[Broken] = []

NAME = "sharding_indexed"
LITTLE, BARE = BytesCodec(endian="little"), [BytesCodec(endian="little")]
INNER = (2, 1)
# Inner chunks of the shard (1, 0), of shape (4, 3), and bytes of its index without a checksum.
CHUNKS = 6
INDEX = 16 * CHUNKS

Change = Callable[[bytes], bytes]


def _shard(
    name: str,
    about: str,
    change: Change,
    *mentions: str,
    codec: str = NAME,
    coords: list[int] | None = None,
    over_http: str | None = None,
    codecs: list[Any] | None = None,
    **options: Any,
) -> None:
    """Add a case that changes shard (1, 0)."""

    def write(path: Path) -> dict[str, Any]:
        serializer = ShardingCodec(chunk_shape=INNER, codecs=codecs or [LITTLE], **options)
        create(path, VALUES, chunks=[[2, 4], [3, 5]], serializer=serializer)
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(VALUES, [None, {"slice": [3, None, None]}])

    fields = {"codec": codec, "keySuffix": BAD_KEY, "coords": coords or [1, 0]}
    case = Broken(f"shard-{name}", about, CODEC, write, (BAD_KEY, codec, *mentions), fields, over_http)
    CASES.append(case)


def _entry(at: int, change: Callable[[int, int, int], tuple[int, int]]) -> Change:
    """Change one entry of the index: from its offset and length, and the shard's length."""

    def changed(index: Index, length: int) -> Index:
        offset, size = index[at]
        return [*index[:at], change(offset, size, length), *index[at + 1 :]]

    return indexed(CHUNKS, changed)


# Over HTTP the shard's length is not known: the host says that it has no such bytes.
STORE = "StoreError"
_shard(
    "offset-past-end",
    "An inner chunk past the end of its shard.",
    _entry(0, lambda offset, size, length: (length + 100, size)),
    over_http=STORE,
    codec="bytes",
    coords=[1, 0, 0, 0],
)
_shard(
    "length-past-end",
    "An inner chunk that goes on past the end of its shard.",
    _entry(5, lambda offset, size, length: (offset, length + 1)),
    over_http=STORE,
    codec="bytes",
    coords=[1, 0, 1, 2],
)
_shard(
    "overflow",
    "An offset and a length whose sum is beyond 64 bits.",
    _entry(4, lambda offset, size, length: (EMPTY - 3, 8)),
    "[1, 1]",
)
_shard(
    "half-missing",
    "An offset that says that nothing is stored, with a length that says otherwise.",
    _entry(1, lambda offset, size, length: (EMPTY, size)),
    "[0, 1]",
)
_shard(
    "short-inner",
    "An index entry one item too short.",
    _entry(5, lambda offset, size, length: (offset, size - 4)),
    codec="bytes",
    coords=[1, 0, 1, 2],
)
_shard(
    "long-inner",
    "An index entry one item too long.",
    _entry(5, lambda offset, size, length: (offset, size + 4)),
    codec="bytes",
    coords=[1, 0, 1, 2],
)
_shard(
    "same-start",
    "Two inner chunks that begin at one place and end at two; those that share all of their bytes are read.",
    indexed(CHUNKS, lambda index, length: [(index[3][0], index[3][1] - 4), *index[1:]]),
    "[0, 0]",
    "[1, 0]",
    "overlap",
)
_shard(
    "overlapping",
    "An inner chunk that begins in another one.",
    _entry(4, lambda offset, size, length: (offset - 4, size)),
    "[1, 1]",
    "overlap",
)
_shard(
    "in-the-index",
    "An inner chunk that begins in the index.",
    indexed(CHUNKS, lambda index, length: [(0, index[0][1]), *index[1:]], at_start=True),
    "[0, 0]",
    "index",
    index_location="start",
)
_shard(
    "no-bytes",
    "An inner chunk of no bytes, which is not a missing one.",
    _entry(3, lambda offset, size, length: (offset, 0)),
    codec="bytes",
    coords=[1, 0, 1, 0],
)
_shard("index-checksum", "A flipped bit in the index' checksum.", flip(-1), codec="crc32c")
_shard("index-data", "A flipped bit in the index.", flip(-30), codec="crc32c")
_shard("index-data-start", "A flipped bit in an index at the start.", flip(3), codec="crc32c", index_location="start")
_shard("truncated", "Cut by one byte.", lambda data: data[:-1], codec="crc32c")
_shard("shorter-than-index", "Fewer bytes than its index.", lambda data: data[-50:], codec="crc32c", over_http=STORE)
_shard("empty", "A shard of no bytes, which is not a missing one.", lambda data: b"", codec="crc32c", over_http=STORE)
_shard(
    "shorter-than-bare-index",
    "Fewer bytes than its index, which has no checksum.",
    lambda data: data[: INDEX - 8],
    str(INDEX - 8),
    str(INDEX),
    codec="bytes",
    over_http=STORE,
    index_codecs=BARE,
)
_shard(
    "truncated-start",
    "An index at the start, and the last inner chunk cut off.",
    lambda data: data[:-8],
    codec="bytes",
    coords=[1, 0, 1, 2],
    over_http=STORE,
    index_location="start",
)
_shard(
    "inner-checksum",
    "A flipped bit in a compressed inner chunk.",
    lambda data: flip(struct.unpack("<Q", data[-INDEX - 4 : -INDEX + 4])[0] + 16)(data),
    codec="gzip",
    coords=[1, 0, 0, 0],
    codecs=[LITTLE, GzipCodec(level=0)],
)


def _metadata(
    name: str, about: str, change: Callable[[Document], None], *mentions: str, error: str = INVALID, at: str = ""
) -> None:
    """Add a case of the good array, sharded by (2, 1), after `change` of the codec's configuration."""

    def sharded(document: Document) -> None:
        settings = {
            "chunk_shape": [2, 1],
            "codecs": [LITTLE.to_dict()],
            "index_codecs": [LITTLE.to_dict(), {"name": "crc32c"}],
            "index_location": "end",
        }
        change(settings)
        document["codecs"] = [{"name": NAME, "configuration": settings}]

    prefix = f"/codecs/0/configuration{at}" if error == INVALID else None
    metadata(CASES, f"shard-{name}", about, error, sharded, *mentions, prefix=prefix)


def _to(key: str, value: Any) -> Callable[[Document], None]:
    return lambda settings: settings.update({key: value})


_metadata(
    "inner-no-divisor",
    "Inner chunks of 3 in shards of 4 and 6.",
    _to("chunk_shape", [3, 1]),
    "axis 0",
    "4",
    "3",
    at="/chunk_shape",
)
_metadata("inner-larger", "Inner chunks larger than the shards.", _to("chunk_shape", [2, 35]), "axis 1", at="/chunk_shape")
_metadata("inner-rank", "Inner chunks of one axis.", _to("chunk_shape", [2]), at="/chunk_shape")
_metadata("inner-zero", "Inner chunks of nothing.", _to("chunk_shape", [2, 0]), at="/chunk_shape/1")
_metadata(
    "inner-rectilinear", "Inner chunks of unequal edges.", _to("chunk_shape", [[2, 2], [1]]), at="/chunk_shape/0"
)
_metadata(
    "index-zstd",
    "An index whose length depends on what it says.",
    _to("index_codecs", [LITTLE.to_dict(), ZstdCodec().to_dict()]),
    at="/index_codecs",
)
_metadata("index-location", "An index in the middle.", _to("index_location", "middle"), at="/index_location")
_metadata(
    "index-unknown", "An unknown index codec.", _to("index_codecs", [LITTLE.to_dict(), "x-crc9"]), "x-crc9", error=UNSUPPORTED
)
_metadata("inner-unknown", "An unknown inner codec.", _to("codecs", ["x-packed"]), "x-packed", error=UNSUPPORTED)
_metadata("inner-none", "No inner codecs.", _to("codecs", []), at="/codecs")
_metadata("unknown-field", "A field that the codec does not have.", _to("subchunks", 4), "subchunks", error=UNSUPPORTED)
for _key in ("chunk_shape", "codecs", "index_codecs"):
    _metadata(f"no-{_key.replace('_', '-')}", f"No {_key}.", lambda s, k=_key: s.pop(k), _key, at=f"/{_key}")
