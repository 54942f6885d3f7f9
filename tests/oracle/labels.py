"""Write OME-Zarr images of versions 0.1 to 0.6 with label images, for the explorer.

    python tests/oracle/labels.py OUTDIR

OUTDIR gets, for each version, vXX.zarr: an image of two levels (t, c, z, y, x), and in it labels/cells, whose cells are as
long as two of the image's, and labels/whole, of one cell for each. expected.json has the label of cells at some rows and
columns of the image.
"""

import json
import sys
from pathlib import Path

import numpy as np
import zarr

out = Path(sys.argv[1])
rng = np.random.default_rng(5)
NAMES = list("tczyx")
AXES = [{"name": "t", "type": "time", "unit": "second"}, {"name": "c", "type": "channel"}, *({"name": name, "type": "space", "unit": "micrometer"} for name in "zyx")]
PIXEL = 0.5  # µm, of the image
CHANNELS = [{"label": label, "color": color, "active": active, "window": {"min": 0, "max": 255, "start": 0, "end": 200}} for label, color, active in (("DAPI", "0000FF", True), ("GFP", "00FF00", False))]


def multiscales(version, pixel, name):
    """The metadata of two levels of such pixels, whose first one begins where the image does: places are those of middles."""
    levels = []
    for n in range(2):
        size = pixel * 2**n
        steps = [{"type": "scale", "scale": [30.0, 1.0, 2.0, size, size]}, {"type": "translation", "translation": [0.0, 0.0, 0.0, *[(size - PIXEL) / 2] * 2]}]
        if version == "0.6":
            steps = [{"type": "sequence", "input": {"path": str(n)}, "output": {"name": "physical"}, "transformations": steps}]
        levels.append({"path": str(n), **({"coordinateTransformations": steps} if version >= "0.4" else {})})
    axes = {"0.3": {"axes": NAMES}, "0.4": {"axes": AXES}, "0.5": {"axes": AXES}, "0.6": {"coordinateSystems": [{"name": "physical", "axes": AXES}]}}
    return [{"version": version, "name": name, "datasets": levels, **axes.get(version, {})}]


def put(group, values):
    """Two levels, the second of every other cell."""
    is_old = group.metadata.zarr_format == 2
    names = {"chunk_key_encoding": {"name": "v2", "separator": "/"}} if is_old else {"dimension_names": NAMES}
    for n in range(2):
        level = values[..., :: 2**n, :: 2**n]
        group.create_array(str(n), shape=level.shape, dtype=level.dtype, chunks=(1, 1, 1, 32, 32), compressors=None, **names)[...] = level


image = rng.integers(0, 200, (1, 2, 3, 64, 96)).astype("uint8")
cells = np.zeros((1, 1, 3, 32, 48), "uint32")
cells[..., 4:12, 6:18] = 1
cells[..., 16:24, 24:40] = 70_000
cells[:, :, 1:, 26:30, 2:6] = 9
whole = (rng.integers(0, 2, (1, 1, 3, 64, 96)) * 7).astype("uint8")

for version in ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6"):
    inside = version >= "0.5"  # what is in the group's attributes is in a member of these from here on
    attributes = {"multiscales": multiscales(version, PIXEL, f"Image {version}"), "omero": {"channels": CHANNELS, "rdefs": {"defaultZ": 1, "defaultT": 0}}}
    wrapped = [{"ome": {"version": version, **given}} if inside else given for given in (attributes, {"labels": ["cells", "whole"]})]
    root = zarr.create_group(out / f"v{version.replace('.', '')}.zarr", zarr_format=3 if inside else 2, attributes=wrapped[0])
    put(root, image)
    labels = root.create_group("labels", attributes=wrapped[1])
    about = {
        "version": version, "source": {"image": "../../"}, "colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}],
        "properties": [{"label-value": 1, "class": "mitotic", "area": 96}, {"label-value": 9, "class": "debris"}],
    }
    for name, values, pixel, label in (("cells", cells, 2 * PIXEL, about), ("whole", whole, PIXEL, {"version": version})):
        given = {"multiscales": multiscales(version, pixel, name), "image-label": label}
        put(labels.create_group(name, attributes={"ome": {"version": version, **given}} if inside else given), values)
    if version != "0.4":  # whose labels are to be found without a list
        zarr.consolidate_metadata(root.store_path)

places = [[16, 20], [40, 60], [54, 8], [2, 2]]
(out / "expected.json").write_text(json.dumps([[*at, int(cells[0, 0, 1, at[0] // 2, at[1] // 2])] for at in places]))
