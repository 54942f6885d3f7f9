//! Zarr v2's `order`, `filters` and `compressor`, as one list of codecs in v3's order.
//!
//! v2 has no codec that turns an array into bytes unless items are objects: `bytes` is put where the last
//! filter from arrays to arrays has been, with the byte order of what that one gives.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#filters>

use super::numpy::is_big_endian;
use crate::error::{Error, Gather, Result};
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;

/// Filters from arrays to arrays, and where each one says what type it gives: in this field, or the type that it
/// is given where the field or its name is missing.
const ARRAY_FILTERS: [(&str, Option<&str>); 7] = [
    ("astype", Some("encode_dtype")),
    ("bitround", None),
    ("categorize", Some("astype")),
    ("delta", Some("astype")),
    ("fixedscaleoffset", Some("astype")),
    ("packbits", None),
    ("quantize", Some("astype")),
];

/// Codecs that make bytes of objects, as filters or as the compressor.
const OBJECT_CODECS: [&str; 6] = ["vlen-utf8", "vlen-bytes", "vlen-array", "json2", "msgpack2", "pickle"];

/// The codecs that make bytes of numbers, mostly as the compressor.
const NUMBER_CODECS: [&str; 2] = ["pcodec", "zfpy"];

/// The filters and the compressor, first applied first.
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

    /// The codec that makes bytes of objects.
    pub(super) fn object_codec(&self) -> Option<&Extension> {
        self.list.iter().find(|codec| OBJECT_CODECS.contains(&codec.id()))
    }

    /// The codec that says what objects are: the one that makes bytes of them, or numbers.
    pub(super) fn object_type(&self) -> Option<&Extension> {
        self.object_codec().or_else(|| self.list.iter().find(|codec| codec.id() == "categorize"))
    }

    /// The codecs as v3 lists them, of an array whose numbers are of this byte order.
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
            // These write lists in lists, the last axis innermost, whatever the order in memory.
            Some("F")
                if self.object_codec().is_some_and(|codec| ["json2", "msgpack2"].contains(&codec.id())) => {}
            Some("F") => {
                all.push(Extension::implied("transpose", Value::object([("order", reversed())]), &order))
            }
            _ => return Err(order.expected("\"C\" or \"F\"")),
        }
        let makes_bytes = self.list.iter().any(|codec| NUMBER_CODECS.contains(&codec.id()))
            || self.object_codec().is_some();
        let arrays = self.list.iter().rposition(|codec| array_filter(codec).is_some()).map_or(0, |at| at + 1);
        let mut big_endian = big_endian;
        for codec in &mut self.list[..arrays] {
            big_endian = order_after(codec, big_endian)?;
            // Each has the order of what it is given, so that of what is stored is all that matters.
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

fn array_filter(codec: &Extension) -> Option<Option<&'static str>> {
    ARRAY_FILTERS.iter().find(|(known, _)| *known == codec.id()).map(|(_, field)| *field)
}

/// Whether what a filter gives is big endian, when what it is given is or is not.
fn order_after(codec: &Extension, given: bool) -> Result<bool> {
    let settings = codec.settings();
    let said = |name: &str| settings.field(name).map(|field| field.value().clone()).filter(Value::is_string);
    // A filter that reads the other byte order takes each number for another one, and gives it back as such.
    for name in ["dtype", "decode_dtype"] {
        if let Some(dtype) = said(name).filter(|dtype| spells_order(dtype) && is_big_endian(dtype) != given) {
            return Err(Error::Unsupported {
                feature: format!("the filter {:?} of {}", codec.id(), dtype),
                reason: format!("met at {}; what it is given has the other byte order", codec.pointer),
            });
        }
    }
    let field = array_filter(codec).flatten();
    Ok(field.and_then(said).map_or(given, |dtype| is_big_endian(&dtype)))
}

/// Whether a type's spelling has a byte order that matters.
fn spells_order(dtype: &Value) -> bool {
    let is_one_byte = |text: &str| ["b1", "i1", "u1", "O"].iter().any(|kind| text.ends_with(kind));
    dtype.as_str().is_some_and(|text| text.starts_with(['<', '>']) && !is_one_byte(text))
}
