"""Selections in their JSON form, and what numpy's basic indexing makes of them."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from values import rng

RANDOM_COUNT = 12
NEGATIVE_COUNT = 3
LIST_COUNT = 4
POINT_COUNT = 7


def _one(item: Any) -> Any:
    if item is None:
        return slice(None)
    return slice(*item["slice"]) if isinstance(item, dict) else item


def to_numpy(selection: list[Any]) -> tuple[Any, ...]:
    """The JSON form (null, integer, {"slice": [start, stop, step]}) as a numpy index."""
    return tuple(_one(item) for item in selection)


def to_oindex(selection: list[Any]) -> tuple[Any, ...]:
    """The JSON form, with lists of integers or of booleans, as an index of zarr-python's `oindex`."""
    lists = [np.array(item, None if item else int) if isinstance(item, list) else _one(item) for item in selection]
    return tuple(lists)


def wire_bytes(values: np.ndarray) -> bytes:
    """C order, little endian: the bytes of the typed array that a reader returns.

    Text and bytes of any length give each item's length, a little-endian uint32, and its content.
    """
    values = np.asarray(values)
    if values.dtype.kind in "TO":
        # zarr-python wraps a single item in an array of its own.
        flat = [np.asarray(item, object).item() for item in values.reshape(-1)]
        items = [item.encode() if isinstance(item, str) else item for item in flat]
        return b"".join(len(item).to_bytes(4, "little") + item for item in items)
    return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()


def from_wire(raw: bytes, shape: list[int], item_bytes: int | None) -> np.ndarray:
    """The items that `wire_bytes` wrote, each as its bytes; no size means that they are of any length."""
    if item_bytes is not None:
        return np.frombuffer(raw, f"V{item_bytes}").reshape(shape)
    items, at = np.empty(int(np.prod(shape)), object), 0
    for i in range(items.size):
        start = at + 4
        at = start + int.from_bytes(raw[at:start], "little")
        items[i] = raw[start:at]
    return items.reshape(shape)


def result(values: np.ndarray, selection: list[Any]) -> dict[str, Any]:
    """One entry of the index: the selection with its shape, checksum and item count."""
    # With the ellipsis one item stays an array, whose data type keeps its padding.
    return _entry(selection, values[(*to_numpy(selection), ...)])


def _entry(selection: list[Any], part: np.ndarray) -> dict[str, Any]:
    return {
        "selection": selection,
        "shape": list(part.shape),
        "crc32": zlib.crc32(wire_bytes(part)),
        "items": int(part.size),
    }


def list_result(values: np.ndarray, selection: list[Any]) -> dict[str, Any]:
    """One entry of the index for a selection with lists: each applies to its own axis, from the last one on."""
    part = values
    for axis, index in reversed(list(enumerate(to_oindex(selection)))):
        part = part[(slice(None),) * axis + (index, ...)]
    return _entry(selection, part)


def points_result(values: np.ndarray, points: list[list[int]]) -> dict[str, Any]:
    """One entry of the index for single elements, in their order: zarr-python's `vindex`."""
    # numpy would make one item of no axes whatever the number of points.
    lists = np.array(points, int).reshape(len(points), values.ndim)
    part = values[None][(np.zeros(len(points), int), *lists.T)]
    return {"points": points} | {key: value for key, value in _entry([], part).items() if key != "selection"}


def _bound(random: np.random.Generator, extent: int) -> int | None:
    """A slice bound, one time in five absent, often outside the axis."""
    return None if random.random() < 0.2 else int(random.integers(-extent - 3, extent + 4))


def _axis(random: np.random.Generator, extent: int) -> Any:
    kind = random.random()
    if kind < 0.3 and extent > 0:
        return int(random.integers(-extent, extent))
    if kind < 0.4:
        return None
    step = None if random.random() < 0.5 else int(random.integers(1, max(2, extent // 2 + 2)))
    return {"slice": [_bound(random, extent), _bound(random, extent), step]}


def _negative_axis(random: np.random.Generator, extent: int) -> Any:
    step = -int(random.integers(1, max(2, extent // 3 + 2)))
    return {"slice": [_bound(random, extent), _bound(random, extent), step]}


def random_ones(name: str, shape: tuple[int, ...]) -> list[list[Any]]:
    """Seeded selections with non-negative steps; some leave trailing axes out."""
    random = rng(f"selections of {name}")
    if not shape:
        return []
    lengths = [
        len(shape) if random.random() < 0.8 else int(random.integers(0, len(shape))) for _ in range(RANDOM_COUNT)
    ]
    return [[_axis(random, extent) for extent in shape[:length]] for length in lengths]


def negative_ones(name: str, shape: tuple[int, ...]) -> list[list[Any]]:
    """Seeded selections with at least one negative step; the first reverses the whole array."""
    random = rng(f"negative selections of {name}")
    if not shape:
        return []
    reverse: Any = {"slice": [None, None, -1]}
    rest = [
        [_negative_axis(random, e) if i == n % len(shape) else _axis(random, e) for i, e in enumerate(shape)]
        for n in range(NEGATIVE_COUNT - 1)
    ]
    return [[reverse] * len(shape), *rest]


def _list(random: np.random.Generator, extent: int) -> list[Any]:
    """Integers in any order, repeated and negative ones among them; one time in three booleans."""
    if random.random() < 0.34:
        return (random.random(extent) < 0.5).tolist()
    count = int(random.integers(0, 2 * min(extent, 6) + 1)) if extent else 0
    return random.integers(-extent, extent, count).tolist() if count else []


def with_lists(name: str, shape: tuple[int, ...]) -> list[list[Any]]:
    """Seeded selections with a list on at least one axis; the first has one on each."""
    random = rng(f"lists of {name}")
    if not shape:
        return []
    mixed = [
        [_list(random, e) if i == n % len(shape) else _axis(random, e) for i, e in enumerate(shape)]
        for n in range(LIST_COUNT - 1)
    ]
    return [[_list(random, extent) for extent in shape], *mixed]


def points(name: str, shape: tuple[int, ...]) -> list[list[list[int]]]:
    """Seeded points, a repeated one and negative coordinates among them; none of an empty array, and no points."""
    random = rng(f"points of {name}")
    if 0 in shape:
        return [[]]
    some = [[int(random.integers(-extent, extent)) for extent in shape] for _ in range(POINT_COUNT)]
    return [[*some, some[0], [-1] * len(shape), [0] * len(shape)], []]


def by_hand(shape: tuple[int, ...], sizes: list[list[int]]) -> list[list[Any]]:
    """Whole, empty, first and last element, and slices that straddle every chunk border by one."""
    if not shape:
        return [[]]
    whole: list[list[Any]] = [[], [None] * len(shape), [{"slice": [0, 0, None]}]]
    if 0 in shape:
        return whole
    borders = [int(np.cumsum(axis)[len(axis) // 2 - 1]) if len(axis) > 1 else 1 for axis in sizes]
    straddle = [{"slice": [max(b - 1, 0), b + 1, None]} for b in borders]
    inside = [{"slice": [1, e - 1, None]} for e in shape]
    return [*whole, [0] * len(shape), [-1] * len(shape), straddle, inside, [*straddle[:-1], -1]]
