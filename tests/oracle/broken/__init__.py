"""Malformed arrays: each is a good one with one thing changed in code."""

from pathlib import Path


def write_broken(out: Path) -> None:
    pass
