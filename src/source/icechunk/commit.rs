//! Commit metadata of a snapshot: its time, its parent, the message and further metadata.

use super::encoding::flat::{Fault, FlatTable, FlatTables, required};
use super::encoding::flex;
use super::encoding::id::Id;
use super::encoding::message_pack;
use crate::error::{Error, Result};
use crate::metadata::{JsonNumber, Map, Value};

/// Most bytes of JSON for each byte of a file: the JSON repeats names and spells ids out.
const MOST: usize = 16;

/// Most bytes of a snapshot's message, and of its metadata, in a file: 1 MiB.
///
/// They are held in memory and written as JSON, which takes many times as much.
const MOST_WORDS: usize = 1 << 20;

/// Commit metadata of a snapshot.
#[derive(Clone)]
pub(super) struct Commit {
    pub(super) id: Id,
    pub(super) parent: Option<Id>,
    message: String,
    /// Time of the commit, in microseconds since 1970.
    written: u64,
    metadata: Map,
}

impl Commit {
    /// Reads the commit from a table; the numbers are its fields for time, message and metadata.
    pub(super) fn new(
        id: Id,
        parent: Option<Id>,
        table: &FlatTable<'_>,
        [written, message, metadata]: [usize; 3],
        version: u8,
    ) -> Result<Self> {
        let message = required(table.text(message)?, "message")?.to_owned();
        if message.len() > MOST_WORDS {
            return Err(too_long());
        }
        let metadata = items(table.tables(metadata)?, version)?;
        Ok(Self { id, parent, message, written: table.long(written)?, metadata })
    }

    fn json(self) -> Value {
        let mut fields = Map::new();
        fields.insert("id".to_owned(), self.id.to_string().into());
        if let Some(parent) = self.parent {
            fields.insert("parent".to_owned(), parent.to_string().into());
        }
        fields.insert("message".to_owned(), self.message.into());
        #[expect(clippy::cast_precision_loss, reason = "microseconds are below 2^53 until the year 2255")]
        let milliseconds = JsonNumber::from_f64(self.written as f64 / 1000.0);
        fields.insert("writtenAt".to_owned(), milliseconds.map_or(Value::Null, Value::Number));
        fields.insert("metadata".to_owned(), self.metadata.into());
        fields.into()
    }
}

/// Writes commits as a JSON list; `bytes` is the size of the files that they come from.
pub(super) fn listed(commits: impl Iterator<Item = Result<Commit>>, bytes: usize) -> Result<Vec<u8>> {
    let mut text = String::from("[");
    for commit in commits {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&commit?.json().to_string());
        if text.len() / MOST > bytes {
            return Err(Fault::Repeats.into());
        }
    }
    text.push(']');
    Ok(text.into_bytes())
}

fn too_long() -> Error {
    Error::metadata("", format!("a commit's message or metadata exceed {MOST_WORDS} bytes; it is damaged"))
}

/// Reads metadata items; their values are `MessagePack` in version 1 and `FlexBuffers` in version 2.
fn items(items: FlatTables<'_>, version: u8) -> Result<Map> {
    let (mut map, mut bytes) = (Map::new(), 0);
    for item in items.iter() {
        let item = item?;
        let (name, value) = (required(item.text(0)?, "name")?, required(item.bytes(1)?, "value")?);
        bytes += name.len() + value.len();
        if bytes > items.bytes() {
            return Err(Fault::Repeats.into());
        }
        if bytes > MOST_WORDS {
            return Err(too_long());
        }
        let value = if version == 1 { message_pack::value(value) } else { flex::value(value) };
        let value = value
            .ok_or_else(|| Error::metadata("", format!("the commit's metadata item {name:?} is damaged")))?;
        map.insert(name.to_owned(), value);
    }
    Ok(map)
}
