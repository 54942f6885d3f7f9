"""Pack fixtures into archives, one a list, and unpack them.

    python tests/oracle/archives.py unpack DIR    # tests/neighbours/fixtures, to run its scripts upon
    python tests/oracle/archives.py pack DIR      # back, in place of what is committed

An archive is a zip without compression (git compresses it), with sorted names and fixed dates, so that the same members
give the same bytes. Lists and other JSON beside the arrays stay files of text. `digest.txt` tells one state of all
fixtures from another: readers unpack into target/fixtures/DIGEST where that folder is not there.
"""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
FIXTURES = TESTS / "fixtures"
NEIGHBOURS = TESTS / "neighbours/fixtures"


def is_text(file: Path) -> bool:
    """Whether a file, given from the folder of fixtures, is committed as it is."""
    return file.suffix == ".json" and not any(parent.suffix == ".zarr" for parent in file.parents) and len(file.parts) < 3


def files(root: Path) -> list[Path]:
    """Files below `root`, from there, in the order of their names in an archive."""
    return sorted((file.relative_to(root) for file in root.rglob("*") if file.is_file()), key=Path.as_posix)


def _tops(file: Path) -> set[str]:
    """First parts of paths, or two of what lies in broken/, that a list names."""
    entries = json.loads(file.read_text())
    named: list[Any] = []
    for entry in entries if isinstance(entries, list) else [entries]:
        named += [entry.get("path"), entry.get("expected")]
        named += [level["expected"] for level in entry.get("levels", [])]
        named += [month["path"].split("/")[0] for month in entry.get("months", [])]
    return {name for name in named if name}


def by_list(root: Path) -> dict[str, list[str]]:
    """Members of each archive: what a list names is in the list's, the rest in one of its folder's name."""
    homes: dict[str, str] = {}
    for file in sorted(root.glob("*.json")):
        for top in sorted(_tops(file)):
            homes.setdefault(top, file.stem)
    found: dict[str, list[str]] = {}
    for file in files(root):
        if is_text(file):
            continue
        places = [str(file), *map(str, file.parents)]
        home = next((homes[place] for place in places if place in homes), file.parts[0])
        found.setdefault(home, []).append(file.as_posix())
    return found


def by_folder(root: Path) -> dict[str, list[str]]:
    """Members of each archive: one a folder."""
    found: dict[str, list[str]] = {}
    for file in files(root):
        if not is_text(file):
            found.setdefault(file.parts[0], []).append(file.as_posix())
    return found


def pack(root: Path, out: Path, homes: dict[str, list[str]]) -> None:
    """Write archives of files below `root`, and the files of text, to `out`, in place of what it had."""
    for old in (*out.glob("*.zip"), *(file for file in out.rglob("*.json"))):
        old.unlink()
    for file in sorted(file.relative_to(root) for file in root.rglob("*.json")):
        if is_text(file):
            (out / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / file, out / file)
    for name, found in homes.items():
        with zipfile.ZipFile(out / f"{name}.zip", "w", zipfile.ZIP_STORED) as archive:
            for member in found:
                info = zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0))
                info.create_system, info.external_attr = 3, 0o644 << 16
                archive.writestr(info, (root / member).read_bytes())
    (FIXTURES / "digest.txt").write_text(digest() + "\n")


def members(root: Path) -> dict[str, list[str]]:
    """Members of each committed archive."""
    found = {}
    for file in sorted(root.glob("*.zip")):
        with zipfile.ZipFile(file) as archive:
            found[file.stem] = archive.namelist()
    return found


def unpack(root: Path, out: Path) -> None:
    """Write the members of the archives of `root`, and its files of text, to `out`."""
    for file in root.glob("*.zip"):
        with zipfile.ZipFile(file) as archive:
            archive.extractall(out)
    for file in root.rglob("*.json"):
        target = out / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)


def digest() -> str:
    """CRC-32 of the names and bytes of all archives and files of text."""
    crc = 0
    for root in (FIXTURES, NEIGHBOURS):
        for file in files(root):
            if file.suffix in (".zip", ".json"):
                crc = zlib.crc32((root / file).read_bytes(), zlib.crc32(file.as_posix().encode(), crc))
    return f"{crc:08x}"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    if sys.argv[1] == "pack":
        pack(Path(sys.argv[2]), NEIGHBOURS, by_folder(Path(sys.argv[2])))
    else:
        unpack(NEIGHBOURS, Path(sys.argv[2]))
