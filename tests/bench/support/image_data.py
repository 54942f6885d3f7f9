"""Write arrays of GRIB2 messages and of JPEG 2000 images for the bench of codecs, with ecCodes and imagecodecs.

    python tests/bench/support/image_data.py OUTDIR

Writes NAME.bin and NAME.json as `data.py` does; arrays that exist already are kept. The packages are those of
tests/neighbours/requirements.txt.
"""

import json
import sys
from pathlib import Path

import eccodes
import imagecodecs
import numpy as np

EDGE = 512
# JPEG 2000 takes some twenty times as long as the other packings, so its arrays are short.
PACKINGS = {"simple": ("grid_simple", 16), "complex": ("grid_complex_spatial_differencing", 16), "ccsds": ("grid_ccsds", 16), "jpeg": ("grid_jpeg", 4)}


def rough_field(chunks: int) -> np.ndarray:
    rows, columns = np.mgrid[0 : chunks * EDGE, 0:EDGE].astype("float64")
    noise = np.random.default_rng(5).normal(0, 0.05, rows.shape)
    return 280 + 20 * np.sin(rows / 200) * np.cos(columns / 300) + 3 * np.sin(rows / 37 + columns / 23) + noise


def message(values: np.ndarray, packing: str) -> bytes:
    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    for key in ("Ni", "Nj"):
        eccodes.codes_set(handle, key, EDGE)
    eccodes.codes_set(handle, "packingType", packing)
    eccodes.codes_set(handle, "bitsPerValue", 16)
    eccodes.codes_set_values(handle, values.ravel())
    packed = eccodes.codes_get_message(handle)
    eccodes.codes_release(handle)
    return packed


def put(out: Path, name: str, values: np.ndarray, codec: str, chunks: list[bytes]) -> None:
    grid = {"name": "regular", "configuration": {"chunk_shape": [EDGE, EDGE]}}
    document = {"zarr_format": 3, "node_type": "array", "shape": list(values.shape), "data_type": values.dtype.name, "chunk_grid": grid}
    document |= {"chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": [codec], "attributes": {}}
    stored = {"/zarr.json": json.dumps(document).encode()} | {f"/c/{nth}/0": chunk for nth, chunk in enumerate(chunks)}
    places, content = {}, b""
    for key, value in stored.items():
        places[key] = [len(content), len(content) + len(value)]
        content += value
    (out / f"{name}.bin").write_bytes(content)
    (out / f"{name}.json").write_text(json.dumps(places))
    print(f"  {name}: {len(chunks)} chunks, {len(content) / 2**20:.1f} MiB")


def main(out: Path) -> None:
    for name, (packing, count) in PACKINGS.items():
        if not (out / f"image-grib-{name}.json").exists():
            field = rough_field(count)
            put(out, f"image-grib-{name}", field, "gribberish", [message(part, packing) for part in np.split(field, count)])
    if not (out / "image-jpeg2k.json").exists():
        field = np.round(rough_field(4) * 100).astype("uint16")
        put(out, "image-jpeg2k", field, "imagecodecs_jpeg2k", [imagecodecs.jpeg2k_encode(part, reversible=True) for part in np.split(field, 4)])


main(Path(sys.argv[1]))
