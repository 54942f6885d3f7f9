//! Attributes that are float32 in a file, as JSON does not tell: numbers unpacked by them are float32, as in xarray.

use crate::metadata::{SINGLES, Value};

/// Whether the type of an attribute's number decides that of unpacked numbers.
pub(crate) fn decides(name: &str) -> bool {
    ["scale_factor", "add_offset"].contains(&name)
}

/// The field of a document that names such attributes; `None` where there are none.
pub(crate) fn singles_field(names: &[String]) -> Option<(&'static str, Value)> {
    let names: Value = names.iter().map(String::as_str).collect();
    let is_some = names.as_array().is_some_and(|names| !names.is_empty());
    is_some.then(|| (SINGLES, Value::object([("must_understand", false.into()), ("names", names)])))
}
