//! `vlen-ndarray`: items of the data type `ndarray`, whose first axis has any length.
//!
//! A chunk is that of `vlen-bytes`: the number of items, then the length in bytes and the elements of each item. All numbers
//! are little endian, and elements are in C order. The data type has the shape of items, so the codec has no fields.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/pull/71>
//!
//! ```json
//! { "name": "vlen-ndarray" }
//! ```

use std::borrow::Cow;

use super::variable::references;
use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Kind};
use crate::output::Decoded;

const NAME: &str = VlenNdarray::NAMES[0];

/// The codec, with the bytes that an item has for each step along its first axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VlenNdarray {
    step: usize,
}

impl ArrayToBytesCodec for VlenNdarray {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        extension.settings().only_fields(&[])?;
        if let Kind::Ragged(part) = input.data_type.kind() {
            return Ok(Self { step: part.item_size() });
        }
        let expected = "expected ndarray with null as its first length; bytes encodes items of one shape";
        let reason = format!("{NAME} cannot decode {}: {expected}", input.data_type.name());
        Err(Error::metadata(extension.pointer.as_str(), reason))
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
        let references = references(NAME, &encoded, spec.items()?, |content| {
            (!content.len().is_multiple_of(self.step)).then_some("ends within a step of its first axis")
        })?;
        Ok(Decoded { bytes: references.into(), strides, heap: encoded, reversed: None })
    }
}
