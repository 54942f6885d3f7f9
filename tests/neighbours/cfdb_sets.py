"""Write cfdb files with cfdb, and what cfdb reads back of them.

    python tests/neighbours/cfdb_sets.py /tmp/sets/cfdb

The packages are those of requirements.txt beside. Two runs give the same bytes.
"""

from __future__ import annotations

import gzip
import itertools
import json
import sys
import uuid
from pathlib import Path
from typing import Any

import booklet.utils
import cfdb
import numpy as np
import shapely
from cfdb import dtypes

BUCKETS = 200
RNG = np.random.default_rng(7)
SHAPE = (10, 7)
CHUNKS = (4, 3)
WIDE = 121
COMPRESSIONS = ("zstd", "lz4", "zstd_shuffle", "lz4_shuffle")


def days(first: str, count: int, unit: str = "D") -> np.ndarray:
    return (np.datetime64(first, "D") + np.arange(count)).astype(f"datetime64[{unit}]")


def holed(values: np.ndarray) -> np.ndarray:
    """Those items with some that are missing."""
    values = values.copy()
    values[RNG.random(values.shape) < 0.1] = np.nan
    return values


def variables() -> dict[str, tuple[Any, np.ndarray]]:
    """Every type that cfdb writes, as it is and packed, with values for it."""
    found: dict[str, tuple[Any, np.ndarray]] = {}
    for size in (8, 16, 32, 64):
        for name in (f"int{size}", f"uint{size}"):
            info = np.iinfo(name)
            values = RNG.integers(info.min, info.max, SHAPE, dtype=name, endpoint=True)
            values[0, :2] = info.min, info.max
            found[name] = (name, values)
    for size in (16, 32, 64):
        found[f"float{size}"] = (f"float{size}", holed(RNG.normal(size=SHAPE)).astype(f"float{size}"))
    found["bool"] = ("bool", RNG.random(SHAPE) < 0.5)
    for unit in ("D", "h", "s", "ms", "us", "ns"):
        times = (np.datetime64("2024-01-01", unit) + RNG.integers(0, 1000, SHAPE)).astype(f"datetime64[{unit}]")
        times[0, 0] = np.datetime64("NaT", unit)
        found[f"time_{unit}"] = (f"datetime64[{unit}]", times)
    limits = {"u1": (0, 1.5), "u2": (-50, 60), "u4": (-5e6, 5e6), "u8": (-5e12, 5e12)}
    for size in (32, 64):
        for code, (least, most) in limits.items():
            dtype = dtypes.dtype(f"float{size}", precision=2, min_value=least, max_value=most)
            assert dtype.dtype_encoded == np.dtype(code), (dtype.dtype_encoded, code)
            found[f"float{size}_{code}"] = (dtype, holed(RNG.uniform(least, most, SHAPE)).astype(f"float{size}"))
    found["float64_tens"] = (dtypes.dtype("float64", precision=-1, min_value=0, max_value=9000), holed(RNG.uniform(0, 9000, SHAPE)))
    found["float32_i2"] = (dtypes.dtype("float32", precision=1, dtype_encoded="int16", offset=1.3, fillvalue=-32768), holed(RNG.normal(size=SHAPE) * 50).astype("float32"))
    for name, (least, most) in {"int32": (-100, 100), "int64": (10**12, 10**12 + 60000), "uint16": (500, 700)}.items():
        found[f"{name}_packed"] = (dtypes.dtype(name, min_value=least, max_value=most), RNG.integers(least, most, SHAPE, dtype=name))
    times = days("2024-01-01", 70).reshape(SHAPE)
    times[3, 3] = np.datetime64("NaT", "D")
    found["time_packed"] = (dtypes.dtype("datetime64[D]", min_value="2020-01-01", max_value="2030-01-01"), times)
    found["text"] = ("str", np.array([f"é{n}" * (n % 4) for n in range(70)], dtype=np.dtypes.StringDType(na_object=None)).reshape(SHAPE))
    return found


def create(path: Path, compression: str = "zstd_shuffle", kind: str = "grid", buckets: int = BUCKETS) -> Any:
    # Room for few keys, or a file is 864 kB at least.
    return cfdb.open_dataset(path, "n", dataset_type=kind, compression=compression, n_buckets=buckets)


def write_types(path: Path, compression: str) -> None:
    """All types on two axes; of each variable some chunks are never written."""
    with create(path, compression) as ds:
        ds.create.coord.generic("row", data=np.arange(10, dtype="int32") * 3, chunk_shape=(4,))
        ds.create.coord.generic("day", data=days("2024-01-01", 7), chunk_shape=(3,))
        for name, (dtype, values) in variables().items():
            made = ds.create.data_var.generic(name, ("row", "day"), dtype=dtype, chunk_shape=CHUNKS)
            made[0:8, 0:6] = values[0:8, 0:6]
        ds["float32"].attrs["units"] = "K"
        ds["float32"].attrs["long_name"] = "a temperature – in kelvins"
        ds["int16"].attrs.update({"flag_values": [1, 2], "flag_meanings": "a b"})
        ds.attrs["title"] = f"every type, compressed with {compression}"


def write_origins(path: Path) -> None:
    """A coordinate that begins at -24, one at 5, and one at 0, and data on all of them."""
    with create(path) as ds:
        x = ds.create.coord.generic("x", data=np.arange(50, dtype="float64") * 0.25, chunk_shape=(16,), axis="x")
        y = ds.create.coord.generic("y", data=np.arange(30, dtype="float32"), chunk_shape=(8,), axis="y")
        ds.create.coord.generic("time", data=days("2024-01-01", 5), chunk_shape=(2,), axis="t")
        packed = dtypes.dtype("float32", precision=2, min_value=-50, max_value=60)
        field = ds.create.data_var.generic("field", ("x", "y"), dtype=packed, chunk_shape=(16, 8))
        field[:] = RNG.uniform(-40, 40, (50, 30)).astype("float32")
        cube = ds.create.data_var.generic("cube", ("time", "y", "x"), dtype="int32", chunk_shape=(2, 8, 16))
        cube[:] = np.arange(5 * 30 * 50, dtype="int32").reshape(5, 30, 50)
        x.prepend(np.arange(-24, 0) * 0.25)
        field[0:20, 0:10] = RNG.uniform(-40, 40, (20, 10)).astype("float32")
        y.truncate(start=5.0)
        cube[0:2, 0:25, 20:40] = np.ones((2, 25, 20), dtype="int32")
        ds["time"].update_units("days")
        ds.create.crs.from_user_input(4326, x_coord="x", y_coord="y")
        ds.attrs["title"] = "coordinates with origins"


def write_stations(path: Path) -> None:
    """Points, lines and polygons as well-known text, and text beside them."""
    with create(path, kind="ts_ortho") as ds:
        points = np.array([shapely.Point(n / 3, -n) for n in range(5)], dtype=object)
        ds.create.coord.generic("point", data=points, dtype=dtypes.dtype("point", precision=3), chunk_shape=(4,))
        ds.create.coord.generic("time", data=days("2024-01-01", 6, "h"), chunk_shape=(4,))
        flow = ds.create.data_var.generic("flow", ("point", "time"), dtype="float64", chunk_shape=(4, 4))
        flow[:] = RNG.normal(size=(5, 6))
        made = {
            "reach": ("line", [shapely.LineString([(n, 0), (n, n + 1), (0, 2)]) for n in range(5)]),
            "basin": ("polygon", [shapely.Polygon([(0, 0), (n + 1, 0), (0, 1.5)]) for n in range(5)]),
        }
        for name, (kind, shapes) in made.items():
            variable = ds.create.data_var.generic(name, ("point",), dtype=dtypes.dtype(kind, precision=2), chunk_shape=(4,))
            variable[0:3] = np.array(shapes[0:3], dtype=object)
        name = ds.create.data_var.generic("name", ("point",), dtype="str", chunk_shape=(2,))
        name[0:3] = np.array(["Waimakariri", "", "Rakaia 河"], dtype=np.dtypes.StringDType(na_object=None))
        ds.create.crs.from_user_input(2193, xy_coord="point")


def write_many(path: Path, buckets: int, count: int) -> None:
    """A series of so many chunks of 32 values, written twice, so that blocks are deleted."""
    with create(path, "lz4", buckets=buckets) as ds:
        ds.create.coord.generic("n", data=np.arange(count * 32, dtype="int32"), chunk_shape=(2048,))
        series = ds.create.data_var.generic("series", ("n",), dtype="float32", chunk_shape=(32,))
        series[:] = np.zeros(count * 32, dtype="float32")
        series[:] = RNG.normal(size=count * 32).astype("float32")


def write_wide(path: Path, buckets: int | None) -> None:
    """121 variables of two values, half of them with attributes; without a number of buckets, as many as cfdb makes."""
    size = {} if buckets is None else {"n_buckets": buckets}
    with cfdb.open_dataset(path, "n", dataset_type="grid", compression="lz4", **size) as ds:
        ds.create.coord.generic("n", data=np.arange(2, dtype="int32"), chunk_shape=(2,))
        for number in range(WIDE - 1):
            made = ds.create.data_var.generic(f"v{number:03}", ("n",), dtype="int32", chunk_shape=(2,))
            made[:] = np.array([number, number + 1], dtype="int32")
            if number % 2:
                made.attrs["number"] = number
    with cfdb.open_dataset(path) as ds:
        assert len(list(ds.variables)) == WIDE
        for number in range(WIDE - 1):
            variable = ds[f"v{number:03}"]
            assert variable.data.tolist() == [number, number + 1]
            assert variable.attrs.data == ({"number": number} if number % 2 else {})
    # The table of buckets is almost empty: 864 kB of zeros.
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


def stored_text(variable: Any) -> list[str]:
    """Text as cfdb has it before it makes geometries of it; none is empty."""
    dtype, texts = variable.dtype, np.full(variable.shape, "", dtype=object)
    keys = itertools.product(*(range(0, length, edge) for length, edge in zip(variable.shape, variable.chunk_shape)))
    for starts in keys:
        stored = variable._blt.get(f"{variable.name}!{'.'.join(map(str, starts))}")
        if stored is not None:
            chunk = np.asarray(dtype._decoder.decode(variable.compressor.decompress(stored)), dtype=object).reshape(variable.chunk_shape)
            place = tuple(slice(start, start + edge) for start, edge in zip(starts, variable.chunk_shape))
            texts[place] = chunk[tuple(slice(0, length) for length in texts[place].shape)]
    if dtype.kind == "G":
        assert all((one or None) == (None if two is None else shapely.to_wkt(two, rounding_precision=dtype.precision)) for one, two in zip(texts.flat, variable.data.flat))
    else:
        assert all((one or "") == (two or "") for one, two in zip(texts.flat, variable.data.flat))
    return [text or "" for text in texts.flat]


def expect(out: Path, path: Path, index: list[dict[str, Any]]) -> None:
    """Values that cfdb reads back of every variable."""
    with cfdb.open_dataset(path) as ds:
        for variable in ds.variables:
            entry: dict[str, Any] = {
                "document": path.name,
                "path": variable.name,
                "shape": list(variable.shape),
                "chunks": list(variable.chunk_shape),
                "origin": list(variable.get_coord_origins()),
                "dimensions": list(variable.coord_names),
                "attributes": variable.attrs.data,
            }
            # What compressions differ in is not what is read.
            file = f"{path.stem.split('-')[0]}-{variable.name}"
            if variable.dtype.kind in ("G", "T"):
                entry |= {"dtype": "string", "expected": f"{file}.json"}
                expected = (json.dumps(stored_text(variable), ensure_ascii=False) + "\n").encode()
            else:
                values = variable.data
                entry |= {"dtype": variable.dtype.dtype_decoded.name, "expected": f"{file}.bin"}
                expected = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
            file = out / entry["expected"]
            assert not file.exists() or file.read_bytes() == expected, file
            file.write_bytes(expected)
            index.append(entry)


def make_repeatable() -> None:
    """Times and names that differ from run to run are counted instead."""
    clock = itertools.count(1_700_000_000_000_000)
    booklet.utils.make_timestamp_int = lambda timestamp=None: next(clock) if timestamp is None else timestamp
    booklet.utils.uuid.uuid7 = lambda: uuid.UUID(int=7)
    booklet.utils.uuid.uuid8 = lambda: uuid.UUID(int=7)


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        old.unlink()
    make_repeatable()
    global RNG
    files = []
    for compression in COMPRESSIONS:
        RNG = np.random.default_rng(7)
        files.append(out / f"types-{compression}.cfdb")
        write_types(files[-1], compression)
    files.append(out / "origins.cfdb")
    write_origins(files[-1])
    files.append(out / "stations.cfdb")
    write_stations(files[-1])
    # Room for few keys: Booklet makes the index anew, at the file's end.
    files.append(out / "reindexed.cfdb")
    write_many(files[-1], 20, 40)
    files.append(out / "pruned.cfdb")
    write_many(files[-1], 997, 40)
    with cfdb.open_dataset(files[-1], "w") as ds:
        assert ds.prune() > 0
    # Booklet makes an index of 20 buckets anew at the file's end, with 12,007; an index of 12,007 stays behind the head.
    for name, buckets in {"default": None, "12007": 12_007, "reindexed": 20}.items():
        write_wide(out / f"wide-{name}.cfdb", buckets)
    index: list[dict[str, Any]] = []
    for file in files:
        expect(out, file, index)
    (out / "index.json").write_text("[\n" + ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in index) + "\n]\n")


if __name__ == "__main__":
    main()
