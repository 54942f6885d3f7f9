"""The filters: codecs from arrays to arrays that change what items are, alone, chained, under shards and inside of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import BytesCodec, CastValue, GzipCodec, ScaleOffset, ShardingCodec, TransposeCodec, numcodecs

from registry import Case, Reading, add, create, edit, sizes_of
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

# What calculates: the encoded type where it is a float, else float64.
REAL = np.linspace(-3, 300, 54).reshape(6, 9)
for _name, _to, _settings in (
    ("f8-u2", "float64", {"offset": -3, "scale": 10, "dtype": "<f8", "astype": "<u2"}),
    ("f4-u1", "float32", {"offset": -3.5, "scale": 0.8, "dtype": "<f4", "astype": "u1"}),
    ("f4-f4", "float32", {"offset": 0.1, "scale": 7, "dtype": "f4"}),
    ("f2-f2", "float16", {"offset": 0.1, "scale": 1.7, "dtype": "f2"}),
    ("f4-f8", "float32", {"offset": 1, "scale": 3, "dtype": "f4", "astype": "f8"}),
    ("f8-f4", "float64", {"offset": 1000, "scale": 3, "dtype": "f8", "astype": "f4"}),
    ("i4-u1", "int32", {"offset": -3, "scale": 0.3, "dtype": "<i4", "astype": "|u1"}),
    ("i8-i8", "int64", {"offset": 2**40, "scale": 3, "dtype": "<i8"}),
    ("untold", "float64", {"offset": 0, "scale": 1000, "astype": ">i4"}),
):
    case(
        f"fixedscaleoffset-{_name}",
        f"{_to} through {_settings}.",
        REAL.astype(_to),
        [numcodecs.FixedScaleOffset(**_settings)],
    )
case(
    "fixedscaleoffset-turned-big",
    "Scaled items in another order of axes, stored big endian.",
    REAL,
    [TURNED, numcodecs.FixedScaleOffset(offset=-3, scale=10, dtype="f8", astype="i2")],
    **GRID,
    **BIG,
)
case(
    "fixedscaleoffset-delta",
    "Scaled to integers, whose differences are stored: the usual pair.",
    REAL,
    [numcodecs.FixedScaleOffset(offset=-3, scale=10, dtype="f8", astype="i4"), numcodecs.Delta(dtype="i4", astype="i2")],
)
case(
    "fixedscaleoffset-shards",
    "Scaled inside of shards; missing inner chunks are the fill value.",
    REAL[:, :8],
    [],
    part=(slice(1, 3), slice(0, 3)),
    codecs=[numcodecs.FixedScaleOffset(offset=-3, scale=10, dtype="f8", astype="u2"), BytesCodec()],
    chunks=(4, 4),
    inner=(2, 2),
    fill_value=-1.25,
)

for _to, _from in (("f8", "f4"), ("f4", "f8"), ("f4", "f2"), ("i4", "i8"), ("i2", "u1"), ("u4", "i8"), ("f8", "i2"), ("i2", "f4")):
    case(f"astype-{_to}-{_from}", f"{_to} stored as {_from}.", REAL[::-1].astype(_to) % 120, [numcodecs.AsType(encode_dtype=_from, decode_dtype=_to)])
case("astype-f4-i8", "Integers of 64 bits rounded once to 24 digits.", hard("int64", (6, 9), "astype").astype("f4"), [numcodecs.AsType(encode_dtype="i8", decode_dtype="f4")])
case("astype-u8-i8", "Integers of 64 bits that wrap.", hard("uint64", (6, 9), "astype"), [numcodecs.AsType(encode_dtype="i8", decode_dtype="u8")])
case("astype-bool", "Truths stored as int16.", counts("int16") % 3 == 0, [numcodecs.AsType(encode_dtype="i2", decode_dtype="bool")], **GRID, **BIG)
case("astype-turned", "Cast, then in another order of axes.", REAL, [numcodecs.AsType(encode_dtype="f4", decode_dtype="f8"), TURNED], **GRID, **BIG)
for _encoded, _fill in (("i2", 7), ("i1", 300)):
    # The fill value is cast as numpy casts, to what a missing inner chunk of a shard then holds.
    case(
        f"astype-outside-shards-{_encoded}",
        f"Shards of {_encoded} behind an int32; missing inner chunks hold the fill value as that.",
        counts("int32", (8, 6)),
        [numcodecs.AsType(encode_dtype=_encoded, decode_dtype="i4")],
        part=(slice(0, 3), slice(2, 4)),
        codecs=[BytesCodec()],
        chunks=(4, 6),
        inner=(2, 3),
        fill_value=_fill,
    )

for _dtype, _digits in (("f8", 2), ("f4", 1), ("f2", 0)):
    case(f"quantize-{_dtype}", f"{_dtype} of {_digits} digits.", REAL.astype(_dtype), [numcodecs.Quantize(digits=_digits, dtype=_dtype)])
for _dtype, _bits in (("f2", 4), ("f4", 9), ("f8", 0), ("f8", 52)):
    case(f"bitround-{_dtype}-{_bits}", f"{_bits} bits of the mantissa of {_dtype}.", REAL.astype(_dtype), [numcodecs.BitRound(keepbits=_bits)])

TRUTHS = counts("int16", (6, 9)) % 3 == 0
case("numcodecs-packbits", "Eight truths in a byte, in chunks of 6 to 12.", TRUTHS, [numcodecs.PackBits()])
case("numcodecs-packbits-whole", "Chunks that fill their bytes.", TRUTHS, [numcodecs.PackBits()], chunks=(4, 4))
case("numcodecs-packbits-turned", "In another order of axes.", TRUTHS, [TURNED, numcodecs.PackBits()], chunks=(4, 5), compressors=[GzipCodec(level=1)])
case("numcodecs-packbits-0d", "One truth.", np.array(True), [numcodecs.PackBits()], chunks=())
case(
    "numcodecs-packbits-shards",
    "Truths packed inside of shards, missing ones true.",
    TRUTHS[:, :8],
    [],
    part=(slice(0, 2), slice(0, 3)),
    codecs=[numcodecs.PackBits(), BytesCodec()],
    chunks=(4, 4),
    inner=(2, 4),
    fill_value=True,
)

# The registered filters.
for _name, _dtype, _fill, _settings in (
    ("i4", "int32", 4, {"offset": 1, "scale": 3}),
    ("i4-down", "int32", 4, {"offset": -1, "scale": -3}),
    ("u8", "uint64", 2**63, {"offset": 2**63 - 9}),
    ("i8", "int64", -(2**62), {"offset": -(2**62), "scale": 2**40}),
    ("u1", "uint8", 0, {}),
    ("f8", "float64", 1.5, {"offset": 0.1, "scale": 3.7}),
    ("f4", "float32", float("nan"), {"offset": 0.1, "scale": 3.7}),
    ("f2", "float16", 2.5, {"offset": 0.1, "scale": 1.7}),
):
    _start = {"uint64": 2**63, "int64": -(2**62)}.get(_dtype, 0)
    case(
        f"scale-offset-{_name}",
        f"{_dtype} through {_settings}, shards with missing inner chunks inside.",
        (REAL[:, :8] if _dtype[0] == "f" else counts("int8", (6, 8))).astype(_dtype) + np.array(_start, _dtype),
        [ScaleOffset(**_settings)],
        part=(slice(0, 3), slice(2, 5)),
        codecs=[BytesCodec()],
        chunks=(4, 4),
        inner=(2, 2),
        fill_value=_fill,
    )

ROUNDINGS = ("nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away")
NEAR = (np.arange(54).reshape(6, 9) - 20) / 4
for _rounding in ROUNDINGS:
    case(
        f"cast-value-{_rounding}",
        f"Floats stored as they are, read as int16 {_rounding}.",
        NEAR.astype("int16"),
        [CastValue(data_type="float64", rounding=_rounding)],
        fill_value=3,
    )
for _name, _dtype, _settings, _fill in (
    ("f8-f4", "float64", {"data_type": "float32"}, 1.5),
    ("f4-f8", "float32", {"data_type": "float64"}, 1.5),
    ("f8-u1-clamp", "float64", {"data_type": "uint8", "out_of_range": "clamp"}, 1000.0),
    ("i4-u1-wrap", "int32", {"data_type": "uint8", "out_of_range": "wrap"}, -1),
    ("f8-u2-map", "float64", {"data_type": "uint16", "scalar_map": {"encode": [["NaN", 0]], "decode": [[0, "NaN"], [7, -0.5]]}}, float("nan")),
    ("i8-f8", "int64", {"data_type": "float64"}, 2**53),
    ("f4-i4", "float32", {"data_type": "int32", "rounding": "towards-zero"}, 2.0),
):
    case(
        f"cast-value-{_name}",
        f"{_dtype} through {_settings}, shards with missing inner chunks inside.",
        (np.abs(NEAR[:, :8]) * 16).round().astype(_dtype),
        [CastValue(**_settings)],
        part=(slice(0, 3), slice(2, 5)),
        codecs=[BytesCodec(endian="big")],
        chunks=(4, 4),
        inner=(2, 2),
        fill_value=_fill,
    )
case(
    "scale-offset-cast-value",
    "The registered pair that packs floats, turned in between, with a table for NaN.",
    np.where(TRUTHS, np.nan, NEAR),
    [
        ScaleOffset(offset=-10, scale=4.0),
        TURNED,
        CastValue(data_type="uint8", scalar_map={"encode": [["NaN", 255]], "decode": [[255, "NaN"]]}),
    ],
    fill_value=float("nan"),
    **GRID,
)


def rewritten(
    name: str, about: str, values: np.ndarray, codecs: list[Any], encode: Callable[[np.ndarray], bytes], known: Any = None
) -> None:
    """An array whose codecs zarr-python lacks: its chunks, of (4, 5), are encoded here."""

    @add(CASES, f"filter-{name}", about)
    def write(path: Path) -> Reading:
        fill = values.dtype.type(1)
        array = zarr.create_array(path, shape=values.shape, dtype=values.dtype, chunks=(4, 5), fill_value=fill)
        sizes = sizes_of(array)
        edit(path, lambda document: document.update(codecs=codecs))
        padded = np.full((8, 10), fill)
        padded[:6, :9] = values
        for row, column in ((0, 0), (0, 1), (1, 0)):
            file = path / f"c/{row}/{column}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encode(padded[4 * row : 4 * row + 4, 5 * column : 5 * column + 5]))
        expected = values.copy() if known is None else known(values)
        expected[4:, 5:] = fill
        return expected, sizes


def named(name: str, **configuration: Any) -> dict[str, Any]:
    return {"name": name, "configuration": configuration}


LITTLE = named("bytes", endian="little")
for _name, _shape in {"joined": [[0, 1]], "split": [2, 2, [1]], "rest": [-1, 2], "axes": [1, [0], [], [1]]}.items():
    rewritten(
        f"reshape-{_name}",
        f"Chunks of (4, 5) reshaped to {_shape}.",
        counts("int16"),
        [named("reshape", shape=_shape), LITTLE],
        lambda chunk: chunk.tobytes(),
    )
rewritten(
    "reshape-between-transposes",
    "A transpose, another shape, and a transpose of that, stored big endian.",
    counts("int16"),
    [
        named("transpose", order=[1, 0]),
        named("reshape", shape=[5, 2, 2]),
        named("transpose", order=[2, 0, 1]),
        named("bytes", endian="big"),
    ],
    lambda chunk: chunk.T.reshape(5, 2, 2).transpose(2, 0, 1).astype(">i2").tobytes(),
)
rewritten(
    "bitround-registered",
    "The registered name, of integers.",
    counts("int32") & ~7,
    [named("bitround", keepbits=4), LITTLE],
    lambda chunk: chunk.tobytes(),
)
rewritten(
    "quantize-f8-f4",
    "Floats stored as shorter ones, which zarr-python writes and cannot read.",
    REAL,
    [named("numcodecs.quantize", digits=2, dtype="<f8", astype="<f4"), LITTLE],
    lambda chunk: bytes(numcodecs.Quantize(digits=2, dtype="<f8", astype="<f4")._codec.encode(chunk)),
    lambda values: numcodecs.Quantize(digits=2, dtype="<f8", astype="<f4")._codec.encode(values).astype("f8"),
)


def stored(name: str, about: str, values: np.ndarray, data_type: str, filters: list[dict[str, Any]]) -> None:
    """An array of another type, before which filters were put afterwards: what they decode is any number."""

    @add(CASES, f"filter-{name}", about)
    def write(path: Path) -> None:
        create(path, values, chunks=(4,), serializer=BytesCodec(endian="little"), fill_value=0)
        fill = False if data_type == "bool" else 0
        change = {"data_type": data_type, "fill_value": fill}
        edit(path, lambda document: document.update(change, codecs=[*filters, *document["codecs"]]))


# Ties, numbers between the largest and what would be next, subnormal ones, and none at all.
EDGES = np.array(
    [0.0, -0.0, np.nan, np.inf, -np.inf, 1 + 2**-24, -1 - 2**-24, 1 + 3 * 2**-24, 1 + 2**-40, 1e-46, -1e-46, 1e-40]
    + [2**-25, 3 * 2**-26, 2049, 2051, -2049, 65519.9, 65520, 1e5, 3.4028235677973366e38, -1e39, 1e300, 5e-324, 0.5, -1.5]
)
WHOLE = np.array([0, 1, -1, 2**24 + 1, 2**24 + 3, -(2**24) - 1, 2**60 + 2**36 + 1, 2**53 + 1, 2**63 - 1, -(2**63), 2049, 65519, 65520])
for _rounding in ROUNDINGS:
    for _type in ("float16", "float32"):
        stored(
            f"cast-value-edges-{_type}-{_rounding}",
            f"Floats read as {_type} {_rounding}, infinite where they are too large.",
            EDGES,
            _type,
            [named("cast_value", data_type="float64", rounding=_rounding, out_of_range="clamp")],
        )
        stored(
            f"cast-value-whole-{_type}-{_rounding}",
            f"Integers read as {_type} {_rounding}.",
            WHOLE,
            _type,
            [named("cast_value", data_type="int64", rounding=_rounding, **({"out_of_range": "clamp"} if _type == "float16" else {}))],
        )
for _type in ("int8", "uint8", "int32", "uint32", "int64", "uint64"):
    stored(
        f"cast-value-clamp-{_type}",
        f"Floats read as {_type}, at its ends where they are beyond.",
        EDGES[np.isfinite(EDGES)],
        _type,
        [named("cast_value", data_type="float64", out_of_range="clamp")],
    )
    stored(
        f"cast-value-wrap-{_type}",
        f"Integers read as {_type}, wrapped where they are beyond.",
        WHOLE,
        _type,
        [named("cast_value", data_type="int64", out_of_range="wrap")],
    )
stored(
    "cast-value-zeros",
    "A table whose zero stands for both zeros, and whose first entry of two counts.",
    EDGES[:4],
    "int16",
    [named("cast_value", data_type="float64", scalar_map={"decode": [[0, 7], ["NaN", -9], ["Infinity", 5]]})],
)
for _type in ("float16", "float32", "float64"):
    stored(
        f"astype-edges-{_type}", f"Any float as {_type}.", EDGES, _type, [named("numcodecs.astype", encode_dtype="<f8")]
    )
    stored(
        f"astype-whole-{_type}", f"Any integer as {_type}.", WHOLE, _type, [named("numcodecs.astype", encode_dtype="<i8")]
    )
stored(
    "astype-whole-bool", "Any integer as a truth.", WHOLE, "bool", [named("numcodecs.astype", encode_dtype="<i8", decode_dtype="bool")]
)


def packed(chunk: np.ndarray, first: int, last: int, padding: str) -> bytes:
    """The registered packbits, by its definition."""
    size = chunk.dtype.itemsize
    bits = np.unpackbits(chunk.reshape(-1, 1).view("u1").reshape(-1, size), axis=1, bitorder="little")
    data = bits[:, first : last + 1].ravel()
    left = bytes([-data.size % 8])
    data = np.packbits(data, bitorder="little").tobytes()
    return (left if padding == "first_byte" else b"") + data + (left if padding == "last_byte" else b"")


for _name, _values, _first, _last, _padding in (
    ("bool", TRUTHS, 0, 0, "none"),
    ("bool-first", TRUTHS, 0, 0, "first_byte"),
    ("u2-12", counts("uint16"), 0, 11, "last_byte"),
    ("u1-middle", counts("uint8") & 0b111100, 2, 5, "none"),
    ("i2-signed", counts("int16") - 60, 0, 7, "first_byte"),
    ("i8-63", counts("int64") - 60, 0, 62, "none"),
    ("f4-whole", REAL.astype("f4"), 0, 31, "first_byte"),
    ("f8-high", REAL.astype("f4").astype("f8"), 29, 63, "none"),
):
    rewritten(
        f"packbits-{_name}",
        f"Bits {_first} to {_last} of {_values.dtype}, bits left over: {_padding}.",
        _values,
        [named("packbits", padding_encoding=_padding) | ({} if _values.dtype == bool else named("packbits", padding_encoding=_padding, first_bit=_first, last_bit=_last))],
        lambda chunk, _first=_first, _last=_last, _padding=_padding: packed(chunk, _first, _last, _padding),
    )
