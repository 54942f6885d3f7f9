//! Zeroed memory.

/// Resizes a buffer; new bytes are zeros.
///
/// In this crate because `Vec::resize` compiled for size is a loop over single bytes.
#[inline(never)]
pub fn resize(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(length, 0);
}
