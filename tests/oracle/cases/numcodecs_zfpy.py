"""numcodecs' ZFPY, for builds with the feature zfp."""

from __future__ import annotations

from pathlib import Path

import numcodecs.zfpy
import numpy as np
import zfpy
from zarr.codecs import GzipCodec, TransposeCodec, numcodecs as v3

from cases.serializers import as_compressor, cases_of
from registry import Case, Reading, add
from values import hard, smooth

CASES: list[Case] = []

ACCURACY, PRECISION, RATE = zfpy.mode_fixed_accuracy, zfpy.mode_fixed_precision, zfpy.mode_fixed_rate

_case = cases_of(CASES, "zfpy", v3.ZFPY)

for _dtype in ("int32", "int64", "float32", "float64"):
    _values = smooth(_dtype, (6, 9), f"zfpy {_dtype}")
    _case(_dtype, "nothing lost", _values)
    _case(f"{_dtype}-hard", "any bits", hard(_dtype, (6, 9), f"zfpy hard {_dtype}"))
    _case(f"{_dtype}-precision", "so many bits", _values, {"mode": PRECISION, "precision": 9})
    _case(f"{_dtype}-rate", "so many bits of a block", _values, {"mode": RATE, "rate": 12})
for _dtype in ("float32", "float64"):
    _case(f"{_dtype}-accuracy", "this close", smooth(_dtype, (6, 9), f"zfpy {_dtype}"), {"mode": ACCURACY, "tolerance": 0.05})
_waves = np.sin(np.arange(1800) / 50).reshape(30, 60)
_case("1d", "one axis", _waves.reshape(-1), {"mode": ACCURACY, "tolerance": 1e-3}, chunks=(700,))
_case("3d", "three axes", _waves.reshape(5, 6, 60), {"mode": RATE, "rate": 6}, chunks=[[3, 2], [6], [29, 31]])
_case("4d", "four axes", _waves.reshape(3, 5, 4, 30).astype("float32"), {"mode": PRECISION, "precision": 12}, chunks=[[2, 1], [5], [4], [17, 13]])
_case("thin", "blocks with one item", _waves[0].astype("float32").reshape(60, 1, 1), {"mode": RATE, "rate": 32}, chunks=(50, 1, 1))
_case("zeros", "nothing but zeros", np.zeros((6, 9), "float64"))
_case("gzip", "transposed, in gzip", smooth("float32", (6, 9), "zfpy gzip"), filters=[TransposeCodec(order=(1, 0))], compressors=[GzipCodec(level=1)])


@add(CASES, "zfpy-v2", "Zarr v2, where it is the compressor, and items lie in a row after a filter.")
def v2(path: Path) -> Reading:
    return as_compressor(path, numcodecs.zfpy.ZFPY(), "zfpy")
