//! Reads Zarr in the browser, rectilinear (variable-length) chunk grids first.
#![forbid(unsafe_code)]
