"""Chunks and configurations of numcodecs' ZFPY that cannot be right, for builds with the feature zfp."""

from __future__ import annotations

from collections.abc import Callable

import numcodecs.zfpy
import numpy as np
from zarr.codecs import numcodecs as v3

from broken.base import INVALID, UNSUPPORTED, Broken
from broken.serializers import chunks_of, settings_of

CASES: list[Broken] = []

_chunk = chunks_of(CASES, "zfpy", v3.ZFPY, "int32 items of shape [4, 3]")
_settings = settings_of(CASES, "zfpy")


def _other(values: np.ndarray) -> Callable[[bytes], bytes]:
    return lambda _: bytes(numcodecs.zfpy.ZFPY().encode(values))


_numbers = np.arange(12, dtype="<i4").reshape(4, 3)
_chunk("empty", "No bytes.", lambda _: b"", "magic")
_chunk("magic", "Bytes of something else.", lambda data: b"abcd" + data[4:], "magic")
_chunk("header", "A header that is cut.", lambda data: data[:4], "int32 items of shape [1]")
_chunk("cut", "A chunk that is cut.", lambda data: data[:-8], "truncated")
_chunk("fewer", "Too few items.", _other(_numbers[:3]), "int32 items of shape [3, 3]")
_chunk("more", "Too many items.", _other(np.arange(13, dtype="<i4")), "int32 items of shape [13]")
_chunk("turned", "The other axis first.", _other(_numbers.reshape(3, 4)), "int32 items of shape [3, 4]")
_chunk("type", "Items of another type.", _other(_numbers.astype("<f4")), "float32 items of shape [4, 3]")
_settings("field", "A field that numcodecs does not have.", UNSUPPORTED, "x_window", {"x_window": 3})
_settings("unsigned", "Items without a sign.", INVALID, "uint32", {}, data_type="uint32")
_settings("bool", "Truths.", INVALID, "bool", {}, data_type="bool", fill_value=False)
