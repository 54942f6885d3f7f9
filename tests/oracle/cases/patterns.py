"""The four patterns of the announcement of variable-length chunks, on small fields."""

from pathlib import Path

import numpy as np
import zarr
from zarr.codecs import ZstdCodec

from registry import Case, add, create, resize
from values import rng, smooth

CASES: list[Case] = []

ARCHIVE_DAYS = [365, 365, 365, 366, 365]
MONTHS_2024 = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
TIME_LAT_LON = ["time", "latitude", "longitude"]


def archive(path: Path, field: tuple[int, int], tiles: list[list[int]], appends: int, name: str) -> None:
    """Five years in year-long chunks, then `appends` single days, each appended as its own chunk."""
    days = sum(ARCHIVE_DAYS)
    values = smooth("float32", (days + appends, *field), name)
    create(
        path,
        values[:days],
        chunks=[ARCHIVE_DAYS, *tiles],
        compressors=[ZstdCodec(level=9)],
        dimension_names=TIME_LAT_LON,
    )
    for day in range(days, days + appends):
        zarr.open_array(path, mode="r+").append(values[day : day + 1], axis=0)


@add(
    CASES,
    "pattern-archive",
    "An archive in 365-day chunks with a tail of thirty one-day appends.",
    selections=(
        [{"slice": [1820, 1840, None]}],
        [{"slice": [364, 366, None]}, 1, 2],
        [{"slice": [None, None, 365]}, 0, 0],
        [-1],
        [None, 3, 5],
    ),
)
def pattern_archive(path: Path) -> None:
    archive(path, (4, 6), [[2, 2], [3, 3]], 30, path.name)


@add(
    CASES,
    "pattern-months",
    "A chunk per month of 2024, as twelve monthly files would give.",
    selections=(
        [{"slice": [31, 60, None]}],
        [59, {"slice": [1, 3, None]}],
        [{"slice": [None, None, 30]}, -1, -1],
        [{"slice": [-31, None, None]}],
    ),
)
def pattern_months(path: Path) -> None:
    values = smooth("float32", (sum(MONTHS_2024), 4, 6), path.name)
    create(
        path,
        values,
        chunks=[MONTHS_2024, [2, 2], [3, 3]],
        compressors=[ZstdCodec(level=9)],
        dimension_names=TIME_LAT_LON,
        attributes={"units": "K"},
    )


def group_sizes() -> list[int]:
    """Sizes of eleven groups between 23 and 4096 entries, in no order of size."""
    drawn = np.geomspace(23, 4096, 11).astype(int)
    return [int(size) for size in rng("groups").permutation(drawn)]


@add(CASES, "pattern-groups", "One chunk per group of entries, 23 to 4096 of them.")
def pattern_groups(path: Path) -> None:
    sizes = group_sizes()
    values = smooth("int16", (sum(sizes), 2), path.name)
    create(path, values, chunks=[sizes, [2]], compressors=[ZstdCodec(level=9)], dimension_names=["cell", None])


@add(CASES, "pattern-resized", "The announcement's own example: created at 30, grown to 50, appended to, shrunk.")
def pattern_resized(path: Path) -> None:
    create(path, np.arange(30, dtype="float64"), chunks=[[10, 20]])
    resize(path, (50,)).append(np.arange(10, dtype="float64") + 0.5)
    resize(path, (57,), keep_chunks=True)
