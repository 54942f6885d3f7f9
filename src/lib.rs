//! Reads Zarr in the browser, rectilinear (variable-length) chunk grids first.
//!
//! The rooms, in dependency order; each uses itself and the rooms before it:
//!
//! - `kernels`: the loops over bytes, a crate of its own, compiled for speed.
//! - [`error`]: what can go wrong, sorted by who must act.
//! - [`grid`]: integers only: axes as runs of equal chunks, selections, projections.
//! - [`metadata`]: JSON only: what a `zarr.json` says.
//! - [`output`]: decoded items, how they lie in a chunk, and how they are cast and put together.
//! - [`codec`]: bytes only: the codec pipeline.
//! - [`source`]: where a chunk's bytes are.
//! - [`read`]: the planner, without input or output: selection to requests to copies.
//! - `js`: the only room that names a WebAssembly crate; it is built for `wasm32` alone, and lists its own rooms.

pub mod codec;
pub mod error;
pub mod grid;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
mod js;
pub mod metadata;
pub mod output;
pub mod read;
pub mod source;

pub use error::{Error, Result};
