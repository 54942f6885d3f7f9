"""Write GRIB2 messages of every packing that is read, with the values that ecCodes reads of them.

    python tests/neighbours/grib_sets.py /tmp/sets/grib

The packages are those of requirements.txt beside. Two runs give the same bytes.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any, Callable

import eccodes
import gribberish
import numpy as np

from grib_messages import COLUMNS, MISSING, POINTS, ROWS, message, values_of

WAVE = 280 + 10 * np.sin(np.arange(POINTS) / 37)
NOISE = np.random.default_rng(1).normal(0, 50, POINTS)
STEPS = np.where(np.arange(POINTS) % 97 < 60, 0, np.floor(NOISE))


def with_section(grib: bytes, number: int, change: Callable[[bytearray], bytes]) -> bytes:
    """The message with one section written anew."""
    made, at = bytearray(grib[:16]), 16
    while grib[at : at + 4] != b"7777":
        length = struct.unpack(">I", grib[at : at + 4])[0]
        section = bytearray(grib[at : at + length])
        at += length
        if section[4] == number:
            section = bytearray(change(section))
            section[:4] = struct.pack(">I", len(section))
        made += section
    made += b"7777"
    made[8:16] = struct.pack(">Q", len(made))
    return bytes(made)


def bits_of(numbers: list[tuple[int, int]]) -> bytes:
    """Numbers and their widths as bits, up to a whole byte."""
    text = "".join(f"{number:0{width}b}" for number, width in numbers if width > 0)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8))


def with_missing(management: int, order: int) -> bytes:
    """Complex packing with numbers that stand for missing points, which ecCodes reads but does not write."""
    rng = np.random.default_rng(10 * management + order)
    numbers = np.cumsum(rng.integers(-3, 4, POINTS)) + 200
    gone = rng.random(POINTS) < 0.1
    gone[100:140] = True
    second = gone & (rng.random(POINTS) < 0.5) if management == 2 else np.zeros(POINTS, bool)
    stored, there = numbers.copy(), np.flatnonzero(~gone)
    extra: list[int] = []
    if order:
        present = numbers[there]
        extra = [int(value) for value in present[:order]]
        differences = np.diff(present, order)
        least = int(differences.min())
        extra.append(least)
        stored[there] = np.concatenate([np.zeros(order, int), differences - least])
    edges = [*range(0, 100, 20), 100, 140, *range(150, POINTS, 30), POINTS]
    groups = []
    for start, stop in zip(edges, edges[1:]):
        inside = stored[start:stop][~gone[start:stop]]
        reference = int(inside.min()) if len(inside) else 255
        span = int(inside.max()) - reference if len(inside) else 0
        # All ones, and with secondary missing values the number before, are no values.
        width = 0 if len(inside) == 0 and not second[start:stop].any() else int(span + management).bit_length() or 1
        if len(inside) == 0 and width:
            reference = 0
        groups.append((start, stop, reference, width))
    body = b"".join(struct.pack(">H", abs(value) | (0x8000 if value < 0 else 0)) for value in extra)
    body += bits_of([(reference, 8) for _, _, reference, _ in groups])
    body += bits_of([(width, 5) for _, _, _, width in groups])
    body += bits_of([(stop - start, 8) for start, stop, _, _ in groups])
    packed = []
    for start, stop, reference, width in groups:
        ones = (1 << width) - 1
        for at in range(start, stop):
            number = (ones - 1 if second[at] else ones) if gone[at] else int(stored[at]) - reference
            packed.append((number, width))
    body += bits_of(packed)

    def packing(section: bytearray) -> bytes:
        template = 3 if order else 2
        made = bytearray(section[:11]) + struct.pack(">fHHBB", 100.0, 1, 1, 8, 0)
        made[9:11] = struct.pack(">H", template)
        made += struct.pack(">BBIIIBBIBIB", 1, management, 0x461C3C00, 0x461C3800, len(groups), 0, 5, 0, 1, groups[-1][1] - groups[-1][0], 8)
        return bytes(made + (struct.pack(">BB", order, 2) if order else b""))

    grib = message(WAVE, "grid_simple")
    grib = with_section(grib, 5, packing)
    return with_section(grib, 7, lambda section: bytes(section[:5]) + body)


def cases() -> dict[str, tuple[bytes, dict[str, Any]]]:
    """Messages by name, each with the codec's configuration."""
    made: dict[str, tuple[bytes, dict[str, Any]]] = {}

    def put(name: str, grib: bytes, **configuration: Any) -> None:
        made[name] = (grib, configuration)

    with_gaps = STEPS.copy()
    with_gaps[[0, 5, 6, 300, POINTS - 1]] = MISSING
    packings = {
        "simple": "grid_simple",
        "complex": "grid_complex",
        "differences": "grid_complex_spatial_differencing",
        "ccsds": "grid_ccsds",
        "png": "grid_png",
        "jpeg2000": "grid_jpeg",
    }
    for short, packing in packings.items():
        # ecCodes has too little room for images of noise.
        many = [1, 2, 4, 8, 16, 24, 32] if short == "png" else [8, 16, 24]
        for field, values, widths in [("wave", WAVE, [16]), ("noise", NOISE, many), ("steps", STEPS, [12])]:
            values = STEPS if short in ("png", "jpeg2000") else values
            for bits in widths:
                put(f"{short}-{field}-{bits}", message(values, packing, bitsPerValue=bits))
        put(f"{short}-decimal", message(WAVE, packing, decimalScaleFactor=2, bitsPerValue=16))
        put(f"{short}-bitmap", message(with_gaps, packing, bitmapPresent=1, missingValue=MISSING, bitsPerValue=16))
        if short in ("simple", "complex", "differences"):  # ecCodes writes no constant fields of the others
            put(f"{short}-constant", message(np.full(POINTS, 271.5), packing))
    for order in [1, 2]:
        put(f"differences-{order}", message(WAVE, "grid_complex_spatial_differencing", orderOfSpatialDifferencing=order, bitsPerValue=16))
    for precision in [1, 2]:
        put(f"ieee-{32 * precision}", message(NOISE, "grid_ieee", precision=precision))
    for management in [1, 2]:
        for order in [0, 1, 2]:
            put(f"missing-{management}-{order}", with_missing(management, order))
    put("constant-decimal", message(np.full(POINTS, 2.0), "grid_simple", decimalScaleFactor=2))
    put("bytes-after", message(WAVE, "grid_simple") + b"\0" * 9)
    south = WAVE.reshape(ROWS, COLUMNS)[::-1].ravel()
    upwards = {"jScansPositively": 1, "latitudeOfFirstGridPointInDegrees": -90, "latitudeOfLastGridPointInDegrees": 90}
    flags = {"adjust_longitude_range": True, "north_up": True}
    put("north-first", message(WAVE, "grid_simple"), **flags)
    put("south-first", message(south, "grid_simple", **upwards), **flags)
    put("south-first-as-it-is", message(south, "grid_simple", **upwards))
    for short, packing in packings.items():
        # No point is there, and of images nothing is written.
        put(f"{short}-none", message(np.full(POINTS, MISSING), packing, bitmapPresent=1, missingValue=MISSING))
    return made


def grids() -> dict[str, bytes]:
    """Messages whose grids differ, for the latitudes and longitudes that ecCodes calculates."""
    upwards = {"jScansPositively": 1, "latitudeOfFirstGridPointInDegrees": -90, "latitudeOfLastGridPointInDegrees": 90}
    westwards = {"iScansNegatively": 1, "longitudeOfFirstGridPointInDegrees": 350, "longitudeOfLastGridPointInDegrees": 0}
    thirds = {"iDirectionIncrementInDegrees": 1 / 3, "longitudeOfFirstGridPointInDegrees": 353, "longitudeOfLastGridPointInDegrees": 353 + 35 / 3 - 360}
    variants = {"plain": {}, "upwards": upwards, "westwards": westwards, "columns": {"jPointsAreConsecutive": 1}, "across": thirds}
    return {f"grid-{name}": message(WAVE, "grid_simple", **keys) for name, keys in variants.items()}


def coordinates_of(grib: bytes) -> dict[str, np.ndarray]:
    """The latitude and the longitude of each point, as ecCodes gives them."""
    handle = eccodes.codes_new_from_message(grib)
    found = {name: eccodes.codes_get_array(handle, f"{name}s") for name in ("latitude", "longitude")}
    eccodes.codes_release(handle)
    return found


def main(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    index = []
    for name, (grib, configuration) in cases().items():
        values = values_of(grib)
        if configuration:
            # The order of rows and columns is gribberish's own.
            values = gribberish.parse_grib_array(grib, 0, configuration["adjust_longitude_range"], configuration["north_up"])
        (target / f"{name}.grib2").write_bytes(grib)
        (target / f"{name}.bin").write_bytes(values.astype("<f8").tobytes())
        index.append({"name": name, "configuration": configuration})
    for name, grib in grids().items():
        (target / f"{name}.grib2").write_bytes(grib)
        for coordinate, values in coordinates_of(grib).items():
            (target / f"{name}-{coordinate}.bin").write_bytes(values.astype("<f8").tobytes())
    whole = {"points": POINTS, "shape": [ROWS, COLUMNS], "messages": index, "grids": list(grids())}
    (target / "index.json").write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
