"""Pipelines: each codec alone, and the orders in which they meet in practice."""

from pathlib import Path
from typing import Any

from zarr.codecs import BytesCodec, Crc32cCodec, GzipCodec, TransposeCodec, ZstdCodec

from registry import Case, add, create
from values import smooth

CASES: list[Case] = []

LITTLE, BIG = BytesCodec(endian="little"), BytesCodec(endian="big")
ZSTD, CHECKED_ZSTD = ZstdCodec(level=3), ZstdCodec(level=5, checksum=True)
GZIP, CRC = GzipCodec(level=5), Crc32cCodec()


def _transpose(*orders: tuple[int, ...]) -> list[TransposeCodec]:
    return [TransposeCodec(order=order) for order in orders]


# name: arguments of create_array; `rank` where a transpose fixes it.
CHAINS: dict[str, dict[str, Any]] = {
    "little": {"serializer": LITTLE, "compressors": None},
    "big": {"serializer": BIG, "compressors": None},
    "zstd": {"serializer": LITTLE, "compressors": [ZSTD]},
    "zstd-checksum": {"serializer": LITTLE, "compressors": [CHECKED_ZSTD]},
    "gzip": {"serializer": LITTLE, "compressors": [GZIP]},
    "crc32c": {"serializer": LITTLE, "compressors": [CRC]},
    "big-gzip-crc32c": {"serializer": BIG, "compressors": [GZIP, CRC]},
    "transpose-big-zstd-crc32c": {
        "filters": _transpose((1, 0)),
        "serializer": BIG,
        "compressors": [CHECKED_ZSTD, CRC],
        "rank": 2,
    },
    "transpose-little": {
        "filters": _transpose((1, 0)),
        "serializer": LITTLE,
        "compressors": None,
        "rank": 2,
    },
    "gzip-zstd": {"serializer": LITTLE, "compressors": [GZIP, ZSTD]},
    "crc32c-zstd": {"serializer": LITTLE, "compressors": [CRC, ZSTD]},
    "transpose-021": {"filters": _transpose((0, 2, 1)), "compressors": None, "rank": 3},
    "transpose-120": {"filters": _transpose((1, 2, 0)), "compressors": [GZIP], "rank": 3},
    "transpose-201-big": {
        "filters": _transpose((2, 0, 1)),
        "serializer": BIG,
        "compressors": None,
        "rank": 3,
    },
    "transpose-twice": {
        "filters": _transpose((1, 2, 0), (0, 2, 1)),
        "compressors": [ZSTD],
        "rank": 3,
    },
}


def _register(chain: str, dtype: str) -> None:
    @add(CASES, f"codec-{chain}", f"{dtype} in three dimensions, rectilinear, through {chain}.")
    def write(path: Path) -> None:
        options = {k: v for k, v in CHAINS[chain].items() if k != "rank"}
        create(path, smooth(dtype, (6, 5, 7), path.name), chunks=[[4, 2], [1, 3, 1], [5, 2]], **options)


for number, (name, chain) in enumerate(CHAINS.items()):
    if chain.get("rank", 3) == 3:
        _register(name, ("float32", "int16", "float64", "uint32")[number % 4])
