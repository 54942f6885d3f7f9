"""Common parts of the cases of numcodecs' codecs from numbers to bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numcodecs
import numpy as np

from registry import Case, Reading, add, create
from values import smooth


def cases_of(cases: list[Case], codec: str, serializer: Callable[..., Any]) -> Callable[..., None]:
    """A function that adds a case to the list: a name, what it is about, values, a configuration and what `create` takes."""

    def case(name: str, about: str, values: np.ndarray, configuration: dict[str, Any] | None = None, **options: Any) -> None:
        options.setdefault("chunks", [[4, 2], [3, 3, 3]])

        @add(cases, f"{codec}-{name}", f"{values.dtype.name} through numcodecs.{codec}, {about}.")
        def write(path: Path) -> None:
            create(path, values, serializer=serializer(**(configuration or {})), **options)

    return case


def as_compressor(path: Path, codec: Any, name: str) -> Reading:
    """Write a Zarr v2 array whose compressor is the codec, after a filter that lays items in a row."""
    values, delta = smooth("int32", (6, 9), f"{name} v2"), numcodecs.Delta("<i4")
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
