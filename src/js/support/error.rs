//! Conversion of errors to JavaScript `Error`s with the public names and fields.

use js_sys::{Array, RangeError};
use wasm_bindgen::JsValue;

use crate::error::{CodecError, Error, Quantity};
use crate::js::convert::value::{number, numbers, set};
use crate::parts::PartMissing;

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        if let Error::Range { reason } = &error {
            return RangeError::new(reason).into();
        }
        let thrown = js_sys::Error::new(&error.to_string());
        thrown.set_name(error.name());
        let thrown = JsValue::from(thrown);
        let field = |name: &str, value: JsValue| set(&thrown, name, &value);
        match error {
            Error::NotFound { path, tried, .. } => {
                field("path", path.into());
                field("tried", tried.into_iter().map(JsValue::from).collect::<Array>().into());
            }
            Error::Store { key, status, range, .. } => {
                field("key", key.into());
                field("status", status.map_or(JsValue::UNDEFINED, JsValue::from));
                field(
                    "range",
                    range.map_or(JsValue::UNDEFINED, |(start, stop)| numbers([start, stop]).into()),
                );
            }
            Error::InvalidMetadata { document, path, .. } => {
                field("key", document.into());
                field("path", path.into());
            }
            Error::Unsupported { feature, .. } => field("feature", feature.into()),
            Error::Codec(error) => {
                let CodecError { codec, key, coords, got, expected, .. } = *error;
                field("codec", (&*codec).into());
                field("key", key.into());
                field("coords", numbers(coords).into());
                field("got", quantity(&got));
                field("expected", quantity(&expected));
            }
            Error::Selection { axis, .. } => {
                field("axis", axis.map_or(JsValue::UNDEFINED, |axis| number(axis as u64).into()));
            }
            Error::Range { .. } | Error::PartMissing(_) => {}
        }
        thrown
    }
}

impl From<PartMissing> for JsValue {
    fn from(missing: PartMissing) -> Self {
        Error::from(missing).into()
    }
}

/// A number of bytes as a number; other quantities as text.
fn quantity(quantity: &Quantity) -> JsValue {
    match quantity {
        Quantity::Bytes(bytes) => number(*bytes).into(),
        other => other.to_string().into(),
    }
}
