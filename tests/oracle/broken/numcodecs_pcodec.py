"""Chunks and configurations of numcodecs' PCodec that cannot be right, for builds with the feature of that name."""

from __future__ import annotations

from collections.abc import Callable

import numcodecs.pcodec
import numpy as np
from zarr.codecs import numcodecs as v3

from broken.base import INVALID, UNSUPPORTED, Broken
from broken.serializers import chunks_of, settings_of

CASES: list[Broken] = []

_chunk = chunks_of(CASES, "pcodec", v3.PCodec)
_settings = settings_of(CASES, "pcodec")


def _other(values: np.ndarray) -> Callable[[bytes], bytes]:
    return lambda _: bytes(numcodecs.pcodec.PCodec().encode(values))


_numbers = np.arange(12, dtype="<i4")
_chunk("empty", "No bytes.", lambda _: b"", "12 items")
_chunk("magic", "Bytes of something else.", lambda data: b"abcd" + data[4:], "12 items")
_chunk("cut", "A chunk that is cut.", lambda data: data[:-5], "12 items")
_chunk("fewer", "Too few items.", _other(_numbers[:11]), "11 items")
_chunk("more", "Too many items.", _other(np.arange(13, dtype="<i4")), "more")
_chunk("type", "Items of another type.", _other(_numbers.astype("<f4")), "12 items")
_settings("field", "A field that numcodecs does not have.", UNSUPPORTED, "x_window", {"x_window": 3})
_settings("bytes", "Items of a byte.", INVALID, "uint8", {}, data_type="uint8")
_settings("bool", "Truths.", INVALID, "bool", {}, data_type="bool", fill_value=False)
