"""Compressed streams of other shapes than zarr-python writes: levels, several members, skippable frames."""

import gzip
from pathlib import Path

import numpy as np
from numcodecs.zstd import Zstd
from zarr.codecs import GzipCodec, ZstdCodec

from registry import Case, Reading, add, create
from values import rng, smooth

CASES: list[Case] = []
SHAPE, CHUNKS = (48, 64), [[16, 32], [64]]


def _mixed(name: str) -> np.ndarray:
    """Rows of a smooth field, of noise and of one value: literals, matches and runs in one stream."""
    values = smooth("int16", SHAPE, name)
    values[4:12] = rng(name).integers(-32768, 32767, (8, SHAPE[1]), dtype="int16")
    values[20:40] = 7
    return values


def _level(codec: str, level: int) -> None:
    @add(CASES, f"{codec}-level-{level}", f"Literals, matches and runs in {codec} at level {level}.")
    def write(path: Path) -> None:
        make = {"gzip": GzipCodec, "zstd": ZstdCodec}[codec]
        create(path, _mixed("streams"), chunks=CHUNKS, compressors=[make(level=level)])


for level in (0, 1, 9):
    _level("gzip", level)
for level in (-5, 1, 19):
    _level("zstd", level)


def _in_parts(path: Path, codec: str, join) -> None:
    """Store each chunk as the join of two compressed halves."""
    values = _mixed("streams")
    create(path, values, chunks=CHUNKS, compressors=[{"gzip": GzipCodec, "zstd": ZstdCodec}[codec]()])
    for number, rows in enumerate((values[:16], values[16:])):
        data = rows.tobytes()
        (path / "c" / str(number) / "0").write_bytes(join(data[: len(data) // 2], data[len(data) // 2 :]))


@add(CASES, "gzip-members", "gzip chunks of two members each: readers must loop until the end.")
def gzip_members(path: Path) -> None:
    _in_parts(path, "gzip", lambda a, b: gzip.compress(a, mtime=0) + gzip.compress(b, mtime=0))


@add(CASES, "zstd-frames", "zstd chunks of two frames with a skippable frame between them.")
def zstd_frames(path: Path) -> Reading:
    skippable = bytes.fromhex("502a4d18") + (5).to_bytes(4, "little") + b"hello"
    encode = Zstd(level=3, checksum=True).encode
    _in_parts(path, "zstd", lambda a, b: bytes(encode(a)) + skippable + bytes(encode(b)))
    return _mixed("streams"), CHUNKS


def _without_content_size(frame: bytes) -> bytes:
    """Rewrite a zstd frame header so that it declares a window instead of its content size."""
    descriptor = frame[4]
    assert descriptor & 0x23 == 0x20, "one segment, no dictionary"
    size_bytes = {0: 1, 1: 2, 2: 4, 3: 8}[descriptor >> 6]
    window = bytes([(13 - 10) << 3])  # 2^13 bytes: no smaller than any chunk here
    return frame[:4] + bytes([descriptor & 0x04]) + window + frame[5 + size_bytes :]


@add(CASES, "zstd-no-size", "zstd chunks whose frames declare no content size, as streaming writers make them.")
def zstd_no_size(path: Path) -> Reading:
    values = _mixed("streams")
    create(path, values, chunks=CHUNKS, compressors=[ZstdCodec(level=3, checksum=True)])
    for chunk in (path / "c").glob("*/0"):
        chunk.write_bytes(_without_content_size(chunk.read_bytes()))
    return values, CHUNKS
