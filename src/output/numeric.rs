//! Number types of data types, for filters and casts.

use rectilinear_zarr_kernels::numeric::Numeric;

use crate::metadata::{DataType, Kind};

impl DataType {
    /// The number type that filters and casts use for items; `None` if the items are not such numbers.
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
