//! Documents of Zarr for what an original file holds: one for each array, and the root's with all of them consolidated.

use super::singles::singles_field;
use crate::metadata::{JsonNumber, LONGER, Map, Value};

/// The chunks of an axis: edges of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AxisChunks {
    /// Length of the axis.
    pub(crate) extent: u64,
    /// Length of a chunk, at least 1.
    pub(crate) edge: u64,
    /// Whether the last chunk is stored whole, also beyond the end of the axis.
    pub(crate) is_padded: bool,
}

impl AxisChunks {
    /// Length of the last chunk where it is shorter than the others.
    fn shorter(self) -> Option<u64> {
        Some(self.extent % self.edge).filter(|rest| *rest > 0 && !self.is_padded)
    }
}

/// An array.
#[derive(Debug, Clone)]
pub(crate) struct ArrayNode {
    pub(crate) axes: Vec<AxisChunks>,
    /// Names of dimensions.
    pub(crate) dimensions: Vec<String>,
    /// Data type, fill value and codecs, as in Zarr's documents.
    pub(crate) data_type: Value,
    pub(crate) fill_value: Value,
    pub(crate) codecs: Vec<Value>,
    pub(crate) attributes: Map,
    /// Names of the attributes that unpack items and are float32.
    pub(crate) singles: Vec<String>,
    /// Bytes that a shorter chunk may have been compressed from; `None` where chunks have what they need.
    pub(crate) longest: Option<u64>,
}

impl ArrayNode {
    /// The array's document.
    pub(crate) fn document(&self) -> Value {
        let numbers = |number: fn(&AxisChunks) -> u64| self.axes.iter().map(number).collect::<Value>();
        let grid = if self.axes.iter().all(|axis| axis.shorter().is_none()) {
            extension("regular", [("chunk_shape", numbers(|axis| axis.edge))])
        } else {
            let shapes = Value::Array(self.axes.iter().map(|axis| axis_edges(*axis)).collect());
            extension("rectilinear", [("kind", "inline".into()), ("chunk_shapes", shapes)])
        };
        let mut document = Value::object([
            ("zarr_format", 3_u64.into()),
            ("node_type", "array".into()),
            ("shape", numbers(|axis| axis.extent)),
            ("data_type", self.data_type.clone()),
            ("chunk_grid", grid),
            ("chunk_key_encoding", Value::object([("name", "default".into())])),
            ("fill_value", self.fill_value.clone()),
            ("codecs", Value::Array(self.codecs.clone())),
            ("attributes", Value::Object(self.attributes.clone())),
            ("dimension_names", self.dimensions.iter().map(String::as_str).collect()),
        ]);
        let longer = self.longest.map(|bytes| {
            (LONGER, Value::object([("must_understand", false.into()), ("bytes", bytes.into())]))
        });
        if let Value::Object(fields) = &mut document {
            for (name, value) in singles_field(&self.singles).into_iter().chain(longer) {
                fields.insert(name.to_owned(), value);
            }
        }
        document
    }
}

/// Edges of an axis: one number, or runs of equal edges.
fn axis_edges(axis: AxisChunks) -> Value {
    let Some(rest) = axis.shorter() else { return axis.edge.into() };
    let whole = axis.extent / axis.edge;
    let run = (whole > 0).then(|| Value::list([axis.edge.into(), whole.into()]));
    Value::Array(run.into_iter().chain([rest.into()]).collect())
}

/// A codec or another extension of Zarr with its configuration.
pub(crate) fn extension<const N: usize>(name: &str, configuration: [(&str, Value); N]) -> Value {
    Value::object([("name", name.into()), ("configuration", Value::object(configuration))])
}

/// The codec of big-endian items.
pub(crate) fn big_endian() -> Value {
    extension("bytes", [("endian", "big".into())])
}

/// A float as JSON, in words where it is no number.
pub(crate) fn float_value(float: f64) -> Value {
    match JsonNumber::from_f64(float) {
        Some(number) => Value::Number(number),
        None if float.is_nan() => "NaN".into(),
        None => if float > 0.0 { "Infinity" } else { "-Infinity" }.into(),
    }
}

/// Path of an array and coordinates of its chunk, of a chunk's key: `t2m/c/0/1`.
pub(crate) fn split_key(key: &str) -> Option<(&str, Vec<u64>)> {
    // The last part named `c`: an array may have that name too.
    let parts: Vec<&str> = key.split('/').collect();
    let at = parts.iter().rposition(|part| *part == "c").filter(|at| *at > 0)?;
    let path = parts[..at].iter().map(|part| part.len() + 1).sum::<usize>() - 1;
    let mut coords = Vec::with_capacity(parts.len() - at);
    for part in &parts[at + 1..] {
        coords.push(part.parse().ok()?);
    }
    Some((&key[..path], coords))
}

/// The number that a text is, as JSON with its digits; null where it is none.
pub(crate) fn number_value(text: &str) -> Value {
    decimal(text.trim()).map_or(Value::Null, |text| Value::Number(JsonNumber::read(&text)))
}

/// A decimal number as JSON spells it, which other programs spell more freely: `+01.` is 1.
fn decimal(text: &str) -> Option<String> {
    let (sign, text) =
        text.strip_prefix('-').map_or(("", text.strip_prefix('+').unwrap_or(text)), |text| ("-", text));
    let (digits, exponent) =
        text.split_once(['e', 'E']).map_or((text, None), |(digits, power)| (digits, Some(power)));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let power = exponent.map(|power| power.strip_prefix(['+', '-']).unwrap_or(power));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = are_digits(whole) && are_digits(fraction) && (whole.len() + fraction.len() > 0);
    if !is_number || power.is_some_and(|power| power.is_empty() || power.len() > 5 || !are_digits(power)) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let mut found = format!("{sign}{}", if whole.is_empty() { "0" } else { whole });
    if !fraction.is_empty() {
        found.push('.');
        found.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        found.push('e');
        found.push_str(exponent);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{AxisChunks, axis_edges, number_value, split_key};

    #[test]
    fn numbers_of_other_programs_become_json() {
        for (text, wanted) in [
            ("5", "5"),
            ("-007", "-7"),
            ("+1.50", "1.50"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1e-05", "1e-05"),
            ("1E+3", "1e+3"),
            ("18446744073709551615", "18446744073709551615"),
            ("", "null"),
            ("-", "null"),
            ("e5", "null"),
            ("1e", "null"),
            ("0x5", "null"),
            ("nan", "null"),
            ("1e999999", "null"),
            (" 2 ", "2"),
            ("1.2.3", "null"),
        ] {
            assert_eq!(number_value(text).to_string(), wanted, "{text:?}");
        }
    }

    #[test]
    fn keys_of_chunks_may_have_a_path_of_any_names() {
        assert_eq!(split_key("t2m/c/0/12"), Some(("t2m", vec![0, 12])));
        assert_eq!(split_key("a/b/c"), Some(("a/b", vec![])));
        assert_eq!(split_key("c/c/1"), Some(("c", vec![1])));
        for other in ["", "c/1", "t2m/zarr.json", "t2m/c/x", "t2m/c/-1", "t2m/c/18446744073709551616"] {
            assert_eq!(split_key(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_edge_of_an_axis_may_be_shorter() {
        let edges = |extent, edge, is_padded| axis_edges(AxisChunks { extent, edge, is_padded }).to_string();
        assert_eq!(edges(10, 5, false), "5");
        assert_eq!(edges(11, 5, false), "[[5,2],1]");
        assert_eq!(edges(11, 5, true), "5");
        assert_eq!(edges(3, 5, false), "[3]");
        assert_eq!(edges(0, 5, false), "5");
    }
}
