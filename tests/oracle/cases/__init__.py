"""Every array of the oracle, in the order of the index."""

from cases import (
    blosc,
    byte_orders,
    codecs,
    data_types,
    dtypes,
    encoded,
    filters,
    grids,
    large,
    metadata,
    missing,
    numcodecs_bytes,
    numcodecs_lzma,
    numcodecs_pcodec,
    numcodecs_zfpy,
    objects,
    older,
    older_grids,
    patterns,
    remainders,
    resized,
    sharding,
    small_float_filters,
    streams,
    tensorstore_arrays,
    v2,
    v2_filters,
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
# Codecs that the package leaves out have an index of their own, for builds with the feature; so have data
# types that JavaScript sees otherwise than they are stored, filters, arrays of Zarr v2, what zarr-python does not
# write, grids that are older or younger than the specification, and what TensorStore writes.
INDEXES = {
    "index.json": SMALL,
    "index-dtypes.json": data_types.CASES,
    "index-filters.json": [*filters.CASES, *byte_orders.CASES, *small_float_filters.CASES],
    "index-v2.json": [*v2.CASES, *v2_filters.CASES, *older.STRUCTS],
    "index-objects.json": [*objects.CASES, *older.OBJECTS],
    "index-grids.json": [*older_grids.CASES, *encoded.CASES, *remainders.CASES],
    "index-tensorstore.json": tensorstore_arrays.CASES,
    "index-lzma.json": numcodecs_lzma.CASES,
    "index-pcodec.json": [*numcodecs_pcodec.CASES, *byte_orders.PCODEC],
    "index-zfp.json": numcodecs_zfpy.CASES,
}
LARGE = {"index.json": large.CASES}
