"""Arrays that only older packages write: objects through numcodecs 0.5, structs with subarrays through zarr-python 2.

    python3.7 -m venv /tmp/old && /tmp/old/bin/pip install zarr==2.2.0 numcodecs==0.5.5 msgpack==0.5.6 "numpy<1.20"
    /tmp/old/bin/python tests/neighbours/older_sets.py /tmp/sets/older
    python3.11 -m venv /tmp/zarr2 && /tmp/zarr2/bin/pip install zarr==2.18.7 numcodecs==0.15.2 numpy==2.4.6
    /tmp/zarr2/bin/python tests/neighbours/older_sets.py /tmp/sets/older

Each environment writes the arrays that it can: a folder, and what zarr-python reads of it, as JSON of the items or as
.npy. tests/oracle takes them into its indexes.
"""

import json
import shutil
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr

OUT = Path(sys.argv[1])


def put(name, values, chunks, fill, **options):
    """Write an array without its chunk (1, 0, …), and read it again."""
    path = OUT / (name + ".zarr")
    shutil.rmtree(str(path), ignore_errors=True)
    array = zarr.open_array(str(path), "w", shape=values.shape, chunks=chunks, dtype=values.dtype, fill_value=fill, **options)
    array[...] = values
    (path / ".".join(["1"] + ["0"] * (values.ndim - 1))).unlink()
    return zarr.open_array(str(path), "r")[...]


# --- Objects

NAN, INF = float("nan"), float("inf")
ITEMS = [
    "one", 2, None, -3.25, True, [1, [2, "drei"]], {"a": 1, "b": {"c": [None, False]}}, 'né😀\n"quoted"\\', "", [], {},
    2**53 + 1, -(2**62) - 3, 2**64 - 1, 0.1, NAN, [INF, {"x": -INF, "y": [NAN, 1]}], "NaN", [[[[["deep"]]]]],
]


def objects(name, codec, shape, chunks, fill, **options):
    values = np.empty(shape, object)
    for nth, index in enumerate(np.ndindex(*shape)):
        values[index] = ITEMS[nth * 7 % len(ITEMS)]
    read = put(name, values, chunks, fill, object_codec=codec, **options)
    missing = tuple(slice(edge, 2 * edge) if axis == 0 else slice(0, edge) for axis, edge in enumerate(chunks))
    values[missing] = fill
    assert json.dumps(read.tolist()) == json.dumps(values.tolist()), name
    (OUT / (name + ".json")).write_text(json.dumps({"fill": fill, "items": values.tolist()}) + "\n")


if numcodecs.__version__ == "0.5.5":
    for make in (numcodecs.JSON, numcodecs.MsgPack):
        kind = make.codec_id
        objects(kind, make(), (7, 4), (3, 3), "fill", compressor=None)
        objects(kind + "-line", make(), (19,), (6,), 0, compressor=numcodecs.Zlib(1))
        objects(kind + "-cube", make(), (3, 4, 5), (2, 2, 3), "no", compressor=None)
        objects(kind + "-fortran", make(), (7, 4), (3, 3), "", order="F", compressor=numcodecs.Zlib(1))
    objects("json-spaced", numcodecs.JSON(indent=2, ensure_ascii=False, sort_keys=False), (7, 4), (3, 3), 1, compressor=None)


# --- Structs with subarrays


def structs(name, dtype, shape, chunks, fill=None, **options):
    dtype = np.dtype(dtype)
    fill = np.zeros((), dtype)[()] if fill is None else fill
    count = int(np.prod(shape))
    # Bytes that count on, so that no part of an item equals another. Text has letters of its own.
    values = (np.arange(count * dtype.itemsize) * 7 % 251).astype("u1").view(dtype).reshape(shape)
    for field, (part, *_) in dtype.fields.items():
        base = part.subdtype[0] if part.subdtype else part
        if base.kind in "US":
            letters = np.array(["", "a", "né", "xyz"] if base.kind == "U" else [b"", b"a", b"xyz"])
            values[field] = letters[np.arange(values[field].size) % len(letters)].reshape(values[field].shape)
    np.save(str(OUT / (name + ".npy")), put(name, values, chunks, fill, **options))


if zarr.__version__.startswith("2.18"):
    structs("subarray", [("v", "<f4", (3,)), ("n", "<i2")], (7, 4), (3, 3))
    fill = np.zeros((), [("a", "u1"), ("m", ">i4", (2, 3)), ("c", "<c8", (2,)), ("t", "<M8[s]", (1,)), ("z", "S3", (2,)), ("u", "<U2", (2,))])
    fill["m"], fill["c"], fill["t"], fill["z"], fill["u"] = [[1, -2, 3], [4, 5, -6]], 1.5 - 2j, 86400, b"xy", "né"
    structs("subarray-mixed", fill.dtype, (7, 4), (3, 3), fill[()], compressor=numcodecs.Blosc("lz4"))
    nested = [("h", "<f2", (2,)), ("inner", [("x", "|u1"), ("y", ">f8", (2, 2))], (3,)), ("plain", [("w", "<u2", (4,)), ("k", "|i1")])]
    structs("subarray-nested", nested, (11,), (4,), order="F", compressor=numcodecs.Zlib(1))
    structs("subarray-wide", [("b", "|b1", (5,)), ("i", "<i8", (2,)), ("raw", "V3", (2,))], (5, 3), (2, 3))
