"""Chunks that were never written, or not written because they hold the fill value alone."""

from pathlib import Path
from typing import Any

import numpy as np
import zarr

from registry import Case, add, create, edit
from values import counting

CASES: list[Case] = []

# name: (data type, fill value as zarr-python takes it, its JSON form where only a hand can write it)
FILLS: dict[str, tuple[str, Any, Any]] = {
    "nan": ("float32", float("nan"), None),
    "nan-payload": ("float32", 0.0, "0x7fc00001"),
    "nan-payload-64": ("float64", 0.0, "0xfff8000000000abc"),
    "nan-hex-16": ("float16", 0.0, "0x7e00"),
    "infinity": ("float64", float("inf"), None),
    "minus-infinity": ("float16", float("-inf"), None),
    "minus-zero": ("float32", -0.0, None),
    "tenth": ("float64", 0.1, None),
    "float-as-integer": ("float32", 0.0, 7),
    "int64-min": ("int64", -(2**63), None),
    "int64-odd": ("int64", 2**53 + 1, None),
    "uint64-max": ("uint64", 2**64 - 1, None),
    "int8": ("int8", -128, None),
    "true": ("bool", True, None),
}


def _register(name: str, dtype: str, fill: Any, written: Any) -> None:
    @add(
        CASES,
        f"fill-{name}",
        f"{dtype} with fill value {fill if written is None else written}; half its chunks are missing.",
    )
    def write(path: Path) -> None:
        array = zarr.create_array(
            store=path, shape=(6, 5), dtype=dtype, chunks=[[1, 4, 1], [2, 3]], fill_value=fill, compressors=None
        )
        array[0:3, 0:2] = np.ones((3, 2), dtype) if dtype != "bool" else np.zeros((3, 2), bool)
        array[5, 3] = np.array(0, dtype)
        if written is not None:
            edit(path, lambda document: document.update(fill_value=written))


for name, (dtype, fill, written) in FILLS.items():
    _register(name, dtype, fill, written)


@add(CASES, "never-written", "Metadata and nothing else.")
def never_written(path: Path) -> None:
    zarr.create_array(store=path, shape=(9, 4), dtype="int16", chunks=[[4, 5], [1, 3]], fill_value=-7)


@add(CASES, "empty-chunks-dropped", "Chunks equal to the fill value were not stored.")
def empty_chunks_dropped(path: Path) -> None:
    values = counting("float64", (8, 8))
    values[:4, 4:] = 0
    create(path, values, chunks=[[4, 1, 3], [4, 4]], config={"write_empty_chunks": False})
    assert not (path / "c/0/1").exists()


@add(CASES, "empty-chunks-stored", "Chunks equal to the fill value were stored all the same.")
def empty_chunks_stored(path: Path) -> None:
    create(path, np.full((5, 5), 3, "uint8"), chunks=(2, 3), fill_value=3, config={"write_empty_chunks": True})
    assert (path / "c/0/0").exists()
