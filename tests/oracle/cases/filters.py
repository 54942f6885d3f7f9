"""The filters: codecs from arrays to arrays that change what items are, alone, chained, under shards and inside of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import BytesCodec, GzipCodec, ShardingCodec, TransposeCodec, numcodecs

from registry import Case, add, create
from values import hard, smooth

CASES: list[Case] = []

GRID = {"chunks": [[4, 2], [3, 3, 3]]}
BIG = {"serializer": BytesCodec(endian="big")}
TURNED = TransposeCodec(order=(1, 0))


def case(
    name: str, about: str, values: np.ndarray, filters: list[Any], part: Any = None, codecs: Any = None, **options: Any
) -> None:
    """An array of the values, or of a part of them, through filters; `codecs` are those of inner chunks."""

    @add(CASES, f"filter-{name}", about)
    def write(path: Path) -> None:
        chosen = dict(options or GRID)
        if codecs is not None:
            chosen["serializer"] = ShardingCodec(chunk_shape=chosen.pop("inner"), codecs=codecs)
        if part is None:
            create(path, values, filters=filters or None, **chosen)
            return
        array = create(path, values[:0], filters=filters or None, **chosen)
        array.resize(values.shape)
        array[part] = values[part]


def counts(dtype: str, shape: tuple[int, ...] = (6, 9)) -> np.ndarray:
    """Numbers that grow unevenly, and wrap around where they have few bits."""
    return (np.arange(np.prod(shape)) ** 2 * 7 % 113).astype(dtype).reshape(shape)


# Delta: each type, each pair of types that is met, and what sums do at the ends of a type.
for _dtype in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "float64"):
    case(f"delta-{_dtype}", f"{_dtype} as differences.", smooth(_dtype, (6, 9), "delta"), [numcodecs.Delta(dtype=_dtype)])
for _dtype in ("int64", "uint64"):
    case(f"delta-{_dtype}", f"Any {_dtype}, whose differences wrap.", hard(_dtype, (6, 9), "delta"), [numcodecs.Delta(dtype=_dtype)])
for _to, _from in {
    "i4": "i2",
    "<i8": "<i4",
    "i2": ">i4",
    "<u8": "<i8",
    "u2": "i1",
    "f4": "f8",
    "f8": "f4",
    "f2": "i4",
    "i4": "f4",
    "<u4": "<u8",
}.items():
    case(
        f"delta-{_to.strip('<>')}-{_from.strip('<>')}",
        f"Differences of {_to} stored as {_from}.",
        counts(_to.strip("<>"))[::-1],
        [numcodecs.Delta(dtype=_to, astype=_from)],
    )
case("delta-big", "Differences that the next codec stores big endian.", counts("int32"), [numcodecs.Delta(dtype="<i4")], **GRID, **BIG)
case(
    "delta-astype-big",
    "Differences whose type is spelled big endian, stored so.",
    counts("int32"),
    [numcodecs.Delta(dtype="<i4", astype=">i2")],
    **GRID,
    **BIG,
)
case("delta-transposed", "A transpose, then differences along its rows.", counts("int32"), [TURNED, numcodecs.Delta(dtype="<i4")])
case(
    "delta-gzip-turned",
    "A transpose of three axes, differences, big endian, gzip.",
    counts("int16", (4, 5, 6)),
    [TransposeCodec(order=(2, 0, 1)), numcodecs.Delta(dtype="<i2")],
    chunks=(3, 2, 4),
    compressors=[GzipCodec(level=1)],
    **BIG,
)
case("delta-signed-zero", "A negative zero in front, then others.", np.array([-0.0, -0.0, 0.0, 1.5, -0.0]), [numcodecs.Delta(dtype="f8")], chunks=(3,))
case(
    "delta-shards",
    "Shards whose inner chunks are differences; most are not stored.",
    counts("int32", (8, 9)),
    [],
    part=(slice(0, 3), slice(2, 6)),
    codecs=[numcodecs.Delta(dtype="<i4", astype="<i2"), BytesCodec(), numcodecs.Zlib(level=1)],
    chunks=(4, 6),
    inner=(2, 3),
    fill_value=-5,
)
