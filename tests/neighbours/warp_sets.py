"""Writes what GDAL's warp makes of small grids: boxes of them at several sizes, by each method and in several systems.

    python tests/neighbours/warp_sets.py tests/browser/levels/warped.json

Each entry has a `source` (values by a formula, shape, transform, system, missing pixels), the box, its system and size, the
method, and the `values` that GDAL gives, null for missing ones: of all pixels, or of every `step`-th of each line and column.
`places` holds, in place of values, which source pixel is the nearest: numbers of four bytes, as differences, by zlib.

Left out is what GDAL 3.12.2 gives and is not meant: modes of types other than small integers count each pixel as a whole,
however little of it is in the area; a mean at the border counts the part outside with the last pixel; an area across the
meridian of 180 degrees of Web Mercator is all that is between its ends.
"""

import base64
import json
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
from rasterio import Affine
from rasterio.warp import Resampling, reproject

warnings.filterwarnings("ignore")

NODATA = -999.0
UTM = "EPSG:32633"


def values_of(kind: str, shape: list[int]) -> np.ndarray:
    """Values by formulas that the test has too."""
    row, col = np.mgrid[0 : shape[0], 0 : shape[1]]
    if kind == "ramp":
        return (8 * row + col).astype("f8")
    if kind == "index":
        return (row * shape[1] + col).astype("f8")
    if kind == "classes":
        return ((row * row + 3 * col * col + row * col) % 5).astype("f8")
    return ((row * 7919 + col * 104729 + row * col * 31) % 1009).astype("f8")


def warped(source: dict, box: list[float], crs: str, size: list[int], method: str, dtype: str = "f8", **options) -> np.ndarray:
    """The pixels of a box by GDAL, without its approximation of transforms."""
    if method == "mode":
        dtype = "i2"
    values = values_of(source["kind"], source["shape"])
    for rows, cols in source.get("missing", []):
        values[slice(*rows), slice(*cols)] = NODATA
    transform = Affine(*source["transform"])
    if source.get("around"):
        # A grid that goes around the Earth is laid out three times, so that no pixel is near its edge.
        values = np.tile(values, (1, 3))
        transform = transform * Affine.translation(-source["shape"][1], 0)
    height, width = size
    nodata = 250 if dtype == "u1" else NODATA
    target = np.full((height, width), nodata, dtype)
    values[values == NODATA] = nodata
    xmin, ymin, xmax, ymax = box
    to = Affine((xmax - xmin) / width, 0, xmin, 0, (ymin - ymax) / height, ymax)
    reproject(
        values.astype(dtype), target, src_transform=transform, src_crs=source["crs"], dst_transform=to, dst_crs=crs,
        src_nodata=nodata, dst_nodata=nodata, resampling=Resampling[method], tolerance=0, **options,
    )
    return np.where(target == nodata, np.nan, target.astype("f8"))


def listed(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else float(f"{value:.10g}") for value in values.ravel()]


def packed(values: np.ndarray) -> str:
    """Numbers of source pixels, -1 for none, each less the one before it."""
    numbers = np.where(np.isnan(values), -1, values).astype("<i4").ravel()
    return base64.b64encode(zlib.compress(np.diff(numbers, prepend=np.int32(0)).astype("<i4").tobytes(), 9)).decode()


def table() -> list[dict]:
    """Boxes of an 8 x 8 grid, and of larger ones, in their own system."""
    found = []
    eight = {"kind": "ramp", "shape": [8, 8], "transform": [1, 0, 0, 0, -1, 8], "crs": UTM}
    gap = eight | {"missing": [[[2, 3, 1], [2, 3, 1]], [[5, 6, 1], [6, 8, 1]]]}
    boxes = [
        ([0, 0, 8, 8], [8, 8]), ([0, 0, 8, 8], [16, 16]), ([0, 0, 8, 8], [4, 4]), ([0, 0, 8, 8], [2, 2]), ([0, 0, 8, 8], [1, 1]),
        ([0, 0.5, 7.5, 8], [5, 5]), ([0, 0, 8, 8], [8, 4]), ([0, 0, 8, 8], [3, 12]), ([-1, -1.5, 9.5, 9], [7, 7]), ([0.5, 0, 8.5, 8], [8, 8]),
        ([0.25, 0.25, 5.25, 5.25], [10, 10]), ([2, 3, 2.5, 3.5], [3, 3]), ([0, 1.79, 6.21, 8], [6, 6]), ([20, 20, 30, 30], [2, 2]),
    ]
    for source in (eight, gap):
        for box, size in boxes:
            for method in ("nearest", "bilinear", "average", "mode"):
                # The kernel of a box that reaches outside is as wide as its pixels are, not as what is inside suggests.
                ratio = {"XSCALE": size[1] / (box[2] - box[0]), "YSCALE": size[0] / (box[3] - box[1])} if method == "bilinear" else {}
                found.append({"source": source, "box": box, "crs": UTM, "size": size, "method": method, "values": listed(warped(source, box, UTM, size, method, **ratio))})
    for kind, method in (("classes", "mode"), ("classes", "average"), ("noise", "average"), ("noise", "bilinear"), ("noise", "mode")):
        for missing in ([], [[[3, 9, 1], [4, 20, 3]]]):
            source = {"kind": kind, "shape": [30, 40], "transform": [2, 0, 100, 0, -2, 160], "crs": UTM, "missing": missing}
            for box, size in (([100, 100, 180, 160], [12, 16]), ([103.3, 104.1, 171.2, 157], [9, 13]), ([100, 100, 180, 160], [3, 4]), ([120, 120, 140, 135], [20, 30])):
                if not (missing and method == "bilinear"):
                    found.append({"source": source, "box": box, "crs": UTM, "size": size, "method": method, "values": listed(warped(source, box, UTM, size, method))})
    for box, size in (([0, 0, 8, 8], [4, 4]), ([0, 0, 4, 4], [3, 3])):
        found.append({"source": gap, "box": box, "crs": UTM, "size": size, "method": "average", "as": "uint8", "values": listed(warped(gap, box, UTM, size, "average", "u1"))})
    return found


def projected() -> list[dict]:
    """Grids in one system, boxes in another."""
    found = []
    utm = {"kind": "index", "shape": [250, 240], "transform": [12, 0, 500000, 0, -12, 5000000], "crs": UTM}
    turned = utm | {"transform": [7, 4, 500000, 4, -7, 5000000]}
    for name, source, crs, box in (
        ("UTM", utm, "EPSG:3857", [1669700, 5618300, 1673800, 5622800]),
        ("UTM", utm, "EPSG:4326", [14.999, 45.1275, 15.037, 45.155]),
        ("turned UTM", turned, "EPSG:3857", [1669700, 5617000, 1675300, 5623000]),
    ):
        found.append({"name": name, "source": source, "box": box, "crs": crs, "size": [256, 256], "method": "nearest", "places": packed(warped(source, box, crs, [256, 256], "nearest"))})
        noise = source | {"kind": "noise"}
        for method in ("bilinear", "average", "mode"):
            if name == "UTM":
                options = {"XSCALE": 1, "YSCALE": 1} if method == "bilinear" else {}
                size, step = ([256, 256], 17) if method == "bilinear" else ([128, 100], 9)
                all_values = warped(noise, box, crs, size, method, **options)
                found.append({"name": name, "source": noise, "box": box, "crs": crs, "size": size, "step": step, "method": method, "values": listed(all_values[::step, ::step])})
    earth = {"kind": "index", "shape": [90, 180], "transform": [2, 0, -180, 0, -2, 90], "crs": "OGC:CRS84", "around": True}
    pacific = earth | {"transform": [2, 0, 0, 0, -2, 90]}
    for source in (earth, pacific):
        for name, crs, box, size in (
            ("the north pole", "EPSG:3413", [-4e6, -4e6, 4e6, 4e6], [40, 40]),
            ("the south pole", "EPSG:3031", [-3e6, -3.5e6, 3.2e6, 3e6], [50, 44]),
            ("the meridian of 180", "EPSG:32601", [-1e6, 1e6, 1.5e6, 4e6], [60, 50]),
            ("Europe", "EPSG:3035", [2.4e6, 1.3e6, 7.4e6, 5.6e6], [43, 50]),
            ("New Zealand", "EPSG:3857", [18.5e6, -6e6, 21.5e6, -3e6], [30, 30]),
        ):
            found.append({"name": name, "source": source, "box": box, "crs": crs, "size": size, "method": "nearest", "places": packed(warped(source, box, crs, size, "nearest"))})
    for crs, box, size in (("EPSG:3857", [16e6, -6e6, 19e6, -3e6], [30, 30]), ("EPSG:3857", [-2e7, -1e7, 2e7, 1.5e7], [20, 32]), ("OGC:CRS84", [150, -60, 205, -20], [13, 17])):
        for method in ("bilinear", "average", "mode"):
            noise = earth | {"kind": "noise"}
            ratio = {"XSCALE": min(1, size[1] / 27.5), "YSCALE": min(1, size[0] / 20)} if method == "bilinear" else {}
            if not (method == "bilinear" and size == [20, 32]):
                found.append({"name": "the Earth", "source": noise, "box": box, "crs": crs, "size": size, "method": method, "values": listed(warped(noise, box, crs, size, method, **ratio))})
    web = {"kind": "noise", "shape": [256, 256], "transform": [20000, 0, 0, 0, -20000, 7e6], "crs": "EPSG:3857"}
    for method in ("nearest", "average"):
        found.append({"name": "Web Mercator", "source": web, "box": [3, 17, 41, 47], "crs": "OGC:CRS84", "size": [24, 31], "method": method, "values": listed(warped(web, [3, 17, 41, 47], "OGC:CRS84", [24, 31], method))})
    return found


if __name__ == "__main__":
    cases = table() + projected()
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n")
