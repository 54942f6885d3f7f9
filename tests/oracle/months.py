"""Twelve months, each in a store and a format of its own: what a year is laid end to end of.

`write_months` writes months/, with an array a month, and months.json: an entry with the months in their order, their
days, and `expected`, a file of the year as numpy concatenates what zarr-python reads of them (int16, little endian, C
order). All are cut at the same places along latitude and longitude, however they say so.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numcodecs as v2
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec, numcodecs

from selections import wire_bytes

CELLS = (4, 6)
FILL = -9999
NAMES = ["time", "lat", "lon"]
ATTRIBUTES = {"units": "K", "scale_factor": 0.01, "add_offset": 280.0, "_FillValue": FILL}

BIG = BytesCodec(endian="big")


def _sharded(inner: tuple[int, int, int], **more: Any) -> ShardingCodec:
    return ShardingCodec(chunk_shape=inner, codecs=[BytesCodec(), ZstdCodec()], **more)


# month: (days, arguments of create_array). Regular edges of 4 cut the six longitudes as [4, 2] does.
MONTHS: dict[str, tuple[int, dict[str, Any]]] = {
    "jan": (31, {"chunks": (31, 4, 4), "compressors": None}),
    "feb": (29, {"chunks": [[10, 10, 9], [4], [4, 2]], "compressors": ZstdCodec()}),
    "mar": (31, {"chunks": (15, 4, 4), "compressors": GzipCodec()}),
    "apr": (30, {"zarr_format": 2, "chunks": (30, 4, 4), "compressors": v2.Blosc("lz4", shuffle=1)}),
    "may": (31, {"zarr_format": 2, "chunks": (12, 9, 4), "compressors": v2.Zlib(), "dtype": ">i2"}),
    "jun": (30, {"zarr_format": 2, "chunks": (30, 4, 4), "compressors": None, "order": "F"}),
    "jul": (31, {"chunks": (20, 4, 4), "serializer": _sharded((5, 4, 4)), "compressors": None}),
    "aug": (31, {"chunks": (31, 4, 4), "serializer": _sharded((1, 4, 4), index_location="start"), "compressors": None}),
    "sep": (30, {"chunks": (7, 4, 4), "filters": TransposeCodec(order=(2, 0, 1)), "serializer": BIG, "compressors": Crc32cCodec()}),
    "oct": (31, {"chunks": (8, 4, 4), "compressors": BloscCodec(cname="zstd", shuffle="bitshuffle", typesize=2)}),
    "nov": (30, {"zarr_format": 2, "chunks": (16, 4, 4), "filters": v2.Delta("<i2"), "compressors": v2.BZ2()}),
    "dec": (31, {"chunks": (31, 4, 4), "compressors": numcodecs.BZ2()}),
}

# The first chunk of this month, and of its first longitudes, is nowhere stored.
SPARSE = "oct"


def _values(first: int, days: int, *, is_sparse: bool) -> np.ndarray:
    rng = np.random.default_rng(first)
    values = rng.integers(-3000, 3000, (days, *CELLS), dtype="int16")
    values[rng.random(values.shape) < 0.03] = FILL
    if is_sparse:
        values[:8, :, :4] = FILL
    return values


def _read(path: Path) -> np.ndarray:
    return zarr.open_array(path, mode="r")[...].astype("int16")


def _year(folder: Path) -> dict[str, Any]:
    """Facts that zarr-python finds."""
    arrays = {name: _read(folder / f"{name}.zarr") for name in MONTHS}
    return {
        "name": "months",
        "months": [{"path": f"months/{name}.zarr", "days": len(values)} for name, values in arrays.items()],
        "shape": list(np.concatenate(list(arrays.values())).shape),
        "expected": "months/year.bin",
    }


def write_months(out: Path) -> None:
    """Write months/ and months.json to `out`, in place of what it had."""
    folder = out / "months"
    shutil.rmtree(folder, ignore_errors=True)
    first = 0
    for name, (days, how) in MONTHS.items():
        named = {"dimension_names": NAMES} if how.get("zarr_format", 3) == 3 else {}
        labels = {} if named else {"_ARRAY_DIMENSIONS": NAMES}
        arguments = {"dtype": "int16", "shape": (days, *CELLS), "fill_value": FILL} | named | how
        array = zarr.create_array(folder / f"{name}.zarr", attributes=ATTRIBUTES | labels, **arguments)
        array[...] = _values(first, days, is_sparse=name == SPARSE)
        first += days
    entry = _year(folder)
    year = np.concatenate([_read(folder / f"{name}.zarr") for name in MONTHS])
    (out / entry["expected"]).write_bytes(wire_bytes(year))
    (out / "months.json").write_text(json.dumps(entry, indent=1) + "\n")


def check_months(fixtures: Path, entry: dict[str, Any]) -> None:
    """Compare the committed months with what zarr-python finds in them."""
    folder = fixtures / "months"
    assert _year(folder) == entry, "what months.json says"
    year = np.concatenate([_read(folder / f"{name}.zarr") for name in MONTHS])
    assert wire_bytes(year) == (fixtures / entry["expected"]).read_bytes(), "the year"
