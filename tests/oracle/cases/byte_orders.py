"""Filters of numcodecs whose types are spelled with a byte order: each reads the memory that it is given as its own type.

zarr-python gives them memory in the order of the codec behind them, so items are turned wherever two orders meet.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from zarr.codecs import BytesCodec, ShardingCodec, numcodecs

from registry import Case, add, create, edit

CASES: list[Case] = []

OTHER = {"little": "big", "big": "little"}
WHOLE = np.array([1, 2, 255, 256, -3, 70000, 5, -1, 0, 300, 9, 8], "int32")
SMALL = np.array([1, 2, 3, 127, -3, 7, 5, -1, 0, 30, 9, 8], "int16")
REAL = np.array([0.5, -1, 255.25, 1e9, -3, 70000.125, 0, 2, 8, 1.5, -0.25, 9])


def named(name: str, **configuration: Any) -> dict[str, Any]:
    return {"name": f"numcodecs.{name}", "configuration": configuration}


def of_axes(*order: int) -> dict[str, Any]:
    return {"name": "transpose", "configuration": {"order": list(order)}}


def viewed(name: str, values: np.ndarray, data_type: str, filters: list[dict[str, Any]], *, turned: bool, **options: Any) -> None:
    """An array that is stored as the values, turned or not, behind which zarr-python then finds the filters."""
    for order in ("little", "big"):
        add(CASES, f"order-{name}-{order}", f"{filters[0]['name']} of {data_type}, stored {order} endian.")(
            lambda path, order=order: write(path, order)
        )

    def write(path: Path, order: str) -> None:
        serializer = BytesCodec(endian=OTHER[order] if turned else order)
        create(path, values, chunks=(5, *values.shape[1:]), serializer=serializer, fill_value=0, **options)
        stored = {"name": "bytes", "configuration": {"endian": order}}
        edit(path, lambda document: document.update(data_type=data_type, codecs=[*filters, stored]))


# A type of its own on either side. What is stored has the type `astype`, or that of the array where it is missing.
viewed("delta", WHOLE, "int32", [named("delta", dtype=">i4")], turned=True)
viewed("delta-little", WHOLE, "int32", [named("delta", dtype="<i4")], turned=False)
viewed("delta-both", WHOLE, "int32", [named("delta", dtype=">i4", astype=">i4")], turned=False)
viewed("delta-stored", SMALL, "int32", [named("delta", dtype="<i4", astype=">i2")], turned=False)
viewed("delta-read", SMALL, "int32", [named("delta", dtype=">i4", astype="<i2")], turned=False)
viewed("delta-float", REAL, "float64", [named("delta", dtype=">f8")], turned=True)
viewed("fixedscaleoffset", REAL, "float64", [named("fixedscaleoffset", dtype=">f8", offset=1, scale=4)], turned=True)
viewed("fixedscaleoffset-both", SMALL, "float64", [named("fixedscaleoffset", dtype=">f8", astype=">i2", offset=1, scale=4)], turned=False)
viewed("fixedscaleoffset-null", WHOLE, "float32", [named("fixedscaleoffset", dtype=None, astype=">i4", offset=1, scale=4)], turned=False)
viewed("quantize", REAL, "float64", [named("quantize", dtype=">f8", digits=2)], turned=True)
viewed("quantize-stored", REAL, "float64", [named("quantize", dtype="<f8", astype=">f8", digits=2)], turned=True)
viewed("quantize-read", REAL, "float64", [named("quantize", dtype=">f8", astype="<f8", digits=2)], turned=False)
viewed("astype", SMALL, "float64", [named("astype", encode_dtype=">i2", decode_dtype="<f8")], turned=False)
viewed("astype-both", WHOLE, "float64", [named("astype", encode_dtype=">i4", decode_dtype=">f8")], turned=False)

# Behind one another, with others in between, on two axes.
PAIR = named("fixedscaleoffset", dtype="<f8", astype="<i4", offset=0, scale=4)
BIG_PAIR = PAIR | {"configuration": PAIR["configuration"] | {"astype": ">i4"}}
viewed("pair-little-big", WHOLE, "float64", [PAIR, named("delta", dtype=">i4")], turned=True)
viewed("pair-big-little", WHOLE, "float64", [BIG_PAIR, named("delta", dtype="<i4")], turned=True)
viewed("pair-big", SMALL, "float64", [BIG_PAIR, named("delta", dtype=">i4", astype=">i2")], turned=False)
viewed("pair-short-big", SMALL, "float64", [PAIR, named("delta", dtype=">i4", astype=">i2")], turned=False)
viewed("bitround", REAL, "float64", [named("delta", dtype=">f8"), named("bitround", keepbits=30)], turned=True)
viewed("scale-offset", WHOLE, "int32", [named("delta", dtype=">i4"), {"name": "scale_offset", "configuration": {"offset": 1}}], turned=True)
viewed(
    "scale-offset-big", WHOLE, "int32", [named("delta", dtype="<i4", astype=">i4"), {"name": "scale_offset", "configuration": {"offset": 1}}], turned=False
)
viewed("transposed", WHOLE.reshape(6, 2), "int32", [named("delta", dtype=">i4"), of_axes(1, 0), of_axes(1, 0)], turned=True)


def written(cases: list[Case], name: str, about: str, filters: list[Any], count: int, **options: Any) -> None:
    """An array that zarr-python writes through the filters, of which the first items alone are stored."""

    @add(cases, f"order-{name}", about)
    def write(path: Path) -> None:
        array = create(path, WHOLE[:0], filters=filters or None, fill_value=7, chunks=(6,), **options)
        array.resize(WHOLE.shape)
        array[:count] = WHOLE[:count]


BIG = BytesCodec(endian="big")
DELTA = numcodecs.Delta(dtype=">i4")
written(CASES, "inside-shards", "Viewed inside of shards; the last inner chunks are missing.", [], 8, serializer=ShardingCodec(chunk_shape=(3,), codecs=[DELTA, BIG]))
written(CASES, "outside-shards", "Viewed before shards; the last inner chunks are missing.", [DELTA], 8, serializer=ShardingCodec(chunk_shape=(3,), codecs=[BIG]))

PCODEC: list[Case] = []


@add(PCODEC, "order-pcodec", "Viewed before pcodec, whose items are always of the machine's order.")
def _pcodec(path: Path) -> None:
    # It takes no items of another order, so the filter is told of its order afterwards.
    create(path, WHOLE, filters=[numcodecs.Delta(dtype="<i4")], chunks=(6,), serializer=numcodecs.PCodec())
    edit(path, lambda document: document["codecs"][0]["configuration"].update(dtype=">i4"))
