"""blosc as Zarr arrays have it: each compressor under each shuffle, and where it stands among codecs."""

from pathlib import Path
from typing import Any

import numpy as np
from numcodecs import blosc
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, TransposeCodec, ZstdCodec

from registry import Case, Reading, add, create, edit
from values import rng, smooth

CASES: list[Case] = []

# Several threads would write the blocks in the order in which they happen to finish.
blosc.use_threads = False

CNAMES = ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
SHUFFLES = ("noshuffle", "shuffle", "bitshuffle")
DTYPES = ("int16", "float32", "uint8", "float64", "int32", "uint64", "int8")
SHAPE, CHUNKS = (30, 41), [[8, 22], [25, 16]]


def _register(name: str, about: str, dtype: str, *, shape: Any = SHAPE, chunks: Any = CHUNKS, **options: Any) -> None:
    """A smooth field; `codec` is blosc's configuration, `around` the codecs after it."""
    codec, around = options.pop("codec"), options.pop("around", [])

    @add(CASES, f"blosc-{name}", about)
    def write(path: Path) -> None:
        compressors = [BloscCodec(**codec), *around]
        create(path, smooth(dtype, shape, path.name), chunks=chunks, compressors=compressors, **options)


for i, cname in enumerate(CNAMES):
    for j, shuffle in enumerate(SHUFFLES):
        dtype = DTYPES[(3 * i + j) % len(DTYPES)]
        codec = {"cname": cname, "shuffle": shuffle, "typesize": np.dtype(dtype).itemsize}
        _register(f"{cname}-{shuffle}", f"{dtype} through {cname} and {shuffle}.", dtype, codec=codec)

_register(
    "blocks",
    "Twenty-one blocks to a chunk, and a short one.",
    "float32",
    shape=(90, 60),
    chunks=(45, 60),
    codec={"cname": "zstd", "shuffle": "bitshuffle", "typesize": 4, "blocksize": 512},
)
_register(
    "other-typesize",
    "A typesize that is not the item's size.",
    "float64",
    codec={"cname": "lz4", "shuffle": "shuffle", "typesize": 6},
)
_register("tiny", "Chunks too small to compress.", "int16", shape=(7, 5), chunks=[[3, 4], 2], codec={"cname": "lz4"})
_register(
    "between",
    "A transpose before and a checksum and zstd after it.",
    "int32",
    codec={"cname": "zlib", "shuffle": "shuffle", "typesize": 4},
    around=[Crc32cCodec(), ZstdCodec()],
    filters=[TransposeCodec(order=(1, 0))],
    serializer=BytesCodec(endian="big"),
)


@add(CASES, "blosc-noise", "Noise, which blosc stores as it is.")
def noise(path: Path) -> None:
    values = rng(path.name).integers(0, 2**32, SHAPE, dtype="uint32")
    create(path, values, chunks=CHUNKS, compressors=[BloscCodec(cname="lz4", shuffle="shuffle", typesize=4)])


@add(CASES, "blosc-numcodecs", "The name and configuration of numcodecs, in Zarr v3.")
def numcodecs_name(path: Path) -> Reading:
    values = smooth("int16", SHAPE, path.name)
    create(path, values, chunks=CHUNKS, compressors=[BloscCodec(cname="lz4hc", shuffle="shuffle", typesize=2)])

    def change(document: dict[str, Any]) -> None:
        configuration = {"cname": "lz4hc", "clevel": 5, "shuffle": 1, "blocksize": 0}
        document["codecs"][1] = {"name": "numcodecs.blosc", "configuration": configuration}

    edit(path, change)
    return values, [CHUNKS[0], CHUNKS[1]]
