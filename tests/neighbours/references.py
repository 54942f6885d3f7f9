"""Reads the references that a page made of original files, with fsspec and zarr-python, and compares the values.

    REFERENCES=/tmp/references node --test tests/browser/stores/references.test.mjs
    python tests/neighbours/references.py /tmp/references

Needs zarr >= 3.4, fsspec and numcodecs. Arrays whose data type or codecs zarr-python does not have are counted.
"""

import collections
import json
import sys
from pathlib import Path

import fsspec
import numpy as np
import zarr

zarr.config.set({"array.rectilinear_chunks": True})
counts = collections.Counter()
for path in sorted(Path(sys.argv[1]).glob("*.json")):
    case = json.loads(path.read_text())
    references = case["references"]
    references["templates"]["u"] = case["file"]
    files = fsspec.filesystem(
        "reference", fo=references, remote_protocol="file", asynchronous=True, remote_options={"asynchronous": True}
    )
    group = zarr.open_group(zarr.storage.FsspecStore(files, read_only=True), mode="r", zarr_format=3)
    for name, wanted in case["values"].items():
        try:
            array = group[name]
            found = np.asarray(array[...])
        except Exception as error:
            counts[f"not in zarr-python: {type(error).__name__}: {str(error)[:90]}"] += 1
            continue
        label = f"{path.name}: {name}"
        assert list(array.shape) == wanted["shape"], label
        if isinstance(wanted["bytes"], str):
            counts["other items"] += 1
            texts = json.loads(wanted["bytes"])
            if found.dtype.kind in "TOU" and all(isinstance(text, str) for text in texts):
                assert [str(text) for text in np.ravel(found)] == texts, label
                counts["texts equal"] += 1
            continue
        items = np.ascontiguousarray(found)
        items = items.astype(items.dtype.newbyteorder("<"))
        if items.dtype == np.float16:
            items = items.astype(np.float32) if len(wanted["bytes"]) == items.size * 4 else items
        assert items.tobytes() == bytes(wanted["bytes"]), label
        counts["equal"] += 1
for what, count in counts.most_common():
    print(count, what)
