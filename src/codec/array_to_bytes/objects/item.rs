//! Conversion of one item from its encoding to JSON text.
//!
//! `NaN` and the infinities, which JSON lacks, become strings that start with a NUL; [`crate::metadata::bare_number`]
//! reads them. Integers keep all of their digits: beyond 64 bits, they come as strings that start with a NUL, too.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::codec::kinds::MAX_CONTENT_BYTES;
use crate::metadata::Value;

/// JSON or plain text of the items, one after the other.
#[derive(Default)]
pub(crate) struct Heap {
    text: Vec<u8>,
    /// Kind of an item that was found and that text cannot hold.
    pub(crate) unsupported: Option<&'static str>,
}

impl Heap {
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Takes the text from this place on out of the heap.
    pub(crate) fn taken_from(&mut self, start: usize) -> Vec<u8> {
        self.text.split_off(start)
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    fn push<E: Error>(&mut self, text: &[u8]) -> Result<(), E> {
        // The capacity doubles, but never exceeds the bound.
        let most = MAX_CONTENT_BYTES - self.text.len();
        let grown = text.len() > self.text.capacity() - self.text.len();
        let room = if grown { text.len().max(self.text.len()).min(most) } else { 0 };
        if text.len() > most || self.text.try_reserve_exact(room).is_err() {
            return Err(E::custom(format!("more than {MAX_CONTENT_BYTES} bytes of text")));
        }
        self.text.extend_from_slice(text);
        Ok(())
    }

    /// Appends a value as JSON, such as text in quotes.
    fn push_json<E: Error, T: serde::Serialize + ?Sized>(&mut self, value: &T) -> Result<(), E> {
        let text = serde_json::to_vec(value).map_err(E::custom)?;
        self.push(&text)
    }
}

/// Treatment of text items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// Text becomes JSON, like all other items.
    AsJson,
    /// Text is kept as it is; other items are errors.
    Only,
    /// Text is kept as it is and null becomes empty text; other items are errors.
    OrNothing,
}

/// Deserializer of the next item.
pub(crate) struct ObjectItem<'a> {
    pub(crate) heap: &'a mut Heap,
    pub(crate) text: Text,
}

impl ObjectItem<'_> {
    fn inner(&mut self) -> ObjectItem<'_> {
        ObjectItem { heap: self.heap, text: Text::AsJson }
    }

    fn put<E: Error, T: serde::Serialize + ?Sized>(self, value: &T) -> Result<(), E> {
        if self.text != Text::AsJson {
            return Err(E::custom("an item that is not text"));
        }
        self.heap.push_json(value)
    }
}

impl<'de> DeserializeSeed<'de> for ObjectItem<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ObjectItem<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an item that JSON can spell")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.put(&value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.put(&value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.put(&value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        match value {
            value if value.is_finite() => self.put(&value),
            value if value.is_nan() => self.put("\0NaN"),
            value if value > 0.0 => self.put("\0Infinity"),
            _ => self.put("\0-Infinity"),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        if self.text == Text::OrNothing {
            return Ok(());
        }
        self.put(&())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if self.text != Text::AsJson {
            return self.heap.push(text.as_bytes());
        }
        match long_integer(text) {
            Some(digits) => self.heap.push(digits.as_bytes()),
            None => self.put(text),
        }
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<(), E> {
        self.heap.unsupported = Some("bytes");
        Err(E::custom("bytes"))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        self.heap.unsupported = Some("an extension type");
        Err(D::Error::custom("an extension type"))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        if self.text != Text::AsJson {
            return Err(A::Error::custom("a list instead of text"));
        }
        self.heap.push(b"[")?;
        let start = self.heap.len();
        while list.next_element_seed(Separated { item: self.inner(), start })?.is_some() {}
        self.heap.push(b"]")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        if self.text != Text::AsJson {
            return Err(A::Error::custom("a mapping instead of text"));
        }
        self.heap.push(b"{")?;
        let start = self.heap.len();
        while map.next_key_seed(Key(Separated { item: self.inner(), start }))?.is_some() {
            self.heap.push(b":")?;
            map.next_value_seed(self.inner())?;
        }
        self.heap.push(b"}")
    }
}

/// The integer of a string that stands for one.
fn long_integer(text: &str) -> Option<String> {
    Value::parse(text.strip_prefix('\0')?.as_bytes()).ok()?.as_number()?.large_integer()
}

/// Deserializer of an item of a list, which writes a comma before all items but the one at `start`.
struct Separated<'a> {
    item: ObjectItem<'a>,
    start: usize,
}

impl Separated<'_> {
    fn separate<E: Error>(&mut self) -> Result<(), E> {
        if self.item.heap.len() > self.start { self.item.heap.push(b",") } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Separated<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        self.separate()?;
        self.item.deserialize(deserializer)
    }
}

/// Deserializer of a mapping's key, which must be text as in JSON.
struct Key<'a>(Separated<'a>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping whose keys are text")
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        self.0.separate()?;
        self.0.item.put(text)
    }
}
