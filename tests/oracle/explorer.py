"""Write a store with what the explorer has to cope with, and beside it the values that it must show.

    python tests/oracle/explorer.py OUTDIR

OUTDIR gets store.zarr (a Zarr v3 hierarchy without consolidated metadata), store.zip of it, pyramid.zarr (an OME-Zarr
image without consolidated metadata), and expected.json.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import zarr

out = Path(sys.argv[1])
root = zarr.create_group(out / "store.zarr", attributes={"title": "Made for the explorer"})


def put(group, name, values, dimensions=None, **options):
    options = {"chunks": values.shape, "compressors": None, **options}
    if values.ndim == 0:
        options.pop("chunks")
    array = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=dimensions, **options)
    array[...] = values
    return array


run = root.create_group("run")
packed = (np.arange(5 * 3 * 4 * 6, dtype="int16") * 7 % 311).reshape(5, 3, 4, 6)
packed[:, :, 1, 2] = -99
put(run, "temp", packed, ["time", "level", "y", "x"], chunks=(2, 3, 2, 6), fill_value=-99,
           attributes={"units": "degC", "scale_factor": 0.5, "add_offset": -20.0, "_FillValue": -99, "long_name": "Temperature"})
put(run, "time", np.arange(57, 62), ["time"], attributes={"units": "days since 2001-01-01", "calendar": "noleap"})
put(run, "level", np.array([1000.0, 850.0, 500.0]), ["level"], attributes={"units": "hPa"})

odd = root.create_group("odd")
put(odd, "month", np.arange(4) * 30, ["month"], attributes={"units": "days since 2000-02-29", "calendar": "360_day"})
put(odd, "day", np.arange(6), ["day"], attributes={"units": "days since 2001-02-27", "calendar": "360_day"})
put(odd, "by_month", np.array([1.5, np.nan, -2.0, 9.0]), ["month"])
put(odd, "station", np.array(["Oslo", "Bergen", ""], dtype=np.dtypes.StringDType()), ["station"])
put(odd, "hot", np.array([True, False, True]), ["station"])
put(odd, "impedance", np.array([[3 + 4j, 0j], [1j, 2 + 0j]], dtype="complex64"))
put(odd, "when", np.array(["2020-02-29T12:00", "NaT"], dtype="datetime64[s]"))
put(odd, "answer", np.array(42, dtype="int64"))
put(odd, "raw", np.zeros(3, dtype="V5"))

gaps = root.create_array("gaps", shape=(6, 8), chunks=(2, 4), dtype="uint8", fill_value=3, compressors=None)
gaps[0:2, 0:4] = 9
gaps[4:6, 4:8] = 5

read = root.create_group("read")
classes = np.array([[1, 2, 4], [4, 9, 1]], dtype="int64")
put(read, "classes", classes, attributes={"flag_values": [1, 2, 4], "flag_meanings": "open_water ice land", "long_name": "Surface"})
put(read, "ids", 2**60 + np.array([[1, 2], [3, 1234567]], dtype="int64"))
put(read, "wide", np.array([[1, 2], [3, 4]], dtype="uint64"), attributes={"valid_range": [0, 2**60], "seed": 2**64 - 1})
put(read, "people", np.array([[1234567, 8], [12345678, 9]], dtype="int32"))
spike = np.arange(18, dtype="float32").reshape(3, 2, 3)
spike[1] *= 1000
put(read, "spike", spike, ["step", "y", "x"], chunks=(1, 2, 3))
put(read, "empty", np.full((2, 3), np.nan))
for name in ("number", "text", "truth"):
    put(read, f"one_{name}", np.array({"number": 2.5, "text": "word", "truth": True}[name], dtype=np.dtypes.StringDType() if name == "text" else None))
put(read, "hour", np.arange(80) * 6, ["hour"], attributes={"units": "hours since 2001-01-03"})
put(read, "wind", np.sin(np.arange(320.0)).reshape(80, 2, 2), ["hour", "y", "x"], chunks=(7, 2, 2))

grid = root.create_group("grid")
put(grid, "hour", np.arange(4) * 6, ["hour"], attributes={"units": "hours since 2001-01-03"})
put(grid, "speed", np.arange(48, dtype="int16").reshape(4, 3, 4), ["hour", "y", "x"], chunks=(1, 3, 4), attributes={"scale_factor": 0.25, "_FillValue": 30})

values = np.where(packed == -99, np.nan, packed * 0.5 - 20)
image = zarr.create_group(out / "pyramid.zarr", attributes={"ome": {"version": "0.5", "multiscales": [{
    "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
    "datasets": [{"path": str(level), "coordinateTransformations": [{"type": "scale", "scale": [2.0**level] * 2}]} for level in range(3)],
}]}})
for level in range(3):
    put(image, str(level), np.arange((16 >> level) ** 2, dtype="uint16").reshape(16 >> level, -1), ["y", "x"])

expected = {"temp": np.where(np.isnan(values), None, values).tolist()}
(out / "expected.json").write_text(json.dumps(expected))
shutil.make_archive(str(out / "store"), "zip", out, "store.zarr")
