"""Random reductions, and what xarray makes of them: `python reductions.py FOLDER` writes a store and its answers.

FOLDER/store.zarr has groups d0, d1, … with a variable x(time, lat, lon) of some data type, grid and codec, and its
coordinates. FOLDER/cases.json lists reductions: `group`, `how`, `options` for `reduce`, and the answer that xarray gives
in float64: `shape`, `dimensions` and `values`, with null for NaN and texts for 64-bit integers.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
import zarr

import registry  # noqa: F401  (allows rectilinear chunks)

DATASETS, REDUCTIONS = 52, 12
CALENDARS = ["standard", "noleap", "360_day", "all_leap", "julian"]
KINDS = [
    "float32", "float64", "float16", "int16", "uint8", "int32", "int64", "uint64", "bool", "packed", "packed-nan",
    "datetime64[s]", "complex64",
]
FLOATS = ("float32", "float64", "float16", "packed", "packed-nan")


def _split(rng: np.random.Generator, length: int) -> list[int]:
    """Lengths of chunks, one or more."""
    edges: list[int] = []
    while sum(edges) < length:
        edges.append(int(rng.integers(1, max(2, length // 2 + 1))))
    edges[-1] -= sum(edges) - length
    return edges


def _values(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    if kind == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if kind.startswith("packed"):
        return rng.integers(-300, 300, shape).astype("int16")
    if kind == "complex64":
        values = (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(kind)
        values[rng.random(shape) < 0.1] = complex(np.nan, 1)
        return values
    if kind.startswith("datetime64"):
        values = rng.integers(0, 10**9, shape).astype(kind)
        values[rng.random(shape) < 0.1] = np.datetime64("NaT")
        return values
    if kind in ("int64", "uint64"):
        return rng.integers(0, 2**62, shape, dtype="int64").astype(kind)
    if "int" in kind:
        return rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, endpoint=True).astype(kind)
    # Few values, so that some are equal.
    values = (rng.integers(-400, 400, shape) / 8).astype(kind)
    values[rng.random(shape) < 0.15] = np.nan
    return values


def _dataset(rng: np.random.Generator, group: zarr.Group, kind: str) -> xr.DataArray:
    """Writes a variable and its coordinates; returns the variable as xarray decodes it, floats in float64."""
    shape = tuple(int(length) for length in (rng.integers(1, 500), rng.integers(1, 12), rng.integers(1, 14)))
    values = _values(rng, kind, shape)
    dimensions = ["time", "lat", "lon"]
    attributes: dict[str, Any] = {}
    if kind.startswith("packed"):
        attributes = {"scale_factor": 0.25, "add_offset": 10.0}
        if kind == "packed-nan":
            attributes["_FillValue"] = -7
            values[rng.random(shape) < 0.1] = -7
    options: dict[str, Any] = {"dimension_names": dimensions, "attributes": attributes, "fill_value": values.flat[0]}
    grid = rng.integers(0, 3)
    if grid == 0:
        options["chunks"] = [_split(rng, length) for length in shape]
    else:
        inner = [int(rng.integers(1, length + 1)) for length in shape]
        options["chunks"] = inner
        if grid == 1:
            options["shards"] = [edge * int(rng.integers(1, 4)) for edge in inner]
    array = group.create_array("x", shape=shape, dtype=values.dtype, **options)
    array[:] = values
    calendar = CALENDARS[int(rng.integers(0, len(CALENDARS)))]
    times = np.sort(rng.choice(4 * 1500, shape[0], replace=False)) / 4
    units = {"units": "days since 1999-11-20", "calendar": calendar, "standard_name": "time"}
    time = group.create_array("time", shape=times.shape, dtype="float64", dimension_names=["time"], attributes=units)
    time[:] = times
    lat = np.sort(rng.uniform(-90, 90, shape[1])) * (1 if rng.random() < 0.5 else -1)
    lon = np.arange(shape[2]) * 360 / shape[2]
    for name, axis, unit in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
        made = group.create_array(
            name, shape=axis.shape, dtype="float64", dimension_names=[name], attributes={"units": unit}
        )
        made[:] = axis
    coded = xr.Dataset({"time": ("time", times, {key: units[key] for key in ("units", "calendar")})})
    decoded = xr.decode_cf(coded, use_cftime=True)["time"]
    coordinates = {"time": decoded.values, "lat": lat, "lon": lon}
    numbers: np.ndarray = values
    if kind.startswith("packed"):
        numbers = values * 0.25 + 10.0
        if kind == "packed-nan":
            numbers[values == -7] = np.nan
    elif kind.startswith("float"):
        numbers = values.astype("float64")
    elif kind == "complex64":
        numbers = values.astype("complex128")
    return xr.DataArray(numbers, dims=dimensions, coords=coordinates)


def _names(kind: str) -> list[str]:
    if kind == "complex64":
        return ["sum", "mean", "count"]
    if kind.startswith("datetime64"):
        return ["mean", "count"]
    names = ["sum", "mean", "count", "min", "max", "std", "var", "argmin", "argmax", "median", "quantile", "histogram"]
    return [name for name in names if kind != "bool" or name in ("sum", "mean", "count")]


def _positions(data: xr.DataArray, how: str, over: list[str], skipna: bool) -> xr.DataArray:
    """Numbers of the first extremes among the items of their cells, which xarray gives along one axis only."""
    kept = [name for name in data.dims if name not in over]
    flat = data.transpose(*kept, *over).values.reshape([data.sizes[name] for name in kept] + [-1])
    numbers = flat.astype("float64") if flat.dtype.kind == "f" else flat
    if numbers.dtype.kind == "f":
        missing = np.isnan(numbers)
        worst = np.inf if how == "argmin" else -np.inf
        best = -worst
        found = getattr(np, how)(np.where(missing, worst if skipna else best, numbers), axis=-1).astype("float64")
        if not skipna:
            found = np.where(missing.any(axis=-1), missing.argmax(axis=-1), found)
        found = np.where(missing.all(axis=-1), np.nan if skipna else 0, found)
        return xr.DataArray(found, dims=kept)
    return xr.DataArray(getattr(np, how)(numbers, axis=-1).astype("float64"), dims=kept)


def _answer(data: Any, how: str, over: list[str], options: dict[str, Any], weights: Any, by: Any) -> xr.DataArray:
    skipna = options["skipna"]
    if how == "count":
        return (data.groupby(by) if by is not None else data).count(dim=over)
    if by is not None and weights is not None:
        valid = weights.where(data.notnull())
        whole = (data * weights).groupby(by).sum(dim=over, skipna=skipna)
        return whole if how == "sum" else whole / valid.broadcast_like(data).groupby(by).sum(dim=over)
    if weights is not None:
        return getattr(data.weighted(weights), how)(dim=over, skipna=skipna)
    if how in ("quantile", "median") and data.dtype.kind in "iu":
        # numpy subtracts neighbours in their own type, where the difference may overflow.
        data = data.astype("float64")
    grouped = data.groupby(by) if by is not None else data
    if how == "quantile":
        return grouped.quantile(options["q"], dim=over, skipna=skipna)
    more = {"ddof": options["ddof"]} if how in ("std", "var") else {}
    return getattr(grouped, how)(dim=over, skipna=skipna, **more)


def _histogram(data: xr.DataArray, over: list[str], edges: list[float]) -> xr.DataArray:
    kept = [name for name in data.dims if name not in over]
    flat = data.transpose(*kept, *over).values.reshape([data.sizes[name] for name in kept] + [-1])
    count = lambda row: np.histogram(row[~np.isnan(row)], bins=edges)[0]  # noqa: E731
    return xr.DataArray(np.apply_along_axis(count, -1, flat.astype("float64")), dims=[*kept, "bin"])


def _case(rng: np.random.Generator, data: xr.DataArray, kind: str) -> dict[str, Any] | None:
    names = _names(kind)
    how = names[int(rng.integers(0, len(names)))]
    options: dict[str, Any] = {"skipna": bool(rng.random() < 0.7), "ddof": int(rng.integers(0, 2))}
    if kind.startswith("datetime64"):
        # Not-a-time is the least of all times in numpy, whatever xarray skips.
        options["skipna"] = True
    selection: list[Any] = []
    for length in data.shape:
        draw = rng.random()
        if draw < 0.5:
            selection.append(None)
        elif draw < 0.75:
            start = int(rng.integers(0, length))
            stop = int(rng.integers(start + 1, length + 1))
            selection.append({"start": start, "stop": stop, "step": int(rng.integers(1, 4))})
        elif draw < 0.9:
            selection.append(sorted({int(at) for at in rng.integers(0, length, 4)}, reverse=bool(rng.random() < 0.3)))
        else:
            selection.append(int(rng.integers(0, length)))
    isel = {
        name: slice(part["start"], part["stop"], part["step"]) if isinstance(part, dict) else part
        for name, part in zip(data.dims, selection, strict=True)
        if part is not None
    }
    data = data.isel(isel)
    options["selection"] = selection
    dims = list(data.dims)
    if not dims:
        return None
    over = [name for name in dims if rng.random() < 0.6] or [dims[0]]
    by = None
    can_group = how in ("sum", "mean", "count", "min", "max", "std", "var", "median", "quantile")
    if "time" in over and can_group and kind != "complex64" and rng.random() < 0.5:
        field = ["month", "season", "year", "dayofyear", "hour"][int(rng.integers(0, 5))]
        options["by"] = f"time.{field}"
        by = options["by"]
        if field == "season":
            data = data.assign_coords(time=data["time"])
    weights = None
    if how in ("sum", "mean") and kind not in ("complex64",) and not kind.startswith("datetime64") and rng.random() < 0.4:
        # xarray weighs as float64; numpy multiplies float16 by float64 too.
        own = [name for name in dims if rng.random() < 0.6] or [dims[-1]]
        numbers = np.round(rng.random([data.sizes[name] for name in own]) * 4) / 4
        weights = xr.DataArray(numbers, dims=own)
        options["weights"] = {"data": numbers.ravel().tolist(), "shape": list(numbers.shape), "dimensions": own}
    options["over"] = over
    if how == "quantile":
        options["q"] = [0.1, 0.5, 0.99] if rng.random() < 0.5 else float(np.round(rng.random(), 3))
    if how in ("argmin", "argmax"):
        answer = _positions(data, how, [name for name in dims if name in over], options["skipna"])
    elif how == "histogram":
        edges = [0.0, 1.0, 2.5, 5.0, 20.0] if rng.random() < 0.5 else np.linspace(-5, 5, 11).tolist()
        options["bins"] = edges
        answer = _histogram(data, [name for name in dims if name in over], edges)
    else:
        answer = _answer(data, how, over, options, weights, by)
    values = answer.values
    scale = 1.0
    if values.dtype.kind in "fc":
        span = np.nanmax(np.abs(data.values.astype(complex if values.dtype.kind == "c" else float)), initial=1.0)
        scale = float(span * (data.size if how == "sum" else span if how == "var" else 1))
    if values.dtype.kind == "M":
        values = values.astype("datetime64[s]").astype("int64")
    if values.dtype.kind == "c":
        values = np.stack([values.real, values.imag], axis=-1)
    is_whole = values.dtype.kind in "iu"
    listed = [str(item) if is_whole else None if np.isnan(item) else float(item) for item in values.ravel().tolist()]
    dimensions = [*answer.dims, *(["part"] if kind == "complex64" and how != "count" else [])]
    labels = None
    if by is not None:
        labels = [label if isinstance(label, str) else int(label) for label in answer[by.split(".")[1]].values.tolist()]
    return {
        "how": how, "options": options, "shape": list(values.shape), "dimensions": dimensions, "values": listed,
        "labels": labels, "scale": scale, "single": kind in ("float32", "float16", "complex64"),
    }


def main(folder: Path) -> None:
    """Writes the store and the cases."""
    rng = np.random.default_rng(11)
    warnings.simplefilter("ignore")
    root = zarr.open_group(folder / "store.zarr", mode="w")
    cases: list[dict[str, Any]] = []
    with xr.set_options(use_numbagg=False, use_bottleneck=False, use_flox=False):
        for nth in range(DATASETS):
            kind = KINDS[nth % len(KINDS)]
            data = _dataset(rng, root.create_group(f"d{nth}"), kind)
            made = 0
            while made < REDUCTIONS:
                case = _case(rng, data, kind)
                if case is not None:
                    cases.append({"group": f"d{nth}", "kind": kind, **case})
                    made += 1
    zarr.consolidate_metadata(folder / "store.zarr")
    (folder / "cases.json").write_text(json.dumps(cases))


main(Path(sys.argv[1]))
