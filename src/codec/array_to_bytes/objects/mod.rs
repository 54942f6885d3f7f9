//! `numcodecs.json2` and `numcodecs.msgpack2`: a list of all items, then numpy's name of their type, then their shape.
//!
//! `numcodecs.json` and `numcodecs.msgpack`, which numcodecs wrote up to version 0.5, lack the shape. `cfdb.msgpack` is
//! this package's own name for the lists of text in cfdb's files; there nil stands for empty text.
//! Several axes are nested lists in C order. Each item becomes JSON text in a heap, or plain text where the data type
//! is text, with a reference to it. serde reads both formats, and bounds the depth of nesting. Invariant: no more items
//! are read than the shape has, and no more text than a chunk may hold. Specs:
//! <https://numcodecs.readthedocs.io/en/stable/other/json.html> and
//! <https://numcodecs.readthedocs.io/en/stable/other/msgpacks.html>

mod chunk;
mod item;
mod json2;
mod msgpack2;

use std::borrow::Cow;

use self::chunk::{After, ObjectChunk};
use self::item::{Heap, Text};
use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Kind, REFERENCE_BYTES};
use crate::output::Decoded;
use crate::output::memory::{reserved, to_memory};

const CFDB: &str = "cfdb.msgpack";
const JSON: &str = "numcodecs.json";
const JSON2: &str = "numcodecs.json2";
const MSGPACK: &str = "numcodecs.msgpack";

/// The codec's configuration: its name, and whether all items are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Objects {
    name: &'static str,
    is_text: bool,
}

impl ArrayToBytesCodec for Objects {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let (name, settings, data_type) = (Self::named(extension), extension.settings(), &input.data_type);
        match name {
            CFDB => settings.only_fields(&[])?,
            JSON | JSON2 => json2::check(settings)?,
            MSGPACK => msgpack2::check_old(settings)?,
            _ => msgpack2::check(settings)?,
        }
        let is_text = match data_type.kind() {
            Kind::Object if name != CFDB => false,
            Kind::Text => true,
            _ => {
                let reason = format!("{name} cannot decode {}: expected text or objects", data_type.name());
                return Err(Error::metadata(extension.pointer.as_str(), reason));
            }
        };
        Ok(Self { name, is_text })
    }

    fn name(&self) -> &'static str {
        self.name
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
        let (references, heap) = self.references(&encoded, spec.shape)?;
        Ok(Decoded { bytes: references.into(), strides, heap: heap.into(), reversed: None })
    }
}

impl Objects {
    /// Decodes the references of a chunk's items, and the heap that they refer to.
    fn references(self, encoded: &[u8], shape: &[u64]) -> Result<(Vec<u8>, Vec<u8>)> {
        let items = to_memory(shape.iter().product())?;
        let mut chunk = ObjectChunk {
            shape,
            references: reserved(items.saturating_mul(REFERENCE_BYTES))?,
            heap: Heap::default(),
            text: match self.name {
                CFDB => Text::OrNothing,
                _ if self.is_text => Text::Only,
                _ => Text::AsJson,
            },
        };
        let read = match self.name {
            CFDB => msgpack2::read_items(encoded, &mut chunk),
            JSON => json2::read(encoded, &mut chunk, After::Type),
            JSON2 => json2::read(encoded, &mut chunk, After::TypeAndShape),
            MSGPACK => msgpack2::read(encoded, &mut chunk, After::Type),
            _ => msgpack2::read(encoded, &mut chunk, After::TypeAndShape),
        };
        read.map_err(|got| match chunk.heap.unsupported {
            Some(kind) => Error::Unsupported {
                feature: format!("{} of items that are {kind}", self.name),
                reason: "items must be JSON values; write bytes with the codec vlen-bytes".to_owned(),
            },
            None => Error::codec(self.name, got, format!("a list of items of shape {shape:?}")),
        })?;
        Ok((chunk.references, chunk.heap.into_bytes()))
    }
}
