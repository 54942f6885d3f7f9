"""A map in two resolutions, as viewers of GeoZarr read it, whose chunks are uneven along every axis.

`write_maps` writes map.zarr and maps.json: an entry a map, with `levels`, whose `expected` is a file of all values
(float32, little endian, C order). Groups say where they lie by zarr-conventions' multiscales, geo-proj and spatial.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import ZstdCodec

import registry

BOUNDS = [-180.0, -90.0, 180.0, 90.0]
NAMES = ["time", "lat", "lon"]
TIMES = 3
TIME_CHUNKS = [2, 1]

# level: (rows, columns, edges along lat, edges along lon)
LEVELS: dict[str, tuple[int, int, list[int], list[int]]] = {
    "0": (60, 120, [25, 20, 15], [50, 40, 30]),
    "1": (30, 60, [13, 17], [25, 35]),
}


def _values(rows: int, columns: int) -> np.ndarray:
    """Each item is its place: times and rows and columns are told apart."""
    return np.arange(TIMES * rows * columns, dtype="float32").reshape(TIMES, rows, columns)


def _axis(group: zarr.Group, name: str, values: np.ndarray, edges: list[int], **attributes: Any) -> None:
    array = group.create_array(
        name, shape=values.shape, dtype=values.dtype, chunks=[edges], dimension_names=[name], compressors=None, attributes=attributes
    )
    array[...] = values


def _write(path: Path) -> None:
    west, south, east, north = BOUNDS
    layout = []
    root = zarr.create_group(path, zarr_format=3)
    for level, (rows, columns, lat, lon) in LEVELS.items():
        scale = LEVELS["0"][0] // rows
        entry = {"asset": level, "spatial:shape": [rows, columns], "transform": {"scale": [scale, scale], "translation": [0, 0]}}
        layout.append(entry if level == "0" else entry | {"derived_from": "0"})
        group = root.create_group(level)
        edge = (east - west) / columns
        _axis(group, "time", np.arange(TIMES, dtype="int64"), TIME_CHUNKS, units="days since 2026-01-01")
        _axis(group, "lat", north - edge * (np.arange(rows) + 0.5), lat, units="degrees_north")
        _axis(group, "lon", west + edge * (np.arange(columns) + 0.5), lon, units="degrees_east")
        values = _values(rows, columns)
        array = group.create_array(
            "t2m",
            shape=values.shape,
            dtype="float32",
            chunks=[TIME_CHUNKS, lat, lon],
            fill_value=float("nan"),
            dimension_names=NAMES,
            compressors=ZstdCodec(level=3),
            attributes={"units": "K"},
        )
        array[...] = values
    root.update_attributes(
        {
            "multiscales": {"layout": layout},
            "proj:code": "EPSG:4326",
            "spatial:bbox": BOUNDS,
            "spatial:dimensions": ["lat", "lon"],
        }
    )
    zarr.consolidate_metadata(path, zarr_format=3)


def _described(path: Path) -> dict[str, Any]:
    """Facts that zarr-python finds."""
    root = zarr.open_group(path, mode="r")
    arrays = {level: root[f"{level}/t2m"] for level in LEVELS}
    return {
        "name": path.stem,
        "path": path.name,
        "array": "t2m",
        "bounds": root.attrs["spatial:bbox"],
        "levels": [
            {
                "path": level,
                "shape": list(array.shape),
                "writeChunkSizes": registry.sizes_of(array),
                "expected": f"{path.stem}-{level}.bin",
            }
            for level, array in arrays.items()
        ],
    }


def write_maps(out: Path) -> None:
    """Write map.zarr, the values of its levels, and maps.json to `out`."""
    path = out / "map.zarr"
    _write(path)
    entry = _described(path)
    for level in entry["levels"]:
        (out / level["expected"]).write_bytes(_values(*level["shape"][1:]).tobytes())
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in entry.items())
    (out / "maps.json").write_text(f"[\n {{\n{lines}\n }}\n]\n")


def check_map(fixtures: Path, entry: dict[str, Any]) -> None:
    """Compare a committed map with what zarr-python finds in it."""
    path = fixtures / entry["path"]
    assert _described(path) == entry, "what maps.json says"
    for level in entry["levels"]:
        values = zarr.open_array(path / level["path"] / entry["array"], mode="r")[...]
        assert values.astype("<f4").tobytes() == (fixtures / level["expected"]).read_bytes(), level["path"]
