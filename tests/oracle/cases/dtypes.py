"""Every data type, once on a regular and once on a rectilinear grid, each with another pipeline."""

from pathlib import Path

from cases.codecs import CHAINS
from registry import Case, add, create
from values import hard

CASES: list[Case] = []

DTYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
]
SHAPE = (7, 5)
GRIDS = {"regular": (3, 2), "rectilinear": [[2, 4, 1], [3, 2]]}

# Pipelines that fit a rank of 2, dealt out so that each one meets several item sizes.
CHAIN_NAMES = [name for name, chain in CHAINS.items() if chain.get("rank", 2) == 2]


def _register(dtype: str, grid: str, chain: str) -> None:
    @add(CASES, f"{dtype}-{grid}", f"{dtype} on a {grid} grid through {chain}.")
    def write(path: Path) -> None:
        options = {k: v for k, v in CHAINS[chain].items() if k != "rank"}
        create(path, hard(dtype, SHAPE, path.name), chunks=GRIDS[grid], **options)


for i, dtype in enumerate(DTYPES):
    for j, grid in enumerate(GRIDS):
        _register(dtype, grid, CHAIN_NAMES[(i + j * 5) % len(CHAIN_NAMES)])
