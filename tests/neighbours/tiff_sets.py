"""Write TIFF files with tifffile and with GDAL (rasterio), and what these read back of them.

    python tests/neighbours/tiff_sets.py /tmp/sets/tiff

The packages are those of requirements.txt beside. Two runs give the same bytes.
"""

from __future__ import annotations

import json
import math
import sys
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
import tifffile
from rasterio.enums import MaskFlags, Resampling
from rasterio.transform import from_origin

RNG = np.random.default_rng(41)
TYPES = ["u1", "u2", "u4", "i1", "i2", "i4", "f4", "f8"]
COMPRESSIONS = [None, None, "lzw", "zlib", "packbits", "zstd", "lzma"]


def values(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Items that a compressor can make smaller: a ramp with noise."""
    ramp = np.add.outer(np.arange(math.prod(shape[:-1])), np.arange(shape[-1])).reshape(shape)
    if dtype[0] in "fc":
        return (ramp / 7 + RNG.normal(size=shape)).astype(dtype)
    info = np.iinfo(dtype)
    found = (ramp + RNG.integers(0, 3, shape)).astype(dtype)
    found.flat[RNG.integers(found.size)] = info.max
    found.flat[RNG.integers(found.size)] = info.min
    return found


def number(value: float) -> Any:
    return value if math.isfinite(value) else str(value).replace("nan", "NaN").replace("inf", "Infinity")


class Sets:
    """The files that were written, with what they hold."""

    def __init__(self, root: Path) -> None:
        self.root, self.entries = root, []
        root.mkdir(parents=True, exist_ok=True)

    def note(self, document: str, arrays: dict[str, tuple[np.ndarray, list[str], dict[str, Any]]], attributes: dict[str, Any] | None = None) -> None:
        found, stored = {}, b""
        for path, (data, dimensions, own) in arrays.items():
            written = data.astype(data.dtype.newbyteorder("<")).tobytes()
            found[path] = {"shape": data.shape, "dtype": data.dtype.name, "dimensions": dimensions, "attributes": own, "values": [len(stored), len(written)]}
            stored += written
        name = document.rsplit(".", 1)[0] + ".values"
        (self.root / name).write_bytes(stored)
        self.entries.append({"document": document, "values": name, "attributes": attributes or {}, "arrays": found})


def edges(is_tiled: bool) -> dict[str, Any]:
    if is_tiled:
        return {"tile": tuple(int(edge) for edge in RNG.choice([16, 32, 48], 2))}
    return {"rowsperstrip": int(RNG.choice([1, 5, 8, 1000]))}


def predictor_of(compression: str | None) -> bool:
    return bool(compression not in (None, "packbits") and RNG.random() < 0.6)


def by_tifffile(sets: Sets, nth: int) -> None:
    """One image, or a stack of equal ones, with one sample or several."""
    dtype, compression = str(RNG.choice(TYPES)), RNG.choice(COMPRESSIONS)
    height, width = (int(edge) for edge in RNG.integers(3, 50, 2))
    samples, pages = int(RNG.choice([1, 1, 3, 4])), int(RNG.choice([1, 1, 1, 3]))
    is_separate = bool(samples > 1 and RNG.random() < 0.5)
    order, is_big = str(RNG.choice(["<", ">"])), bool(RNG.random() < 0.3)
    options = edges(RNG.random() < 0.5)
    if predictor_of(compression):
        options["predictor"] = 3 if dtype[0] == "f" else 2
    if samples > 1:
        options |= {"photometric": "rgb", "planarconfig": "separate" if is_separate else "contig"}
        if samples == 4:
            options["extrasamples"] = ["unassalpha"]
    else:
        options["photometric"] = "minisblack"
    inner = (height, width) if samples == 1 else (samples, height, width) if is_separate else (height, width, samples)
    data = values(dtype, (pages, *inner))
    document = f"tifffile-{nth:03}.tif"
    with tifffile.TiffWriter(sets.root / document, byteorder=order, bigtiff=is_big) as made:
        for page in data:
            made.write(page, compression=compression, metadata=None, description=f"image {nth}", software="tests", **options)
    names = ["y", "x"] if samples == 1 else ["band", "y", "x"] if is_separate else ["y", "x", "band"]
    with tifffile.TiffFile(sets.root / document) as opened:
        found = np.stack([page.asarray() for page in opened.pages])
        software = opened.pages[0].software
    assert np.array_equal(found, data, equal_nan=dtype[0] == "f"), document
    single = pages == 1
    sets.note(document, {"0": (found[0] if single else found, names if single else ["page", *names], {})}, {"ImageDescription": f"image {nth}", "Software": software})


def others(sets: Sets) -> None:
    """What tifffile writes of other types: half floats, complex numbers, 64 bits, JPEG 2000."""
    for dtype in ("f2", "c8", "c16", "u8", "i8"):
        for compression, predictor in ((None, None), ("zlib", None), ("zlib", 3 if dtype == "f2" else 2)):
            if dtype[0] == "c" and predictor:
                continue
            document = f"other-{dtype}-{compression}-{predictor}.tif"
            data = values(dtype, (21, 34))
            tifffile.imwrite(sets.root / document, data, compression=compression, predictor=predictor, tile=(16, 32), metadata=None, photometric="minisblack")
            found = tifffile.imread(sets.root / document)
            assert np.array_equal(found, data)
            sets.note(document, {"0": (found, ["y", "x"], {})})
    for dtype in ("u1", "u2"):
        for samples in (1, 3):
            document = f"jpeg2000-{dtype}-{samples}.tif"
            data = values(dtype, (40, 33) if samples == 1 else (40, 33, 3))
            options = {"photometric": "minisblack" if samples == 1 else "rgb", "tile": (16, 32)}
            tifffile.imwrite(sets.root / document, data, compression="jpeg2000", compressionargs={"level": 0}, metadata=None, byteorder="<", **options)
            sets.note(document, {"0": (tifffile.imread(sets.root / document), ["y", "x"] if samples == 1 else ["y", "x", "band"], {})})
    # One strip of many rows, which is cut.
    data = values("u2", (1500, 700))
    tifffile.imwrite(sets.root / "one-strip.tif", data[:, :30], metadata=None, rowsperstrip=1500)
    sets.note("one-strip.tif", {"0": (data[:, :30], ["y", "x"], {})})
    # Images that differ, each in a group of its own.
    first, second = values("u1", (10, 12)), values("f4", (7, 9))
    with tifffile.TiffWriter(sets.root / "unequal.tif") as made:
        made.write(first, metadata=None)
        made.write(second, metadata=None)
    sets.note("unequal.tif", {"0": (first, ["y", "x"], {}), "image1/0": (second, ["y", "x"], {})})


def pyramids(sets: Sets) -> None:
    """Levels as directories below others, and in the chain."""
    for nth, below in enumerate((True, False)):
        data = values("u2", (64, 80))
        document = f"pyramid-{nth}.tif"
        with tifffile.TiffWriter(sets.root / document, byteorder="<>"[nth]) as made:
            options = {"tile": (16, 16), "metadata": None, "photometric": "minisblack"}
            made.write(data, subifds=2 if below else 0, **options)
            for step in (2, 4):
                made.write(np.ascontiguousarray(data[::step, ::step]), subfiletype=1, **options)
        levels = {str(level): (data[:: 2**level, :: 2**level], ["y", "x"], {}) for level in range(3)}
        sets.note(document, levels)


def ome(sets: Sets) -> None:
    """OME-TIFF: five axes in several orders, several samples, levels, several images."""
    for nth, (axes, shape) in enumerate({"TCZYX": (2, 3, 2, 20, 18), "ZCYX": (3, 2, 17, 33), "CTYX": (2, 4, 9, 12), "YX": (11, 13), "TZCYX": (3, 2, 2, 8, 9)}.items()):
        data = values("u2", shape)
        document = f"ome-{nth}.ome.tif"
        extra = {"PhysicalSizeX": 0.25, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.5, "PhysicalSizeYUnit": "µm"}
        if "C" in axes:
            extra["Channel"] = {"Name": [f"channel {number}" for number in range(shape[axes.index("C")])]}
        tifffile.imwrite(sets.root / document, data, ome=True, metadata={"axes": axes, **extra}, photometric="minisblack", byteorder="<>"[nth % 2], tile=(16, 16) if nth % 2 else None)
        whole = np.moveaxis(data, [axes.index(axis) for axis in "TCZYX" if axis in axes], range(len(axes)))
        whole = whole.reshape([shape[axes.index(axis)] if axis in axes else 1 for axis in "TCZYX"])
        sets.note(document, {"0": (whole, list("tczyx"), {})})
    for nth, is_separate in enumerate((False, True)):
        data = values("u1", (2, 3, 14, 19) if is_separate else (2, 14, 19, 3))
        document = f"ome-rgb-{nth}.ome.tif"
        tifffile.imwrite(sets.root / document, data, ome=True, photometric="rgb", planarconfig="separate" if is_separate else "contig", metadata={"axes": "ZSYX" if is_separate else "ZYXS"}, compression="zlib", predictor=2)
        whole = np.moveaxis(data, 1 if is_separate else 3, 0)[None]
        sets.note(document, {"0": (whole, list("tczyx"), {})})
    data = values("u2", (2, 32, 48))
    with tifffile.TiffWriter(sets.root / "ome-levels.ome.tif", ome=True) as made:
        options = {"tile": (16, 16), "photometric": "minisblack"}
        made.write(data, subifds=1, metadata={"axes": "CYX"}, **options)
        made.write(np.ascontiguousarray(data[:, ::2, ::2]), subfiletype=1, **options)
    sets.note("ome-levels.ome.tif", {"0": (data[None, :, None], list("tczyx"), {}), "1": (data[None, :, None, ::2, ::2], list("tczyx"), {})})
    one, two = values("u1", (3, 10, 12)), values("f4", (6, 7))
    with tifffile.TiffWriter(sets.root / "ome-images.ome.tif", ome=True) as made:
        made.write(one, metadata={"axes": "ZYX"}, photometric="minisblack")
        made.write(two, metadata={"axes": "YX"}, photometric="minisblack")
    sets.note("ome-images.ome.tif", {"0": (one[None, None], list("tczyx"), {}), "image1/0": (two[None, None, None], list("tczyx"), {})})


def in_our_order(bands: np.ndarray, interleave: str) -> tuple[np.ndarray, list[str]]:
    if len(bands) == 1:
        return bands[0], ["y", "x"]
    return (np.moveaxis(bands, 0, -1), ["y", "x", "band"]) if interleave == "pixel" else (bands, ["band", "y", "x"])


def by_gdal(sets: Sets, nth: int) -> None:
    """GeoTIFFs: with a place, a missing value, scales, overviews and parts that are not stored."""
    dtype, count = str(RNG.choice(["uint8", "uint16", "int16", "float32", "float64"])), int(RNG.choice([1, 1, 3]))
    height, width = (int(edge) for edge in RNG.integers(20, 90, 2))
    driver = "COG" if nth % 3 == 0 else "GTiff"
    compression = str(RNG.choice(["none", "deflate", "lzw", "zstd"]))
    profile: dict[str, Any] = {"driver": driver, "dtype": dtype, "count": count, "height": height, "width": width, "compress": compression}
    if compression != "none" and RNG.random() < 0.6:
        profile["predictor"] = "YES" if driver == "COG" else (3 if dtype[0] == "f" else 2)
    if driver == "COG":
        profile |= {"blocksize": 128, "overview_resampling": "nearest"}
    else:
        profile |= {"interleave": str(RNG.choice(["pixel", "band"])), "bigtiff": str(RNG.choice(["yes", "no"])), "endianness": str(RNG.choice(["little", "big"]))}
        if RNG.random() < 0.5:
            profile |= {"tiled": True, "blockxsize": 16, "blockysize": 32, "sparse_ok": True}
    crs = RNG.choice(["EPSG:4326", "EPSG:3857", "EPSG:32633", ""])
    if crs:
        profile |= {"crs": str(crs), "transform": from_origin(float(RNG.integers(-100, 100)), 50.5, 0.25, 0.5)}
    nodata = RNG.choice([None, 0 if dtype[0] == "u" else -99])
    if dtype[0] == "f" and nodata is not None and RNG.random() < 0.5:
        nodata = math.nan
    profile["nodata"] = nodata
    document = f"gdal-{nth:03}.tif"
    is_scaled = bool(RNG.random() < 0.4)
    data = values(np.dtype(dtype).str[1:], (count, height, width))
    with rasterio.open(sets.root / document, "w", **profile) as made:
        made.write(data) if not profile.get("sparse_ok") else made.write(data[:, :16, :16], window=((0, 16), (0, 16)))
        if is_scaled:
            made.scales, made.offsets, made.units = [0.1] * count, [5.0] * count, ["K"] * count
            made.descriptions = [f"band {band}" for band in range(count)]
        made.update_tags(AREA_OR_POINT="Point" if nth % 2 else "Area", note="a <b> & c")
    if driver == "GTiff" and RNG.random() < 0.4 and not profile.get("sparse_ok"):
        with rasterio.open(sets.root / document, "r+") as opened:
            opened.build_overviews([2, 4], Resampling.nearest)
    arrays = {}
    with rasterio.open(sets.root / document) as opened:
        interleave = "pixel" if driver == "COG" else opened.profile["interleave"]
        own: dict[str, Any] = {}
        if nodata is not None:
            own["_FillValue"] = number(float(nodata)) if dtype[0] == "f" else int(nodata)
        if is_scaled:
            own |= {"scale_factor": 0.1, "add_offset": 5.0, "units": "K"}
        assert opened.mask_flag_enums[0] in ([MaskFlags.all_valid], [MaskFlags.nodata]), document
        arrays["0"] = (*in_our_order(opened.read(), interleave), own)
        levels = len(opened.overviews(1))
        root: dict[str, Any] = {"note": "a <b> & c"}
        if crs:
            root["proj:code"] = str(crs)
            root["transform"] = list(opened.transform)[:6]
    for level in range(levels):
        with rasterio.open(sets.root / document, overview_level=level) as opened:
            arrays[str(level + 1)] = (*in_our_order(opened.read(), interleave), own)
    sets.note(document, arrays, root)


def filled(sets: Sets, compression: str, dtype: str, predictor: int, interleave: str, count: int) -> None:
    """Strips that nothing was written to, which GDAL fills when it closes a file: the last one too with a strip's rows."""
    document = f"filled-{compression}-{dtype}-{predictor}-{interleave}-{count}.tif"
    profile: dict[str, Any] = {"driver": "GTiff", "dtype": dtype, "count": count, "height": 43, "width": 21, "blockysize": 8, "nodata": 7, "compress": compression, "interleave": interleave}
    if predictor > 1:
        profile["predictor"] = predictor
    data = values(np.dtype(dtype).str[1:], (count, 16, 21))
    with rasterio.open(sets.root / document, "w", **profile) as made:
        made.write(data, window=((8, 24), (0, 21)))
    found = np.full((count, 43, 21), 7, dtype)
    found[:, 8:24] = data
    # The last strip is what was to be written: where it is deflated, GDAL 3.10 reads zeros in it and tifffile refuses it.
    with rasterio.open(sets.root / document) as opened:
        assert np.array_equal(found[:, :40], opened.read()[:, :40]), document
    sets.note(document, {"0": (*in_our_order(found, interleave), {"_FillValue": 7.0 if dtype[0] == "f" else 7})})


def main(root: Path) -> None:
    # OME's descriptions have an id, which would be another one in each run.
    uuid.uuid1 = lambda *_: uuid.UUID(int=41)
    sets = Sets(root)
    for nth in range(90):
        by_tifffile(sets, nth)
    others(sets)
    pyramids(sets)
    ome(sets)
    for nth in range(48):
        by_gdal(sets, nth)
    for compression in ("lzw", "deflate", "packbits", "zstd", "lzma"):
        filled(sets, compression, "uint8", 1, "pixel", 1)
        filled(sets, compression, "uint16", 1, "pixel", 3)
        filled(sets, compression, "float32", 1, "band", 3)
    for compression in ("lzw", "deflate", "zstd"):
        filled(sets, compression, "int16", 2, "pixel", 3)
        filled(sets, compression, "float32", 3, "pixel", 3)
        filled(sets, compression, "float64", 3, "band", 2)
    (root / "index.json").write_text("[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in sets.entries) + "\n]\n")
    print(len(sets.entries), "files")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
