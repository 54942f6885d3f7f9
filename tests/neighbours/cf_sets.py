"""Write data sets with coordinates of every kind, and what xarray selects from them by label.

    python tests/neighbours/cf_sets.py /tmp/sets/cf

`sel.json` lists selections: a query, in which `values` is a list of labels, `between` a range, `from`, `to` and `step` a slice,
`date` a moment and `integer` an integer beyond what JSON's numbers hold in JavaScript; options; and the shape and values of what xarray's `sel` gives, or that it fails. A range of falling labels
is given to xarray from the larger to the smaller one. `coordinates.json` lists the names of the coordinates of arrays, and
`bounds.json` the dates that bounds of times have.
"""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
import zarr


# The moment that begins a second, as numpy prints it with fractions of 7 to 9 digits.
NOUGHTS = ("0000000", "00000000", "000000000")


def encoded(name: str, calendar: str | None = None) -> dict[str, Any]:
    packed = {"dtype": "int16", "scale_factor": 0.5, "add_offset": 10.0, "_FillValue": -32768}
    time = {"units": "days since 2000-01-01", "dtype": "int64"} | ({"calendar": calendar} if calendar else {})
    return {name: packed, "time": time}


def daily() -> xr.Dataset:
    """Days, falling latitudes, longitudes of float32, levels in no order, texts, labels twice, and an axis without labels."""
    time = pd.date_range("2024-01-20", periods=45)
    shape = (45, 7, 5)
    values = 10 + 0.5 * np.arange(np.prod(shape)).reshape(shape)
    values[3, 2] = np.nan
    coords = {
        "time": time,
        "lat": np.arange(90, -91, -30.0),
        "lon": np.array([0.1, 0.2, 0.3, 0.7, 1.5], "f4"),
        "height": 2.0,
        "area": (("lat", "lon"), np.arange(35.0).reshape(7, 5)),
    }
    data = xr.Dataset({"t2m": (("time", "lat", "lon"), values, {"units": "K"})}, coords)
    data["profile"] = (("level", "station", "cell"), np.arange(24.0).reshape(4, 3, 2))
    return data.assign_coords(
        level=("level", np.array([1000, 850, 925, 500], "i4")),
        station=("station", np.array(["Bern", "Kyiv", "Oslo"], dtype=object)),
        twice=("twice", [1, 2, 2, 5]),
    ).assign(more=("twice", np.arange(4.0)))


def model(calendar: str) -> xr.Dataset:
    """Days of a model's calendar around the end of February."""
    time = xr.date_range("2023-02-25", periods=12, calendar=calendar, use_cftime=True)
    return xr.Dataset({"pr": (("time", "lat"), np.arange(36.0).reshape(12, 3))}, {"time": time, "lat": [-10.0, 0.0, 10.0]})


def hourly() -> xr.Dataset:
    time = pd.date_range("2024-02-28", periods=16, freq="6h")
    return xr.Dataset({"x": ("time", np.arange(16.0))}, {"time": time})


# Of integers that floats round, each axis of its own; those of `falling` axes go down.
WIDE = {
    "rising": ("int64", [-(2**53) - 1, 1, 2**60 + 1, 2**60 + 3]),
    "falling": ("int64", [2**60 + 3, 2**60 + 1, 1, -(2**53) - 1]),
    "natural": ("uint64", [1, 2**53 + 1, 2**63 + 1, 2**63 + 5]),
    "falling_natural": ("uint64", [2**63 + 5, 2**63 + 1, 2**53 + 1, 1]),
}


def wide() -> xr.Dataset:
    return xr.Dataset(
        {f"of_{name}": (name, np.arange(4.0)) for name in WIDE},
        {name: (name, np.array(labels, dtype)) for name, (dtype, labels) in WIDE.items()},
    )


def moments() -> xr.Dataset:
    """Times that milliseconds do not tell apart."""
    nanos = np.array([0, 1, 2, 1_500_000, 1_500_100, 10**9], "m8[ns]")
    time = np.datetime64("2024-02-10", "ns") + nanos
    data = {"x": ("time", np.arange(6.0)), "y": ("falling_time", np.arange(6.0))}
    return xr.Dataset(data, {"time": time, "falling_time": time[::-1]})


def around(first: str) -> xr.Dataset:
    """Days of the standard calendar, which has none from 1582-10-05 to 1582-10-14; datetime64[ns] has those from 1677-09-22 to 2262-04-11."""
    time = xr.date_range(first, periods=14, calendar="standard", use_cftime=True)
    return xr.Dataset({"pr": (("time", "lat"), np.arange(42.0).reshape(14, 3))}, {"time": time, "lat": [-10.0, 0.0, 10.0]})


def bounded(calendar: str) -> xr.Dataset:
    """Times with bounds."""
    time = xr.date_range("2023-02-25", periods=4, calendar=calendar, use_cftime=True)
    days = xr.date_range("2023-02-25", periods=5, calendar=calendar, use_cftime=True).values
    bounds = (("time", "bnds"), np.stack([days[:-1], days[1:]], axis=1))
    data = xr.Dataset({"time_bnds": bounds, "limits": bounds, "pr": (("time", "bnds"), np.zeros((4, 2)))}, {"time": time})
    data["issued"] = ("time", days[:-1], {"bounds": "limits"})
    data["time"].attrs["bounds"] = "time_bnds"
    return data


def write_bounds(out: Path) -> None:
    """Bounds without attributes, as the CF conventions want them, in a consolidated group and in a plain one; and some with units alone."""
    listed = []
    for name, zarr_format, calendar in (("bounds", 3, "noleap"), ("bounds-plain", 2, "360_day"), ("bounds-units", 3, "all_leap")):
        path = out / f"{name}.zarr"
        shutil.rmtree(path, ignore_errors=True)
        units = {"time": "days since 2000-01-01", "time_bnds": "days since 2000-01-01", "issued": "hours since 1990-01-01", "limits": "hours since 1990-01-01"}
        encoding = {array: {"units": unit, "dtype": "int64", "calendar": calendar} for array, unit in units.items()}
        bounded(calendar).to_zarr(path, zarr_format=zarr_format, consolidated=False, encoding=encoding)
        for array in ("time_bnds", "limits"):
            attributes = zarr.open_array(path / array).attrs
            attributes.put({k: v for k, v in attributes.items() if k != "calendar" and (k != "units" or name == "bounds-units")})
        if name == "bounds":
            zarr.consolidate_metadata(path, zarr_format=3)
        data = xr.open_zarr(path, consolidated=name == "bounds")
        for array in ("time_bnds", "limits"):
            stored = dict(zarr.open_array(path / array).attrs)
            assert "calendar" not in stored, stored
            labels = [date.isoformat() for date in data[array].values.ravel()]
            listed.append({"store": f"{name}.zarr", "array": array, "labels": labels})
    (out / "bounds.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in listed) + "\n]\n")


def python(label: Any, calendar: str | None) -> Any:
    if isinstance(label, dict) and "integer" in label:
        return int(label["integer"])
    if isinstance(label, dict) and "date" in label:
        text = label["date"].removesuffix("Z").removesuffix(".000")
        if calendar is None:
            return np.datetime64(text)
        import cftime

        return cftime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S", calendar=calendar)
    return label


def indexer(wanted: Any, falls: bool, calendar: str | None) -> Any:
    if isinstance(wanted, dict) and "between" in wanted:
        ends = [python(end, calendar) for end in wanted["between"]]
        return slice(*(sorted(ends, reverse=True) if falls else sorted(ends)))
    if isinstance(wanted, dict) and "values" in wanted:
        return [python(label, calendar) for label in wanted["values"]]
    if isinstance(wanted, dict) and not {"date", "integer"} & set(wanted):
        return slice(wanted.get("from"), wanted.get("to"), wanted.get("step"))
    return python(wanted, calendar)


def main() -> None:
    warnings.simplefilter("ignore")
    out = Path(sys.argv[1])
    sets = {"daily": daily(), "hourly": hourly(), "wide": wide(), "moments": moments(), "reform": around("1582-10-02")} | {f"from-{first}": around(first) for first in ("1582-10-15", "1677-09-22", "2262-03-30")} | {name: model(name) for name in ("360_day", "noleap", "all_leap", "julian")}
    for name, data in sets.items():
        shutil.rmtree(out / f"{name}.zarr", ignore_errors=True)
        zarr_format = 2 if name in ("360_day", "julian") else 3
        array = next(iter(data.data_vars))
        encoding = encoded(array, None if name in ("daily", "hourly") else name)
        if name == "wide":
            encoding = {}
        if name == "reform" or name.startswith("from-"):
            encoding = {"time": {"units": "days since 1582-10-15", "calendar": "standard", "dtype": "int64"}}
        if name == "moments":
            units = {"units": "nanoseconds since 2024-02-10", "dtype": "int64"}
            encoding = {"time": units, "falling_time": units}
        if name == "hourly":
            encoding = {"time": {"units": "hours since 1970-01-01", "dtype": "float64"}}
        data.to_zarr(out / f"{name}.zarr", zarr_format=zarr_format, consolidated=name in ("daily", "noleap"), encoding=encoding)
    # An array in a group whose coordinates lie in the group above.
    nested = zarr.open_group(out / "daily.zarr", mode="a", use_consolidated=False)
    inner = nested.create_array("deep/inner", shape=(45, 7), dtype="f4", chunks=(45, 7), compressors=None, dimension_names=["time", "lat"])
    inner[:] = np.arange(315).reshape(45, 7)
    stamps = nested.create_array("stamps/time", shape=(4,), dtype="datetime64[D]", chunks=(4,), compressors=None, dimension_names=["time"])
    stamps[:] = np.array(["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"], "M8[D]")
    counts = nested.create_array("stamps/count", shape=(4,), dtype="i4", chunks=(4,), compressors=None, dimension_names=["time"])
    counts[:] = np.arange(4)
    zarr.consolidate_metadata(out / "daily.zarr", zarr_format=3)

    near = {"method": "nearest"}
    queries: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
        ("daily", "t2m", query, options)
        for query, options in [
            ({"time": "2024-02"}, {}),
            ({"time": "2024"}, {}),
            ({"time": "2024-02-03"}, {}),
            ({"time": "2024-02-03T00:00"}, {}),
            ({"time": "2024-02-03T12"}, {}),
            ({"time": "2024-02-03T12"}, near),
            ({"time": "2024-02-03T12"}, {"method": "pad"}),
            ({"time": "2024-02-03T12"}, {"method": "bfill"}),
            ({"time": "2025"}, {}),
            ({"time": "2023-12"}, {}),
            ({"time": "2025-01-01"}, near),
            ({"time": {"date": "2024-02-03T00:00:00.000Z"}}, {}),
            ({"time": {"date": "2024-02-03T11:00:00.000Z"}}, {}),
            ({"time": {"date": "2024-02-03T11:00:00.000Z"}}, near),
            ({"time": {"between": ["2024-01-25", "2024-02"]}}, {}),
            ({"time": {"between": ["2024-02-03", "2024-02-05T12"]}}, {}),
            ({"time": {"from": "2024-02", "step": 7}}, {}),
            ({"time": {"to": "2024-01"}}, {}),
            ({"time": {"from": "2030"}}, {}),
            ({"time": {"values": ["2024-02-03", "2024-01-20", "2024-02-03"]}}, {}),
            ({"time": {"values": ["2024-02-03", "2025-01-20"]}}, {}),
            ({"time": {"values": ["2024-02-03T13", "2025-01-20"]}}, near),
            ({"lat": 30}, {}),
            ({"lat": 31}, {}),
            ({"lat": 31}, near),
            ({"lat": 45}, near),
            ({"lat": -45}, near),
            ({"lat": 31}, near | {"tolerance": 1}),
            ({"lat": 32}, near | {"tolerance": 1}),
            ({"lat": 45}, {"method": "pad"}),
            ({"lat": 45}, {"method": "ffill"}),
            ({"lat": 45}, {"method": "backfill"}),
            ({"lat": 95}, {"method": "pad"}),
            ({"lat": 95}, {"method": "backfill"}),
            ({"lat": -95}, {"method": "pad"}),
            ({"lat": -95}, {"method": "backfill"}),
            ({"lat": {"between": [10, 70]}}, {}),
            ({"lat": {"between": [30, 60]}}, {}),
            ({"lat": {"between": [10, 20]}}, {}),
            ({"lat": {"from": 40}}, {}),
            ({"lat": {"to": 40}}, {}),
            ({"lat": {"values": [0, 90, 0]}}, {}),
            ({"lat": {"values": [1, 80]}}, near),
            ({"lat": {"values": []}}, {}),
            ({"lon": 0.1}, {}),
            ({"lon": 0.3}, {}),
            ({"lon": {"between": [0.15, 0.7000001]}}, {}),
            ({"lon": 1.1}, near),
            *(({"time": {"between": ["2024-02-03", f"2024-02-10T00:00:00.{digits}"]}}, {}) for digits in NOUGHTS),
            *(({"time": {"between": [f"2024-02-03T00:00:00.{digits}", "2024-02-10T00:00:00.0000001"]}}, {}) for digits in NOUGHTS),
            ({"time": {"between": ["2024-02-03T00:00:00.000000001", "2024-02-10"]}}, {}),
            ({"time": {"between": ["2024-02-03", "2024-02-09T23:59:59.999999999"]}}, {}),
            ({"time": {"from": "2024-03-03T00:00:00.000000000"}}, {}),
            ({"time": {"to": "2024-01-22T00:00:00.000000000"}}, {}),
            ({"time": "2024-02-03T00:00:00.000000000"}, {}),
            ({"time": "2024-02-03T00:00:00.000000001"}, {}),
            ({"time": "2024-02-03T00:00:00.000000001"}, near),
            ({"time": "2024-02-03T00:00:00.000000001"}, {"method": "backfill"}),
            ({"time": {"values": ["2024-02-03T00:00:00.000000000", "2024-01-20"]}}, {}),
            ({"time": "2024-02", "lat": {"between": [0, 60]}, "lon": 0.2}, {}),
            ({"time": "2024-02-10", "lat": 31, "lon": {"values": [1.4, 0]}}, near),
        ]
    ]
    queries += [
        ("daily", "profile", query, options)
        for query, options in [
            ({"level": 925}, {}),
            ({"level": 900}, {}),
            ({"level": 900}, near),
            ({"level": {"values": [500, 1000]}}, {}),
            ({"station": "Kyiv"}, {}),
            ({"station": "Rome"}, {}),
            ({"station": {"between": ["C", "Oslo"]}}, {}),
            ({"station": {"values": ["Oslo", "Bern"]}}, {}),
            ({"cell": 1}, {}),
            ({"cell": {"from": 0, "to": 1}}, {}),
            ({"cell": {"values": [1, 0]}, "level": 850}, {}),
        ]
    ]
    queries += [("daily", "more", {"twice": label}, {}) for label in (1, 2, 3, {"between": [2, 5]})]
    queries += [
        (name, "pr", query, options)
        for name in ("360_day", "noleap", "all_leap", "julian")
        for query, options in [
            ({"time": "2023-02"}, {}),
            ({"time": "2023-02-27"}, {}),
            ({"time": "2023-02-30"}, {}),
            ({"time": "2023-03-02T12"}, {}),
            ({"time": "2024"}, {}),
            ({"time": {"between": ["2023-02-28", "2023-03-02"]}}, {}),
            ({"time": {"date": "2023-03-02T00:00:00.000Z"}}, {} if name != "julian" else near),
            ({"time": {"date": "2023-03-02T01:00:00.000Z"}}, near),
            ({"time": "2023-03", "lat": 3}, {}),
        ]
        if not (name == "julian" and "date" in str(query))
    ]
    queries += [
        ("hourly", "x", query, options)
        for query, options in [
            ({"time": "2024-02-29"}, {}),
            ({"time": "2024-02-29T06"}, {}),
            ({"time": "2024-02-29T07"}, {}),
            ({"time": "2024-02-29T07"}, {"method": "ffill"}),
            ({"time": {"between": ["2024-02-28T12", "2024-02-29"]}}, {}),
        ]
    ]
    second = "2024-02-10T00:00:00"
    queries += [
        ("moments", array, {axis: query}, options)
        for array, axis in (("x", "time"), ("y", "falling_time"))
        for query, options in [
            *((f"{second}{digits}", {}) for digits in (".0", ".000", ".000000000", ".000000001", ".000000003", ".0015", ".0015001", "", ".001")),
            *((f"{second}{digits}", near) for digits in (".000000003", ".0015000499", ".0015000501")),
            (f"{second}.000000003", {"method": "pad"}),
            (f"{second}.000000003", {"method": "backfill"}),
            ({"between": [f"{second}.000000001", f"{second}.001500000"]}, {}),
            ({"between": [f"{second}.000000000", f"{second}.000000001"]}, {}),
            ({"between": [f"{second}.0000000", f"{second}.0015000"]}, {}),
            ({"from": f"{second}.00150000"}, {}),
            ({"values": [f"{second}.000000002", f"{second}.001500100"]}, {}),
            ({"date": f"{second}.000Z"}, {}),
        ]
        # pandas has no ranges of texts among falling times.
        if axis == "time" or not {"between", "from"} & set(query)
    ]
    queries += [
        (name, "pr", {"time": query}, options)
        for name in ("reform", "from-1582-10-15")
        for query, options in [
            ("1582-10-20", {}),
            ("1582-10-20T00", {}),
            ("1582-10-20T12", {}),
            ("1582-10", {}),
            ("1582-10-04", {}),
            ("1582", {}),
            ({"between": ["1582-10-03", "1582-10-16"]}, {}),
            ({"from": "1582-10-16"}, {}),
        ]
    ]
    queries += [(f"from-{first}", "pr", {"time": label}, {}) for first, label in (("1677-09-22", "1677-09-23"), ("2262-03-30", "2262-04-01"))]
    for name, (_, labels) in WIDE.items():
        low, second, third, high = sorted(labels)
        integer = {"integer": str(third + 1)}
        exact = [{"integer": str(label)} for label in (low, second, third, high)]
        wide_queries: list[tuple[Any, dict[str, Any]]] = [
            *((label, {}) for label in exact),
            (integer, {}),
            (1, {}),
            (2, {}),
            (integer, {"method": "pad"}),
            (integer, {"method": "backfill"}),
            (integer, near | {"tolerance": 1}),
            ({"integer": str(high + 1)}, near | {"tolerance": 1}),
            ({"between": [exact[0], exact[2]]}, {}),
            ({"between": [{"integer": str(low + 1)}, integer]}, {}),
            ({"between": [integer, exact[3]]}, {}),
            ({"values": [exact[3], exact[0], exact[3]]}, {}),
            ({"values": [exact[3], integer]}, {}),
        ]
        if name in ("rising", "falling"):
            # pandas subtracts unsigned integers, which wrap around, and finds other ones than those of a list.
            wide_queries += [(integer, near), ({"integer": str(high + 1)}, near), ({"values": [integer, exact[0]]}, near), ({"integer": str(high + 3)}, near | {"tolerance": 1})]
        else:
            wide_queries = [(query, options) for query, options in wide_queries if "tolerance" not in options and not (isinstance(query, dict) and "values" in query)]
        queries += [("wide", f"of_{name}", {name: query}, options) for query, options in wide_queries]
    found = []
    for name, array, query, options in queries:
        data = xr.open_zarr(out / f"{name}.zarr", consolidated=name in ("daily", "noleap"))[array]
        calendar = None if name not in ("360_day", "noleap", "all_leap", "julian") else name
        falls = {axis: axis.startswith("falling") or (axis == "lat" and name == "daily") for axis in query}
        indexers = {axis: indexer(wanted, falls[axis], calendar) for axis, wanted in query.items()}
        entry: dict[str, Any] = {"store": f"{name}.zarr", "array": array, "query": query, "options": options}
        try:
            selected = data.sel(indexers, **options)
            flat = selected.values.ravel()
            entry |= {"shape": list(selected.shape), "values": [None if np.isnan(v) else float(v) for v in flat[:: max(1, flat.size // 40)]]}
            entry["size"] = int(flat.size)
        except (KeyError, ValueError) as error:
            entry["fails"] = type(error).__name__
        found.append(entry)
    (out / "sel.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in found) + "\n]\n")

    write_bounds(out)
    listed = []
    for name in sets:
        data = xr.open_zarr(out / f"{name}.zarr", consolidated=name in ("daily", "noleap"))
        listed += [{"store": f"{name}.zarr", "array": array, "coordinates": sorted(data[array].coords)} for array in data.data_vars]
    (out / "coordinates.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in listed) + "\n]\n")


if __name__ == "__main__":
    main()
