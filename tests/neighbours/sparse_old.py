"""Write an AnnData object as anndata 0.7 did: data frames of encoding 0.1, with categories in a group of their own.

    python3.8 -m venv /tmp/old && /tmp/old/bin/pip install anndata==0.7.8 "zarr<2.13" "pandas<1.4" "numpy<1.24" "scipy<1.10"
    /tmp/old/bin/python tests/neighbours/sparse_old.py /tmp/sets/anndata-0.7.zarr
"""

import sys

import anndata as ad
import numpy as np
import pandas as pd
import scipy.sparse as sp

n = np.arange(6)
stage = pd.Categorical(["a", None, "b", "a", "b", None], categories=["b", "a"], ordered=True)
obs = pd.DataFrame({"cls": pd.Categorical([f"c{i % 3}" for i in n]), "stage": stage, "score": n / 4}, index=[f"cell{i}" for i in n])
ad.AnnData(X=sp.csr_matrix(np.eye(6, 4, dtype="f4")), obs=obs, dtype="f4").write_zarr(sys.argv[1])
read = ad.read_zarr(sys.argv[1]).obs
assert list(read["cls"]) == ["c0", "c1", "c2", "c0", "c1", "c2"] and read["stage"].cat.ordered
