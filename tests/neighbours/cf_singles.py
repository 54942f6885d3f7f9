"""Write netCDF files whose items are packed by float32 and float64 numbers, and what xarray decodes of them.

    python tests/neighbours/cf_singles.py /tmp/sets/cf/singles.json

Each entry has a format, the file (in base64) and for each variable the name of the type and the items that xarray gives
(in base64, little endian).
"""

from __future__ import annotations

import base64
import itertools
import json
import sys
import tempfile
from pathlib import Path

import netCDF4
import numpy as np
import xarray as xr

SINGLE, DOUBLE = np.float32, np.float64
FILES = {
    "netcdf": ("NETCDF3_CLASSIC", ["i1", "i2", "i4", "f4", "f8"]),
    "hdf5": ("NETCDF4", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "f4", "f8"]),
}


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


found = []
with tempfile.TemporaryDirectory() as place:
    for form, (version, dtypes) in FILES.items():
        path = Path(place) / f"{form}.nc"
        with netCDF4.Dataset(path, "w", format=version) as file:
            file.set_auto_maskandscale(False)
            file.createDimension("x", 6)
            for dtype, scale, offset, fill in itertools.product(
                dtypes, (None, SINGLE, DOUBLE), (None, SINGLE, DOUBLE), (None, 7)
            ):
                name = "_".join([dtype, *(kind.__name__ if kind else "no" for kind in (scale, offset)), str(fill)])
                variable = file.createVariable(name, dtype, ("x",), fill_value=fill)
                variable.set_auto_maskandscale(False)
                wide = 2**24 + 1 if np.dtype(dtype).itemsize >= 4 else 121
                variable[:] = np.array([0, 1, 7, 9, 99, wide]).astype(dtype)
                if scale:
                    variable.scale_factor = scale(0.1)
                if offset:
                    variable.add_offset = offset(273.15)
        decoded = xr.open_dataset(path, engine="netcdf4")
        variables = {}
        for name, variable in decoded.variables.items():
            items = variable.values
            variables[name] = [items.dtype.name, text(items.astype(items.dtype.newbyteorder("<")).tobytes())]
        found.append({"format": form, "file": text(path.read_bytes()), "variables": variables})
Path(sys.argv[1]).write_text(json.dumps(found, indent=0) + "\n")
