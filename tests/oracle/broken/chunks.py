"""Chunks that are cut, too long, or whose checksum does not fit; metadata are good, reading fails."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numcodecs.zstd import Zstd
from zarr.codecs import Crc32cCodec, GzipCodec, TransposeCodec, ZstdCodec

from broken.base import CODEC, Broken
from broken.documents import HTML
from registry import create
from selections import result
from values import counting

CASES: list[Broken] = []

VALUES = counting("int32", (6, 8))
BAD_KEY, BAD_CHUNK = "c/1/0", VALUES[2:6, 0:3].tobytes()
CHAINS: dict[str, dict[str, Any]] = {
    "bytes": {},
    "gzip": {"compressors": [GzipCodec(level=5)]},
    "zstd": {"compressors": [ZstdCodec(level=3, checksum=True)]},
    "crc32c": {"compressors": [Crc32cCodec()]},
    "transpose": {"filters": [TransposeCodec(order=(1, 0))]},
}


def _chunk(chain: str, name: str, about: str, change: Callable[[bytes], bytes], *mentions: str, **fields: Any) -> None:
    """Add a case that replaces the encoded bytes of chunk (1, 0); the rest of the array stays good."""

    def write(path: Path) -> dict[str, Any]:
        create(path, VALUES, chunks=[[2, 4], [3, 5]], **CHAINS[chain])
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(VALUES, [None, {"slice": [3, None, None]}])

    codec = "bytes" if chain == "transpose" else chain
    fields = {"codec": codec, "keySuffix": BAD_KEY, "coords": [1, 0]} | fields
    CASES.append(Broken(f"chunk-{chain}-{name}", about, CODEC, write, (BAD_KEY, codec, *mentions), fields))


def _lengths(chain: str, got: int, name: str, about: str, change: Callable[[bytes], bytes]) -> None:
    _chunk(chain, name, about, change, str(got), "48", got=got, expected=48)


_lengths("bytes", 44, "truncated", "Cut by one item.", lambda data: data[:-4])
_lengths("bytes", 47, "truncated-byte", "Cut by one byte.", lambda data: data[:-1])
_lengths("bytes", 52, "oversized", "One item too long.", lambda data: data + b"\0\0\0\0")
_lengths("bytes", 0, "empty", "A chunk of no bytes, which is not a missing one.", lambda data: b"")
_lengths("bytes", len(HTML), "html", "A page in place of a chunk, with status 200.", lambda data: HTML)
_lengths("transpose", 40, "truncated", "Cut by two items under a transpose.", lambda data: data[:-8])


def flip(at: int) -> Callable[[bytes], bytes]:
    """Flip one bit of the byte at `at`."""

    def change(data: bytes) -> bytes:
        at_ = at % len(data)
        return data[:at_] + bytes([data[at_] ^ 0x10]) + data[at_ + 1 :]

    return change


def _gzip(data: bytes) -> Callable[[bytes], bytes]:
    return lambda _: gzip.compress(data, mtime=0)


_chunk("gzip", "truncated", "A gzip member cut in its middle.", lambda data: data[: len(data) // 2])
_chunk("gzip", "no-trailer", "A gzip member without its checksum and length.", lambda data: data[:-8])
_chunk("gzip", "empty", "No bytes at all under gzip.", lambda data: b"")
_chunk("gzip", "garbage", "Bytes that are no gzip member.", lambda data: bytes(range(200, 240)))
_chunk("gzip", "html", "A page in place of a gzip member.", lambda data: HTML)
_chunk("gzip", "checksum", "A gzip member with a wrong CRC-32.", flip(-8))
_chunk("gzip", "short", "A gzip member that decodes to one item too few.", _gzip(BAD_CHUNK[:-4]))
_chunk("gzip", "oversized", "A gzip member that decodes to one item too many.", _gzip(BAD_CHUNK + b"\0\0\0\0"))
_chunk("gzip", "bomb", "A gzip member that decodes to 32 MB.", _gzip(bytes(1 << 25)))


def _zstd(data: bytes) -> Callable[[bytes], bytes]:
    return lambda _: bytes(Zstd(level=3, checksum=True).encode(data))


_chunk("zstd", "truncated", "A zstd frame cut in its middle.", lambda data: data[: len(data) // 2])
_chunk("zstd", "no-checksum", "A zstd frame cut before its checksum.", lambda data: data[:-4])
_chunk("zstd", "empty", "No bytes at all under zstd.", lambda data: b"")
_chunk("zstd", "garbage", "Bytes that are no zstd frame.", lambda data: bytes(range(200, 240)))
_chunk("zstd", "checksum", "A zstd frame with a wrong checksum.", flip(-1))
_chunk("zstd", "short", "A zstd frame that decodes to one item too few.", _zstd(BAD_CHUNK[:-4]))
_chunk("zstd", "oversized", "A zstd frame that decodes to one item too many.", _zstd(BAD_CHUNK + b"\0\0\0\0"))
_chunk("zstd", "bomb", "A zstd frame that decodes to 32 MB.", _zstd(bytes(1 << 25)))
# A frame header with an 8-byte content size of 2^40 - 1, then one raw block of three bytes.
_chunk(
    "zstd",
    "claim",
    "A zstd frame that claims a terabyte.",
    lambda data: bytes.fromhex("28b52ffd e0 ffffffffff000000 190000 616263"),
)

_chunk("crc32c", "data", "A flipped bit in the data.", flip(5))
_chunk("crc32c", "checksum", "A flipped bit in the checksum.", flip(-1))
_chunk("crc32c", "truncated", "Cut by one item: the last four bytes are no checksum.", lambda data: data[:-4])
_chunk("crc32c", "three-bytes", "Fewer bytes than a checksum.", lambda data: data[:3])
_chunk("crc32c", "empty", "No bytes at all under crc32c.", lambda data: b"")
