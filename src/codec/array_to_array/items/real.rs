//! Real numbers of every type: integers, IEEE floats, and small floats.

use rectilinear_zarr_kernels::numeric::Numeric;

use super::rounding::{Precision, Rounding};
use crate::codec::kinds::number_of;
use crate::error::Result;
use crate::metadata::{DataType, Extension, Kind, MiniFloat};

/// The type of an item that is a real number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Real {
    /// An integer, or a float of 16, 32 or 64 bits as in IEEE 754.
    Number(Numeric),
    /// A float of 4 to 16 bits without a JavaScript typed array.
    Small(MiniFloat),
}

impl Real {
    /// The number type of items.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where they are not real numbers, or booleans.
    pub(crate) fn of(data_type: &DataType, extension: &Extension) -> Result<Self> {
        if let Kind::MiniFloat(format) = data_type.kind() {
            return Ok(Self::Small(*format));
        }
        let number = number_of(data_type, extension)?;
        if number == Numeric::Bool {
            let reason = format!("{} cannot decode bool: expected integers or floats", extension.name);
            return Err(extension.settings().invalid(reason));
        }
        Ok(Self::Number(number))
    }

    /// Bytes of an item.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Number(number) => number.size(),
            Self::Small(format) => format.item_size(),
        }
    }

    /// The type of an integer; `None` for floats.
    pub(crate) fn integer(self) -> Option<Numeric> {
        match self {
            Self::Number(number) if !number.is_float() => Some(number),
            _ => None,
        }
    }

    /// The precision of floats; not meaningful for integers.
    pub(crate) fn precision(self) -> Precision {
        match self {
            Self::Number(number) => Precision::of(number),
            Self::Small(format) => Precision { digits: format.digits(), least: format.least_exponent() },
        }
    }

    /// Reads items as `f64`.
    pub(crate) fn floats(self, items: &[u8], floats: &mut [f64]) {
        match self {
            Self::Number(number) => number.floats(items, floats),
            Self::Small(format) => {
                floats.iter_mut().zip(format.widened(items)).for_each(|(place, value)| *place = value.into());
            }
        }
    }

    /// The float of one item.
    pub(crate) fn value(self, item: &[u8]) -> f64 {
        let mut floats = [0.0];
        self.floats(item, &mut floats);
        floats[0]
    }

    /// Writes floats that the type has.
    pub(crate) fn put_floats(self, floats: &[f64], items: &mut [u8]) {
        match self {
            Self::Number(number) => number.put_floats(floats, items),
            Self::Small(format) => {
                let size = format.item_size();
                for (item, value) in items.chunks_exact_mut(size).zip(floats) {
                    let bits = format.bits_of(*value).unwrap_or_default();
                    item.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
            }
        }
    }

    /// The float that a value becomes once it is rounded: an infinity beyond the range of a type that has them; `None`
    /// where the type has no such float. `clamps` puts values beyond the range of other types at its ends.
    pub(crate) fn float(self, rounded: f64, has_value: bool, clamps: bool) -> Option<f64> {
        let (least, greatest, has_infinities, has_nan) = match self {
            Self::Number(number) => (-number.largest(), number.largest(), true, true),
            Self::Small(format) => {
                (format.least(), format.greatest(), format.has_infinities(), format.has_nan())
            }
        };
        if !has_value {
            let is_there = if rounded.is_nan() { has_nan } else { has_infinities };
            return is_there.then_some(rounded);
        }
        match (least..=greatest).contains(&rounded) {
            true => Some(rounded),
            false if !clamps => None,
            false if has_infinities => Some(f64::INFINITY.copysign(rounded)),
            false => Some(rounded.clamp(least, greatest)),
        }
    }

    /// The result of a calculation of this type of float; `None` where the type has no such float.
    pub(crate) fn calculated(self, value: f64) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number.rounded(value)),
            Self::Small(format) => {
                let rounded = Rounding::NearestEven.float(value, self.precision());
                self.float(rounded, value.is_finite(), format.has_infinities())
            }
        }
    }
}
