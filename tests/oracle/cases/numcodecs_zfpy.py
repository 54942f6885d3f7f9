"""numcodecs' ZFPY, for builds with the feature zfp."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numcodecs
import numcodecs.zfpy
import numpy as np
import zfpy
from zarr.codecs import GzipCodec, TransposeCodec, numcodecs as v3

from registry import Case, Reading, add, create
from values import hard, smooth

CASES: list[Case] = []

CHUNKS = [[4, 2], [3, 3, 3]]
ACCURACY, PRECISION, RATE = zfpy.mode_fixed_accuracy, zfpy.mode_fixed_precision, zfpy.mode_fixed_rate


def _case(name: str, about: str, values: np.ndarray, configuration: dict[str, Any] | None = None, **options: Any) -> None:
    options.setdefault("chunks", CHUNKS)

    @add(CASES, f"zfpy-{name}", f"{values.dtype.name} through numcodecs.zfpy, {about}.")
    def write(path: Path) -> None:
        create(path, values, serializer=v3.ZFPY(**(configuration or {})), **options)


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
    values = smooth("int32", (6, 9), "zfpy v2")
    codec, delta = numcodecs.zfpy.ZFPY(), numcodecs.Delta("<i4")
    path.mkdir(parents=True)
    document = {
        "zarr_format": 2,
        "shape": [6, 9],
        "chunks": [6, 5],
        "dtype": "<i4",
        "order": "F",
        "fill_value": 3,
        "filters": [delta.get_config()],
        "compressor": codec.get_config(),
    }
    (path / ".zarray").write_text(json.dumps(document, indent=2) + "\n")
    for at in (0, 1):
        chunk = np.zeros((6, 5), "<i4")
        part = values[:, 5 * at : 5 * at + 5]
        chunk[:, : part.shape[1]] = part
        (path / f"0.{at}").write_bytes(codec.encode(delta.encode(chunk.reshape(-1, order="F"))))
    return values, [[6], [5, 4]]
