"""Hierarchies of groups and arrays, and what zarr-python finds in them.

`write_hierarchies` writes groups.json, one entry a hierarchy: `documents` and `chunks` (in base64) are what the store
holds, by key, so that no odd name becomes a file's name; `nodes` is every array and group below the root, and
`consolidated` the paths that the root's consolidated metadata lists, or null where it has none.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync
from zarr.storage import MemoryStore

import registry  # noqa: F401  (allows rectilinear chunks)

ODD_NAMES = ["a b", "50%20", "x+y&z=1", "c#d", "e?f", "\u96ea \U0001f30d", "~t", "it's (1)", '"quoted"', "[0];@,"]

Build = Callable[[zarr.Group], None]


def _array(group: zarr.Group, path: str, values: np.ndarray, **options: Any) -> None:
    """An uncompressed array; dimension names go where its format keeps them."""
    names = options.pop("dimension_names", None)
    if names and group.metadata.zarr_format == 2:
        options["attributes"] = {"_ARRAY_DIMENSIONS": names} | options.get("attributes", {})
    elif names:
        options["dimension_names"] = names
    options.setdefault("chunks", values.shape)
    array = group.create_array(path, shape=values.shape, dtype=values.dtype, compressors=None, **options)
    array[...] = values


def _nested(root: zarr.Group) -> None:
    root.update_attributes({"title": "a model run", "missing": float("nan"), "levels": [1000, 850]})
    latitude = np.linspace(-60, 60, 5)
    _array(root, "latitude", latitude, dimension_names=["latitude"], attributes={"units": "degrees_north"})
    surface = root.create_group("surface", attributes={"height": 2})
    months = [[31, 28, 3], [5]] if root.metadata.zarr_format == 3 else (31, 5)
    values = np.arange(62 * 5, dtype="int16").reshape(62, 5)
    names = ["time", "latitude"]
    _array(surface, "t2m", values, chunks=months, dimension_names=names, attributes={"units": "K", "offset": -273.15})
    _array(surface, "sub/deep/er", np.arange(3, dtype="uint8"))
    root.create_group("empty")


def _odd(root: zarr.Group) -> None:
    for nth, name in enumerate(ODD_NAMES):
        _array(root, name, np.arange(nth, nth + 3, dtype="int32"))
        _array(root.create_group(f"in {name}"), name, np.arange(nth, nth + 2, dtype="int32"), attributes={"name": name})


def _fifty(root: zarr.Group) -> None:
    for nth in range(50):
        _array(root, f"v{nth:02}", np.array([nth], dtype="int16"))


def _late(root: zarr.Group) -> None:
    _array(root, "late", np.arange(4, dtype="int32"))
    _array(root, "surface/late", np.arange(5, dtype="int32"))
    _array(root.create_group("added", attributes={"late": True}), "x", np.arange(6, dtype="int32"))


def _consolidated(store: MemoryStore, zarr_format: int, build: Build, path: str = "") -> None:
    build(zarr.open_group(store, mode="w", zarr_format=zarr_format))
    zarr.consolidate_metadata(store, path=path, zarr_format=zarr_format)


def _stale(store: MemoryStore, zarr_format: int) -> None:
    _consolidated(store, zarr_format, _nested)
    _late(zarr.open_group(store, mode="r+", zarr_format=zarr_format, use_consolidated=False))


CASES: list[tuple[str, str, Callable[[MemoryStore, int], None]]] = [
    ("consolidated", "Groups in groups, consolidated.", lambda s, f: _consolidated(s, f, _nested)),
    ("plain", "The same, not consolidated.", lambda s, f: _nested(zarr.open_group(s, mode="w", zarr_format=f))),
    ("inner", "The same, consolidated at a group below the root.", lambda s, f: _consolidated(s, f, _nested, "surface")),
    ("stale", "Arrays and a group added after consolidating.", _stale),
    ("odd-names", "Names that need escaping, consolidated.", lambda s, f: _consolidated(s, f, _odd)),
    ("odd-names-plain", "Names that need escaping.", lambda s, f: _odd(zarr.open_group(s, mode="w", zarr_format=f))),
    ("fifty", "Fifty arrays, consolidated.", lambda s, f: _consolidated(s, f, _fifty)),
    ("nothing", "A group with nothing in it, consolidated.", lambda s, f: _consolidated(s, f, lambda _: None)),
]


def _strict(value: Any) -> Any:
    """JSON has no NaN: here it is {"number": "NaN"}, as in the other indexes."""
    if isinstance(value, float) and not np.isfinite(value):
        return {"number": json.dumps(value)}
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    return [_strict(item) for item in value] if isinstance(value, list) else value


def _node(path: str, node: zarr.Array | zarr.Group) -> dict[str, Any]:
    found: dict[str, Any] = {"path": path, "attributes": _strict(node.attrs.asdict())}
    if isinstance(node, zarr.Group):
        return {"kind": "group"} | found
    names = node.attrs.get("_ARRAY_DIMENSIONS") if node.metadata.zarr_format == 2 else node.metadata.dimension_names
    return {
        "kind": "array",
        **found,
        "shape": list(node.shape),
        "dtype": str(node.dtype),
        "dimensionNames": list(names) if names else None,
        "writeChunkSizes": registry.sizes_of(node),
        "values": node[...].ravel().tolist(),
    }


def _order(path: str) -> list[str]:
    return path.split("/")


def describe(store: MemoryStore, zarr_format: int) -> dict[str, Any]:
    """Facts that zarr-python finds in the store, and what the root's consolidated metadata lists."""
    root = zarr.open_group(store, mode="r", zarr_format=zarr_format, use_consolidated=False)
    nodes = sorted(root.members(max_depth=None), key=lambda member: _order(member[0]))
    kept = zarr.open_group(store, mode="r", zarr_format=zarr_format).metadata.consolidated_metadata
    return {
        "zarrFormat": zarr_format,
        "attributes": _strict(root.attrs.asdict()),
        "consolidated": None if kept is None else sorted(kept.flattened_metadata, key=_order),
        "nodes": [_node(path, node) for path, node in nodes],
    }


def _contents(store: MemoryStore) -> tuple[dict[str, str], dict[str, str]]:
    """The store's documents as text, and the rest in base64."""
    documents, chunks = {}, {}
    for key in sorted(store._store_dict):
        data = sync(store.get(key, default_buffer_prototype())).to_bytes()
        name = key.rsplit("/", 1)[-1]
        if name in ("zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata"):
            documents[key] = data.decode()
        else:
            chunks[key] = base64.b64encode(data).decode()
    return documents, chunks


def _lines(entry: dict[str, Any]) -> str:
    """One node, one document, one chunk a line: diffs stay readable."""
    fields = []
    for name, value in entry.items():
        if name == "nodes":
            text = "[\n" + ",\n".join(f"   {json.dumps(node)}" for node in value) + "\n  ]"
        elif name in ("documents", "chunks"):
            lines = (f"   {json.dumps(key)}: {json.dumps(text)}" for key, text in value.items())
            text = "{\n" + ",\n".join(lines) + "\n  }"
        else:
            text = json.dumps(value)
        fields.append(f"  {json.dumps(name)}: {text}")
    return " {\n" + ",\n".join(fields) + "\n }"


def write_hierarchies(out: Path) -> None:
    """Write groups.json to `out`."""
    entries = []
    for zarr_format in (3, 2):
        for name, about, build in CASES:
            store = MemoryStore()
            build(store, zarr_format)
            documents, chunks = _contents(store)
            found = describe(store, zarr_format)
            entries.append({"name": f"v{zarr_format}-{name}", "about": about} | found | {"documents": documents, "chunks": chunks})
    (out / "groups.json").write_text("[\n" + ",\n".join(_lines(entry) for entry in entries) + "\n]\n")


def check_hierarchy(entry: dict[str, Any]) -> None:
    """Compare a committed hierarchy with what zarr-python finds in it."""
    files = {key: text.encode() for key, text in entry["documents"].items()}
    files |= {key: base64.b64decode(text) for key, text in entry["chunks"].items()}
    store = MemoryStore({key: default_buffer_prototype().buffer.from_bytes(data) for key, data in files.items()})
    for field, found in describe(store, entry["zarrFormat"]).items():
        assert found == entry[field], field
