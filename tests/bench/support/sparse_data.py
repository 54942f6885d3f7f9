"""Write the data of the bench of sparse rows: a million rows of some thirty elements, as anndata cuts them, with and without shards."""

import sys
from pathlib import Path

import numpy as np
import zarr

ROWS, COLUMNS, CHUNK = 1_000_000, 20_000, 234_362
RNG = np.random.default_rng(1)


def main(directory: Path) -> None:
    indptr = np.concatenate([[0], np.cumsum(RNG.integers(10, 51, ROWS))]).astype("int64")
    count = int(indptr[-1])
    arrays = {
        "indptr": (indptr, CHUNK // 2),
        "indices": (RNG.integers(0, COLUMNS, count).astype("int32"), CHUNK),
        "data": ((RNG.poisson(1.5, count) + 1).astype("float32"), CHUNK),
    }
    for name in ("plain", "sharded"):
        root = zarr.create_group(directory / f"{name}.zarr", overwrite=True)
        x = root.create_group("X", attributes={"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": [ROWS, COLUMNS]})
        for key, (items, chunk) in arrays.items():
            shards = (-(-len(items) // chunk) * chunk,) if name == "sharded" else None
            x.create_array(key, shape=items.shape, dtype=items.dtype, chunks=(chunk,), shards=shards)[:] = items
        zarr.consolidate_metadata(root.store)


main(Path(sys.argv[1]))
