"""Write arrays with zarr-python, and beside them what a reader of them must return.

    python tests/oracle/write.py [OUTDIR [--large]]

Without OUTDIR, tests/fixtures is written anew: archives, one a list (see archives.py). OUTDIR gets the files
themselves: index.json (see `entry` for its fields), the arrays, the malformed ones with
broken.json, groups.json, decoded.json, map.zarr and maps.json, months/ and months.json, and blosc/ with frames that no array leads to.
`--large` writes the few arrays that are too big to commit instead, with an index
of the same form. Two runs give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import zarr

from archives import FIXTURES, by_list, pack
from broken import write_broken
from cases import INDEXES, LARGE
from decoded import write_decoded
from frames import write_frames
from hierarchies import write_hierarchies
from maps import write_maps
from months import write_months
from registry import Case, Reading, described, read_sizes, sizes_of
from seen import fields_of
from selections import (
    by_hand,
    list_result,
    negative_ones,
    points,
    points_result,
    random_ones,
    result,
    wire_bytes,
    with_lists,
)


def strict(value: Any) -> Any:
    """JSON has no NaN; zarr-python writes it bare in attributes, the index as {"number": "NaN"}."""
    if isinstance(value, float) and not np.isfinite(value):
        return {"number": json.dumps(value)}
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    return [strict(item) for item in value] if isinstance(value, list) else value


def dump(file: Path, entries: list[dict[str, Any]]) -> None:
    """One entry an item, one selection a line: diffs stay readable."""
    lines = []
    for entry in entries:
        fields = []
        for key, value in entry.items():
            if key.lower().endswith("selections"):
                items = ",\n".join("      " + json.dumps(item) for item in value)
                fields.append(f'    "{key}": [\n{items}\n    ]' if value else f'    "{key}": []')
            else:
                fields.append(f'    "{key}": {json.dumps(value)}')
        lines.append("  {\n" + ",\n".join(fields) + "\n  }")
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def reading(node: Path, *, required: bool) -> Reading | None:
    """Values that zarr-python reads at `node`; None where it refuses and need not read it."""
    try:
        array = zarr.open_array(node, mode="r")
        return np.asarray(array[...]), sizes_of(array)
    except Exception:
        if required:
            raise
        return None


def entry(case: Case, out: Path, keep_values: bool) -> dict[str, Any]:
    """Write one array and describe it.

    `expected` holds the whole array (C order, little endian, bool as 0/1 bytes), `crc32` its
    checksum. `fillValue` is zarr.json's; `fillValueText` its JSON text, for readers whose JSON
    rounds. `zarrFormat` is there where it is 2, `proposals` where a reader must ask for some. `zarrPython` says whether zarr-python itself reads the array. Data types that are seen
    otherwise than stored have `itemBytes` (null for any length) and what `Seen.fields` gives.
    """
    path = out / f"{case.name}.zarr"
    known = case.write(path)
    node = path / case.array_path
    document = described(node)
    read = reading(node, required=known is None)
    values, sizes = known or read
    raw = wire_bytes(values)
    if known and read:
        assert raw == wire_bytes(read[0]) and sizes == read[1], f"zarr-python reads {case.name} otherwise"
    data_type = document["data_type"]
    found: dict[str, Any] = {"name": case.name, "about": case.about, "path": path.name}
    if case.array_path:
        found["arrayPath"] = case.array_path
    if case.proposals:
        found["proposals"] = list(case.proposals)
    if document["zarr_format"] == 2:
        found["zarrFormat"] = 2
    found |= {
        "dtype": data_type if isinstance(data_type, str) else data_type["name"],
        "shape": document["shape"],
        "writeChunkSizes": sizes,
        "readChunkSizes": read_sizes(document, sizes),
        "dimensionNames": document.get("dimension_names"),
        "fillValue": document["fill_value"],
        "fillValueText": json.dumps(document["fill_value"]),
        "attributes": strict(document.get("attributes", {})),
        "zarrPython": read is not None,
        "crc32": zlib.crc32(raw),
    }
    if case.seen:
        found["itemBytes"] = None if values.dtype.kind in "TO" else values.dtype.itemsize
        found |= strict(case.seen.fields(values))
    if values.dtype.names:
        # As zarr-python names them, which gives names of its own to fields that are stored without one.
        found["fields"] = strict(fields_of(read[0] if read else values))
    if keep_values:
        found["expected"] = f"{case.name}.bin"
        (out / found["expected"]).write_bytes(raw)
    shape = values.shape
    chosen = [*by_hand(shape, sizes), *case.selections, *random_ones(case.name, shape)]
    found["selections"] = [result(values, selection) for selection in chosen]
    found["negativeSelections"] = [result(values, s) for s in negative_ones(case.name, shape)]
    found["listSelections"] = [list_result(values, s) for s in with_lists(case.name, shape)]
    found["pointSelections"] = [points_result(values, p) for p in points(case.name, shape)]
    return found


def write(out: Path, indexes: dict[str, list[Case]], *, keep_values: bool) -> None:
    """Write the arrays of all indexes, and the indexes, to `out`, in place of what it had."""
    out.mkdir(parents=True, exist_ok=True)
    for old in (*out.glob("*.zarr"), *out.glob("*.bin")):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    for file, cases in indexes.items():
        dump(out / file, [entry(case, out, keep_values) for case in cases])


def write_all(out: Path) -> None:
    """Write every fixture of the oracle to `out`."""
    write(out, INDEXES, keep_values=True)
    write_broken(out)
    write_frames(out)
    write_hierarchies(out)
    write_maps(out)
    write_months(out)
    write_decoded(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("outdir", type=Path, nargs="?")
    parser.add_argument("--large", action="store_true", help="the large arrays instead")
    options = parser.parse_args()
    # zarr-python has some for most data types of its own.
    warnings.simplefilter("ignore")
    if options.large:
        write(options.outdir, LARGE, keep_values=False)
    elif options.outdir:
        write_all(options.outdir)
    else:
        with tempfile.TemporaryDirectory() as fresh:
            write_all(Path(fresh))
            pack(Path(fresh), FIXTURES, by_list(Path(fresh)))


if __name__ == "__main__":
    main()
