"""Write images as the explorer meets them: OME-Zarr 0.4 and 0.5 without consolidated metadata, and photos whose colours come last.

    python tests/oracle/images.py OUTDIR

OUTDIR gets cells04.zarr (t, c, z, y, x in Zarr v2, without names of dimensions), cells05.zarr (c, z, y, x with them), both
of three levels, packed04.zarr and mixed04.zarr, whose levels have attributes that scale their numbers, photos.zarr (arrays of y, x and colours), and expected.json with what there is at some cells.
"""

import json
import sys
from pathlib import Path

import numpy as np
import zarr

out = Path(sys.argv[1])
rng = np.random.default_rng(3)
CHANNELS = [{"label": label, "color": color, "active": True, "window": {"min": 0, "max": 255, "start": 0, "end": 200}} for label, color in (("DAPI", "0000FF"), ("GFP", "00FF00"))]


def datasets(scale, levels=3):
    """The levels of an image, whose rows and columns halve."""
    return [{"path": str(n), "coordinateTransformations": [{"type": "scale", "scale": [*scale[:-2], scale[-2] * 2**n, scale[-1] * 2**n]}]} for n in range(levels)]


def put(group, values, levels=3, **more):
    for n in range(levels):
        level = values[..., :: 2**n, :: 2**n]
        chunks = (*(1 for _ in level.shape[:-2]), 64, 64)
        group.create_array(str(n), shape=level.shape, dtype=level.dtype, chunks=chunks, compressors=None, **more)[...] = level


AXES = {
    "t": {"name": "t", "type": "time", "unit": "second"}, "c": {"name": "c", "type": "channel"},
    **{name: {"name": name, "type": "space", "unit": "micrometer"} for name in "zyx"},
}
old = rng.integers(0, 200, (3, 2, 5, 64, 96)).astype("uint8")
group = zarr.create_group(out / "cells04.zarr", zarr_format=2, attributes={
    "multiscales": [{"version": "0.4", "name": "Mitotic cells", "axes": [AXES[name] for name in "tczyx"], "datasets": datasets([60.0, 1.0, 2.5, 0.325, 0.325])}],
    "omero": {"channels": CHANNELS, "rdefs": {"defaultT": 1, "defaultZ": 2, "model": "color"}},
})
put(group, old, chunk_key_encoding={"name": "v2", "separator": "/"})


def plain(name):
    """The group of an image of rows and columns in Zarr v2."""
    multiscale = {"version": "0.4", "name": name, "axes": [AXES["y"], AXES["x"]], "datasets": datasets([0.5, 0.5], 2)}
    return zarr.create_group(out / f"{name}.zarr", zarr_format=2, attributes={"multiscales": [multiscale]})


packed = rng.integers(0, 200, (64, 96)).astype("uint8")
put(plain("packed04"), packed, 2, attributes={"scale_factor": 0.5, "add_offset": 1000.0, "units": "photons"})
# The level that is drawn, and it alone, is packed.
group = plain("mixed04")
group.create_array("0", shape=(2048, 2048), dtype="float32", chunks=(256, 256))
group.create_array("1", shape=(1024, 1024), dtype="uint8", chunks=(1024, 1024), attributes={"scale_factor": 0.25})[...] = 40

new = rng.integers(0, 200, (2, 4, 64, 96)).astype("uint8")
group = zarr.create_group(out / "cells05.zarr", attributes={"ome": {
    "version": "0.5",
    "multiscales": [{"axes": [AXES[name] for name in "czyx"], "datasets": datasets([1.0, 2.0, 0.5, 0.25])}],
    "omero": {"channels": CHANNELS},
}})
put(group, new, dimension_names=list("czyx"))

photos = zarr.create_group(out / "photos.zarr")
photo = rng.integers(0, 256, (32, 48, 3)).astype("uint8")
photos.create_array("named", shape=photo.shape, dtype="uint8", chunks=(32, 48, 3), dimension_names=["y", "x", "rgb"])[...] = photo
photos.create_array("plain", shape=photo.shape, dtype="uint8", chunks=(32, 48, 3))[...] = photo
photos.create_array("bands", shape=(32, 48, 13), dtype="uint16", chunks=(32, 48, 1), dimension_names=["y", "x", "band"])[...] = 7
zarr.consolidate_metadata(photos.store_path)

(out / "expected.json").write_text(json.dumps({"old": old[1, :, 2, 10, 20].tolist(), "new": new[:, 0, 10, 20].tolist(), "packed": packed[20, 30] * 0.5 + 1000, "photo": photo[5, 7].tolist()}))
