"""Arrays that only older packages write, as tests/neighbours/older_sets.py has them: the arrays, and what was read of them."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import numpy as np

from archives import NEIGHBOURS
from cases.objects import seen_objects, text_of
from registry import Case, Reading, add
from seen import Seen

OBJECTS: list[Case] = []
STRUCTS: list[Case] = []

with ZipFile(NEIGHBOURS / "older.zip") as _archive:
    _UNPACKED = TemporaryDirectory()
    _archive.extractall(_UNPACKED.name)
OLDER = Path(_UNPACKED.name) / "older"


def _copied(cases: list[Case], name: str, about: str, seen: Seen, read: Callable[[tuple[int, ...]], np.ndarray]) -> None:
    """Register a copy of an array; `read` gives what the older package read, by the array's shape."""

    @add(cases, f"older-{name}", about, seen=seen)
    def write(path: Path) -> Reading:
        shutil.copytree(OLDER / f"{name}.zarr", path)
        document = json.loads((path / ".zarray").read_text())
        axes = zip(document["shape"], document["chunks"], strict=True)
        sizes = [[min(edge, extent - at) for at in range(0, extent, edge)] for extent, edge in axes]
        return read(tuple(document["shape"])), sizes


def _object(name: str) -> None:
    kept = json.loads((NEIGHBOURS / f"older/{name}.json").read_text())
    fill = np.array([text_of(kept["fill"])], object)

    def read(shape: tuple[int, ...]) -> np.ndarray:
        items = kept["items"]
        for _ in shape[1:]:
            items = [item for row in items for item in row]
        values = np.empty(len(items), object)
        values[:] = [text_of(item) for item in items]
        return values.reshape(shape)

    _copied(OBJECTS, name, "Objects by numcodecs 0.5, without their shape.", Seen(fill, view=seen_objects), read)


def _struct(name: str) -> None:
    read = np.load(OLDER / f"{name}.npy")
    document = json.loads((OLDER / f"{name}.zarr/.zarray").read_text())
    fill = np.frombuffer(base64.b64decode(document["fill_value"]), read.dtype)
    _copied(STRUCTS, name, "A struct with subarrays, by zarr-python 2.18.", Seen(fill), lambda _: read)


for _codec in ("json", "msgpack"):
    for _variant in ("", "-line", "-cube", "-fortran"):
        _object(_codec + _variant)
_object("json-spaced")
for _name in ("subarray", "subarray-mixed", "subarray-nested", "subarray-wide"):
    _struct(_name)
