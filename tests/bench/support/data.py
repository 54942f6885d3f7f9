"""Write the arrays that the decode benchmark reads: 64 MiB of float32 each, in one file of chunks.

    python tests/bench/support/data.py OUTDIR

For each array, NAME.bin holds all values of its store one after the other, and NAME.json their positions by key.
Arrays that exist already are kept.
"""

import json
import sys
from pathlib import Path

import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, GzipCodec, ZstdCodec
from zarr.codecs.numcodecs import LZ4, LZMA, ZFPY, PCodec
from zarr.storage import MemoryStore


def rough_field(side: int) -> np.ndarray:
    """Make waves with noise in all digits, like measured fields; it compresses to some four fifths."""
    rows, columns = np.mgrid[0:side, 0:side].astype("float32")
    noise = np.random.default_rng(5).normal(0, 0.05, (side, side))
    waves = 280 + 20 * np.sin(rows / 200) * np.cos(columns / 300) + 3 * np.sin(rows / 37 + columns / 23)
    return (waves + noise).astype("float32")


def pack(values: np.ndarray, chunk: int, name: str, out: Path, compressors=(), endian: str = "little", shards=None, serializer=None) -> None:
    if (out / f"{name}.json").exists():
        return
    stored: dict = {}
    array = zarr.create_array(
        store=MemoryStore(stored),
        shape=values.shape,
        chunks=(chunk,) * values.ndim,
        shards=shards,
        dtype=values.dtype,
        serializer=serializer or BytesCodec(endian=endian),
        filters=None,
        compressors=compressors or None,
    )
    array[...] = values
    places, at = {}, 0
    with (out / f"{name}.bin").open("wb") as file:
        for key, value in stored.items():
            content = value.to_bytes()
            places[f"/{key}"] = [at, at + len(content)]
            at += file.write(content)
    (out / f"{name}.json").write_text(json.dumps(places))
    print(f"  {name}: {len(places) - 1} chunks, {at / 2**20:.1f} MiB")


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    rough = rough_field(4096)
    field = np.round(rough * 64) / 64
    codecs = {
        "uncompressed": (),
        "zstd": [ZstdCodec(level=3)],
        "gzip": [GzipCodec(level=5)],
        "lz4": [LZ4()],
        "blosc-lz4-shuffle": [BloscCodec(cname="lz4", clevel=5, shuffle="shuffle", typesize=4)],
        "blosc-zstd-bitshuffle": [BloscCodec(cname="zstd", clevel=5, shuffle="bitshuffle", typesize=4)],
    }
    for name, compressors in codecs.items():
        pack(field, 512, f"512-{name}", out, compressors)
    for name in ["uncompressed", "zstd", "blosc-lz4-shuffle", "gzip"]:
        pack(field, 32, f"32-{name}", out, codecs[name])
    pack(field, 512, "512-big-endian", out, endian="big")
    pack(field, 256, "256-zstd", out, codecs["zstd"])
    pack(field, 256, "shards-zstd", out, codecs["zstd"], shards=(2048, 2048))
    # Codecs with modules of their own, of which some take long to encode.
    part = field[:2048, :2048]
    pack(part, 512, "2048-lzma", out, [LZMA(preset=1)])
    pack(part, 512, "2048-pcodec", out, serializer=PCodec(level=8, mode_spec="auto"))
    pack(part, 512, "2048-zfpy", out, serializer=ZFPY(mode=4, tolerance=0.01))
    pack(rough, 256, "tiles-zstd", out, codecs["zstd"])
    pack(rough, 256, "tiles-shards-zstd", out, codecs["zstd"], shards=(2048, 2048))
    pack(field.reshape(256, 256, 256), 64, "64-cubes", out)


main(Path(sys.argv[1]))
