"""Write data sets on HEALPix grids in every style of metadata, and what healpix-geo says of points and cells.

    python tests/neighbours/healpix_sets.py /tmp/sets/healpix

`oracle.json` describes the numbers in `oracle.bin.gz`: little-endian, one block after the other. Points and cells are made by
formulas that give the same floats in every language; the test has them too.
"""

from __future__ import annotations

import gzip
import json
import math
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import healpix_geo
import numpy as np
import xarray as xr
import xdggs  # noqa: F401  (the accessor)
import zarr

LEVELS = range(25)
ELLIPSOIDS = ["sphere", "WGS84"]
POINTS = 120
CELLS = 6

# Poles, meridians between faces, edges of the polar caps, and longitudes beyond a turn.
EDGES = [(lon, lat) for lon in (-180.0, 0.0, 44.999999, 90.0, 359.9999999, 400.5) for lat in (-90.0, -89.9999, -41.9, -0.1, 0.1, 41.7, 89.9999, 90.0)]

# Boxes: west, south, east, north.
BOXES = [
    (5.0, 45.0, 15.0, 55.0),
    (-10.0, 35.0, 30.0, 60.0),
    (170.0, -20.0, -170.0, 20.0),
    (350.0, 60.0, 20.0, 85.0),
    (100.0, -90.0, 200.0, -60.0),
    (80.0, 30.5, 100.0, 50.0),
    (40.0, 20.0, 50.0, 89.5),
    (11.5, 48.0, 11.7, 48.2),
]


def point(i: int) -> tuple[float, float]:
    return (i * 137.50776405003785) % 360 - 180, ((i * 0.7548776662466927) % 1) * 180 - 90


def cell(i: int, level: int) -> int:
    return math.floor(((i + 0.5) * 0.6180339887498949) % 1 * 12 * 4**level)


def write_oracle(out: Path) -> None:
    lon, lat = (np.array(values) for values in zip(*([point(i) for i in range(POINTS)] + EDGES), strict=True))
    blocks: list[np.ndarray] = []
    for level in LEVELS:
        ids = np.array([cell(i, level) for i in range(CELLS)], "u8")
        blocks += [healpix_geo.nested.to_ring(ids, level), healpix_geo.nested.to_zuniq(ids, level)]
        for ellipsoid in ELLIPSOIDS:
            blocks.append(healpix_geo.nested.lonlat_to_healpix(lon, lat, level, ellipsoid=ellipsoid))
            blocks += list(healpix_geo.nested.healpix_to_lonlat(ids, level, ellipsoid=ellipsoid))
            blocks += list(healpix_geo.nested.vertices(ids, level, ellipsoid=ellipsoid))
    content = b"".join(block.astype("<u8" if block.dtype.kind == "u" else "<f8").tobytes() for block in blocks)
    (out / "oracle.bin.gz").write_bytes(gzip.compress(content, 9, mtime=0))
    boxes = []
    for box in BOXES:
        for level, ellipsoid in [(3, "sphere"), (4, "WGS84"), (5, "sphere")]:
            west, south, east, north = box
            ids, _, _ = healpix_geo.nested.zone_coverage((west, south, east, north), level, ellipsoid=ellipsoid)
            boxes.append({"box": box, "level": level, "ellipsoid": ellipsoid, "cells": runs(np.sort(ids))})
    layout = {"levels": [LEVELS.start, LEVELS.stop], "ellipsoids": ELLIPSOIDS, "points": POINTS, "edges": EDGES, "cells": CELLS, "boxes": boxes}
    (out / "oracle.json").write_text(json.dumps(layout, separators=(",", ":")) + "\n")


def runs(ids: np.ndarray) -> list[list[int]]:
    """Runs of neighbours: the first cell, and the cell after the last one."""
    if ids.size == 0:
        return []
    breaks = np.flatnonzero(np.diff(ids.astype("i8")) != 1) + 1
    return [[int(part[0]), int(part[-1]) + 1] for part in np.split(ids, breaks)]


def decoded(ids: np.ndarray, kind: str = "pandas", **grid: Any) -> xr.Dataset:
    """Data whose values are the places along the axis and a half."""
    cells = xr.Variable("cells", ids, {"grid_name": "healpix", **grid})
    places = np.arange(ids.size)
    data = xr.Dataset({"t": ("cells", (places + 0.5).astype("f4"))}, {"cell_ids": cells})
    return data.dggs.decode(index_options={"index_kind": kind})


def save(data: xr.Dataset, path: Path, **options: Any) -> None:
    shutil.rmtree(path, ignore_errors=True)
    data.to_zarr(path, **({"zarr_format": 3, "consolidated": True} | options))


def write_styles(out: Path) -> None:
    ids = np.arange(40, 60, dtype="u8")
    for ellipsoid in ELLIPSOIDS:
        more = {} if ellipsoid == "sphere" else {"ellipsoid": {"name": "WGS84", "semimajor_axis": 6378137.0, "inverse_flattening": 298.257223563}}
        data = decoded(ids, level=2, indexing_scheme="nested", **more)
        for convention in ("xdggs", "cf", "zarr"):
            encoded = data.dggs.encode(convention)
            save(encoded, out / f"{convention}-{ellipsoid}.zarr")
            if ellipsoid == "WGS84":
                save(encoded, out / f"{convention}-v2.zarr", zarr_format=2, consolidated=False)
        if ellipsoid == "WGS84":
            for compression in ("ranges", "compacted"):
                moc = decoded(np.r_[16:32, 40:60, 64].astype("u8"), "moc", level=2, indexing_scheme="nested", **more)
                save(moc.dggs.encode("zarr", encoding={"compression": compression}), out / f"{compression}.zarr")


def write_schemes(out: Path) -> None:
    rng = np.random.default_rng(7)
    nested = rng.permutation(np.arange(300, 420, dtype="u8"))
    data = decoded(np.sort(nested), level=4, indexing_scheme="nested").dggs.encode("xdggs")
    # The values tell the cell; the order is that of the ids.
    data = data.isel(cells=np.argsort(nested)).assign(t=("cells", nested.astype("f4")))
    data["cell_ids"] = ("cells", nested, data["cell_ids"].attrs)
    save(data, out / "shuffled.zarr")
    ring = healpix_geo.nested.to_ring(np.sort(nested), 4)
    ringed = data.assign(t=("cells", np.sort(nested).astype("f4")))
    ringed["cell_ids"] = ("cells", ring, data["cell_ids"].attrs | {"indexing_scheme": "ring"})
    save(ringed, out / "ring.zarr")
    zuniq = data.assign(t=("cells", np.sort(nested).astype("f4")))
    zuniq["cell_ids"] = ("cells", healpix_geo.nested.to_zuniq(np.sort(nested), 4), {"standard_name": "healpix_index", "units": "1"})
    zuniq["crs"] = ((), np.int8(0), {"grid_mapping_name": "healpix", "indexing_scheme": "zuniq"})
    zuniq["t"].attrs["grid_mapping"] = "crs"
    save(zuniq, out / "zuniq.zarr")
    mixed = zuniq.copy()
    ids = np.r_[healpix_geo.nested.to_zuniq(np.arange(75, 80, dtype="u8"), 3), zuniq["cell_ids"].values[20:]]
    mixed = mixed.isel(cells=slice(0, ids.size))
    mixed["cell_ids"] = ("cells", ids, zuniq["cell_ids"].attrs)
    save(mixed, out / "mixed.zarr")


def write_whole(out: Path) -> None:
    """Whole globes: by the dggs convention without ids, and as the older files of DKRZ have them."""
    values = (np.arange(12 * 4**2) + 0.5).astype("f4")
    for scheme in ("nested", "ring"):
        ordered = values if scheme == "nested" else values[healpix_geo.ring.to_nested(np.arange(192, dtype="u8"), 2)]
        data = xr.Dataset({"t": (("time", "cells"), np.stack([ordered, ordered + 1000]))})
        data.attrs = {
            "zarr_conventions": [xdggs.conventions.zarr.Zarr.convention_metadata],
            "dggs": {"name": "healpix", "refinement_level": 2, "indexing_scheme": scheme, "spatial_dimension": "cells"},
        }
        save(data, out / f"whole-{scheme}.zarr")
    # The shape of nextGEMS' files: a mapping with one item, numbers as text, a dimension that is called `cell`.
    level = 5
    older = xr.Dataset({"t": ("cell", (np.arange(12 * 4**level) // 1024).astype("i2"), {"grid_mapping": "crs"})})
    older["crs"] = ("crs", np.zeros(1, "i1"), {"grid_mapping_name": "healpix", "healpix_nside": "32", "healpix_order": "nest"})
    save(older, out / "easygems.zarr", zarr_format=2)
    part = older.isel(cell=slice(2048, 2100)).assign_coords(cell=("cell", np.arange(2048, 2100)))
    save(part, out / "easygems-part.zarr", zarr_format=2)
    # What xdggs does not read: another grid.
    h3 = xr.Dataset({"t": ("cells", np.arange(4.0))}, attrs={"dggs": {"name": "h3", "refinement_level": 3, "spatial_dimension": "cells", "coordinate": "cell_ids"}})
    save(h3, out / "h3.zarr")


def write_parents(out: Path) -> None:
    """Cells of level 6 over what stands for land, in a rectilinear chunk for each parent of level 2."""
    ids = np.arange(12 * 4**6, dtype="u8")
    lon, lat = healpix_geo.nested.healpix_to_lonlat(ids, 6, ellipsoid="sphere")
    ids = ids[np.sin(np.radians(3 * lon)) * np.cos(np.radians(2 * lat)) > -0.2]
    edges = np.unique(ids >> np.uint64(8), return_counts=True)[1].tolist()
    path = out / "parents.zarr"
    shutil.rmtree(path, ignore_errors=True)
    dggs = {"name": "healpix", "refinement_level": 6, "indexing_scheme": "nested", "spatial_dimension": "cells", "coordinate": "cell_ids", "compression": "none"}
    with zarr.config.set({"array.rectilinear_chunks": True}):
        group = zarr.create_group(path, zarr_format=3, attributes={"dggs": dggs})
        codec = {"compressors": [zarr.codecs.ZstdCodec(level=19)]}
        cell_ids = group.create_array("cell_ids", shape=ids.shape, chunks=ids.shape, dtype="u8", dimension_names=["cells"], filters=None, **codec)
        cell_ids[:] = ids
        t = group.create_array("t", shape=ids.shape, chunks=[edges], dtype="f4", dimension_names=["cells"], **codec)
        t[:] = ids % 1000 + 0.5
        zarr.consolidate_metadata(path)
    (out / "parents.json").write_text(json.dumps({"cells": ids.size, "chunks": len(edges), "edges": edges}) + "\n")


def main() -> None:
    warnings.simplefilter("ignore")
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for write in (write_oracle, write_styles, write_schemes, write_whole, write_parents):
        write(out)


if __name__ == "__main__":
    main()
