"""Writes small stores that the documentation reads: made-up rows, and references; each as its own package writes it.

    .venv/bin/python small.py           # writes ../public/data, in seconds; make.py does it at its end

- cells.zarr/: counts of genes in cells, as anndata writes them: a sparse matrix, the table of the cells, and for each
  cell a list of others of its kind
- drifters.zarr/: positions of drifters, end to end, with the number of each one's (CF's contiguous ragged arrays)
- months/2024-01.parq/: kerchunk's references to 2024-01.nc, in Parquet
"""

import os
import warnings

import anndata
import awkward
import numpy as np
import pandas as pd
import scipy.sparse
import xarray as xr

from kerchunk.df import refs_to_dataframe
from kerchunk.hdf import SingleHdf5ToZarr

from parts import DATA, anew

CELLS, GENES = 240, 80
KINDS = ["B cell", "monocyte", "T cell"]
DRIFTERS = 25


def write_cells():
    """Each cell has a kind, and counts of some genes that kind has more of."""
    rng = np.random.default_rng(3)
    kinds = rng.choice(KINDS, CELLS, p=[0.2, 0.3, 0.5])
    rates = rng.gamma(0.3, 2.0, (len(KINDS), GENES))
    counts = rng.poisson(rates[[KINDS.index(kind) for kind in kinds]]).astype("float32")
    batch = pd.array(rng.integers(1, 4, CELLS), dtype="Int64")
    batch[rng.random(CELLS) < 0.05] = pd.NA
    obs = pd.DataFrame({"cell_type": pd.Categorical(kinds), "batch": batch}, index=[f"cell{nth}" for nth in range(CELLS)])
    cells = anndata.AnnData(scipy.sparse.csr_matrix(counts), obs, pd.DataFrame(index=[f"gene{nth}" for nth in range(GENES)]))
    alike = [np.setdiff1d(np.flatnonzero(kinds == kind), nth)[: nth % 4] for nth, kind in enumerate(kinds)]
    cells.obsm["neighbours"] = awkward.Array([list(map(int, others)) for others in alike])
    anndata.settings.zarr_write_format = 3
    cells.write_zarr(anew("cells.zarr"))


def write_drifters():
    """Walks of unequal length, in steps of six hours."""
    rng = np.random.default_rng(4)
    lengths = rng.integers(4, 40, DRIFTERS)
    steps = [np.arange(length) for length in lengths]
    walk = lambda start, spread: np.concatenate([rng.uniform(*start) + rng.normal(0, spread, length).cumsum() for length in lengths])
    hours = np.concatenate([6 * step + 24 * nth for nth, step in enumerate(steps)])
    points = {
        "lon": ("obs", walk((-40, -20), 0.05), {"units": "degrees_east"}),
        "lat": ("obs", walk((20, 40), 0.05), {"units": "degrees_north"}),
        "time": ("obs", np.datetime64("2024-01-01", "ns") + hours * np.timedelta64(1, "h")),
        "row_size": ("drifter", lengths, {"sample_dimension": "obs", "long_name": "positions of each drifter"}),
        "drifter": ("drifter", [f"D{nth:02}" for nth in range(DRIFTERS)], {"cf_role": "trajectory_id"}),
    }
    data = xr.Dataset(points, attrs={"featureType": "trajectory", "Conventions": "CF-1.11"})
    packed = {"dtype": "int32", "scale_factor": 1e-4, "_FillValue": -(2**31)}
    encoding = {"lon": packed, "lat": packed, "time": {"units": "hours since 2024-01-01", "dtype": "int32"}}
    data.to_zarr(anew("drifters.zarr"), zarr_format=3, consolidated=True, encoding=encoding)


def write_references():
    """References are relative to the folder that they lie in."""
    folder = anew("months/2024-01.parq")
    with (DATA / "months/2024-01.nc").open("rb") as opened:
        found = SingleHdf5ToZarr(opened, "../2024-01.nc", inline_threshold=0).translate()
    os.chdir(DATA)
    refs_to_dataframe(found, str(folder), record_size=100)


def write_small():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write_cells()
        write_drifters()
        write_references()


if __name__ == "__main__":
    write_small()
