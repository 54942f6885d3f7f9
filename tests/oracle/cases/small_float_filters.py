"""cast_value and scale_offset of floats of 4 to 16 bits, which zarr-python does not read.

scale_offset is calculated by ml_dtypes. cast_value is calculated by its definition from the exact values of a format;
where ml_dtypes rounds alike, it must agree.
"""

from __future__ import annotations

import bisect
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from zarr.codecs import BytesCodec

from registry import Case, Reading, add, create, edit, sizes_of
from seen import Seen
from small_floats import FORMATS, SmallFloat
from values import rng

CASES: list[Case] = []

ROUNDINGS = ("nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away")


def bits_type(name: str) -> str:
    return "uint16" if FORMATS[name].bits > 8 else "uint8"


def quiet_nan(name: str) -> int:
    f = FORMATS[name]
    magnitude = f.exponent + f.mantissa
    match f.special:
        case "ieee":
            return (((1 << f.exponent) - 1) << f.mantissa) | 1 << (f.mantissa - 1)
        case "fnuz":
            return 1 << magnitude
        case _:
            return (1 << magnitude) - 1


def known_values(f: SmallFloat) -> dict[float, int]:
    """The finite values of a format, each with its pattern; zero is the positive one."""
    patterns = reversed(range(1 << f.bits))
    return {value: pattern for pattern in patterns if np.isfinite(value := f.value(pattern))}


VALUES = {name: known_values(f) for name, f in FORMATS.items()}
SORTED = {name: sorted(values) for name, values in VALUES.items()}


def patterns_of(name: str, values: np.ndarray) -> np.ndarray:
    """The patterns of values that a format has."""
    f, found = FORMATS[name], []
    sign = 1 << (f.bits - 1)
    for value in map(float, values):
        if np.isnan(value):
            found.append(quiet_nan(name))
        elif np.isinf(value):
            found.append((((1 << f.exponent) - 1) << f.mantissa) | (sign if value < 0 else 0))
        elif value == 0 and np.signbit(value) and f.special != "fnuz":
            found.append(sign)
        else:
            found.append(VALUES[name][value])
    return np.array(found, bits_type(name))


def some(name: str, count: int = 40) -> np.ndarray:
    """Patterns of finite values, all of them where there are few."""
    patterns = np.array(sorted(VALUES[name].values()), bits_type(name))
    return patterns if patterns.size <= 256 else rng(name).permutation(patterns)[:count]


def view_of(name: str) -> Any:
    return lambda bits: ("Float32Array", [FORMATS[name].value(int(pattern)) for pattern in bits.reshape(-1)])


def small(case: str, about: str, name: str, stored: np.ndarray, filters: list[dict[str, Any]], expected: np.ndarray) -> None:
    """An array of small floats whose chunks hold these items, and the patterns that they decode to."""
    seen = Seen(patterns_of(name, np.array([1.0])), view=view_of(name))

    @add(CASES, f"filter-{case}", about, seen=seen)
    def write(path: Path) -> Reading:
        return put(path, stored, {"data_type": name, "fill_value": 1.0}, filters, expected)


def put(path: Path, stored: np.ndarray, types: dict[str, Any], filters: list[dict[str, Any]], expected: np.ndarray) -> Reading:
    options = {"serializer": BytesCodec(endian="little"), "config": {"write_empty_chunks": True}}
    # One chunk: not every format decodes the zeros that would fill the last of several.
    array = create(path, stored, chunks=stored.shape, fill_value=0, **options)
    edit(path, lambda document: document.update(types, codecs=[*filters, *document["codecs"]]))
    return expected, sizes_of(array)


def named(name: str, **configuration: Any) -> dict[str, Any]:
    return {"name": name, "configuration": configuration}


def rounded(name: str, value: float, rounding: str) -> float:
    """The value of a format that a value is cast to, out of range clamped."""
    f, values = FORMATS[name], SORTED[name]
    if not np.isfinite(value) or value in VALUES[name]:
        return value
    # Beyond the ends lie the values that would be next; below powers of two alone lies zero.
    unit = values[-1] - values[-2] if f.mantissa else values[-1]
    line = [(-values[-1] - unit) if f.sign else 0.0, *values, values[-1] + unit]
    at = bisect.bisect(line, value)
    if at in (0, len(line)):
        chosen = line[-1 if at else 0]
    else:
        below, above = line[at - 1], line[at]
        up = {"towards-zero": value < 0, "towards-positive": True, "towards-negative": False}.get(rounding)
        if up is None and value - below != above - value:
            up = value - below > above - value
        if up is None and rounding == "nearest-away":
            up = value > 0
        if up is None:
            # The even one has an even number of units; of powers of two alone, it is the greater one.
            step = above - below
            up = f.mantissa == 0 or (above / step) % 2 == 0
        chosen = above if up else below
    if chosen > values[-1] or chosen < values[0]:
        if f.special == "ieee":
            return float(np.copysign(np.inf, chosen))
        return min(max(chosen, values[0]), values[-1])
    return float(np.copysign(chosen, value)) if f.sign else chosen


def near(name: str) -> np.ndarray:
    """Values of a format, values between two of them, the middle among these, and values beyond."""
    values = np.array(SORTED[name])
    if values.size > 256:
        at = rng(f"near {name}").integers(0, values.size - 1, 60)
        pairs = np.stack([values[at], values[at + 1]])
    else:
        pairs = np.stack([values[:-1], values[1:]])
    parts = [pairs[0] + (pairs[1] - pairs[0]) * part for part in (0, 0.25, 0.5, 0.75)]
    most = values[-1]
    ends = np.array([most, most * 1.01, most * 1.03, most * 1.07, most * 1.26, most * 4, values[0], 0.0])
    signs = np.concatenate([ends, -ends, *parts])
    return np.concatenate([signs, [np.inf, -np.inf] if FORMATS[name].special == "ieee" else []])


for _name, _format in FORMATS.items():
    _ml = np.dtype(getattr(ml_dtypes, _name))
    _values = near(_name)
    for _rounding in ROUNDINGS if _format.bits < 9 and _format.mantissa < 3 or _name == "bfloat16" else ROUNDINGS[:1]:
        _cast = np.array([rounded(_name, float(value), _rounding) for value in _values])
        if _rounding == "nearest-even" and _format.special in ("ieee", "none"):
            assert np.array_equal(_values.astype(_ml).astype("f8"), _cast), _name
        small(
            f"small-cast-{_name}-{_rounding}",
            f"Floats read as {_name} {_rounding}, at the ends where they are beyond.",
            _name,
            _values,
            [named("cast_value", data_type="float64", rounding=_rounding, out_of_range="clamp")],
            patterns_of(_name, _cast),
        )
    # One step of the calculation after the other, in the format.
    _stored = some(_name)
    _scale, _offset = (3.0, 0.5) if _format.mantissa else (2.0, 0.0)
    if not _format.mantissa:
        _stored = _stored[_stored > 0]
    _items = _stored.view(_ml)
    _decoded = _items / np.array(_scale, _ml)
    _decoded = _decoded + np.array(_offset, _ml) if _offset else _decoded
    small(
        f"small-scale-offset-{_name}",
        f"{_name} over {_scale}, and {_offset} more.",
        _name,
        _stored,
        [named("scale_offset", scale=_scale, **({"offset": _offset} if _offset else {}))],
        patterns_of(_name, _decoded.astype("f8")),
    )


def plain(case: str, about: str, stored: np.ndarray, types: dict[str, Any], filters: list[dict[str, Any]], expected: np.ndarray) -> None:
    """An array of numbers of JavaScript that are stored as small floats."""
    add(CASES, f"filter-{case}", about)(lambda path: put(path, stored, types, filters, expected))


for _name in ("bfloat16", "float8_e4m3", "float8_e4m3fnuz", "float8_e8m0fnu", "float6_e3m2fn", "float4_e2m1fn"):
    _stored = some(_name)
    _exact = np.array([FORMATS[_name].value(int(pattern)) for pattern in _stored])
    _types = {"data_type": "float32", "fill_value": 1.0}
    plain(f"small-as-float32-{_name}", f"{_name} read as float32.", _stored, _types, [named("cast_value", data_type=_name)], _exact.astype("f4"))
    _types = {"data_type": "int8", "fill_value": 1}
    _filters = [named("cast_value", data_type=_name, out_of_range="clamp")]
    plain(f"small-as-int8-{_name}", f"{_name} read as int8.", _stored, _types, _filters, np.clip(np.rint(_exact), -128, 127).astype("i1"))
_whole = np.arange(-40, 41).astype("i2")
for _name in ("float8_e5m2", "float8_e4m3fn", "float4_e2m1fn"):
    _cast = np.array([rounded(_name, float(value), "towards-negative") for value in _whole])
    _filters = [named("cast_value", data_type="int16", rounding="towards-negative", out_of_range="clamp")]
    small(f"small-from-int16-{_name}", f"Integers read as {_name}.", _name, _whole, _filters, patterns_of(_name, np.where(_cast == 0, 0.0, _cast)))
_map = {"decode": [["NaN", "Infinity"], [1.0, "0x7fc1"]], "encode": []}
small(
    "small-cast-map",
    "A table of small floats, NaN among them.",
    "bfloat16",
    np.array([0x80, 0x40, 0x48], "u1"),
    [named("cast_value", data_type="float8_e4m3fnuz", scalar_map=_map)],
    patterns_of("bfloat16", np.array([np.inf, np.nan, 2.0])),
)
