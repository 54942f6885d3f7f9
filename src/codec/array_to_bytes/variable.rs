//! `vlen-utf8` and `vlen-bytes`: the number of items, then the length and the bytes of each item. All numbers are
//! little-endian `u32`.
//!
//! Decoded items are references (start and length) into the encoded bytes, which are kept as the heap. No content is
//! copied, and references are copied like any other item of eight bytes.
//! Specs: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8> and
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-bytes>
//!
//! ```json
//! { "name": "vlen-utf8" }
//! ```

use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension, Kind, REFERENCE_BYTES};
use crate::output::memory::reserved;
use crate::parts::{Codecs, Loaded, later};

/// One of the two codecs, by the meaning of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    Text,
    Bytes,
}

impl Variable {
    /// Parses a metadata entry; `None` where its name is neither `vlen-utf8` nor `vlen-bytes`.
    pub(crate) fn parse(extension: &Extension, data_type: &DataType) -> Result<Option<Self>> {
        let codec = match extension.id() {
            "vlen-utf8" => Self::Text,
            "vlen-bytes" => Self::Bytes,
            _ => return Ok(None),
        };
        extension.settings().only_fields(&[])?;
        let fits = match codec {
            Self::Text => *data_type.kind() == Kind::Text,
            Self::Bytes => *data_type.kind() == Kind::VariableBytes,
        };
        if fits {
            return Ok(Some(codec));
        }
        let expected = if codec == Self::Text { "strings" } else { "variable-length bytes" };
        let reason = format!("{} cannot decode {}: expected {expected}", codec.name(), data_type.name());
        Err(Error::metadata(extension.pointer.as_str(), reason))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "vlen-utf8",
            Self::Bytes => "vlen-bytes",
        }
    }

    /// Decodes `items` references; text must be valid UTF-8.
    pub(crate) fn decode(self, part: Loaded<Codecs>, heap: &[u8], items: usize) -> Result<Vec<u8>> {
        decode(part, self, heap, items)
    }
}

#[later]
fn decode(_: Loaded<Codecs>, codec: Variable, heap: &[u8], items: usize) -> Result<Vec<u8>> {
    references(codec.name(), heap, items, |content| match codec {
        Variable::Text if std::str::from_utf8(content).is_err() => Some("is not UTF-8"),
        _ => None,
    })
}

/// Decodes `items` references; `check` returns what is wrong with an item's content, if anything is.
pub(crate) fn references(
    codec: &'static str,
    heap: &[u8],
    items: usize,
    check: impl Fn(&[u8]) -> Option<&'static str>,
) -> Result<Vec<u8>> {
    let wrong = |got: String| Error::codec(codec, got, format!("{items} items and nothing after them"));
    let count = heap.first_chunk().map(|count| u32::from_le_bytes(*count));
    if count.map(|count| count as usize) != Some(items) {
        let got = || format!("{} bytes, without the number of items", heap.len());
        return Err(wrong(count.map_or_else(got, |count| format!("{count} items"))));
    }
    let mut references = reserved(items.saturating_mul(REFERENCE_BYTES))?;
    let mut at = 4;
    for item in 0..items {
        let length = heap.get(at..).and_then(<[u8]>::first_chunk).map(|length| u32::from_le_bytes(*length));
        let start = at + 4;
        let content = length.and_then(|length| heap.get(start..start.checked_add(length as usize)?));
        let (Some(length), Some(content), Ok(reference)) = (length, content, u32::try_from(start)) else {
            return Err(wrong(format!("{} bytes, which end within item {item}", heap.len())));
        };
        if let Some(fault) = check(content) {
            return Err(wrong(format!("item {item}, which {fault}")));
        }
        references.extend(reference.to_le_bytes());
        references.extend(length.to_le_bytes());
        at = start + content.len();
    }
    if at != heap.len() {
        return Err(wrong(format!("{} bytes after the last item", heap.len() - at)));
    }
    Ok(references)
}
