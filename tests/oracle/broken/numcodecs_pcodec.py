"""Chunks and configurations of numcodecs' PCodec that cannot be right, for builds with the feature of that name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numcodecs.pcodec
import numpy as np
from zarr.codecs import numcodecs as v3

from broken.base import CODEC, INVALID, UNSUPPORTED, Broken, Document, metadata
from broken.chunks import BAD_KEY, VALUES
from registry import create
from selections import result

CASES: list[Broken] = []


def _chunk(name: str, about: str, change: Callable[[bytes], bytes], *mentions: str) -> None:
    """Add a case whose first chunk, of 12 int32, is changed."""

    def write(path: Path) -> dict[str, Any]:
        create(path, VALUES, chunks=[[2, 4], [3, 5]], serializer=v3.PCodec())
        file = path / BAD_KEY
        file.write_bytes(change(file.read_bytes()))
        return result(VALUES, [None, {"slice": [3, None, None]}])

    fields = {"codec": "numcodecs.pcodec", "keySuffix": BAD_KEY}
    CASES.append(Broken(f"pcodec-{name}", about, CODEC, write, mentions, fields))


def _other(values: np.ndarray) -> Callable[[bytes], bytes]:
    return lambda _: bytes(numcodecs.pcodec.PCodec().encode(values))


_numbers = np.arange(12, dtype="<i4")
_chunk("empty", "No bytes.", lambda _: b"", "12 items")
_chunk("magic", "Bytes of something else.", lambda data: b"abcd" + data[4:], "12 items")
_chunk("cut", "A chunk that is cut.", lambda data: data[:-5], "12 items")
_chunk("fewer", "Too few items.", _other(_numbers[:11]), "11 items")
_chunk("more", "Too many items.", _other(np.arange(13, dtype="<i4")), "more")
_chunk("type", "Items of another type.", _other(_numbers.astype("<f4")), "12 items")


def _settings(name: str, about: str, error: str, mention: str, configuration: dict[str, Any], **fields: Any) -> None:
    def change(document: Document) -> None:
        document.update(fields)
        document["codecs"] = [{"name": "numcodecs.pcodec", "configuration": configuration}]

    where = "/codecs/0" if error == INVALID else None
    metadata(CASES, f"pcodec-{name}", about, error, change, mention, prefix=where)


_settings("field", "A field that numcodecs does not have.", UNSUPPORTED, "x_window", {"x_window": 3})
_settings("bytes", "Items of a byte.", INVALID, "uint8", {}, data_type="uint8")
_settings("bool", "Truths.", INVALID, "bool", {}, data_type="bool", fill_value=False)
