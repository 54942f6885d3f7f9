"""Shrunk, grown and appended arrays: bytes past the extent are stale, not fill values."""

from pathlib import Path

import zarr
from zarr.codecs import ZstdCodec

from registry import Case, add, create, resize
from values import counting

CASES: list[Case] = []


@add(CASES, "shrunk-overhang", "Shrunk inside its last chunks: the overhang still holds old data.")
def shrunk_overhang(path: Path) -> None:
    create(path, counting("int32", (10, 12)), chunks=[[4, 6], [5, 7]])
    resize(path, (8, 9))


@add(CASES, "shrunk-chunks-deleted", "Shrunk past whole chunks, which zarr-python deleted.")
def shrunk_chunks_deleted(path: Path) -> None:
    create(path, counting("int32", (10, 12)), chunks=[[4, 3, 3], [5, 4, 3]])
    resize(path, (3, 8))


@add(CASES, "shrunk-chunks-stale", "Shrunk past whole chunks that still lie on disk: never returned.")
def shrunk_chunks_stale(path: Path) -> None:
    create(path, counting("int32", (10, 12)), chunks=[[4, 3, 3], [5, 4, 3]])
    resize(path, (3, 8), keep_chunks=True)
    assert (path / "c/2/2").exists()


@add(CASES, "shrunk-to-border", "Shrunk exactly to a chunk border: the next chunk is not part of it.")
def shrunk_to_border(path: Path) -> None:
    create(path, counting("uint16", (9,)), chunks=[[2, 3, 4]])
    resize(path, (5,), keep_chunks=True)


@add(CASES, "shrunk-to-zero", "Shrunk to nothing with its chunks left on disk.")
def shrunk_to_zero(path: Path) -> None:
    create(path, counting("uint16", (9, 2)), chunks=[[2, 3, 4], [1, 1]])
    resize(path, (0, 2), keep_chunks=True)


@add(CASES, "shrunk-regular", "A regular grid shrunk, with stale data inside and outside the last chunk.")
def shrunk_regular(path: Path) -> None:
    create(path, counting("int32", (10, 9)), chunks=(4, 4))
    resize(path, (6, 5), keep_chunks=True)


@add(CASES, "grown", "Grown past the sum of its edges: one chunk is appended per axis, and is missing.")
def grown(path: Path) -> None:
    create(path, counting("int32", (5, 4)), chunks=[[2, 3], [3, 1]], fill_value=-1)
    resize(path, (9, 6))


@add(CASES, "grown-and-written", "Grown, and the appended chunk written in part.")
def grown_and_written(path: Path) -> None:
    create(path, counting("int32", (5, 4)), chunks=[[2, 3], [3, 1]], fill_value=-1)
    resize(path, (9, 6))[6:8, 2:6] = 1000


@add(CASES, "grown-mixed", "Grown where a bare integer repeats and where a list gains an edge.")
def grown_mixed(path: Path) -> None:
    create(path, counting("int32", (7, 5)), chunks=[[3, 4], 2], fill_value=9)
    resize(path, (8, 9))


@add(CASES, "shrunk-and-grown", "Shrunk inside a chunk and grown again: the old data come back.")
def shrunk_and_grown(path: Path) -> None:
    create(path, counting("int32", (30,)), chunks=[[10, 20]])
    resize(path, (5,), keep_chunks=True)
    resize(path, (50,))


@add(CASES, "shrunk-deleted-grown", "Shrunk with chunks deleted and grown again: old data before, fill value after.")
def shrunk_deleted_grown(path: Path) -> None:
    create(path, counting("int16", (12, 6)), chunks=[[5, 4, 3], [4, 2]], fill_value=-5)
    resize(path, (3, 6))
    resize(path, (14, 5))


@add(CASES, "appended", "Appends of one to three rows to a compressed array, each its own chunk.")
def appended(path: Path) -> None:
    create(path, counting("float32", (8, 5)), chunks=[[3, 5], [2, 3]], compressors=[ZstdCodec(checksum=True)])
    for number, rows in enumerate((1, 1, 2, 3, 1, 1, 1)):
        array = zarr.open_array(path, mode="r+")
        array.append(counting("float32", (rows, 5)) + 1000 * (number + 1), axis=0)
