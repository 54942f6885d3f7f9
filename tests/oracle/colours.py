"""Write the colours of cmocean (Thyng et al. 2016, doi:10.5670/oceanog.2016.66) that the explorer offers.

    python -m pip install --no-deps cmocean && python tests/oracle/colours.py

It writes www/src/model/cmocean.js, with every fourth colour of each map, and tests/browser/support/cmocean.json, with all 256 of
them, to which tests compare what the page draws.
"""

import importlib.util
import json
from pathlib import Path

MAPS = "thermal haline solar ice deep dense speed matter rain phase balance curl".split()
STOPS = 65
ROOT = Path(__file__).parents[2]
folder = Path(importlib.util.find_spec("cmocean").origin).parent / "rgb"


def colours(name):
    lines = (folder / f"{name}-rgb.txt").read_text().split("\n")
    return [[float(part) * 255 for part in line.split()] for line in lines if line.strip()]


def hexed(colour):
    return "".join(f"{round(part):02x}" for part in colour)


def at(table, part):
    place = part * (len(table) - 1)
    low = min(int(place), len(table) - 2)
    return [a + (b - a) * (place - low) for a, b in zip(table[low], table[low + 1])]


tables = {name: colours(name) for name in MAPS}
stops = {name: "".join(hexed(at(table, i / (STOPS - 1))) for i in range(STOPS)) for name, table in tables.items()}
lines = "".join(f'  {name}: "{text}",\n' for name, text in stops.items())
(ROOT / "www/src/model/cmocean.js").write_text(f"""// Colours of cmocean, as tests/oracle/colours.py wrote them: {STOPS} of each map at even distances. Copyright 2015 Kristen M. Thyng, MIT licence.

/** Colours in hexadecimal digits, by the names of maps. */
export const CMOCEAN = {{
{lines}}};
""")
full = {name: "".join(hexed(at(table, i / 255)) for i in range(256)) for name, table in tables.items()}
(ROOT / "tests/browser/support/cmocean.json").write_text(json.dumps(full, indent=1) + "\n")
