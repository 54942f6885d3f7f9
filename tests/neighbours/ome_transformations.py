"""Write the cases of ome-zarr-transformations-conformance as JSON: systems, transformations, points and results.

    python tests/neighbours/ome_transformations.py OUT.json

The package is that of requirements.txt beside. Its descriptions are left out.
"""

from __future__ import annotations

import json
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

kit = distribution("ome-zarr-transformations-conformance")
folders = sorted({Path(str(kit.locate_file(file))).parent for file in kit.files or [] if file.name == "conformance.toml"})
cases = []
for folder in folders:
    expected = tomllib.loads((folder / "conformance.toml").read_text())
    scene = json.loads((folder / "zarr.json").read_text())["attributes"]["ome"]["scene"]
    cases.append(
        {
            "name": folder.name.removesuffix(".ome.zarr"),
            "systems": scene["coordinateSystems"],
            "transformations": scene["coordinateTransformations"],
            "source": expected["source"],
            "target": expected["target"],
            "isError": expected["should_error"],
            "absolute": expected["absolute_tolerance"],
            "relative": expected["relative_tolerance"],
        }
    )
assert len(cases) == 24, len(cases)
lines = ",\n".join("  " + json.dumps(case) for case in cases)
Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n")
