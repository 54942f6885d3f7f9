//! Chunk grids and chunk key encodings.

mod chunk_axis;
pub(crate) mod chunk_grid;
pub(crate) mod chunk_keys;
