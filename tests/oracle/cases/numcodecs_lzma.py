"""numcodecs' LZMA in its three formats, for builds with the feature of that name."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import numcodecs

from registry import Case, Reading, add, create
from values import hard, smooth

CASES: list[Case] = []

DELTA = {"id": lzma.FILTER_DELTA, "dist": 4}
LZMA1 = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 0, "lp": 2, "pb": 1}
LZMA2 = {"id": lzma.FILTER_LZMA2, "preset": 1}
X86 = {"id": lzma.FILTER_X86}
XZ, ALONE, RAW = lzma.FORMAT_XZ, lzma.FORMAT_ALONE, lzma.FORMAT_RAW
CHUNKS, SIZES = [[4, 2], [3, 3, 3]], [[4, 2], [3, 3, 3]]

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "v2": {"format": XZ, "check": -1, "preset": None, "filters": None},
    "no-check": {"check": lzma.CHECK_NONE},
    "crc32": {"check": lzma.CHECK_CRC32, "preset": 0},
    "sha256": {"check": lzma.CHECK_SHA256, "preset": 9},
    "xz-filters": {"filters": [DELTA, LZMA2]},
    "xz-x86": {"filters": [X86, LZMA2]},
    "alone": {"format": ALONE},
    "alone-filters": {"format": ALONE, "filters": [LZMA1]},
    "raw-lzma1": {"format": RAW, "filters": [{"id": lzma.FILTER_LZMA1}]},
    "raw-lzma1-bits": {"format": RAW, "filters": [LZMA1]},
    "raw-lzma2": {"format": RAW, "filters": [LZMA2]},
    "raw-delta": {"format": RAW, "filters": [{"id": lzma.FILTER_DELTA}, DELTA, LZMA2]},
}


def _register(name: str, configuration: dict[str, Any]) -> None:
    @add(CASES, f"lzma-{name}", f"float32, rectilinear, through numcodecs.lzma {configuration}.")
    def write(path: Path) -> Reading:
        values = smooth("float32", (6, 9), path.name)
        create(path, values, chunks=CHUNKS, compressors=[numcodecs.LZMA(**configuration)])
        # numcodecs hands the filters to Python's decoder, which takes none but for the raw format.
        return values, SIZES


for name, configuration in CONFIGURATIONS.items():
    _register(name, configuration)


def _values() -> np.ndarray:
    values = hard("uint16", (40_000,), "lzma-long")
    values[500:30_000] = 7
    values[30_000:30_600] = values[:600]
    return values


@add(CASES, "lzma-long", "Runs and noise in one chunk of 80,000 bytes, more than one LZMA2 chunk holds of noise.")
def long(path: Path) -> None:
    create(path, _values(), chunks=(40_000,), compressors=[numcodecs.LZMA(preset=1)])


@add(CASES, "lzma-streams", "An xz chunk of two streams with padding between them, as xz files may be joined.")
def streams(path: Path) -> Reading:
    create(path, _values(), chunks=(40_000,), compressors=[numcodecs.LZMA()])
    data = _values().tobytes()
    joined = lzma.compress(data[:1001]) + bytes(8) + lzma.compress(data[1001:], check=lzma.CHECK_CRC32)
    (path / "c/0").write_bytes(joined)
    return _values(), [[40_000]]
