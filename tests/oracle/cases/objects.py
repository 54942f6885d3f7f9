"""Codecs that zarr-python does not write: numcodecs encodes the chunks, and the metadata are written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np

from registry import Case, Reading, add
from seen import Seen
from values import hard

CASES: list[Case] = []

SHAPE = (7, 4)
EDGES = ((3, 3, 1), (3, 1))
CHUNKS = (3, 3)


def _boxes(shape: tuple[int, ...], chunks: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[slice, ...]]]:
    """Coordinates of each chunk, and where it lies."""
    grid = [-(-extent // edge) for extent, edge in zip(shape, chunks, strict=True)]
    return [
        (coords, tuple(slice(at * edge, (at + 1) * edge) for at, edge in zip(coords, chunks, strict=True)))
        for coords in np.ndindex(*grid)
    ]


def _sizes(shape: tuple[int, ...], chunks: tuple[int, ...]) -> list[list[int]]:
    axes = zip(shape, chunks, strict=True)
    return [[min(edge, extent - at) for at in range(0, extent, edge)] for extent, edge in axes]


def _array(
    name: str,
    about: str,
    values: np.ndarray,
    document: dict[str, Any],
    encode: Callable[[np.ndarray], bytes],
    *,
    padding: Any,
    fill: Any,
    seen: Seen,
    known: Callable[[Any], Any] = lambda item: item,
    chunks: tuple[int, ...] = CHUNKS,
) -> None:
    """Register an array whose chunk (1, 0, …) is missing, where there is more than one along the first axis.

    `document` is its zarr.json or .zarray but for shape and chunks; what lies past the array holds `padding`;
    `known` makes of an item what the index' values hold.
    """

    @add(CASES, f"object-{name}", about, seen=seen)
    def write(path: Path) -> Reading:
        path.mkdir(parents=True)
        is_v2 = document["zarr_format"] == 2
        grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
        shaped = {"shape": values.shape} | ({"chunks": chunks} if is_v2 else {"chunk_grid": grid})
        text = json.dumps(document | shaped, indent=2) + "\n"
        (path / (".zarray" if is_v2 else "zarr.json")).write_text(text)
        expected = np.empty(values.shape, object)
        for index in np.ndindex(*values.shape):
            expected[index] = known(values[index])
        for coords, box in _boxes(values.shape, chunks):
            if coords and coords[0] == 1 and not any(coords[1:]):
                for index in np.ndindex(*expected[box].shape):
                    expected[box][index] = known(fill)
                continue
            chunk = np.full(chunks, padding, values.dtype)
            if padding is None:
                # What has no item has an empty one.
                for index in np.ndindex(*chunks):
                    chunk[index] = fill
            part = values[(*box, ...)]
            chunk[(*(slice(0, extent) for extent in part.shape), ...)] = part
            key = ".".join(map(str, coords)) or "0"
            file = path / (key if is_v2 else "/".join(["c", *map(str, coords)]))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encode(chunk))
        kept = expected if values.dtype.kind == "O" else expected.astype(values.dtype)
        return kept, _sizes(values.shape, chunks)


V3 = {
    "zarr_format": 3,
    "node_type": "array",
    "chunk_key_encoding": {"name": "default"},
    "attributes": {},
}
V2 = {"zarr_format": 2, "order": "C", "compressor": None, "filters": None, "dimension_separator": "."}
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}

# base64, alone, over other codecs and below them; lengths with no padding, one and two letters of it.

_u1 = hard("uint8", SHAPE, "base64")
_seen = Seen(np.array([9], "uint8"))


def _base64(name: str, chunks: tuple[int, ...], before: list[Any], after: list[Any]) -> None:
    def encode(chunk: np.ndarray) -> bytes:
        data: Any = chunk.tobytes()
        for codec in (*before, numcodecs.Base64(), *after):
            data = codec.encode(data)
        return bytes(data)

    def spelled(codec: Any) -> dict[str, Any]:
        settings = codec.get_config()
        return {"name": f"numcodecs.{settings.pop('id')}", "configuration": settings}

    codecs = [BYTES, *map(spelled, (*before, numcodecs.Base64(), *after))]
    document = V3 | {"data_type": "uint8", "fill_value": 9, "codecs": codecs}
    about = f"uint8 in chunks of {chunks} through base64."
    _array(name, about, _u1, document, encode, padding=0, fill=9, seen=_seen, chunks=chunks)


_base64("base64", (3, 3), [], [])
_base64("base64-padded", (2, 2), [], [])
_base64("base64-padded-twice", (7, 4), [], [])
_base64("base64-of-zlib", (3, 3), [numcodecs.Zlib(1)], [])
_base64("base64-in-lz4", (4, 4), [], [numcodecs.LZ4(), numcodecs.CRC32()])


# Objects: in .bin as JSON text, as the reader keeps them; what JSON lacks is text that starts with a NUL.


def _marked(item: Any) -> Any:
    """The item with NaN and the infinities as the reader keeps them."""
    if isinstance(item, float) and not np.isfinite(item):
        return "\0" + {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(item)]
    if isinstance(item, dict):
        return {key: _marked(value) for key, value in item.items()}
    return [_marked(value) for value in item] if isinstance(item, list) else item


def text_of(item: Any) -> str:
    """The JSON text of an item, as the reader keeps it."""
    return json.dumps(_marked(item), separators=(",", ":"), ensure_ascii=False)


def seen_objects(kept: np.ndarray) -> tuple[str, list[Any]]:
    """Items of JSON texts in JavaScript: integers beyond 2^53 as bigints, what JSON lacks as numbers."""

    def seen(item: Any) -> Any:
        if isinstance(item, str) and item.startswith("\0"):
            return {"number": item[1:]}
        if isinstance(item, int) and not isinstance(item, bool) and abs(item) > 2**53:
            return {"bigint": str(item)}
        if isinstance(item, dict):
            return {key: seen(value) for key, value in item.items()}
        return [seen(value) for value in item] if isinstance(item, list) else item

    return "Array", [seen(json.loads(text)) for text in kept.reshape(-1)]


_nan, _inf = float("nan"), float("inf")
ITEMS: list[Any] = [
    "one",
    2,
    None,
    -3.25,
    True,
    [1, [2, "drei"]],
    {"a": 1, "b": {"c": [None, False]}},
    "né😀\n\"quoted\"\\",
    "",
    [],
    {},
    2**53 + 1,
    -(2**62) - 3,
    2**64 - 1,
    0.1,
    _nan,
    [_inf, {"x": -_inf, "y": [_nan, 1]}],
    "NaN",
    "</script>\u2028",
    [[[[["deep"]]]]],
]


def _dealt(items: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    values = np.empty(shape, object)
    for nth, index in enumerate(np.ndindex(*shape)):
        values[index] = items[nth * 7 % len(items)]
    return values


def _object(
    name: str,
    codec: Any,
    items: list[Any],
    fill: Any,
    *,
    shape: tuple[int, ...] = SHAPE,
    order: str = "C",
    after: list[Any] | None = None,
    chunks: tuple[int, ...] = CHUNKS,
    given: Any = ...,
) -> None:
    """An array of objects in Zarr v2. `given` is the fill value in the .zarray where it is not `fill`."""

    def encode(chunk: np.ndarray) -> bytes:
        data = codec.encode(np.asarray(chunk, order=order))
        for item in after or []:
            data = item.encode(data)
        return bytes(data)

    document = V2 | {
        "dtype": "|O",
        "order": order,
        "fill_value": fill if given is ... else given,
        "filters": [codec.get_config()],
        "compressor": after[0].get_config() if after else None,
    }
    kept = np.empty(1, object)
    kept[0] = text_of(fill)
    seen = Seen(None if given is None else kept, view=seen_objects)
    about = f"Objects through {codec.codec_id}."
    values = _dealt(items, shape)
    _array(name, about, values, document, encode, padding=0, fill=fill, seen=seen, known=text_of, chunks=chunks)


for _codec, _items in ((numcodecs.JSON(), ITEMS), (numcodecs.MsgPack(), ITEMS)):
    _id = _codec.codec_id
    _object(_id, _codec, _items, "fill")
    _object(f"{_id}-line", _codec, _items, 0, shape=(20,), chunks=(6,), after=[numcodecs.Zlib(1)])
    _object(f"{_id}-cube", _codec, _items, {"no": [1.5]}, shape=(3, 4, 5), chunks=(2, 2, 3))
    # In Fortran's order too, lists are in the array's own; zarr-python 2 writes them so and reads them otherwise.
    _object(f"{_id}-fortran", _codec, _items, [], order="F", after=[numcodecs.Blosc("lz4")])
    _object(f"{_id}-null", _codec, [*_items, {"z": 1, "a": 2}], None, given=None)
_object("json2-spaced", numcodecs.JSON(indent=2, ensure_ascii=False, sort_keys=False), [*ITEMS, {"z": 1, "a": 2}], 1)
_object("json2-scalar", numcodecs.JSON(), [{"only": 1}], "", shape=(), chunks=())
# Python's integers have no bounds; numcodecs writes all of their digits, also in lists and beside what JSON lacks.
_integers: list[Any] = [2**70, [-(2**80), 2**64], {"n": -(2**63) - 1, "nan": _nan}, 10**18 + 1, "1" * 30, 1e22, -(2**53), "n"]
_object("json2-integers", numcodecs.JSON(), _integers, 2**65, shape=(20,), chunks=(6,))
_object("msgpack2-single", numcodecs.MsgPack(use_single_float=True), [1.5, -0.25, "a", 7], 0)


# Ragged arrays: in .bin as the little-endian numbers of each item.


def _ragged(dtype: str, **options: Any) -> None:
    codec = numcodecs.VLenArray(dtype)
    little = np.dtype(dtype).newbyteorder("<")
    items = [hard(little.name, (length,), f"vlen-array {dtype} {length}").astype(dtype) for length in (0, 3, 1, 40, 7)]
    order = options.pop("order", "C")
    compressor = options.pop("compressor", None)

    def encode(chunk: np.ndarray) -> bytes:
        data = codec.encode(np.asarray(chunk, order=order))
        return bytes(compressor.encode(data) if compressor else data)

    def view(kept: np.ndarray) -> tuple[str, list[Any]]:
        lists = [np.frombuffer(item, little).tolist() for item in kept.reshape(-1)]
        if little.name in ("int64", "uint64"):
            lists = [[{"bigint": str(number)} for number in item] for item in lists]
        return "Array", [[_number(number) for number in item] for item in lists]

    document = V2 | {
        "dtype": "|O",
        "order": order,
        "fill_value": options.pop("given", 0),
        "filters": [codec.get_config()],
        "compressor": compressor.get_config() if compressor else None,
    }
    kept = np.empty(1, object)
    kept[0] = b""
    name = f"vlen-array-{np.dtype(dtype).str.replace('<', '').replace('>', 'big-').replace('|', '')}-{order.lower()}"
    about = f"Ragged arrays of {dtype}."
    values = np.empty(SHAPE, object)
    for nth, index in enumerate(np.ndindex(*SHAPE)):
        values[index] = items[nth * 3 % len(items)]
    nothing = np.zeros(0, dtype)
    _array(
        name,
        about,
        values,
        document,
        encode,
        padding=None,
        fill=nothing,
        seen=Seen(kept if document["fill_value"] is not None else None, view=view),
        known=lambda item: np.asarray(item).astype(little).tobytes(),
    )


def _number(number: Any) -> Any:
    """A number as the index spells it where JSON lacks it."""
    if isinstance(number, float) and (not np.isfinite(number) or repr(number) == "-0.0"):
        return {"number": "-0" if number == 0 else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(number)]}
    return number


_ragged("<i4")
_ragged(">i4", order="F")
_ragged("|u1", compressor=numcodecs.LZ4(), given=None)
_ragged("<i8", order="F", compressor=numcodecs.Zlib(3))
_ragged("<f8", given="")
_ragged(">f4", compressor=numcodecs.BZ2(1))
_ragged(">u2", given=[])


# Text through the same codecs, in Zarr v3.

_texts = _dealt(["", "plain", "né😀", "\"quoted\"\\\n", "NaN", "\0", "a longer text than most"], SHAPE)
_x = np.empty(1, object)
_x[0] = "x"
for _codec in (numcodecs.JSON(), numcodecs.MsgPack()):
    _settings = _codec.get_config()
    _name = f"numcodecs.{_settings.pop('id')}"
    _codecs = [{"name": _name, "configuration": _settings}, {"name": "gzip", "configuration": {"level": 1}}]
    _array(
        f"{_codec.codec_id}-text",
        f"string through {_name} and gzip.",
        _texts,
        V3 | {"data_type": "string", "fill_value": "x", "codecs": _codecs},
        lambda chunk, codec=_codec: bytes(numcodecs.GZip(1).encode(codec.encode(chunk))),
        padding="",
        fill="x",
        seen=Seen(_x, view=lambda kept: ("Array", list(kept.reshape(-1)))),
    )


# Text as numbers of labels. zarr-python reads it of a fixed length only; see v2_filters.py.


def _categorized(name: str, labels: list[str], fill: str | None, order: str = "C", astype: str = "|u1", compressor: Any = None) -> None:
    codec = numcodecs.Categorize(labels, object, astype)

    def encode(chunk: np.ndarray) -> bytes:
        data = np.asarray(codec.encode(np.asarray(chunk, order=order))).tobytes()
        return bytes(compressor.encode(data) if compressor else data)

    def known(item: str) -> str:
        return item if item == fill else codec.decode(codec.encode(np.array([item], object)))[0]

    kept = np.array([fill], object)
    document = V2 | {
        "dtype": "|O",
        "order": order,
        "fill_value": fill,
        "filters": [codec.get_config()],
        "compressor": compressor.get_config() if compressor else None,
    }
    _array(
        f"categorize-{name}",
        f"Text as numbers of labels, as {astype}.",
        _dealt([*labels, "other"], SHAPE),
        document,
        encode,
        padding="",
        fill=fill or "",
        seen=Seen(None if fill is None else kept, view=lambda kept: ("Array", list(kept.reshape(-1)))),
        known=known,
    )


_labels = ["calm", "né", "storm", "", "😀 and so on"]
_categorized("plain", _labels, "calm")
_categorized("fortran", _labels, "no label", order="F", compressor=numcodecs.Zlib(1))
_categorized("big", _labels, None, astype=">i4", compressor=numcodecs.Blosc("lz4"))
_categorized("twice", ["a", "b", "a"], "a", astype="<u2")
_categorized("signed", _labels[::-1], "né", order="F", astype="|i1")
_categorized("none", [], "", astype="<i8")
