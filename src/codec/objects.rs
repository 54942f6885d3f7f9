//! `numcodecs.json2` and `numcodecs.msgpack2`: one list of all items, then numpy's name of their type, then their shape.
//! `cfdb.msgpack`, a name of our own: the list of text alone, as cfdb's files have it, where nil stands for no text.
//!
//! Several axes are lists in lists, in C order. Each item becomes JSON text in a heap, or plain text where the array
//! holds text, with a reference to it. Both formats come through serde, which bounds how deep lists may nest.
//! Invariant: no more items are taken than the shape has, and no more text than a chunk may have.
//! Specs: <https://numcodecs.readthedocs.io/en/stable/other/json.html> and
//! <https://numcodecs.readthedocs.io/en/stable/other/msgpacks.html>

mod cfdb;
mod item;
mod json2;
mod msgpack2;

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};

use self::item::{Heap, Item, Text};
use super::memory::{reserved, to_memory};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension, Kind, REFERENCE_BYTES};

pub(super) const CFDB: &str = "cfdb.msgpack";
pub(super) const JSON2: &str = "numcodecs.json2";
pub(super) const MSGPACK2: &str = "numcodecs.msgpack2";

/// Which of the three, and whether items are text and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Objects {
    name: &'static str,
    is_text: bool,
}

impl Objects {
    /// The codec of a name, or nothing for another name.
    pub(super) fn parse(extension: &Extension, data_type: &DataType) -> Result<Option<Self>> {
        let name = match extension.name.as_str() {
            CFDB => extension.settings().only_fields(&[]).map(|()| CFDB)?,
            JSON2 => json2::check(extension.settings()).map(|()| JSON2)?,
            MSGPACK2 => msgpack2::check(extension.settings()).map(|()| MSGPACK2)?,
            _ => return Ok(None),
        };
        let is_text = match data_type.kind() {
            Kind::Object if name != CFDB => false,
            Kind::Text => true,
            _ => {
                let reason = format!("{name} does not hold items of {}", data_type.name());
                return Err(Error::metadata(extension.pointer.as_str(), reason));
            }
        };
        Ok(Some(Self { name, is_text }))
    }

    pub(super) fn name(self) -> &'static str {
        self.name
    }

    /// The references of a chunk's items, and the heap that they refer to.
    pub(super) fn decode(self, encoded: &[u8], shape: &[u64]) -> Result<(Vec<u8>, Vec<u8>)> {
        let items = to_memory(shape.iter().product())?;
        let mut chunk = Chunk {
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
            CFDB => cfdb::read(encoded, &mut chunk),
            JSON2 => json2::read(encoded, &mut chunk),
            _ => msgpack2::read(encoded, &mut chunk),
        };
        read.map_err(|got| match chunk.heap.unsupported {
            Some(kind) => Error::Unsupported {
                feature: format!("{} of items that are {kind}", self.name),
                reason: "items are read as JSON has them; vlen-bytes is a codec for bytes".to_owned(),
            },
            None => Error::codec(self.name, got, format!("a list of items of shape {shape:?}")),
        })?;
        Ok((chunk.references, chunk.heap.into_bytes()))
    }
}

/// A chunk in the making.
struct Chunk<'a> {
    shape: &'a [u64],
    references: Vec<u8>,
    heap: Heap,
    text: Text,
}

/// Reads the list of everything.
struct Whole<'a, 'b>(&'a mut Chunk<'b>);

impl<'de> DeserializeSeed<'de> for Whole<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of the items, their type and their shape")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<(), A::Error> {
        let shape = self.0.shape;
        // A single item without axes is in the list as one of an axis would be.
        let (&first, rest) = shape.split_first().unwrap_or((&1, &[]));
        some(&mut list, self.0, first, rest)?;
        required(list.next_element::<IgnoredAny>()?, "the name of the items' type")?;
        required(list.next_element_seed(Shape(shape))?, "the shape of the items")?;
        ended(list)
    }
}

/// Reads what is along some of the axes, or one item.
struct Part<'a, 'b>(&'a mut Chunk<'b>, &'a [u64]);

impl<'de> DeserializeSeed<'de> for Part<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        let Self(chunk, axes) = self;
        if !axes.is_empty() {
            return deserializer.deserialize_seq(Self(chunk, axes));
        }
        let start = chunk.heap.len();
        Item { heap: &mut chunk.heap, text: chunk.text }.deserialize(deserializer)?;
        for part in [start, chunk.heap.len() - start] {
            let part = u32::try_from(part).map_err(|_| D::Error::custom("too much text"))?;
            chunk.references.extend(part.to_le_bytes());
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Part<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list along the next axis")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<(), A::Error> {
        if let Some((&count, rest)) = self.1.split_first() {
            some(&mut list, self.0, count, rest)?;
        }
        ended(list)
    }
}

/// So many parts of a list.
fn some<'de, A: SeqAccess<'de>>(
    list: &mut A,
    chunk: &mut Chunk<'_>,
    count: u64,
    axes: &[u64],
) -> std::result::Result<(), A::Error> {
    for nth in 0..count {
        if list.next_element_seed(Part(chunk, axes))?.is_none() {
            return Err(A::Error::custom(format!("a list of {nth} instead of {count}")));
        }
    }
    Ok(())
}

fn required<T, E: serde::de::Error>(found: Option<T>, what: &str) -> std::result::Result<T, E> {
    found.ok_or_else(|| E::custom(format!("the list ends before {what}")))
}

fn ended<'de, A: SeqAccess<'de>>(mut list: A) -> std::result::Result<(), A::Error> {
    match list.next_element::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(A::Error::custom("a list with more in it than its shape says")),
    }
}

/// Reads a shape, which must be this one.
struct Shape<'a>(&'a [u64]);

impl<'de> DeserializeSeed<'de> for Shape<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Shape<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the shape {:?}", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<(), A::Error> {
        for &edge in self.0 {
            let found = list.next_element::<u64>()?;
            if found != Some(edge) {
                return Err(A::Error::custom(format!("a shape with {found:?} for {edge}")));
            }
        }
        ended(list)
    }
}
