"""Writes zips of the fixtures as Python's writers make them: `zips.py FIXTURES TARGET NAME…`, one zip for each way."""

import io
import sys
import zipfile
from pathlib import Path

from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync
from zarr.storage import ZipStore


def files_of(fixtures: Path, names: list[str]) -> dict[str, bytes]:
    """The files below the named directories, by their paths from the directory of fixtures."""
    found = (path for name in names for path in sorted((fixtures / name).rglob("*")) if path.is_file())
    return {path.relative_to(fixtures).as_posix(): path.read_bytes() for path in found}


def by_zipfile(target: Path, files: dict[str, bytes], *, compression: int = zipfile.ZIP_STORED, zip64: bool = False) -> None:
    with zipfile.ZipFile(target, "w", compression) as archive:
        for name, value in files.items():
            with archive.open(name, "w", force_zip64=zip64) as file:
                file.write(value)


class Pipe(io.RawIOBase):
    """An output that cannot go back, so that sizes and checksums are written after each file."""

    def __init__(self, target: Path) -> None:
        self._file = target.open("wb")

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        return self._file.write(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def piped(target: Path, files: dict[str, bytes]) -> None:
    with Pipe(target) as pipe, zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(name, value)


def by_zarr(target: Path, files: dict[str, bytes]) -> None:
    store = ZipStore(target, mode="w")
    for name, value in files.items():
        sync(store.set(name, default_buffer_prototype().buffer.from_bytes(value)))
    store.close()


def twice(target: Path, files: dict[str, bytes]) -> None:
    """Every name once with other bytes, and then again with its own; and folders, a comment, and what stands before it all."""
    with zipfile.ZipFile(target, "w") as archive:
        archive.comment = b"written twice"
        for name in files:
            archive.writestr(name, b"old")
        for name, value in files.items():
            archive.writestr(name.rsplit("/", 1)[0] + "/", b"")
            archive.writestr(name, value)
    target.write_bytes(b"#!/bin/sh\n" + target.read_bytes())


def large(target: Path) -> None:
    """More files than 16 bits count, so that the directory is ZIP64's, and longer than what is read of the end at once."""
    with zipfile.ZipFile(target, "w") as archive:
        for nth in range(66_000):
            archive.writestr(f"many/{nth}", str(nth))


def main() -> None:
    fixtures, target = Path(sys.argv[1]), Path(sys.argv[2])
    files = files_of(fixtures, sys.argv[3:])
    target.mkdir(parents=True, exist_ok=True)
    by_zipfile(target / "stored.zip", files)
    by_zipfile(target / "deflated.zip", files, compression=zipfile.ZIP_DEFLATED)
    by_zipfile(target / "zip64.zip", files, zip64=True)
    by_zipfile(target / "bzip2.zip", files, compression=zipfile.ZIP_BZIP2)
    piped(target / "piped.zip", files)
    by_zarr(target / "zarr-python.zip", files)
    twice(target / "twice.zip", files)
    large(target / "large.zip")


if __name__ == "__main__":
    main()
