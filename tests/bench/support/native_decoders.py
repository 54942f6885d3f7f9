"""Decode the chunks of an array with a decoder that others compiled, for the bench of codecs.

    python tests/bench/support/native_decoders.py DECODER PLACES VALUES

All chunks are decoded once for each line that comes in, which is answered with the milliseconds and the bytes that came
of it. The package of the decoder alone is imported.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path


def by_eccodes() -> Callable[[bytes], int]:
    import eccodes

    def decode(packed: bytes) -> int:
        handle = eccodes.codes_new_from_message(packed)
        values = eccodes.codes_get_values(handle)
        eccodes.codes_release(handle)
        return values.nbytes

    return decode


def by_gribberish() -> Callable[[bytes], int]:
    import gribberish

    return lambda packed: gribberish.parse_grib_array(packed, 0).nbytes


def by_openjpeg() -> Callable[[bytes], int]:
    import imagecodecs

    return lambda packed: imagecodecs.jpeg2k_decode(packed).nbytes


def by_liblzma() -> Callable[[bytes], int]:
    import lzma

    return lambda packed: len(lzma.decompress(packed))


def by_pcodec() -> Callable[[bytes], int]:
    from pcodec import standalone

    return lambda packed: standalone.simple_decompress(packed).nbytes


def by_zfp() -> Callable[[bytes], int]:
    import zfpy

    return lambda packed: zfpy.decompress_numpy(packed).nbytes


DECODERS = {"eccodes": by_eccodes, "gribberish": by_gribberish, "openjpeg": by_openjpeg, "liblzma": by_liblzma, "pcodec": by_pcodec, "zfp": by_zfp}


def main(name: str, places: Path, values: Path) -> None:
    decode = DECODERS[name]()
    content = values.read_bytes()
    chunks = [content[start:stop] for key, (start, stop) in json.loads(places.read_text()).items() if key.startswith("/c/")]
    for _ in sys.stdin:
        started = time.perf_counter()
        decoded = sum(map(decode, chunks))
        print((time.perf_counter() - started) * 1000, decoded, flush=True)


main(sys.argv[1], *map(Path, sys.argv[2:]))
