//! Calls of the modules that decode with one codec.
//!
//! Invariant: a call says how large its result is, so that a module can refuse a chunk before memory is taken for it.

use crate::codec::size::Size;
use crate::error::Packer;
use crate::metadata::{DataType, Extension};

/// Packs the head of a message to the module of a codec: items of this type and shape, or bytes of this size, and the
/// number of bytes that follow, which is not known yet.
pub(super) fn call(codec: &Extension, data_type: &DataType, shape: &[u64], content: Size) -> Vec<u8> {
    let (is_exact, bytes) = match content {
        Size::Exactly(bytes) => (true, bytes),
        Size::AtMost(bytes) => (false, bytes),
    };
    let mut call = Packer::default();
    call.bytes(codec.described().to_string().as_bytes()).bytes(data_type.name().as_bytes());
    call.numbers(shape.iter().copied()).number(is_exact.into()).number(bytes as u64).number(0);
    let mut head = Packer::default();
    head.bytes(&call.finish());
    head.finish()
}
