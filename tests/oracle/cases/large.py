"""Arrays too large to commit; the browser test writes them where it needs them."""

from pathlib import Path

import numpy as np

from cases.patterns import archive
from registry import Case, add, create

CASES: list[Case] = []


@add(CASES, "large-archive", "The archive pattern on an 18 by 36 field: 5 MB of float32 through zstd.")
def large_archive(path: Path) -> None:
    archive(path, (18, 36), [[9, 9], [9] * 4], 30, path.name)


@add(CASES, "large-plain", "64 MB of float32, uncompressed, in chunks of 512 by 512.")
def large_plain(path: Path) -> None:
    values = np.arange(4096 * 4096, dtype="float32").reshape(4096, 4096)
    create(path, values, chunks=(512, 512))
