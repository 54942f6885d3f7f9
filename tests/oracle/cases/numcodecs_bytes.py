"""The compressors, checksums and the shuffle of numcodecs, by the names that zarr-python gives them in v3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zarr.codecs import numcodecs

from registry import Case, add, create
from values import hard, smooth

CASES: list[Case] = []

# name: class and configuration; each alone after "bytes".
ALONE: dict[str, tuple[str, dict[str, Any]]] = {
    "zlib": ("Zlib", {}),
    "zlib-0": ("Zlib", {"level": 0}),
    "zlib-9": ("Zlib", {"level": 9}),
    "lz4": ("LZ4", {}),
    "lz4-fast": ("LZ4", {"acceleration": 50}),
    "bz2": ("BZ2", {}),
    "bz2-9": ("BZ2", {"level": 9}),
    "gzip": ("GZip", {"level": 2}),
    "zstd": ("Zstd", {"level": 5, "checksum": True}),
    "shuffle": ("Shuffle", {}),
    "shuffle-1": ("Shuffle", {"elementsize": 1}),
    "shuffle-2": ("Shuffle", {"elementsize": 2}),
    "shuffle-6": ("Shuffle", {"elementsize": 6}),
    "crc32": ("CRC32", {}),
    "crc32-end": ("CRC32", {"location": "end"}),
    "crc32c": ("CRC32C", {}),
    "crc32c-start": ("CRC32C", {"location": "start"}),
    "adler32": ("Adler32", {}),
    "adler32-end": ("Adler32", {"location": "end"}),
    "fletcher32": ("Fletcher32", {}),
    "jenkins-lookup3": ("JenkinsLookup3", {}),
    "jenkins-lookup3-initval": ("JenkinsLookup3", {"initval": 2**32 - 1, "prefix": None}),
}
DTYPES = ("float32", "int16", "float64", "uint32")


def _register(name: str, dtype: str, kind: str, configuration: dict[str, Any]) -> None:
    @add(CASES, f"numcodecs-{name}", f"{dtype}, rectilinear, through numcodecs.{kind.lower()} {configuration}.")
    def write(path: Path) -> None:
        codec = getattr(numcodecs, kind)(**configuration)
        create(path, smooth(dtype, (6, 9), path.name), chunks=[[4, 2], [3, 3, 3]], compressors=[codec])


for number, (name, (kind, configuration)) in enumerate(ALONE.items()):
    _register(name, DTYPES[number % 4], kind, configuration)


# Chains that are met in practice, or that a reader may undo in the wrong order or size.
CHAINS: dict[str, list[Any]] = {
    "shuffle-zlib": [numcodecs.Shuffle(elementsize=4), numcodecs.Zlib(level=4)],
    "zlib-fletcher32": [numcodecs.Zlib(level=1), numcodecs.Fletcher32()],
    "fletcher32-shuffle-zlib": [numcodecs.Fletcher32(), numcodecs.Shuffle(elementsize=4), numcodecs.Zlib()],
    "crc32-lz4-adler32": [numcodecs.CRC32(), numcodecs.LZ4(), numcodecs.Adler32(location="end")],
    "zlib-lz4-bz2": [numcodecs.Zlib(level=0), numcodecs.LZ4(), numcodecs.BZ2()],
}


def _register_chain(name: str, compressors: list[Any]) -> None:
    @add(CASES, f"numcodecs-chain-{name}", f"int32 on a regular grid through {name}.")
    def write(path: Path) -> None:
        create(path, hard("int32", (7, 10), path.name), chunks=(4, 5), compressors=compressors)


for name, compressors in CHAINS.items():
    _register_chain(name, compressors)


# Chunks that are too long for one LZ4 length byte, one Adler or Fletcher stride, and one bzip2 run.
def _register_long(name: str, codec: Any) -> None:
    @add(CASES, f"numcodecs-long-{name}", f"Runs and noise in one chunk of 8000 bytes through {name}.")
    def write(path: Path) -> None:
        values = hard("uint16", (4000,), "numcodecs-long")
        values[500:3000] = 7
        values[3000:3600] = values[:600]
        create(path, values, chunks=(4000,), compressors=[codec])


for codec in (numcodecs.LZ4(), numcodecs.BZ2(), numcodecs.Adler32(), numcodecs.Fletcher32(), numcodecs.Shuffle()):
    _register_long(codec.codec_name.removeprefix("numcodecs."), codec)
