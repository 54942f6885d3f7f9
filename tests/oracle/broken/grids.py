"""Chunk grids that are unknown, or that no reader can lay over the array."""

from typing import Any

from broken.base import INVALID, UNSUPPORTED, Broken, metadata, removing, setting

CASES: list[Broken] = []

GRID, CONFIGURATION = "/chunk_grid", "/chunk_grid/configuration"
SHAPES = CONFIGURATION + "/chunk_shapes"
KEYS = ("chunk_grid", "configuration")


def _unsupported(name: str, about: str, keys: tuple[str, ...], to: Any, *mentions: str) -> None:
    metadata(CASES, f"grid-{name}", about, UNSUPPORTED, setting(*keys, to=to), *mentions)


_unsupported(
    "unknown", "An unknown chunk grid.", ("chunk_grid",), {"name": "x-hexagonal", "configuration": {}}, "x-hexagonal"
)
_unsupported(
    "optional",
    "No grid may claim that it need not be understood.",
    ("chunk_grid",),
    {"name": "x-hexagonal", "must_understand": False},
    "x-hexagonal",
)
_unsupported("kind-unknown", "An unknown kind of rectilinear grid.", (*KEYS, "kind"), "external", "external")
_unsupported(
    "key-unknown",
    "A configuration key from a proposal that nobody asked for.",
    (*KEYS, "encoded_chunk_shapes"),
    [[4, 6], [5, 7]],
    "encoded_chunk_shapes",
    'proposals: ["encoded_chunk_shapes"]',
)
_unsupported("key-strange", "A configuration key that nobody proposed.", (*KEYS, "x_shapes"), [[4, 6], [5, 7]], "x_shapes")
_unsupported(
    "key-unknown-regular",
    "An unknown configuration key of a regular grid.",
    ("chunk_grid",),
    {"name": "regular", "configuration": {"chunk_shape": [4, 5], "x_offset": [1, 1]}},
    "x_offset",
)


def _invalid(name: str, about: str, keys: tuple[Any, ...], to: Any, *mentions: str, **where: str) -> None:
    metadata(CASES, f"grid-{name}", about, INVALID, setting(*keys, to=to), *mentions, **where)


_invalid("bare", "A rectilinear grid by name alone.", ("chunk_grid",), "rectilinear", prefix=GRID)
_invalid("number", "A number in place of a grid.", ("chunk_grid",), 7, prefix=GRID)
_invalid("nameless", "A grid without a name.", ("chunk_grid",), {"configuration": {}}, prefix=GRID)
_invalid("kind-number", "A kind that is no string.", (*KEYS, "kind"), 1, path=CONFIGURATION + "/kind")
metadata(CASES, "grid-kind-missing", "No kind.", INVALID, removing(*KEYS, "kind"), "kind", path=CONFIGURATION + "/kind")
metadata(
    CASES,
    "grid-shapes-missing",
    "No chunk_shapes.",
    INVALID,
    removing(*KEYS, "chunk_shapes"),
    "chunk_shapes",
    path=SHAPES,
)
_invalid("shapes-number", "One number for all axes.", (*KEYS, "chunk_shapes"), 5, path=SHAPES)
_invalid("rank-short", "One axis for a rank of two.", (*KEYS, "chunk_shapes"), [[4, 6]], path=SHAPES)
_invalid("rank-long", "Three axes for a rank of two.", (*KEYS, "chunk_shapes"), [[4, 6], [5, 7], 1], path=SHAPES)

REGULAR: dict[str, tuple[Any, str]] = {
    "zero": ([0, 5], "/0"),
    "negative": ([4, -5], "/1"),
    "float": ([4, 5.5], "/1"),
    "string": (["4", 5], "/0"),
    "past-u64": ([4, 2**64], "/1"),
    "rank": ([4, 5, 6], ""),
    "number": (4, ""),
}
for _name, (_shape, _end) in REGULAR.items():
    _invalid(
        f"regular-{_name}",
        f"A regular chunk_shape of {_shape!r}.",
        ("chunk_grid",),
        {"name": "regular", "configuration": {"chunk_shape": _shape}},
        path=CONFIGURATION + "/chunk_shape" + _end,
    )
_invalid(
    "regular-missing",
    "A regular grid without chunk_shape.",
    ("chunk_grid",),
    {"name": "regular", "configuration": {}},
    "chunk_shape",
    path=CONFIGURATION + "/chunk_shape",
)

# The extents are 10 and 12: what stands on the axis, and what the message must name.
AXES: dict[str, tuple[int, Any, tuple[str, ...]]] = {
    "short-list": (0, [4, 5], ("9", "10")),
    "short-runs": (1, [[5, 2]], ("10", "12")),
    "short-one": (1, [11], ("11", "12")),
    "empty": (0, [], ()),
    "null": (0, None, ()),
    "object": (1, {"edges": [12]}, ()),
    "string": (0, "10", ()),
    "boolean": (0, True, ()),
    "bare-zero": (0, 0, ()),
    "bare-negative": (1, -3, ("-3",)),
    "bare-float": (0, 2.5, ("2.5",)),
    "edge-zero": (0, [4, 0, 6], ()),
    "edge-negative": (1, [5, -1, 8], ("-1",)),
    "edge-float": (0, [4.5, 5.5], ("4.5",)),
    "edge-string": (1, [5, "7"], ()),
    "edge-null": (1, [5, None, 7], ()),
    "edge-boolean": (0, [True, 9], ()),
    "edge-past-u64": (0, [4, 2**64], ()),
    "run-zero-edge": (0, [[0, 3], 10], ()),
    "run-negative-edge": (0, [[-5, 2], 10], ("-5",)),
    "run-zero-count": (0, [[4, 0], 10], ()),
    "run-negative-count": (0, [[4, -2], 10], ("-2",)),
    "run-float-count": (0, [[4, 2.5], 10], ("2.5",)),
    "run-empty": (0, [[], 10], ()),
    "run-single": (0, [[10]], ()),
    "run-triple": (0, [[4, 2, 1], 6], ()),
    "run-nested": (0, [[[4, 2], 1], 6], ()),
    "run-string": (1, [["6", 2]], ()),
    "count-i64-max": (0, [[1, 2**63 - 1]], ()),
    "count-2-63": (0, [[1, 2**63]], ()),
    "count-u64-max": (1, [[1, 2**64 - 1]], ()),
    "count-2-64": (1, [[1, 2**64]], ()),
    "count-10-30": (0, [[10, 10**30]], ()),
    "product-overflow": (0, [[2**40, 2**40]], ()),
    "sum-overflow": (1, [[2**33, 2**30], [2**33, 2**30], 12], ()),
}
for _name, (_axis, _value, _mentions) in AXES.items():
    _invalid(
        f"axis-{_name}",
        f"Axis {_axis} is {_value!r}.",
        (*KEYS, "chunk_shapes", _axis),
        _value,
        f"axis {_axis}",
        *_mentions,
        prefix=f"{SHAPES}/{_axis}",
    )
