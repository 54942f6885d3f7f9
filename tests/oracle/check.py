"""Check the committed fixtures against zarr-python, and against what write.py writes today.

    python tests/oracle/check.py

Every array is read again, whole and by each of its selections, and compared with the committed
bytes and checksums. Then everything is written anew and compared member by member of the archives.
"""

from __future__ import annotations

import filecmp
import json
import sys
import tempfile
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import zarr

from archives import FIXTURES, by_list, digest, files, members, unpack
from cases import INDEXES
from hierarchies import check_hierarchy
from maps import check_map
from months import check_months
from registry import inner_shapes, sizes_of
from selections import from_wire, list_result, points_result, result, to_numpy, to_oindex, wire_bytes
from write import write_all


def check_entry(fixtures: Path, entry: dict[str, Any]) -> int:
    """Compare one array with the index; returns the number of selections read."""
    raw = (fixtures / entry["expected"]).read_bytes()
    assert zlib.crc32(raw) == entry["crc32"], "the .bin file and its checksum"
    has_type = "itemBytes" not in entry
    item_bytes = np.dtype(entry["dtype"]).itemsize if has_type else entry["itemBytes"]
    values = from_wire(raw, entry["shape"], item_bytes)
    for expected in (*entry["selections"], *entry["negativeSelections"]):
        assert result(values, expected["selection"]) == expected, expected["selection"]
    for expected in entry["listSelections"]:
        assert list_result(values, expected["selection"]) == expected, expected["selection"]
    for expected in entry["pointSelections"]:
        assert points_result(values, expected["points"]) == expected, expected["points"]
    if not entry["zarrPython"]:
        return 0
    array = zarr.open_array(fixtures / entry["path"] / entry.get("arrayPath", ""), mode="r")
    assert wire_bytes(array[...]) == raw, "the whole array"
    assert sizes_of(array) == entry["writeChunkSizes"], "write_chunk_sizes"
    # Of shards in shards zarr-python tells the outermost inner chunks only.
    if len(inner_shapes({"codecs": [], **array.metadata.to_dict()})) < 2:
        assert [list(axis) for axis in array.read_chunk_sizes] == entry["readChunkSizes"], "read_chunk_sizes"
    assert list(array.shape) == entry["shape"], "shape"
    assert not has_type or array.dtype.newbyteorder("<") == np.dtype(entry["dtype"]), "data type"
    for expected in entry["selections"]:
        # zarr-python has no index for "all of a 0-d array" but the ellipsis.
        part = np.asarray(array[to_numpy(expected["selection"]) or ...], array.dtype)
        assert zlib.crc32(wire_bytes(part)) == expected["crc32"], expected["selection"]
        assert list(part.shape) == expected["shape"], expected["selection"]
    for expected in entry["listSelections"]:
        part = np.asarray(array.oindex[to_oindex(expected["selection"])], array.dtype)
        assert list(part.shape) == expected["shape"], expected["selection"]
        assert zlib.crc32(wire_bytes(part)) == expected["crc32"], expected["selection"]
    for expected in entry["pointSelections"] if entry["shape"] else []:
        # zarr-python takes no list of no points.
        if not expected["points"]:
            continue
        part = np.asarray(array.vindex[tuple(np.array(expected["points"]).T)], array.dtype)
        assert zlib.crc32(wire_bytes(part)) == expected["crc32"], expected["points"]
    return sum(len(entry[kind]) for kind in ("selections", "listSelections", "pointSelections"))


COMPRESSORS = (b'"gzip"', b'"numcodecs.gzip"', b'"zlib"', b'"numcodecs.zlib"', b'"numcodecs.lzma"')
DOCUMENTS = ("zarr.json", ".zarray", ".zattrs")


def compressed_by_python(root: Path, file: Path) -> bool:
    """Whether the bytes depend on the zlib or liblzma that this Python was built with."""
    top = next(p for p in (file, *file.parents) if p.suffix == ".zarr" or p == Path("."))
    documents = [root / top / name for name in DOCUMENTS if (root / top / name).is_file()]
    if file.name in DOCUMENTS or not documents:
        return False
    text = b"".join(document.read_bytes() for document in documents)
    return any(name in text for name in COMPRESSORS)


def check_drift(fixtures: Path) -> int:
    """Write everything anew and compare; chunks that Python compressed only by what check_entry reads from them."""
    with tempfile.TemporaryDirectory() as directory:
        fresh = Path(directory)
        write_all(fresh)
        old, new = set(files(fixtures)), set(files(fresh))
        assert old == new, f"files that only one side has: {sorted(map(str, old ^ new))}"
        drifted = [
            str(file)
            for file in sorted(new)
            if not filecmp.cmp(fixtures / file, fresh / file, shallow=False) and not compressed_by_python(fresh, file)
        ]
        homes = by_list(fresh)
        named = {member: f"{archive}.zip: {member}" for archive, found in homes.items() for member in found}
        assert not drifted, f"files that write.py writes otherwise: {[named.get(file, file) for file in drifted]}"
        assert members(FIXTURES) == homes, "members are in other archives"
    return len(new)


def check(fixtures: Path) -> None:
    """Compare all fixtures, unpacked, with what packages read and write; leaves the program at the first difference."""
    if digest() != (FIXTURES / "digest.txt").read_text().strip():
        sys.exit("oracle: tests/fixtures/digest.txt is of other fixtures")
    entries = [entry for file in INDEXES for entry in json.loads((fixtures / file).read_text())]
    hierarchies = json.loads((fixtures / "groups.json").read_text())
    maps = json.loads((fixtures / "maps.json").read_text())
    year = json.loads((fixtures / "months.json").read_text())
    selections = 0
    for entry in [*entries, *hierarchies, *maps, year]:
        try:
            if "nodes" in entry:
                check_hierarchy(entry)
            elif "levels" in entry:
                check_map(fixtures, entry)
            elif "months" in entry:
                check_months(fixtures, entry)
            else:
                selections += check_entry(fixtures, entry)
        except AssertionError as error:
            sys.exit(f"oracle: {entry['name']}: {error}")
    try:
        count = check_drift(fixtures)
    except AssertionError as error:
        sys.exit(f"oracle: {error}")
    print(
        f"oracle: {len(entries)} arrays, {selections} selections, {len(hierarchies)} hierarchies, {len(maps)} map and a year of months read as zarr-python reads them; {count} files as written"
    )


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as directory:
        unpack(FIXTURES, Path(directory))
        check(Path(directory))


if __name__ == "__main__":
    main()
