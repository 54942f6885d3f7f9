"""Write NetCDF-3 files with netCDF4, with scipy and by hand, and what netCDF4 or scipy reads back of them.

    python tests/neighbours/netcdf_sets.py /tmp/sets/netcdf

The packages are those of requirements.txt beside. Two runs give the same bytes.
"""

from __future__ import annotations

import json
import math
import struct
import sys
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from scipy.io import netcdf_file

RNG = np.random.default_rng(41)
CLASSIC = ["i1", "S1", "i2", "i4", "f4", "f8"]
ALL = [*CLASSIC, "u1", "u2", "u4", "i8", "u8"]
FORMATS = {"NETCDF3_CLASSIC": CLASSIC, "NETCDF3_64BIT_OFFSET": CLASSIC, "NETCDF3_64BIT_DATA": ALL}
LETTERS = np.array(list("abcdefghij klmnop"), "S1")
WORDS = ["x", "time", "été", "Größe", "lon_bnds", "a b", "µ"]


def values(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    if dtype == "S1":
        found = np.asarray(RNG.choice(LETTERS, shape))
        if shape and RNG.random() < 0.5:
            found[..., -1:] = b""
        return found
    if dtype[0] == "f":
        found = RNG.normal(size=shape).astype(dtype)
        found[RNG.random(shape) < 0.1] = np.nan
        return found
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


def attribute(types: list[str]) -> Any:
    dtype = str(RNG.choice(types))
    if dtype == "S1":
        return str(RNG.choice(["text", "été", "with\nlines", "days since 2000-01-01", "1"]))
    count = int(RNG.choice([1, 1, 2, 5]))
    found = values(dtype, (count,))
    return found[0] if count == 1 else found


def plain(value: Any) -> Any:
    """An attribute as JSON: a list of one is its item."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            value = value.decode("latin-1")
    if isinstance(value, str):
        return value.rstrip("\0")
    items = np.atleast_1d(value).tolist()
    items = [item if isinstance(item, int) or math.isfinite(item) else str(item).replace("nan", "NaN").replace("inf", "Infinity") for item in items]
    return items[0] if len(items) == 1 else items


def texts(found: np.ndarray) -> list[str]:
    """Items of text of characters along the last axis."""
    rows = found.reshape(-1, found.shape[-1]) if found.shape[-1] else np.zeros((math.prod(found.shape[:-1]), 0), "S1")
    return [plain(b"".join(letter or b"\0" for letter in row)) for row in rows.tolist()]


class Sets:
    """The files that were written, with what they hold."""

    def __init__(self, root: Path) -> None:
        self.root, self.entries = root, []
        root.mkdir(parents=True, exist_ok=True)

    def note(self, name: str, attributes: dict[str, Any], variables: dict[str, tuple[list[str], np.ndarray, dict[str, Any], bool]]) -> None:
        found, stored = {}, b""
        for path, (dimensions, data, own, is_single) in variables.items():
            entry: dict[str, Any] = {"attributes": {key: plain(value) for key, value in own.items()}}
            if data.dtype.kind == "S":
                single = data.reshape(*data.shape, 1) if is_single else data
                entry |= {"dtype": "string", "shape": single.shape[:-1], "dimensions": dimensions[: single.ndim - 1]}
                written = json.dumps(texts(single), ensure_ascii=False).encode()
            else:
                little = data.astype(data.dtype.newbyteorder("<"))
                entry |= {"dtype": little.dtype.name, "shape": data.shape, "dimensions": dimensions}
                written = little.tobytes()
            found[path] = {**entry, "values": [len(stored), len(written)]}
            stored += written
        (self.root / f"{name}.values").write_bytes(stored)
        self.entries.append({"document": f"{name}.nc", "values": f"{name}.values", "attributes": {key: plain(value) for key, value in attributes.items()}, "variables": found})

    def read(self, name: str) -> None:
        """Note what netCDF4 reads of a file."""
        with netCDF4.Dataset(self.root / f"{name}.nc") as opened:
            opened.set_auto_maskandscale(False)
            opened.set_auto_chartostring(False)
            records = {dimension for dimension, found in opened.dimensions.items() if found.isunlimited()}
            variables = {}
            for path, variable in opened.variables.items():
                is_single = variable.ndim == 0 or (variable.ndim == 1 and variable.dimensions[0] in records)
                data = np.asarray(variable[...])
                own = {key: variable.getncattr(key) for key in variable.ncattrs()}
                variables[path] = (list(variable.dimensions), data.reshape(variable.shape), own, is_single)
            self.note(name, {key: opened.getncattr(key) for key in opened.ncattrs()}, variables)


def random_file(sets: Sets, name: str, kind: str) -> None:
    types = FORMATS[kind]
    with netCDF4.Dataset(sets.root / f"{name}.nc", "w", format=kind) as made:
        dimensions = {f"{RNG.choice(WORDS)}{nth}": int(RNG.choice([1, 2, 3, 5, 7, 12])) for nth in range(RNG.integers(1, 5))}
        for dimension, length in dimensions.items():
            made.createDimension(dimension, length)
        has_records = RNG.random() < 0.7
        if has_records:
            made.createDimension("record", None)
        made.set_fill_on() if RNG.random() < 0.5 else made.set_fill_off()
        for nth in range(RNG.integers(0, 4)):
            made.setncattr(f"{RNG.choice(WORDS)}_{nth}".replace(" ", "_"), attribute(types))
        count = int(RNG.choice([0, 1, 1, 2, 3, 6]))
        records = int(RNG.choice([0, 1, 3, 8]))
        for nth in range(count):
            dtype = str(RNG.choice(types))
            names = [str(name) for name in RNG.choice(list(dimensions), RNG.integers(0, min(4, len(dimensions) + 1)), replace=False)]
            if has_records and RNG.random() < 0.6:
                names.insert(0, "record")
            fill = values(dtype, (1,))[0] if RNG.random() < 0.3 and dtype != "S1" else None
            variable = made.createVariable(f"{RNG.choice(WORDS)}{nth}v", dtype, names, fill_value=fill)
            for other in range(RNG.integers(0, 3)):
                variable.setncattr(f"a{other}", attribute(types))
            shape = tuple(records if name == "record" else dimensions[name] for name in names)
            if RNG.random() < 0.85:
                variable[...] = values(dtype, shape)
    sets.read(name)


def record_files(sets: Sets) -> None:
    """Record variables alone, of each small type and length: without padding between records; and two of them, with it."""
    for dtype in ("i1", "S1", "i2", "f8"):
        for length in (1, 3, 4):
            for others in (0, 1):
                name = f"records-{dtype}-{length}-{others}"
                with netCDF4.Dataset(sets.root / f"{name}.nc", "w", format="NETCDF3_64BIT_OFFSET") as made:
                    made.createDimension("t", None)
                    made.createDimension("x", length)
                    for nth in range(1 + others):
                        made.createVariable(f"v{nth}", dtype, ("t", "x"))[...] = values(dtype, (5, length))
                sets.read(name)


def scipy_file(sets: Sets, name: str, version: int) -> None:
    path = sets.root / f"{name}.nc"
    with netcdf_file(path, "w", version=version) as made:
        made.createDimension("t", None)
        made.createDimension("y", 4)
        made.createDimension("x", 3)
        made.history = b"by scipy"
        for nth, dtype in enumerate(RNG.choice(["i1", "i2", "i4", "f4", "f8"], 4)):
            names = [("y", "x"), ("t", "x"), ("x",), ("t",)][int(RNG.integers(4))]
            variable = made.createVariable(f"v{nth}", np.dtype(str(dtype)).newbyteorder(">"), names)
            variable[:] = values(str(dtype), tuple({"y": 4, "x": 3, "t": 6}[name] for name in names))
            variable.scale = float(nth)
    sets.read(name)


def name_of(text: str, wide: bool = False) -> bytes:
    raw = text.encode()
    return struct.pack(">Q" if wide else ">I", len(raw)) + raw + b"0" * (-len(raw) % 4)


def by_hand(sets: Sets) -> None:
    """Fixed variables that lie in another order than the header's, with gaps, and names padded as scipy once did."""
    arrays = {"a": values("i2", (3, 5)), "b": values("f4", (7,)), "c": values("i1", (5,))}
    numbers, sizes = {"i2": 3, "f4": 5, "i1": 1}, {"a": ["y", "x"], "b": ["z"], "c": ["x"]}
    lengths = {"y": 3, "x": 5, "z": 7}
    head = b"CDF\x01" + struct.pack(">I", 0) + struct.pack(">II", 10, 3)
    head += b"".join(name_of(key) + struct.pack(">I", length) for key, length in lengths.items())
    head += struct.pack(">II", 0, 0) + struct.pack(">II", 11, 3)
    begins = {"b": 1024, "c": 1200, "a": 2000}
    for key, data in arrays.items():
        names = [list(lengths).index(name) for name in sizes[key]]
        head += name_of(key) + struct.pack(">I", len(names)) + b"".join(struct.pack(">I", at) for at in names)
        # A size that is clipped, as of large variables.
        head += struct.pack(">II", 0, 0) + struct.pack(">III", numbers[data.dtype.str[1:]], 0xFFFFFFFF, begins[key])
    whole = bytearray(b"\x81" * 2100)
    whole[: len(head)] = head
    for key, data in arrays.items():
        raw = data.astype(data.dtype.newbyteorder(">")).tobytes()
        whole[begins[key] : begins[key] + len(raw)] = raw
    (sets.root / "by-hand.nc").write_bytes(whole)
    sets.note("by-hand", {}, {key: (sizes[key], data, {}, False) for key, data in arrays.items()})


def streamed(sets: Sets) -> None:
    """Files whose writers did not say how many records there are."""
    for nth, count in enumerate((0, 1, 5)):
        name = f"streamed-{nth}"
        with netCDF4.Dataset(sets.root / f"{name}.nc", "w", format="NETCDF3_CLASSIC") as made:
            made.createDimension("t", None)
            made.createVariable("fixed", "f8", ())[...] = 7
            for key in ("a", "b"):
                made.createVariable(key, "i4", ("t",))[...] = np.arange(count)
        sets.read(name)
        path = sets.root / f"{name}.nc"
        raw = bytearray(path.read_bytes())
        raw[4:8] = b"\xff" * 4
        path.write_bytes(raw)


def large(sets: Sets) -> None:
    """A file whose header is longer than what is read first."""
    with netCDF4.Dataset(sets.root / "long-header.nc", "w", format="NETCDF3_CLASSIC") as made:
        made.createDimension("x", 4)
        for nth in range(40):
            made.setncattr(f"note{nth}", "n" * 5000)
        made.createVariable("x", "i2", ("x",))[...] = [1, 2, 3, 4]
    sets.read("long-header")


def main(root: Path) -> None:
    sets = Sets(root)
    for nth in range(84):
        kind = list(FORMATS)[nth % 3]
        random_file(sets, f"random-{nth:02}", kind)
    record_files(sets)
    for nth in range(8):
        scipy_file(sets, f"scipy-{nth}", 1 + nth % 2)
    by_hand(sets)
    streamed(sets)
    large(sets)
    (root / "index.json").write_text("[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in sets.entries) + "\n]\n")
    print(len(sets.entries), "files")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
