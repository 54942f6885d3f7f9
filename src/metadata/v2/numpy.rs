//! Numpy's data types in Zarr v2: `"<i2"`, `">M8[ns]"`, `"|S7"`, `"|O"`, or a list of fields.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#data-type-encoding>

use crate::error::{Error, Result};
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;
use crate::metadata::types::data_type::{DataType, Kind, MAX_ITEM_BYTES};
use crate::metadata::types::numpy::ragged_part;
use crate::metadata::types::structure::FieldList;
use crate::metadata::types::{numpy, time};

/// A data type with its stored byte order.
#[derive(Debug, Clone)]
pub(super) struct NumpyType {
    /// The data type in v3's terms.
    pub(super) data_type: DataType,
    /// Whether its numbers are stored big endian; the fields of a struct have byte orders of their own.
    pub(super) big_endian: bool,
}

/// Reads a `dtype`; `object_codec` is the codec that determines the type of objects.
pub(super) fn parse(json: Json<'_>, object_codec: Option<&Extension>) -> Result<NumpyType> {
    if json.value().is_array() {
        return Ok(NumpyType { data_type: structure(json)?, big_endian: false });
    }
    let text = json.string()?;
    if let Some(data_type) = DataType::scalar(text).filter(|known| is_beyond_numpy(known.kind())) {
        return Ok(NumpyType { data_type, big_endian: false });
    }
    let (order, kind) = match text.char_indices().nth(1) {
        Some((at, _)) => text.split_at(at),
        None => (text, ""),
    };
    if !["<", ">", "|"].contains(&order) || kind.is_empty() {
        return Err(json.expected("a numpy type with its byte order, such as \"<f8\", \">i2\" or \"|S5\""));
    }
    // zarr-python 3.0 wrote a fixed length beside the filter for items of any length.
    let is_content = match object_codec.map(Extension::id) {
        Some("vlen-utf8") => kind.starts_with('U'),
        Some("vlen-bytes") => kind.starts_with('S'),
        _ => false,
    };
    let data_type = if kind == "O" || is_content { object(json, object_codec)? } else { plain(json, kind)? };
    if order == "|" && !data_type.numbers().is_empty() {
        return Err(json.expected("a byte order, \"<\" or \">\", before a type of several bytes"));
    }
    Ok(NumpyType { data_type, big_endian: order == ">" })
}

/// Whether numpy lacks the type: TensorStore then writes v3's name, such as `"bfloat16"`, and little endian items.
fn is_beyond_numpy(kind: &Kind) -> bool {
    matches!(kind, Kind::MiniFloat(_) | Kind::SmallInt { .. })
}

/// Reads a type of a fixed size, without its byte order.
fn plain(json: Json<'_>, kind: &str) -> Result<DataType> {
    if let Some(number) = numpy::of_kind(kind) {
        return Ok(number);
    }
    let (letter, rest) = kind.split_at(kind.chars().next().map_or(0, char::len_utf8));
    match letter {
        "S" => Ok(DataType::new("null_terminated_bytes", Kind::PaddedBytes, length(json, rest, 1)?)),
        "U" => Ok(DataType::new("fixed_length_utf32", Kind::Utf32, length(json, rest, 4)?)),
        "V" => Ok(DataType::new("raw_bytes", Kind::Raw, length(json, rest, 1)?)),
        "M" | "m" => {
            let name = if letter == "M" { "numpy.datetime64" } else { "numpy.timedelta64" };
            let step = rest.strip_prefix('8').and_then(|suffix| time::of_numpy(name, suffix));
            step.ok_or_else(|| json.expected("a time of 8 bytes with a numpy unit, such as \"<M8[ns]\""))
        }
        _ => Err(unsupported(json)),
    }
}

/// Reads the length of a text or bytes type, as bytes of an item; `letter` is the bytes of one letter.
fn length(json: Json<'_>, digits: &str, letter: u64) -> Result<u64> {
    let letters = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()));
    let bytes = letters.and_then(|letters| letters.checked_mul(letter));
    bytes
        .filter(|bytes| (1..=MAX_ITEM_BYTES).contains(bytes))
        .ok_or_else(|| json.expected(&format!("a type with a length of 1 to {MAX_ITEM_BYTES} bytes")))
}

/// The type of objects, from the codec that encodes them.
fn object(json: Json<'_>, codec: Option<&Extension>) -> Result<DataType> {
    if let Some(codec) = codec.filter(|codec| codec.id() == "vlen-array") {
        return ragged_part(codec.settings().required("dtype")?).map(DataType::ragged);
    }
    let name = match codec.map(Extension::id) {
        Some("vlen-utf8" | "categorize") => "string",
        Some("json" | "json2" | "msgpack" | "msgpack2") => "v2:object",
        Some("vlen-bytes") => "variable_length_bytes",
        Some("pickle") => {
            return Err(Error::Unsupported {
                feature: "an array of objects with the codec \"pickle\"".to_owned(),
                reason: "decoding a pickle runs any code in it; rewrite the array with \"vlen-utf8\""
                    .to_owned(),
            });
        }
        _ => {
            return Err(json.invalid(
                "objects need a filter that encodes them as bytes, such as \"vlen-utf8\"; the array has none",
            ));
        }
    };
    DataType::scalar(name).ok_or_else(|| unsupported(json))
}

/// Reads a list of `[name, dtype]` or `[name, dtype, shape]`, where a dtype may be such a list again.
fn structure(list: Json<'_>) -> Result<DataType> {
    let mut fields = FieldList::default();
    for (index, item) in list.items()?.enumerate() {
        let mut parts = item.items()?;
        let (name, dtype, shape) = match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(name), Some(dtype), shape, None) => (name, dtype, shape),
            _ => return Err(item.expected("a field's name and data type, and a shape if it has one")),
        };
        if name.value().is_array() {
            return Err(Error::Unsupported {
                feature: format!("the struct field {}, which has a title", name.value()),
                reason: format!("found at {}; write the fields without titles", name.pointer()),
            });
        }
        let name = match name.string()? {
            // Numpy's names for the gaps of aligned structs.
            "" => format!("f{index}"),
            name => name.to_owned(),
        };
        let stored = parse(dtype, None)?;
        let data_type = match shape {
            // A type of variable length is refused by the struct.
            Some(shape) if !stored.data_type.is_variable() => DataType::subarray(stored.data_type, shape)?,
            _ => stored.data_type,
        };
        fields.push(item, name, data_type, stored.big_endian)?;
    }
    fields.finish("struct", list)
}

fn unsupported(json: Json<'_>) -> Error {
    Error::Unsupported {
        feature: format!("the data type {}", json.value()),
        reason: format!(
            "found at {}; this build reads b1, i1-i8, u1-u8, f2-f8, c8, c16, M8, m8, S, U, V, O and lists of fields",
            json.pointer()
        ),
    }
}

/// Whether a numpy type has the byte order `>`, big endian.
pub(super) fn is_big_endian(dtype: &Value) -> bool {
    dtype.as_str().is_some_and(|text| text.starts_with('>'))
}
