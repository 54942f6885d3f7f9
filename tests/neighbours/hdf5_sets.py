"""Write HDF5 and netCDF-4 files with h5py and netCDF4, and what these packages read of them.

    python tests/neighbours/hdf5_sets.py /tmp/sets/hdf5

The packages are those of requirements.txt beside. Each file NAME has its values in NAME.values: the items of one dataset
after the other, little endian and packed, or JSON where their lengths vary; index.json says where they lie. Values are
read back item by item, and never by HDF5's lists of chunks, which are wrong for some indexes.
"""

from __future__ import annotations

import ctypes
import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import h5py
import hdf5plugin
import netCDF4
import numpy as np

RNG = np.random.default_rng(41)
LIBVERS = [("earliest", "v108"), ("earliest", "latest"), ("v108", "v108"), ("v110", "v110"), ("v112", "latest"), ("latest", "latest")]
MOST_BYTES = 60_000
NUMBERS = [f"{order}{kind}" for order in "<>" for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")]
COMPOUND = np.dtype([("a", "<i2"), ("b", "<f8"), ("name", "S3")])
GAPS = np.dtype({"names": ["x", "y"], "formats": ["<i4", "<u2"], "offsets": [4, 12], "itemsize": 20})
LEVELS = {"LOW": 1, "MIDDLE": 5, "HIGH": -7}


def shown(value: Any) -> Any:
    """An attribute's value as the documents have it."""
    if isinstance(value, h5py.Empty):
        return None
    if isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.size and isinstance(value.flat[0], np.ndarray):
        value = [shown(item.tolist()) for item in value.flat]
        return value[0] if len(value) == 1 else value
    if isinstance(value, np.ndarray):
        if value.size == 0:
            return []
        if value.size == 1 and value.ndim <= 1:
            return shown(value.reshape(-1)[0])
        return [listed(item) for item in value]
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, np.void):
        return {name: shown(value[name]) for name in value.dtype.names}
    if isinstance(value, (bytes, np.bytes_)):
        return bytes(value).decode()
    if isinstance(value, (str, np.str_)):
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (complex, np.complexfloating)):
        return [shown(float(value.real)), shown(float(value.imag))]
    if isinstance(value, (int, np.integer)):
        return int(value)
    value = float(value)
    if np.isfinite(value):
        return value
    return "\0NaN" if np.isnan(value) else "\0Infinity" if value > 0 else "\0-Infinity"


def listed(item: Any) -> Any:
    """Lists within a list stay lists, also those of one."""
    return [listed(part) for part in item] if isinstance(item, np.ndarray) and item.ndim else shown(item)


HIDDEN = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict", "_NCProperties"}


def attributes(node: Any) -> dict[str, Any]:
    found = {}
    for name in node.attrs:
        kind = node.attrs.get_id(name).dtype
        is_other = h5py.check_ref_dtype(kind) or (kind.kind == "V" and kind.names is None and kind.subdtype is None)
        if name not in HIDDEN and not is_other:
            found[name] = shown(node.attrs[name])
    return found


def packed(values: np.ndarray) -> bytes:
    """Items without gaps, little endian."""
    kind = values.dtype
    if kind.names:
        plain = np.dtype([(name, kind[name].newbyteorder("<")) for name in kind.names])
        copy = np.empty(values.shape, plain)
        for name in kind.names:
            copy[name] = values[name]
        return copy.tobytes()
    return np.ascontiguousarray(values, kind.newbyteorder("<")).tobytes()


def items(dataset: Any) -> tuple[str, bytes]:
    """Values of a dataset: how they are written, and their bytes."""
    kind = dataset.dtype
    if h5py.check_string_dtype(kind) and h5py.check_string_dtype(kind).length is None:
        texts = [bytes(item).decode() for item in np.asarray(dataset[()], object).reshape(-1)]
        return "texts", json.dumps(texts).encode()
    if h5py.check_vlen_dtype(kind) is not None:
        # h5py labels big-endian numbers in lists as native ones.
        lists = [packed(np.asarray(item).view(h5py.check_vlen_dtype(kind))).hex() for item in np.asarray(dataset[()], object).reshape(-1)]
        return "lists", json.dumps(lists).encode()
    return "items", packed(np.asarray(dataset[()]))


def entry(folder: Path, name: str, dimensions: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """What h5py reads of a file."""
    arrays, groups, values = [], [], b""
    # HDF5 writes to a file that it reads fill values of texts from.
    with tempfile.TemporaryDirectory() as other, h5py.File(shutil.copy(folder / name, other), "r+") as file:
        todo: list[tuple[str, Any]] = [("", file["/"])]
        while todo:
            path, node = todo.pop()
            if isinstance(node, h5py.Dataset):
                label = node.attrs.get("NAME", b"")
                label = label if isinstance(label, bytes) else str(label).encode()
                if label.startswith(b"This is a netCDF dimension but not"):
                    continue
                if node.shape is None:
                    arrays.append({"path": path, "shape": [0], "form": "none", "attributes": attributes(node)})
                    continue
                form, written = items(node)
                sub = node.dtype.subdtype[1] if node.dtype.subdtype else ()
                parts = path.rsplit("/", 1)
                parts[-1] = parts[-1].removeprefix("_nc4_non_coord_")
                arrays.append({"path": "/".join(parts), "shape": [*node.shape, *sub], "form": form, "at": len(values), "length": len(written), "attributes": attributes(node)})
                values += written
            elif isinstance(node, h5py.Group):
                groups.append({"path": path, "attributes": attributes(node)})
                for member in node:
                    link = node.get(member, getlink=True)
                    if isinstance(link, h5py.HardLink):
                        todo.append((f"{path}/{member}".lstrip("/"), node[member]))
    arrays.sort(key=lambda array: array["path"])
    groups.sort(key=lambda group: group["path"])
    for array in arrays:
        if dimensions is not None and array["path"] in dimensions:
            array["dimensions"] = dimensions[array["path"]]
    (folder / f"{name}.values").write_bytes(values)
    return {"path": squeezed(folder / name), "expected": squeezed(folder / f"{name}.values"), "arrays": arrays, "groups": groups}


def squeezed(file: Path) -> str:
    """Name of a file, once it is packed if it is long."""
    if file.stat().st_size < MOST_BYTES:
        return file.name
    packed_file = file.with_name(f"{file.name}.gz")
    packed_file.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    file.unlink()
    return packed_file.name


def named(path: Path) -> dict[str, list[str]] | None:
    """Names of the dimensions of all variables, as netCDF-C has them; None where it cannot open the file."""
    try:
        file = netCDF4.Dataset(path)
    except OSError:
        return None
    found = {}
    todo = [("", file)]
    while todo:
        prefix, group = todo.pop()
        found.update({prefix + name: list(variable.dimensions) for name, variable in group.variables.items()})
        todo += [(f"{prefix}{name}/", member) for name, member in group.groups.items()]
    file.close()
    return found


def name_axes(folder: Path, entries: list[dict[str, Any]]) -> None:
    """Add the names of dimensions, as netCDF-C has them, of files that are not netCDF's; some of them end the process."""
    rest = [entry for entry in entries if not entry["path"].endswith(".gz")]
    while rest:
        paths = [str(folder / entry["path"]) for entry in rest]
        code = f"import json, hdf5_sets\nfor path in {paths!r}: print(json.dumps(hdf5_sets.named(path)), flush=True)"
        done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, check=False)
        lines = done.stdout.decode().splitlines()
        for found, line in zip(rest, lines):
            dimensions = json.loads(line) or {}
            for array in found["arrays"]:
                if array["path"] in dimensions:
                    array["dimensions"] = dimensions[array["path"]]
        rest = rest[len(lines) + 1 :]


def numbers(kind: str, shape: tuple[int, ...]) -> np.ndarray:
    kind_of = np.dtype(kind)
    if kind_of.kind == "f":
        values = (RNG.normal(size=shape) * 100).astype(kind_of)
        return np.where(RNG.random(shape) < 0.05, np.array(np.nan, kind_of), values).astype(kind_of)
    info = np.iinfo(kind_of)
    return RNG.integers(max(info.min, -1000), min(info.max, 1000), shape, endpoint=True).astype(kind_of)


def filters(rank: int, size: int) -> dict[str, Any]:
    """Options of a random pipeline that the package reads."""
    choice = RNG.integers(0, 10)
    shuffle, sums = bool(RNG.integers(0, 2)), bool(RNG.integers(0, 4) == 0)
    if choice < 3:
        return {}
    if choice < 8:
        return {"compression": "gzip", "compression_opts": int(RNG.integers(0, 10)), "shuffle": shuffle, "fletcher32": sums}
    if choice == 8:
        return {"shuffle": shuffle, "fletcher32": True}
    return dict(hdf5plugin.Blosc(cname=str(RNG.choice(["lz4", "zstd", "blosclz"])), clevel=5, shuffle=int(RNG.integers(0, 2)))) if RNG.integers(0, 2) else dict(hdf5plugin.Zstd())


def put(group: Any, name: str, random: np.random.Generator) -> None:
    """A dataset of random kind, shape, layout and pipeline, which may be written in part and resized."""
    kind = str(random.choice(NUMBERS))
    rank = int(random.integers(0, 4))
    shape = tuple(int(length) for length in random.integers(1, (200, 30, 12)[max(rank - 1, 0)], rank))
    layout = random.choice(["contiguous", "chunked", "chunked", "chunked", "early"]) if rank else "contiguous"
    fill = None if random.integers(0, 2) else np.array(random.integers(0, 100)).astype(kind)[()]
    if layout == "contiguous":
        if random.integers(0, 5) == 0:
            group.create_dataset(name, shape, kind, fillvalue=fill)
        else:
            group.create_dataset(name, data=numbers(kind, shape), dtype=kind, fillvalue=fill if rank else None)
        return
    chunks = tuple(int(random.integers(1, length + 1)) for length in shape)
    while np.prod([-(-length // chunk) for length, chunk in zip(shape, chunks)]) > 1500:
        chunks = tuple(min(length, 2 * chunk) for length, chunk in zip(shape, chunks))
    limits = random.choice(["none", "larger", "one", "all"])
    most: Any = None
    if limits == "larger":
        most = tuple(length + int(random.integers(0, 40)) for length in shape)
    elif limits == "one":
        free = int(random.integers(0, rank))
        most = tuple(None if axis == free else length + int(random.integers(0, 9)) for axis, length in enumerate(shape))
    elif limits == "all":
        most = (None,) * rank
    if layout == "early":
        space = h5py.h5s.create_simple(shape, tuple(h5py.h5s.UNLIMITED if length is None else length for length in most) if most else shape)
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plan.set_chunk(chunks)
        plan.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        if fill is not None:
            plan.set_fill_value(np.asarray(fill))
        dataset = h5py.Dataset(h5py.h5d.create(group.id, name.encode(), h5py.h5t.py_create(np.dtype(kind)), space, plan))
    else:
        dataset = group.create_dataset(name, shape, kind, chunks=chunks, maxshape=most, fillvalue=fill, **filters(rank, np.dtype(kind).itemsize))
    part = random.choice(["all", "some", "none"], p=[0.6, 0.3, 0.1])
    values = numbers(kind, shape)
    if part == "all":
        dataset[...] = values
    elif part == "some":
        for _ in range(3):
            corner = [int(random.integers(0, length)) for length in shape]
            box = tuple(slice(start, int(random.integers(start, length)) + 1) for start, length in zip(corner, shape))
            dataset[box] = values[box]
    if most and random.integers(0, 2):
        grown = tuple(length + int(random.integers(0, 20)) if limit is None else int(random.integers(1, limit + 1)) for length, limit in zip(shape, most))
        dataset.resize(grown)
        if random.integers(0, 2):
            last = tuple(slice(length - 1, length) for length in grown)
            dataset[last] = numbers(kind, tuple(1 for _ in grown))


def decorate(node: Any, count: int, random: np.random.Generator) -> None:
    """Attributes of random types."""
    for nth in range(count):
        kind = random.integers(0, 9)
        name = f"attribute {nth}" if random.integers(0, 4) else f"größe_{nth}"
        if kind < 4:
            node.attrs.create(name, numbers(str(random.choice(NUMBERS)), tuple(random.integers(1, 4, random.integers(0, 3)))))
        elif kind == 4:
            node.attrs[name] = "ein Text, " * int(random.integers(1, 9))
        elif kind == 5:
            node.attrs[name] = np.bytes_(b"fixed")
        elif kind == 6:
            node.attrs[name] = ["one", "zwei", "trois"]
        elif kind == 7:
            node.attrs[name] = bool(random.integers(0, 2))
        else:
            node.attrs[name] = np.array([1 + 2j, np.inf], "c16")


def random_files(folder: Path, count: int) -> list[dict[str, Any]]:
    entries = []
    for nth in range(count):
        random = np.random.default_rng(nth)
        name = f"random-{nth:03}.h5"
        libver = LIBVERS[nth % len(LIBVERS)]
        options = {"userblock_size": int(random.choice([512, 1024, 4096]))} if random.integers(0, 8) == 0 else {}
        if random.integers(0, 6) == 0:
            options |= {"fs_strategy": "page", "fs_page_size": 4096} if libver[0] in ("v110", "v112", "latest") and not options else {}
        with h5py.File(folder / name, "w", libver=libver, track_order=bool(random.integers(0, 5) == 0), **options) as file:
            for dataset in range(int(random.integers(1, 4))):
                put(file, f"d{dataset}", random)
            if random.integers(0, 3) == 0:
                put(file.create_group("g/inner"), "deep", random)
            decorate(file, int(random.integers(0, 4)), random)
            decorate(file["d0"], int(random.choice([0, 2, 12])), random)
        entries.append(entry(folder, name))
    name_axes(folder, entries)
    return entries


def types(folder: Path) -> list[dict[str, Any]]:
    """Every datatype, in datasets and in attributes, compact and dense."""
    entries = []
    for libver in ("earliest", "latest"):
        name = f"types-{libver}.h5"
        with h5py.File(folder / name, "w", libver=(libver, "latest")) as file:
            shape = (4, 3)
            count = int(np.prod(shape))
            texts = np.array([f"é{n}" * (n % 4) for n in range(count)], object).reshape(shape)
            file["bool"] = RNG.random(shape) < 0.5
            file.create_dataset("enum", data=np.array([1, 5, -7] * 4, "i2").reshape(shape), dtype=h5py.enum_dtype(LEVELS, "i2"))
            file.create_dataset("fixed", data=np.array([b"abc", b"de", b""] * 4, "S4").reshape(shape))
            file.create_dataset("utf8", data=[t.encode() for t in ("grün", "blau")], dtype=h5py.string_dtype("utf-8", 6))
            file.create_dataset("texts", data=texts, dtype=h5py.string_dtype())
            file.create_dataset("texts chunked", data=texts, dtype=h5py.string_dtype(), chunks=(3, 2), compression="gzip", shuffle=True)
            file.create_dataset("texts sparse", (10,), h5py.string_dtype(), chunks=(3,), fillvalue="leer")[4] = "da"
            file["text"] = "ein einziger Text"
            for kind in ("c8", "c16"):
                file[kind] = (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(kind)
            file["compound"] = np.array([(n, n / 7, b"n%d" % n) for n in range(6)], COMPOUND)
            file.create_dataset("compound filled", (9,), COMPOUND, chunks=(4,), fillvalue=np.array((7, 0.5, b"xy"), COMPOUND)[()])[2:3] = np.array([(1, 2.5, b"z")], COMPOUND)
            gaps = np.zeros(5, GAPS)
            gaps["x"], gaps["y"] = np.arange(5), 7 - np.arange(5)
            file["gaps"] = gaps
            file["opaque"] = np.frombuffer(bytes(range(21)), "V7")
            sub = np.dtype(("<i2", (2, 3)))
            file.create_dataset("arrays", (4,), sub)[...] = numbers("<i2", (4, 2, 3))
            file.create_dataset("arrays chunked", (7,), sub, chunks=(3,), compression="gzip")[...] = numbers("<i2", (7, 2, 3))
            lists = file.create_dataset("lists", (5,), h5py.vlen_dtype(np.dtype("<i4")))
            wide = file.create_dataset("lists big", (5,), h5py.vlen_dtype(np.dtype(">f8")), chunks=(2,), compression="gzip")
            for nth in range(5):
                lists[nth] = np.arange(nth * 3, dtype="i4")
                wide[nth] = np.arange(nth, dtype=">f8") / 3
            file["scalar"] = np.float32(2.5)
            file["none"] = h5py.Empty("f4")
            file.create_dataset("zero", (0, 4), "i4", maxshape=(None, 4))
            plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plan.set_layout(h5py.h5d.COMPACT)
            compact = h5py.Dataset(h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I16BE, h5py.h5s.create_simple((3, 5)), plan))
            compact[...] = numbers(">i2", (3, 5))
            bits = h5py.Dataset(h5py.h5d.create(file.id, b"bits", h5py.h5t.STD_B16LE, h5py.h5s.create_simple((6,))))
            bits.id.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(6, dtype="<u2") * 999, mtype=h5py.h5t.STD_B16LE)
            file["named"] = np.dtype("<f4")
            file.create_dataset("of a named type", data=np.arange(4, dtype="f4"), dtype=file["named"])
            few, many = file.create_group("few"), file.create_group("many")
            for group, count in ((few, 5), (many, 60)):
                decorate(group, count, np.random.default_rng(count))
            for group in (few, many):
                group.attrs["list"] = np.arange(3)
                group.attrs["one"] = np.arange(1)
                group.attrs["square"] = np.arange(4).reshape(2, 2)
                group.attrs["none"] = h5py.Empty("f4")
                group.attrs["empty"] = np.zeros(0)
                group.attrs["compound"] = np.array((7, 0.5, b"xy"), COMPOUND)[()]
                group.attrs["opaque"] = np.void(b"1234")
                group.attrs["reference"] = file["enum"].ref
                group.attrs["long"] = "lang " * 3000
                group.attrs.create("lists", np.array([np.arange(3), np.arange(1)], object), dtype=h5py.vlen_dtype("i4"))
                group.attrs.create("enum", 5, dtype=h5py.enum_dtype(LEVELS, "i2"))
                group.attrs.create("named", np.float32(0.1), dtype=file["named"])
                group.attrs["huge"] = np.uint64(2**64 - 1)
                group.attrs["nan"] = np.float32(np.nan)
        entries.append(entry(folder, name))
    return entries


def groups(folder: Path) -> list[dict[str, Any]]:
    """Groups of many members, deep ones, and, in files that the index does not list, links of all kinds and what is refused."""
    entries = []
    for libver in ("earliest", "latest"):
        name = f"groups-{libver}.h5"
        with h5py.File(folder / name, "w", libver=(libver, "latest")) as file:
            many = file.create_group("many")
            for nth in range(300):
                many[f"member number {nth}"] = np.int32(nth)
            deep = file
            for nth in range(12):
                deep = deep.create_group(f"level{nth}")
            deep["bottom"] = np.arange(3)
            file["same"] = file["many/member number 7"]
        entries.append(entry(folder, name))
        name = f"links-{libver}.h5"
        with h5py.File(folder / name, "w", libver=(libver, "latest")) as file:
            file["a/values"] = np.arange(5, dtype="i2")
            file["a/soft"] = h5py.SoftLink("/a/values")
            file["relative"] = h5py.SoftLink("a/values")
            file["group"] = h5py.SoftLink("a")
            file["through"] = h5py.SoftLink("group/values")
            file["nowhere"] = h5py.SoftLink("/not/there")
            file["elsewhere"] = h5py.ExternalLink("other.h5", "/data")
            file["a/up"] = file["/"]
            file["a/self"] = file["a"]
            file["references"] = np.array([file["a"].ref], dtype=h5py.ref_dtype)
            file.create_dataset("external", (4,), "i4", external=[("raw.bin", 0, 16)])
            layout = h5py.VirtualLayout((5,), "i2")
            layout[:] = h5py.VirtualSource("other.h5", "data", (5,))
            file.create_virtual_dataset("virtual", layout)
            file.create_dataset("szip-like", data=np.arange(50), chunks=(10,), compression="lzf")
    return entries


def keep_edges_plain(plan: Any) -> None:
    """Ask for chunks that reach beyond the array without filters, for which h5py has no function."""
    library = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "h5py.libs/libhdf5-" in line)
    assert ctypes.CDLL(library).H5Pset_chunk_opts(ctypes.c_int64(plan.id), 2) >= 0


def masks(folder: Path) -> list[dict[str, Any]]:
    """Chunks that skip filters, edges that are stored plain."""
    entries = []
    for libver in ("earliest", "latest"):
        name = f"masks-{libver}.h5"
        with h5py.File(folder / name, "w", libver=(libver, "latest")) as file:
            for filtered, options in {"all": {"shuffle": True, "compression": "gzip", "fletcher32": True}, "gzip": {"compression": "gzip"}, "shuffled": {"shuffle": True, "compression": "gzip"}}.items():
                values = numbers("<i4", (24, 6))
                dataset = file.create_dataset(filtered, data=values, chunks=(4, 6), **options)
                raw = values[4:8].tobytes()
                # Filters in the order of the pipeline: shuffle, gzip, fletcher32, as far as they are there.
                count = len(options)
                dataset.id.write_direct_chunk((4, 0), raw, filter_mask=(1 << count) - 1)
                if filtered == "shuffled":
                    dataset.id.write_direct_chunk((8, 0), zlib.compress(values[8:12].tobytes()), filter_mask=1)
                    shuffled = np.frombuffer(values[12:16].tobytes(), "u1").reshape(-1, 4).T.tobytes()
                    dataset.id.write_direct_chunk((12, 0), shuffled, filter_mask=2)
            for plugin, options in {"blosc": dict(hdf5plugin.Blosc()), "zstd": dict(hdf5plugin.Zstd())}.items():
                values = numbers("<i4", (24, 6))
                dataset = file.create_dataset(plugin, data=values, chunks=(4, 6), **options)
                dataset.id.write_direct_chunk((4, 0), values[4:8].tobytes(), filter_mask=1)
            if libver == "latest":
                for limit in ((10, 7), (None, 7), (None, None), (12, 9)):
                    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                    plan.set_chunk((4, 3))
                    plan.set_deflate(6)
                    keep_edges_plain(plan)
                    limits = tuple(h5py.h5s.UNLIMITED if length is None else length for length in limit)
                    edges = h5py.Dataset(h5py.h5d.create(file.id, f"edges {limit}".encode(), h5py.h5t.STD_I32LE, h5py.h5s.create_simple((10, 7), limits), plan))
                    edges[...] = numbers("<i4", (10, 7))
        entries.append(entry(folder, name))
    return entries


def large(folder: Path) -> list[dict[str, Any]]:
    """Indexes of several levels, and items stored one after the other in several chunks of ours."""
    entries = []
    for libver in ("earliest", "latest"):
        name = f"index-{libver}.h5"
        with h5py.File(folder / name, "w", libver=(libver, "latest")) as file:
            for kind, most in {"fixed": None, "one": (None, 60), "second": (60, None), "two": (None, None)}.items():
                values = np.arange(3600, dtype="u2").reshape(60, 60)
                dataset = file.create_dataset(kind, (60, 60), "u2", chunks=(1, 1), maxshape=most, fillvalue=7)
                part = slice(0, 40) if kind != "fixed" else slice(0, 60)
                dataset[part] = values[part]
                dataset[59, 59] = 9
        entries.append(entry(folder, name))
    name = "contiguous.h5"
    with h5py.File(folder / name, "w") as file:
        file["rows"] = np.tile(np.arange(100, dtype="<f4"), (3001, 1))
        file["planes"] = np.tile(np.arange(1000, dtype=">i2"), (2, 700, 1))
    entries.append(entry(folder, name))
    return entries


def paged(folder: Path) -> list[dict[str, Any]]:
    """An extensible array whose blocks have pages, of which some were never written."""
    name = "pages.h5"
    with h5py.File(folder / name, "w", libver="latest") as file:
        dataset = file.create_dataset("pages", (400_000,), "u1", chunks=(1,), maxshape=(None,), fillvalue=3)
        for start in (0, 1000, 70_000, 131_000, 262_100, 300_000, 399_990):
            dataset[start : start + 10] = np.arange(10) + start % 7
        dataset = file.create_dataset("fixed", (40_000,), "u1", chunks=(1,), fillvalue=3)
        for start in (0, 1000, 30_000, 39_990):
            dataset[start : start + 10] = np.arange(10) + start % 7
    return [entry(folder, name)]


def netcdf(folder: Path, count: int) -> list[dict[str, Any]]:
    """netCDF-4 files with dimensions, groups, unlimited axes, enumerations, texts and compounds."""
    entries = []
    for nth in range(count):
        random = np.random.default_rng(1000 + nth)
        name = f"netcdf-{nth:02}.nc"
        classic = nth % 5 == 4
        with netCDF4.Dataset(folder / name, "w", format="NETCDF4_CLASSIC" if classic else "NETCDF4") as file:
            file.title = "netCDF " + "x" * int(random.integers(0, 5000))
            file.Conventions = "CF-1.10"
            lengths = {"time": None, "lat": int(random.integers(2, 9)), "lon": int(random.integers(2, 9)), "bounds": 2}
            for dimension, length in lengths.items():
                file.createDimension(dimension, length)
            steps = int(random.integers(1, 20))
            for dimension in ("time", "lat", "lon"):
                variable = file.createVariable(dimension, "f8", (dimension,))
                variable.units = "days since 2000-01-01" if dimension == "time" else "degrees"
                variable[:] = np.arange(steps if dimension == "time" else lengths[dimension])
            for kind in ("i2", "f4", "f8", "u1") if not classic else ("i2", "f4"):
                options = {"zlib": bool(random.integers(0, 2)), "shuffle": bool(random.integers(0, 2)), "fletcher32": bool(random.integers(0, 2))}
                fill = None if random.integers(0, 2) else np.array(99).astype(kind)
                variable = file.createVariable(f"v_{kind}", kind, ("time", "lat", "lon"), fill_value=fill, **options)
                variable.setncatts({"long_name": "a variable", "valid_range": np.array([0, 100], kind), "scale": np.float32(0.1)})
                variable.set_auto_maskandscale(False)
                variable[:] = numbers(f"<{kind}", (steps, lengths["lat"], lengths["lon"])) if random.integers(0, 3) else 1
            file.createVariable("lat_bounds", "f8", ("lat", "bounds"))[:] = 1.5
            # A variable of a dimension's name that does not describe it.
            file.createDimension("station", 3)
            file.createVariable("station", "i4", ("lat",))[:] = 5
            if nth % 3 == 0:
                file.createVariable("lon2", "f4", ("lat", "lon"), contiguous=True)[:] = 2
                file.createVariable("crs", "i4", ()).grid_mapping_name = "latitude_longitude"
                file.createVariable("letters", "S1", ("lat", "bounds"))[:] = np.array(b"x", "S1")
            if not classic and nth % 2 == 0:
                group = file.createGroup("forecast/member")
                group.createDimension("level", 4)
                group.createVariable("level", "i4", ("level",))[:] = np.arange(4)
                variable = group.createVariable("t", "f4", ("level", "lat"))
                variable[:] = 1
                variable.names = ["a", "bb"]
                file.createVariable("name", str, ("lat",))[:] = np.array([f"Ort {n}" for n in range(lengths["lat"])], object)
                cloud = file.createEnumType("u1", "cloud_t", {"clear": 0, "cloudy": 1})
                file.createVariable("cloud", cloud, ("lat",), fill_value=0)[:] = np.arange(lengths["lat"]) % 2
                pair = file.createCompoundType(np.dtype([("u", "f4"), ("v", "f4")]), "pair_t")
                file.createVariable("wind", pair, ("lat",))[:] = np.zeros(lengths["lat"], pair.dtype)
        dimensions = named(folder / name)
        entries.append(entry(folder, name, dimensions=dimensions))
    # Twenty variables, as programs write them: define and write in turn.
    name = "twenty.nc"
    with netCDF4.Dataset(folder / name, "w") as file:
        file.createDimension("time", None)
        file.createDimension("y", 40)
        file.createDimension("x", 50)
        for nth in range(20):
            variable = file.createVariable(f"var{nth:02}", "f4", ("time", "y", "x"), zlib=True, chunksizes=(1, 40, 50))
            variable.setncatts({"long_name": f"variable {nth}", "units": "K", "valid_min": 0.0, "cell_methods": "time: mean"})
            variable[:] = (np.arange(6)[:, None, None] * np.ones((6, 40, 50))).astype("f4")
    dimensions = named(folder / name)
    entries.append(entry(folder, name, dimensions=dimensions))
    return entries


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    entries = random_files(folder, 150) + types(folder) + groups(folder) + masks(folder) + large(folder) + paged(folder) + netcdf(folder, 50)
    (folder / "index.json").write_text(json.dumps(entries, separators=(",", ":")))
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{len(entries)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
