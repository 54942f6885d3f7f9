"""Packed and masked arrays, and what xarray and numpy make of them.

`write_decoded` writes decoded.json, one entry an array: `documents` and `chunks` (in base64) are what the store holds,
by key, and `reads` what a read with `options` gives: the values, of the type `dtype` (in base64, little endian, C
order), and their `range`, or null where all are missing. What is masked and unpacked is what xarray decodes, in
xarray's own type where no option names one; what is only of another type is what numpy casts.
"""

from __future__ import annotations

import base64
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import xarray
import zarr
from xarray.backends.zarr import FillValueCoder
from zarr.storage import MemoryStore

import registry  # noqa: F401  (allows rectilinear chunks)

SHAPE = (12, 10)
DOCUMENTS = ("zarr.json", ".zarray", ".zattrs")


def _stored(
    dtype: str, values: Any, zarr_format: int, fill: Any, attributes: dict[str, Any], big: bool = False
) -> MemoryStore:
    """A group with an array `x` of these values in chunks of 5 by 4, or of months, of which some were never written."""
    store = MemoryStore()
    group = zarr.open_group(store, mode="w", zarr_format=zarr_format)
    options: dict[str, Any] = {"compressors": None, "fill_value": fill}
    if zarr_format == 3:
        options |= {"dimension_names": ["t", "y"], "chunks": [[5, 1, 6], [4, 6]]}
        if big:
            options["serializer"] = {"name": "bytes", "configuration": {"endian": "big"}}
    else:
        attributes = {"_ARRAY_DIMENSIONS": ["t", "y"], **attributes}
        options |= {"chunks": (5, 4)}
        dtype = f">{np.dtype(dtype).str[1:]}" if big else dtype
    array = group.create_array("x", shape=SHAPE, dtype=dtype, attributes=attributes, **options)
    values = np.asarray(values, dtype).reshape(SHAPE)
    array[:5] = values[:5]
    array[6:, :4] = values[6:, :4]
    return store


def _encoded(value: float, dtype: str) -> Any:
    """A fill value as xarray writes it into attributes of v3."""
    return FillValueCoder.encode(value, np.dtype(dtype))


def _values(dtype: str) -> np.ndarray:
    """Small numbers in no order, -1 and 7 among them, halves where there are any."""
    numbers = (np.arange(120) * 37) % 101 - (0 if dtype.startswith("u") else 20)
    return numbers.astype(dtype) / 2 if dtype.startswith("f") else numbers.astype(dtype)


PACKED = {"scale_factor": 0.01, "add_offset": 273.15}

# name: (about, data type, fill value, attributes of v2, more of them in v3)
CASES: dict[str, tuple[str, str, Any, dict[str, Any], dict[str, Any]]] = {
    "packed-int16": ("As model output is packed.", "int16", -1, PACKED, {"_FillValue": -1}),
    "packed-uint8": ("A scale alone, and a missing value beside the fill value.", "uint8", 7,
                     {"scale_factor": 0.5, "missing_value": 9}, {"_FillValue": 7}),
    "packed-uint16": ("An offset alone.", "uint16", 65535, {"add_offset": -40.0}, {"_FillValue": 65535}),
    "packed-int8": ("A fill value that nothing has.", "int8", -128, {"scale_factor": 2.0}, {"_FillValue": -128}),
    "packed-int32": ("Scaled in float64.", "int32", 7, {"scale_factor": 1e-3}, {"_FillValue": 7}),
    "packed-float32": ("Floats, packed for whatever reason.", "float32", 3.5, {"scale_factor": 0.1, "add_offset": 1.0},
                       {"_FillValue": _encoded(3.5, "float32")}),
    "masked-float32": ("A fill value that float32 rounds.", "float32", 1e20, {}, {"_FillValue": _encoded(float(np.float32(1e20)), "float32")}),
    "masked-float64": ("A missing value that is none of the fill values.", "float64", -9999.0, {"missing_value": 3.5},
                       {"_FillValue": _encoded(-9999.0, "float64")}),
    "masked-nan": ("What is missing is NaN already.", "float32", float("nan"), {},
                   {"_FillValue": _encoded(float("nan"), "float32")}),
    "masked-zero": ("Zeros of either sign are missing.", "float32", 0.0, {}, {"_FillValue": _encoded(0.0, "float32")}),
    "masked-float16": ("Half precision.", "float16", 2.5, {}, {"_FillValue": _encoded(2.5, "float16")}),
    "masked-uint32": ("Unsigned integers.", "uint32", 7, {}, {"_FillValue": 7}),
    "masked-int64": ("Integers that floats round.", "int64", 7, {}, {"_FillValue": 7}),
    "all-missing": ("Nothing but the fill value.", "int16", 5, {}, {"_FillValue": 5}),
}

# The same, of which only what `decode: "cf"` gives is asked.
CF_CASES: dict[str, tuple[str, str, Any, dict[str, Any], dict[str, Any]]] = {
    "cf-plain": ("A fill value that no attribute tells of: the mask of v2, and none of v3.", "int16", 0, {}, {}),
    "cf-plain-float": ("Floats without attributes.", "float32", 0.0, {}, {}),
    "cf-unsigned": ("Signed bytes that count as unsigned ones.", "int8", 0, {"_Unsigned": "true"}, {"_FillValue": -1}),
    "cf-unsigned-alone": ("The same, none of which is missing.", "int16", None, {"_Unsigned": "true"}, {}),
    "cf-unsigned-packed": ("The same, packed.", "int8", -1, {"_Unsigned": "true", **PACKED}, {"_FillValue": -1}),
    "cf-signed": ("Unsigned bytes that count as signed ones.", "uint8", None, {"_Unsigned": "false"}, {}),
    "cf-signed-packed": ("The same, packed, and what is missing.", "uint8", 7, {"_Unsigned": "false", "scale_factor": 0.5}, {"_FillValue": 7}),
    "cf-unsigned-wide": ("Integers of 64 bits that count as unsigned ones.", "int64", None, {"_Unsigned": "true"}, {}),
    "cf-unsigned-float": ("Floats, which have a sign whatever is said.", "float32", None, {"_Unsigned": "true"}, {}),
    "cf-missing": ("A missing value alone.", "int16", None, {"missing_value": 9}, {}),
    "cf-missing-list": ("Several missing values.", "int32", None, {"missing_value": [9, 11, -1]}, {}),
    "cf-missing-nan": ("A missing value that no integer has.", "int16", None, {"missing_value": float("nan")}, {}),
    "cf-scale-list": ("Lists of one number.", "int16", None, {"scale_factor": [0.5], "add_offset": [1.0]}, {}),
    "cf-whole": ("A scale and an offset of whole numbers.", "int16", None, {"scale_factor": 2, "add_offset": 1}, {}),
    "cf-valid": ("What is not valid is not masked.", "int16", None, {"valid_min": 0, "valid_max": 10, "valid_range": [0, 10]}, {}),
    "cf-time": ("Times stay numbers.", "int32", 7, {"units": "days since 2000-01-01", "calendar": "noleap"}, {"_FillValue": 7}),
    "cf-flags": ("So do flags.", "uint8", None, {"flag_values": [0, 1], "flag_meanings": "dry wet"}, {}),
}


def _special(name: str, dtype: str) -> np.ndarray:
    values = _values(dtype)
    if name == "masked-zero":
        values[3:9] = -0.0
    if name == "masked-float32":
        values[::11] = np.float32(1e20)
    if name == "masked-int64":
        values[1:4] = [2**60 + 1, -(2**53) - 1, 2**25 + 1]
    if name == "all-missing":
        values[:] = 5
    return values


def _decoded(store: MemoryStore) -> np.ndarray:
    return xarray.open_zarr(store, consolidated=False, decode_times=False)["x"].values


def _read(options: dict[str, Any], values: np.ndarray) -> dict[str, Any]:
    values = values.astype(options.get("as", values.dtype))
    seen = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    span = [float(seen.min()), float(seen.max())] if seen.size else None
    raw = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
    return {"options": options, "dtype": values.dtype.name, "values": base64.b64encode(raw).decode(), "range": span}


def _cf_reads(store: MemoryStore) -> list[dict[str, Any]]:
    decoded = _decoded(store)
    return [_read({"decode": "cf"}, decoded), _read({"decode": "cf", "as": "float32"}, decoded)]


def _reads(store: MemoryStore, zarr_format: int) -> list[dict[str, Any]]:
    plain = np.asarray(zarr.open_group(store, mode="r")["x"][...])
    decoded = _decoded(store)
    # Of v3, xarray masks what the attributes say, and the fill value is the same here.
    types = ["float64", "float32"] + ["float16"] * bool(np.nanmax(np.abs(decoded), initial=0) < 65504)
    reads = [_read({"as": dtype}, decoded) for dtype in types]
    if zarr_format == 3:
        reads.append(_read({"as": "float64", "mask": "attributes"}, decoded))
    reads.append(_read({"as": "float64", "mask": False, "scale": False}, plain))
    limits = np.iinfo("int32")
    if plain.min() >= limits.min and plain.max() <= limits.max and not np.isnan(plain).any():
        reads.append(_read({"as": "int32"}, plain))
    return reads + _cf_reads(store)[:1]


def entries() -> list[dict[str, Any]]:
    """Every array, of both formats."""
    found = []
    for zarr_format in (2, 3):
        for name, (about, dtype, fill, attributes, more) in (CASES | CF_CASES).items():
            told = attributes | more if zarr_format == 3 else attributes
            big = name.endswith(("int16", "float64"))
            store = _stored(dtype, _special(name, dtype), zarr_format, fill, told, big)
            held = {key: value.to_bytes() for key, value in sorted(store._store_dict.items()) if key.startswith("x/")}
            documents = {key: json.loads(value) for key, value in held.items() if key.rsplit("/")[-1] in DOCUMENTS}
            found.append(
                {
                    "name": f"{name}-v{zarr_format}",
                    "about": about,
                    "documents": {key: json.dumps(value) for key, value in documents.items()},
                    "chunks": {
                        key: base64.b64encode(value).decode() for key, value in held.items() if key not in documents
                    },
                    "reads": _cf_reads(store) if name in CF_CASES else _reads(store, zarr_format),
                }
            )
    return found


def write_decoded(out: Path) -> None:
    """Write decoded.json."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines = [json.dumps(entry, indent=2) for entry in entries()]
    (out / "decoded.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
