"""Writes small parts of the embedded store as the other sources that the documentation reads: each as its own package writes it.

    .venv/bin/python parts.py           # reads and writes ../public/data, in seconds; make.py does it at its end

- months/: a NetCDF-4 file for each month of a quarter, at 20 degrees, and kerchunk's references to all three as one
  rectilinear array; and the months again, a Zarr store for each
- sun.icechunk/: the curves of the sun, committed in two halves
- sun.zip: the group sun of the store
- cities.cfdb: the year's energy at three places
- altitude.zarr/: a pyramid of two levels with multiscales attributes
- land.zarr/: altitude of the land on a HEALPix grid of level 5, in a chunk for each cell of level 1
"""

import base64
import json
import os
import shutil
import warnings
from pathlib import Path

import cfdb
import h5py
import healpix_geo
import icechunk
import numpy as np
import shapely
import zarr
from cfdb import dtypes
from kerchunk.hdf import SingleHdf5ToZarr

DATA = Path(__file__).resolve().parent.parent / "public" / "data"
MONTHS = {"2024-01": 31, "2024-02": 29, "2024-03": 31}
COARSE = 20  # degrees
CITIES = {"Quito": (0, -78), "Cairo": (30, 31), "Oslo": (60, 11)}
CELLS, PARENTS = 5, 1  # levels of HEALPix: of cells, and of those that share a chunk
LEVELS = {"0": (2, [12, 21, 24, 21, 12], [60, 80, 40]), "1": (4, [12, 21, 12], [40, 50])}  # degrees, edges of chunks


def anew(name):
    """A path at which nothing is left of the last time."""
    path = DATA / name
    shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)
    return path


def coarse(values, n):
    """Means of n by n cells of the last two axes."""
    *leading, rows, columns = values.shape
    return values.reshape(*leading, rows // n, n, columns // n, n).mean(axis=(-3, -1))


def write_month(file, first, days, ghi, attributes):
    """A NetCDF-4 file of one chunk."""
    lat = -90 + COARSE * (np.arange(180 // COARSE) + 0.5)
    lon = -180 + COARSE * (np.arange(360 // COARSE) + 0.5)
    time = np.arange(first, first + days, dtype="<i4")
    with h5py.File(file, "w", libver="v110") as nc:
        scales = {"time": (time, "days since 2024-01-01"), "lat": (lat, "degrees_north"), "lon": (lon, "degrees_east")}
        for name, (values, units) in scales.items():
            made = nc.create_dataset(name, data=values, track_times=False)
            made.attrs["units"] = units
            made.make_scale(name)
        made = nc.create_dataset("ghi", data=ghi, chunks=ghi.shape, compression="gzip", compression_opts=9, shuffle=True, track_times=False)
        made.attrs.update(attributes)
        for axis, name in enumerate(scales):
            made.dims[axis].attach_scale(nc[name])
    return time, lat, lon


def write_months(store):
    """Files and stores of months, and the references to the files."""
    folder = anew("months")
    folder.mkdir()
    attributes = {name: store["ghi"].attrs[name] for name in ("long_name", "units", "scale_factor")}
    memory = zarr.storage.MemoryStore()
    root = zarr.create_group(memory, attributes={"title": "January to March"})
    days = list(MONTHS.values())
    firsts = np.cumsum([0, *days])
    fields, references = [], {}
    os.chdir(folder)  # kerchunk says where a file lies in the words that it was given
    for (name, length), first in zip(MONTHS.items(), firsts):
        ghi = np.round(coarse(store["ghi"][first:first + length], COARSE)).astype("<i2")
        fields.append(ghi)
        file = Path(f"{name}.nc")
        time, lat, lon = write_month(file, first, length, ghi, attributes)
        with file.open("rb") as opened:
            single = SingleHdf5ToZarr(opened, file.name).translate()["refs"]
        references[f"ghi/c/{len(references)}/0/0"] = single["ghi/0.0.0"]
        month = zarr.create_group(f"{name}.zarr")
        month.create_array("ghi", data=ghi, chunks=ghi.shape, dimension_names=["time", "lat", "lon"], attributes=attributes)
    codecs = [{"name": "numcodecs.shuffle", "configuration": {"elementsize": 2}}, {"name": "numcodecs.zlib", "configuration": {"level": 9}}]
    root.create_array("ghi", shape=(sum(days), *fields[0].shape[1:]), dtype="i2", chunks=[days, [len(lat)], [len(lon)]], compressors=codecs,
                      fill_value=0, dimension_names=["time", "lat", "lon"], attributes=attributes)
    axes = {"time": (np.arange(sum(days), dtype="int32"), "days since 2024-01-01"), "lat": (lat, "degrees_north"), "lon": (lon, "degrees_east")}
    for name, (values, units) in axes.items():
        root.create_array(name, data=values, compressors=None, dimension_names=[name], attributes={"units": units})
    inline = {key: value.to_bytes() for key, value in sorted(memory._store_dict.items())}
    texts = {key: value.decode() if key.endswith("json") else f"base64:{base64.b64encode(value).decode()}" for key, value in inline.items()}
    Path("quarter.json").write_text(json.dumps({"version": 1, "refs": texts | references}))


def write_repository(store):
    """Half of the year, and then all of it."""
    path = anew("sun.icechunk")
    repository = icechunk.Repository.create(icechunk.local_filesystem_storage(str(path)))
    edges = store["sun/declination"].write_chunk_sizes
    half = sum(edges[0][:6])
    session = repository.writable_session("main")
    root = zarr.group(session.store, attributes={"title": "The sun's place"})
    curves = {}
    for name in ("declination", "equation_of_time"):
        source = store[f"sun/{name}"]
        curves[name] = root.create_array(name, shape=source.shape, dtype=source.dtype, chunks=edges, dimension_names=["time"],
                                         fill_value=np.nan, attributes=dict(source.attrs))
        curves[name][:half] = source[:half]
    repository.create_tag("half", session.commit("January to June", metadata={"author": "make.py"}))
    session = repository.writable_session("main")
    for name in curves:
        zarr.open_array(session.store, path=name)[half:] = store[f"sun/{name}"][half:]
    session.commit("July to December")
    shutil.rmtree(path / "overwritten")  # earlier states of the file repo, which nothing reads


def write_zip(store):
    """The group, its chunks not compressed again."""
    with zarr.storage.ZipStore(anew("sun.zip"), mode="w") as target:
        root = zarr.create_group(target, attributes=dict(store["sun"].attrs))
        for name, source in store["sun"].arrays():
            chunks = {"chunks": source.write_chunk_sizes} if source.ndim else {}
            made = root.create_array(name, shape=source.shape, dtype=source.dtype, dimension_names=source.metadata.dimension_names,
                                     attributes=dict(source.attrs), **chunks)
            made[...] = source[...]


def write_cities(store):
    """Points with their names, and a series of each."""
    ghi, scale = store["ghi"], store["ghi"].attrs["scale_factor"]
    with cfdb.open_dataset(anew("cities.cfdb"), "n", dataset_type="ts_ortho", n_buckets=200) as ds:
        points = np.array([shapely.Point(lon, lat) for lat, lon in CITIES.values()], dtype=object)
        ds.create.coord.generic("point", data=points, dtype=dtypes.dtype("point", precision=1), chunk_shape=(4,))
        ds.create.coord.generic("time", data=np.datetime64("2024-01-01", "D") + np.arange(ghi.shape[0]), chunk_shape=(366,))
        energy = ds.create.data_var.generic("energy", ("point", "time"), dtype="float32", chunk_shape=(1, 366))
        energy[:] = np.array([ghi[:, lat + 90, lon + 180] * scale for lat, lon in CITIES.values()], dtype="float32")
        energy.attrs["units"] = "kWh m-2 d-1"
        name = ds.create.data_var.generic("name", ("point",), dtype="str", chunk_shape=(4,))
        name[:] = np.array(list(CITIES), dtype=np.dtypes.StringDType(na_object=None))
        ds.attrs["title"] = "Clear-sky solar energy at three places"


def write_levels(store):
    """Altitude of land, north first, with the attributes that zarr-conventions gives a pyramid."""
    root = zarr.create_group(anew("altitude.zarr"))
    source = store["inputs/altitude"]
    altitude = np.where(source[...] == source.fill_value, np.nan, source[...])[::-1]
    layout = []
    for level, (degrees, rows, columns) in LEVELS.items():
        warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing but sea
        shape = (180 // degrees, 360 // degrees)
        blocks = altitude.reshape(shape[0], degrees, shape[1], degrees)
        values = np.round(np.nanmean(blocks, axis=(1, 3))).astype("float32")
        entry = {"asset": level, "spatial:shape": shape, "transform": {"scale": [degrees / 2] * 2, "translation": [0, 0]}}
        layout.append(entry if level == "0" else entry | {"derived_from": "0"})
        group = root.create_group(level)
        places = {"lat": 90 - degrees * (np.arange(shape[0]) + 0.5), "lon": -180 + degrees * (np.arange(shape[1]) + 0.5)}
        for name, units in (("lat", "degrees_north"), ("lon", "degrees_east")):
            group.create_array(name, data=places[name], dimension_names=[name], attributes={"units": units})
        made = group.create_array("altitude", shape=shape, dtype="float32", chunks=[rows, columns], fill_value=np.nan,
                                  dimension_names=["lat", "lon"], attributes={"long_name": source.attrs["long_name"], "units": "m"})
        made[...] = values
    root.update_attributes({"multiscales": {"layout": layout}, "proj:code": "EPSG:4326", "spatial:bbox": [-180.0, -90.0, 180.0, 90.0],
                            "spatial:dimensions": ["lat", "lon"]})
    zarr.consolidate_metadata(DATA / "altitude.zarr")


def write_cells(store):
    """Altitude at the centre of each HEALPix cell that has land there."""
    source = store["inputs/altitude"]
    cells = np.arange(12 * 4**CELLS, dtype="uint64")
    lon, lat = healpix_geo.nested.healpix_to_lonlat(cells, CELLS, ellipsoid="WGS84")
    altitude = source[...][(lat + 90).astype(int), ((lon + 180) % 360).astype(int)]
    cells, altitude = cells[altitude != source.fill_value], altitude[altitude != source.fill_value]
    edges = np.unique(cells >> np.uint64(2 * (CELLS - PARENTS)), return_counts=True)[1].tolist()
    wgs84 = {"name": "WGS84", "semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
    dggs = {"name": "healpix", "refinement_level": CELLS, "indexing_scheme": "nested", "spatial_dimension": "cells", "coordinate": "cell_ids",
            "compression": "none", "ellipsoid": wgs84}
    root = zarr.create_group(anew("land.zarr"), attributes={"dggs": dggs})
    root.create_array("cell_ids", data=cells, dimension_names=["cells"])
    made = root.create_array("altitude", shape=altitude.shape, dtype="int16", chunks=[edges], dimension_names=["cells"],
                             attributes={"long_name": source.attrs["long_name"], "units": "m"})
    made[...] = altitude
    zarr.consolidate_metadata(DATA / "land.zarr")


def write_parts(path):
    zarr.config.set({"array.rectilinear_chunks": True})
    store = zarr.open_group(path, mode="r")
    for write in (write_months, write_repository, write_zip, write_cities, write_levels, write_cells):
        write(store)


if __name__ == "__main__":
    write_parts(DATA / "clear-sky-2024.zarr")
