"""Shards: chunks that are grids of inner chunks, with an index of where each one lies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec

from registry import Case, Reading, add, create, edit, resize
from shard_files import deduplicated, laid_out, parts_of
from values import counting, hard, smooth

CASES: list[Case] = []

LITTLE, BIG, CRC = BytesCodec(endian="little"), BytesCodec(endian="big"), Crc32cCodec()
SHAPE, SHARDS, INNER = (10, 12), (4, 6), (2, 3)
UNEQUAL = [[2, 6, 2], [3, 9]]

# name: arguments of ShardingCodec.
INDEXES: dict[str, dict[str, Any]] = {
    "start": {"index_location": "start"},
    "bare": {"index_codecs": [LITTLE]},
    "bare-start": {"index_codecs": [LITTLE], "index_location": "start"},
    "big": {"index_codecs": [BIG]},
    "big-crc32c-start": {"index_codecs": [BIG, CRC], "index_location": "start"},
    "checked-twice": {"index_codecs": [LITTLE, CRC, CRC]},
    "transposed": {"index_codecs": [TransposeCodec(order=(2, 0, 1)), LITTLE, CRC]},
}
INNER_CODECS: dict[str, list[Any]] = {
    "zstd": [LITTLE, ZstdCodec(level=3)],
    "gzip": [LITTLE, GzipCodec(level=5)],
    "blosc": [LITTLE, BloscCodec(cname="lz4", clevel=5, shuffle="shuffle", typesize=4)],
    "crc32c": [LITTLE, CRC],
    "transpose-big": [TransposeCodec(order=(1, 0)), BIG],
    "transpose-big-zstd-crc32c": [TransposeCodec(order=(1, 0)), BIG, ZstdCodec(level=3, checksum=True), CRC],
}


def sharding(inner: tuple[int, ...] = INNER, codecs: list[Any] | None = None, **options: Any) -> ShardingCodec:
    return ShardingCodec(chunk_shape=inner, codecs=codecs or [LITTLE], **options)


def _index(name: str) -> None:
    @add(CASES, f"sharded-index-{name}", f"A {name} index.")
    def write(path: Path) -> None:
        values = smooth("int16", SHAPE, path.name)
        create(path, values, chunks=SHARDS, serializer=sharding(**INDEXES[name]))


def _codecs(name: str) -> None:
    @add(CASES, f"sharded-{name}", f"Unequal shards, with {name} within.")
    def write(path: Path) -> None:
        values = smooth("float32", SHAPE, path.name)
        create(path, values, chunks=UNEQUAL, serializer=sharding(codecs=INNER_CODECS[name]))


for _name in INDEXES:
    _index(_name)
for _name in INNER_CODECS:
    _codecs(_name)


@add(CASES, "sharded-regular", "Equal shards, the last ones past the extent.")
def _(path: Path) -> None:
    create(path, hard("float64", SHAPE, path.name), chunks=INNER, shards=SHARDS)


@add(CASES, "sharded-rectilinear", "Shards of unequal edges.")
def _(path: Path) -> None:
    create(path, hard("uint16", SHAPE, path.name), chunks=INNER, shards=UNEQUAL)


@add(CASES, "sharded-mixed", "Unequal edges along one axis, one edge along the other.")
def _(path: Path) -> None:
    create(path, counting("int32", SHAPE), chunks=INNER, shards=[[4, 6], 9])


@add(CASES, "sharded-odd-extent", "An extent that ends in the middle of an inner chunk, and inner chunks past it.")
def _(path: Path) -> None:
    create(path, counting("uint8", (9, 7)), chunks=(2, 3), shards=(6, 6))


@add(CASES, "sharded-1d", "One axis.")
def _(path: Path) -> None:
    create(path, counting("int64", (23,)), chunks=(3,), shards=(9,))


@add(CASES, "sharded-1d-rectilinear", "One axis, shards of 3, 12 and 9.")
def _(path: Path) -> None:
    create(path, counting("int64", (24,)), chunks=(3,), shards=[[3, 12, 9]])


@add(CASES, "sharded-3d", "Three axes, all unequal.")
def _(path: Path) -> None:
    edges = [[4, 2], [1, 3, 1], [2, 6]]
    create(path, smooth("float32", (6, 5, 8), path.name), chunks=(2, 1, 2), shards=edges)


@add(CASES, "sharded-0d", "No axis: a shard of one inner chunk.")
def _(path: Path) -> None:
    create(path, np.array(42, "int32"), chunks=(), shards=())


@add(CASES, "sharded-one-inner", "Inner chunks as large as their shards.")
def _(path: Path) -> None:
    create(path, counting("int32", SHAPE), chunks=SHARDS, shards=SHARDS)


def _with_holes(fill: float) -> np.ndarray:
    """Nothing but the fill value in the first shard, and in some inner chunks of the others."""
    values = counting("float32", SHAPE)
    values[:4, :6] = values[4:6, 6:9] = values[6:8, 3:6] = values[8:, 6:] = fill
    return values


@add(CASES, "sharded-holes", "A shard and some inner chunks that are not stored.")
def _(path: Path) -> None:
    create(path, _with_holes(7), chunks=INNER, shards=SHARDS, fill_value=7)
    assert not (path / "c/0/0").exists() and (path / "c/1/1").exists()


@add(CASES, "sharded-holes-nan", "Inner chunks that are not stored, in unequal shards, for NaN.")
def _(path: Path) -> None:
    create(path, _with_holes(np.nan), chunks=INNER, shards=[[4, 6], [6, 6]], fill_value=np.nan)


@add(CASES, "sharded-holes-whole", "Inner chunks that are not stored, in shards that are compressed whole.")
def _(path: Path) -> None:
    create(path, _with_holes(7), chunks=SHARDS, serializer=sharding(), compressors=[CRC], fill_value=7)


@add(CASES, "sharded-empty", "Nothing is stored.")
def _(path: Path) -> None:
    create(path, np.full(SHAPE, -3, "int8"), chunks=INNER, shards=UNEQUAL, fill_value=-3)


@add(CASES, "sharded-nested", "Shards in shards, with holes of both sizes.")
def _(path: Path) -> None:
    values = counting("int32", (14, 12))
    values[0:4, 0:3] = values[4:6, 3:6] = values[8:, 6:] = 0
    within = sharding((2, 3), INNER_CODECS["zstd"], index_location="start")
    create(path, values, chunks=(8, 6), serializer=sharding((4, 3), [within]), fill_value=0)


@add(CASES, "sharded-nested-rectilinear", "Unequal shards of shards of shards.")
def _(path: Path) -> None:
    inmost = sharding((1, 3), [TransposeCodec(order=(1, 0)), BIG])
    within = sharding((2, 3), [inmost], index_codecs=[BIG])
    values = counting("uint16", (16, 12))
    create(path, values, chunks=[[4, 12], [3, 9]], serializer=sharding((4, 3), [within]))


@add(CASES, "sharded-nested-whole", "Shards in shards that are compressed as one.")
def _(path: Path) -> None:
    within = sharding((4, 3), [sharding((2, 3)), ZstdCodec(level=3)])
    create(path, counting("int32", (16, 12)), chunks=[[8, 8], [3, 9]], serializer=within)


@add(CASES, "sharded-compressed", "gzip after the shards are made.")
def _(path: Path) -> None:
    create(
        path, smooth("int16", SHAPE, path.name), chunks=UNEQUAL, serializer=sharding(), compressors=[GzipCodec(level=5)]
    )


@add(CASES, "sharded-transposed", "A transpose before the shards are made.")
def _(path: Path) -> None:
    before = [TransposeCodec(order=(1, 0))]
    create(path, counting("int32", (16, 12)), chunks=(8, 4), filters=before, serializer=sharding((2, 4)))


@add(CASES, "sharded-transposed-other-way", "Inner chunks that fit the shard only once it is transposed.")
def _(path: Path) -> Reading:
    values = counting("int32", (8, 12))
    create(path, values.T, chunks=(6, 8), serializer=sharding((3, 4)))
    (path / "c/1").rename(path / "c/moved")
    (path / "c/moved/0").rename(path / "c/0/1")
    (path / "c/moved").rmdir()

    def turn(document: dict[str, Any]) -> None:
        document["shape"] = [8, 12]
        document["chunk_grid"]["configuration"]["chunk_shape"] = [8, 6]
        document["codecs"].insert(0, {"name": "transpose", "configuration": {"order": [1, 0]}})

    edit(path, turn)
    return values, [[8], [6, 6]]


@add(CASES, "sharded-gaps", "Inner chunks in reverse, with bytes between them that are nobody's.")
def _(path: Path) -> None:
    create(path, counting("int32", (8, 12)), chunks=INNER, shards=SHARDS)
    for key in ("c/0/0", "c/1/1"):
        shard = path / key
        shard.write_bytes(laid_out(parts_of(shard.read_bytes(), 4), gap=b"\xff" * 11))


def _repeating() -> np.ndarray:
    """Inner chunks of which two are like two others in most shards; one is not stored."""
    values = np.tile(counting("int32", (2, 6)), (4, 2))
    values[4:6, 3:6], values[6:8, 0:3] = 7, 99
    return values


for _name, _codec in {"plain": [LITTLE], "zstd": INNER_CODECS["zstd"]}.items():

    @add(CASES, f"sharded-deduplicated-{_name}", f"Inner chunks that share their bytes with others, {_name}.")
    def _(path: Path, codecs: list[Any] = _codec) -> None:
        create(path, _repeating(), chunks=SHARDS, serializer=sharding(codecs=codecs), fill_value=7)
        for shard in path.glob("c/*/*"):
            shard.write_bytes(deduplicated(parts_of(shard.read_bytes(), 4)))


@add(CASES, "sharded-deduplicated-start", "Inner chunks that share their bytes with others, behind the index.")
def _(path: Path) -> None:
    create(path, _repeating(), chunks=SHARDS, serializer=sharding(), fill_value=7)
    for shard in path.glob("c/*/*"):
        shard.write_bytes(deduplicated(parts_of(shard.read_bytes(), 4), at_start=True))

    def change(document: dict[str, Any]) -> None:
        document["codecs"][0]["configuration"]["index_location"] = "start"

    edit(path, change)


@add(CASES, "sharded-deduplicated-nested", "Shards that share their bytes with others within one.")
def _(path: Path) -> None:
    values = np.tile(counting("uint16", (2, 6)), (8, 1))
    create(path, values, chunks=(16, 6), serializer=sharding((4, 6), [sharding((2, 3))]))
    shard = path / "c/0/0"
    shard.write_bytes(deduplicated(parts_of(shard.read_bytes(), 4)))


@add(CASES, "sharded-bare-names", "Codecs by their bare names, and no index_location.")
def _(path: Path) -> Reading:
    values = counting("uint8", (8, 12))
    create(path, values, chunks=INNER, shards=SHARDS)

    def shorten(document: dict[str, Any]) -> None:
        settings = document["codecs"][0]["configuration"]
        settings["codecs"] = ["bytes"]
        settings["index_codecs"][1] = "crc32c"
        del settings["index_location"]

    edit(path, shorten)
    return values, [[4, 4], [6, 6]]


@add(CASES, "sharded-grown", "Grown: shards that were cut by the extent, and an appended one.")
def _(path: Path) -> None:
    create(path, counting("int32", SHAPE), chunks=INNER, shards=UNEQUAL, fill_value=0)
    array = resize(path, (14, 12))
    array[10:] = counting("int32", (4, 12)) + 500


@add(CASES, "sharded-shrunk", "Shrunk into a shard: inner chunks past the extent are still there.")
def _(path: Path) -> None:
    create(path, counting("int32", SHAPE), chunks=INNER, shards=UNEQUAL)
    resize(path, (5, 7), keep_chunks=True)
