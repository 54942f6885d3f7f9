//! Reads Zarr in the browser, rectilinear (variable-length) chunk grids first.
//!
//! The rooms, in dependency order; each uses itself and the rooms before it:
//!
//! - `kernels`: loops over bytes, in a crate of its own that is compiled for speed.
//! - [`parts`]: the parts of the main module that load later.
//! - [`error`]: errors, one kind for each party who must act.
//! - [`grid`]: integers only: axes as runs of equal chunks, selections, projections.
//! - [`metadata`]: JSON only: the metadata documents of arrays and groups.
//! - [`output`]: where decoded items go: their layout in a chunk, their casts, and their way into a result.
//! - [`codec`]: bytes only: the codec pipeline.
//! - [`network`]: requests for bytes: their queue, and one HTTP request as a state machine.
//! - [`source`]: the location of each chunk's bytes in a store.
//! - [`read`]: the planner, without input or output: from a selection to requests to copies.
//! - [`answers`]: statistics of the items that a read decodes.
//! - `js`: the only room that uses WebAssembly crates; it is built for `wasm32` only, and lists its own rooms.

#![cfg_attr(
    not(feature = "reader"),
    allow(
        dead_code,
        unused_imports,
        reason = "a module with one decoder or index needs a part of each room"
    )
)]

#[cfg(feature = "reader")]
pub mod answers;
pub mod codec;
pub mod error;
pub mod grid;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
mod js;
pub mod metadata;
#[cfg(feature = "sources")]
pub mod network;
pub mod output;
pub mod parts;
#[cfg(feature = "reader")]
pub mod read;
#[cfg(feature = "sources")]
pub mod source;

pub use error::{Error, Result};
