"""Chunks of json2, msgpack2, vlen-array and base64 that do not hold what they should, and metadata that cannot be met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgpack
import numcodecs
import numpy as np

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken
from broken.base import metadata as document
from broken.chunks import BAD_KEY
from selections import result

CASES: list[Broken] = []

VALUES = np.array([[f"{i}{j}" for j in range(8)] for i in range(6)], object)
EDGES = ((2, 4), (3, 5))
TEXT = {"data_type": "string", "fill_value": ""}


def _chunk(codec: Any, name: str, about: str, chunk: bytes, *mentions: str, error: str = CODEC) -> None:
    """Add a case of text whose chunk (1, 0), of shape (4, 3), is this."""
    settings = codec.get_config()
    full = f"numcodecs.{settings.pop('id')}"

    def write(path: Path) -> dict[str, Any]:
        shapes = {"kind": "inline", "chunk_shapes": [list(axis) for axis in EDGES]}
        zarr = {
            "zarr_format": 3,
            "node_type": "array",
            "shape": VALUES.shape,
            **TEXT,
            "chunk_grid": {"name": "rectilinear", "configuration": shapes},
            "chunk_key_encoding": {"name": "default"},
            "codecs": [{"name": full, "configuration": settings}],
        }
        path.mkdir(parents=True)
        (path / "zarr.json").write_text(json.dumps(zarr) + "\n")
        for i, rows in enumerate((slice(0, 2), slice(2, 6))):
            for j, columns in enumerate((slice(0, 3), slice(3, 8))):
                file = path / "c" / str(i) / str(j)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(codec.encode(VALUES[rows, columns]))
        (path / BAD_KEY).write_bytes(chunk)
        return result(VALUES, [None, {"slice": [3, None, None]}])

    short = full.removeprefix("numcodecs.")
    fields = {"codec": full, "keySuffix": BAD_KEY, "coords": [1, 0]} if error == CODEC else {}
    CASES.append(Broken(f"chunk-{short}-{name}", about, error, write, (BAD_KEY, full, *mentions), fields))


ROWS = VALUES[2:6, 0:3].tolist()
GOOD = [*ROWS, "|O", [4, 3]]
LISTS: dict[str, tuple[str, Any, tuple[str, ...]]] = {
    "no-items": ("A list of nothing.", [], ("0", "4")),
    "short": ("A row too few.", [*ROWS[:3], "|O", [4, 3]], ()),
    "long": ("A row too many.", [*ROWS, ROWS[0], "|O", [4, 3]], ()),
    "ragged": ("A row of one item more.", [*ROWS[:3], [*ROWS[3], "x"], "|O", [4, 3]], ("more",)),
    "flat": ("Items without rows.", [item for row in ROWS for item in row] + ["|O", [12]], ()),
    "other-shape": ("Another shape than its items have.", [*ROWS, "|O", [3, 4]], ("shape",)),
    "huge-shape": ("A shape beyond any memory.", [*ROWS, "|O", [2**62, 3]], ("shape",)),
    "no-shape": ("No shape.", [*ROWS, "|O"], ("shape",)),
    "after": ("More after the shape.", [*GOOD, 1], ("more",)),
    "number": ("A number among text.", [[1, "a", "b"], *ROWS[1:], "|O", [4, 3]], ("text",)),
    "list": ("A list among text.", [[["x"], "a", "b"], *ROWS[1:], "|O", [4, 3]], ("text",)),
    "mapping": ("A mapping, not a list.", {"a": 1}, ("list",)),
}
for _name, (_about, _list, _mentions) in LISTS.items():
    _chunk(numcodecs.JSON(), _name, _about, json.dumps(_list).encode(), *_mentions)
    _chunk(numcodecs.MsgPack(), _name, _about, msgpack.packb(_list), *_mentions)
for _codec, _good in ((numcodecs.JSON(), json.dumps(GOOD).encode()), (numcodecs.MsgPack(), msgpack.packb(GOOD))):
    _chunk(_codec, "cut", "Cut in its middle.", _good[: len(_good) // 2])
    _chunk(_codec, "empty", "No bytes.", b"")
    _chunk(_codec, "trailing", "Bytes after the list.", _good + b"1")
_chunk(numcodecs.JSON(), "deep", "100000 lists in lists.", b"[" * 100_000, "text")
_chunk(numcodecs.JSON(), "latin", "Latin 1.", json.dumps(GOOD).encode().replace(b"20", b"\xe9"))
_chunk(numcodecs.MsgPack(), "deep", "100000 lists in lists.", b"\x91" * 100_000)
for _name, _item in (("bytes", b"a"), ("extension", msgpack.ExtType(7, b"ab")), ("time", msgpack.Timestamp(1, 2))):
    _list = msgpack.packb([[_item, "b", "c"], *ROWS[1:], "|O", [4, 3]])
    _about, _mention = f"An item that JSON has nothing for: {_name}.", "bytes" if _name == "bytes" else "extension"
    _chunk(numcodecs.MsgPack(), _name, _about, _list, _mention, error=UNSUPPORTED)
_chunk(numcodecs.MsgPack(), "claim", "A list of 2^32 - 1.", b"\xdd\xff\xff\xff\xff")
_chunk(numcodecs.MsgPack(), "claim-text", "Text of 2^32 - 1 bytes.", b"\x96\x93\xdb\xff\xff\xff\xffab")


class Old:
    """The codecs json and msgpack of numcodecs 0.5, whose lists end with the name of the type."""

    def __init__(self, codec_id: str) -> None:
        self.codec_id = codec_id

    def get_config(self) -> dict[str, Any]:
        return {"id": self.codec_id, "encoding": "utf-8"}

    def packed(self, items: Any) -> bytes:
        return json.dumps(items).encode() if self.codec_id == "json" else msgpack.packb(items)

    def encode(self, values: np.ndarray) -> bytes:
        return self.packed([*values.tolist(), "|O"])


for _old in (Old("json"), Old("msgpack")):
    for _name, (_about, _list, _mentions) in {
        "no-items": ("A list of nothing.", [], ("0", "4")),
        "short": ("A row too few.", [*ROWS[:3], "|O"], ()),
        "long": ("A row too many.", [*ROWS, ROWS[0], "|O"], ("more",)),
        "ragged": ("A row of one item more.", [*ROWS[:3], [*ROWS[3], "x"], "|O"], ("more",)),
        "flat": ("Items without rows.", [*(item for row in ROWS for item in row), "|O"], ()),
        "no-type": ("No type.", ROWS, ("type",)),
        "shape": ("A shape, which json2 and msgpack2 have.", GOOD, ("more",)),
        "number": ("A number among text.", [[1, "a", "b"], *ROWS[1:], "|O"], ("text",)),
    }.items():
        _chunk(_old, _name, _about, _old.packed(_list), *_mentions)
    _chunk(_old, "trailing", "Bytes after the list.", _old.packed([*ROWS, "|O"]) + b"1")
    _chunk(_old, "cut", "Cut in its middle.", _old.packed([*ROWS, "|O"])[:20])


def _open(name: str, about: str, error: str, codecs: list[Any], *mentions: str, **types: Any) -> None:
    def change(zarr: dict[str, Any]) -> None:
        zarr.update(TEXT | types, codecs=codecs)

    document(CASES, f"objects-{name}", about, error, change, *mentions, prefix="/codecs" if error == INVALID else None)


def _codec(name: str, **settings: Any) -> list[Any]:
    return [{"name": f"numcodecs.{name}", "configuration": settings}]


NUMBERS = {"data_type": "int32", "fill_value": 0}
_open("json2-encoding", "JSON in UTF-16.", UNSUPPORTED, _codec("json2", encoding="utf-16"), "utf-16")
_open("json-encoding", "JSON in UTF-16.", UNSUPPORTED, _codec("json", encoding="utf-16"), "JSON", "utf-16")
_open("msgpack-encoding", "MessagePack in Latin 1.", UNSUPPORTED, _codec("msgpack", encoding="latin-1"), "MessagePack", "latin-1")
_open("msgpack-field", "A field of msgpack2.", UNSUPPORTED, _codec("msgpack", raw=False), "raw")
_open("json2-field", "An unknown field.", UNSUPPORTED, _codec("json2", x_field=1), "x_field")
_open("json2-numbers", "Numbers as JSON.", INVALID, _codec("json2"), "int32", **NUMBERS)
_open("msgpack2-raw", "MessagePack as raw bytes.", UNSUPPORTED, _codec("msgpack2", raw=True), "raw")
_open("vlen-array-text", "Ragged text.", INVALID, _codec("vlen-array", dtype="<i4"), "string")
_open("vlen-array-dtype", "Ragged objects.", INVALID, _codec("vlen-array", dtype="|O"), "|O")
_open("vlen-array-none", "Ragged anything.", INVALID, _codec("vlen-array"), "dtype")
_open("pickle", "A pickle.", UNSUPPORTED, _codec("pickle", protocol=5), "pickle", "Python")
_open("base64-field", "An unknown field.", UNSUPPORTED, ["vlen-utf8", *_codec("base64", x_field=1)], "x_field")
