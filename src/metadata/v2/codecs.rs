//! Zarr v2's `order`, `filters` and `compressor`, as one list of codecs in v3's order.
//!
//! v2 has no array-to-bytes codec, except for objects: a `bytes` codec is inserted after the last array-to-array
//! filter, with the byte order of that filter's output.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#filters>

use super::numpy::is_big_endian;
use crate::error::{Error, Gather, Result};
use crate::metadata::codecs::codec_kind;
use crate::metadata::custom_codec::CodecKind;
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;

/// Codecs that encode objects as bytes, as filters or as the compressor.
const OBJECT_CODECS: [&str; 8] =
    ["vlen-utf8", "vlen-bytes", "vlen-array", "json", "json2", "msgpack", "msgpack2", "pickle"];

/// Object codecs that write nested lists, with the last axis innermost, regardless of the order in memory.
const LIST_CODECS: [&str; 4] = ["json", "json2", "msgpack", "msgpack2"];

/// The filters and the compressor in the order of encoding.
#[derive(Debug)]
pub(super) struct Codecs {
    list: Vec<Extension>,
}

impl Codecs {
    pub(super) fn parse(zarray: Json<'_>) -> Result<Self> {
        let is_there = |field: &Json<'_>| !field.value().is_null();
        let mut list = match zarray.field("filters").filter(is_there) {
            None => Vec::new(),
            Some(filters) => filters.items()?.map(Extension::from_v2).gathered()?,
        };
        if let Some(compressor) = zarray.field("compressor").filter(is_there) {
            list.push(Extension::from_v2(compressor)?);
        }
        Ok(Self { list })
    }

    /// The codec that encodes objects as bytes.
    pub(super) fn object_codec(&self) -> Option<&Extension> {
        self.list.iter().find(|codec| OBJECT_CODECS.contains(&codec.id()))
    }

    /// The codec that determines the type of objects: it encodes them as bytes or as numbers.
    pub(super) fn object_type(&self) -> Option<&Extension> {
        self.object_codec().or_else(|| self.list.iter().find(|codec| codec.id() == "categorize"))
    }

    /// The codecs in v3's form, for an array of this rank and byte order.
    pub(super) fn extensions(
        mut self,
        zarray: Json<'_>,
        rank: usize,
        big_endian: bool,
    ) -> Result<Vec<Extension>> {
        let mut all = Vec::with_capacity(self.list.len() + 2);
        let order = zarray.required("order")?;
        let reversed = || (0..rank as u64).rev().collect();
        match order.value().as_str() {
            Some("C") => {}
            Some("F") if self.object_codec().is_some_and(|codec| LIST_CODECS.contains(&codec.id())) => {}
            Some("F") => {
                all.push(Extension::implied("transpose", Value::object([("order", reversed())]), &order))
            }
            _ => return Err(order.expected("\"C\" or \"F\"")),
        }
        let is_of = |kind| move |codec: &Extension| codec_kind(&codec.name) == Some(kind);
        let makes_bytes =
            self.list.iter().any(is_of(CodecKind::ArrayToBytes)) || self.object_codec().is_some();
        let arrays = self.list.iter().rposition(is_of(CodecKind::ArrayToArray)).map_or(0, |at| at + 1);
        let mut big_endian = big_endian;
        for codec in &mut self.list[..arrays] {
            big_endian = order_after(codec, big_endian)?;
            // Each filter keeps the order of its input, so only the order of the stored numbers matters.
            codec.forget_byte_order(&["dtype", "astype", "encode_dtype", "decode_dtype"]);
        }
        let bytes = Value::object([("endian", if big_endian { "big" } else { "little" }.into())]);
        let bytes = Extension::implied("bytes", bytes, &zarray.required("dtype")?);
        let mut filters = self.list.into_iter();
        all.extend(filters.by_ref().take(arrays));
        if !makes_bytes {
            all.push(bytes);
        }
        all.extend(filters);
        Ok(all)
    }
}

/// Whether a filter's output is big endian; `given` says whether its input is.
fn order_after(codec: &Extension, given: bool) -> Result<bool> {
    let settings = codec.settings();
    let said = |name: &str| settings.field(name).map(|field| field.value().clone()).filter(Value::is_string);
    // A filter that declares the other byte order would misread every number of its input.
    for name in ["dtype", "decode_dtype"] {
        if let Some(dtype) = said(name).filter(|dtype| spells_order(dtype) && is_big_endian(dtype) != given) {
            return Err(Error::Unsupported {
                feature: format!("the filter {:?} for {}", codec.id(), dtype),
                reason: format!("found at {}; the filter's input has the other byte order", codec.pointer),
            });
        }
    }
    let output = said("encode_dtype").or_else(|| said("astype"));
    Ok(output.map_or(given, |dtype| is_big_endian(&dtype)))
}

/// Whether a numpy type has a byte order that matters.
fn spells_order(dtype: &Value) -> bool {
    let is_one_byte = |text: &str| ["b1", "i1", "u1", "O"].iter().any(|kind| text.ends_with(kind));
    dtype.as_str().is_some_and(|text| text.starts_with(['<', '>']) && !is_one_byte(text))
}
