"""Write chunks that are large enough for workers and take few bytes, by the codecs with modules of their own.

    python tests/neighbours/large_chunks.py /tmp/sets/large.json

The packages are those of requirements.txt beside. Two runs give the same bytes.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import eccodes
import imagecodecs
import numpy as np
from numcodecs import LZMA, Delta
from numcodecs.pcodec import PCodec
from numcodecs.zfpy import ZFPY

EDGE = 512
PERIOD = 256
RAMP = (np.arange(EDGE * EDGE) % PERIOD).astype("<i4")
LEVEL = np.full(EDGE * EDGE, 280.25, dtype="<f8")


def constant_message() -> bytes:
    """A GRIB2 message whose values are all the same."""
    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    for key in ("Ni", "Nj"):
        eccodes.codes_set(handle, key, EDGE)
    eccodes.codes_set_values(handle, LEVEL)
    return eccodes.codes_get_message(handle)


def image_message() -> bytes:
    """A GRIB2 message of the ramp as a JPEG 2000 image, without loss."""
    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    for key in ("Ni", "Nj"):
        eccodes.codes_set(handle, key, EDGE)
    eccodes.codes_set(handle, "packingType", "grid_jpeg")
    eccodes.codes_set(handle, "bitsPerValue", 8)
    eccodes.codes_set_values(handle, RAMP.astype("<f8"))
    assert eccodes.codes_get(handle, "dataRepresentationTemplateNumber") == 40
    assert np.array_equal(eccodes.codes_get_values(handle), RAMP)
    return eccodes.codes_get_message(handle)


def case(name: str, data_type: str, chunk: bytes, values: np.ndarray, codecs: list[dict[str, Any]]) -> dict[str, Any]:
    chunk = bytes(chunk)
    return {
        "module": name,
        "dataType": data_type,
        "codecs": codecs,
        "chunk": base64.b64encode(chunk).decode(),
        "first": float(values[0]),
        "step": float(values[1] - values[0]),
    }


def main(out: Path) -> None:
    named = lambda name, **configuration: {"name": name, "configuration": configuration}
    little = named("bytes", endian="little")
    zeros = np.zeros((EDGE, EDGE), dtype="<f4")
    cases = [
        case("lzma", "int32", LZMA().encode(RAMP.tobytes()), RAMP, [little, named("numcodecs.lzma")]),
        case("pcodec", "int32", PCodec().encode(RAMP), RAMP, [named("numcodecs.pcodec")]),
        case("zfp", "float32", ZFPY(mode=4, tolerance=0.1).encode(zeros), zeros.ravel(), [named("numcodecs.zfpy")]),
        case("grib", "float64", constant_message(), LEVEL, [named("gribberish", var="TMP")]),
    ]
    cases.append(case("grib and jpeg2000", "float64", image_message(), RAMP, [named("gribberish", var="TMP")]))
    image = imagecodecs.jpeg2k_encode(RAMP.astype("<u2").reshape(EDGE, EDGE), reversible=True)
    assert np.array_equal(imagecodecs.jpeg2k_decode(image).ravel(), RAMP)
    cases.append(case("jpeg2000", "uint16", image, RAMP, [little, named("imagecodecs_jpeg2k")]))
    delta = named("numcodecs.delta", dtype="<i4")
    cases.append(case("rare", "int32", LZMA().encode(Delta("<i4").encode(RAMP).tobytes()), RAMP, [delta, little, named("numcodecs.lzma")]))
    out.write_text(json.dumps({"edge": EDGE, "period": PERIOD, "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
