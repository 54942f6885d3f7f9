//! Main WebAssembly module of the package: the exports of `js`, and nothing else.
//!
//! It is a crate of its own because Cargo links a library that other crates use without link-time optimisation, which
//! makes the module a tenth larger.

extern crate rectilinear_zarr as _;
