"""Writes an Icechunk repository with two versions of an image and of a field that xarray opens, and what icechunk reads of them.

`python versions.py FOLDER URL` fills FOLDER/image.icechunk and FOLDER/versions.json. The tag "two" has two channels and
two steps; the branch main has a third of each. FOLDER/virtual.icechunk has one chunk, in FOLDER/values.bin, which a
server answers below URL.
"""

import json
import sys
from pathlib import Path

import icechunk
import numpy as np
import xarray as xr
import zarr

out, url = Path(sys.argv[1]), f"{sys.argv[2]}/"
rng = np.random.default_rng(21)
stored = icechunk.local_filesystem_storage(str(out / "image.icechunk"))
repository = icechunk.Repository.create(stored)
image = rng.integers(0, 4096, (3, 4, 6)).astype("uint16")
warmth = rng.normal(280, 8, (3, 4, 6)).round(2)


def write(session: icechunk.Session, size: int, message: str) -> str:
    """Commits the first `size` channels and steps."""
    root = zarr.group(session.store, overwrite=True)
    cells = root.create_group("cells", attributes={"ome": {
        "version": "0.5",
        "multiscales": [{
            "axes": [{"name": "c", "type": "channel"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
            "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1.0, 1.0, 1.0]}]}],
        }],
        "omero": {"channels": [{"label": label, "color": color, "active": True} for label, color in (("DAPI", "0000FF"), ("GFP", "00FF00"), ("Cy5", "FF8000"))[:size]]},
    }})
    values = image[:size] // (1 if size == 3 else 2)
    cells.create_array("0", shape=values.shape, chunks=(1, 4, 6), dtype="u2", dimension_names=["c", "y", "x"])[...] = values
    lessened = {"chill": (("time", "lat", "lon"), warmth[:size] / size, {"units": "K"})}
    if size == 3:
        lessened["late"] = lessened["chill"]
    field = xr.Dataset(
        {"warmth": (("time", "lat", "lon"), warmth[:size] + size, {"units": "K"}), **lessened},
        {
            "time": ("time", np.arange(size), {"units": "days since 2020-02-27", "calendar": "standard"}),
            "lat": ("lat", [58.0, 54, 50, 46], {"standard_name": "latitude", "units": "degrees_north"}),
            "lon": ("lon", np.arange(-12.0, 12, 4), {"standard_name": "longitude", "units": "degrees_east"}),
        },
    )
    field.to_zarr(session.store, group="steps", mode="w", consolidated=False, zarr_format=3, encoding={name: {"chunks": (1, 4, 6)} for name in field})
    return session.commit(message)


repository.create_tag("two", write(repository.writable_session("main"), 2, "Two of each"))
write(repository.writable_session("main"), 3, "A third of each")

versions = {}
for name, wanted in (("main", {"branch": "main"}), ("two", {"tag": "two"})):
    store = repository.readonly_session(**wanted).store
    versions[name] = {
        "image": zarr.open_array(store, path="cells/0", mode="r")[...].tolist(),
        "warmth": xr.open_zarr(store, group="steps", consolidated=False)["warmth"].values.tolist(),
        "chill": xr.open_zarr(store, group="steps", consolidated=False)["chill"].values.tolist(),
    }
(out / "versions.json").write_text(json.dumps(versions))

np.arange(24, dtype="<i4").tofile(out / "values.bin")
config = icechunk.RepositoryConfig.default()
config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(url, icechunk.http_store()))
virtual = icechunk.Repository.create(icechunk.local_filesystem_storage(str(out / "virtual.icechunk")), config, {url: None})
session = virtual.writable_session("main")
zarr.group(session.store).create_array("n", shape=(4, 6), chunks=(4, 6), dtype="i4", compressors=None, filters=None, dimension_names=["y", "x"])
session.store.set_virtual_ref("n/c/0/0", f"{url}values.bin", offset=0, length=96)
session.commit("Values of another file")
