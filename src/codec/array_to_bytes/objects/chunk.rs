//! Deserializers of a chunk of objects: the whole chunk, and a nested list along an axis.
//!
//! Invariant: no more items are read than the shape has.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};

use super::item::{Heap, ObjectItem, Text};

/// A chunk while it is decoded.
pub(crate) struct ObjectChunk<'a> {
    pub(crate) shape: &'a [u64],
    pub(crate) references: Vec<u8>,
    pub(crate) heap: Heap,
    pub(crate) text: Text,
}

/// Entries that follow the items in a chunk's list: a type, or a type and a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// The name of the items' type.
    Type,
    /// The name of the items' type, then the shape.
    TypeAndShape,
}

/// Deserializer of the whole chunk: the items, their type, and mostly their shape, in one list.
pub(crate) struct Whole<'a, 'b>(pub(crate) &'a mut ObjectChunk<'b>, pub(crate) After);

impl<'de> DeserializeSeed<'de> for Whole<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.1 {
            After::Type => "a list of the items and their type",
            After::TypeAndShape => "a list of the items, their type and their shape",
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<(), A::Error> {
        let Self(chunk, after) = self;
        let shape = chunk.shape;
        // An array without axes is stored like an axis of one item.
        let (&first, rest) = shape.split_first().unwrap_or((&1, &[]));
        some(&mut list, chunk, first, rest)?;
        required(list.next_element::<IgnoredAny>()?, "the name of the items' type")?;
        if after == After::TypeAndShape {
            check_shape(&mut list, chunk)?;
        }
        ended(list)
    }
}

/// Deserializer of a nested list along these axes, or of one item where there are no axes.
pub(crate) struct ObjectList<'a, 'b>(pub(crate) &'a mut ObjectChunk<'b>, pub(crate) &'a [u64]);

impl<'de> DeserializeSeed<'de> for ObjectList<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        let Self(chunk, axes) = self;
        if !axes.is_empty() {
            return deserializer.deserialize_seq(Self(chunk, axes));
        }
        let start = chunk.heap.len();
        ObjectItem { heap: &mut chunk.heap, text: chunk.text }.deserialize(deserializer)?;
        for part in [start, chunk.heap.len() - start] {
            let part = u32::try_from(part).map_err(|_| D::Error::custom("too much text"))?;
            chunk.references.extend(part.to_le_bytes());
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for ObjectList<'_, '_> {
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

/// Reads `count` elements of a list, each a nested list.
fn some<'de, A: SeqAccess<'de>>(
    list: &mut A,
    chunk: &mut ObjectChunk<'_>,
    count: u64,
    axes: &[u64],
) -> std::result::Result<(), A::Error> {
    for nth in 0..count {
        if list.next_element_seed(ObjectList(chunk, axes))?.is_none() {
            return Err(A::Error::custom(format!("a list of {nth} items instead of {count}")));
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
        Some(_) => Err(A::Error::custom("a list with more elements than expected")),
    }
}

/// Reads the shape that follows the items as one more item, which needs no deserializer of its own.
fn check_shape<'de, A: SeqAccess<'de>>(
    list: &mut A,
    chunk: &mut ObjectChunk<'_>,
) -> std::result::Result<(), A::Error> {
    let start = chunk.heap.len();
    let item = ObjectItem { heap: &mut chunk.heap, text: Text::AsJson };
    required(list.next_element_seed(item)?, "the shape of the items")?;
    let found = chunk.heap.taken_from(start);
    if found == format!("{:?}", chunk.shape).replace(' ', "").into_bytes() {
        return Ok(());
    }
    Err(A::Error::custom(format!("items of the shape {}", String::from_utf8_lossy(&found))))
}
