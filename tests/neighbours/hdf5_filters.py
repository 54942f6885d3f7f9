"""Write HDF5 files with the filters that no codec of Zarr is, by h5py and hdf5plugin, and what h5py reads of them.

    python tests/neighbours/hdf5_filters.py /tmp/sets/hdf5filters

The form is that of hdf5_sets.py, beside which this script lies. Arrays are of random types, orders, shapes and chunks, with
chunks at the edges, chunks that the filter made no shorter, and chunks that were written without it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import h5py
import hdf5plugin
import numpy as np
from hdf5_sets import entry

NUMBERS = [f"{order}{kind}" for order in "<>" for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")]
PLANNED = h5py.h5p.DATASET_CREATE
NBIT, SCALEOFFSET, SZIP = 5, 6, 4


def smooth(kind: str, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Numbers that are near their neighbours, of which some are runs of one number, or numbers of all bits."""
    number = np.dtype(kind)
    count = int(np.prod(shape))
    style = random.integers(0, 5)
    if number.kind == "f":
        steps = np.cumsum(random.normal(size=count)) * float(random.choice([0.01, 1, 50]))
        return (np.full(count, 7.25) if style == 0 else steps).astype(number).reshape(shape)
    info = np.iinfo(number)
    if style == 0:
        return np.full(shape, 5, number)
    if style == 1:
        return random.integers(info.min, info.max, shape, number.newbyteorder("="), endpoint=True).astype(number)
    steps = np.cumsum(random.integers(-3, 4, count)) + (0 if style == 2 else 90)
    steps = np.where(random.random(count) < 0.5, 40, steps) if style == 3 else steps
    return np.clip(steps, max(info.min, -(2**40)), min(info.max, 2**40)).astype(number).reshape(shape)


def boxes(random: np.random.Generator, least: int = 1) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A shape, and chunks of it that have so many items or more."""
    rank = int(random.integers(1, 4))
    while True:
        shape = tuple(int(length) for length in random.integers(1, (400, 40, 14)[rank - 1], rank))
        chunks = tuple(int(random.integers(1, length + 1)) for length in shape)
        if least <= np.prod(chunks) and np.prod([-(-length // edge) for length, edge in zip(shape, chunks)]) < 60:
            return shape, chunks


def filled(dataset: Any, values: np.ndarray, random: np.random.Generator, skips: int = 1) -> None:
    """Write values, and one chunk again without the filters of a mask."""
    dataset[...] = values
    if skips and random.integers(0, 2):
        chunks = dataset.chunks
        whole = tuple(length // edge for length, edge in zip(values.shape, chunks))
        if all(whole):
            corner = tuple(int(random.integers(0, count)) * edge for count, edge in zip(whole, chunks))
            box = tuple(slice(start, start + edge) for start, edge in zip(corner, chunks))
            dataset.id.write_direct_chunk(corner, np.ascontiguousarray(values[box]).tobytes(), filter_mask=skips)


def plain(file: Any, name: str, random: np.random.Generator) -> None:
    """lzf, lz4 and bitshuffle, some of them with a shuffle or a checksum."""
    kind = str(random.choice(NUMBERS))
    shape, chunks = boxes(random)
    filters: list[dict[str, Any]] = [
        {"compression": "lzf"},
        {"compression": "lzf", "shuffle": True},
        {"compression": "lzf", "fletcher32": True},
        dict(hdf5plugin.LZ4(nbytes=int(random.choice([0, 64, 1000])))),
        dict(hdf5plugin.Bitshuffle(nelems=int(random.choice([0, 8, 24, 256])), cname="none")),
        dict(hdf5plugin.Bitshuffle(nelems=int(random.choice([0, 8, 24, 256])), cname="lz4")),
        dict(hdf5plugin.Bitshuffle(nelems=int(random.choice([0, 8, 24, 256])), cname="zstd")),
    ]
    options = filters[int(random.integers(0, len(filters)))]
    dataset = file.create_dataset(name, shape, kind, chunks=chunks, maxshape=tuple(length + 3 for length in shape), **options)
    # With two filters, all are skipped.
    filled(dataset, smooth(kind, shape, random), random, skips=3 if len(options) > 1 and "compression_opts" not in options else 1)


def szip(file: Any, name: str, random: np.random.Generator) -> None:
    kind = str(random.choice(NUMBERS))
    block = int(random.choice([2, 4, 8, 10, 16, 32]))
    shape, chunks = boxes(random, least=block)
    values = smooth(kind, shape, random)
    dataset = file.create_dataset(name, shape, kind, chunks=chunks, compression="szip", compression_opts=(str(random.choice(["nn", "ec"])), block))
    filled(dataset, values, random)


def scaleoffset(file: Any, name: str, random: np.random.Generator) -> None:
    kind = str(random.choice(NUMBERS))
    shape, chunks = boxes(random)
    is_float = np.dtype(kind).kind == "f"
    digits = int(random.choice([0, 1, 3, 5])) if is_float else int(random.choice([0, 0, 0, 12, np.dtype(kind).itemsize * 8]))
    digits = min(digits, np.dtype(kind).itemsize * 8)
    values = smooth(kind, shape, random)
    fill = values.reshape(-1)[int(random.integers(0, values.size))] if random.integers(0, 2) else None
    options = {} if random.integers(0, 3) else {"compression": "gzip"}
    dataset = file.create_dataset(name, shape, kind, chunks=chunks, scaleoffset=digits, fillvalue=fill, **options)
    filled(dataset, values, random, skips=0 if options else 1)


def nbit(file: Any, name: str, random: np.random.Generator) -> None:
    """Integers of some of their bits; compounds, whose gaps are not stored."""
    shape, chunks = boxes(random)
    plan = h5py.h5p.create(PLANNED)
    plan.set_chunk(chunks)
    plan.set_filter(NBIT, 0, ())
    if random.integers(0, 4) == 0:
        kind = np.dtype({"names": ["x", "y"], "formats": ["<i4", "<u2"], "offsets": [4, 12], "itemsize": 20})
        values = np.zeros(shape, kind)
        values["x"], values["y"] = smooth("<i4", shape, random), smooth("<u2", shape, random)
        stored = h5py.h5t.py_create(kind)
    else:
        number = np.dtype(str(random.choice([kind for kind in NUMBERS if kind[1] != "f"])))
        stored = h5py.h5t.py_create(number).copy()
        # HDF5 2 refuses numbers of less than half of their bits.
        precision = int(random.integers(number.itemsize * 4 + 1, number.itemsize * 8 + 1))
        stored.set_precision(precision)
        stored.set_offset(int(random.integers(0, number.itemsize * 8 - precision + 1)))
        least, most = (0, 2**precision - 1) if number.kind == "u" else (-(2 ** (precision - 1)), 2 ** (precision - 1) - 1)
        if random.integers(0, 2):
            plan.set_fill_value(np.array(least, number.newbyteorder("=")))
        values = random.integers(least, most, shape, number.newbyteorder("="), endpoint=True)
        if random.integers(0, 3) == 0:
            plan.set_deflate(4)
    dataset = h5py.Dataset(h5py.h5d.create(file.id, name.encode(), stored, h5py.h5s.create_simple(shape), plan))
    # The last plane is not written where another chunk begins with it.
    dataset[: max(1, shape[0] - 1)] = values[: max(1, shape[0] - 1)]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for libver in ("earliest", "latest"):
        for write, count in ((plain, 70), (szip, 40), (scaleoffset, 50), (nbit, 40)):
            name = f"{write.__name__}-{libver}.h5"
            with h5py.File(folder / name, "w", libver=(libver, "latest")) as file:
                for nth in range(count):
                    write(file, f"d{nth:02}", np.random.default_rng([nth, count, len(libver)]))
                if write is plain:
                    texts = np.array([f"é{nth}" * (nth % 7) for nth in range(60)], object)
                    file.create_dataset("texts", data=texts, dtype=h5py.string_dtype(), chunks=(20,), compression="lzf", shuffle=True)
            entries.append(entry(folder, name))
    (folder / "index.json").write_text(json.dumps(entries, indent=1) + "\n")
