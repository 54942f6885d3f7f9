"""Messages of GRIB2 by ecCodes, for the scripts beside: grids of ten degrees around the globe, and the values in them."""

from __future__ import annotations

from typing import Any

import eccodes
import numpy as np

ROWS, COLUMNS = 19, 36
POINTS = ROWS * COLUMNS
MISSING = 9999.0


def message(values: np.ndarray, packing: str, **keys: Any) -> bytes:
    """A message with its rows north first, from longitude 0; second order is only made from others."""
    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    grid = {
        "Ni": COLUMNS,
        "Nj": ROWS,
        "latitudeOfFirstGridPointInDegrees": 90,
        "latitudeOfLastGridPointInDegrees": -90,
        "longitudeOfFirstGridPointInDegrees": 0,
        "longitudeOfLastGridPointInDegrees": 350,
        "iDirectionIncrementInDegrees": 10,
        "jDirectionIncrementInDegrees": 10,
    }
    first = "grid_simple" if packing == "grid_second_order" else packing
    for key, value in {**grid, "packingType": first, **keys}.items():
        eccodes.codes_set(handle, key, value)
    eccodes.codes_set_values(handle, values)
    if packing != first:
        eccodes.codes_set(handle, "packingType", packing)
    made = eccodes.codes_get_message(handle)
    if eccodes.codes_get(handle, "packingType") != packing and np.ptp(values) > 0:
        raise ValueError(f"ecCodes wrote {eccodes.codes_get(handle, 'packingType')} in place of {packing}")
    eccodes.codes_release(handle)
    return made


def values_of(grib: bytes) -> np.ndarray:
    """The values that ecCodes reads, missing ones as NaN."""
    handle = eccodes.codes_new_from_message(grib)
    eccodes.codes_set(handle, "missingValue", MISSING)
    values = eccodes.codes_get_values(handle)
    if eccodes.codes_get(handle, "bitmapPresent") or eccodes.codes_get(handle, "numberOfMissing"):
        values = np.where(values == MISSING, np.nan, values)
    eccodes.codes_release(handle)
    return values
