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

use std::borrow::Cow;

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Kind, REFERENCE_BYTES};
use crate::output::Decoded;
use crate::output::memory::reserved;
use crate::parts::{Codecs, Loaded, later};

const TEXT: &str = Variable::NAMES[0];
const BYTES: &str = Variable::NAMES[1];

/// One of the two codecs, with the part that decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Variable {
    is_text: bool,
    part: Loaded<Codecs>,
}

impl ArrayToBytesCodec for Variable {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let data_type = &input.data_type;
        let codec = Self { is_text: extension.id() == TEXT, part: Loaded::get()? };
        extension.settings().only_fields(&[])?;
        let (kind, expected) = match codec.is_text {
            true => (Kind::Text, "strings"),
            false => (Kind::VariableBytes, "variable-length bytes"),
        };
        if *data_type.kind() == kind {
            return Ok(codec);
        }
        let reason = format!("{} cannot decode {}: expected {expected}", codec.name(), data_type.name());
        Err(Error::metadata(extension.pointer.as_str(), reason))
    }

    fn name(&self) -> &'static str {
        if self.is_text { TEXT } else { BYTES }
    }

    fn encoded_size(&self, _: &ArraySpec<'_>, _: usize) -> Result<Size> {
        Ok(Size::AtMost(MAX_CONTENT_BYTES))
    }

    /// Text must be valid UTF-8.
    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let references = decode(self.part, self.is_text, &encoded, spec.items()?)?;
        Ok(Decoded { bytes: references.into(), strides, heap: encoded, reversed: None })
    }
}

#[later]
fn decode(_: Loaded<Codecs>, is_text: bool, heap: &[u8], items: usize) -> Result<Vec<u8>> {
    references(if is_text { TEXT } else { BYTES }, heap, items, |content| {
        (is_text && std::str::from_utf8(content).is_err()).then_some("is not UTF-8")
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
