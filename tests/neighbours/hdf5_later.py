"""HDF5 files that reviews found: a netCDF-4 variable that is shorter than its dimension, many short texts, groups that are
deep in each other, and letters of netCDF-4.

    python tests/neighbours/hdf5_later.py tests/neighbours/fixtures
"""

import gzip
import sys
import tempfile
from pathlib import Path

import h5py
import netCDF4
import numpy as np

out = Path(sys.argv[1])
with tempfile.TemporaryDirectory() as place:
    shorter = Path(place) / "shorter.nc"
    with netCDF4.Dataset(shorter, "w") as file:
        file.createDimension("time", None)
        file.createDimension("x", 2)
        file.createVariable("time", "i4", ("time",))[:] = np.arange(6)
        file.createVariable("v", "i2", ("time", "x"), fill_value=-9)[:3] = [[1, 2], [3, 4], [5, 6]]
        file.createVariable("fixed", "i2", ("x",))[:] = [7, 8]
    texts = Path(place) / "texts.h5"
    with h5py.File(texts, "w") as file:
        file["names"] = np.array([f"station number {number}" for number in range(4000)], dtype=object)
        file["names"].attrs["list"] = [f"a{number}" for number in range(900)]
    deep = Path(place) / "deep.h5"
    with h5py.File(deep, "w") as file:
        group = file
        for _ in range(70):
            group = group.create_group("g")
            group["values"] = np.arange(3, dtype="i2")
        file["g/g/up"] = file["g"]
    letters = Path(place) / "letters.nc"
    with netCDF4.Dataset(letters, "w") as file:
        file.set_auto_chartostring(False)
        file.createDimension("station", 5)
        file.createDimension("length", 7)
        file.createDimension("time", None)
        words = np.array(["Aix", "Ulm", "Gràz", "", "Bergen!"])
        rows = np.array([word.encode() for word in words], dtype="S7").view("S1").reshape(5, 7)
        for name, settings in {
            "contiguous": {},
            "chunked": {"zlib": True, "shuffle": True, "chunksizes": (2, 7)},
            "cut": {"zlib": True, "chunksizes": (2, 4)},
        }.items():
            variable = file.createVariable(name, "S1", ("station", "length"), **settings)
            variable[:] = rows
            variable._Encoding = "utf-8"
        file.createVariable("one", "S1", ("length",))[:] = rows[4]
        file.createVariable("growing", "S1", ("station", "time"))[:] = rows
        file.createVariable("filled", "S1", ("station", "length"), fill_value="x", chunksizes=(1, 7))[:2] = rows[:2]
    for path in (shorter, texts, deep, letters):
        (out / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
