"""Every array of the oracle, in the order of the index."""

from cases import (
    blosc,
    codecs,
    dtypes,
    grids,
    large,
    metadata,
    missing,
    numcodecs_bytes,
    numcodecs_lzma,
    patterns,
    resized,
    sharding,
    streams,
)

SMALL = [
    *dtypes.CASES,
    *codecs.CASES,
    *streams.CASES,
    *blosc.CASES,
    *numcodecs_bytes.CASES,
    *grids.CASES,
    *sharding.CASES,
    *resized.CASES,
    *missing.CASES,
    *patterns.CASES,
    *metadata.CASES,
]
# Those of codecs that the package leaves out have an index of their own, for builds with the feature.
INDEXES = {"index.json": SMALL, "index-lzma.json": numcodecs_lzma.CASES}
LARGE = {"index.json": large.CASES}
