"""HDF5 files that reviews found: a netCDF-4 variable that is shorter than its dimension, many short texts, groups that are
deep in each other, letters of netCDF-4, texts and lists behind each filter, references to objects, compounds of both
byte orders, and groups whose names sort between those of a path.

    python tests/neighbours/hdf5_later.py tests/neighbours/fixtures
"""

import gzip
import sys
import tempfile
import zlib
from pathlib import Path

import h5py
import hdf5plugin
import netCDF4
import numcodecs
import numpy as np

out = Path(sys.argv[1])
with tempfile.TemporaryDirectory() as place:
    shorter = Path(place) / "shorter.nc"
    with netCDF4.Dataset(shorter, "w") as file:
        file.createDimension("time", None)
        file.createDimension("x", 2)
        file.createVariable("time", "i4", ("time",))[:] = np.arange(6)
        file.createVariable("v", "i2", ("time", "x"), fill_value=-9)[:3] = [[1, 2], [3, 4], [5, 6]]
        file.createVariable("fixed", "i2", ("x",))[:] = [7, 8]
    texts = Path(place) / "texts.h5"
    with h5py.File(texts, "w") as file:
        file["names"] = np.array([f"station number {number}" for number in range(4000)], dtype=object)
        file["names"].attrs["list"] = [f"a{number}" for number in range(900)]
    deep = Path(place) / "deep.h5"
    with h5py.File(deep, "w") as file:
        group = file
        for _ in range(70):
            group = group.create_group("g")
            group["values"] = np.arange(3, dtype="i2")
        file["g/g/up"] = file["g"]
    letters = Path(place) / "letters.nc"
    with netCDF4.Dataset(letters, "w") as file:
        file.set_auto_chartostring(False)
        file.createDimension("station", 5)
        file.createDimension("length", 7)
        file.createDimension("time", None)
        words = np.array(["Aix", "Ulm", "Gràz", "", "Bergen!"])
        rows = np.array([word.encode() for word in words], dtype="S7").view("S1").reshape(5, 7)
        for name, settings in {
            "contiguous": {},
            "chunked": {"zlib": True, "shuffle": True, "chunksizes": (2, 7)},
            "cut": {"zlib": True, "chunksizes": (2, 4)},
        }.items():
            variable = file.createVariable(name, "S1", ("station", "length"), **settings)
            variable[:] = rows
            variable._Encoding = "utf-8"
        file.createVariable("one", "S1", ("length",))[:] = rows[4]
        file.createVariable("growing", "S1", ("station", "time"))[:] = rows
        file.createVariable("filled", "S1", ("station", "length"), fill_value="x", chunksizes=(1, 7))[:2] = rows[:2]
    links = Path(place) / "references.h5"
    with h5py.File(links, "w", libver="latest") as file:
        series = file.create_group("series")
        series["one"] = np.arange(3, dtype="i2")
        series["two"] = np.arange(4, dtype="f4")
        series["one"].make_scale("axis")
        # A variable of netCDF whose mark is not shown.
        file["_nc4_non_coord_time"] = np.arange(2)
        to = [series["one"].ref, h5py.Reference(), series.ref, file.ref, file["_nc4_non_coord_time"].ref]
        file.create_dataset("plain", (5,), h5py.ref_dtype)[:] = np.array(to, dtype=h5py.ref_dtype)
        file.create_dataset("zipped", (5,), h5py.ref_dtype, chunks=(2,), compression="gzip")[:3] = np.array(to[:3], dtype=h5py.ref_dtype)
        kind = np.dtype([("start", "<i4"), ("count", ">i4"), ("series", h5py.ref_dtype)])
        file.create_dataset("parts", (3,), kind)[:2] = np.array([(0, 3, to[0]), (1, 2, to[2])], dtype=kind)
        lists = file.create_dataset("lists", (3,), h5py.vlen_dtype(h5py.ref_dtype))
        lists[0] = np.array(to[:3], dtype=h5py.ref_dtype)
        kind = np.dtype([("name", h5py.string_dtype()), ("raw", "V3")])
        file["opaque"] = np.array([("a", b"xyz"), ("bc", b"\0\1\2")], dtype=kind)
        kind = np.dtype([("n", "<i4"), ("region", h5py.regionref_dtype)])
        regions = file.create_dataset("regions", (2,), kind)
        regions[0] = np.array((7, series["two"].regionref[1:3]), dtype=kind)
        file.create_dataset("region", (1,), h5py.regionref_dtype)
        file.attrs["to"] = series.ref
        file.attrs.create("all", np.array(to[:3], dtype=h5py.ref_dtype), dtype=h5py.ref_dtype)
        file.attrs["bytes"] = np.void(b"1234")
        file.attrs["one"] = np.array([(1, [2])], dtype=[("a", "<i4"), ("b", "<i4", (1,))])[0]
        file.attrs.create("list", np.array([[5]], "<i4"), shape=(1,), dtype=np.dtype(("<i4", (1,))))
    orders = Path(place) / "orders.h5"
    with h5py.File(orders, "w") as file:
        inner = np.dtype([("z", ">c8"), ("e", h5py.enum_dtype({"A": 1, "B": 300}, ">i2"))])
        kind = np.dtype([("a", "<i4"), ("b", ">f8"), ("name", "S3"), ("in", inner, (2,)), ("grid", ">u2", (2, 2)), ("flag", "?")])
        rows = np.zeros(7, kind)
        for nth in range(7):
            rows[nth] = (nth, nth / 4, b"ab", [(nth + 1j, 1), (2 - 1j * nth, 300)], [[nth, 2], [3, 4]], nth % 2)
        file["plain"] = rows
        file.create_dataset("zipped", (9,), kind, chunks=(4,), compression="gzip", shuffle=True, fillvalue=rows[3])[:7] = rows
    groups = Path(place) / "groups.h5"
    with h5py.File(groups, "w") as file:
        for name in ["a", "a/b", "a!", "a-1", "a/b-1", "a b", "a.c", "a/b/c", "a0"]:
            group = file.require_group(name)
            for nth in range(6):
                group[f"v{nth}"] = np.zeros(nth + 1, "i1")
    behind = Path(place) / "behind.h5"
    with h5py.File(behind, "w", libver="latest") as file:
        words = np.array([f"word {number}" * (number % 3) for number in range(60)], dtype=object)
        numbers = np.array([np.arange(number % 5, dtype="<i2") - 2 for number in range(60)], dtype=object)
        filters = {
            "plain": {},
            "deflate": {"compression": "gzip", "shuffle": True},
            "lzf": {"compression": "lzf", "shuffle": True},
            "zstd": dict(hdf5plugin.Zstd()),
            "blosc": dict(hdf5plugin.Blosc(cname="zstd")),
            "blosclz": dict(hdf5plugin.Blosc(cname="blosclz")),
            "bzip2": dict(hdf5plugin.BZip2()),
            "lz4": dict(hdf5plugin.LZ4()),
            "bitshuffle": dict(hdf5plugin.Bitshuffle(cname="zstd")),
            "blosc2": dict(hdf5plugin.Blosc2()),
        }
        for kind, values, item in (
            ("texts", words, h5py.string_dtype()),
            ("lists", numbers, h5py.vlen_dtype(np.dtype("<i2"))),
        ):
            for name, settings in filters.items():
                dataset = file.create_dataset(f"{kind}/{name}", (60,), item, chunks=(25,), maxshape=(None,), **settings)
                if not name.startswith("blosc"):
                    dataset[:] = values
                    continue
                # The filter cannot write them, as an item's size is none for it, and reads what another program writes.
                for start in (0, 25, 50):
                    _, references = file[f"{kind}/plain"].id.read_direct_chunk((start,))
                    frame = numcodecs.Blosc(cname="blosclz" if name == "blosclz" else "zstd").encode(references)
                    dataset.id.write_direct_chunk((start,), frame)
                if name != "blosc2":
                    for read, wanted in zip(dataset[:], values):
                        assert np.array_equal(read.decode() if kind == "texts" else read, wanted)
        # Chunks that skip a filter before one that is applied.
        zipped = file.create_dataset("zipped", (64,), "<i4", chunks=(32,), shuffle=True, compression="gzip")
        zipped[:32] = np.arange(32)
        rest = np.arange(32, 64, dtype="<i4").tobytes()
        zipped.id.write_direct_chunk((32,), zlib.compress(rest), filter_mask=1)
        # The filter nbit after others, which finds that all bits of the items have a meaning.
        settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        settings.set_chunk((32,))
        settings.set_shuffle()
        settings.set_deflate(4)
        settings.set_filter(5, 0, ())
        idle = h5py.h5d.create(file.id, b"idle", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((64,)), settings)
        idle.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(64, dtype="<i4"))
        assert idle.get_create_plist().get_filter(2)[2][1] == 1
        file.attrs["latin"] = np.bytes_(b"Gr\xe0z")
    # A file that is still open has masks of chunks that it does not heed.
    with h5py.File(behind) as file:
        assert np.array_equal(file["zipped"][:], np.arange(64))
    narrow = []
    for address, length in ((4, 4), (4, 8), (8, 4)):
        for libver in ("earliest", "latest"):
            narrow.append(Path(place) / f"narrow-{address}{length}-{libver}.h5")
            settings = h5py.h5p.create(h5py.h5p.FILE_CREATE)
            settings.set_sizes(address, length)
            access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
            if libver == "latest":
                access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
            made = h5py.h5f.create(str(narrow[-1]).encode(), h5py.h5f.ACC_TRUNC, settings, access)
            with h5py.File(made) as file:
                numbers = np.arange(600, dtype="<i4").reshape(20, 30)
                for name, options in {
                    "plain": {},
                    "single": {"chunks": (20, 30), "compression": "gzip"},
                    "fixed": {"chunks": (3, 7), "compression": "gzip"},
                    "fixedplain": {"chunks": (3, 7)},
                    "growing": {"chunks": (3, 7), "maxshape": (20, None), "shuffle": True},
                    "growingplain": {"chunks": (1, 7), "maxshape": (None, 30)},
                    "both": {"chunks": (3, 7), "maxshape": (None, None), "compression": "gzip"},
                }.items():
                    file.create_dataset(name, data=numbers, **options)
                many = file.create_group("many")
                for item in range(40):
                    many[f"item{item}"] = np.int16(item)
                    many.attrs[f"attribute{item}"] = item
                file["texts"] = np.array(["one", "", "three"], dtype=object)
                file.attrs["texts"] = ["a", "bc"]
    for path in (shorter, texts, deep, letters, links, orders, groups, behind, *narrow):
        (out / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
