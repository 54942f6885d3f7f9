//! CF attributes of an array: missing values, packing, and signedness.
//!
//! Invariant: a malformed attribute is an error at its JSON pointer, and is never ignored. The attributes apply to an
//! array's items, not to the fields of structs.
//! Spec: <https://cfconventions.org/cf-conventions/cf-conventions.html#packed-data>

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Gather, Result};
use crate::metadata::{ArrayMetadata, Kind, SINGLES, Value, bare_number};
use crate::output::Scalar;

/// CF attributes of an array.
#[derive(Clone, Copy)]
pub(crate) struct CfAttributes<'a>(pub(crate) &'a ArrayMetadata);

/// Packing of items.
#[derive(Clone, Copy)]
pub(crate) struct Packing {
    /// Factor of the stored number, `scale_factor`.
    pub(crate) by: f64,
    /// Number that is added after it, `add_offset`.
    pub(crate) plus: f64,
    /// Whether there is only a factor, written as an integer.
    pub(crate) is_whole: bool,
    /// Whether items become float32: by numbers that are float32 in an original file, as in xarray.
    pub(crate) is_single: bool,
}

impl<'a> CfAttributes<'a> {
    /// Packing by `scale_factor` and `add_offset`; `None` where both are missing.
    pub(crate) fn packing(self) -> Result<Option<Packing>> {
        let by = self.number("scale_factor")?;
        let plus = self.number("add_offset")?;
        if by.is_none() && plus.is_none() {
            return Ok(None);
        }
        let is_whole = matches!(by, Some(Scalar::Integer(_))) && plus.is_none();
        // Both must be float32, and integers of 32 bits have more than that holds; an offset alone is not enough.
        let is_wide =
            matches!(self.0.data_type.kind(), Kind::Int | Kind::UInt) && self.0.data_type.item_size() == 4;
        let singles = self.singles();
        let is_single = by.is_some()
            && is_named(&singles, "scale_factor")
            && (plus.is_none() || !is_wide && is_named(&singles, "add_offset"));
        // Adding -0 changes no number, not even -0.
        Ok(Some(Packing {
            by: by.map_or(1.0, Scalar::as_f64),
            plus: plus.map_or(-0.0, Scalar::as_f64),
            is_whole,
            is_single,
        }))
    }

    /// The field that names the attributes which are float32 in the original file; null where there is none.
    fn singles(self) -> Value {
        let has = self.0.document.contains(SINGLES);
        let document = has.then(|| Value::parse(self.0.document.as_bytes()).ok()).flatten();
        document.as_ref().and_then(|document| document.get(SINGLES)).cloned().unwrap_or_default()
    }

    /// Whether items are booleans, as xarray writes them: the attribute `dtype` is `"bool"`.
    pub(crate) fn are_truths(self) -> bool {
        self.get("dtype").is_some_and(|name| name == "bool")
    }

    /// Whether the attribute `_Unsigned` makes integers unsigned; `None` where it is missing.
    pub(crate) fn unsigned(self) -> Result<Option<bool>> {
        match self.get("_Unsigned") {
            None => Ok(None),
            Some(said) if said == "true" || *said == true => Ok(Some(true)),
            Some(said) if said == "false" || *said == false => Ok(Some(false)),
            Some(_) => Err(self.unfit("_Unsigned", "\"true\", \"false\", true or false")),
        }
    }

    /// Number of an attribute, which may be a list of one.
    fn number(self, name: &str) -> Result<Option<Scalar>> {
        match self.numbers(name)?[..] {
            [] => Ok(None),
            [number] => Ok(Some(number)),
            _ => Err(self.unfit(name, "a number")),
        }
    }

    /// Numbers of an attribute: one, a list, or none where it is missing.
    pub(crate) fn numbers(self, name: &str) -> Result<Vec<Scalar>> {
        let numbers = match self.get(name) {
            None => Some(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(scalar).gathered(),
            // A missing value of bool may be written as true or false.
            Some(Value::Bool(truth)) if *self.0.data_type.kind() == Kind::Bool => {
                Some(vec![Scalar::Integer((*truth).into())])
            }
            Some(value) => scalar(value).map(|value| vec![value]),
        };
        numbers.ok_or_else(|| self.unfit(name, "a number"))
    }

    fn get(self, name: &str) -> Option<&'a Value> {
        let is_of_fields = matches!(self.0.data_type.kind(), Kind::Struct(_));
        self.0.attributes.get(name).filter(|value| !is_of_fields && !value.is_null())
    }

    fn unfit(self, name: &str, expected: &str) -> Error {
        let reason = format!(
            "expected {expected}; to ignore the attribute, pass missing values and scaling in the read's options"
        );
        Error::metadata(format!("{}/attributes/{name}", self.0.pointer), reason)
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    if let Some(number) = bare_number(value) {
        return Some(Scalar::Float(number));
    }
    match value {
        Value::Number(number) => {
            let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
            Some(integer.map_or_else(|| Scalar::Float(number.as_f64()), Scalar::Integer))
        }
        Value::String(text) => match text.as_str() {
            "NaN" => Some(Scalar::Float(f64::NAN)),
            "Infinity" => Some(Scalar::Float(f64::INFINITY)),
            "-Infinity" => Some(Scalar::Float(f64::NEG_INFINITY)),
            // xarray writes floats in attributes of v3 as base64 of the eight bytes of a float64.
            text => STANDARD
                .decode(text)
                .ok()?
                .try_into()
                .ok()
                .map(|bytes| Scalar::Float(f64::from_le_bytes(bytes))),
        },
        _ => None,
    }
}

/// Whether a field of a document names an attribute.
fn is_named(field: &Value, name: &str) -> bool {
    let names = field.get("names").and_then(Value::as_array);
    names.is_some_and(|names| names.iter().any(|known| *known == name))
}
