"""Zarr v2 documents with one thing wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zarr

from broken.base import INVALID, UNSUPPORTED, Broken, Document, removing, setting

CASES: list[Broken] = []


def _document(
    name: str,
    about: str,
    error: str,
    change: Callable[[Document], Any],
    *mentions: str,
    path: str | None = None,
) -> None:
    """Add a case whose .zarray is a good one after `change`: in place, or what it returns."""

    def write(directory: Path) -> None:
        zarr.create_array(store=directory, zarr_format=2, shape=(10, 12), dtype="<i4", chunks=(4, 5), compressors=None)
        document = json.loads((directory / ".zarray").read_text())
        changed = change(document)
        text = changed if isinstance(changed, str) else json.dumps(document if changed is None else changed)
        (directory / ".zarray").write_text(text + "\n")

    fields = {} if path is None else {"path": path, "keySuffix": ".zarray"}
    CASES.append(Broken(f"v2-{name}", about, error, write, mentions, fields))


for _name in ("shape", "chunks", "dtype", "order", "fill_value", "zarr_format"):
    _document(f"no-{_name}", f"No {_name}.", INVALID, removing(_name), _name, path=f"/{_name}")
_document("not-json", "A .zarray that is cut.", INVALID, lambda document: json.dumps(document)[:-1], ".zarray", path="")
_document("list", "A .zarray that is a list.", INVALID, lambda document: [document], "object", path="")
_document("format-3", "A .zarray that says 3.", INVALID, setting("zarr_format", to=3), "2", path="/zarr_format")
_document("format-text", 'A format of "2".', INVALID, setting("zarr_format", to="2"), "2", path="/zarr_format")
_document("shape-negative", "A negative extent.", INVALID, setting("shape", 1, to=-1), "-1", path="/shape/1")
_document("rank", "Chunks for another rank.", INVALID, setting("chunks", to=[4]), "1 axes", "2", path="/chunks")
_document("chunk-negative", "A negative edge.", INVALID, setting("chunks", 0, to=-4), "axis 0", "-4", path="/chunks/0")
_document("chunk-float", "An edge of 4.5.", INVALID, setting("chunks", 1, to=4.5), "axis 1", "4.5", path="/chunks/1")
_document("order", "An order of A.", INVALID, setting("order", to="A"), '"C" or "F"', path="/order")
_document(
    "separator",
    "A separator that no writer has.",
    INVALID,
    setting("dimension_separator", to="-"),
    '"-"',
    path="/dimension_separator",
)

# Data types.
for _name, _dtype, _mention in (
    ("no-order", "i4", "byte order"),
    ("native-order", "=i4", "byte order"),
    ("bar", "|i4", "byte order"),
    ("empty", "", "byte order"),
    ("letter", "<", "byte order"),
    ("zero", "|S0", "length"),
    ("huge", "<U999999999999999999999", "length"),
    ("large", "|V1048577", "length"),
    ("signed", "|S+3", "length"),
    ("unit", "<M8[fortnight]", "unit"),
    ("unit-open", "<M8[ns", "unit"),
    ("unit-huge", "<m8[2147483648s]", "unit"),
    ("time-size", "<M4[s]", "unit"),
):
    _document(
        f"dtype-{_name}", f"The data type {_dtype}.", INVALID, setting("dtype", to=_dtype), _mention, path="/dtype"
    )
for _dtype in ("<f16", "<c32", "<i3", "|t5", "|é1"):
    _document(f"dtype-{_dtype[1:]}", f"The data type {_dtype}.", UNSUPPORTED, setting("dtype", to=_dtype), _dtype)
_document("dtype-number", "A number for a data type.", INVALID, setting("dtype", to=4), "4", path="/dtype")
_document("struct-empty", "A struct of nothing.", INVALID, setting("dtype", to=[]), "at least one", path="/dtype")
_document(
    "struct-field",
    "A field that is a name alone.",
    INVALID,
    setting("dtype", to=[["a", "<i4"], ["b"]]),
    "name and data type",
    path="/dtype/1",
)
_document(
    "struct-twice",
    "A field name that was there before, in a struct within a struct.",
    INVALID,
    setting("dtype", to=[["a", [["x", "|u1"], ["x", "|u1"]]]]),
    '"x"',
    path="/dtype/0/1/1",
)
_document(
    "struct-inner",
    "A field's data type that is wrong.",
    INVALID,
    setting("dtype", to=[["a", "<i4"], ["b", "i4"]]),
    "byte order",
    path="/dtype/1/1",
)
for _name, _about, _field, _mention, _path in (
    ("shape-empty", "A field with a shape of no axes.", ["b", "<i4", []], "lengths", "/dtype/1/2"),
    ("shape-zero", "A field of no elements.", ["b", "<i4", [2, 0]], "1", "/dtype/1/2/1"),
    ("shape-number", "A number for a shape.", ["b", "<i4", 2], "list", "/dtype/1/2"),
    ("shape-axes", "A field of 65 axes.", ["b", "<i4", [1] * 65], "64", "/dtype/1/2"),
    ("shape-large", "A field of 4 MiB.", ["b", "<i4", [1024, 1024]], "1048576", "/dtype/1/2"),
    ("shape-huge", "A field beyond any memory.", ["b", "<i4", [2**53 - 1] * 8], "1048576", "/dtype/1/2"),
    ("shape-objects", "A field of lists of objects.", ["b", "|O", [2]], "objects", "/dtype/1/1"),
    ("parts", "A field of four parts.", ["b", "<i4", [2], "x"], "name", "/dtype/1"),
):
    _document(f"struct-{_name}", _about, INVALID, setting("dtype", to=[["a", "<i4"], _field]), _mention, path=_path)
_document(
    "struct-shape-fill",
    "A number as the fill value of a struct with a subarray.",
    INVALID,
    setting("dtype", to=[["a", "<i4"], ["b", "<i4", [2, 2]]]),
    "struct",
    path="/fill_value",
)
_document(
    "struct-objects",
    "A field of objects.",
    INVALID,
    setting("dtype", to=[["a", "|O"]]),
    "objects",
    path="/dtype/0/1",
)
_document("objects", "Objects without a codec for them.", INVALID, setting("dtype", to="|O"), "filter", path="/dtype")

# Fill values.


def _filled(dtype: Any, fill: Any) -> Callable[[Document], None]:
    return lambda document: document.update(dtype=dtype, fill_value=fill)


for _name, _dtype, _fill in (
    ("text", "<i4", "four"),
    ("fraction", "<i4", 1.5),
    ("float", "<f4", "zero"),
    ("complex", "<c8", 1),
    ("base64", "|S4", "not base64!"),
    ("raw-short", "|V4", "YWJj"),
    ("time", "<M8[s]", "2024-01-01"),
    ("struct-short", [["a", "<i4"], ["b", ">i4"]], "AAAA"),
):
    _document(f"fill-{_name}", f"{_fill!r} for {_dtype}.", INVALID, _filled(_dtype, _fill), "fill value", path="/fill_value")

# Filters and compressors.
_document(
    "compressor-text", "A compressor by its bare name.", INVALID, setting("compressor", to="zlib"), path="/compressor"
)
_document("compressor-no-id", "No id.", INVALID, setting("compressor", to={"level": 1}), "id", path="/compressor/id")
_document("filters-object", "One filter and no list.", INVALID, setting("filters", to={"id": "zlib"}), path="/filters")
_document("filter-null", "A filter that is null.", INVALID, setting("filters", to=[None]), path="/filters/0")
_document(
    "compressor-unknown",
    "A compressor that needs a plug-in.",
    UNSUPPORTED,
    setting("compressor", to={"id": "imagecodecs_jpegxl", "level": 3}),
    "imagecodecs_jpegxl",
    "/compressor",
)
_document(
    "filter-unknown",
    "A filter that nobody knows.",
    UNSUPPORTED,
    setting("filters", to=[{"id": "zlib", "level": 1}, {"id": "mine"}]),
    '"numcodecs.mine"',
    "/filters/1",
)
_document(
    "compressor-field",
    "A field that numcodecs does not have.",
    UNSUPPORTED,
    setting("compressor", to={"id": "zlib", "level": 1, "window": 9}),
    "window",
    "/compressor",
)
_document(
    "filter-value",
    "A setting out of its range.",
    INVALID,
    setting("filters", to=[{"id": "shuffle", "elementsize": -1}]),
    "-1",
    path="/filters/0/elementsize",
)
_document(
    "pickle",
    "Objects as pickles, which run code.",
    UNSUPPORTED,
    lambda document: document.update(dtype="|O", fill_value=None, filters=[{"id": "pickle", "protocol": 5}]),
    "pickle",
)
_document(
    "vlen-of-numbers",
    "vlen-utf8 of numbers.",
    INVALID,
    setting("filters", to=[{"id": "vlen-utf8"}]),
    "int32",
    path="/filters/0",
)
_document(
    "two-object-codecs",
    "vlen-utf8 twice.",
    INVALID,
    lambda document: document.update(dtype="|O", fill_value="", filters=[{"id": "vlen-utf8"}, {"id": "vlen-utf8"}]),
    "order",
    path="/filters/1",
)
_document(
    "object-codec-late",
    "vlen-utf8 after a compressor.",
    INVALID,
    lambda document: document.update(dtype="|O", fill_value="", filters=[{"id": "zlib"}, {"id": "vlen-utf8"}]),
    "order",
    path="/filters/0",
)
