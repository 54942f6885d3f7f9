//! The data types that are numbers which filters, and casts, calculate with.

use rectilinear_zarr_kernels::numeric::Numeric;

use crate::metadata::{DataType, Kind};

impl DataType {
    /// The number that an item is, where filters calculate with it.
    #[must_use]
    pub fn numeric(&self) -> Option<Numeric> {
        let bits = 8 * u32::try_from(self.item_size()).ok()?;
        match self.kind() {
            Kind::Bool => Some(Numeric::Bool),
            Kind::Int => Some(Numeric::Int(bits)),
            Kind::UInt => Some(Numeric::UInt(bits)),
            Kind::SmallInt { bits, signed: true } => Some(Numeric::Int(*bits)),
            Kind::SmallInt { bits, signed: false } => Some(Numeric::UInt(*bits)),
            Kind::Float => Some(Numeric::Float(bits)),
            _ => None,
        }
    }
}
