//! Items as numpy calculates with them: numbers, complex numbers, and times.

use std::borrow::Cow;

use rectilinear_zarr_kernels::numeric::Numeric;

use super::time::{NumpyTime, StepChange};
use crate::codec::array_to_array::items::NumericItems;
use crate::error::{Error, Result};
use crate::metadata::{DataType, Kind};
use crate::output::memory::buffer;

/// The type of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumpyItem {
    /// Number type of the item, or of each part of a complex number; int64 for times.
    pub(crate) number: Numeric,
    /// Numbers in an item: two if it is complex.
    pub(crate) parts: usize,
    /// The time that the number counts steps of.
    pub(crate) time: Option<NumpyTime>,
}

impl NumpyItem {
    /// The type of items that are numbers, complex numbers or times; `None` for others.
    pub(crate) fn of(data_type: &DataType) -> Option<Self> {
        let time = NumpyTime::of(data_type);
        let (number, parts) = match data_type.kind() {
            Kind::Complex(part) => (part.numeric()?, 2),
            Kind::Time { .. } => (Numeric::Int(64), 1),
            _ => (data_type.numeric()?, 1),
        };
        Some(Self { number, parts, time })
    }

    /// The type of items that are numbers.
    pub(crate) fn plain(number: Numeric) -> Self {
        Self { number, parts: 1, time: None }
    }

    /// Bytes of an item.
    pub(crate) fn size(self) -> usize {
        self.parts * self.number.size()
    }

    /// Whether it is a float, and not complex.
    pub(crate) fn is_float(self) -> bool {
        self.number.is_float() && self.parts == 1
    }

    /// Whether it is an integer, and not a time.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self.number, Numeric::Int(_) | Numeric::UInt(_)) && self.time.is_none()
    }

    /// Whether numpy converts items to another type: all but dates of no unit to dates of one.
    pub(crate) fn becomes(self, to: Self) -> bool {
        self.change(to).is_some()
    }

    /// Converts items to another type, as numpy's `astype` does; `codec` is named in errors.
    pub(crate) fn cast<'a>(
        self,
        items: Cow<'a, [u8]>,
        to: Self,
        codec: &'static str,
    ) -> Result<Cow<'a, [u8]>> {
        let items = self.number.cast(items, to.number)?;
        self.finished(items, to, codec)
    }

    /// Converts items whose numbers have the number type of the other item.
    pub(crate) fn finished<'a>(
        self,
        items: Cow<'a, [u8]>,
        to: Self,
        codec: &'static str,
    ) -> Result<Cow<'a, [u8]>> {
        let mut items = self.parted(items, to)?;
        let change = self.change(to).unwrap_or(StepChange::None);
        if change == StepChange::None {
            return Ok(items);
        }
        for item in items.to_mut().as_chunks_mut().0 {
            let count = i64::from_le_bytes(*item);
            let changed = change.apply(count).ok_or_else(|| {
                Error::codec(codec, format!("the time {count}"), "times that the decoded unit can count")
            })?;
            *item = changed.to_le_bytes();
        }
        Ok(items)
    }

    /// Adds imaginary parts of zero, or drops imaginary parts, as items of the other type have them.
    fn parted<'a>(self, items: Cow<'a, [u8]>, to: Self) -> Result<Cow<'a, [u8]>> {
        if self.parts == to.parts {
            return Ok(items);
        }
        let part = to.number.size();
        let (from, size) = (self.parts * part, to.size());
        let mut parted = buffer((items.len() / from).saturating_mul(size))?;
        for (target, item) in parted.chunks_exact_mut(size).zip(items.chunks_exact(from)) {
            target[..part].copy_from_slice(&item[..part]);
            // A complex number is true if one of its parts is not zero.
            if to.number == Numeric::Bool {
                target[0] |= item[part];
            }
        }
        Ok(parted.into())
    }

    fn change(self, to: Self) -> Option<StepChange> {
        match (self.time, to.time) {
            (Some(one), Some(other)) => one.change(other),
            _ => Some(StepChange::None),
        }
    }
}
