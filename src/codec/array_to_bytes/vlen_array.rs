//! `numcodecs.vlen-array`: ragged arrays, as the number of items, then the length in bytes and the numbers of each
//! item.
//!
//! The number of items and the lengths are little-endian `u32`; `dtype` is the type of the numbers.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/other/vlen.html>
//!
//! ```json
//! { "name": "numcodecs.vlen-array", "configuration": { "dtype": "<i4" } }
//! ```

use std::borrow::Cow;

use super::variable::references;
use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Kind, REFERENCE_BYTES, ragged_part};
use crate::output::Decoded;

const NAME: &str = VlenArray::NAMES[0];

/// The codec's configuration: bytes of a number, and bytes of its parts where they are big endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VlenArray {
    number: usize,
    reversed: Option<usize>,
}

impl ArrayToBytesCodec for VlenArray {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let data_type = &input.data_type;
        let settings = extension.settings();
        settings.only_fields(&["dtype"])?;
        let field = settings.required("dtype")?;
        let part = ragged_part(field)?;
        if *data_type.kind() != Kind::Ragged(Box::new(part.clone())) {
            let reason = format!("{NAME} with dtype {} cannot decode {}", part.name(), data_type.name());
            return Err(Error::metadata(extension.pointer.as_str(), reason));
        }
        let is_big = field.string()?.starts_with('>');
        let reversed = part.numbers().first().map(|number| number.size).filter(|_| is_big);
        Ok(Self { number: part.item_size(), reversed })
    }

    fn encoded_size(&self, _: &ArraySpec<'_>, _: usize) -> Result<Size> {
        Ok(Size::AtMost(MAX_CONTENT_BYTES))
    }

    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let (references, heap) = self.references(encoded, spec.items()?)?;
        Ok(Decoded { bytes: references.into(), strides, heap, reversed: None })
    }
}

impl VlenArray {
    /// Decodes `items` references, and the heap that they refer to.
    fn references<'a>(&self, heap: Cow<'a, [u8]>, items: usize) -> Result<(Vec<u8>, Cow<'a, [u8]>)> {
        let references = references(NAME, &heap, items, |content| {
            (!content.len().is_multiple_of(self.number)).then_some("ends within a number")
        })?;
        let Some(size) = self.reversed else { return Ok((references, heap)) };
        let mut heap = heap.into_owned();
        for item in references.as_chunks::<REFERENCE_BYTES>().0 {
            let [start, length] = [0, 4]
                .map(|at| u32::from_le_bytes([item[at], item[at + 1], item[at + 2], item[at + 3]]) as usize);
            heap[start..start + length].chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        Ok((references, heap.into()))
    }
}
