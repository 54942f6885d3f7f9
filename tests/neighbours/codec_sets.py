"""Arrays through codecs of other packages than zarr-python and numcodecs: imagecodecs, virtual-tiff, ccic, zarr-n5, zfpy.

    python tests/neighbours/codec_sets.py OUTDIR

OUTDIR gets a folder for each array, and index.json with the checksums of their values: those that were written, or,
where a codec loses some, those that the package reads again. Chunks of TIFF files are the tiles of the file, under the metadata that
virtual-tiff gives them.
"""

from __future__ import annotations

import enum
import json
import shutil
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any

import imagecodecs
import imagecodecs.numcodecs
import imagecodecs.zarr as ic
import numcodecs.abc
import numpy as np
import rasterio
import tensorstore
import tifffile
import virtual_tiff.codecs
import zarr
import zfpy
from numcodecs.registry import register_codec
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore
from virtual_tiff import VirtualTIFF
from zarr.codecs import BloscCodec
from zarr_n5.metadata import N5ArrayMetadata

warnings.simplefilter("ignore")
imagecodecs.numcodecs.register_codecs(verbose=False)


class Endian(enum.Enum):
    """A name that zarr-python exported before 3.4, which virtual-tiff 0.5.0 still calls."""

    little = "little"
    big = "big"


virtual_tiff.codecs.Endian = Endian

OUT = Path(sys.argv[1])
shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
INDEX: list[dict[str, Any]] = []


def save(name: str, about: str, values: np.ndarray, feature: str | None = None) -> None:
    """Note an array whose folder is written, with the values that a reader must find in it."""
    raw = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes()
    INDEX.append({"name": name, "about": about, "shape": list(values.shape), "feature": feature, "crc32": zlib.crc32(raw)})


def rows(dtype: str, shape: tuple[int, ...] = (10, 12)) -> np.ndarray:
    """Numbers that differ by little along rows, with a jump and a run."""
    numbers = np.arange(np.prod(shape), dtype="f8").reshape(shape) * 1.25
    numbers.flat[5:9] = 3
    numbers.flat[-7] = 250 if np.dtype(dtype).itemsize == 1 else 30_000
    return np.mod(numbers, 256).astype(dtype) if np.dtype(dtype).itemsize == 1 else numbers.astype(dtype)


def v3(name: str, values: np.ndarray, feature: str | None = None, chunks: tuple[int, ...] = (4, 12), **codecs: Any) -> None:
    """An array of zarr-python with these codecs of imagecodecs, read again by them."""
    path = OUT / f"{name}.zarr"
    codecs = {"compressors": None, **codecs}
    array = zarr.create_array(store=path, shape=values.shape, dtype=values.dtype, chunks=chunks, **codecs)
    array[...] = values
    # imagecodecs writes bare deflate streams, and does not read them without being told their length.
    if name != "imagecodecs-deflate-raw":
        assert np.array_equal(zarr.open_array(path, mode="r")[...], values)
    save(name, f"{values.dtype} by imagecodecs {codecs}", values, feature)


def v2(name: str, values: np.ndarray, *, chunks: tuple[int, ...] = (4, 12), filters: Any = None, compressor: Any = None) -> None:
    """The array in Zarr v2, by numcodecs' form of the codec."""
    path = OUT / f"{name}.zarr"
    options = {"filters": filters, "compressors": compressor}
    array = zarr.create_array(store=path, shape=values.shape, dtype=values.dtype, chunks=chunks, zarr_format=2, **options)
    array[...] = values
    again = zarr.open_array(path, mode="r")[...]
    (path / ".zattrs").unlink(missing_ok=True)
    save(name, f"{values.dtype} in Zarr v2", again)


# --- imagecodecs: compressors

COMPRESSORS: dict[str, tuple[Any, str | None]] = {
    "bz2": (ic.Bz2(level=3), None),
    "deflate": (ic.Deflate(level=6), None),
    "deflate-raw": (ic.Deflate(raw=True), None),
    "lz4": (ic.Lz4(), None),
    "lz4-hc": (ic.Lz4(level=9, hc=True), None),
    "lz4-header": (ic.Lz4(header=True), None),
    "lzma": (ic.Lzma(level=4), "lzma"),
    "lzma-check": (ic.Lzma(check="CRC32"), "lzma"),
    "lzw": (ic.Lzw(), None),
    "packbits": (ic.Packbits(), None),
    "zlib": (ic.Zlib(level=1), None),
    "zstd": (ic.Zstd(level=9), None),
}
for _name, (_codec, _feature) in COMPRESSORS.items():
    v3(f"imagecodecs-{_name}", rows("u2"), _feature, compressors=[_codec])

# Long enough for codes of 12 bits and a cleared table, and for a tile that ends in the middle of a run.
_long = (np.arange(96 * 128) ** 2 // 7 % 251).reshape(96, 128).astype("u1")
_long[40:52] = 9
v3("imagecodecs-lzw-long", _long, chunks=(96, 128), compressors=[ic.Lzw()])
v3("imagecodecs-packbits-long", _long, chunks=(96, 128), compressors=[ic.Packbits()])
v3("imagecodecs-lz4-zstd", rows("u2"), compressors=[ic.Lz4(), ic.Zstd()])

imagecodecs_v2 = imagecodecs.numcodecs
for _name, _compressor in {"deflate": imagecodecs_v2.Deflate(level=6), "lzw": imagecodecs_v2.Lzw(), "lz4": imagecodecs_v2.Lz4()}.items():
    v2(f"v2-imagecodecs-{_name}", rows("<i4"), compressor=_compressor)

# --- imagecodecs: filters

for _dtype in ("u1", "i2", "u4", "i8", "f4", "f8"):
    v3(f"imagecodecs-delta-{_dtype}", rows(_dtype), filters=[ic.Delta()])
v3("imagecodecs-delta-axis-0", rows("i2"), filters=[ic.Delta(axis=0)])
v3("imagecodecs-delta-middle", rows("u2", (4, 5, 6)), chunks=(2, 5, 3), filters=[ic.Delta(axis=-2)])
for _dtype in ("f2", "f4", "f8"):
    v3(f"imagecodecs-floatpred-{_dtype}", rows(_dtype), serializer=ic.Floatpred(), compressors=[ic.Zlib()])
v3("imagecodecs-floatpred-dist-2", rows("f4"), serializer=ic.Floatpred(dist=2))
for _dtype in ("<i2", ">i2", "<f4"):
    v2(f"v2-imagecodecs-delta-{_dtype[1:]}{'-big' * (_dtype[0] == '>')}", rows(_dtype), filters=[imagecodecs_v2.Delta(shape=(4, 12), dtype=_dtype)])
for _dtype in ("<f4", ">f8"):
    v2(f"v2-imagecodecs-floatpred-{_dtype[1:]}", rows(_dtype), filters=[imagecodecs_v2.Floatpred(shape=(4, 12), dtype=_dtype)], compressor=imagecodecs_v2.Zlib())

# --- ccic


class LogBins(numcodecs.abc.Codec):
    """ccic/codecs.py of ccic 0.1, whose package needs a machine learning stack to be installed."""

    codec_id = "log_bins"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        self.bins = np.logspace(np.log10(low), np.log10(high), 254).astype(np.float32)

    def encode(self, buf: Any) -> np.ndarray:
        arr = np.asarray(buf)
        indices = np.minimum(np.digitize(arr, self.bins).astype(np.uint8), 254)
        indices[np.isnan(arr)] = 255
        return indices

    def decode(self, buf: Any, out: Any = None) -> np.ndarray:
        arr = np.frombuffer(buf, "u1")
        centroids = 0.5 * (self.bins[:-1] + self.bins[1:])
        values = np.zeros(arr.shape, np.float32)
        values[:] = centroids[np.clip(arr, 1, 253) - 1]
        values[arr == 0] = 0.0
        values[arr == 254] = self.bins[-1]
        values[arr == 255] = np.nan
        return values

    def get_config(self) -> dict[str, Any]:
        return {"id": self.codec_id, "low": self.low, "high": self.high}


register_codec(LogBins)
for _name, (_low, _high) in {"ccic": (1e-4, 1e2), "narrow": (0.5, 3.75), "wide": (1e-12, 3e9)}.items():
    _path = OUT / f"log-bins-{_name}.zarr"
    _array = zarr.create_array(store=_path, shape=(16, 16), dtype="<f4", chunks=(16, 16), zarr_format=2, filters=[LogBins(_low, _high)], compressors=None, fill_value=0)
    _codes = np.arange(256, dtype="u1").reshape(16, 16)
    _array[...] = LogBins(_low, _high).decode(_codes.tobytes()).reshape(16, 16)
    (_path / "0.0").write_bytes(_codes.tobytes())
    (_path / ".zattrs").unlink(missing_ok=True)
    save(f"log-bins-{_name}", f"Every code of log_bins from {_low} to {_high}.", LogBins(_low, _high).decode(_codes.tobytes()).reshape(16, 16))

# --- virtual-tiff


def tiff(name: str, values: np.ndarray, expected: np.ndarray | None = None, **options: Any) -> None:
    """A TIFF of 64 by 64 tiles by tifffile, under the metadata of virtual-tiff."""
    file = OUT / f"{name}.tif"
    tifffile.imwrite(file, values, tile=(64, 64), metadata=None, **options)
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    group = VirtualTIFF(ifd=0)(f"file://{file.resolve()}", registry)._group
    [array] = group.arrays.values()
    folder = OUT / f"{name}.zarr"
    folder.mkdir()
    document = array.metadata.to_dict()
    document["attributes"] = {}
    (folder / "zarr.json").write_text(json.dumps(document, indent=1, default=lambda item: item.to_dict()) + "\n")
    data = file.read_bytes()
    for key, entry in array.manifest.dict().items():
        chunk = folder / "c" / key.replace(".", "/")
        chunk.parent.mkdir(parents=True, exist_ok=True)
        chunk.write_bytes(data[entry["offset"] : entry["offset"] + entry["length"]])
    file.unlink()
    save(name, f"A TIFF, {options}.", values if expected is None else expected)


PIXELS = ((128 * np.arange(100)[:, None] + np.arange(128)[None, :]) % 997).astype("u2")
tiff("tiff-deflate-predictor", PIXELS, compression="zlib", predictor=2)
tiff("tiff-lzw", PIXELS, compression="lzw")
tiff("tiff-lzw-predictor", PIXELS, compression="lzw", predictor=2)
tiff("tiff-zstd", PIXELS, compression="zstd")
tiff("tiff-packbits", PIXELS, compression="packbits")
tiff("tiff-big-predictor", PIXELS, compression="zlib", predictor=2, byteorder=">")
tiff("tiff-float-predictor", np.sqrt(PIXELS.astype("f4")), compression="zlib", predictor=3)
tiff("tiff-big-float-predictor", np.sqrt(PIXELS.astype("f4")), compression="zlib", predictor=3, byteorder=">")
tiff("tiff-double-predictor", np.sqrt(PIXELS.astype("f8")), compression="zlib", predictor=3)
RGB = np.stack([PIXELS, PIXELS[::-1], PIXELS // 3], axis=-1).astype("u2")[:70, :90]
tiff("tiff-rgb", RGB, np.moveaxis(RGB, -1, 0), compression="zlib", predictor=2, photometric="rgb")
tiff("tiff-rgb-lzw", RGB, np.moveaxis(RGB, -1, 0), compression="lzw", photometric="rgb", byteorder=">")
tiff("tiff-rgb-planar", np.moveaxis(RGB, -1, 0), compression="zlib", predictor=2, photometric="rgb", planarconfig="separate")

# --- N5


def n5(name: str, values: np.ndarray, block: list[int], compression: dict[str, Any], cut: bool = False) -> None:
    """Blocks of N5 by TensorStore, which pads those at the end of an axis, under the metadata that zarr-n5 gives them.

    `cut` cuts the blocks that are padded, as N5's own implementation does, by writing each as an array of its own.
    """
    folder = OUT / f"{name}.zarr"

    def write(path: Path, values: np.ndarray, block: list[int]) -> None:
        metadata = {"dimensions": list(values.shape), "blockSize": block, "dataType": values.dtype.name, "compression": compression}
        spec = {"driver": "n5", "kvstore": {"driver": "file", "path": f"{path}/"}, "metadata": metadata}
        tensorstore.open(spec, create=True).result().write(values).result()

    write(folder, values, block)
    if cut:
        for file in [file for file in folder.rglob("*") if file.is_file() and file.name != "attributes.json"]:
            at = [int(part) * edge for part, edge in zip(file.relative_to(folder).parts, block, strict=True)]
            part = values[tuple(slice(start, start + edge) for start, edge in zip(at, block, strict=True))]
            write(OUT / "cut", np.ascontiguousarray(part), list(part.shape))
            [only] = [one for one in (OUT / "cut").rglob("*") if one.is_file() and one.name != "attributes.json"]
            file.write_bytes(only.read_bytes())
            shutil.rmtree(OUT / "cut")
    document = N5ArrayMetadata(list(values.shape), block, values.dtype.name, compression).to_zarr().to_dict()
    document["attributes"] = {}
    (folder / "attributes.json").unlink()
    (folder / "zarr.json").write_text(json.dumps(document, indent=1, default=lambda item: item.to_dict()) + "\n")
    assert np.array_equal(zarr.open_array(folder, mode="r")[...], values)
    save(name, f"N5 blocks of {values.dtype.name}, {compression}{', cut at the ends' * cut}", values)


n5("n5-padded", rows("u2"), [4, 5], {"type": "gzip", "level": 1})
n5("n5-cut", rows("u2"), [4, 5], {"type": "gzip", "level": 1}, cut=True)
n5("n5-raw", rows("u1"), [4, 5], {"type": "raw"}, cut=True)
n5("n5-three-axes", rows("f8", (5, 4, 7)), [2, 4, 3], {"type": "zstd"}, cut=True)
n5("n5-blosc", rows("i4", (9, 6)), [4, 4], {"type": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1})

# --- ZFP without a header

# Mode: what zfpy is told, and what the metadata say.
ZFP: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "reversible": ({}, {"mode": "reversible"}),
    "accuracy": ({"tolerance": 0.05}, {"mode": "fixed_accuracy", "tolerance": 0.05}),
    "precision": ({"precision": 14}, {"mode": "fixed_precision", "precision": 14}),
    "rate": ({"rate": 12.5}, {"mode": "fixed_rate", "rate": 12.5}),
    # The parameters that a tolerance of 1/32 stands for.
    "expert": ({"tolerance": 1 / 32}, {"mode": "expert", "minbits": 1, "maxbits": 16658, "maxprec": 64, "minexp": -5}),
}


def zfp(name: str, values: np.ndarray, mode: str, chunks: tuple[int, ...]) -> None:
    """Streams of zfpy without their header; integers of fewer bits are in the high bits of int32, as the text has it."""
    told, configuration = ZFP[mode]
    dtype = values.dtype
    bits = 8 * dtype.itemsize
    folder = OUT / f"{name}.zarr"
    again = np.zeros_like(values)
    zarr.create_array(store=folder, shape=values.shape, dtype=dtype, chunks=chunks, compressors=None)
    for at in np.ndindex(*[-(-extent // edge) for extent, edge in zip(values.shape, chunks, strict=True)]):
        box = tuple(slice(nth * edge, (nth + 1) * edge) for nth, edge in zip(at, chunks, strict=True))
        part = values[box]
        chunk = np.zeros(chunks, dtype)
        chunk[tuple(slice(0, edge) for edge in part.shape)] = part
        if dtype.kind in "iu" and bits < 32:
            chunk = (chunk.astype("i4") - (1 << (bits - 1) if dtype.kind == "u" else 0)) << (31 - bits)
        elif dtype.kind == "u":
            chunk = chunk.astype(f"i{dtype.itemsize}")
        whole = zfpy.compress_numpy(chunk, write_header=True, **told)
        stream = zfpy.compress_numpy(chunk, write_header=False, **told)
        read = zfpy.decompress_numpy(whole)
        if dtype.kind in "iu" and bits < 32:
            least = 0 if dtype.kind == "u" else -(1 << (bits - 1))
            read = np.clip((read >> (31 - bits)) + (1 << (bits - 1) if dtype.kind == "u" else 0), least, least + (1 << bits) - 1)
        again[box] = np.maximum(read, 0 if dtype.kind == "u" else read.min())[tuple(slice(0, edge) for edge in part.shape)]
        file = folder.joinpath("c", *map(str, at))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(stream)
    document = json.loads((folder / "zarr.json").read_text())
    document["codecs"] = [{"name": "zfp", "configuration": configuration}]
    (folder / "zarr.json").write_text(json.dumps(document, indent=1) + "\n")
    save(name, f"{dtype} through zfp, {configuration}", again, "zfp")


for _mode in ZFP:
    zfp(f"zfp-{_mode}", rows("f4"), _mode, (4, 12))
for _dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f8"):
    zfp(f"zfp-{_dtype}", rows(_dtype), "rate" if _dtype == "i4" else "reversible", (4, 12))
zfp("zfp-1-axis", rows("f4", (30,)), "accuracy", (9,))
zfp("zfp-3-axes", rows("f8", (5, 6, 7)), "rate", (3, 6, 4))
zfp("zfp-4-axes", rows("f4", (3, 4, 5, 6)), "precision", (3, 2, 5, 5))

# --- JPEG 2000

GRAY = (np.add.outer(np.arange(24) ** 2, np.arange(20) * 13) % 4001).astype("u2")
COLOUR = np.stack([GRAY, GRAY[::-1], GRAY // 2], axis=-1)


def jpeg2000(name: str, values: np.ndarray, **options: Any) -> None:
    """Images of imagecodecs, lossless but for their level."""
    folder = OUT / f"{name}.zarr"
    lossless = {} if "level" in options else {"reversible": True}
    array = zarr.create_array(store=folder, shape=values.shape, dtype=values.dtype, chunks=values.shape, serializer=ic.Jpeg2k(**options, **lossless), compressors=None)
    array[...] = values
    assert np.array_equal(zarr.open_array(folder, mode="r")[...], values)
    save(name, f"JPEG 2000 of {values.dtype}, {options}", values, "jpeg2000")


jpeg2000("jpeg2k-u2", GRAY)
jpeg2000("jpeg2k-codestream", GRAY, codecformat="J2K")
jpeg2000("jpeg2k-u1", (GRAY % 256).astype("u1"))
jpeg2000("jpeg2k-i2", GRAY.astype("i2") - 2000)
jpeg2000("jpeg2k-i1", (GRAY % 256).astype("u1").view("i1"))
jpeg2000("jpeg2k-12-bits", GRAY, bitspersample=12)
jpeg2000("jpeg2k-colour", COLOUR)
jpeg2000("jpeg2k-colour-8", (COLOUR % 256).astype("u1"), codecformat="J2K")
jpeg2000("jpeg2k-planes", np.ascontiguousarray(np.moveaxis(COLOUR, -1, 0)), planar=True)
jpeg2000("jpeg2k-two", COLOUR[..., :2].copy())
jpeg2000("jpeg2k-four", np.concatenate([COLOUR, COLOUR[..., :1]], axis=-1))
# Tiles by GDAL, because imagecodecs writes none.
_folder = OUT / "jpeg2k-tiles.zarr"
zarr.create_array(store=_folder, shape=(70, 80), dtype="u2", chunks=(70, 80), serializer=ic.Jpeg2k(), compressors=None)
(_folder / "c/0").mkdir(parents=True)
_profile = {"driver": "JP2OpenJPEG", "height": 70, "width": 80, "count": 1, "dtype": "uint16", "QUALITY": 100, "REVERSIBLE": "YES", "BLOCKXSIZE": 32, "BLOCKYSIZE": 32}
with rasterio.open(OUT / "tiles.jp2", "w", **_profile) as _file:
    _file.write(PIXELS[:70, :80], 1)
(OUT / "tiles.jp2").rename(_folder / "c/0/0")
(OUT / "tiles.jp2.aux.xml").unlink(missing_ok=True)
assert np.array_equal(zarr.open_array(_folder, mode="r")[...], PIXELS[:70, :80])
save("jpeg2k-tiles", "JPEG 2000 of nine tiles, by GDAL.", PIXELS[:70, :80], "jpeg2000")
tiff("tiff-jpeg2k", (GRAY[:, :] % 256).astype("u1").repeat(3, 0).repeat(4, 1), compression="jpeg2000", compressionargs={"reversible": True})
INDEX[-1]["feature"] = "jpeg2000"

# --- Blosc with Snappy

# imagecodecs' build of C-Blosc has Snappy; those of numcodecs and of the package blosc lack it.
_folder = OUT / "blosc-snappy.zarr"
_values = np.arange(60 * 70, dtype="i4").reshape(60, 70) ** 2 // 977
_blosc = BloscCodec(cname="lz4", clevel=5, shuffle="shuffle", typesize=4)
zarr.create_array(store=_folder, shape=_values.shape, dtype="i4", chunks=_values.shape, compressors=[_blosc])
_document = (_folder / "zarr.json").read_text()
(_folder / "zarr.json").write_text(_document.replace('"lz4"', '"snappy"'))
_frame = imagecodecs.blosc_encode(_values.astype("<i4"), compressor="snappy", level=5, shuffle=1)
assert (_frame[2], _frame[3]) == (0x41, 4), "the frame is of Snappy, compressed and shuffled by four bytes"
assert np.array_equal(np.frombuffer(imagecodecs.blosc_decode(_frame), "<i4").reshape(_values.shape), _values)
(_folder / "c/0").mkdir(parents=True)
(_folder / "c/0/0").write_bytes(_frame)
save("blosc-snappy", "Blosc with Snappy, by imagecodecs.", _values, "blosc-snappy")

for _entry in INDEX:
    assert (OUT / f"{_entry['name']}.zarr").is_dir()
lines = ",\n".join("  " + json.dumps(entry) for entry in INDEX)
(OUT / "index.json").write_text(f"[\n{lines}\n]\n")
