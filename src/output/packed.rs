//! Number types as bytes, for messages between instances of the module.

use rectilinear_zarr_kernels::numeric::Numeric;

use crate::error::{Packer, Unpacker};

/// Packs a number type.
pub(crate) fn pack_number(number: Numeric, parts: &mut Packer) {
    let (kind, bits) = match number {
        Numeric::Bool => (0, 1),
        Numeric::Int(bits) => (1, bits),
        Numeric::UInt(bits) => (2, bits),
        Numeric::Float(bits) => (3, bits),
    };
    parts.number(kind).number(bits.into());
}

/// Unpacks a number type; `None` for one that there is not.
pub(crate) fn unpack_number(parts: &mut Unpacker<'_>) -> Option<Numeric> {
    let (kind, bits) = (parts.number()?, u32::try_from(parts.number()?).ok()?);
    match (kind, bits) {
        (0, _) => Some(Numeric::Bool),
        (1, 2 | 4 | 8 | 16 | 32 | 64) => Some(Numeric::Int(bits)),
        (2, 2 | 4 | 8 | 16 | 32 | 64) => Some(Numeric::UInt(bits)),
        (3, 16 | 32 | 64) => Some(Numeric::Float(bits)),
        _ => None,
    }
}
