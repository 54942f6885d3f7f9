"""Writes pyramids as the field's writers do, and the tiles that rasterio resamples from them.

    python tests/neighbours/levels_sets.py /tmp/sets/levels [EOPF.json DEM.json ARRAYS.json OME.json]

The other files are documents that others wrote: the hierarchy of a Sentinel-2 product in EOPF-Explorer/data-model
(tests/_test_data/optimized_geozarr_examples), two examples of zarr-conventions/multiscales (dem-multiresolution and
array-based-pyramid), and one of ome/ngff-spec 0.6rc0 (multiscales_example). Without them, their copies stay.
`tiles.json` lists tiles with their values, null for missing ones. Codecs of data are changed to make files small.
"""

import json
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import ome_zarr.writer
import rasterio
import rioxarray  # noqa: F401
import topozarr
import xarray as xr
import zarr
from ndpyramid import pyramid_coarsen, pyramid_reproject
from ome_zarr.format import FormatV04, FormatV05
from rasterio.warp import Resampling, reproject
from rioxarray.enum import Convention

warnings.filterwarnings("ignore")


def fresh(path: Path) -> Path:
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def smaller(path: Path) -> None:
    """Compresses an array anew, in one chunk; everything else stays as it was written."""
    was = zarr.open_array(str(path), mode="r")
    more = {"fill_value": was.fill_value, "attributes": dict(was.attrs), "dimension_names": was.metadata.dimension_names}
    blosc = zarr.codecs.BloscCodec(cname="zstd", clevel=9, shuffle="shuffle")
    values = was[...]
    chunks = tuple(min(size, 200) for size in was.shape)
    now = zarr.create_array(str(path), shape=was.shape, dtype=was.dtype, chunks=chunks, compressors=blosc, overwrite=True, **more)
    now[...] = values


def documents(path: Path, nodes: dict[str, dict]) -> None:
    """Writes one consolidated document for a hierarchy whose metadata only is known."""
    root = dict(nodes[""])
    members = {name: node for name, node in nodes.items() if name}
    root["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": members}
    fresh(path).mkdir(parents=True)
    (path / "zarr.json").write_text(json.dumps(root) + "\n")


def array_of(shape, names, attributes=None, dtype="uint16", fill_value=0) -> dict:
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}]
    grid = {"name": "regular", "configuration": {"chunk_shape": shape}}
    keys = {"name": "default", "configuration": {"separator": "/"}}
    known = {"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": dtype, "chunk_grid": grid, "chunk_key_encoding": keys}
    return known | {"fill_value": fill_value, "codecs": codecs, "dimension_names": names, "attributes": attributes or {}}


def group_of(attributes=None) -> dict:
    return {"zarr_format": 3, "node_type": "group", "attributes": attributes or {}}


def grid(height, width, edge, left, top, name="band", crs="EPSG:32633"):
    """A grid whose values name their places: 1000 row + column."""
    row, col = np.mgrid[0:height, 0:width]
    coords = {"y": top - edge * (np.arange(height) + 0.5), "x": left + edge * (np.arange(width) + 0.5)}
    return xr.Dataset({name: (("y", "x"), (1000 * row + col).astype("f4"))}, coords=coords).rio.write_crs(crs)


def topo(folder: Path) -> None:
    """The pyramid of topozarr, and the same with less and less said about its transforms."""
    import xproj  # noqa: F401

    ds = grid(600, 800, 10, 500000, 5000000).drop_vars("spatial_ref").proj.assign_crs(spatial_ref="EPSG:32633")
    pyramid = topozarr.create_pyramid(ds, levels=3)
    path = fresh(folder / "topozarr.zarr")
    pyramid.write(str(path))
    for level in "012":
        smaller(path / level / "band")
    zarr.consolidate_metadata(str(path))


def cf(folder: Path) -> None:
    """A grid with rioxarray's two conventions, and one of the whole Earth from 0 to 360 degrees, packed, with gaps."""
    small = grid(3, 4, 10, 0, 30)
    declared = small.drop_vars("spatial_ref")
    for write in ("write_crs", "write_transform"):
        more = {"input_crs": "EPSG:32633"} if write == "write_crs" else {"transform": small.rio.transform()}
        declared = getattr(declared.rio, write)(**more, convention=Convention.ZARR)
    declared.to_zarr(fresh(folder / "rioxarray.zarr"), zarr_format=3, consolidated=True)
    mapped = small.rio.write_transform(small.rio.transform())
    mapped.drop_vars(["x", "y"]).to_zarr(fresh(folder / "cf.zarr"), zarr_format=2, consolidated=True)
    earth().to_zarr(fresh(folder / "earth.zarr"), zarr_format=3, consolidated=True, encoding={"t": {"dtype": "int16", "scale_factor": 0.01, "_FillValue": -9999, "chunks": (1, 18, 36)}})


def earth() -> xr.Dataset:
    lat, lon = 87.5 - 5 * np.arange(36.0), 5 * np.arange(72.0) + 2.5
    values = 20 * np.sin(np.radians(lat))[:, None] + 10 * np.cos(np.radians(2 * lon))[None, :]
    values[10:13, 70:] = np.nan
    values[20, 5] = np.nan
    axes = {"lat": ("lat", lat, {"units": "degrees_north"}), "lon": ("lon", lon, {"units": "degrees_east"})}
    return xr.Dataset({"t": (("time", "lat", "lon"), np.stack([values, values + 1]))}, coords={"time": [0, 1], **axes})


def ome(folder: Path) -> None:
    image = (np.arange(2 * 3 * 64 * 96) % 251).astype("u1").reshape(2, 3, 64, 96)
    channels = [{"color": "FF0000", "label": "red", "active": True, "window": {"min": 0, "max": 255, "start": 0, "end": 200}}, {"color": "#00FF00", "label": "green"}]
    for name, fmt in [("ome-0.4.zarr", FormatV04()), ("ome-0.5.zarr", FormatV05())]:
        path = fresh(folder / name)
        root = zarr.open_group(str(path), mode="w", zarr_format=fmt.zarr_format)
        ome_zarr.writer.write_image(image, root, fmt=fmt, axes="czyx", metadata={}, storage_options={"chunks": (2, 3, 64, 96)})
        omero = {"channels": channels, "rdefs": {"defaultT": 0, "defaultZ": 1, "model": "color"}}
        if fmt.zarr_format == 2:
            root.attrs["omero"] = omero
        else:
            root.attrs["ome"] = {**root.attrs["ome"], "omero": omero}


def nd(folder: Path) -> None:
    coarse = pyramid_coarsen(grid(64, 64, 1, 0, 64, "t"), factors=[4, 2, 1], dims=["x", "y"])
    coarse.to_zarr(fresh(folder / "ndpyramid.zarr"), zarr_format=3, consolidated=True)
    ds = earth().isel(time=0, drop=True).rename(lat="y", lon="x")
    ds = ds.assign_coords(x=(ds.x + 180) % 360 - 180).sortby("x").rio.write_crs("EPSG:4326").fillna(0)
    web = pyramid_reproject(ds, levels=2, pixels_per_tile=16, resampling="nearest")
    web.to_zarr(fresh(folder / "ndpyramid-web.zarr"), zarr_format=3, consolidated=True)


def gdal(folder: Path) -> None:
    """As GDAL 3.13 writes overviews, by its driver's source: the base is an array, and the overviews are groups."""
    from pyproj import CRS

    utm = CRS.from_epsg(32633)
    crs = {"_CRS": {"wkt": utm.to_wkt("WKT2_2019"), "url": "http://www.opengis.net/def/crs/EPSG/0/32633"}}
    level = lambda shape: array_of(shape, ["y", "x"], dict(crs))  # noqa: E731
    layout = [
        {"asset": "data", "transform": {"scale": [1.0, 1.0]}},
        {"asset": "ovr_2x", "derived_from": "data", "transform": {"scale": [2.0, 2.0], "translation": [0.0, 0.0]}, "resampling_method": "average"},
        {"asset": "ovr_4x", "derived_from": "ovr_2x", "transform": {"scale": [2.0, 2.0], "translation": [0.0, 0.0]}, "resampling_method": "average"},
    ]
    base = level([100, 200])
    base["attributes"] |= {"spatial:transform": [10, 0, 500000, 0, -10, 5000000], "spatial:dimensions": ["y", "x"]}
    uuid = "d35379db-88df-4056-af3a-620245f8e347"
    nodes = {"": group_of({"zarr_conventions": [{"uuid": uuid}], "multiscales": {"layout": layout}}), "data": base}
    for name, shape in [("ovr_2x", [50, 100]), ("ovr_4x", [25, 50])]:
        nodes |= {name: group_of(), f"{name}/data": level(shape)}
    documents(folder / "gdal.zarr", nodes)


def matrices(folder: Path) -> None:
    """As GeoZarr 0.4 lists matrices, by the model in data-model's multiscales/tms.py."""
    edge = {"0": 10, "1": 20, "2": 40}
    rows = [
        {"id": name, "scaleDenominator": size / 0.00028, "cellSize": float(size), "pointOfOrigin": [300000.0, 5100000.0], "tileWidth": 256, "tileHeight": 256, "matrixWidth": 4 // 2 ** int(name) or 1, "matrixHeight": 4 // 2 ** int(name) or 1}
        for name, size in edge.items()
    ]
    tms = {"id": "Native_CRS_32632", "supportedCRS": "http://www.opengis.net/def/crs/EPSG/0/32632", "orderedAxes": ["X", "Y"], "tileMatrices": rows}
    nodes = {"": group_of({"multiscales": {"tile_matrix_set": tms, "resampling_method": "average"}})}
    for name in edge:
        size = 1024 // 2 ** int(name)
        nodes |= {name: group_of(), f"{name}/b02": array_of([size, size], ["y", "x"])}
    documents(folder / "tile-matrix-set.zarr", nodes)


def copied(folder: Path, eopf: str, dem: str, arrays: str, ome_06: str) -> None:
    product = json.loads(Path(eopf).read_text())
    reflectance = product["members"]["measurements"]["members"]["reflectance"]
    nodes = {"": group_of(reflectance["attributes"])}
    for name, level in reflectance["members"].items():
        nodes[name] = group_of(level["attributes"])
        for band in ("b02", "b05", "b08", "spatial_ref", "x", "y"):
            if band in level["members"]:
                nodes[f"{name}/{band}"] = level["members"][band]
    documents(folder / "eopf.zarr", nodes)
    for name, source in [("spec-dem", dem), ("spec-arrays", arrays), ("spec-ome-0.6", ome_06)]:
        # The specification's own example has comments.
        lines = [line for line in Path(source).read_text().splitlines() if not line.strip().startswith("//")]
        (folder / f"{name}.json").write_text(json.dumps(json.loads("\n".join(lines))) + "\n")


HALF = np.pi * 6378137


def tile_box(z, x, y, degrees=False):
    edge = (180 if degrees else 2 * HALF) / 2**z
    left, top = (-180, 90) if degrees else (-HALF, HALF)
    return left + x * edge, top - y * edge, edge


def warped(values, transform, crs, z, x, y, size, method, degrees=False):
    """One tile by rasterio: without its approximation of transforms, and without its filter for coarser pixels."""
    left, top, edge = tile_box(z, x, y, degrees)
    target = np.full((size, size), np.nan, "f8")
    to = rasterio.Affine(edge / size, 0, left, 0, -edge / size, top)
    exact = {"tolerance": 0, "XSCALE": 1, "YSCALE": 1, "SAMPLE_GRID": "NO"}
    modes = {"nearest": Resampling.nearest, "bilinear": Resampling.bilinear}
    reproject(values.astype("f8"), target, src_transform=transform, src_crs=crs, dst_transform=to, dst_crs="OGC:CRS84" if degrees else "EPSG:3857", src_nodata=np.nan, dst_nodata=np.nan, resampling=modes[method], **exact)
    return [None if np.isnan(value) else float(f"{value:.8g}") for value in target.ravel()]


def tiles(folder: Path) -> None:
    found = []
    ds = earth()
    # From -540 to 540 degrees: no pixel of a tile is near an edge of the source.
    for time in (0, 1):
        values = np.round(ds.t.values[time] * 100) / 100
        wide = np.tile(values, (1, 3))
        affine = rasterio.Affine(5, 0, -360, 0, -5, 90)
        for z, x, y in [(0, 0, 0), (2, 0, 1), (2, 1, 1), (2, 2, 2), (3, 7, 3), (3, 4, 3), (5, 16, 13), (5, 15, 13)]:
            for method in ("nearest", "bilinear"):
                if time == 0 or z == 2:
                    found.append({"store": "earth.zarr", "select": {"time": time}, "zxy": [z, x, y], "method": method, "size": 16, "values": warped(wide, affine, "OGC:CRS84", z, x, y, 16, method)})
        for z, x, y in [(0, 0, 0), (1, 1, 0), (4, 16, 5), (4, 15, 5)]:
            found.append({"store": "earth.zarr", "select": {"time": time}, "grid": "own", "zxy": [z, x, y], "method": "bilinear", "size": 16, "values": warped(wide, affine, "OGC:CRS84", z, x, y, 16, "bilinear", True)})
    for level, zxy in enumerate([(13, 4437, 2942), (12, 2219, 1471), (11, 1109, 735)]):
        band = xr.open_zarr(folder / "topozarr.zarr" / str(level), consolidated=False).band.values
        edge = 10 * 2**level
        affine = rasterio.Affine(edge, 0, 500000, 0, -edge, 5000000)
        for method in ("nearest", "bilinear"):
            found.append({"store": "topozarr.zarr", "level": level, "zxy": zxy, "method": method, "size": 16, "values": warped(band, affine, "EPSG:32633", *zxy, 16, method)})
    web = xr.open_zarr(folder / "ndpyramid-web.zarr" / "1", consolidated=False).t.values
    affine = rasterio.Affine(2 * HALF / 32, 0, -HALF, 0, -2 * HALF / 32, HALF)
    for zxy in [(1, 0, 0), (1, 1, 1), (2, 1, 2)]:
        for method in ("nearest", "bilinear"):
            found.append({"store": "ndpyramid-web.zarr", "level": 0, "zxy": zxy, "method": method, "size": 16, "values": warped(web, affine, "EPSG:3857", *zxy, 16, method)})
    (folder / "tiles.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    for write in (topo, cf, ome, nd, gdal, matrices):
        write(target)
    if len(sys.argv) > 2:
        copied(target, *sys.argv[2:])
    tiles(target)
