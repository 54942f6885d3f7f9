"""Zarr v2 arrays through filters from arrays to arrays, in either byte order and either order of items.

zarr-python writes and reads them; what a filter loses, the values have lost.
"""

from __future__ import annotations

from typing import Any

import numcodecs
import numpy as np

from cases.v2 import CHUNKS, SHAPE, array
from registry import Case
from values import rng

CASES: list[Case] = []

BLOSC = numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE)
ZLIB = numcodecs.Zlib(1)

_counts = (np.arange(28) ** 2 * 7 % 113).reshape(SHAPE)
_reals = np.linspace(-3, 300, 28).reshape(SHAPE)
_truths = rng("v2 packbits").integers(0, 2, SHAPE).astype(bool)
_times = (_counts * 86_400).astype("<M8[s]")


def _filter(name: str, values: np.ndarray, filters: list[Any], fill: Any = 1, **options: Any) -> None:
    told = ", ".join([f"order {options.get('order', 'C')}", repr(options.get("compressor"))])
    about = f"{values.dtype.str} through {' and '.join(map(repr, filters))}, {told}."
    array(f"filter-{name}", about, values, fill, filters=filters, lossy=True, cases=CASES, **options)


_delta = numcodecs.Delta
_filter("delta", _counts.astype("<i4"), [_delta("<i4")])
_filter("delta-zlib", _counts.astype("<i4"), [_delta("<i4", "<i2")], compressor=ZLIB)
_filter("delta-big", _counts.astype(">i4"), [_delta(">i4")], compressor=BLOSC)
_filter("delta-stored-big", _counts.astype("<i4"), [_delta("<i4", ">i2")])
_filter("delta-fortran", _counts.astype("<i4"), [_delta("<i4")], order="F", compressor=ZLIB)
_filter("delta-fortran-big", _counts.astype(">u2"), [_delta(">u2", ">i4")], order="F", separator="/")
_filter("delta-float", _reals.astype("<f4"), [_delta("<f4", "<f8")], compressor=BLOSC)
_filter("delta-times", _times, [_delta("<i8")], np.datetime64("NaT"), seen=True, time_unit=("s", 1), compressor=BLOSC)

_scaled = numcodecs.FixedScaleOffset
_filter("fixedscaleoffset", _reals, [_scaled(-3, 10, "<f8", "<u2")], compressor=BLOSC)
_filter("fixedscaleoffset-plain", _reals.astype("<f4"), [_scaled(-3.5, 0.8, "<f4", "|u1")])
_filter("fixedscaleoffset-big", _reals.astype(">f4"), [_scaled(-3.5, 8, ">f4", ">u2")], order="F", compressor=ZLIB)

_filter("quantize", _reals, [numcodecs.Quantize(2, "<f8", "<f4")], compressor=BLOSC)
_filter("quantize-big", _reals.astype(">f8"), [numcodecs.Quantize(2, ">f8", ">f4")], compressor=ZLIB)
_filter("quantize-plain", _reals.astype("<f4"), [numcodecs.Quantize(1, "<f4")], order="F")

_filter("bitround", _reals.astype("<f4"), [numcodecs.BitRound(5)], compressor=BLOSC)
_filter("bitround-fortran", _reals, [numcodecs.BitRound(9)], order="F", compressor=ZLIB)

_filter("packbits", _truths, [numcodecs.PackBits()], True, compressor=ZLIB)
_filter("packbits-plain", _truths, [numcodecs.PackBits()], True, chunks=(4, 4))
_filter("packbits-fortran", _truths, [numcodecs.PackBits()], True, order="F", compressor=BLOSC)

_astype = numcodecs.AsType
_filter("astype", _reals, [_astype("<f4", "<f8")])
_filter("astype-big", _reals.astype(">f8"), [_astype(">f4", ">f8")], compressor=ZLIB)
_filter("astype-stored-big", _reals, [_astype(">i2", "<f8")], compressor=BLOSC)
_filter("astype-stored-little", _reals.astype(">f8"), [_astype("<f4", ">f8")], order="F", compressor=ZLIB)

_chain = [_scaled(0, 10, "<f8", "<i4"), _delta("<i4", "<i2"), numcodecs.Shuffle(2)]
_filter("chain", _reals, _chain, compressor=ZLIB)
_filter("chain-fortran", _reals, _chain, order="F", compressor=BLOSC)
_filter("chain-checked", _counts.astype(">i8"), [_delta(">i8", ">i4"), numcodecs.Fletcher32()], compressor=ZLIB)

# Text of a fixed length as numbers of labels, one of which is too long for an item; what has no label is lost.
_labels = ["calm", "né", "storms", "calmer still", "😀"]
_words = np.array(["calm", "storms", "", "né", "other", "😀"])[np.arange(28) * 7 % 6].reshape(SHAPE)
_categorize = numcodecs.Categorize
_filter("categorize", _words.astype("<U6"), [_categorize(_labels, "<U6")], "né", seen=True, compressor=ZLIB)
_filter("categorize-big", _words.astype(">U6"), [_categorize(_labels, ">U6", ">u2")], "calm", seen=True)
_filter("categorize-fortran", _words.astype("<U6"), [_categorize(_labels, "<U6", "<i4")], "", seen=True, order="F", compressor=BLOSC)

# Complex numbers and times.
_pairs = (_reals - 40 + 1j * _reals[::-1] * 7).astype("<c16")
_pairs[1, 1:3] = complex(np.inf, -0.0), complex(1.5, np.nan)
_quarters = (np.round(_reals * 4) + 4j * _counts).astype("<c16") / 4
_seconds = (_counts.astype("i8") * 86_400_000 - 10**9).astype("<m8[s]")
_seconds[2, 1] = np.timedelta64("NaT")
_months = (_counts.astype("i8") * 5 - 200).astype("<M8[M]")
_months[0, 2] = np.datetime64("NaT")


def _typed(name: str, values: np.ndarray, filters: list[Any], fill: Any = 1, **options: Any) -> None:
    unit = np.datetime_data(values.dtype) if values.dtype.kind in "mM" else None
    _filter(name, values, filters, fill, seen=values.dtype.kind in "cmM", time_unit=unit, **options)


_typed("delta-complex", _quarters, [_delta("<c16")], compressor=ZLIB)
_typed("delta-complex-short", _quarters, [_delta("<c16", "<c8")])
_typed("delta-complex-long-big", _quarters.astype(">c8"), [_delta(">c8", ">c16")], order="F", compressor=BLOSC)
_typed("delta-complex-real", _quarters.astype("<c8"), [_delta("<c8", "<f4")])
_typed("delta-real-complex", _reals.astype("<f4"), [_delta("<f4", "<c8")])
_typed("delta-duration", _seconds, [_delta("<m8[s]")], np.timedelta64(5, "s"), compressor=BLOSC)
_typed("delta-duration-big", _seconds.astype(">m8[s]"), [_delta(">m8[s]")], np.timedelta64("NaT"), order="F")
_typed("delta-duration-integer", _counts[:2].astype("<m8[s]"), [_delta("<m8[s]", "|u1")], np.timedelta64(7, "s"), chunks=(2, 3))
_typed("delta-integer-duration", _seconds[:2].view("<i8").astype("<i8"), [_delta("<i8", "<m8[s]")], chunks=(2, 3))



def _summed(values: np.ndarray, fill: np.timedelta64, delta: numcodecs.Delta) -> np.ndarray:
    """Items that numcodecs decodes, into memory of zeros: it converts what its memory held before, and fails for some of it."""
    known = np.empty_like(values)
    for start in np.ndindex(3, 2):
        box = tuple(slice(3 * at, 3 * at + 3) for at in start)
        chunk = np.full(CHUNKS, fill, values.dtype)
        part = tuple(map(slice, values[box].shape))
        chunk[part] = values[box]
        sums = np.cumsum(delta.encode(chunk), out=np.zeros(chunk.size, values.dtype))
        known[box] = sums.reshape(CHUNKS)[part]
    return known


for _name, _to, _from in (("up", "D", "h"), ("down", "ms", "s"), ("apart", "3s", "2s"), ("years", "Y", "M"), ("weeks", "W", "D")):
    _durations = (_counts.astype("i8") * 86_437 - 10**6).astype(f"<m8[{_to}]")
    _durations[2, 2] = np.timedelta64("NaT")
    _across, _fill = _delta(f"<m8[{_to}]", f"<m8[{_from}]"), np.timedelta64(5, _to.lstrip("3"))
    array(
        f"filter-delta-duration-{_name}",
        f"Differences of {_durations.dtype.str} stored as {_from}, which lose what is less than one of them.",
        _durations,
        _fill,
        filters=[_across],
        compressor=ZLIB,
        known=_summed(_durations, _fill, _across),
        seen=True,
        time_unit=np.datetime_data(_durations.dtype),
        cases=CASES,
    )

_typed("fixedscaleoffset-complex", _pairs, [_scaled(-3.5, 8, "<c16")])
_typed("fixedscaleoffset-complex-7", _pairs.astype("<c8"), [_scaled(0.1, 7, "<c8")], complex(1.5, -2), compressor=ZLIB)
_typed("fixedscaleoffset-complex-down", _pairs, [_scaled(0.1, -0.7, "<c16", "<c8")], complex(1.5, -2), order="F")
_typed("fixedscaleoffset-complex-real", _pairs, [_scaled(0.1, 7, "<c16", "<f4")])
_typed("fixedscaleoffset-complex-integer", _quarters.astype(">c8"), [_scaled(0, 10, ">c8", ">i4")], order="F", compressor=BLOSC)
_typed("fixedscaleoffset-real-complex", _reals.astype("<f4"), [_scaled(0.1, 7, "<f4", "<c8")])

_typed("astype-complex", _pairs, [_astype("<c8", "<c16")], complex(0.1, 2))
_typed("astype-complex-big", _pairs.astype(">c8"), [_astype(">c16", ">c8")], complex(0.1, 2), order="F", compressor=ZLIB)
_typed("astype-complex-real", _pairs, [_astype("<f4", "<c16")])
_typed("astype-real-complex", _reals, [_astype(">c8", "<f8")])
_typed("astype-bool-complex", _truths, [_astype("<c8", "|b1")], True)
_typed("astype-complex-integer", _quarters, [_astype("<i2", "<c16")])
_typed("astype-duration", _seconds, [_astype("<m8[ms]", "<m8[s]")], np.timedelta64(5, "s"), compressor=BLOSC)
_typed("astype-duration-long", _seconds.astype("<m8[ms]"), [_astype(">m8[m]", "<m8[ms]")], np.timedelta64(-1, "ms"))
_typed("astype-duration-integer", _seconds[:2], [_astype("<i4", "<m8[s]")], np.timedelta64(-1, "s"), chunks=(2, 3))
_typed("astype-duration-float", _seconds[:2], [_astype("<f8", "<m8[s]")], np.timedelta64(-1, "s"), chunks=(2, 3))
_typed("astype-integer-duration", _counts.astype("<i4"), [_astype("<m8[3D]", "<i4")])
_typed("astype-date", _months, [_astype("<M8[D]", "<M8[M]")], np.datetime64("1969-12"), compressor=ZLIB)
_typed("astype-date-nanoseconds", _months.astype("<M8[ns]"), [_astype("<M8[M]", "<M8[ns]")], np.datetime64(0, "ns"))
_typed("astype-date-years", _months.astype(">M8[D]"), [_astype(">M8[Y]", ">M8[D]")], np.datetime64(-400, "D"), order="F")
_typed("astype-date-weeks", _months.astype("<M8[h]"), [_astype("<M8[7D]", "<M8[h]")], np.datetime64(5, "h"))
_typed("astype-date-duration", _months.astype("<M8[s]"), [_astype("<m8[ms]", "<M8[s]")], np.datetime64(5, "s"))
