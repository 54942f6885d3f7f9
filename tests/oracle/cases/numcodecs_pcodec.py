"""numcodecs' PCodec, for builds with the feature of that name."""

from __future__ import annotations

from pathlib import Path

import numcodecs.pcodec
import numpy as np
from zarr.codecs import GzipCodec, TransposeCodec, numcodecs as v3

from cases.serializers import as_compressor, cases_of
from registry import Case, Reading, add
from values import hard, smooth

CASES: list[Case] = []

_case = cases_of(CASES, "pcodec", v3.PCodec)

for _dtype in ("int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32", "float64"):
    _case(_dtype, "smooth", smooth(_dtype, (6, 9), f"pcodec {_dtype}"))
    _case(f"{_dtype}-hard", "any bits", hard(_dtype, (6, 9), f"pcodec hard {_dtype}"))
_long = (np.arange(3000) ** 2 % 1001).astype("int32").reshape(50, 60)
_case("long", "several batches", _long, chunks=(40, 60))
_case("pages", "in pages", _long, {"equal_pages_up_to": 700}, chunks=(50, 33))
_case("classic", "classic", _long.astype("float64") / 10, {"mode_spec": "classic", "level": 0}, chunks=(50, 60))
_case("multiples", "multiples of a tenth", _long.astype("float64") / 10, {"level": 12}, chunks=(50, 60))
_case("delta", "differences of differences", _long, {"delta_spec": "try_consecutive", "delta_encoding_order": 2}, chunks=(50, 60))
_case("lookback", "looking back", np.tile(_long[:10], (5, 1)), {"delta_spec": "try_lookback"}, chunks=(50, 60))
_case("same", "all alike", np.full((6, 9), 7, "int64"))
_case("gzip", "transposed, in gzip", smooth("float32", (6, 9), "pcodec gzip"), filters=[TransposeCodec(order=(1, 0))], compressors=[GzipCodec(level=1)])


@add(CASES, "pcodec-v2", "Zarr v2, where it is the compressor, after a filter.")
def v2(path: Path) -> Reading:
    return as_compressor(path, numcodecs.pcodec.PCodec(level=4), "pcodec")
