"""Filters whose configuration cannot be right, and chunks that no filter wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import BytesCodec, numcodecs

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken, Document, metadata
from broken.chunks import BAD_KEY, VALUES
from registry import create, edit
from selections import result

CASES: list[Broken] = []

LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}


def settings(
    name: str, about: str, error: str, codec: str, configuration: dict[str, Any], *mentions: str, **document: Any
) -> None:
    """Add a case whose first codec must be refused; `document` are other fields of the array."""

    def change(found: Document) -> None:
        found.update(document)
        found["codecs"] = [{"name": codec, "configuration": configuration}, LITTLE]

    where = "/codecs/0" if error == INVALID else None
    metadata(CASES, f"filter-{name}", about, error, change, *mentions, prefix=where)


# The good array holds int32 in chunks of (4, 5), (4, 7), (6, 5) and (6, 7).
BOOL = {"data_type": "bool", "fill_value": False}
FLOAT = {"data_type": "float32", "fill_value": 0.5}
TEXT = {"data_type": "string", "fill_value": ""}
LETTERS = {"data_type": {"name": "fixed_length_utf32", "configuration": {"length_bytes": 12}}, "fill_value": ""}
DOUBLE = {"data_type": "float64", "fill_value": 0.5}
COMPLEX = {"data_type": "complex64", "fill_value": [0.5, 1.0]}
SECONDS = {"unit": "s", "scale_factor": 1}
DATES = {"data_type": {"name": "numpy.datetime64", "configuration": SECONDS}, "fill_value": 0}
DURATIONS = {"data_type": {"name": "numpy.timedelta64", "configuration": SECONDS}, "fill_value": 0}
REFUSED: dict[str, list[tuple[str, str, dict[str, Any], str, dict[str, Any]]]] = {
    "numcodecs.delta": [
        ("untold", "No type.", {}, "dtype", {}),
        ("other-size", "A type of another size.", {"dtype": "<i2"}, "int32", {}),
        ("float", "Floats of the array's size.", {"dtype": "<f4"}, "int32", {}),
        ("number", "A number for a type.", {"dtype": 4}, "string", {}),
        ("no-type", "A type that numpy has not.", {"dtype": "<i3"}, "numpy", {}),
        ("object", "Objects.", {"dtype": "<i4", "astype": "|O"}, "numpy", {}),
        ("bool", "Differences of truths.", {"dtype": "bool"}, "numcodecs.delta cannot decode bool", BOOL),
        ("complex", "Complex numbers of integers' size.", {"dtype": "<c8"}, "int32", {}),
    ],
    "numcodecs.fixedscaleoffset": [
        ("untold", "No scale.", {"offset": 0}, "scale", {}),
        ("text", "A scale of text.", {"offset": 0, "scale": "10"}, "number", {}),
        ("complex", "Complex numbers for floats of their size.", {"offset": 0, "scale": 1, "dtype": "<c8"}, "float64", DOUBLE),
        ("text-type", "An array of text.", {"offset": 0, "scale": 1}, "string", {"data_type": "string", "fill_value": ""}),
    ],
    "numcodecs.quantize": [
        ("integers", "Digits of integers.", {"digits": 2, "dtype": "<i4"}, "floats", {}),
        ("untold", "No digits.", {"dtype": "<f4"}, "digits", FLOAT),
        ("complex", "Digits of complex numbers.", {"digits": 2, "dtype": "<c8"}, "floats", COMPLEX),
        ("times", "Digits of times.", {"digits": 2, "dtype": "<M8[s]"}, "floats", DATES),
        ("half", "Half a digit.", {"digits": 0.5, "dtype": "<f4"}, "digits", FLOAT),
    ],
    "numcodecs.astype": [
        ("untold", "No type.", {"decode_dtype": "<i4"}, "encode_dtype", {}),
        ("generic", "Dates of no unit.", {"encode_dtype": "<M8", "decode_dtype": "<M8[s]"}, "numpy", DATES),
        ("unit", "A unit that numpy has not.", {"encode_dtype": "<M8[fortnight]"}, "numpy", DATES),
        ("fill", "A fill value beyond the unit.", {"encode_dtype": "<M8[as]"}, "fill value", DATES | {"fill_value": 2**62}),
        ("other", "Not the array's type.", {"encode_dtype": "<i2", "decode_dtype": "<i8"}, "int32", {}),
    ],
    "numcodecs.categorize": [
        ("untold", "No labels.", {"dtype": "|O"}, "labels", TEXT),
        ("number", "A label that is a number.", {"labels": ["a", 7], "dtype": "|O"}, "string", TEXT),
        ("integers", "Labels of integers.", {"labels": ["a"], "dtype": "|O"}, "int32", {}),
        ("other", "Text of a fixed length for text of any.", {"labels": ["a"], "dtype": "<U3"}, "string", TEXT),
        ("letters", "Text of another length.", {"labels": ["a"], "dtype": "<U4"}, "fixed_length_utf32", LETTERS),
        ("float", "Labels counted by floats.", {"labels": ["a"], "dtype": "|O", "astype": "<f4"}, "whole", TEXT),
    ],
    "numcodecs.packbits": [("integers", "Integers as bits.", {}, "bool", {})],
    "bitround": [
        ("none", "No bits.", {"keepbits": 0}, "keepbits", {}),
        ("untold", "Any bits.", {}, "keepbits", {}),
        ("bool", "Bits of truths.", {"keepbits": 1}, "bool", BOOL),
    ],
    "reshape": [
        ("other-count", "Fewer items than a chunk has.", {"shape": [3, 3]}, "as many items", {}),
        ("indivisible", "Axes that do not divide the items.", {"shape": [-1, 11]}, "as many items", {}),
        ("turned", "Axes in another order.", {"shape": [[1], [0]]}, "rising order", {}),
        ("mixed", "An axis with other items before it than it had.", {"shape": [-1, [0]]}, "axis 1", {}),
        ("two-rests", "Two axes that take the rest.", {"shape": [-1, -1]}, "more than one", {}),
        ("no-axis", "An axis that the array has not.", {"shape": [[0, 2]]}, "2 axes", {}),
        ("zero", "An axis of nothing.", {"shape": [0, -1]}, "from 1", {}),
        ("huge", "More items than can be counted.", {"shape": [2**52, 2**52]}, "as many items", {}),
    ],
    "scale_offset": [
        ("zero", "A scale of 0.", {"scale": 0}, "other than 0", {}),
        ("fraction", "An offset that is no integer.", {"offset": 0.5}, "int32", {}),
        ("bool", "Truths.", {}, "bool", BOOL),
        ("fill", "A fill value that does not fit.", {"offset": -(2**31)}, "fill value", {}),
    ],
    "cast_value": [
        ("untold", "No type.", {}, "data_type", {}),
        ("text", "Text.", {"data_type": "string"}, "string", {}),
        ("bool", "Truths.", {"data_type": "bool"}, "bool", {}),
        ("wrap", "Floats that wrap.", {"data_type": "float32", "out_of_range": "wrap"}, "wrap", {}),
        ("rounding", "A way to round that is none.", {"data_type": "int8", "rounding": "up"}, "nearest-even", {}),
        ("fill", "A fill value that does not fit.", {"data_type": "int8"}, "fill value", {"fill_value": 300}),
        ("nan", "NaN without a table.", {"data_type": "int8"}, "fill value", {**FLOAT, "fill_value": "NaN"}),
        ("triple", "Three numbers for a pair.", {"data_type": "int8", "scalar_map": {"decode": [[1, 2, 3]]}}, "pair", {}),
        ("key", "A number that the type has not.", {"data_type": "int8", "scalar_map": {"decode": [[300, 2]]}}, "int8", {}),
    ],
    "packbits": [
        ("order", "The last bit before the first.", {"first_bit": 9, "last_bit": 2}, "before", {}),
        ("bit", "A bit that there is not.", {"last_bit": 32}, "31", {}),
        ("padding", "A place that is none.", {"padding_encoding": "middle"}, "first_byte", {}),
        ("text", "Text.", {}, "string", {"data_type": "string", "fill_value": ""}),
    ],
}
GOOD: dict[str, dict[str, Any]] = {
    "numcodecs.delta": {"dtype": "<i4"},
    "numcodecs.fixedscaleoffset": {"offset": 0, "scale": 1},
    "numcodecs.quantize": {"digits": 1},
    "numcodecs.astype": {"encode_dtype": "<i4"},
    "numcodecs.categorize": {"labels": [], "dtype": "|O"},
    "numcodecs.packbits": {},
    "bitround": {"keepbits": 3},
    "reshape": {"shape": [-1]},
    "scale_offset": {},
    "cast_value": {"data_type": "int8"},
    "packbits": {},
}
for _codec, _cases in REFUSED.items():
    _short = _codec.replace("numcodecs.", "numcodecs-").replace("_", "-")
    for _name, _about, _configuration, _mention, _document in _cases:
        settings(f"{_short}-{_name}", _about, INVALID, _codec, _configuration, _mention, **_document)
    settings(
        f"{_short}-unknown", "An unknown field.", UNSUPPORTED, _codec, GOOD[_codec] | {"x_window": 9}, "x_window"
    )
# What numpy and numcodecs refuse too.
for _codec, _name, _configuration, _document, _mentions in (
    ("delta", "dates", {"dtype": "<M8[s]"}, DATES, ("datetime64", "<i8")),
    ("delta", "as-dates", {"dtype": "<i4", "astype": "<M8[ns]"}, {}, ("datetime64",)),
    ("delta", "durations-floats", {"dtype": "<m8[s]", "astype": "<f8"}, DURATIONS, ("timedelta64", "floats")),
    ("delta", "durations-months", {"dtype": "<m8[s]", "astype": "<m8[M]"}, DURATIONS, ("timedelta64", "unit")),
    ("delta", "durations-far", {"dtype": "<m8[s]", "astype": "<m8[as]"}, DURATIONS, ("timedelta64", "unit")),
    ("fixedscaleoffset", "dates", {"offset": 0, "scale": 1, "dtype": "<M8[s]"}, DATES, ("times", "<i8")),
    ("fixedscaleoffset", "durations", {"offset": 0, "scale": 1}, DURATIONS, ("times", "<i8")),
    ("bitround", "complex", {"keepbits": 3}, COMPLEX, ("complex64", "floats")),
    ("bitround", "durations", {"keepbits": 3}, DURATIONS, ("timedelta64", "floats")),
):
    _about = f"{_codec} of {_name.replace('-', ' ')}."
    settings(f"numcodecs-{_codec}-{_name}", _about, UNSUPPORTED, f"numcodecs.{_codec}", _configuration, *_mentions, **_document)
# Floats of few bits.
for _codec, _name, _configuration, _type, _fill, _mention in (
    ("scale_offset", "zero", {"scale": 0.0}, "bfloat16", 0.0, "other than 0"),
    ("scale_offset", "fill", {"offset": 4.0}, "float8_e8m0fnu", 1.0, "fill value"),
    ("scale_offset", "scale", {"scale": "NaN"}, "float4_e2m1fn", 1.0, "float4_e2m1fn"),
    ("cast_value", "no-zero", {"data_type": "float8_e8m0fnu"}, "float32", 0.0, "fill value"),
    ("cast_value", "no-nan", {"data_type": "float6_e2m3fn"}, "float32", "NaN", "fill value"),
    ("cast_value", "no-infinity", {"data_type": "float8_e4m3fn", "out_of_range": "clamp"}, "float32", "Infinity", "fill value"),
    ("cast_value", "beyond", {"data_type": "float8_e4m3"}, "float32", 1000.0, "fill value"),
    ("cast_value", "wrap", {"data_type": "bfloat16", "out_of_range": "wrap"}, "float32", 0.0, "wrap"),
):
    _about = f"{_codec} of {_type}: {_name.replace('-', ' ')}."
    _document = {"data_type": _type, "fill_value": _fill}
    settings(f"small-{_codec.replace('_', '-')}-{_name}", _about, INVALID, _codec, _configuration, _mention, **_document)


def named(name: str, **configuration: Any) -> list[dict[str, Any]]:
    return [{"name": name, "configuration": configuration}]


def chunk(
    name: str,
    about: str,
    codecs: list[dict[str, Any]],
    change: Callable[[bytes], bytes],
    *mentions: str,
    codec: str,
    encoded: np.ndarray = VALUES,
    decoded: str = "int32",
    known: np.ndarray = VALUES,
    seen: str | None = None,
) -> None:
    """Add a case whose filters are put before the encoded values afterwards, and whose chunk (1, 0) is changed.

    The other chunks decode to `known`, whose type JavaScript sees as `seen`, or else as it is.
    """

    def write(path: Path) -> dict[str, Any]:
        options = {"serializer": BytesCodec(endian="little"), "config": {"write_empty_chunks": True}}
        create(path, encoded, chunks=[[2, 4], [3, 5]], **options)
        edit(path, lambda document: document.update(codecs=[*codecs, LITTLE], data_type=decoded))
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(known.astype(seen or decoded), [None, {"slice": [3, None, None]}])

    fields = {"codec": codec, "keySuffix": BAD_KEY, "coords": [1, 0]}
    CASES.append(Broken(f"chunk-filter-{name}", about, CODEC, write, (BAD_KEY, codec, *mentions), fields))


def first(item: int) -> Callable[[bytes], bytes]:
    return lambda data: item.to_bytes(4, "little", signed=True) + data[4:]


TO_64 = named("numcodecs.astype", encode_dtype="<i4", decode_dtype="<i8")
TWICE = named("scale_offset", offset=1, scale=2)
LOW = named("scale_offset", offset=2**31 - 1)
NOTHING = np.zeros(VALUES.shape, "int64")
chunk("short", "Fewer bytes than the encoded type takes.", TO_64, lambda data: data[:-4], "44", "48", codec="bytes", decoded="int64")
chunk("long", "As many bytes as the decoded type takes.", TO_64, lambda data: data * 2, "96", "48", codec="bytes", decoded="int64")
chunk("remainder", "An item that the scale does not divide.", TWICE, first(7), "7", codec="scale_offset", encoded=(VALUES - 1) * 2)
chunk("sum", "An item that the offset takes out of its type.", LOW, first(1), "1", codec="scale_offset", encoded=VALUES - (2**31 - 1))
chunk("cast", "An item that the decoded type has not.", named("cast_value", data_type="int32"), first(40_000), "40000", codec="cast_value", decoded="int16")
chunk(
    "sum-of-durations",
    "Durations whose sum is beyond int64.",
    named("numcodecs.delta", dtype="<m8[s]"),
    lambda data: (2**62).to_bytes(8, "little") * (len(data) // 8),
    "4611686018427387904",
    codec="numcodecs.delta",
    encoded=NOTHING,
    known=NOTHING,
    decoded="int64",
)
chunk(
    "unit",
    "A duration that the decoded unit cannot count.",
    named("numcodecs.astype", encode_dtype="<m8[W]", decode_dtype="<m8[ns]"),
    lambda data: (2**50).to_bytes(8, "little") + data[8:],
    "1125899906842624",
    codec="numcodecs.astype",
    encoded=NOTHING,
    known=NOTHING,
    decoded="int64",
)
for _name, _type, _codecs, _encoded, _item, _mention in (
    ("beyond", "float4_e2m1fn", named("cast_value", data_type="float64"), "f8", np.float64(7), "7"),
    ("nan", "float4_e2m1fn", named("cast_value", data_type="float64"), "f8", np.float64("nan"), "NaN"),
    ("infinity", "float8_e4m3fn", named("cast_value", data_type="float64", out_of_range="clamp"), "f8", np.float64("inf"), "inf"),
    ("scaled", "float8_e4m3fn", named("scale_offset", scale=0.5), "u1", np.uint8(0x7E), "448"),
):
    chunk(
        f"small-{_name}",
        f"An item that {_type} has not.",
        _codecs,
        lambda data, item=_item: item.tobytes() + data[item.nbytes :],
        _mention,
        codec=_codecs[0]["name"],
        encoded=NOTHING.astype(_encoded),
        known=NOTHING,
        decoded=_type,
        seen="float32",
    )


def bits(name: str, about: str, codec: str, change: Callable[[bytes], bytes], *mentions: str) -> None:
    """Add a case of truths in chunks of which (1, 0) has four bits left over."""
    truths = VALUES % 3 == 0
    is_registered = codec == "packbits"

    def write(path: Path) -> dict[str, Any]:
        create(path, truths, chunks=[[2, 4], [3, 5]], filters=[numcodecs.PackBits()])
        if is_registered:
            edit(path, lambda document: document.update(codecs=named("packbits", padding_encoding="first_byte")))
            for file in path.glob("c/*/*"):
                data = file.read_bytes()
                turned = np.packbits(np.unpackbits(np.frombuffer(data[1:], "u1")), bitorder="little")
                file.write_bytes(data[:1] + turned.tobytes())
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(truths, [None, {"slice": [3, None, None]}])

    at = codec if is_registered or "left" in mentions else "bytes"
    fields = {"codec": at, "keySuffix": BAD_KEY, "coords": [1, 0]}
    case = f"chunk-{codec.replace('.', '-')}-{name}"
    CASES.append(Broken(case, about, CODEC, write, (BAD_KEY, at, *mentions), fields))


for _codec in ("numcodecs.packbits", "packbits"):
    bits("padding", "A wrong number of bits left over.", _codec, lambda data: b"\x03" + data[1:], "left", "3", "4")
    bits("padding-huge", "More bits left over than a byte has.", _codec, lambda data: b"\xff" + data[1:], "left", "255")
    bits("short", "A byte too few.", _codec, lambda data: data[:-1], "2", "3")
    bits("empty", "No bytes at all.", _codec, lambda data: b"", "0", "3")
