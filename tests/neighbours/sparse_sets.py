"""Write sparse matrices, tables and ragged arrays, and what scipy, pandas and xarray read of them.

    python tests/neighbours/sparse_sets.py /tmp/sets/sparse

`anndata-v3.zarr` and `anndata-v2.zarr` are what anndata writes by default; the matrix of both is the same, and version 3
has it by column too. `classes.zarr` has it with chunks for twelve classes of rows (`aligned`), and with chunks of one
length (`regular`). `small.zarr` has matrices of other integers and items, a data frame and an awkward array.
`ragged.zarr`, `points-v2.zarr` and `points-v3.zarr` are CF data sets by xarray. `expected.json` lists what anndata, scipy,
pandas and xarray read; missing items are `null`.
"""

from __future__ import annotations

import json
import shutil
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any

import anndata as ad
import awkward as ak
import numpy as np
import pandas as pd
import scipy.sparse as sp
import xarray as xr
import zarr
from anndata.io import read_elem, write_elem

zarr.config.set({"array.rectilinear_chunks": True})

ROWS, COLUMNS, CLASSES = 1000, 300, 12

# Integer, slice or list, as the tests turn them into selections; lists count from the end where they are negative.
SELECTIONS: list[Any] = [
    {"slice": [17, 18]},
    {"slice": [990, 1000]},
    [5, 5, 3],
    [999, 0, 1, 2, 500, -1],
    {"slice": [40, 10, -7]},
    {"slice": [7, 7]},
    [],
    12,
]


def matrix() -> sp.csr_matrix:
    return sp.random(ROWS, COLUMNS, density=0.05, format="csr", dtype="f4", random_state=7)


def indices_of(selection: Any, length: int) -> list[int]:
    if isinstance(selection, dict):
        return list(range(length))[slice(*selection["slice"])]
    return [selection] if isinstance(selection, int) else [index % length for index in selection]


def values(array: np.ndarray) -> list[Any]:
    """Items for JSON: float32 in full, so that they are the same numbers in JavaScript."""
    return [item.item() for item in array.ravel()]


def compressed(found: Any) -> dict[str, Any]:
    return {"indptr": values(found.indptr), "indices": values(found.indices), "data": values(found.data), "shape": list(found.shape)}


def rows_of(x: Any, selection: Any) -> dict[str, Any]:
    return compressed(x[indices_of(selection, x.shape[0])])


def columns_of(x: Any, selection: Any) -> dict[str, Any]:
    return compressed(x.tocsc()[:, indices_of(selection, x.shape[1])])


def digest(array: np.ndarray) -> int:
    return zlib.crc32(np.ascontiguousarray(array).tobytes())


def annotated(x: Any, version: int) -> ad.AnnData:
    n = np.arange(ROWS)
    obs = pd.DataFrame(
        {
            "cls": pd.Categorical([f"c{i % CLASSES}" for i in n], categories=[f"c{i}" for i in range(CLASSES)]),
            "stage": pd.Categorical(np.where(n % 5 == 0, None, np.where(n % 2, "late", "early")), categories=["early", "late"], ordered=True),
            "batch": pd.Categorical(n % 3 + 10),
            "count": pd.array([int(i) if i % 3 else None for i in n], dtype="Int32"),
            "flag": pd.array([bool(i % 2) if i % 5 else None for i in n], dtype="boolean"),
            "truth": n % 4 == 1,
            "score": n / 4,
            "serial": n.astype("i8") - 5,
            "note": pd.array([f"n{i}" if i % 4 else None for i in n], dtype="string"),
            "name": [f"o{i}" for i in n],
        },
        index=[f"cell{i}" for i in n],
    )
    return ad.AnnData(X=x, obs=obs, layers={"csc": x.tocsc()} if version == 3 else {})


def columns_expected(frame: pd.DataFrame) -> dict[str, Any]:
    some = [0, 1, 2, 3, 4, 5, 20, 997, 998, 999]
    table = {"rows": some, "index": list(frame.index[some]), "length": len(frame), "names": list(frame.columns), "columns": {}}
    for name in frame.columns:
        items = frame[name].iloc[some]
        table["columns"][name] = [None if pd.isna(item) else item.item() if hasattr(item, "item") else item for item in items]
    return table


def write_anndata(target: Path) -> dict[str, Any]:
    x = matrix()
    expected: dict[str, Any] = {}
    for version in (2, 3):
        ad.settings.zarr_write_format = version
        # Version 2 also has the smallest type of integers that holds the indices.
        ad.settings.write_csr_csc_indices_with_min_possible_dtype = version == 2
        path = target / f"anndata-v{version}.zarr"
        annotated(x, version).write_zarr(path)
        read = ad.read_zarr(path)
        assert (read.X != x).nnz == 0
        expected["table"] = columns_expected(read.obs)
    ad.settings.write_csr_csc_indices_with_min_possible_dtype = False
    expected["dense"] = digest(x.toarray())
    expected["rows"] = [{"selection": selection, **rows_of(x, selection)} for selection in SELECTIONS]
    expected["columns"] = [{"selection": selection, **columns_of(x, selection)} for selection in ([42], [42, 7, 42], {"slice": [290, 300]})]
    expected["sums"] = {"row17": float(x[17].data.sum()), "column42": float(x.tocsc()[:, [42]].data.sum())}
    return expected


# Chunks of the classes: where they end, rows end too.
EDGES = [1361, 1261, 1235, 1179, 1369, 1207, 1169, 1405, 1431, 1123, 1098, 1162]


def write_array(group: zarr.Group, name: str, items: np.ndarray, chunks: Any) -> None:
    group.create_array(name, shape=items.shape, dtype=items.dtype, chunks=chunks)[:] = items


def write_classes(target: Path) -> dict[str, Any]:
    x = matrix()
    bounds = np.searchsorted(x.indptr, np.cumsum([0, *EDGES]))
    root = zarr.open_group(target / "classes.zarr", mode="w", zarr_format=3)
    for name, chunks in {"aligned": [EDGES], "regular": (1250,)}.items():
        group = root.create_group(name, attributes={"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": [ROWS, COLUMNS]})
        write_array(group, "data", x.data, chunks)
        write_array(group, "indices", x.indices, chunks)
        write_array(group, "indptr", x.indptr.astype("i8"), (ROWS + 1,))
    zarr.consolidate_metadata(root.store)
    read = zarr.open_group(target / "classes.zarr", mode="r")
    assert all((read_elem(read[name]) != x).nnz == 0 for name in ("aligned", "regular"))
    sums = [float(x[start:stop].data.sum(dtype="f8")) for start, stop in zip(bounds[:-1], bounds[1:])]
    return {"bounds": bounds.tolist(), "edges": EDGES, "sums": sums}


def small_matrices() -> dict[str, Any]:
    generator = np.random.default_rng(3)

    def made(density: float, dtype: str) -> sp.csr_matrix:
        dense = generator.integers(1, 100, (12, 7)) * (generator.random((12, 7)) < density)
        dense[[0, 4, 5, 11]] = 0
        return sp.csr_matrix(dense.astype(dtype))

    wide = made(0.4, "i8")
    wide.indptr, wide.indices = wide.indptr.astype("i8"), wide.indices.astype("i8")
    wide.data *= 2**40 + 1
    for start, stop in zip(wide.indptr[:-1], wide.indptr[1:]):  # scipy calls such indices unsorted
        wide.indices[start:stop] = wide.indices[start:stop][::-1].copy()
        wide.data[start:stop] = wide.data[start:stop][::-1].copy()
    truth = made(0.5, "?").tocsc()
    zeros = made(0.5, "f8")
    zeros.data[::2] = 0
    twice = sp.csr_matrix((np.array([1.5, 2, 4, 8]), np.array([3, 3, 0, 3]), np.array([0, 2, 2, 4])), shape=(3, 5))
    return {"wide": wide, "truth": truth, "zeros": zeros, "twice": twice, "empty": sp.csr_matrix((0, 7), dtype="f4"), "hollow": sp.csc_matrix((4, 3), dtype="u1")}


def write_small(target: Path) -> list[dict[str, Any]]:
    """Without consolidated metadata. Expected are the arrays as they are, and the dense matrix."""
    expected = []
    for name, x in small_matrices().items():
        ad.settings.zarr_write_format = 3
        root = zarr.open_group(target / "small.zarr", mode="a", zarr_format=3)
        write_elem(root, name, x)
        found = read_elem(root[name])
        dense = found.toarray()
        texts = [str(item) for item in values(found.data)] if x.dtype == "i8" else values(found.data)
        entry = {"name": name, "format": found.format, "dtype": str(found.dtype), **compressed(found), "data": texts}
        expected.append(entry | {"dense": [str(item) for item in values(dense)] if x.dtype == "i8" else values(dense)})
    root = zarr.open_group(target / "small.zarr", mode="a", zarr_format=3)
    write_elem(root, "frame", frame := small_frame())
    found = read_elem(root["frame"])
    assert found.equals(frame)
    write_elem(root, "neighbours", ak.Array([[1, 2], [], [3, 4, 5]]))
    return expected


def small_frame() -> pd.DataFrame:
    """Columns that anndata does not turn into categories, as it does when it writes a whole object."""
    columns = {
        "text": pd.array(["a", None, "", "d"], dtype="string"),
        "serial": np.array([2**53 + 1, 2, 3, -4]),
        "of": pd.Categorical([2.5, None, 1.5, 2.5], categories=[1.5, 2.5]),
        "large": pd.array([None, 2**60, 3, 4], dtype="Int64"),
    }
    return pd.DataFrame(columns, index=pd.Index([10, 20, 30, 40], name="station"))


def write_ragged(target: Path) -> None:
    path = target / "ragged.zarr"
    v = 1.5 * np.arange(15)
    attributes = {"sample_dimension": "obs", "long_name": "number of observations of this track"}
    contiguous = xr.Dataset({"v": ("obs", v), "row_size": ("traj", np.array([2, 4, 3, 6], "i4"), attributes), "id": ("traj", [7, 8, 9, 10])})
    contiguous.to_zarr(path, group="contiguous", mode="w", zarr_format=3, consolidated=False)
    index = ("obs", np.array([0, 0, 1, 2, 1, 1, 3, 0], "i4"), {"instance_dimension": "traj"})
    indexed = xr.Dataset({"v": ("obs", v[:8]), "trajectory": index, "id": ("traj", [7, 8, 9, 10, 11])})
    indexed.to_zarr(path, group="indexed", mode="a", zarr_format=3, consolidated=False)
    drifters = xr.Dataset({"position": (("obs", "axis"), np.arange(30.0).reshape(15, 2)), "rowsize": ("traj", np.array([2, 4, 0, 3, 6]))})
    drifters.to_zarr(path, group="rowsize", mode="a", zarr_format=3, consolidated=False)
    zarr.consolidate_metadata(zarr.open_group(path, mode="r+").store)


def write_points(target: Path) -> dict[str, Any]:
    n = np.arange(9)
    data = xr.Dataset(
        {
            "temperature": ("obs", np.where(n % 4 == 2, np.nan, 280 + n / 8), {"units": "K"}),
            "depth": ("obs", np.where(n % 3 == 1, np.nan, n * 10.0)),
            "species": ("obs", np.array(["cod", "herring", "sprat"], dtype=object)[n % 3]),
            "wet": ("obs", n % 2 == 0),
            "id": ("traj", np.array(["a", "b"], dtype=object), {"cf_role": "trajectory_id"}),
        },
        {"time": ("obs", pd.date_range("2024-02-27", periods=9, freq="18h"))},
    )
    encoding = {"depth": {"dtype": "int16", "_FillValue": -1, "scale_factor": 10.0}, "time": {"units": "hours since 2024-01-01"}}
    for version in (2, 3):
        data.to_zarr(target / f"points-v{version}.zarr", mode="w", zarr_format=version, encoding=encoding)
        read = xr.open_zarr(target / f"points-v{version}.zarr")
        found = {name: [None if pd.isna(item) else item for item in read[name].values.tolist()] for name in ("temperature", "depth", "species", "wet")}
        found["time"] = [str(item)[:19] for item in read["time"].values]
    return found


def main(target: Path) -> None:
    warnings.simplefilter("ignore")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    expected = {"anndata": write_anndata(target), "classes": write_classes(target), "small": write_small(target), "points": write_points(target)}
    write_ragged(target)
    (target / "expected.json").write_text(json.dumps(expected, allow_nan=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
