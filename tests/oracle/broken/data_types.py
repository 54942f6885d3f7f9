"""Data types with a wrong configuration, their fill values, and chunks of text and bytes that are damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.dtype import VariableLengthBytes

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken, Document, metadata
from selections import result

CASES: list[Broken] = []

LITTLE = [{"name": "bytes", "configuration": {"endian": "little"}}]
PLAIN = [{"name": "bytes"}]


def _change(data_type: Any, fill: Any, codecs: list[Any]) -> Callable[[Document], None]:
    return lambda document: document.update(data_type=data_type, fill_value=fill, codecs=codecs)


def _type(
    name: str,
    data_type: str,
    settings: Any,
    *mentions: str,
    error: str = INVALID,
    prefix: str = "/data_type",
    fill: Any = 0,
    codecs: list[Any] = LITTLE,
) -> None:
    json = data_type if settings is None else {"name": data_type, "configuration": settings}
    where = prefix if error == INVALID else None
    about = f"{data_type}: {name}."
    metadata(CASES, f"dtype-{name}", about, error, _change(json, fill, codecs), *mentions, prefix=where)


_TIME, _TEXT, _PADDED, _RAW = "numpy.datetime64", "fixed_length_utf32", "null_terminated_bytes", "raw_bytes"
_type("unit-unknown", _TIME, {"unit": "fortnight", "scale_factor": 1}, "unit")
_type("unit-number", "numpy.timedelta64", {"unit": 3, "scale_factor": 1}, "unit")
_type("unit-missing", _TIME, {"scale_factor": 1}, "unit")
_type("scale-zero", _TIME, {"unit": "s", "scale_factor": 0}, "scale_factor")
_type("scale-fraction", _TIME, {"unit": "s", "scale_factor": 1.5}, "scale_factor")
_type("scale-huge", _TIME, {"unit": "s", "scale_factor": 2**31}, "scale_factor")
_type("time-unknown", _TIME, {"unit": "s", "scale_factor": 1, "zone": "UTC"}, "zone", error=UNSUPPORTED)
_type("time-bare", _TIME, None, "unit")
_type("utf32-zero", _TEXT, {"length_bytes": 0}, "length_bytes", fill="")
_type("utf32-odd", _TEXT, {"length_bytes": 6}, "length_bytes", "4", fill="")
_type("utf32-huge", _TEXT, {"length_bytes": 1 << 40}, "length_bytes", fill="")
_type("utf32-missing", _TEXT, {}, "length_bytes", fill="")
_type("utf32-negative", _TEXT, {"length_bytes": -4}, "length_bytes", fill="")
_type("padded-zero", _PADDED, {"length_bytes": 0}, "length_bytes", fill="", codecs=PLAIN)
_type("padded-huge", _PADDED, {"length_bytes": 2**53}, "length_bytes", fill="", codecs=PLAIN)
_type("raw-zero", _RAW, {"length_bytes": 0}, "length_bytes", fill="", codecs=PLAIN)
_type("raw-text", _RAW, {"length_bytes": "3"}, "length_bytes", fill="AAAA", codecs=PLAIN)
_type("r-not-bytes", "r12", None, "r", fill=[0, 0], codecs=PLAIN)
_type("r-zero", "r0", None, "r", fill=[], codecs=PLAIN)
_type("r-huge", "r99999999999999999999", None, "r99999999999999999999", error=UNSUPPORTED, fill=[], codecs=PLAIN)
_type("small-unknown", "float8_e9m9", None, "float8_e9m9", error=UNSUPPORTED)
_type("complex-unknown", "complex_int8", None, "complex_int8", error=UNSUPPORTED)
_type("complex-complex", "complex_complex_float32", None, "complex_complex_float32", error=UNSUPPORTED)

_A: dict[str, Any] = {"name": "a", "data_type": "int8"}


def _struct(name: str, fields: Any, *mentions: str, error: str = INVALID, fill: Any = "AA==") -> None:
    _type(f"struct-{name}", "struct", {"fields": fields}, *mentions, error=error, fill=fill)


_struct("empty", [], "field")
_struct("none", None, "fields")
_struct("same-names", [_A, _A], "a")
_struct("nameless", [{"data_type": "int8"}], "name")
_struct("empty-name", [_A | {"name": ""}], "name")
_struct("typeless", [{"name": "a"}], "data_type")
_struct("text", [_A, {"name": "t", "data_type": "string"}], "t", "length")
_struct("unknown", [_A | {"data_type": "x-int"}], "x-int", error=UNSUPPORTED)
_struct("triple", [["a", "int8", 3]], "name")
_struct("huge", [_A, {"name": "r", "data_type": {"name": _RAW, "configuration": {"length_bytes": 1 << 20}}}], "bytes")
_deep: Any = "int8"
for _ in range(25):
    _deep = {"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": _deep}]}}
_type("struct-deep", "struct", _deep["configuration"], "fill value", prefix="/fill_value", fill="AAA=")

_STRUCT = {"fields": [_A, {"name": "b", "data_type": "int16"}]}
_CONFIGURED = {
    _TIME: {"unit": "s", "scale_factor": 1},
    _TEXT: {"length_bytes": 8},
    _PADDED: {"length_bytes": 2},
    _RAW: {"length_bytes": 2},
    "struct": _STRUCT,
}
_FILLS: list[tuple[str, str, Any]] = [
    ("complex-number", "complex64", 1.0),
    ("complex-three", "complex64", [1, 2, 3]),
    ("complex-hex-short", "complex128", ["0x7fc00000", 0]),
    ("time-text", _TIME, "2020-01-01"),
    ("time-fraction", _TIME, 0.5),
    ("utf32-number", _TEXT, 0),
    ("padded-not-base64", _PADDED, "a!"),
    ("raw-short", _RAW, "YQ=="),
    ("raw-numbers", _RAW, [1, 256]),
    ("struct-missing", "struct", {"a": 1}),
    ("struct-value", "struct", {"a": 1, "b": 70000}),
    ("struct-length", "struct", "AAA="),
    ("int4-eight", "int4", 8),
    ("uint2-four", "uint2", 4),
    ("float4-nan", "float4_e2m1fn", "NaN"),
    ("bfloat16-hex", "bfloat16", "0x7fc00000"),
]
for _name, _data_type, _fill in _FILLS:
    _codecs = PLAIN if _data_type in (_PADDED, _RAW) else LITTLE
    _type(
        f"fill-{_name}",
        _data_type,
        _CONFIGURED.get(_data_type),
        prefix="/fill_value",
        fill=_fill,
        codecs=_codecs,
    )
_type("fill-struct-more", "struct", _STRUCT, "x", error=UNSUPPORTED, fill={"a": 1, "b": 2, "x": 3})
_type("fill-bytes-null", "bytes", None, prefix="/fill_value", fill=None, codecs=["vlen-bytes"])

for _name, _data_type in {"time": _TIME, "utf32": _TEXT, "struct": "struct", "complex": "complex64"}.items():
    _fill = {"time": 0, "utf32": "", "struct": "AAAA", "complex": [0, 0]}[_name]
    _settings = _CONFIGURED.get(_data_type)
    _type(f"endless-{_name}", _data_type, _settings, "endian", prefix="/codecs/0", fill=_fill, codecs=PLAIN)
_type("string-as-bytes", "string", None, "string", "bytes", prefix="/codecs/0", fill="")
_type("numbers-as-text", "int8", None, "int8", "vlen-utf8", prefix="/codecs/0", codecs=["vlen-utf8"])
_type("text-as-bytes", "string", None, "vlen-bytes", prefix="/codecs/0", fill="", codecs=["vlen-bytes"])

# Damaged chunks of text and bytes: chunk (1, 0) has the items of rows 2 to 5 and columns 0 to 2.
VALUES = np.array([[f"{'né' * (x % 3)}{y}" for x in range(8)] for y in range(6)], np.dtypes.StringDType())
BAD_KEY = "c/1/0"
COUNT = (12).to_bytes(4, "little")


def _damaged(codec: str, name: str, about: str, change: Callable[[bytes], bytes], *mentions: str) -> None:
    is_text = codec == "vlen-utf8"
    values = VALUES if is_text else np.array([[item.encode() for item in row] for row in VALUES], object)

    def write(path: Path) -> dict[str, Any]:
        array = zarr.create_array(
            store=path,
            shape=values.shape,
            dtype=values.dtype if is_text else VariableLengthBytes(),
            chunks=[[2, 4], [3, 5]],
            compressors=None,
        )
        array[...] = values
        file = path / BAD_KEY
        changed = change(file.read_bytes())
        assert changed != file.read_bytes()
        file.write_bytes(changed)
        return result(values, [None, {"slice": [3, None, None]}])

    fields = {"codec": codec, "keySuffix": BAD_KEY, "coords": [1, 0]}
    CASES.append(Broken(f"chunk-{codec}-{name}", about, CODEC, write, (BAD_KEY, codec, *mentions), fields))


for _codec in ("vlen-utf8", "vlen-bytes"):
    _damaged(_codec, "empty", "A chunk of no bytes.", lambda data: b"")
    _damaged(_codec, "three-bytes", "Fewer bytes than a count.", lambda data: data[:3])
    _damaged(_codec, "truncated", "Cut by one byte.", lambda data: data[:-1])
    _damaged(_codec, "half", "Cut in its middle.", lambda data: data[: len(data) // 2])
    _damaged(_codec, "oversized", "A byte after the last item.", lambda data: data + b"x", "1 bytes after")
    _damaged(_codec, "count-less", "One item too few.", lambda data: b"\x0b" + data[1:], "11 items")
    _damaged(_codec, "count-more", "One item too many.", lambda data: b"\x0d" + data[1:] + bytes(4), "13 items")
    _damaged(_codec, "count-huge", "A count of 2^32 - 1.", lambda data: b"\xff" * 4 + data[4:], "4294967295")
    _damaged(_codec, "item-huge", "An item past the end.", lambda data: COUNT + b"\xff" * 4 + data[8:], "item 0")
    _damaged(_codec, "length-cut", "The last item has half a length.", lambda data: COUNT + bytes(46))
_damaged("vlen-utf8", "not-utf8", "A letter cut in two.", lambda data: data.replace("é".encode(), b"\xc3\x28", 1), "UTF-8")
_damaged("vlen-utf8", "surrogate", "Half of a pair.", lambda d: COUNT + b"\3\0\0\0\xed\xa0\x80" + bytes(44), "UTF-8")
