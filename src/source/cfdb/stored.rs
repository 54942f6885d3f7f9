//! Data type and codecs of a variable: cfdb's `dtype`, translated to Zarr.
//!
//! Invariant: the decoded values equal cfdb's, to the last bit; a variable for which this is unknown is an error. As in
//! cfdb, values are not packed where one of the fields for packing is missing.

use crate::error::{Error, Result};
use crate::metadata::{Json, Value};

/// Compression of every chunk of a data set.
#[derive(Clone, Copy)]
pub(super) struct Compression {
    codec: &'static str,
    shuffles: bool,
}

impl Compression {
    pub(super) fn parse(json: Json<'_>) -> Result<Self> {
        let (codec, shuffles) = match json.string()? {
            "zstd" => ("zstd", false),
            "zstd_shuffle" => ("zstd", true),
            "lz4" => ("cfdb.lz4_frame", false),
            "lz4_shuffle" => ("cfdb.lz4_frame", true),
            other => {
                return Err(Error::Unsupported {
                    feature: format!("cfdb's compression {other:?}"),
                    reason: "expected zstd, zstd_shuffle, lz4 or lz4_shuffle".to_owned(),
                });
            }
        };
        Ok(Self { codec, shuffles })
    }
}

/// Data type, fill value and codecs of a variable, as JSON.
pub(super) struct StoredType {
    pub(super) data_type: String,
    pub(super) fill_value: &'static str,
    pub(super) codecs: String,
    /// Kind of the geometries, each of which is WKT text; `None` for other types.
    pub(super) geometry: Option<&'static str>,
    /// Bytes of a stored item; `None` where items differ in length.
    pub(super) item_size: Option<u64>,
}

/// Kind of a numeric data type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredKind {
    Bool,
    Integer,
    Float,
    Time,
}

/// A numeric data type, its fill value and the bytes of an item.
struct StoredNumber {
    data_type: String,
    fill_value: &'static str,
    size: u64,
    kind: StoredKind,
}

impl StoredType {
    pub(super) fn parse(json: Json<'_>, compression: Compression) -> Result<Self> {
        let Compression { codec, shuffles } = compression;
        let named = json.required("name")?;
        let name = named.string()?;
        let geometry = match name.to_ascii_lowercase().as_str() {
            "point" => Some("point"),
            "line" | "linestring" => Some("line"),
            "polygon" => Some("polygon"),
            _ => None,
        };
        if geometry.is_some() || name.contains("str") {
            let codecs = format!(r#"[{{"name":"cfdb.msgpack"}},{{"name":"{codec}"}}]"#);
            let (data_type, fill_value) = (r#""string""#.to_owned(), r#""""#);
            return Ok(Self { data_type, fill_value, codecs, geometry, item_size: None });
        }
        let StoredNumber { data_type, fill_value, size, kind } = number(named)?;
        let (mut codecs, mut item_size) = ("[".to_owned(), size);
        if let Some((filter, size)) = packed(json, kind)? {
            codecs.push_str(&filter);
            item_size = size;
        }
        codecs.push_str(r#"{"name":"bytes","configuration":{"endian":"little"}},"#);
        if shuffles && item_size > 1 {
            let settings = format!(r#"{{"elementsize":{item_size}}}"#);
            codecs.push_str(&format!(r#"{{"name":"numcodecs.shuffle","configuration":{settings}}},"#));
        }
        codecs.push_str(&format!(r#"{{"name":"{codec}"}}]"#));
        Ok(Self { data_type, fill_value, codecs, geometry, item_size: Some(item_size) })
    }
}

/// Data type of a numpy name.
fn number(json: Json<'_>) -> Result<StoredNumber> {
    let name = json.string()?;
    let found = if let Some(step) = name.strip_prefix("datetime64[") {
        time(step).map(|data_type| (data_type, r#""NaT""#, 8, StoredKind::Time))
    } else {
        let (kind, fill_value, size) = match name {
            "bool" => (StoredKind::Bool, "false", 1),
            "int8" | "uint8" => (StoredKind::Integer, "0", 1),
            "int16" | "uint16" => (StoredKind::Integer, "0", 2),
            "int32" | "uint32" => (StoredKind::Integer, "0", 4),
            "int64" | "uint64" => (StoredKind::Integer, "0", 8),
            "float16" => (StoredKind::Float, r#""NaN""#, 2),
            "float32" => (StoredKind::Float, r#""NaN""#, 4),
            "float64" => (StoredKind::Float, r#""NaN""#, 8),
            _ => (StoredKind::Bool, "", 0),
        };
        (size > 0).then(|| (format!(r#""{name}""#), fill_value, size, kind))
    };
    let (data_type, fill_value, size, kind) = found.ok_or_else(|| Error::Unsupported {
        feature: format!("cfdb's data type {name:?}"),
        reason: format!(
            "found at {}; expected integers or floats of up to 64 bits, bool, datetime64, text or geometries",
            json.pointer()
        ),
    })?;
    Ok(StoredNumber { data_type, fill_value, size, kind })
}

/// Data type of `datetime64[25s]`, from the text after the bracket, `25s]`.
fn time(step: &str) -> Option<String> {
    let step = step.strip_suffix(']').filter(|step| step.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
    let (scale, unit) = step.split_at(step.bytes().position(|byte| !byte.is_ascii_digit())?);
    let scale = if scale.is_empty() { 1 } else { scale.parse::<u32>().ok()? };
    Some(format!(
        r#"{{"name":"numpy.datetime64","configuration":{{"unit":"{unit}","scale_factor":{scale}}}}}"#
    ))
}

/// Codec that unpacks values, and the bytes of a packed item; `None` where values are not packed.
fn packed(json: Json<'_>, kind: StoredKind) -> Result<Option<(String, u64)>> {
    let field = |name| json.field(name).filter(|field| !field.value().is_null());
    let (Some(encoded), Some(offset)) = (field("dtype_encoded"), field("offset")) else { return Ok(None) };
    let (fill, precision) = (field("fillvalue"), field("precision"));
    let mut more = String::new();
    match (kind, precision, fill) {
        (StoredKind::Float, Some(precision), Some(_)) => {
            more = format!(r#","factor":1e{}"#, power_of_ten(precision)?);
        }
        (StoredKind::Integer | StoredKind::Time, ..) => {}
        (StoredKind::Float | StoredKind::Bool, ..) => return Ok(None),
    }
    if let Some(fill) = fill.filter(|_| kind != StoredKind::Time) {
        more.push_str(&format!(r#","fill_value":{}"#, fill.value()));
    }
    let StoredNumber { data_type, size, .. } = number(encoded)?;
    let settings = format!(r#"{{"data_type":{data_type},"offset":{}{more}}}"#, offset.value());
    Ok(Some((format!(r#"{{"name":"cfdb.packed","configuration":{settings}}},"#), size)))
}

/// Parses a precision: an exponent of ten.
fn power_of_ten(precision: Json<'_>) -> Result<i64> {
    let whole = |value: &Value| value.as_f64().filter(|power| power.fract() == 0.0 && power.abs() <= 300.0);
    #[expect(clippy::cast_possible_truncation, reason = "a small integer, which is checked")]
    let power = whole(precision.value()).map(|power| power as i64);
    power.ok_or_else(|| precision.expected("an integer from -300 to 300"))
}
