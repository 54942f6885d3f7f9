"""Data types that JavaScript has no typed array for, or one that is not the stored bytes.

What zarr-python writes is its own; the rest is an array of raw items whose zarr.json was edited.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import BytesCodec, ZstdCodec
from zarr.dtype import VariableLengthBytes

from registry import Case, Reading, add, edit, sizes_of
from seen import Seen, View
from small_floats import FORMATS
from values import hard, rng

CASES: list[Case] = []

SHAPE = (7, 4)
GRIDS: dict[str, Any] = {"regular": (3, 3), "rectilinear": [[3, 2, 2], [3, 1]]}
ROWS = {"regular": slice(3, 6), "rectilinear": slice(3, 5)}
Change = Callable[[dict[str, Any]], None]


def _array(
    name: str,
    about: str,
    values: np.ndarray,
    fill: Any,
    grid: str,
    *,
    dtype: Any = None,
    stored_fill: Any = None,
    endian: str | None = None,
    zstd: bool = False,
    change: Change | None = None,
    view: View | None = None,
    time_unit: tuple[str, int] | None = None,
) -> None:
    """Register an array whose chunk (1, 0) is missing; `change` edits its zarr.json.

    `stored_fill` is what zarr-python is given where it is not `fill`.
    """
    fill_item = np.array([fill], values.dtype)
    seen = Seen(fill_item, time_unit=time_unit, **({"view": view} if view else {}))

    @add(CASES, name, about, seen=seen)
    def write(path: Path) -> Reading:
        options: dict[str, Any] = {"serializer": BytesCodec(endian=endian)} if endian else {}
        array = zarr.create_array(
            store=path,
            shape=values.shape,
            dtype=values.dtype if dtype is None else dtype,
            chunks=GRIDS[grid],
            fill_value=fill if stored_fill is None else stored_fill,
            compressors=[ZstdCodec(level=3)] if zstd else None,
            config={"write_empty_chunks": True},
            **options,
        )
        array[...] = values
        (path / "c/1/0").unlink()
        known = values.copy()
        known[ROWS[grid], 0:3] = fill_item[0]
        if change:
            edit(path, change)
        return known, sizes_of(array)


def _data_type(name: Any, fill: Any) -> Change:
    return lambda document: document.update(data_type=name, fill_value=fill)


def _fill(fill: Any) -> Change:
    return lambda document: document.update(fill_value=fill)


# Complex numbers.


def _complex(part: str) -> np.ndarray:
    return hard(part, (*SHAPE, 2), f"complex of {part}").view(f"c{np.dtype(part).itemsize * 2}")[..., 0]


_nan, _inf = float("nan"), float("inf")
_array("dtype-complex64", "complex64, regular.", _complex("float32"), complex(1.5, -2), "regular")
_array(
    "dtype-complex64-big",
    "complex64, big endian, zstd.",
    _complex("float32"),
    complex(_nan, -_inf),
    "rectilinear",
    endian="big",
    zstd=True,
)
_array("dtype-complex128", "complex128, rectilinear.", _complex("float64"), complex(_inf, -0.0), "rectilinear")
_array("dtype-complex128-big", "complex128, big endian.", _complex("float64"), 0, "regular", endian="big")
_payload = np.array([0x7FC00001, 0xFF800000], "u4").view("c8")[0]
_array(
    "dtype-complex64-hex",
    "complex64 whose fill value is two bit patterns.",
    _complex("float32"),
    _payload,
    "regular",
    stored_fill=0,
    change=_fill(["0x7fc00001", "0xff800000"]),
)
_array(
    "dtype-complex_float32",
    "complex_float32, another name of complex64.",
    _complex("float32"),
    complex(2, 3),
    "rectilinear",
    change=_data_type("complex_float32", [2, "0x40400000"]),
)
_array(
    "dtype-complex_float64",
    "complex_float64, another name of complex128.",
    _complex("float64"),
    complex(_nan, 3),
    "regular",
    change=_data_type("complex_float64", ["NaN", 3]),
)


def _halves(values: np.ndarray) -> tuple[str, list[Any]]:
    return "Float32Array", values.reshape(-1).view("<f2").astype("f8").tolist()


_array(
    "dtype-complex_float16",
    "complex_float16, widened.",
    hard("float16", (*SHAPE, 2), "complex_float16").view("u4")[..., 0],
    0xC000_3C00,
    "regular",
    change=_data_type("complex_float16", [1, "0xc000"]),
    view=_halves,
)

# Times.

_TIMES = {
    "Y": ("M8[Y]", 30),
    "10s": ("M8[10s]", -1),
    "ns": ("M8[ns]", 10**18 + 1),
    "generic": ("M8", 5),
    "D": ("m8[D]", 0),
    "25us": ("m8[25us]", -(2**62) - 1),
    "as": ("m8[as]", 2**63 - 1),
}
_NAT = -(2**63)


def _times(dtype: str) -> np.ndarray:
    # The least int64, not a time, is among the hard ones.
    return hard("int64", SHAPE, f"times of {dtype}").view(dtype)


for _at, (_name, (_dtype, _value)) in enumerate(_TIMES.items()):
    _array(
        f"dtype-{'datetime' if _dtype[0] == 'M' else 'timedelta'}-{_name}",
        f"{np.dtype(_dtype).name}, with not-a-time among its values.",
        _times(_dtype),
        np.array([_value], "i8").view(_dtype)[0],
        ("regular", "rectilinear")[_at % 2],
        endian=("little", "big")[_at // 2 % 2],
        zstd=_at % 3 == 0,
        time_unit=np.datetime_data(np.dtype(_dtype)),
    )
_array(
    "dtype-datetime-nat",
    "datetime64 whose fill value zarr-python spells as the least int64.",
    _times("M8[ms]"),
    np.datetime64("NaT", "ms"),
    "rectilinear",
    time_unit=("ms", 1),
)
_array(
    "dtype-timedelta-nat-text",
    'timedelta64 with the fill value "NaT".',
    _times("m8[h]"),
    np.timedelta64("NaT", "h"),
    "regular",
    change=_fill("NaT"),
    time_unit=("h", 1),
)
_array(
    "dtype-datetime-greek",
    "datetime64 whose unit is spelled with a Greek letter.",
    _times("M8[us]"),
    np.datetime64(7, "us"),
    "rectilinear",
    change=_data_type({"name": "numpy.datetime64", "configuration": {"unit": "μs", "scale_factor": 1}}, 7),
    time_unit=("us", 1),
)

# Text and bytes, of a fixed length and of any.

_WORDS = ["", "a", "né", "😀", "日本語", "\u202eab", "a\0b", "ﬁn", "Zürich", "e\u0301"]
_BYTES = [b"", b"a", b"\xff\xfe", b"\0x", b"a\0b", "né".encode(), b"\x80", b"zzzzzz"]


def _dealt(items: list[Any], dtype: Any) -> np.ndarray:
    values = np.empty(SHAPE, dtype)
    for i in range(values.size):
        values.reshape(-1)[i] = items[i * 7 % len(items)]
    return values


_array("dtype-utf32", "fixed_length_utf32, astral letters.", _dealt(_WORDS, "U6"), "é😀", "regular")
_array("dtype-utf32-big", "Big endian.", _dealt(_WORDS, "U6"), "", "rectilinear", endian="big", zstd=True)
_array("dtype-utf32-full", "A fill value as long as an item.", _dealt(_WORDS, "U6"), "Zürich", "rectilinear")
_array("dtype-padded", "null_terminated_bytes, zeros inside.", _dealt(_BYTES, "S6"), b"ab", "regular")
_array("dtype-padded-zstd", "zstd.", _dealt(_BYTES, "S6"), b"", "rectilinear", zstd=True)
_array(
    "dtype-padded-list",
    "null_terminated_bytes whose fill value is a list of integers.",
    _dealt(_BYTES, "S6"),
    b"\xff\0a",
    "rectilinear",
    change=_fill([255, 0, 97]),
)
_STRING = np.dtypes.StringDType()
_LONG = [*_WORDS, "long " * 40]
_array("dtype-string", "string, a fill value that is not empty.", _dealt(_LONG, _STRING), "mißing 😀", "rectilinear")
_array("dtype-string-empty", "An empty fill value.", _dealt(_LONG, _STRING), "", "regular", dtype=str)
_array("dtype-string-zstd", "string, zstd.", _dealt(_LONG, _STRING), "none", "rectilinear", dtype=str, zstd=True)
_array(
    "dtype-string-numcodecs",
    "string, the codec by its older name.",
    _dealt(_LONG, _STRING),
    "ab",
    "regular",
    change=lambda document: document.update(codecs=["numcodecs.vlen-utf8"]),
)
_VARIABLE = VariableLengthBytes()
_array(
    "dtype-vlen-bytes",
    "variable_length_bytes, a base64 fill value.",
    _dealt(_BYTES, object),
    b"\xff\0",
    "rectilinear",
    dtype=_VARIABLE,
)
_array(
    "dtype-vlen-bytes-zstd",
    "variable_length_bytes, zstd, an empty fill value.",
    _dealt(_BYTES, object),
    b"",
    "regular",
    dtype=_VARIABLE,
    zstd=True,
)
_array(
    "dtype-vlen-bytes-list",
    "bytes, the registered name, whose fill value is a list of integers.",
    _dealt(_BYTES, object),
    b"\x01\xfe",
    "rectilinear",
    dtype=_VARIABLE,
    change=_data_type("bytes", [1, 254]),
)

# Raw bits and structs.


def _random(dtype: Any, name: str) -> np.ndarray:
    dtype = np.dtype(dtype)
    return rng(name).integers(0, 256, (*SHAPE, dtype.itemsize), np.uint8).view(dtype)[..., 0]


_array("dtype-raw", "raw_bytes of three.", _random("V3", "raw"), b"abc", "rectilinear")
_array("dtype-raw-zstd", "raw_bytes of eleven, zstd.", _random("V11", "raw 11"), bytes(11), "regular", zstd=True)
_array(
    "dtype-r16",
    "r16, whose fill value is a list of integers.",
    _random("V2", "r16"),
    b"\x01\xff",
    "rectilinear",
    change=_data_type("r16", [1, 255]),
)
_array(
    "dtype-r24",
    "r24, whose fill value is base64.",
    _random("V3", "r24"),
    b"\xfb\xef\xbe",
    "regular",
    change=_data_type("r24", "++++"),
)

INNER = [("x", "u1"), ("y", "<c8")]
STRUCT = np.dtype([("a", "<i2"), ("b", "<f8"), ("c", INNER), ("d", "u1")])
MIXED = np.dtype([("a", ">i2"), ("b", "<f8"), ("t", "M8[D]"), ("u", "U2"), ("z", "S2"), ("r", "V3")])


def _structs(dtype: np.dtype) -> np.ndarray:
    """Counting items, so that every byte of a field matters."""
    values = np.empty(SHAPE, dtype)
    for i in range(values.size):
        if dtype is STRUCT:
            values.reshape(-1)[i] = (i - 3000, i / 7, (i, complex(i, -1 / 3)), 255 - i)
        else:
            text = "né😀a"[i % 3 : i % 3 + 2]
            values.reshape(-1)[i] = (i * 301, -i / 9, np.datetime64(i * 401, "D"), text, b"%d" % i, bytes([i, 0, 9]))
    return values


_ONE = (1, _nan, (2, complex(_inf, -2.5)), 9)
_array("dtype-struct", "struct with a struct in it.", _structs(STRUCT), _ONE, "rectilinear")
_array("dtype-struct-big", "Big endian, zstd.", _structs(STRUCT), _ONE, "regular", endian="big", zstd=True)
_OTHER = (-2, 0.5, np.datetime64("NaT"), "hé", b"k", b"123")
_array("dtype-struct-mixed", "struct of every kind of field.", _structs(MIXED), _OTHER, "regular")
_array("dtype-struct-mixed-big", "The same, big endian.", _structs(MIXED), _OTHER, "rectilinear", endian="big")


def _pairs(dtype: np.dtype) -> list[list[str]]:
    return [[name, np.dtype(dtype[name]).name] for name in dtype.names]


FLAT = np.dtype([("a", "<i2"), ("b", "<f4"), ("c", "u1")])


def _legacy(codecs: list[Any] | None = None) -> Change:
    def change(document: dict[str, Any]) -> None:
        fill = b64encode(np.array([(7, 1.5, 3)], FLAT).tobytes()).decode()
        data_type = {"name": "structured", "configuration": {"fields": _pairs(FLAT)}}
        document.update(data_type=data_type, fill_value=fill, codecs=codecs or document["codecs"])

    return change


_flat = _random(FLAT, "structured")
_array("dtype-structured", "The older name, a base64 fill value.", _flat, (7, 1.5, 3), "regular", change=_legacy())
_array(
    "dtype-structured-endless",
    "The older name without a byte order.",
    _flat,
    (7, 1.5, 3),
    "rectilinear",
    change=_legacy([{"name": "bytes"}]),
)

# Small numbers.


def _bits(dtype: str, name: str) -> np.ndarray:
    return rng(name).integers(0, 1 << 8 * np.dtype(dtype).itemsize, SHAPE, dtype)


def _widened(name: str) -> View:
    return lambda bits: ("Float32Array", [FORMATS[name].value(int(bits)) for bits in bits.reshape(-1)])


def _all_patterns(name: str) -> np.ndarray:
    """Every pattern of a byte over the rows that no chunk is missing from; 28 hard ones of two bytes."""
    if FORMATS[name].bits > 8:
        special = [0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x8000, 1, 0x7F, 0x80, 0x7F7F, 0xFF7F]
        values = _bits("uint16", name)
        values.reshape(-1)[-len(special) :] = special
        return values
    values = np.zeros((7, 64), np.uint8)
    values[[0, 1, 2, 6]] = np.arange(256, dtype=np.uint8).reshape(4, 64)
    return values


_SMALL_FILLS: list[tuple[Any, dict[str, int]]] = [
    (1.5, {"bfloat16": 0x3FC0, "float8_e4m3": 0x3C, "float6_e2m3fn": 0x0C, "float4_e2m1fn": 0x3}),
    ("NaN", {"float8_e3m4": 0x78, "float8_e4m3fnuz": 0x80, "float8_e8m0fnu": 0xFF}),
    ("-Infinity", {"float8_e5m2": 0xFC}),
    (-0.5, {"float8_e4m3b11fnuz": 0xD0, "float6_e3m2fn": 0x28, "float8_e5m2fnuz": 0xBC}),
]
for _fill_json, _by_name in _SMALL_FILLS:
    for _name, _pattern in _by_name.items():
        _array(
            f"dtype-{_name}",
            f"{_name} with the fill value {_fill_json!r}.",
            _all_patterns(_name),
            _pattern,
            "regular",
            change=_data_type(_name, _fill_json),
            view=_widened(_name),
        )
for _name, _text in {"bfloat16": "0xffc1", "float8_e5m2": "0x7e"}.items():
    _array(
        f"dtype-{_name}-hex",
        f"{_name}, whose fill value is its bits.",
        _bits("uint16" if _name == "bfloat16" else "uint8", f"{_name} hex"),
        int(_text, 16),
        "rectilinear",
        endian="big",
        zstd=True,
        change=_data_type(_name, _text),
        view=_widened(_name),
    )
_array(
    "dtype-complex_bfloat16",
    "complex_bfloat16, widened.",
    _random("<u4", "complex_bfloat16"),
    0x3F80_7FC0,
    "rectilinear",
    change=_data_type("complex_bfloat16", ["NaN", 1]),
    view=lambda bits: _widened("bfloat16")(bits.reshape(-1).view("<u2")),
)


def _low_bits(bits: int, *, signed: bool) -> View:
    def view(values: np.ndarray) -> tuple[str, list[Any]]:
        low = [int(value) % (1 << bits) for value in values.reshape(-1)]
        if signed:
            return "Int8Array", [value - (1 << bits) if value >> (bits - 1) else value for value in low]
        return "Uint8Array", low

    return view


for _name, _value in {"int4": -7, "int2": -2, "uint4": 13, "uint2": 3}.items():
    _array(
        f"dtype-{_name}",
        f"{_name}, the high bits of each byte set to anything.",
        _bits("uint8", _name),
        _value % 256,
        "rectilinear" if "u" in _name else "regular",
        zstd=_name == "int2",
        change=_data_type(_name, _value),
        view=_low_bits(int(_name[-1]), signed="u" not in _name),
    )
