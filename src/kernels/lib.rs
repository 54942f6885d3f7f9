//! Loops over the bytes of chunks: copies between layouts, shuffles, decoders, checksums.
//!
//! Invariants: bytes in, bytes out. Where speed matters, public functions are neither generic nor inlined, because they
//! would then be compiled with the settings of the calling crate.
//!
//! This is a separate crate because optimization for speed or for size is chosen per crate: this one is compiled for
//! speed, all others for size (`wasm-pack.toml`).

pub mod bitshuffle;
pub mod byte_order;
pub mod checksums;
pub mod copy;
pub mod decoders;
pub mod floats;
pub mod for_speed;
pub mod half;
pub mod numeric;
pub mod statistics;
pub mod sums;
pub mod unshuffle;
mod vector;

#[cfg(test)]
mod tests;
