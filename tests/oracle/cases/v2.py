"""Zarr v2 arrays: what zarr-python writes, and what others write otherwise.

Data types, orders, separators, compressors and filters are dealt out, so that each meets several of the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np
import zarr
from zarr.dtype import VariableLengthBytes

from registry import Case, Reading, add, edit, sizes_of
from seen import Seen
from values import hard, rng

CASES: list[Case] = []

SHAPE = (7, 4)
CHUNKS = (3, 3)
Change = Callable[[dict[str, Any]], None]


def array(
    name: str,
    about: str,
    values: np.ndarray,
    fill: Any = 0,
    *,
    dtype: Any = None,
    chunks: tuple[int, ...] = CHUNKS,
    order: str = "C",
    separator: str = ".",
    compressor: Any = None,
    filters: list[Any] | None = None,
    attributes: dict[str, Any] | None = None,
    null: bool = False,
    change: Change | None = None,
    seen: bool = False,
    time_unit: tuple[str, int] | None = None,
    known: np.ndarray | None = None,
    lossy: bool = False,
    cases: list[Case] = CASES,
) -> None:
    """Register an array whose chunk (1, 0, …) is missing; `change` edits its .zarray, `null` its fill value.

    `fill` is what is then read where nothing is stored. `seen` data types are not in JavaScript what is stored.
    `known` is what must be read where it is not what was written, `lossy` that zarr-python reads it otherwise.
    """
    fill_item = np.array([fill], values.dtype)
    seen_as = Seen(None if null else fill_item, time_unit=time_unit) if seen else None

    @add(cases, f"v2-{name}", about, seen=seen_as)
    def write(path: Path) -> Reading:
        chain = [item(values.dtype.itemsize) if isinstance(item, type) else item for item in filters or []]
        stored = zarr.create_array(
            store=path,
            zarr_format=2,
            shape=values.shape,
            dtype=values.dtype if dtype is None else dtype,
            chunks=chunks,
            order=order,
            chunk_key_encoding={"name": "v2", "separator": separator},
            fill_value=None if null else fill,
            filters="auto" if values.dtype.kind in "TO" else chain or None,
            compressors=compressor,
            attributes=attributes or {},
            config={"write_empty_chunks": True},
        )
        stored[...] = values
        sizes = sizes_of(stored)
        expected = stored[...] if lossy else (values if known is None else known).copy()
        missing = path / separator.join(["1", *["0"] * (values.ndim - 1)])
        if missing.exists() and values.ndim:
            missing.unlink()
            box = (slice(chunks[0], 2 * chunks[0]), *(slice(0, edge) for edge in chunks[1:]))
            expected[box] = fill_item[0]
        if null:
            edit(path, lambda document: document.update(fill_value=None))
        if change:
            edit(path, change)
        return expected, sizes


def _dealt(items: list[Any], dtype: Any) -> np.ndarray:
    values = np.empty(SHAPE, dtype)
    for i in range(values.size):
        values.reshape(-1)[i] = items[i * 7 % len(items)]
    return values


def _random(dtype: Any, name: str) -> np.ndarray:
    dtype = np.dtype(dtype)
    return rng(name).integers(0, 256, (*SHAPE, dtype.itemsize), np.uint8).view(dtype)[..., 0]


def _numbers(dtype: str) -> np.ndarray:
    plain = np.dtype(dtype)
    if plain.kind == "c":
        parts = hard(f"float{plain.itemsize * 4}", (*SHAPE, 2), f"v2 {dtype}")
        return parts.view(f"c{plain.itemsize}")[..., 0].astype(plain)
    if plain.kind in "mM":
        return hard("int64", SHAPE, f"v2 {dtype}").astype(plain.byteorder + "i8").view(plain)
    return hard(plain.name, SHAPE, f"v2 {dtype}").astype(plain)


# How each data type is stored, in turn: compressors with the filters before them; shuffle takes the item's size.
STORED: list[tuple[str, list[Any] | None, Any]] = [
    ("no compressor", None, None),
    ("blosc with lz4", None, numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE)),
    ("zlib", None, numcodecs.Zlib(3)),
    ("gzip", None, numcodecs.GZip(2)),
    ("zstd", None, numcodecs.Zstd(3)),
    ("lz4", None, numcodecs.LZ4()),
    ("bz2", None, numcodecs.BZ2(1)),
    ("blosc with zstd and bit shuffle", None, numcodecs.Blosc("zstd", 1, numcodecs.Blosc.BITSHUFFLE)),
    ("shuffle and zlib as filters", [numcodecs.Shuffle, numcodecs.Zlib(1)], None),
    ("shuffle and fletcher32 as filters, zlib", [numcodecs.Shuffle, numcodecs.Fletcher32()], numcodecs.Zlib(1)),
    ("crc32 after zstd as filters", [numcodecs.Zstd(1), numcodecs.CRC32()], None),
]
NAMES: list[dict[str, Any] | None] = [None, {"_ARRAY_DIMENSIONS": ["y", "x"], "units": "K"}, {"nested": {"a": [1]}}]

_nan, _inf = float("nan"), float("inf")
# dtype: fill value, and the unit of times.
DTYPES: dict[str, tuple[Any, tuple[str, int] | None]] = {
    "|b1": (True, None),
    "|i1": (-7, None),
    "<i2": (-300, None),
    ">i2": (301, None),
    "<i4": (70_001, None),
    ">i4": (-70_001, None),
    "<i8": (2**62 + 3, None),
    ">i8": (-(2**53) - 1, None),
    "|u1": (200, None),
    "<u2": (65_535, None),
    ">u2": (513, None),
    "<u4": (2**32 - 2, None),
    ">u4": (16_909_060, None),
    "<u8": (2**64 - 1, None),
    ">u8": (2**53 + 1, None),
    "<f2": (1.5, None),
    ">f2": (_nan, None),
    "<f4": (_nan, None),
    ">f4": (-_inf, None),
    "<f8": (0.1, None),
    ">f8": (_inf, None),
    "<c8": (complex(1.5, _nan), None),
    ">c8": (complex(-_inf, 2), None),
    "<c16": (complex(0.1, -0.0), None),
    ">c16": (0, None),
    "<M8[ns]": (10**18 + 1, ("ns", 1)),
    ">M8[10s]": (-5, ("s", 10)),
    "<M8": (None, ("generic", 1)),
    "<m8[D]": (0, ("D", 1)),
    ">m8[25us]": (-(2**62), ("us", 25)),
}


def _plain(at: int) -> dict[str, Any]:
    """The options of the `at`-th array."""
    _, filters, compressor = STORED[at % len(STORED)]
    return {
        "filters": filters,
        "compressor": compressor,
        "order": "CF"[at // 3 % 2],
        "separator": "./"[at // 2 % 2],
        "attributes": NAMES[at % 3],
    }


def _told(at: int) -> str:
    options = _plain(at)
    return f"order {options['order']}, separator {options['separator']}, {STORED[at % len(STORED)][0]}."


for _at, (_dtype, (_fill, _unit)) in enumerate(DTYPES.items()):
    _kind = np.dtype(_dtype).kind
    if _kind in "mM":
        _fill = np.datetime64("NaT") if _fill is None else np.array([_fill], "i8").view(_dtype.replace(">", "<"))[0]
    _label = _dtype.replace("|", "").replace("<", "little-").replace(">", "big-").replace("[", "-").replace("]", "")
    _label = _label.replace("M8", "datetime").replace("m8", "timedelta")
    array(
        _label,
        f"{_dtype}, {_told(_at)}",
        _numbers(_dtype),
        _fill,
        seen=_kind in "cmM",
        time_unit=_unit,
        **_plain(_at),
    )

# Nothing in place of a fill value: zeros, or not a time.
for _at, _dtype in enumerate(("|b1", ">i2", "<i8", "<f4", ">f8")):
    _label = f"null-{np.dtype(_dtype).name}"
    array(_label, f"{_dtype} whose fill value is null, {_told(_at + 1)}", _numbers(_dtype), null=True, **_plain(_at + 1))
for _at, (_dtype, _unit) in enumerate({">c8": None, "<M8[s]": ("s", 1), ">m8[ms]": ("ms", 1)}.items()):
    _label = f"null-{np.dtype(_dtype).name.split('[')[0]}"
    _nothing = 0 if _unit is None else np.array([-(2**63)], "i8").view(_dtype.replace(">", "<"))[0]
    array(
        _label,
        f"{_dtype} whose fill value is null, {_told(_at + 4)}",
        _numbers(_dtype),
        _nothing,
        null=True,
        seen=True,
        time_unit=_unit,
        **_plain(_at + 4),
    )

# Text and bytes.
_WORDS = ["", "a", "né", "😀", "日本語", "\u202eab", "ﬁn", "Zürich", "e\u0301"]
_BYTES = [b"", b"a", b"\xff\xfe", b"\0x", b"a\0b", "né".encode(), b"\x80", b"zzzzzz"]
array("text-little", f"<U6, {_told(3)}", _dealt(_WORDS, "<U6"), "é😀", seen=True, **_plain(3))
array("text-big", f">U6, {_told(4)}", _dealt(_WORDS, ">U6"), "Zürich", seen=True, **_plain(4))
array("text-null", "<U6 whose fill value is null.", _dealt(_WORDS, "<U6"), "", null=True, seen=True, **_plain(7))
array("padded", f"|S6, {_told(5)}", _dealt(_BYTES, "S6"), b"\xffab", seen=True, **_plain(5))
array("padded-empty", f"|S6, an empty fill value, {_told(6)}", _dealt(_BYTES, "S6"), b"", seen=True, **_plain(6))
array("raw", f"|V5, {_told(1)}", _random("V5", "v2 raw"), b"abcde", seen=True, **_plain(1))
array("raw-null", f"|V5 whose fill value is null, {_told(8)}", _random("V5", "v2 r"), bytes(5), null=True, seen=True, **_plain(8))
_STRING = np.dtypes.StringDType()
_LONG = [*_WORDS, "long " * 20]
for _at, (_label, _options) in enumerate(
    {
        "plain": {},
        "blosc": {"compressor": numcodecs.Blosc("zstd")},
        "fortran": {"order": "F", "separator": "/", "compressor": numcodecs.Zstd(1)},
        "null": {"null": True, "order": "F"},
    }.items()
):
    _fill = "" if _label == "null" else "mißing 😀"
    array(f"vlen-utf8-{_label}", f"Objects through vlen-utf8, {_label}.", _dealt(_LONG, _STRING), _fill, seen=True, **_options)
    array(
        f"vlen-bytes-{_label}",
        f"Objects through vlen-bytes, {_label}.",
        _dealt(_BYTES, object),
        b"" if _label == "null" else b"\xff\0",
        dtype=VariableLengthBytes(),
        seen=True,
        **_options,
    )

# Structs.
STRUCT = np.dtype([("a", "<i2"), ("b", "<f8"), ("c", [("x", "u1"), ("y", "<c8")]), ("d", "u1")])
BIG = STRUCT.newbyteorder(">")
MIXED = np.dtype(
    [("a", ">i2"), ("b", "<f8"), ("c", [("x", "u1"), ("y", ">c8")]), ("t", ">M8[D]"), ("u", "<U2"), ("v", ">U1"), ("z", "S2")]
)
SAME = np.dtype([("re", ">f4"), ("im", ">f4")])


def _structs(dtype: np.dtype) -> np.ndarray:
    """Counting items, so that every byte of a field matters."""
    values = np.empty(SHAPE, dtype)
    for i in range(values.size):
        inner = (i, complex(i, -1 / 3))
        if dtype is SAME:
            item: Any = (i / 3, -i)
        elif dtype is MIXED:
            text = "né😀a"[i % 3 : i % 3 + 2]
            item = (i * 301, -i / 9, inner, np.datetime64(i * 401, "D"), text, text[0], b"%d" % i)
        else:
            item = (i - 3000, i / 7, inner, 255 - i)
        values.reshape(-1)[i] = item
    return values


_ONE = (1, _nan, (2, complex(_inf, -2.5)), 9)
_OTHER = (-2, 0.5, (3, 1j), np.datetime64("NaT"), "hé", "k", b"w")
array("struct", f"A struct in a struct, {_told(0)}", _structs(STRUCT), _ONE, seen=True, **_plain(0))
array("struct-big", f"Big endian, {_told(10)}", _structs(BIG), _ONE, seen=True, **_plain(10))
array("struct-mixed", "Fields of either byte order.", _structs(MIXED), _OTHER, seen=True, order="F", separator="/")
array("struct-same", "Nothing but big-endian float32.", _structs(SAME), (1.5, -2), seen=True, order="F")
array("struct-null", "A struct whose fill value is null.", _structs(STRUCT), np.zeros((), STRUCT)[()], null=True, seen=True)
array(
    "struct-unnamed",
    "A field without a name, as the gaps of aligned structs are written.",
    _structs(SAME),
    (1.5, -2),
    seen=True,
    change=lambda document: document["dtype"][0].__setitem__(0, ""),
)

# Ranks, and axes of length 0.
array("0d", "No axis: the one chunk is called 0.", np.array(42, "<i4"), 7, chunks=())
array("0d-fortran", "No axis, Fortran order, zlib.", np.array(-1.5, ">f8"), 0, chunks=(), order="F", compressor=numcodecs.Zlib(1))
array("1d-fortran", "One axis, Fortran order.", hard("int16", (11,), "v2 1d"), 5, chunks=(4,), order="F", separator="/")
_3D = hard("float32", (4, 5, 3), "v2 3d").astype(">f4")
array("3d-fortran", "Three axes, Fortran order, big endian, nested keys.", _3D, 9, chunks=(3, 2, 2), order="F", separator="/")
array("3d-whole", "One chunk that is larger than the array.", _3D, 9, chunks=(6, 5, 4), order="F", compressor=numcodecs.LZ4())
array("no-items", "An axis of length 0.", np.zeros((0, 4), "<i4"), 3)
array(
    "no-items-no-edge",
    "An axis of length 0 in chunks of length 0, as zarr-python 2 wrote them.",
    np.zeros((0, 4), "<i4"),
    3,
    change=lambda document: document.update(chunks=[0, 3]),
)

# What other writers, and zarr-python 2, put otherwise.
_PLAIN = _numbers("<i4")


def _setting(**fields: Any) -> Change:
    return lambda document: document.update(fields)


def _without(*names: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        for name in names:
            del document[name]

    return change


def _variant(name: str, about: str, dtype: str, fill: Any, change: Change, **options: Any) -> None:
    array(f"other-{name}", about, _numbers(dtype), fill, change=change, **options)


_variant("no-separator", "No dimension_separator: a dot.", "<i4", 5, _without("dimension_separator"))
_variant("no-codecs", "Neither compressor nor filters.", "<u2", 5, _without("compressor", "filters"))
_variant("empty-filters", "An empty list of filters.", ">i4", 5, _setting(filters=[]), compressor=numcodecs.Zlib(1))
_variant("extra-fields", "Fields that nobody specified.", "<f4", 5, _setting(nested=True, _nczarr_array={"dimrefs": ["/y"]}))
_variant("little-byte", 'A byte with a byte order, "<u1", as netCDF-C writes it.', "|u1", 5, _setting(dtype="<u1"))
_variant("big-byte", 'A byte with a byte order, ">i1", as jzarr writes it.', "|i1", 5, _setting(dtype=">i1"))
_variant("little-bool", '"<b1", as Zarr.jl writes it.', "|b1", False, _setting(dtype="<b1"))
_variant("bool-number", "A fill value of 1 for bool.", "|b1", True, _setting(fill_value=1))
_variant("int-text", "An integer fill value in quotes.", "<i8", -(2**53) - 1, _setting(fill_value=str(-(2**53) - 1)))
_variant("int-float", "An integer fill value with a decimal point.", "<i4", 12, _setting(fill_value=12.0))
_variant("float-text", "A floating-point fill value in quotes.", "<f4", 2.5, _setting(fill_value="2.5"))
_variant("float-bare", "A fill value of NaN without quotes.", "<f8", _nan, _setting(fill_value=_nan))
_variant(
    "names-too-few",
    "As many dimension names as an array of another rank has.",
    "<i2",
    5,
    _setting(),
    attributes={"_ARRAY_DIMENSIONS": ["x"]},
)
_variant(
    "blosc-fields",
    "blosc with fewer fields than numcodecs writes.",
    ">u4",
    5,
    _setting(compressor={"id": "blosc", "cname": "lz4", "clevel": 5}),
    compressor=numcodecs.Blosc("lz4"),
)
for _label, _given, _read in (
    ("zero", 0, "0"),
    ("number", 1.5, "1.5"),
    ("true", True, "True"),
    ("nan", _nan, "nan"),
):
    array(
        f"other-text-{_label}",
        f"vlen-utf8 with the fill value {_given}, which zarr-python reads as text.",
        _dealt(_LONG, _STRING),
        _read,
        seen=True,
        change=_setting(fill_value=_given),
    )
array(
    "other-text-compressor",
    "vlen-utf8 in the compressor's place.",
    _dealt(_LONG, _STRING),
    "ab",
    seen=True,
    change=lambda document: document.update(filters=None, compressor=document["filters"][0]),
)
array(
    "other-little-raw",
    '"<V5", a byte order that does not matter.',
    _random("V5", "v2 little raw"),
    b"abcde",
    seen=True,
    change=_setting(dtype="<V5"),
)


@add(CASES, "v2-other-no-attributes", "No .zattrs.")
def no_attributes(path: Path) -> Reading:
    array = zarr.create_array(store=path, zarr_format=2, shape=(4,), dtype="<i2", chunks=(3,), compressors=None)
    array[...] = np.arange(4)
    (path / ".zattrs").unlink()
    return np.arange(4, dtype="<i2"), sizes_of(array)


@add(CASES, "v2-other-compact", "One line of JSON, fields in another order, as JavaScript writes it.")
def compact(path: Path) -> Reading:
    array = zarr.create_array(store=path, zarr_format=2, shape=(4,), dtype="<i2", chunks=(3,), compressors=None)
    array[...] = np.arange(4)
    file = path / ".zarray"
    document = json.loads(file.read_text())
    file.write_text(json.dumps(dict(reversed(document.items())), separators=(",", ":")))
    return np.arange(4, dtype="<i2"), sizes_of(array)
