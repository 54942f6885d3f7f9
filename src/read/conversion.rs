//! What the items of a read are wanted as: numbers of another type, with what is missing as NaN and what is packed unpacked.
//!
//! Attributes mean what the CF conventions say: <https://cfconventions.org/cf-conventions/cf-conventions.html#packed-data>.
//! They speak of an array's items, and not of the fields of structs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::plan::Plan;
use crate::codec::{Cast, Column, Numeric, Scalar};
use crate::error::{Error, Result};
use crate::metadata::{ArrayMetadata, Kind, bare_number};

/// What items are wanted as.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// The type.
    pub target: Numeric,
    /// What is missing, and becomes NaN; nothing where no item is.
    pub mask: Option<Mask>,
    /// How items are unpacked; nothing where they are taken as they are.
    pub scaling: Option<Scaling>,
    /// The numbers whose levels are wanted, the least on level 0 and the greatest on 255; nothing where the numbers are.
    pub levels: Option<(f64, f64)>,
}

/// Which items are missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Mask {
    /// The fill value, and what the attributes say.
    All,
    /// What the attributes `_FillValue` and `missing_value` say.
    Attributes,
    /// These.
    Values(Vec<Scalar>),
}

/// How items are unpacked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scaling {
    /// As the attributes `scale_factor` and `add_offset` say.
    Attributes,
    /// Multiplied by the one, then the other added.
    By(f64, f64),
}

impl Conversion {
    /// What becomes of a column of a plan.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where items are no numbers, [`Error::InvalidMetadata`] where an attribute says no number.
    pub fn cast(&self, plan: &Plan<'_>, column: &Column) -> Result<Cast> {
        let metadata = &plan.array().metadata;
        let cast = match column.data_type.kind() {
            Kind::Complex(_) => None,
            _ => Cast::new(&column.data_type, self.target),
        };
        let cast = cast.ok_or_else(|| Error::Unsupported {
            feature: format!("{} as {}", column.data_type.name(), self.target),
            reason: "only numbers and times are read as numbers of another type".to_owned(),
        })?;
        let is_field = matches!(metadata.data_type.kind(), Kind::Struct(_));
        let cast = match &self.mask {
            None => cast,
            Some(Mask::Values(values)) => values.iter().fold(cast, |cast, value| cast.without(*value)),
            Some(mask) => {
                let fills =
                    *mask == Mask::All && !metadata.fill_is_null && *column.data_type.kind() != Kind::Bool;
                let cast = if fills { cast.without_item(&column.fill_value) } else { cast };
                let said = ["_FillValue", "missing_value"].map(|name| numbers(metadata, name, is_field));
                let [fill, missing] = said;
                fill?.into_iter().chain(missing?).fold(cast, Cast::without)
            }
        };
        let cast = self.levels.into_iter().fold(cast, |cast, (least, most)| cast.levelled(least, most));
        match self.scaling {
            None => Ok(cast),
            Some(Scaling::By(by, plus)) => Ok(cast.scaled(by, plus)),
            Some(Scaling::Attributes) => {
                let by = number(metadata, "scale_factor", is_field)?;
                let plus = number(metadata, "add_offset", is_field)?;
                // Nothing changes what -0 is added to, not even -0.
                let is_packed = by.is_some() || plus.is_some();
                Ok(if is_packed { cast.scaled(by.unwrap_or(1.0), plus.unwrap_or(-0.0)) } else { cast })
            }
        }
    }
}

/// The one number that an attribute says, or a list of one.
fn number(metadata: &ArrayMetadata, name: &str, is_field: bool) -> Result<Option<f64>> {
    let numbers = numbers(metadata, name, is_field)?;
    match numbers[..] {
        [] => Ok(None),
        [number] => Ok(Some(number.as_f64())),
        _ => Err(unfit(metadata, name)),
    }
}

/// The numbers that an attribute says: one, a list, or none where it is not there.
fn numbers(metadata: &ArrayMetadata, name: &str, is_field: bool) -> Result<Vec<Scalar>> {
    let value = metadata.attributes.get(name).filter(|value| !is_field && !value.is_null());
    let numbers = match value {
        None => Some(Vec::new()),
        Some(Value::Array(values)) => values.iter().map(scalar).collect(),
        Some(value) => scalar(value).map(|value| vec![value]),
    };
    numbers.ok_or_else(|| unfit(metadata, name))
}

fn scalar(value: &Value) -> Option<Scalar> {
    if let Some(number) = bare_number(value) {
        return Some(Scalar::Float(number));
    }
    match value {
        Value::Number(number) => {
            let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
            integer.map(Scalar::Integer).or_else(|| number.as_f64().map(Scalar::Float))
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

fn unfit(metadata: &ArrayMetadata, name: &str) -> Error {
    let reason =
        "expected a number; to read on, say in the read's options what is missing and how items are scaled";
    Error::metadata(format!("{}/attributes/{name}", metadata.pointer), reason)
}
