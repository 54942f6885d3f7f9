"""`encoded_chunk_shapes` that do not fit the chunks, for readers who ask for the proposal; and older grids' faults."""

from __future__ import annotations

from typing import Any

from broken.base import INVALID, UNSUPPORTED, Broken, Document, metadata, setting

CASES: list[Broken] = []

CONFIGURATION = "/chunk_grid/configuration"
LENGTHS = CONFIGURATION + "/encoded_chunk_shapes"

# The extents are 10 and 12, the chunks [4, 6] and [5, 7].
WRONG: dict[str, tuple[Any, str, tuple[str, ...]]] = {
    "rank": ([4], "", ("1 axes", "2")),
    "number": (4, "", ()),
    "short": ([[4, 5], 7], "/0/1", ("axis 0", "shorter", "5")),
    "short-bare": ([6, 6], "/1", ("axis 1", "shorter", "6")),
    "short-run": ([[[4, 2]], 7], "/0/0", ("axis 0", "shorter")),
    "few": ([[6], 7], "/0", ("axis 0", "2 chunks")),
    "many": ([6, [7, 7, 7]], "/1", ("axis 1", "2 chunks")),
    "many-run": ([6, [[7, 3]]], "/1", ("axis 1", "2 chunks")),
    "none": ([[], 7], "/0", ("axis 0", "2 chunks")),
    "zero": ([0, 7], "/0", ("axis 0", "0")),
    "zero-count": ([[4, [6, 0]], 7], "/0/1", ("axis 0", "count")),
    "negative": ([-6, 7], "/0", ("-6",)),
    "float": ([6.5, 7], "/0", ("6.5",)),
    "text": (["6", 7], "/0", ("axis 0",)),
    "past": ([2**53, 7], "/0", ("axis 0",)),
    "past-listed": ([[4, 2**53], 7], "/0/1", ("axis 0",)),
}
for _name, (_value, _end, _mentions) in WRONG.items():
    metadata(
        CASES,
        f"encoded-{_name}",
        f"encoded_chunk_shapes of {_value!r}.",
        INVALID,
        setting("chunk_grid", "configuration", "encoded_chunk_shapes", to=_value),
        *_mentions,
        path=LENGTHS + _end,
        proposals=("encoded_chunk_shapes",),
    )


def _shards(document: Document) -> None:
    """Shards whose parts are no whole inner chunks, more of them than are written out."""
    inner = {"chunk_shape": [2, 2], "codecs": ["bytes"], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
    document.update(
        shape=[3 * 2**17, 12],
        data_type="uint8",
        codecs=[{"name": "sharding_indexed", "configuration": inner}],
        chunk_grid={
            "name": "rectilinear",
            "configuration": {"kind": "inline", "chunk_shapes": [[[3, 2**17]], 6], "encoded_chunk_shapes": [4, 6]},
        },
    )


metadata(
    CASES,
    "encoded-many-cuts",
    "Shards that each end within an inner chunk, 2^17 of them.",
    UNSUPPORTED,
    _shards,
    "inner chunks",
    proposals=("encoded_chunk_shapes",),
)
metadata(
    CASES,
    "encoded-shards",
    "Shards that decode to no whole inner chunks.",
    INVALID,
    lambda document: document.update(
        codecs=[
            {
                "name": "sharding_indexed",
                "configuration": {
                    "chunk_shape": [2, 1],
                    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
                    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
                },
            }
        ],
        chunk_grid={
            "name": "rectilinear",
            "configuration": {"kind": "inline", "chunk_shapes": [[4, 6], [5, 7]], "encoded_chunk_shapes": [[4, 7], [5, 7]]},
        },
    ),
    "7",
    proposals=("encoded_chunk_shapes",),
)

OLDER: dict[str, tuple[Any, str, tuple[str, ...]]] = {
    "pairs": ({"name": "rectangular", "configuration": {"chunk_shape": [[[5, 2]], 5]}}, CONFIGURATION + "/chunk_shape/0/0", ("no pairs",)),
    "short": ({"type": "rectangular", "chunk_shape": [[5, 4], 5]}, "/chunk_grid/chunk_shape/0", ("9", "10")),
    "type": ({"type": "hexagonal", "chunk_shape": [5, 5]}, "/chunk_grid/type", ("hexagonal",)),
    "separator": ({"type": "regular", "chunk_shape": [5, 5], "separator": "-"}, "/chunk_grid/separator", ('"-"',)),
}
for _name, (_grid, _path, _mentions) in OLDER.items():
    metadata(CASES, f"older-{_name}", f"The grid {_grid!r}.", INVALID, setting("chunk_grid", to=_grid), *_mentions, path=_path)
metadata(
    CASES,
    "older-both",
    "A grid with both a type and a name.",
    UNSUPPORTED,
    setting("chunk_grid", to={"type": "rectangular", "name": "rectangular", "chunk_shape": [5, 5]}),
    '"name"',
)
