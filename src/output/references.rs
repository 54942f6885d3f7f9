//! References: variable-length items as an offset and a length in a heap, 32 bits each.

use crate::error::{Error, Result};

/// Reads half of a reference; `bytes` must hold at least 4 bytes.
pub(super) fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

/// An item that refers to a range of the heap.
pub(super) fn reference(start: usize, length: usize) -> Result<Vec<u8>> {
    let part = |value: usize| {
        u32::try_from(value).map(u32::to_le_bytes).map_err(|_| Error::Unsupported {
            feature: "an item of more than 4 GiB".to_owned(),
            reason: "positions and lengths of text and bytes are 32-bit".to_owned(),
        })
    };
    Ok([part(start)?, part(length)?].concat())
}
