//! Packed numbers of GRIB2, unpacked to float64: data templates 0, 2, 3, 4 and 42.
//!
//! Invariants: points are written into memory that the caller made, every point once; missing points are NaN. Errors are
//! the damage, in words.
//! Spec: <https://www.nco.ncep.noaa.gov/pmb/docs/grib2/grib2_doc/>

pub mod complex;

use super::bits::Bits;
use super::ccsds::{self, Samples};

const CUT_SHORT: &str = "the data section is cut short";

/// Most bits of a packed number.
pub const MAX_BITS: u32 = 32;

/// Meaning of a packed number: `(number * 2^E + R) * 10^-D`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// R, the reference value.
    pub reference: f64,
    /// 2^E, by the binary scale factor.
    pub binary: f64,
    /// 10^-D, by the decimal scale factor.
    pub decimal: f64,
}

impl Scale {
    /// The value of a packed number, calculated in the order that ecCodes calculates in.
    #[inline]
    #[must_use]
    pub fn value(&self, number: f64) -> f64 {
        (number * self.binary + self.reference) * self.decimal
    }
}

/// Unpacks numbers of `width` bits, one for each point (template 0, and the samples of a PNG image).
///
/// # Errors
/// The damage, in words.
#[inline(never)]
pub fn simple(data: &[u8], width: u32, scale: &Scale, points: &mut [f64]) -> Result<(), &'static str> {
    let mut bits = Bits::new(data);
    for point in points {
        *point = scale.value(f64::from(bits.number(width).ok_or(CUT_SHORT)?));
    }
    Ok(())
}

/// Unpacks numbers of CCSDS 121.0-B, one for each point (template 42).
///
/// # Errors
/// The damage, in words.
#[inline(never)]
pub fn aec(data: &[u8], samples: &Samples, scale: &Scale, points: &mut [f64]) -> Result<(), &'static str> {
    ccsds::floats(data, samples, |number| scale.value(number), points)
}

/// Reads big-endian floats of 4 or 8 bytes, one for each point (template 4).
///
/// # Errors
/// The damage, in words.
#[inline(never)]
pub fn floats(data: &[u8], is_double: bool, points: &mut [f64]) -> Result<(), &'static str> {
    let size = if is_double { 8 } else { 4 };
    if data.len() / size < points.len() {
        return Err(CUT_SHORT);
    }
    if is_double {
        let (items, _) = data.as_chunks();
        points.iter_mut().zip(items).for_each(|(point, item)| *point = f64::from_be_bytes(*item));
    } else {
        let (items, _) = data.as_chunks();
        points.iter_mut().zip(items).for_each(|(point, item)| *point = f32::from_be_bytes(*item).into());
    }
    Ok(())
}
