"""Write NetCDF-4 files, kerchunk's and VirtualiZarr's references to them, and what h5py reads of the files.

    python tests/neighbours/kerchunk_sets.py /tmp/sets/kerchunk

The packages are those of requirements.txt beside. Two runs give the same bytes.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import zarr
from kerchunk.combine import MultiZarrToZarr
from kerchunk.hdf import SingleHdf5ToZarr
from virtualizarr import open_virtual_dataset
from virtualizarr.parsers import HDFParser
from virtualizarr.registry import ObjectStoreRegistry

DAYS = {"jan": 31, "feb": 29, "mar": 31}
SHAPE = (8, 12)


def write_month(file: Path, name: str, first: int) -> None:
    """Times, a packed field in one chunk for the month, and a plain one in several; shuffled and deflated."""
    days = DAYS[name]
    rng = np.random.default_rng(first)
    with h5py.File(file, "w", libver="v110") as nc:

        def put(path: str, values: np.ndarray, chunks: Any = None, **attributes: Any) -> h5py.Dataset:
            packed = {"chunks": chunks, "compression": "gzip", "compression_opts": 4, "shuffle": True} if chunks else {}
            made = nc.create_dataset(path, data=values, track_times=False, **packed)
            made.attrs.update(attributes)
            return made

        scales = {
            "time": put("time", np.arange(first, first + days, dtype="<i8"), units="days since 2024-01-01", calendar="standard"),
            "lat": put("lat", np.linspace(-70, 70, SHAPE[0]), units="degrees_north"),
            "lon": put("lon", np.linspace(0, 330, SHAPE[1]), units="degrees_east"),
        }
        for label, scale in scales.items():
            scale.make_scale(label)
        field = rng.integers(-3000, 3000, (days, *SHAPE), dtype="<i2")
        field[rng.random(field.shape) < 0.02] = -32768
        t2m = put("t2m", field, (days, *SHAPE), units="K", scale_factor=0.01, add_offset=280.0, _FillValue=np.int16(-32768))
        wind = put("wind", rng.normal(size=(days, *SHAPE)).astype("<f4"), (10, *SHAPE))
        for made in (t2m, wind):
            for axis, label in enumerate(scales):
                made.dims[axis].attach_scale(scales[label])


def references(file: Path) -> dict[str, Any]:
    """Kerchunk's references to a file, which lies beside the document."""
    with file.open("rb") as opened:
        return SingleHdf5ToZarr(opened, file.name, inline_threshold=100).translate()


def months(singles: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """One rectilinear Zarr v3 array over the one chunk of each file, and its time coordinate inline."""
    memory = zarr.storage.MemoryStore()
    days = list(DAYS.values())
    root = zarr.create_group(memory, zarr_format=3)
    # The codecs that a NetCDF-4 file was written with, by their names in v3.
    codecs = [{"name": "numcodecs.shuffle", "configuration": {"elementsize": 2}}, {"name": "numcodecs.zlib", "configuration": {"level": 4}}]
    time = root.create_array("time", shape=(sum(days),), dtype="i8", chunks=(sum(days),), compressors=None, dimension_names=["time"])
    time[:] = np.arange(sum(days))
    time.attrs.update({"units": "days since 2024-01-01", "calendar": "standard"})
    field = root.create_array(
        "t2m", shape=(sum(days), *SHAPE), dtype="i2", chunks=[days, [SHAPE[0]], [SHAPE[1]]], compressors=codecs, fill_value=-32768, dimension_names=["time", "lat", "lon"]
    )
    field.attrs.update({"units": "K", "scale_factor": 0.01, "add_offset": 280.0, "_FillValue": -32768})
    refs: dict[str, Any] = {}
    for key in sorted(memory._store_dict):
        content = memory._store_dict[key].to_bytes()
        refs[key] = content.decode() if key.endswith("json") else "base64:" + base64.b64encode(content).decode()
    for nth, single in enumerate(singles.values()):
        refs[f"t2m/c/{nth}/0/0"] = single["refs"]["t2m/0.0.0"]
    return {"version": 1, "refs": refs}


def templated(single: dict[str, Any], name: str) -> dict[str, Any]:
    """Those references through templates, one within the other."""
    refs = {
        key: ["{{file}}", *value[1:]] if isinstance(value, list) and len(value) > 1 else value
        for key, value in single["refs"].items()
    }
    return {"version": 1, "templates": {"stem": name, "file": "{{stem}}.nc"}, "refs": refs}


def main() -> None:
    warnings.simplefilter("ignore")
    zarr.config.set({"array.rectilinear_chunks": True})
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    # Kerchunk resolves the names of files as any program does.
    os.chdir(out)
    out = Path()
    for old in out.iterdir():
        old.unlink()
    first = 0
    for name, days in DAYS.items():
        write_month(out / f"{name}.nc", name, first)
        first += days
    singles = {name: references(out / f"{name}.nc") for name in DAYS}
    documents = {
        "single": singles["jan"],
        "single-v0": singles["jan"]["refs"],
        "templates": templated(singles["feb"], "feb"),
        "months": months(singles),
        "combined": MultiZarrToZarr(
            [singles[name] for name in ("jan", "mar")], concat_dims=["time"], identical_dims=["lat", "lon"], remote_protocol="file"
        ).translate(),
    }
    import obstore

    registry = ObjectStoreRegistry({"file://": obstore.store.LocalStore()})
    virtual = open_virtual_dataset(url=(out / "mar.nc").resolve().as_uri(), parser=HDFParser(), registry=registry)
    made = virtual.vz.to_kerchunk(format="dict")
    place = (out / "mar.nc").resolve()
    text = json.dumps(made).replace(place.as_uri(), "mar.nc").replace(str(place), "mar.nc")
    documents["virtualizarr"] = json.loads(text)
    for name, document in documents.items():
        (out / f"{name}.json").write_text(json.dumps(document, indent=0, sort_keys=True) + "\n")

    values = {name: {key: h5py.File(out / f"{name}.nc")[key][...] for key in ("t2m", "wind", "time", "lat")} for name in DAYS}
    joined = {key: np.concatenate([values[name][key] for name in DAYS]) for key in ("t2m", "time")}
    expected = {
        "single": ("jan", values["jan"]),
        "single-v0": ("jan", values["jan"]),
        "templates": ("feb", values["feb"]),
        "virtualizarr": ("mar", values["mar"]),
        "months": (None, joined),
        "combined": (None, {key: np.concatenate([values["jan"][key], values["mar"][key]]) for key in ("t2m", "time")}),
    }
    index = []
    for document, (_, arrays) in expected.items():
        for path, array in arrays.items():
            file = f"{document}-{path}.bin"
            (out / file).write_bytes(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
            index.append({"document": f"{document}.json", "path": path, "shape": list(array.shape), "dtype": array.dtype.name, "expected": file})
    (out / "index.json").write_text("[\n" + ",\n".join("  " + json.dumps(entry) for entry in index) + "\n]\n")


if __name__ == "__main__":
    main()
