//! Bytes that a store returns.

use std::ops::Range;

use js_sys::Uint8Array;

/// Bytes of a value in a store.
#[derive(Clone)]
pub(crate) enum Bytes {
    /// The requested bytes.
    Asked(Uint8Array),
    /// The whole value, although a part of it was requested.
    Whole(Uint8Array),
}

impl Bytes {
    /// Number of bytes that were received.
    pub(crate) fn length(&self) -> u64 {
        let (Self::Asked(bytes) | Self::Whole(bytes)) = self;
        bytes.length().into()
    }
}

/// A copy of bytes that a store returned; empty where the store has detached their buffer since.
pub(crate) fn copied(bytes: &Uint8Array) -> Vec<u8> {
    if bytes.length() == 0 { Vec::new() } else { bytes.to_vec() }
}

/// A view of a range of the bytes, clipped to them.
pub(crate) fn subarray(bytes: &Uint8Array, range: Range<u64>) -> Uint8Array {
    if bytes.length() == 0 {
        // A detached buffer has no views.
        return Uint8Array::new_with_length(0);
    }
    let bound = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
    bytes.subarray(bound(range.start), bound(range.end))
}
