//! References: items that say where in a heap their content is, of any length.

use crate::error::{Error, Result};

/// Half of a reference, of which the caller knows that it is there.
pub(super) fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

/// An item that refers to a place in the heap.
pub(super) fn reference(start: usize, length: usize) -> Result<Vec<u8>> {
    let part = |value: usize| {
        u32::try_from(value).map(u32::to_le_bytes).map_err(|_| Error::Unsupported {
            feature: "an item of more than 4 GiB".to_owned(),
            reason: "references into text and bytes have 32 bits".to_owned(),
        })
    };
    Ok([part(start)?, part(length)?].concat())
}
