"""HDF5 files of kinds that few programs write: compounds with texts, lists and arrays; integers of some bits; messages that
objects share in heaps; the image of a cache.

    python tests/neighbours/hdf5_kinds.py tests/neighbours/fixtures
"""

import ctypes
import gzip
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

library = ctypes.CDLL(next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "h5py.libs/libhdf5-" in line))


def done(status: int) -> None:
    assert status >= 0, status


def compounds(path: Path) -> None:
    """Items that are compounds."""
    text, numbers = h5py.string_dtype(), h5py.vlen_dtype(np.dtype("<i4"))
    port = np.dtype([("name", text), ("lat", "<f8"), ("tags", "S4", (2,)), ("grid", "<i2", (2, 3)), ("sizes", numbers)])
    rows = np.array(
        [(f"port {nth}", nth / 2, [b"a", b"bc"], np.arange(6).reshape(2, 3) + nth, np.arange(nth, dtype="<i4")) for nth in range(5)],
        dtype=port,
    )
    rows["lat"][3] = np.nan
    named = np.dtype([("name", text), ("n", "<i8")])
    arrays = np.dtype(
        [("matrix", "<f4", (2, 2)), ("words", "S3", (2,)), ("flags", "?", (3,)), ("parts", [("a", "i1"), ("b", "<i2")], (2,)), ("z", "<c8", (2,))]
    )
    with h5py.File(path, "w", libver="latest") as file:
        file.create_dataset("ports", data=rows, chunks=(3,), maxshape=(None,), compression="gzip")
        table = np.array([[(f"{row}{column}", row * 2**60 + column) for column in range(3)] for row in range(2)], dtype=named)
        file["table"] = table
        file["scalar"] = table[1, 2]
        file.create_dataset("unwritten", (4,), named, chunks=(2,))[:1] = table[0, :1]
        filled = np.zeros(4, arrays)
        for nth in range(4):
            filled[nth] = ([[nth, 1], [2, 3]], [b"x", b"yz"], [True, False, nth % 2], [(nth, 300), (-1, -nth)], [1 + 2j, nth])
        file.create_dataset("arrays", data=filled, chunks=(3,), compression="gzip")
        big = np.array([([1, 2, nth], nth) for nth in range(3)], dtype=[("v", ">f8", (3,)), ("id", ">i4")])
        fill = np.array(([1, 2, 0.5], -1), dtype=big.dtype)
        file.create_dataset("big", (5,), big.dtype, chunks=(3,), fillvalue=fill)[:3] = big
        letters = np.array([(list("Aix"), 1), (list("Ulm"), 2)], dtype=[("name", "S1", (3,)), ("x", "<f4")])
        file["letters"] = letters
        words = file.create_dataset("words", (3,), h5py.vlen_dtype(np.dtype("S3")))
        for nth in range(3):
            words[nth] = np.array([f"w{n}" for n in range(nth)], dtype="S3")
        complexes = file.create_dataset("complexes", (2,), h5py.vlen_dtype(np.dtype(">c8")))
        complexes[1] = np.array([1 + 2j, 3 - 4j], dtype=">c8")
        file.create_dataset("references", (2,), np.dtype([("name", text), ("to", h5py.ref_dtype)]))
        file.attrs["letters"] = letters[1]


def narrow(path: Path) -> None:
    """Integers whose precision is less than their size."""

    def of(base: h5py.h5t.TypeIntegerID, precision: int, offset: int) -> h5py.h5t.TypeIntegerID:
        made = base.copy()
        made.set_precision(precision)
        made.set_offset(offset)
        return made

    with h5py.File(path, "w", libver="latest") as file:
        types = {
            "signed": of(h5py.h5t.STD_I32LE, 12, 5),
            "unsigned": of(h5py.h5t.STD_U16BE, 9, 3),
            "big": of(h5py.h5t.STD_I64BE, 40, 0),
            "byte": of(h5py.h5t.STD_I8LE, 3, 2),
        }
        space = h5py.h5s.create_simple((4, 6))
        values = np.arange(-12, 12, dtype="<i8").reshape(4, 6)
        for name, kind in types.items():
            shown = np.clip(values, -4, 3) if name == "byte" else np.abs(values) if name == "unsigned" else values
            for way in ("plain", "gzip", "nbit"):
                settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                if way != "plain":
                    settings.set_chunk((3, 6))
                if way == "gzip":
                    settings.set_shuffle()
                    settings.set_deflate(4)
                if way == "nbit":
                    done(library.H5Pset_nbit(ctypes.c_int64(settings.id)))
                settings.set_fill_value(np.array(2, "<i8"))
                made = h5py.h5d.create(file.id, f"{name}-{way}".encode(), kind, space, settings)
                made.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(shown))
                assert np.array_equal(file[f"{name}-{way}"][:], shown), name
        settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        settings.set_chunk((3, 6))
        settings.set_fill_value(np.array(-7, "<i8"))
        h5py.h5d.create(file.id, b"unwritten", types["signed"], space, settings)
        pair = h5py.h5t.create(h5py.h5t.COMPOUND, 12)
        pair.insert(b"a", 0, types["signed"])
        pair.insert(b"b", 4, h5py.h5t.array_create(of(h5py.h5t.STD_U16LE, 9, 3), (2,)))
        pair.insert(b"c", 8, h5py.h5t.STD_I32LE)
        rows = np.array([(-3, [4, 5], 6), (7, [8, 9], -10)], dtype=[("a", "<i4"), ("b", "<u2", (2,)), ("c", "<i4")])
        made = h5py.h5d.create(file.id, b"pairs", pair, h5py.h5s.create_simple((2,)))
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, rows)
        assert np.array_equal(file["pairs"][:], rows)
        attribute = h5py.h5a.create(file.id, b"signed", types["signed"], h5py.h5s.create_simple((2,)))
        attribute.write(np.array([-5, 6], "<i4"))


def shared(path: Path, libver: str, indexes: list[int], least: int) -> None:
    """Messages in heaps that objects share: of each index, the kinds of its messages by their bits."""
    settings = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    done(library.H5Pset_shared_mesg_nindexes(ctypes.c_int64(settings.id), len(indexes)))
    for nth, kinds in enumerate(indexes):
        done(library.H5Pset_shared_mesg_index(ctypes.c_int64(settings.id), nth, kinds, least))
    done(library.H5Pset_shared_mesg_phase_change(ctypes.c_int64(settings.id), 6, 4))
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    if libver == "latest":
        access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    with h5py.File(h5py.h5f.create(str(path).encode(), h5py.h5f.ACC_TRUNC, settings, access)) as file:
        kind = np.dtype([("station", "<i4"), ("temperature", "<f4"), ("flag", "i1")])
        rows = np.array([(nth, nth / 2, -nth) for nth in range(12)], dtype=kind)
        file["type"] = kind
        for nth in range(10):
            made = file.create_dataset(f"d{nth}", data=rows, chunks=(5,), compression="gzip", shuffle=True, fillvalue=rows[7])
            made.attrs["long"] = "a text that all of these have in common, so that it is shared " * 3
            made.attrs["kind"] = rows[nth]
        unwritten = file.create_dataset("unwritten", (20, 3), "<i2", chunks=(5, 3), fillvalue=77)
        for nth in range(20):
            unwritten.attrs[f"attribute {nth}"] = "of which so many are there that they are in a heap of their own " * 2
        file.create_dataset("committed", (12,), file["type"])[:] = rows
        file.attrs["long"] = "a text that all of these have in common, so that it is shared " * 3


def image(path: Path) -> None:
    """Structures that are in the image of a cache only."""

    class Config(ctypes.Structure):
        _fields_ = [("version", ctypes.c_int), ("generate", ctypes.c_bool), ("resize", ctypes.c_bool), ("ageout", ctypes.c_int)]

    with h5py.File(path, "w", libver="latest") as file:
        file["before"] = np.arange(5, dtype="<i2")
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    config = Config(1, True, False, -1)
    done(library.H5Pset_mdc_image_config(ctypes.c_int64(access.id), ctypes.byref(config)))
    with h5py.File(h5py.h5f.open(str(path).encode(), h5py.h5f.ACC_RDWR, access)) as file:
        for nth in range(40):
            group = file.create_group(f"group{nth}")
            group.attrs["number"] = nth
            group.create_dataset("values", data=np.arange(600, dtype="<i4").reshape(20, 30) + nth, chunks=(3, 7), maxshape=(None, 30), compression="gzip")
        file["texts"] = np.array(["one", "", "three"], dtype=object)
        file["before"].attrs["after"] = "text"
    assert b"MDCI" in path.read_bytes()


def main(out: Path) -> None:
    everything = 2 | 8 | 0x20 | 0x800 | 0x1000
    with tempfile.TemporaryDirectory() as place:
        writers = {
            "compounds.h5": compounds,
            "narrowints.h5": narrow,
            "shared-earliest.h5": lambda path: shared(path, "earliest", [everything], 10),
            "shared-latest.h5": lambda path: shared(path, "latest", [2 | 8, 0x20 | 0x800, 0x1000], 1),
            "image.h5": image,
        }
        for name, write in writers.items():
            path = Path(place) / name
            write(path)
            (out / f"{name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


main(Path(sys.argv[1]))
