//! The package's WebAssembly module: what the `js` room exports, and nothing else.
//!
//! A crate of its own because Cargo links a library that others use too without link-time optimisation, without which
//! the module is a tenth larger.

extern crate rectilinear_zarr as _;
