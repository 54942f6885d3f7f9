//! The options of a read that say what its result looks like.

use js_sys::{Array, TypeError};
use wasm_bindgen::{JsCast, JsValue};

use super::JsResult;
use super::value::{field, shown};

/// What the result of a read looks like.
#[derive(Default)]
pub(super) struct Form {
    /// Whether 64-bit integers and times become numbers.
    pub(super) int64_as_number: bool,
    pub(super) fields: Fields,
}

/// What is read of each item.
#[derive(Default)]
pub(super) enum Fields {
    #[default]
    All,
    /// A field of a struct, as the region's data.
    One(String),
    /// Several, as data by field.
    Several(Vec<String>),
}

impl Form {
    pub(super) fn parse(options: &JsValue) -> JsResult<Self> {
        let int64 = field(options, "int64");
        let int64_as_number = int64 == "number";
        if !int64_as_number && !int64.is_undefined() && int64 != "bigint" {
            let message = format!("the option int64 is \"bigint\" or \"number\", not {}", shown(&int64));
            return Err(TypeError::new(&message).into());
        }
        Ok(Self { int64_as_number, fields: Fields::parse(options)? })
    }
}

impl Fields {
    fn parse(options: &JsValue) -> JsResult<Self> {
        let value = field(options, "fields");
        if value.is_undefined() || value.is_null() {
            return Ok(Self::All);
        }
        if let Some(path) = value.as_string() {
            return Ok(Self::One(path));
        }
        let paths: Option<Vec<String>> =
            value.dyn_ref::<Array>().and_then(|paths| paths.iter().map(|path| path.as_string()).collect());
        paths.map(Self::Several).ok_or_else(|| {
            let message = format!("the option fields is a name or a list of names, not {}", shown(&value));
            TypeError::new(&message).into()
        })
    }

    /// The fields that are read.
    pub(super) fn paths(&self) -> Option<&[String]> {
        match self {
            Self::All => None,
            Self::One(path) => Some(std::slice::from_ref(path)),
            Self::Several(paths) => Some(paths),
        }
    }
}
