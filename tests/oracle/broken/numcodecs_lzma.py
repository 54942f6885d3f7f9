"""Chunks under numcodecs' LZMA that are cut, too long or wrong, for builds with the feature of that name."""

from __future__ import annotations

import lzma
from typing import Any

from zarr.codecs import numcodecs

from broken.base import INVALID, UNSUPPORTED, Broken
from broken.chunks import BAD_CHUNK, flip
from broken.numcodecs_bytes import chunk, encoded, settings

CASES: list[Broken] = []

LZMA2, DELTA = {"id": lzma.FILTER_LZMA2}, {"id": lzma.FILTER_DELTA}
FORMATS = {
    "xz": numcodecs.LZMA(),
    "alone": numcodecs.LZMA(format=lzma.FORMAT_ALONE),
    "raw": numcodecs.LZMA(format=lzma.FORMAT_RAW, filters=[LZMA2]),
    "raw1": numcodecs.LZMA(format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA1}]),
}

for _name, _codec in FORMATS.items():
    chunk(CASES, _codec, f"{_name}-truncated", "Cut in its middle.", lambda data: data[: len(data) // 2])
    chunk(CASES, _codec, f"{_name}-truncated-byte", "Cut by one byte.", lambda data: data[:-1])
    chunk(CASES, _codec, f"{_name}-empty", "No bytes at all.", lambda data: b"")
    chunk(CASES, _codec, f"{_name}-garbage", "Bytes that no compressor wrote.", lambda data: bytes(range(200, 240)))
    chunk(CASES, _codec, f"{_name}-short", "Decodes to one item too few.", encoded(_codec, BAD_CHUNK[:-4]))
    chunk(CASES, _codec, f"{_name}-oversized", "Decodes to one item too many.", encoded(_codec, BAD_CHUNK + bytes(4)))
    chunk(CASES, _codec, f"{_name}-bomb", "Decodes to 32 MB.", encoded(_codec, bytes(1 << 25)))

_xz = FORMATS["xz"]
# From the end: the footer of 12 bytes, the index of 8 and the block's CRC-64.
chunk(CASES, _xz, "footer", "A wrong magic at the end of the footer.", flip(-1))
chunk(CASES, _xz, "index", "A wrong CRC-32 of the index.", flip(-13))
chunk(CASES, _xz, "checksum", "A wrong CRC-64 of the block.", flip(-21))
chunk(CASES, _xz, "header", "A wrong CRC-32 of the block's header.", flip(20))
chunk(CASES, _xz, "after", "Bytes after the stream that begin no other.", lambda data: data + b"more")

_SETTINGS: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown": (UNSUPPORTED, {"x_window": 9}, "x_window"),
    "format": (INVALID, {"format": 4}, "format"),
    "format-text": (INVALID, {"format": "xz"}, "format"),
    "no-filters": (INVALID, {"format": 3}, "filters"),
    "filters-null": (INVALID, {"format": 3, "filters": None}, "filters"),
    "filters-empty": (INVALID, {"format": 3, "filters": []}, "filters"),
    "filters-open": (INVALID, {"format": 3, "filters": [DELTA]}, "filters"),
    "filters-after": (INVALID, {"format": 3, "filters": [LZMA2, DELTA]}, "filters"),
    "filter-idless": (INVALID, {"format": 3, "filters": [{"dist": 1}, LZMA2]}, "id"),
    "filter-x86": (UNSUPPORTED, {"format": 3, "filters": [{"id": lzma.FILTER_X86}, LZMA2]}, "filter 4"),
    "delta-zero": (INVALID, {"format": 3, "filters": [DELTA | {"dist": 0}, LZMA2]}, "dist"),
    "delta-far": (INVALID, {"format": 3, "filters": [DELTA | {"dist": 257}, LZMA2]}, "dist"),
    "bits": (INVALID, {"format": 3, "filters": [{"id": lzma.FILTER_LZMA1, "lc": 5}]}, "lc"),
}
for _name, (_error, _configuration, _mention) in _SETTINGS.items():
    settings(CASES, f"lzma-{_name}", f"{_configuration!r}.", _error, "lzma", _configuration, _mention)
