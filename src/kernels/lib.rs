//! The loops that every byte of a chunk goes through: copies between layouts, shuffles, blosclz, checksums.
//!
//! Invariants: bytes in, bytes out. What is called from outside is neither generic nor ever inlined where that costs
//! speed: both would have it compiled as its callers are.
//!
//! A crate of its own because compilers choose between speed and size crate by crate: this one is compiled for speed,
//! everything around it for size (`wasm-pack.toml`).

pub mod adler;
pub mod bitshuffle;
pub mod byte_order;
pub mod copy;
pub mod crc;
pub mod decoders;
pub mod floats;
pub mod half;
pub mod numeric;
pub mod room;
pub mod unshuffle;
mod vector;

#[cfg(test)]
mod tests;
