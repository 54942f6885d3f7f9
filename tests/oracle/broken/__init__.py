"""Malformed arrays: each is a good one with one thing changed in code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from broken import blosc, chunks, codecs, documents, fields, fill_values, grids, numcodecs_bytes

CASES = [
    *documents.CASES,
    *fields.CASES,
    *fill_values.CASES,
    *codecs.CASES,
    *grids.CASES,
    *chunks.CASES,
    *blosc.CASES,
    *numcodecs_bytes.CASES,
]


def write_broken(out: Path) -> None:
    """Write the malformed arrays to `out`/broken and what each must be refused with to broken.json.

    `error` is the error's name and `mentions` what its message must contain; `fields` are fields
    of the error, where `pathPrefix` and `keySuffix` say how `path` begins and `key` ends. `when`
    tells whether opening fails or only reading; then `good` is a selection that still answers.
    """
    shutil.rmtree(out / "broken", ignore_errors=True)
    (out / "broken").mkdir()
    entries: list[dict[str, Any]] = []
    for case in CASES:
        path = out / "broken" / f"{case.name}.zarr"
        good = case.write(path)
        found = {"name": case.name, "about": case.about, "path": f"broken/{path.name}", "error": case.error}
        found |= {"mentions": list(case.mentions), "fields": case.fields, "when": "get" if good else "open"}
        entries.append(found | ({"good": good} if good else {}))
    assert len({entry["name"] for entry in entries}) == len(entries)
    lines = ",\n".join("  " + json.dumps(entry) for entry in entries)
    (out / "broken.json").write_text(f"[\n{lines}\n]\n")
