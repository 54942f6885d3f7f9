"""Write repositories of Icechunk, versions 1 and 2, and what the package reads of each of their versions.

    python tests/neighbours/icechunk_sets.py /tmp/sets/icechunk

The packages are those of requirements.txt beside. Ids and times are new with each run, and so are the files' names;
the values stay. The virtual chunks are in NetCDF-4 files of kerchunk_sets.py and in cells-*.bin, which the repository
knows by the place below, where a link to the fixtures stands while this runs.
"""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import icechunk
import numcodecs
import numpy as np
import zarr

PLACE = Path("/tmp/rectilinear-zarr-neighbours")
PREFIX = f"file://{PLACE}/"
LOCATIONS = [
    *("s3://osn/d/a%20b.nc", "vcc://osn/a.nc", "s3://osn/d/inner/a.nc", "s3://osn/other/a.nc", "vcc://r2/x/a.nc", "s3://my.bucket.org/a.nc"),
    *("s3://china/a.nc", "s3://local/a.nc", "vcc://bare/a.nc", "tigris://tigris/a.nc", "https://host/d/a.nc"),
]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def create(folder: Path, version: int, splits: dict[str, int] | None = None) -> icechunk.Repository:
    """A repository in which small chunks stand in manifests; its containers are saved with it."""
    config = icechunk.RepositoryConfig.default()
    config.inline_chunk_threshold_bytes = 64
    place = icechunk.local_filesystem_store(str(PLACE))
    name = {"name": "months"} if version == 2 else {}
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(PREFIX, place, **name))
    if splits:
        axes = {icechunk.ManifestSplitDimCondition.DimensionName(name): size for name, size in splits.items()}
        splitting = icechunk.ManifestSplittingConfig.from_dict({icechunk.ManifestSplitCondition.AnyArray(): axes})
        config.manifest = icechunk.ManifestConfig(splitting=splitting)
    access = {PREFIX: icechunk.credentials.LocalFileSystemAccess}
    return icechunk.Repository.create(icechunk.local_filesystem_storage(str(folder)), config, access, spec_version=version)


def write_versions(folder: Path, version: int) -> list[dict[str, str]]:
    """Three commits, a branch, a tag and one that was deleted; nested groups; chunks inline, stored and missing."""
    repository = create(folder, version)
    rng = np.random.default_rng(version)
    session = repository.writable_session("main")
    root = zarr.group(session.store, attributes={"title": "versions"})
    days = [31, 29, 31] if version == 2 else 31
    t2m = root.create_array(
        "t2m", shape=(91, 4, 6), chunks=[days, [4], [6]] if version == 2 else (days, 4, 6), dtype="i2", fill_value=-9, dimension_names=["time", "lat", "lon"]
    )
    t2m[:60] = rng.integers(-3000, 3000, (60, 4, 6))
    time = root.create_array("time", shape=(91,), chunks=(91,), dtype="i4", dimension_names=["time"])
    time[:] = np.arange(91)
    lat = root.create_array("lat", shape=(4,), chunks=(4,), dtype="f8", compressors=None, dimension_names=["lat"])
    lat[:] = np.linspace(60, 30, 4)
    surface = root.create_group("surface", attributes={"level": 0})
    deep = surface.create_group("deep/er")
    deep.create_array("scalar", shape=(), dtype="f4", compressors=None)[...] = 2.5
    wind = surface.create_array("wind", shape=(8, 12), chunks=(4, 5), dtype="f4", compressors=None, fill_value=-1)
    wind[:, :10] = rng.normal(size=(8, 10))
    root.create_array("surface-level", shape=(3,), chunks=(3,), dtype="u1")[:] = [1, 2, 3]
    first = session.commit("First month and the next", metadata={"author": "tests", "numbers": [1, -2.5, 300, None, True, {"deep": "value"}]})
    repository.create_tag("v1", first)
    repository.create_tag("gone", first)
    repository.delete_tag("gone")
    repository.create_branch("dev", first)

    session = repository.writable_session("dev")
    zarr.open_array(session.store, path="surface/wind")[:4] = 7
    session.commit("Calm in the north", metadata={"author": "dév"})

    session = repository.writable_session("main")
    zarr.open_array(session.store, path="t2m", zarr_format=3)[60:80] = 12
    second = session.commit("Third month")
    session = repository.writable_session("main")
    zarr.open_group(session.store).attrs["title"] = "newest"
    session.commit("Another title")
    return [{"branch": "main"}, {"branch": "dev"}, {"tag": "v1"}, {"snapshot": second}]


def write_virtual(folder: Path, out: Path, months: dict[str, Any]) -> list[dict[str, str]]:
    """A rectilinear array over the one chunk of each month's file, and one of so many chunks that locations are packed."""
    rng = np.random.default_rng(3)
    for nth in range(3):
        (out / f"cells-{nth}.bin").write_bytes(rng.integers(0, 2**15, (400, 3), dtype="<i2").tobytes())
    repository = create(folder, 2)
    session = repository.writable_session("main")
    root = zarr.group(session.store)
    document = json.loads(months["t2m/zarr.json"])
    chunks = document["chunk_grid"]["configuration"]["chunk_shapes"]
    array = root.create_array(
        "t2m",
        shape=document["shape"],
        chunks=chunks,
        dtype="i2",
        compressors=[codec for codec in document["codecs"] if codec["name"].startswith("numcodecs")],
        fill_value=document["fill_value"],
        attributes=document["attributes"],
        dimension_names=document["dimension_names"],
    )
    assert array.shape == (91, 8, 12)
    for nth, name in enumerate(("jan", "feb", "mar")):
        file, offset, length = months[f"t2m/c/{nth}/0/0"]
        assert file == f"{name}.nc"
        # Two by the container's name, one by its whole address.
        place = f"{PREFIX}kerchunk/{file}" if name == "feb" else f"vcc://months/kerchunk/{file}"
        session.store.set_virtual_ref(f"t2m/c/{nth}/0/0", place, offset=offset, length=length)
    root.create_array("cells", shape=(1200, 3), chunks=(1, 3), dtype="i2", compressors=None, filters=None)
    specs = [
        icechunk.VirtualChunkSpec([nth, 0], f"{PREFIX}icechunk/cells-{nth // 400}.bin", nth % 400 * 6, 6) for nth in range(1200) if nth % 100 != 99
    ]
    session.store.set_virtual_refs("cells", specs)
    session.commit("References")
    return [{}]


def write_split(folder: Path) -> list[dict[str, str]]:
    """An array whose chunks are in many manifests, and a second commit that writes one of these anew."""
    repository = create(folder, 2, {"y": 3})
    session = repository.writable_session("main")
    array = zarr.group(session.store).create_array(
        "field", shape=(20, 60), chunks=(2, 30), dtype="i4", compressors=None, filters=None, dimension_names=["y", "x"]
    )
    array[:] = np.arange(1200).reshape(20, 60)
    session.commit("All of it")
    session = repository.writable_session("main")
    zarr.open_array(session.store, path="field")[6:8] = -1
    session.commit("Some of it")
    return [{}]


def write_stores(folder: Path, version: int) -> None:
    """Virtual chunks in buckets whose containers name their hosts, which no test asks."""
    config = icechunk.RepositoryConfig.default()
    compatible = {"s3_compatible": True}
    for name, prefix, store in [
        ("osn", "s3://osn/d/", icechunk.s3_store("us-east-1", endpoint_url="https://nyu1.osn.mghpcc.org/", force_path_style=True, anonymous=True, **compatible)),
        ("inner", "s3://osn/d/inner/", icechunk.s3_store("us-west-2")),
        ("r2", "s3://r2/", icechunk.s3_store("auto", endpoint_url="https://account.r2.cloudflarestorage.com", **compatible)),
        ("dotted", "s3://my.bucket.org/", icechunk.s3_store("us-west-2", anonymous=True)),
        ("china", "s3://china/", icechunk.s3_store("cn-north-1")),
        ("local", "s3://local/", icechunk.s3_store("us-east-1", endpoint_url="http://127.0.0.1:9000", allow_http=True, **compatible)),
        ("bare", "s3://bare/", icechunk.s3_store()),
        ("tigris", "tigris://tigris/", icechunk.ObjectStoreConfig.Tigris(icechunk.S3Options(region="auto", endpoint_url="https://t3.storage.dev"))),
        ("web", "https://host/d/", icechunk.http_store()),
    ]:
        config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(prefix, store, name=name))
    repository = icechunk.Repository.create(icechunk.local_filesystem_storage(str(folder)), config, spec_version=version)
    repository.save_config()
    session = repository.writable_session("main")
    array = zarr.group(session.store).create_array("a", shape=(len(LOCATIONS),), chunks=(1,), dtype="u1", compressors=None)
    for nth, location in enumerate(LOCATIONS):
        session.store.set_virtual_ref(f"{array.basename}/c/{nth}", location, offset=nth, length=1, validate_container=False)
    session.commit("References")


def write_plain(folder: Path) -> None:
    """The set v2 with files that are not compressed, which the specification allows, and the package neither writes nor reads."""
    shutil.copytree(folder.with_name("v2"), folder)
    for file in [folder / "repo", *folder.glob("snapshots/*"), *folder.glob("manifests/*")]:
        header, content = file.read_bytes()[:39], file.read_bytes()[39:]
        assert header[38] == 1
        file.write_bytes(header[:38] + b"\0" + bytes(numcodecs.Zstd().decode(content)))


def readable(repository: icechunk.Repository, wanted: dict[str, str]) -> tuple[zarr.Group, dict[str, str]]:
    said = {"snapshot_id" if name == "snapshot" else name: value for name, value in wanted.items()} or {"branch": "main"}
    return zarr.open_group(repository.readonly_session(**said).store, mode="r"), said


def told(folder: Path, wanted: list[dict[str, str]], out: Path) -> dict[str, Any]:
    """Values that the package reads of each version of a repository: every array's values, and what was committed."""
    access = {PREFIX: icechunk.credentials.LocalFileSystemAccess}
    repository = icechunk.Repository.open(icechunk.local_filesystem_storage(str(folder)), authorize_virtual_chunk_access=access)
    versions = []
    for nth, options in enumerate(wanted):
        group, said = readable(repository, options)
        arrays = []
        for path, array in sorted(group.members(max_depth=None)):
            if isinstance(array, zarr.Array):
                file = f"{folder.name}-{nth}-{path.replace('/', '-')}.bin"
                values = np.asarray(array[...])
                (out / file).write_bytes(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes())
                arrays.append({"path": path, "shape": list(array.shape), "dtype": array.dtype.name, "expected": file})
        history = [
            {
                "id": info.id,
                **({"parent": info.parent_id} if info.parent_id else {}),
                "message": info.message,
                "writtenAt": (info.written_at - EPOCH) // timedelta(microseconds=1) / 1000,
                "metadata": dict(info.metadata),
            }
            for info in repository.ancestry(**said)
        ]
        versions.append({"options": options, "title": group.attrs.get("title"), "arrays": arrays, "history": history})
    refs = {
        "branches": {name: repository.lookup_branch(name) for name in sorted(repository.list_branches())},
        "tags": {name: repository.lookup_tag(name) for name in sorted(repository.list_tags())},
    }
    return {"repository": folder.name, "refs": refs, "versions": versions}


def main() -> None:
    warnings.simplefilter("ignore")
    zarr.config.set({"array.rectilinear_chunks": True})
    out = Path(sys.argv[1]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    months = json.loads((out.parent / "kerchunk" / "months.json").read_text())["refs"]
    PLACE.unlink(missing_ok=True)
    PLACE.symlink_to(out.parent)
    try:
        index = []
        for name, write in {
            "v2": lambda folder: write_versions(folder, 2),
            "v1": lambda folder: write_versions(folder, 1),
            "virtual": lambda folder: write_virtual(folder, out, months),
            "split": write_split,
        }.items():
            wanted = write(out / name)
            index.append(told(out / name, wanted, out))
        write_stores(out / "stores", 2)
        write_stores(out / "stores-1", 1)
        # What only writers need.
        for unread in ("transactions", "overwritten"):
            for folder in out.glob(f"*/{unread}"):
                shutil.rmtree(folder)
        write_plain(out / "plain")
        index.append({**index[0], "repository": "plain"})
    finally:
        PLACE.unlink()
    (out / "index.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
