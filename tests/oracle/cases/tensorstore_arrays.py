"""Arrays that TensorStore writes, and reads: Zarr v3 and v2, with its own spellings of what others lack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tensorstore

from registry import Case, Reading, add
from seen import Seen, View
from small_floats import FORMATS
from values import hard, rng, smooth

CASES: list[Case] = []

SHAPE, CHUNKS = (7, 5, 4), (3, 3, 4)
# The box of the chunk (1, 0, 0), which is full of fill values, so that TensorStore does not store it.
MISSING = (slice(3, 6), slice(0, 3), slice(0, 4))
LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
CRC = {"name": "crc32c"}


def _codec(name: str, **configuration: Any) -> dict[str, Any]:
    return {"name": name, "configuration": configuration}


def _bits(values: np.ndarray) -> np.ndarray:
    """Types that numpy has from ml_dtypes, as unsigned integers."""
    return values if values.dtype.isbuiltin == 1 or values.dtype.fields else values.view(f"u{values.dtype.itemsize}")


def _add(
    driver: str,
    name: str,
    about: str,
    values: np.ndarray,
    metadata: dict[str, Any],
    *,
    fill: Any = 0,
    chunks: tuple[int, ...] = CHUNKS,
    view: View | None = None,
    seen: bool = False,
) -> None:
    """Register an array; `fill` is an item as numpy takes it, `view` how JavaScript sees the bits."""
    missing = values.copy()
    if values.ndim:
        missing[MISSING[: values.ndim]] = fill
    fill_item = _bits(np.array([fill], values.dtype))
    seen_as = Seen(fill_item, **({"view": view} if view else {})) if seen or view else None

    @add(CASES, f"tensorstore-{name}", about, seen=seen_as)
    def write(path: Path) -> Reading:
        spec = {"driver": driver, "kvstore": {"driver": "file", "path": f"{path}/"}, "metadata": metadata}
        tensorstore.open(spec, create=True).result().write(missing).result()
        del spec["metadata"]
        read = tensorstore.open(spec).result().read().result()
        sizes = [
            [min(edge, extent - at) for at in range(0, extent, edge)]
            for extent, edge in zip(values.shape, chunks, strict=True)
        ]
        return _bits(read), sizes


def _v3(name: str, about: str, values: np.ndarray, codecs: list[Any], **options: Any) -> None:
    fields = options.pop("fields", {})
    chunks = options.get("chunks", CHUNKS)
    _add(
        "zarr3",
        name,
        about,
        values,
        {
            "shape": list(values.shape),
            "data_type": options.pop("data_type", values.dtype.name),
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
            "codecs": codecs,
            "fill_value": options.pop("stored_fill", options.get("fill", 0)),
            **fields,
        },
        **options,
    )


# Codecs.

_CHAINS: dict[str, list[Any]] = {
    "bytes": [LITTLE],
    "big": [BIG],
    "gzip": [LITTLE, _codec("gzip", level=6)],
    "zstd": [LITTLE, _codec("zstd", level=3)],
    "crc32c": [LITTLE, CRC],
    "transpose": [_codec("transpose", order=[2, 0, 1]), LITTLE],
    "transpose-big-gzip-crc32c": [_codec("transpose", order=[1, 2, 0]), BIG, _codec("gzip", level=1), CRC],
}
for _number, (_name, _codecs) in enumerate(_CHAINS.items()):
    _values = smooth(("float32", "int16", "float64", "uint32")[_number % 4], SHAPE, _name)
    _v3(_name, f"{_values.dtype} through {_name}.", _values, _codecs, fill=_number)
for _compressor in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
    for _shuffle in ("noshuffle", "shuffle", "bitshuffle"):
        _blosc = _codec("blosc", cname=_compressor, clevel=5, shuffle=_shuffle, typesize=4, blocksize=0)
        _values = smooth("float32", (40, 30), _compressor)
        _name = f"blosc-{_compressor}-{_shuffle}"
        _v3(_name, "A block that compresses.", _values, [LITTLE, _blosc], chunks=(20, 30))

# Shards.


def _shards(shape: list[int], codecs: list[Any], index: list[Any] | None = None, at: str = "end") -> dict[str, Any]:
    index = [LITTLE, CRC] if index is None else index
    return _codec("sharding_indexed", chunk_shape=shape, codecs=codecs, index_codecs=index, index_location=at)


_SHARDS: dict[str, Any] = {
    "end": _shards([1, 3, 2], [LITTLE]),
    "start": _shards([3, 1, 2], [LITTLE, _codec("gzip", level=5)], at="start"),
    "bare-index": _shards([1, 1, 4], [LITTLE, CRC], [LITTLE], "start"),
    "big-index": _shards([1, 1, 4], [BIG], [BIG, CRC]),
    "transposed": _shards([3, 3, 2], [_codec("transpose", order=[2, 1, 0]), LITTLE, _codec("zstd", level=1)]),
    "nested": _shards([3, 3, 2], [_shards([1, 3, 1], [LITTLE], at="start")]),
}
for _name, _sharding in _SHARDS.items():
    _v3(f"shards-{_name}", "Shards, one of them missing.", hard("int32", SHAPE, _name), [_sharding], fill=-1)
_some = np.full(SHAPE, 9, "uint16")
_some[0, 4, 1] = _some[6, 0, 3] = 1
_v3("shards-sparse", "Shards of which an inner chunk or two are stored.", _some, [_SHARDS["start"]], fill=9)

# Metadata.

_v3(
    "keys",
    "Keys as in v2, names of dimensions, attributes.",
    hard("uint8", SHAPE, "keys"),
    [_codec("bytes")],
    fields={
        "chunk_key_encoding": _codec("v2", separator="/"),
        "dimension_names": ["t", None, ""],
        "attributes": {"units": "K", "nested": {"list": [1, 2.5, None]}},
    },
)
_v3(
    "dots",
    "The default keys with dots.",
    hard("int64", SHAPE, "dots"),
    [LITTLE],
    fields={"chunk_key_encoding": _codec("default", separator=".")},
    fill=2**53 + 1,
)
_v3("scalar", "No axes.", np.array(1.25, "float32"), [LITTLE], chunks=())

# Data types.

_nan, _inf = float("nan"), float("inf")
for _name, _fill, _stored in [
    ("bool", True, True),
    ("int8", -7, -7),
    ("uint64", 2**64 - 1, 2**64 - 1),
    ("float16", _inf, "Infinity"),
    ("float64", _nan, "NaN"),
]:
    _v3(f"dtype-{_name}", f"{_name} with its fill value.", hard(_name, SHAPE, _name), [LITTLE], fill=_fill, stored_fill=_stored)
for _name, _fill, _stored in [("complex64", complex(1.5, -2), [1.5, -2]), ("complex128", complex(_inf, 0), ["Infinity", 0])]:
    _parts = hard(f"float{int(_name[7:]) // 2}", (*SHAPE, 2), _name)
    _values = _parts.view(f"c{int(_name[7:]) // 8}")[..., 0]
    _v3(f"dtype-{_name}", f"{_name}.", _values, [BIG], fill=_fill, stored_fill=_stored, seen=True)


def _widened(name: str) -> View:
    return lambda bits: ("Float32Array", [FORMATS[name].value(int(item)) for item in bits.reshape(-1)])


def _signed(bits: int) -> View:
    def view(values: np.ndarray) -> tuple[str, list[Any]]:
        low = [int(value) % (1 << bits) for value in values.reshape(-1)]
        return "Int8Array", [value - (1 << bits) if value >> (bits - 1) else value for value in low]

    return view


SMALL: dict[str, tuple[float, View]] = {
    "bfloat16": (1.5, _widened("bfloat16")),
    "float8_e3m4": (-0.5, _widened("float8_e3m4")),
    "float8_e4m3b11fnuz": (-0.5, _widened("float8_e4m3b11fnuz")),
    "float8_e4m3fn": (-0.5, _widened("float8_e4m3fn")),
    "float8_e4m3fnuz": (1.5, _widened("float8_e4m3fnuz")),
    "float8_e5m2": (1.5, _widened("float8_e5m2")),
    "float8_e5m2fnuz": (-0.5, _widened("float8_e5m2fnuz")),
    "float8_e8m0fnu": (2.0, _widened("float8_e8m0fnu")),
    "float4_e2m1fn": (1.5, _widened("float4_e2m1fn")),
    "int4": (-7, _signed(4)),
    "int2": (-2, _signed(2)),
}


def _patterns(name: str) -> np.ndarray:
    """Items of any bits that the type has."""
    dtype = getattr(tensorstore, name).numpy_dtype
    bits = {"float4_e2m1fn": 4, "int4": 4, "int2": 2}.get(name, 8 * dtype.itemsize)
    patterns = rng(name).integers(0, 1 << bits, (7, 5), f"u{dtype.itemsize}")
    if name.startswith("int"):
        # In memory they are integers of eight bits.
        patterns = (patterns.astype("i1") << (8 - bits)).astype("i1") >> (8 - bits)
    return patterns.view(dtype)


for _name, (_fill, _view) in SMALL.items():
    _codecs = [LITTLE if _name == "bfloat16" else _codec("bytes")]
    _about = f"{_name}, as TensorStore spells it."
    _v3(f"dtype-{_name}", _about, _patterns(_name), _codecs, data_type=_name, fill=_fill, view=_view, chunks=CHUNKS[:2])

# Zarr v2.


def _v2(name: str, about: str, values: np.ndarray, **options: Any) -> None:
    fields = options.pop("fields", {})
    chunks = options.get("chunks", CHUNKS)
    metadata = {"shape": list(values.shape), "chunks": list(chunks), "dtype": values.dtype.str, "compressor": None}
    fill = options.get("fill", 0)
    _add("zarr", f"v2-{name}", about, values, metadata | {"fill_value": fill} | fields, **options)


_AUTO = {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": -1, "blocksize": 0}
for _name, _dtype, _fields in [
    ("raw", "<i4", {}),
    ("fortran", ">f8", {"order": "F"}),
    ("slashes", "|u1", {"dimension_separator": "/"}),
    ("slashes-fortran-zlib", "<u2", {"dimension_separator": "/", "order": "F", "compressor": {"id": "zlib", "level": 4}}),
    ("gzip", ">i2", {"compressor": {"id": "gzip", "level": 4}}),
    ("bz2", "<f4", {"compressor": {"id": "bz2", "level": 2}}),
    ("zstd", "<i8", {"compressor": {"id": "zstd", "level": 4}}),
    ("blosc", "<f4", {"compressor": _AUTO}),
    ("blosc-bytes", "|i1", {"compressor": {**_AUTO, "cname": "zstd"}}),
    ("bool", "|b1", {"fill_value": True}),
]:
    _values = hard(np.dtype(_dtype).name, SHAPE, _name).astype(_dtype)
    _v2(_name, f"{_dtype} in Zarr v2.", _values, fields=_fields, fill=_fields.get("fill_value", 3))
for _name in ("bfloat16", "float8_e5m2", "float8_e4m3fn", "int4"):
    _fill, _view = SMALL[_name]
    _v2(
        _name,
        f"{_name} in Zarr v2, TensorStore's own spelling.",
        _patterns(_name),
        fields={"dtype": _name, "compressor": _AUTO},
        fill=_fill,
        view=_view,
        chunks=CHUNKS[:2],
    )
