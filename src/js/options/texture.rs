//! The option `texture`, for a result that becomes a texture of WebGL or WebGPU: its format and row alignment.

use js_sys::{Array, TypeError};
use wasm_bindgen::{JsCast, JsValue};

use crate::js::JsResult;
use crate::js::convert::option::{amount, given};
use crate::js::convert::value::{field, shown};
use crate::output::Numeric;

/// Default of `rowAlignment`: rows begin at multiples of 4 bytes, as in WebGL.
const ROW_ALIGNMENT: u64 = 4;

/// The largest row alignment in bytes.
const MOST_ALIGNMENT: u64 = 4096;

/// Format of a texture.
pub(crate) struct Texture {
    pub(crate) target: Numeric,
    /// Least and greatest number of the range that `r8unorm` divides into levels; `None` for float formats.
    pub(crate) levels: Option<(f64, f64)>,
    pub(crate) row_alignment: usize,
}

impl Texture {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Option<Self>> {
        let Some(option) = given(options, "texture") else { return Ok(None) };
        let format = field(&option, "format");
        let target = match format.as_string().as_deref() {
            Some("r32float") => Numeric::Float(32),
            Some("r16float") => Numeric::Float(16),
            Some("r8unorm") => Numeric::UInt(8),
            _ => {
                let expected = "\"r32float\", \"r16float\" or \"r8unorm\"";
                return Err(wrong(&format!("texture.format must be {expected}, not {}", shown(&format))));
            }
        };
        let asked = amount(&option, "rowAlignment", 1)?.unwrap_or(ROW_ALIGNMENT);
        if !asked.is_power_of_two() || asked > MOST_ALIGNMENT {
            return Err(wrong(&format!(
                "texture.rowAlignment must be a power of two up to {MOST_ALIGNMENT}, not {asked}"
            )));
        }
        let row_alignment = usize::try_from(asked).unwrap_or(usize::MAX).max(target.size());
        let levels = levels(&field(&option, "range"))?;
        if levels.is_some() == target.is_float() {
            return Err(wrong(
                "texture.range, [least, greatest], is required for the format \"r8unorm\" and not allowed for others",
            ));
        }
        Ok(Some(Self { target, levels, row_alignment }))
    }

    /// Bytes from the start of one row of `width` items to the next.
    pub(crate) fn bytes_per_row(&self, width: u64) -> u64 {
        (width * self.target.size() as u64).next_multiple_of(self.row_alignment as u64)
    }
}

/// Parses a range: two numbers, the lower one first.
fn levels(range: &JsValue) -> JsResult<Option<(f64, f64)>> {
    if range.is_undefined() || range.is_null() {
        return Ok(None);
    }
    let numbers =
        range.dyn_ref::<Array>().map(|range| range.iter().map(|number| number.as_f64()).collect::<Vec<_>>());
    match numbers.as_deref() {
        Some([Some(least), Some(greatest)]) if least < greatest && (greatest - least).is_finite() => {
            Ok(Some((*least, *greatest)))
        }
        _ => Err(wrong(&format!(
            "texture.range must be two numbers, the lower one first, not {}",
            shown(range)
        ))),
    }
}

fn wrong(message: &str) -> JsValue {
    TypeError::new(message).into()
}
