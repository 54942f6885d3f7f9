//! Attributes that describe an array's items: what is missing, how they are packed, whether their sign counts.
//!
//! Invariant: an attribute that says something else than it should is an error at its JSON pointer, never passed over.
//! They speak of an array's items, and not of the fields of structs.
//! Spec: <https://cfconventions.org/cf-conventions/cf-conventions.html#packed-data>

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Gather, Result};
use crate::metadata::{ArrayMetadata, Kind, Value, bare_number};
use crate::output::Scalar;

/// The attributes of an array.
#[derive(Clone, Copy)]
pub(crate) struct CfAttributes<'a>(pub(crate) &'a ArrayMetadata);

/// How items are packed.
#[derive(Clone, Copy)]
pub(crate) struct Packing {
    /// The factor that items are multiplied by, and the offset that is added then.
    pub(crate) by: f64,
    pub(crate) plus: f64,
    /// Whether a whole number, spelled as one, is all that there is.
    pub(crate) is_whole: bool,
}

impl<'a> CfAttributes<'a> {
    /// How items are packed; nothing where they are not.
    pub(crate) fn packing(self) -> Result<Option<Packing>> {
        let by = self.number("scale_factor")?;
        let plus = self.number("add_offset")?;
        if by.is_none() && plus.is_none() {
            return Ok(None);
        }
        let is_whole = matches!(by, Some(Scalar::Integer(_))) && plus.is_none();
        // Nothing changes what -0 is added to, not even -0.
        Ok(Some(Packing {
            by: by.map_or(1.0, Scalar::as_f64),
            plus: plus.map_or(-0.0, Scalar::as_f64),
            is_whole,
        }))
    }

    /// Whether items stand for truths, as xarray writes bool: the attribute `dtype` is `"bool"`.
    pub(crate) fn are_truths(self) -> bool {
        self.get("dtype").is_some_and(|name| name == "bool")
    }

    /// Whether integers count as unsigned, whatever their type says; nothing where the type is to be believed.
    pub(crate) fn unsigned(self) -> Result<Option<bool>> {
        match self.get("_Unsigned") {
            None => Ok(None),
            Some(said) if said == "true" || *said == true => Ok(Some(true)),
            Some(said) if said == "false" || *said == false => Ok(Some(false)),
            Some(_) => Err(self.unfit("_Unsigned", "\"true\", \"false\", true or false")),
        }
    }

    /// The one number that an attribute says, or a list of one.
    fn number(self, name: &str) -> Result<Option<Scalar>> {
        match self.numbers(name)?[..] {
            [] => Ok(None),
            [number] => Ok(Some(number)),
            _ => Err(self.unfit(name, "a number")),
        }
    }

    /// The numbers that an attribute says: one, a list, or none where it is not there.
    pub(crate) fn numbers(self, name: &str) -> Result<Vec<Scalar>> {
        let numbers = match self.get(name) {
            None => Some(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(scalar).gathered(),
            // A missing item of bool is a truth.
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
            "expected {expected}; to read on, say in the read's options what is missing and how items are scaled"
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
            // As xarray writes floats into v3's attributes: the eight bytes of a float64 in base64.
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
