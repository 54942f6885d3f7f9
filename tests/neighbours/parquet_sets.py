"""Write kerchunk's references in Parquet, the files that they lead to, and what xarray reads through them.

    python tests/neighbours/parquet_sets.py /tmp/sets/parquet

The packages are those of requirements.txt beside.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import fsspec
import h5py
import numpy as np
import obstore
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import xarray as xr
from fsspec.implementations.reference import LazyReferenceMapper
from kerchunk.df import refs_to_dataframe
from kerchunk.hdf import SingleHdf5ToZarr
from virtualizarr import open_virtual_dataset
from virtualizarr.parsers import HDFParser
from obspec_utils.registry import ObjectStoreRegistry

ENGINES = ("fastparquet", "pyarrow")
FILL = -1


def array(shape: tuple[int, ...], chunks: tuple[int, ...], dims: list[str]) -> dict[str, str]:
    """Documents of an int32 array without codecs, as texts."""
    zarray = {
        "zarr_format": 2,
        "shape": shape,
        "chunks": chunks,
        "dtype": "<i4",
        "compressor": None,
        "filters": None,
        "fill_value": FILL,
        "order": "C",
    }
    return {".zarray": json.dumps(zarray), ".zattrs": json.dumps({"_ARRAY_DIMENSIONS": dims})}


def lazy(folder: Path, record_size: int, engine: str) -> LazyReferenceMapper:
    shutil.rmtree(folder, ignore_errors=True)
    made = LazyReferenceMapper.create(str(folder), record_size=record_size, engine=engine)
    made[".zgroup"] = json.dumps({"zarr_format": 2})
    return made


def forms(folder: Path, engine: str) -> None:
    """25 chunks: missing, inline, whole files, and parts of files. A scalar, and an array of two axes in a group."""
    made = lazy(folder, 10, engine)
    for key, text in array((100,), (4,), ["x"]).items():
        made[f"v/{key}"] = text
    for i in range(25):
        if i % 7 == 3:
            continue
        if i % 5 == 4:
            made[f"v/{i}"] = np.arange(4, dtype="<i4").tobytes()
        elif i % 5 == 2:
            made[f"v/{i}"] = [f"../files/w{i % 3}"]
        else:
            made[f"v/{i}"] = [f"../files/b{i // 3 % 3}", 16 * i, 16]
    for key, text in array((), (), []).items():
        made[f"scalar/{key}"] = text
    made["scalar/0"] = np.int32(7).tobytes()
    made["deep/.zgroup"] = json.dumps({"zarr_format": 2})
    for key, text in array((5, 7), (2, 3), ["y", "z"]).items():
        made[f"deep/a b/{key}"] = text
    for row in range(3):
        for column in range(3):
            made[f"deep/a b/{row}.{column}"] = ["../files/b1", 24 * (3 * row + column), 24]
    made.flush()


def many(folder: Path, engine: str) -> None:
    """250 chunks over two files, whose names are a dictionary of the column, in three files of references."""
    made = lazy(folder, 100, engine)
    for key, text in array((1000,), (4,), ["x"]).items():
        made[f"v/{key}"] = text
    for i in range(250):
        made[f"v/{i}"] = [f"../files/b{i // 125}", 16 * i, 16]
    made.flush()


def long(folder: Path) -> None:
    """As many references in one file as are read, 2^20, whose names and lengths are dictionaries, with every seventh left out."""
    rows = 2**20
    # One page a column.
    pages: dict[str, Any] = {"data_page_size": 2**24, "max_rows_per_page": rows, "write_batch_size": rows}
    there = np.arange(rows) % 7 != 6
    names = pa.array([f"b{row >> 10 & 3}" if there[row] else None for row in range(rows)])
    numbers = {"offset": np.arange(rows) % 64, "size": np.where(there, 16, 0)}
    columns = {"path": names, **{name: pa.array(column, pa.int64()) for name, column in numbers.items()}}
    (folder / "v").mkdir(parents=True)
    documents = {f"v/{key}": json.loads(text) for key, text in array((4 * rows,), (4,), ["x"]).items()}
    (folder / ".zmetadata").write_text(json.dumps({"metadata": {".zgroup": {"zarr_format": 2}, **documents}, "record_size": rows}))
    pq.write_table(pa.table(columns), folder / "v/refs.0.parq", compression="zstd", compression_level=19, **pages)
    (folder / "snappy").mkdir()
    pq.write_table(pa.table({"path": pa.array([f"file-{row}" for row in range(40_000)])}), folder / "snappy/refs.0.parq", compression="snappy", use_dictionary=False, **pages)


def rewritten(source: Path, folder: Path, **options: Any) -> None:
    """Those references with other compressions, pages and encodings, by pyarrow."""
    shutil.copytree(source, folder, dirs_exist_ok=True)
    for file in sorted(folder.rglob("*.parq")):
        pq.write_table(pq.read_table(file), file, **options)


def write_netcdf(file: Path, first: int) -> None:
    with h5py.File(file, "w", libver="v110") as nc:
        values = np.arange(first, first + 24, dtype="<f4").reshape(4, 6)
        made = nc.create_dataset("v", data=values, chunks=(2, 6), compression="gzip", shuffle=True, track_times=False)
        for axis, (name, length) in enumerate({"time": 4, "x": 6}.items()):
            scale = nc.create_dataset(name, data=np.arange(length, dtype="<i4") + (first if axis == 0 else 0), track_times=False)
            scale.make_scale(name)
            made.dims[axis].attach_scale(scale)


def virtualizarr(out: Path) -> None:
    """Two NetCDF-4 files end to end, three references a file; their addresses are of a scheme that no browser has."""
    registry = ObjectStoreRegistry({"file://": obstore.store.LocalStore()})
    opened = [
        open_virtual_dataset(url=(out / "files" / f"{name}.nc").resolve().as_uri(), parser=HDFParser(), registry=registry, loadable_variables=[])
        for name in ("one", "two")
    ]
    joined = xr.concat(opened, dim="time", coords="minimal", compat="override", combine_attrs="override")
    renamed = joined.vz.rename_paths(lambda path: "hdfs://cluster/" + path.rsplit("/", 1)[1])
    renamed.vz.to_kerchunk(str(out / "virtualizarr"), format="parquet", record_size=3)


def from_kerchunk(out: Path) -> None:
    """kerchunk's references to a NetCDF-4 file; short chunks are inline."""
    with (out / "files/one.nc").open("rb") as opened:
        references = SingleHdf5ToZarr(opened, "../files/one.nc", inline_threshold=50).translate()
    refs_to_dataframe(references, str(out / "netcdf"), record_size=10)


def read(folder: Path, path: str) -> np.ndarray:
    """Values that xarray reads. References are relative to their folder, as any program resolves names where it runs."""
    group, _, name = path.rpartition("/")
    home = os.getcwd()
    os.chdir(folder)
    try:
        references = LazyReferenceMapper(os.getcwd(), engine="fastparquet" if "fastparquet" in folder.name else "pyarrow")
        references.setup()
        opened = references.open_refs
        # fsspec takes None for a missing path, and pandas 3 gives NaN.
        references.open_refs = lambda *place: {name: np.where(pd.isna(column), None, column) for name, column in opened(*place).items()}
        mapper = fsspec.filesystem("reference", fo=references, remote_protocol="file", skip_instance_cache=True)
        options = {"consolidated": False, "zarr_format": 2, "mask_and_scale": False, "decode_times": False}
        store = mapper.get_mapper(group)
        return xr.open_dataset(store, engine="zarr", **options)[name].values
    finally:
        os.chdir(home)


def main() -> None:
    warnings.simplefilter("ignore")
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    (out / "files").mkdir(parents=True)
    for nth in range(3):
        (out / f"files/b{nth}").write_bytes(np.arange(1000 * nth, 1000 * nth + 1000, dtype="<i4").tobytes())
        (out / f"files/w{nth}").write_bytes(np.arange(100 * nth, 100 * nth + 4, dtype="<i4").tobytes())
    write_netcdf(out / "files/one.nc", 0)
    write_netcdf(out / "files/two.nc", 100)
    for engine in ENGINES:
        forms(out / engine, engine)
        many(out / f"many-{engine}", engine)
    rewritten(out / "pyarrow", out / "snappy", compression="snappy", data_page_version="2.0")
    rewritten(out / "pyarrow", out / "plain", compression="none", use_dictionary=["path"], row_group_size=4, data_page_size=1)
    # Two that are not read, and are named in the error.
    rewritten(out / "pyarrow", out / "gzip", compression="gzip", use_dictionary=False)
    rewritten(out / "pyarrow", out / "delta", column_encoding={"offset": "DELTA_BINARY_PACKED"}, use_dictionary=False)
    virtualizarr(out)
    from_kerchunk(out)
    long(out / "long")

    entries = []
    for folder in (*ENGINES, "snappy", "plain"):
        entries += [(folder, path) for path in ("v", "scalar", "deep/a b")]
    entries += [(f"many-{engine}", "v") for engine in ENGINES] + [("netcdf", path) for path in ("v", "time", "x")]
    index = []
    for folder, path in entries:
        values = read(out / folder, path)
        index.append({"folder": folder, "path": path, "shape": values.shape, "dtype": str(values.dtype), "values": values.ravel().tolist()})
    # Its addresses lead nowhere, so the files are read as they are.
    both = [h5py.File(out / f"files/{name}.nc")["v"][...] for name in ("one", "two")]
    values = np.concatenate(both)
    index.append({"folder": "virtualizarr", "path": "v", "shape": values.shape, "dtype": "float32", "values": values.ravel().tolist()})
    assert all(math.prod(entry["shape"]) == len(entry["values"]) for entry in index)
    (out / "index.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in index) + "\n]\n")


main()
