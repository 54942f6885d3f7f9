"""Write GRIB2 messages with ecCodes, and the virtual stores over them: an Icechunk repository and kerchunk references.

    python tests/neighbours/forecast_sets.py /tmp/sets/forecast

The packages are those of requirements.txt beside. Ids of the repository are new with each run; the values stay. The
repository knows the file of messages by the place below, where a link to the fixtures stands while this runs.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import icechunk
import numpy as np
from zarr.core.buffer import default_buffer_prototype

from grib_messages import COLUMNS, MISSING, POINTS, ROWS, message, values_of

PLACE = Path("/tmp/rectilinear-zarr-forecast")
PREFIX = f"file://{PLACE}/"
SHAPE = (ROWS, COLUMNS)
PACKINGS = ["grid_simple", "grid_complex", "grid_complex_spatial_differencing", "grid_ccsds"]
FLAGS = {"var": "TMP", "adjust_longitude_range": True, "north_up": True}


def field(step: int) -> np.ndarray:
    """The values of a step, rows from the north."""
    return 280 + step + 10 * np.sin(np.arange(POINTS) / 37)


def document(shape: tuple[int, ...], codecs: list[dict[str, Any]]) -> bytes:
    """Metadata of an array whose chunks are one message each."""
    grid = {"name": "regular", "configuration": {"chunk_shape": [1, *shape[1:]]}}
    return json.dumps(
        {
            "zarr_format": 3,
            "node_type": "array",
            "shape": shape,
            "data_type": "float64",
            "chunk_grid": grid,
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": "NaN",
            "codecs": codecs,
            "attributes": {"units": "degC"},
            "dimension_names": ["step", "latitude", "longitude"],
        }
    ).encode()


def gribberish(**configuration: Any) -> list[dict[str, Any]]:
    return [{"name": "gribberish", "configuration": configuration}]


def write_repository(folder: Path, arrays: dict[str, tuple[bytes, list[tuple[int, int]]]]) -> None:
    """A repository of arrays: metadata, and for each chunk offset and length in the file of messages."""
    config = icechunk.RepositoryConfig.default()
    place = icechunk.local_filesystem_store(str(PLACE))
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(PREFIX, place))
    access = {PREFIX: icechunk.credentials.LocalFileSystemAccess}
    repository = icechunk.Repository.create(icechunk.local_filesystem_storage(str(folder)), config, access)
    session = repository.writable_session("main")
    make = default_buffer_prototype().buffer.from_bytes

    async def fill() -> None:
        group = {"zarr_format": 3, "node_type": "group", "attributes": {}}
        await session.store.set("zarr.json", make(json.dumps(group).encode()))
        for name, (metadata, _) in arrays.items():
            await session.store.set(f"{name}/zarr.json", make(metadata))

    asyncio.run(fill())
    for name, (_, chunks) in arrays.items():
        for nth, (offset, length) in enumerate(chunks):
            session.store.set_virtual_ref(f"{name}/c/{nth}/0/0", f"{PREFIX}forecast/steps.grib2", offset=offset, length=length)
    session.commit("References")


def main(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    steps = [message(field(step), packing, bitsPerValue=16) for step, packing in enumerate(PACKINGS)]
    south = {"jScansPositively": 1, "latitudeOfFirstGridPointInDegrees": -90, "latitudeOfLastGridPointInDegrees": 90}
    turned = message(field(0).reshape(SHAPE)[::-1].ravel(), PACKINGS[0], bitsPerValue=16, **south)
    holes = field(0)
    holes[[3, 40, 41, 300, 683]] = MISSING
    bitmap = message(holes, PACKINGS[0], bitsPerValue=16, bitmapPresent=1, missingValue=MISSING)
    second_order = message(field(0), "grid_second_order", bitsPerValue=16)
    parts = [*steps, turned, bitmap, second_order]
    (out / "steps.grib2").write_bytes(b"".join(parts))
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    places = [(start, len(part)) for start, part in zip(starts, parts)]

    four, one, flags = (4, *SHAPE), (1, *SHAPE), gribberish(**FLAGS)
    offset = [{"name": "scale_offset", "configuration": {"offset": -273.15}}]
    arrays = {
        "t2m": (document(four, offset + flags), places[:4]),
        "as-stored": (document(four, gribberish(var="TMP")), places[:4]),
        "bare": (document(four, [{"name": "gribberish"}]), places[:4]),
        "turned": (document(one, offset + flags), [places[4]]),
        "bitmap": (document(one, gribberish(var="TMP")), [places[5]]),
        "second-order": (document(one, gribberish(var="TMP")), [places[6]]),
        "short": (document(one, gribberish(var="TMP")), [(places[0][0], places[0][1] - 40)]),
        "narrow": (document((1, ROWS, COLUMNS - 1), gribberish(var="TMP")), [places[0]]),
    }
    PLACE.mkdir(parents=True, exist_ok=True)
    link = PLACE / "forecast"
    link.unlink(missing_ok=True)
    link.symlink_to(out.resolve())
    try:
        write_repository(out / "repository", arrays)
    finally:
        link.unlink()

    filters = {
        "kerchunk": {"id": "grib", "var": "t2m", "dtype": "float64"},
        "gribscan": {"id": "gribscan.rawgrib"},
        "rawgrib": {"id": "rawgrib"},
    }
    references: dict[str, Any] = {".zgroup": json.dumps({"zarr_format": 2})}
    for name, codec in filters.items():
        zarray = {"zarr_format": 2, "shape": four, "chunks": one, "dtype": "<f8", "fill_value": "NaN", "order": "C", "filters": [codec], "compressor": None}
        references[f"{name}/.zarray"] = json.dumps(zarray)
        for nth, place in enumerate(places[:4]):
            references[f"{name}/{nth}.0.0"] = ["steps.grib2", *place]
    (out / "references.json").write_text(json.dumps({"version": 1, "refs": references}, indent=1) + "\n")

    read = np.stack([values_of(step).reshape(SHAPE) for step in steps])
    # North is up already; the columns are turned to begin at 180 degrees west.
    wanted = {
        "t2m": np.roll(read, COLUMNS // 2, axis=2) - 273.15,
        "as-stored": read,
        "turned": np.roll(values_of(turned).reshape(SHAPE)[::-1], COLUMNS // 2, axis=1)[None] - 273.15,
        "bitmap": values_of(bitmap).reshape(one),
    }
    for name, values in wanted.items():
        (out / f"{name}.bin").write_bytes(values.astype("<f8").tobytes())
    facts = {"lengths": [len(step) for step in steps], "shape": four, "missing": int(np.isnan(wanted["bitmap"]).sum())}
    (out / "index.json").write_text(json.dumps(facts) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
