//! Kerchunk's references: a JSON document that says of each Zarr key where its bytes are in other files.
//!
//! Spec: <https://fsspec.github.io/kerchunk/spec.html>, versions 0 (keys alone) and 1 (`refs`, `templates`). Of
//! templates, names in double braces are read; `gen`, and anything else of Jinja, is an error that says so.

mod consolidated;
mod references;
mod template;

pub use references::{MAX_REFERENCES_BYTES, References};
