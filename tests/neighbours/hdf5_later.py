"""Two HDF5 files that a review found: a netCDF-4 variable that is shorter than its dimension, and many short texts.

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
    for path in (shorter, texts):
        (out / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
