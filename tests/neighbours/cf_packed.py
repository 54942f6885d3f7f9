"""Write packed and masked items of every type, and what xarray decodes them to.

    python tests/neighbours/cf_packed.py /tmp/sets/cf/packed.json

Each entry has a Zarr format, a data type, a fill value, stored items (in base64, little endian) and `rows`. A row has the
attributes, as JSON text because 2 and 2.0 differ, and the name of the type and the items that xarray gives, or the number of
the earlier row that has the same ones. Where xarray fails, because int64 has no NaN, the row has what xarray gives for the same
factors spelled as floats, and a third member, `true`.
"""

from __future__ import annotations

import base64
import itertools
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
import zarr
from xarray.backends.zarr import FillValueCoder
from zarr.storage import MemoryStore

ITEMS: dict[str, list[Any]] = {
    "bool": [False, True, True],
    "int8": [7, 9, -128, 127, 0],
    "uint8": [7, 9, 255, 0],
    "int16": [7, 9, -32768, 32767],
    "uint16": [7, 9, 65535, 0],
    "int32": [7, 9, -(2**31), 2**31 - 1, 2**24 + 1],
    "uint32": [7, 9, 2**32 - 1, 0],
    "int64": [7, 9, 2**53 + 1, -(2**60) - 1],
    "uint64": [7, 9, 2**53 + 1, 2**60 + 1],
    "float16": [7, 9, 0.1, -2.5, 1000, -0.0],
    "float32": [7, 9, 0.1, -2.5, 1e6, -0.0],
    "float64": [7, 9, 0.1, -2.5, 1e16, -0.0],
}
# In Zarr v2 all that differs is that the fill value is what the attribute _FillValue is in v3.
OF_V2 = ("bool", "uint8", "int64", "float16", "float32")
# Factors are read from JSON as Python's numbers, so that one that was written as float32 is a float64.
SINGLE = float(np.float32(0.1))
SCALES = ({}, {"scale_factor": 0.1}, {"scale_factor": 2})
OFFSETS = ({}, {"add_offset": 273.15}, {"add_offset": 3})
PAIRS = [scale | offset for scale, offset in itertools.product(SCALES, OFFSETS)]
PACKINGS = [*PAIRS, {"scale_factor": SINGLE}, {"scale_factor": 2.0}]


def masks(dtype: str, zarr_format: int) -> list[tuple[Any, dict[str, Any]]]:
    """Fill values of the array, and attributes that say what is missing."""
    kind = np.dtype(dtype).kind
    told: list[tuple[Any, dict[str, Any]]]
    if zarr_format == 2:
        told = [(7, {}), (7, {"missing_value": 9})]
        if kind == "f":
            told += [(float("nan"), {}), (float("nan"), {"missing_value": 9})]
        return [(False, {})] if kind == "b" else told
    if kind == "b":
        return [(False, {}), (False, {"_FillValue": True})]
    fill = FillValueCoder.encode(7, np.dtype(dtype))
    told = [{}, {"_FillValue": fill}, {"missing_value": 9}, {"_FillValue": fill, "missing_value": 9}, {"missing_value": float("nan")}]
    if kind == "f":
        nothing = FillValueCoder.encode(float("nan"), np.dtype(dtype))
        told += [{"_FillValue": nothing}, {"_FillValue": nothing, "missing_value": 9}]
    else:
        # No item equals these, and what is decoded has room for NaN all the same.
        told += [{"missing_value": 2.5}, {"missing_value": -1 if kind == "u" else 2**40}]
    return [(0, attributes) for attributes in told]


def attributes_of(dtype: str, zarr_format: int, mask: dict[str, Any]) -> list[dict[str, Any]]:
    kind = np.dtype(dtype).kind
    if kind == "b" and (mask or zarr_format == 2):
        # Booleans with a fill value are Python objects in xarray unless they are packed.
        return [mask | packing for packing in PACKINGS if packing]
    truths = [{"dtype": "bool"} | packing for packing in ({}, {"scale_factor": 0.5}, {"scale_factor": 2}, {"add_offset": -9})]
    others = [{"dtype": "int16"}]
    unsigned = [{"_Unsigned": "false" if kind == "u" else "true"} | packing for packing in PAIRS[::3]] if kind in "iu" else []
    if dtype == "int64":
        # Of a scale alone, unsigned numbers beyond int64 wrap around in xarray; we refuse them.
        unsigned.pop()
    return [mask | more for more in [*PACKINGS, *truths, *others, *unsigned]]


def decoded(dtype: str, zarr_format: int, fill: Any, attributes: dict[str, Any]) -> np.ndarray:
    store = MemoryStore()
    group = zarr.open_group(store, mode="w", zarr_format=zarr_format)
    named = {"dimension_names": ["x"]} if zarr_format == 3 else {}
    told = attributes | ({} if named else {"_ARRAY_DIMENSIONS": ["x"]})
    items = np.array(ITEMS[dtype], dtype)
    array = group.create_array("v", shape=items.shape, chunks=items.shape, dtype=dtype, compressors=None, fill_value=fill, attributes=told, **named)
    array[:] = items
    return xr.open_zarr(store, consolidated=False, decode_times=False)["v"].values


def row(dtype: str, zarr_format: int, fill: Any, attributes: dict[str, Any]) -> tuple[np.ndarray, bool]:
    try:
        values = decoded(dtype, zarr_format, fill, attributes)
        return values, False
    except (ValueError, TypeError):
        floats = {name: float(value) for name, value in attributes.items() if name in ("scale_factor", "add_offset")}
        return decoded(dtype, zarr_format, fill, attributes | floats), True


def encoded(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()).decode()


def main() -> None:
    warnings.simplefilter("ignore")
    entries = []
    for zarr_format, dtype in [*((3, dtype) for dtype in ITEMS), *((2, dtype) for dtype in OF_V2)]:
        items = encoded(np.array(ITEMS[dtype], dtype))
        by_fill: dict[str, tuple[Any, list[dict[str, Any]]]] = {}
        for fill, mask in masks(dtype, zarr_format):
            by_fill.setdefault(repr(fill), (fill, []))[1].extend(attributes_of(dtype, zarr_format, mask))
        for fill, many in by_fill.values():
            rows: list[list[Any]] = []
            known: dict[tuple[str, str], int] = {}
            for attributes in many:
                values, is_instead = row(dtype, zarr_format, fill, attributes)
                if values.dtype == object:
                    continue
                found = (values.dtype.name, encoded(values))
                text = json.dumps(attributes)
                rows.append([text, known[found] if found in known else [*found]] + [True] * is_instead)
                known.setdefault(found, len(rows) - 1)
            head = {"zarr_format": zarr_format, "dtype": dtype, "fill_value": "NaN" if fill != fill else fill, "items": items}
            lines = ",\n".join(json.dumps(entry) for entry in rows)
            entries.append(f'{json.dumps(head)[:-1]}, "rows": [\n{lines}\n]}}')
    Path(sys.argv[1]).write_text("[\n" + ",\n".join(entries) + "\n]\n")


if __name__ == "__main__":
    main()
