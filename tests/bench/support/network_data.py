"""Write the data of the network benchmark: tiles in shards, a series of one-row chunks, 50 arrays in a group."""

import sys
from pathlib import Path

import numpy as np
import zarr
from zarr.codecs import BytesCodec, ZstdCodec

RNG = np.random.default_rng(4)


def relief(rows: int, columns: int) -> np.ndarray:
    """Make heights in metres with noise in the last digits; they compress to about half, as elevation models do."""
    y, x = np.mgrid[0:rows, 0:columns]
    smooth = 1200 + 800 * np.sin(x / 310) * np.cos(y / 170) + 150 * np.sin(x / 23 + y / 41)
    return (smooth + RNG.normal(0, 4, smooth.shape)).astype("int16")


def main(directory: Path) -> None:
    # A shard holds 16 x 16 tiles: of 256 x 256 items, and of 64 x 64.
    for name, edge in [("tiles.zarr", 256), ("small-tiles.zarr", 64)]:
        shape = (16 * edge, 32 * edge)
        tiles = zarr.create_array(
            directory / name, shape=shape, dtype="int16", chunks=(edge, edge), shards=(16 * edge, 16 * edge),
            compressors=ZstdCodec(level=3),
        )
        tiles[...] = relief(*shape)

    # A year of days, each one chunk of a degree, compressed and not.
    year = np.stack([relief(180, 360) * np.float32(0.01) + day for day in range(8)])
    for name, compressors in [("days.zarr", ZstdCodec(level=3)), ("days-plain.zarr", None)]:
        days = zarr.create_array(
            directory / name, shape=(365, 180, 360), dtype="float32", chunks=(1, 180, 360), compressors=compressors,
            serializer=BytesCodec(endian="little"),
        )
        for day in range(365):
            days[day] = year[day % 8] + day // 8

    group = zarr.create_group(directory / "group.zarr", attributes={"title": "fifty arrays"})
    for nth in range(50):
        group.create_array(f"variable_{nth:02}", shape=(24, 180, 360), chunks=(1, 180, 360), dtype="float32")
    zarr.consolidate_metadata(directory / "group.zarr")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
