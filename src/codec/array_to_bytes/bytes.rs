//! `bytes`: the items one after the other in C order, little or big endian.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/index.html>
//!
//! ```json
//! { "name": "bytes", "configuration": { "endian": "little" } }
//! ```

use std::borrow::Cow;

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, NO_TIME, Size};
use crate::error::Result;
use crate::metadata::{Extension, LONGEST};
use crate::output::Decoded;

/// The codec's configuration: which bytes decoding reverses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BytesCodec {
    /// None: items are little endian, or have no byte order.
    AsStored,
    /// Numbers of this size in bytes, of which items consist.
    Reversed(usize),
    /// Parts of items: the item size in bytes, then offset and size of each part.
    ReversedParts(usize, Vec<(usize, usize)>),
}

impl ArrayToBytesCodec for BytesCodec {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let data_type = &input.data_type;
        let settings = extension.settings();
        settings.only_fields(&["endian", LONGEST])?;
        if data_type.is_variable() {
            let reason =
                format!("bytes cannot decode {}: expected items of a fixed length", data_type.name());
            return Err(settings.invalid(reason));
        }
        let numbers = data_type.numbers();
        // Before structs were registered, zarr-python omitted their byte order, which was little endian.
        let may_be_missing = numbers.is_empty() || data_type.name() == "structured";
        let is_big = match settings.field("endian").filter(|endian| !endian.value().is_null()) {
            Some(endian) => match endian.value().as_str() {
                Some("little") => false,
                Some("big") => true,
                _ => return Err(endian.expected("\"little\" or \"big\"")),
            },
            None if may_be_missing => false,
            None => {
                let reason = format!(
                    "the field \"endian\" is missing; expected \"little\" or \"big\" for {}",
                    data_type.name()
                );
                return Err(settings.invalid(reason));
            }
        };
        let reversed: Vec<(usize, usize)> = numbers
            .iter()
            .filter(|number| is_big || number.big_endian)
            .map(|number| (number.offset, number.size))
            .collect();
        let covered: usize = reversed.iter().map(|(_, size)| size).sum();
        Ok(match reversed.first() {
            None => Self::AsStored,
            Some(&(_, size))
                if covered == data_type.item_size() && reversed.iter().all(|(_, other)| *other == size) =>
            {
                Self::Reversed(size)
            }
            Some(_) => Self::ReversedParts(data_type.item_size(), reversed),
        })
    }

    fn encoded_size(&self, _: &ArraySpec<'_>, whole: usize) -> Result<Size> {
        Ok(Size::Exactly(whole))
    }

    fn decoded_rate(&self) -> u64 {
        NO_TIME
    }

    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        _: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        Ok(self.items(encoded, strides))
    }
}

impl BytesCodec {
    /// Bytes that a chunk of fewer may have been compressed from; 0 where that is not so.
    pub(crate) fn longest(extension: &Extension) -> u64 {
        extension.settings().field(LONGEST).and_then(|field| field.value().as_u64()).unwrap_or(0)
    }

    /// Items of a chunk, all of them or some, with these strides in bytes.
    pub(crate) fn items<'a>(&self, encoded: Cow<'a, [u8]>, strides: Vec<usize>) -> Decoded<'a> {
        let (bytes, reversed) = match self {
            Self::AsStored => (encoded, None),
            Self::Reversed(size) => (encoded, Some(*size)),
            Self::ReversedParts(size, parts) => {
                let mut items = encoded.into_owned();
                for item in items.chunks_exact_mut(*size) {
                    parts.iter().for_each(|&(offset, bytes)| item[offset..offset + bytes].reverse());
                }
                (Cow::Owned(items), None)
            }
        };
        Decoded { bytes, strides, heap: Cow::Borrowed(&[]), reversed }
    }
}
