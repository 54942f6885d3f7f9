"""Chunks and configurations of numcodecs' ZFPY that cannot be right, for builds with the feature zfp."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numcodecs.zfpy
import numpy as np
from zarr.codecs import numcodecs as v3

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken, Document, metadata
from broken.chunks import BAD_KEY, VALUES
from registry import create
from selections import result

CASES: list[Broken] = []


def _chunk(name: str, about: str, change: Callable[[bytes], bytes], *mentions: str) -> None:
    """Add a case whose chunk of 4 by 3 int32 is changed."""

    def write(path: Path) -> dict[str, Any]:
        create(path, VALUES, chunks=[[2, 4], [3, 5]], serializer=v3.ZFPY())
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(VALUES, [None, {"slice": [3, None, None]}])

    fields = {"codec": "numcodecs.zfpy", "keySuffix": BAD_KEY}
    CASES.append(Broken(f"zfpy-{name}", about, CODEC, write, ("int32 items of shape [4, 3]", *mentions), fields))


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


def _settings(name: str, about: str, error: str, mention: str, configuration: dict[str, Any], **fields: Any) -> None:
    def change(document: Document) -> None:
        document.update(fields)
        document["codecs"] = [{"name": "numcodecs.zfpy", "configuration": configuration}]

    where = "/codecs/0" if error == INVALID else None
    metadata(CASES, f"zfpy-{name}", about, error, change, mention, prefix=where)


_settings("field", "A field that numcodecs does not have.", UNSUPPORTED, "x_window", {"x_window": 3})
_settings("unsigned", "Items without a sign.", INVALID, "uint32", {}, data_type="uint32")
_settings("bool", "Truths.", INVALID, "bool", {}, data_type="bool", fill_value=False)
