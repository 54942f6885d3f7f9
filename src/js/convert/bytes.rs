//! Bytes that a store gives.

use std::ops::Range;

use js_sys::Uint8Array;

/// Bytes of a value.
#[derive(Clone)]
pub(crate) enum Bytes {
    /// Those that were asked for.
    Asked(Uint8Array),
    /// All of them, although a part was asked for.
    Whole(Uint8Array),
}

impl Bytes {
    /// How many bytes came.
    pub(crate) fn length(&self) -> u64 {
        let (Self::Asked(bytes) | Self::Whole(bytes)) = self;
        bytes.length().into()
    }
}

/// A copy of bytes that a store gave; none where it has taken them away since, as nothing can be copied from those.
pub(crate) fn copied(bytes: &Uint8Array) -> Vec<u8> {
    if bytes.length() == 0 { Vec::new() } else { bytes.to_vec() }
}

/// Some of the bytes, as a view; what lies outside is left out.
pub(crate) fn subarray(bytes: &Uint8Array, range: Range<u64>) -> Uint8Array {
    if bytes.length() == 0 {
        // There is no view of bytes that were transferred.
        return Uint8Array::new_with_length(0);
    }
    let bound = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
    bytes.subarray(bound(range.start), bound(range.end))
}
