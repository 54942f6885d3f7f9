//! Checksums of stored bytes: Adler-32, and cyclic redundancy checks of 32 bits.

pub mod adler;
pub mod crc;
pub mod fold;
