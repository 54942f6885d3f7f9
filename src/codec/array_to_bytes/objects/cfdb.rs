//! `cfdb.msgpack`: the list of items as MessagePack, without their type and shape.
//!
//! ```json
//! { "name": "cfdb.msgpack" }
//! ```

use serde::de::DeserializeSeed;

use super::chunk::{ObjectChunk, ObjectList};
use super::msgpack2::whole;

pub(crate) fn read(encoded: &[u8], chunk: &mut ObjectChunk<'_>) -> std::result::Result<(), String> {
    let shape = chunk.shape;
    whole(encoded, |reader| ObjectList(chunk, shape).deserialize(reader))
}
