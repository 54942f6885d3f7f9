//! Bytes that a store gives.

use js_sys::Uint8Array;

/// Bytes of a value.
#[derive(Clone)]
pub(super) enum Bytes {
    /// Those that were asked for.
    Asked(Uint8Array),
    /// All of them, although a part was asked for.
    Whole(Uint8Array),
}

impl Bytes {
    /// How many bytes came.
    pub(super) fn length(&self) -> u64 {
        let (Self::Asked(bytes) | Self::Whole(bytes)) = self;
        bytes.length().into()
    }
}
