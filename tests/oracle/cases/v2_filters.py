"""Zarr v2 arrays through filters from arrays to arrays, in either byte order and either order of items.

zarr-python writes and reads them; what a filter loses, the values have lost.
"""

from __future__ import annotations

from typing import Any

import numcodecs
import numpy as np

from cases.v2 import SHAPE, array
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
