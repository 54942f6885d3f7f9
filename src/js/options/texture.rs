//! The option of a read whose result becomes a texture of WebGL or WebGPU: a format, and rows that begin where it wants.

use js_sys::{Array, TypeError};
use wasm_bindgen::{JsCast, JsValue};

use crate::js::JsResult;
use crate::js::convert::option::amount;
use crate::js::convert::value::{field, shown};
use crate::output::Numeric;

/// Where rows begin unless the caller says otherwise: at multiples of 4 bytes, as WebGL has it.
const ROW_ALIGNMENT: u64 = 4;

/// The farthest apart that rows may have to begin.
const MOST_ALIGNMENT: u64 = 4096;

/// Format of a texture.
pub(crate) struct Texture {
    pub(crate) target: Numeric,
    /// The numbers between which levels are counted, where that is the format.
    pub(crate) levels: Option<(f64, f64)>,
    pub(crate) row_alignment: usize,
}

impl Texture {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Option<Self>> {
        let option = field(options, "texture");
        if option.is_undefined() || option.is_null() {
            return Ok(None);
        }
        let format = field(&option, "format");
        let target = match format.as_string().as_deref() {
            Some("r32float") => Numeric::Float(32),
            Some("r16float") => Numeric::Float(16),
            Some("r8unorm") => Numeric::UInt(8),
            _ => {
                let expected = "\"r32float\", \"r16float\" or \"r8unorm\"";
                return Err(wrong(&format!("a texture's format is {expected}, not {}", shown(&format))));
            }
        };
        let asked = amount(&option, "rowAlignment", 1)?.unwrap_or(ROW_ALIGNMENT);
        if !asked.is_power_of_two() || asked > MOST_ALIGNMENT {
            return Err(wrong(&format!(
                "rowAlignment is a power of two up to {MOST_ALIGNMENT}, not {asked}"
            )));
        }
        let row_alignment = usize::try_from(asked).unwrap_or(usize::MAX).max(target.size());
        let levels = levels(&field(&option, "range"))?;
        if levels.is_some() == target.is_float() {
            return Err(wrong(
                "a texture of the format \"r8unorm\" has a range [least, greatest], and no other one has",
            ));
        }
        Ok(Some(Self { target, levels, row_alignment }))
    }

    /// Bytes from one row of so many items to the next.
    pub(crate) fn bytes_per_row(&self, width: u64) -> u64 {
        (width * self.target.size() as u64).next_multiple_of(self.row_alignment as u64)
    }
}

/// Two numbers, the lower one first.
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
            "a texture's range is two numbers, the lower one first, not {}",
            shown(range)
        ))),
    }
}

fn wrong(message: &str) -> JsValue {
    TypeError::new(message).into()
}
