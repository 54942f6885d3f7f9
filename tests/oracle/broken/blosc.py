"""Blosc frames whose header or streams lie; metadata are good, reading fails."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numcodecs import blosc
from zarr.codecs import BloscCodec

from broken.base import CODEC, UNSUPPORTED, Broken, metadata, setting
from broken.documents import HTML
from registry import create
from selections import result
from values import counting

CASES: list[Broken] = []

VALUES = counting("int32", (221, 8))
KEY, RAW = "c/1/0", VALUES[8:, :3].tobytes()

# With 127 items, too few to be split into streams: six blocks, the last of 16 bytes, whose starts are at 16 and on.
BLOCK, FIRST_STREAM = 508, 40


def _chunk(name: str, about: str, change: Callable[[bytes], bytes], *mentions: str, cname: str = "lz4") -> None:
    """Add a case that replaces the frame of chunk (1, 0), of 2556 bytes."""

    def write(path: Path) -> dict[str, Any]:
        codec = BloscCodec(cname=cname, typesize=4, shuffle="shuffle", blocksize=BLOCK)
        create(path, VALUES, chunks=[[8, 213], [3, 5]], compressors=[codec])
        (path / KEY).write_bytes(change((path / KEY).read_bytes()))
        return result(VALUES, [None, {"slice": [3, None, None]}])

    fields = {"codec": "blosc", "keySuffix": KEY, "coords": [1, 0]}
    CASES.append(Broken(f"chunk-blosc-{name}", about, CODEC, write, (KEY, "blosc", *mentions), fields))


def _byte(at: int, value: int) -> Callable[[bytes], bytes]:
    return lambda frame: frame[:at] + bytes([value]) + frame[at + 1 :]


def _number(at: int, value: int) -> Callable[[bytes], bytes]:
    """Put a little-endian number of four bytes at `at`."""
    return lambda frame: frame[:at] + struct.pack("<I", value) + frame[at + 4 :]


def _frame(raw: bytes) -> Callable[[bytes], bytes]:
    return lambda _: bytes(blosc.compress(raw, b"lz4", 5, 1, BLOCK, 4))


_chunk("empty", "No bytes at all.", lambda frame: b"", "0 bytes")
_chunk("html", "A page in place of a frame.", lambda frame: HTML)
_chunk("header-only", "Cut after the header.", lambda frame: frame[:16], "16 bytes")
_chunk("header-cut", "Cut within the header.", lambda frame: frame[:15], "15 bytes")
_chunk("truncated", "Cut in its middle.", lambda frame: frame[: len(frame) // 2])
_chunk("trailing", "Four bytes after the frame.", lambda frame: frame + bytes(4))
_chunk("cbytes", "A frame that says that it is longer.", _number(12, 1 << 20), "1048576")
_chunk("short", "A frame that holds one item too few.", _frame(RAW[:-4]), "2552", "2556")
_chunk("oversized", "A frame that holds one item too many.", _frame(RAW + bytes(4)), "2560", "2556")
_chunk("claim", "A frame that claims four gigabytes.", _number(4, 2**32 - 1))
_chunk("bomb", "A frame that holds 32 MB.", lambda _: bytes(blosc.compress(bytes(1 << 25), b"zstd", 9)), "33554432")
_chunk("blocksize-zero", "Blocks of no bytes.", _number(8, 0), "blocks of 0")
_chunk("blocksize-huge", "Blocks larger than all of the content.", _number(8, 2**31), "blocks of 2147483648")
_chunk("blocksize-one", "So many blocks that their starts would not fit.", _number(8, 1))
_chunk("typesize-zero", "Items of no bytes.", _byte(3, 0), "0 bytes")
_chunk("version", "A frame of Blosc 2.", _byte(0, 5), "version 5")
_chunk("versionlz", "A stream format from the future.", _byte(1, 2), "version 2")
_chunk("reserved", "A flag that has no meaning.", lambda frame: _byte(2, frame[2] | 8)(frame))
_chunk("inner", "An inner compressor of no name.", lambda frame: _byte(2, frame[2] | 0xE0)(frame), "compressor 7")
_chunk("stored", "A compressed frame that says that it is stored.", lambda frame: _byte(2, frame[2] | 2)(frame))
_chunk("start-beyond", "A block that starts past the end.", _number(20, 1 << 20), "block 1", "1048576")
_chunk("start-header", "A block that starts within the header.", _number(24, 8), "block 2")
_chunk("start-end", "A block that starts at the end.", lambda frame: _number(20, len(frame))(frame))
_chunk("start-same", "The last block, a short one, where the first one is.", _number(36, FIRST_STREAM))
_chunk("stream-long", "A stream that is longer than the frame.", _number(FIRST_STREAM, 2**31 - 1))
_chunk("stream-negative", "A stream of a negative length.", _number(FIRST_STREAM, 2**32 - 2))
_chunk("stream-empty", "A stream of no bytes.", _number(FIRST_STREAM, 0))
for _cname in ("blosclz", "lz4", "zlib", "zstd"):
    # All that is after the length of the first stream.
    _chunk(
        f"garbage-{_cname}",
        f"A stream of {_cname} that is none.",
        lambda frame: (frame[: FIRST_STREAM + 4] + bytes(i * 151 % 256 for i in range(1, len(frame))))[: len(frame)],
        cname=_cname,
    )

_FIELD = {"name": "blosc", "configuration": {"cname": "lz4", "delta": True}}
metadata(
    CASES,
    "codec-blosc-field",
    "A field that blosc does not have.",
    UNSUPPORTED,
    setting("codecs", to=[{"name": "bytes", "configuration": {"endian": "little"}}, _FIELD]),
    "delta",
    "/codecs/1",
)
