"""Every array of the oracle, in the order of the index."""

from cases import blosc, codecs, dtypes, grids, large, metadata, missing, numcodecs_bytes, patterns, resized, streams

SMALL = [
    *dtypes.CASES,
    *codecs.CASES,
    *streams.CASES,
    *blosc.CASES,
    *numcodecs_bytes.CASES,
    *grids.CASES,
    *resized.CASES,
    *missing.CASES,
    *patterns.CASES,
    *metadata.CASES,
]
LARGE = large.CASES
