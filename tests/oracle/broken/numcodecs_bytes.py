"""Chunks under the compressors, checksums and the shuffle of numcodecs that are cut, too long or wrong."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zarr.codecs import numcodecs

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken, metadata, setting
from broken.chunks import BAD_CHUNK, BAD_KEY, VALUES, flip
from registry import create
from selections import result

CASES: list[Broken] = []

Change = Callable[[bytes], bytes]


def chunk(
    cases: list[Broken], codec: Any, name: str, about: str, change: Change, *mentions: str, **fields: Any
) -> None:
    """Add a case that replaces the encoded bytes of chunk (1, 0); the rest of the array stays good."""

    def write(path: Path) -> dict[str, Any]:
        create(path, VALUES, chunks=[[2, 4], [3, 5]], compressors=[codec])
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(VALUES, [None, {"slice": [3, None, None]}])

    fields = {"codec": codec.codec_name, "keySuffix": BAD_KEY, "coords": [1, 0]} | fields
    short = codec.codec_name.removeprefix("numcodecs.")
    cases.append(
        Broken(f"chunk-numcodecs-{short}-{name}", about, CODEC, write, (BAD_KEY, codec.codec_name, *mentions), fields)
    )


def encoded(codec: Any, data: bytes) -> Change:
    return lambda _: bytes(codec._codec.encode(data))


for _codec in (numcodecs.Zlib(level=4), numcodecs.BZ2(level=1), numcodecs.LZ4()):
    chunk(CASES, _codec, "truncated", "Cut in its middle.", lambda data: data[: len(data) // 2])
    chunk(CASES, _codec, "truncated-byte", "Cut by one byte.", lambda data: data[:-1])
    chunk(CASES, _codec, "empty", "No bytes at all.", lambda data: b"")
    chunk(CASES, _codec, "garbage", "Bytes that no compressor wrote.", lambda data: bytes(range(200, 240)))
    chunk(CASES, _codec, "short", "Decodes to one item too few.", encoded(_codec, BAD_CHUNK[:-4]))
    chunk(CASES, _codec, "oversized", "Decodes to one item too many.", encoded(_codec, BAD_CHUNK + b"\0\0\0\0"))
    chunk(CASES, _codec, "bomb", "Decodes to 32 MB.", encoded(_codec, bytes(1 << 25)))

chunk(CASES, numcodecs.Zlib(level=4), "checksum", "A zlib stream with a wrong Adler-32.", flip(-1))
chunk(CASES, numcodecs.Zlib(level=4), "no-trailer", "A zlib stream without its checksum.", lambda data: data[:-4])
# The magic, then 48 bits of a block's magic, then the block's CRC-32.
chunk(CASES, numcodecs.BZ2(level=1), "checksum", "A bzip2 block with a wrong CRC-32.", flip(10))


def _lz4_length(length: int) -> Change:
    return lambda data: struct.pack("<I", length) + data[4:]


_lz4 = numcodecs.LZ4()
chunk(CASES, _lz4, "three-bytes", "Fewer bytes than the length.", lambda data: data[:3])
chunk(CASES, _lz4, "claim", "A length of 4 GiB.", _lz4_length(2**32 - 1), "48", "4294967295")
chunk(
    CASES,
    _lz4,
    "claim-short",
    "A length that is less than the chunk's.",
    _lz4_length(44),
    "44",
    "48",
    got=44,
    expected=48,
)
# A token of four literals and a match of four, the literals, then how far back the match lies.
chunk(CASES, _lz4, "offset", "A match from before the start.", lambda data: data[:4] + b"\x40abcd\x05\x00\x00")
chunk(CASES, _lz4, "offset-zero", "A match of itself.", lambda data: data[:4] + b"\x40abcd\x00\x00\x00")

for _codec, _stored in (
    (numcodecs.CRC32(), 0),
    (numcodecs.CRC32C(), -1),
    (numcodecs.Adler32(location="end"), -1),
    (numcodecs.Fletcher32(), -1),
    (numcodecs.JenkinsLookup3(), -1),
):
    chunk(CASES, _codec, "data", "A flipped bit in the data.", flip(20))
    chunk(CASES, _codec, "checksum", "A flipped bit in the checksum.", flip(_stored))
    chunk(CASES, _codec, "truncated", "Cut by one item.", lambda data: data[:-4])
    chunk(CASES, _codec, "three-bytes", "Fewer bytes than a checksum.", lambda data: data[:3])

_shuffle = numcodecs.Shuffle(elementsize=4)
chunk(CASES, _shuffle, "truncated", "Cut by one item.", lambda data: data[:-4], "44", "48", got=44, expected=48)
chunk(CASES, numcodecs.Shuffle(elementsize=4), "oversized", "One item too long.", lambda data: data + bytes(4), got=52)


def settings(
    cases: list[Broken], name: str, about: str, error: str, codec: str, configuration: dict[str, Any], *mentions: str
) -> None:
    """Add a case whose codec has a configuration that must be refused."""
    chain = [
        {"name": "bytes", "configuration": {"endian": "little"}},
        {"name": f"numcodecs.{codec}", "configuration": configuration},
    ]
    where = "/codecs/1" if error == INVALID else None
    metadata(cases, f"codec-numcodecs-{name}", about, error, setting("codecs", to=chain), *mentions, prefix=where)


for _name, _value in {"middle": "middle", "number": 4}.items():
    settings(
        CASES, f"location-{_name}", f"A checksum at {_value!r}.", INVALID, "crc32", {"location": _value}, "location"
    )
settings(CASES, "shuffle-missing", "A shuffle of unknown elements.", INVALID, "shuffle", {}, "elementsize")
settings(CASES, "shuffle-negative", "Elements of -2 bytes.", INVALID, "shuffle", {"elementsize": -2}, "elementsize")
settings(CASES, "shuffle-text", "Elements of text.", INVALID, "shuffle", {"elementsize": "<f4"}, "elementsize")
settings(CASES, "initval-large", "A start past 32 bits.", INVALID, "jenkins_lookup3", {"initval": 2**32}, "initval")
settings(
    CASES, "prefix", "A prefix that no JSON defines.", UNSUPPORTED, "jenkins_lookup3", {"prefix": [1, 2]}, "prefix"
)
for _codec in ("zlib", "lz4", "bz2", "gzip", "zstd", "crc32", "fletcher32", "shuffle"):
    settings(CASES, f"{_codec}-unknown", "An unknown field.", UNSUPPORTED, _codec, {"x_window": 9}, "x_window")
