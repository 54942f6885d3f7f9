//! `cfdb.msgpack`: the list of items as MessagePack, with nothing behind it.
//!
//! ```json
//! { "name": "cfdb.msgpack" }
//! ```

use serde::de::DeserializeSeed;

use super::chunk::{Chunk, Part};
use super::msgpack2::whole;

pub(crate) fn read(encoded: &[u8], chunk: &mut Chunk<'_>) -> std::result::Result<(), String> {
    let shape = chunk.shape;
    whole(encoded, |reader| Part(chunk, shape).deserialize(reader))
}
