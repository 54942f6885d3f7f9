"""The good array that malformed metadata are made from, and how a case is declared."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zarr

INVALID, UNSUPPORTED, CODEC = "InvalidMetadataError", "UnsupportedError", "CodecError"

Document = dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """One malformed array; `write` returns a selection that still reads, or None if opening fails.

    `over_http` is the error's name there, where the host finds the fault before the codec does.
    """

    name: str
    about: str
    error: str
    write: Callable[[Path], dict[str, Any] | None]
    mentions: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    over_http: str | None = None
    proposals: tuple[str, ...] = ()


def good(path: Path) -> Document:
    """Write the good array (10 by 12 int32, rectilinear, no chunk) and return its metadata."""
    zarr.create_array(
        store=path,
        shape=(10, 12),
        dtype="int32",
        chunks=[[4, 6], [5, 7]],
        compressors=None,
        dimension_names=["y", "x"],
    )
    return json.loads((path / "zarr.json").read_text())


def metadata(
    cases: list[Broken],
    name: str,
    about: str,
    error: str,
    change: Callable[[Document], Any],
    *mentions: str,
    path: str | None = None,
    prefix: str | None = None,
    proposals: tuple[str, ...] = (),
) -> None:
    """Add a case whose zarr.json is the good one after `change`: in place, or what it returns."""

    def write(directory: Path) -> None:
        document = good(directory)
        changed = change(document)
        if not isinstance(changed, bytes):
            changed = (json.dumps(document if changed is None else changed) + "\n").encode()
        (directory / "zarr.json").write_bytes(changed)

    fields = {key: value for key, value in (("path", path), ("pathPrefix", prefix)) if value is not None}
    cases.append(Broken(name, about, error, write, mentions, fields, proposals=proposals))


def setting(*keys: str | int, to: Any) -> Callable[[Document], None]:
    """A change that sets the member at `keys`."""

    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = to

    return change


def removing(*keys: str) -> Callable[[Document], None]:
    """A change that removes the member at `keys`."""

    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        del document[keys[-1]]

    return change
