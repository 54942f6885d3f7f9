"""Write a store of what a page may stumble over: no items, one item, many axes, extreme numbers, odd names, and many arrays to click on.

    python tests/oracle/attacked.py OUTDIR

OUTDIR gets attacked.zarr (a consolidated Zarr v3 hierarchy) and expected.json, which has the value of each array at row 1, column 1.
"""

import json
import sys
from pathlib import Path

import numpy as np
import zarr

out = Path(sys.argv[1])
rng = np.random.default_rng(5)
root = zarr.create_group(out / "attacked.zarr")
expected = {}


def put(name, values, dimensions=None, chunks=None, **attributes):
    values = np.asarray(values)
    sizes = {} if values.ndim == 0 else {"chunks": chunks or tuple(max(1, n) for n in values.shape)}
    array = root.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=dimensions, attributes=attributes, compressors=None, **sizes)
    if values.size:
        array[...] = values
    if values.shape == (4, 5) and np.isfinite(values[1, 1]) and name != "unplaced":  # which may be drawn either way up
        expected[name] = float(values[1, 1])


def plane(factor=1.0):
    return rng.random((4, 5)) * factor


axes = ["y", "x"]
put("none", np.zeros((0, 4)), axes)
put("none of three", np.zeros((3, 0, 4)), ["t", *axes])
put("none of one", np.zeros((0,)), ["t"])
put("single", np.float64(3.25))
put("single cell", [[5.0]], axes)
put("seven", rng.random((2, 3, 2, 2, 3, 4, 5)), list("abcdefg"))
put("wide", rng.random((1, 2000)), axes)
put("high", rng.random((2000, 1)), axes)
put("nan", np.full((4, 5), np.nan), axes)
put("infinite", np.where(rng.random((4, 5)) < 0.5, np.inf, -np.inf), axes)
put("huge", plane(1e308), axes)
put("tiny", plane(1e-308), axes)  # of which few have all their digits
put("opposite", np.where(plane() < 0.5, -1.7e308, 1.7e308), axes)
put("same", np.full((4, 5), 7.0), axes)
put("a b/c d", plane(), axes)
put("quote\"s'", plane(), axes)
put("émoji 🌍", plane(), axes)
put("per%20cent", plane(), axes)
put("100%", plane(), axes)
put("hash#name", plane(), axes)
put("question?name=1", plane(), axes)
put("plus+and&amp;", plane(), axes)
put("<b>mark<|b>", plane(), axes, long_name="<img src=x onerror=\"globalThis.hacked=1\">&amp;", units="<i>K</i>", comment="<script>globalThis.hacked=1</script>")
put("unplaced", plane(), ["lat", "lon"])
put("lat", np.full(4, np.nan), ["lat"], units="degrees_north")
put("lon", np.ones(5), ["lon"], units="degrees_east")
put("untimed", rng.random((3, 4, 5)), ["time", *axes], (1, 4, 5))
put("time", [0, 1e300, np.nan], ["time"], units="days since never")
put("steps", np.arange(60.0)[:, None, None] + np.zeros((4, 5)), ["step", *axes], (1, 4, 5))
for nth in range(12):
    put(f"m{nth}", np.full((4, 5), float(nth)), axes)
zarr.consolidate_metadata(root.store)
(out / "expected.json").write_text(json.dumps(expected))
