"""Malformed arrays: each is a good one with one thing changed in code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from broken import (
    blosc,
    chunks,
    codecs,
    data_types,
    documents,
    encoded,
    fields,
    filters,
    fill_values,
    grids,
    numcodecs_bytes,
    numcodecs_lzma,
    numcodecs_pcodec,
    numcodecs_zfpy,
    objects,
    shards,
    v2,
)
from broken.base import UNSUPPORTED, Broken

CASES = [
    *documents.CASES,
    *fields.CASES,
    *fill_values.CASES,
    *codecs.CASES,
    *grids.CASES,
    *chunks.CASES,
    *blosc.CASES,
    *numcodecs_bytes.CASES,
    *shards.CASES,
]
# Codecs that the package leaves out have a list of their own, for builds with the feature; so have data types, filters,
# Zarr v2, and grids that are older or younger than the specification.
LISTS = {
    "broken.json": CASES,
    "broken-dtypes.json": data_types.CASES,
    "broken-filters.json": filters.CASES,
    "broken-v2.json": v2.CASES,
    "broken-grids.json": encoded.CASES,
    "broken-objects.json": objects.CASES,
    "broken-lzma.json": numcodecs_lzma.CASES,
    "broken-pcodec.json": numcodecs_pcodec.CASES,
    "broken-zfp.json": numcodecs_zfpy.CASES,
}

# Unsupported parts of the metadata without which an array cannot be opened: its grid, its keys, and fields that must be
# understood. Where only the data type or a codec is not supported, opening answers and reading is refused.
UNOPENED = ("key-encoding-", "storage-", "unknown-field-", "grid-", "older-")


def write_broken(out: Path) -> None:
    """Write the malformed arrays to `out`/broken and what each must be refused with to the lists.

    `error` is the error's name and `mentions` what its message must contain; `fields` are fields
    of the error, where `pathPrefix` and `keySuffix` say how `path` begins and `key` ends. `when`
    tells what fails: opening ("open"), all reading ("read"), or the reading of some chunks ("get"); then `good` is a
    selection that still answers.
    `proposals` is what a reader asks for.
    `overHttp` is the error's name where a host notices first that the bytes are not there.
    """
    shutil.rmtree(out / "broken", ignore_errors=True)
    (out / "broken").mkdir()
    names: set[str] = set()
    for file, cases in LISTS.items():
        lines = []
        for case in cases:
            assert case.name not in names, case.name
            names.add(case.name)
            lines.append("  " + json.dumps(_entry(out, case)))
        (out / file).write_text("[\n" + ",\n".join(lines) + "\n]\n")


def _entry(out: Path, case: Broken) -> dict[str, Any]:
    path = out / "broken" / f"{case.name}.zarr"
    good = case.write(path)
    found = {"name": case.name, "about": case.about, "path": f"broken/{path.name}", "error": case.error}
    # A fill value is needed by reads alone.
    is_of_fill = "/fill_value" in (case.fields.get("path"), case.fields.get("pathPrefix"))
    is_opened = is_of_fill or (case.error == UNSUPPORTED and not case.name.startswith(UNOPENED))
    when = "get" if good else "read" if is_opened else "open"
    found |= {"mentions": list(case.mentions), "fields": case.fields, "when": when}
    if case.proposals:
        found["proposals"] = list(case.proposals)
    if case.over_http:
        found["overHttp"] = case.over_http
    return found | ({"good": good} if good else {})
