"""Write arrays of the data type ndarray, by zarr-vlen-ndarray and zarr-python: their documents, chunks and items.

    python tests/neighbours/ndarray_sets.py OUT.json

Items are as the packages read them: the class of their typed array, and their bytes, little endian in C order.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr_vlen_ndarray import NDArray, VlenNDArrayCodec, unbox

SHAPE = (5, 3)
CASES: list[dict[str, Any]] = []
CLASSES = {
    "bool": "Uint8Array",
    "int16": "Int16Array",
    "float32": "Float32Array",
    "float64": "Float64Array",
    "uint64": "BigUint64Array",
    "complex64": "Float32Array",
    "complex128": "Float64Array",
}
zarr.config.set({"array.rectilinear_chunks": True})


def text(data: bytes) -> str:
    return b64encode(data).decode()


def items(dtype: str, inner: tuple[int, ...]) -> np.ndarray:
    """Items of 0 to 6 steps, each with numbers of its own."""
    made = np.empty(SHAPE, object)
    rng = np.random.default_rng(len(CASES))
    for nth, index in enumerate(np.ndindex(*SHAPE)):
        shape = (nth * 5 % 7, *inner)
        made[index] = (rng.integers(-9, 9, shape) * 1.5).astype(dtype)
    return made


def save(name: str, dtype: str, inner: tuple[int, ...] = (), fill: Any = None, **options: Any) -> None:
    """Add an array whose chunk (1, 0) is missing."""
    kind = NDArray(dtype=dtype, shape=(None, *inner))
    memory: dict[str, Any] = {}
    fill = np.empty((0, *inner), dtype) if fill is None else np.array(fill, dtype)
    options = {"chunks": (2, 2), "compressors": None, "config": {"write_empty_chunks": True}} | options
    array = zarr.create_array(
        store=zarr.storage.MemoryStore(memory),
        shape=SHAPE,
        dtype=kind,
        serializer=VlenNDArrayCodec(),
        fill_value=fill,
        **options,
    )
    array[...] = items(dtype, inner)
    del memory["c/1/0"]
    read = [np.asarray(unbox(array[index])) for index in np.ndindex(*SHAPE)]
    document = json.loads(memory.pop("zarr.json").to_bytes())
    keys = {key: text(value.to_bytes()) for key, value in sorted(memory.items())}
    if name == "older":
        # As version 0.1 wrote it.
        document["data_type"] = {"name": "vlen-ndarray", "configuration": {"dtype": dtype, "inner_shape": list(inner)}}
    CASES.append(
        {
            "name": name,
            "document": document,
            "chunks": keys,
            "itemShape": [None, *inner],
            "class": CLASSES[dtype],
            "fill": text(fill.tobytes()),
            "items": [text(np.ascontiguousarray(item).tobytes()) for item in read],
        }
    )


save("plain", "float32", (2,), fill=[[1, 2], [3, 4]])
save("flat", "uint64")
save("boxes", "int16", (3, 2), fill=np.arange(12).reshape(2, 3, 2))
save("bool", "bool", fill=[True])
save("complex", "complex64", (2,))
save("pairs", "complex128")
save("zstd", "float64", (3,), compressors="auto")
save("shards", "float32", (2,), chunks=(1, 2), shards=(2, 2), fill=[[7, 8]])
save("rectilinear", "int16", chunks=[[2, 3], [1, 2]])
save("older", "float64", (2,), fill=[[0.5, 0.25]])

lines = ",\n".join("  " + json.dumps(case) for case in CASES)
Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n")
