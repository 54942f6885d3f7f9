//! `numcodecs.msgpack2`, `numcodecs.msgpack` of before 2018, and `cfdb.msgpack`: the list as MessagePack.
//!
//! Items that are bytes or of an extension type are not supported; `vlen-bytes` is a codec for bytes.
//! Spec: <https://github.com/msgpack/msgpack/blob/master/spec.md>
//!
//! ```json
//! { "name": "numcodecs.msgpack2", "configuration": { "raw": false, "use_bin_type": true, "use_single_float": false } }
//! { "name": "numcodecs.msgpack", "configuration": { "encoding": "utf-8" } }
//! { "name": "cfdb.msgpack" }
//! ```

use serde::de::DeserializeSeed;

use super::chunk::{After, ObjectChunk, ObjectList, Whole};
use super::json2::check_encoding;
use crate::error::{Error, Result};
use crate::metadata::Json;

/// The greatest depth of nested lists: 128, as in JSON.
const MAX_DEPTH: usize = 128;

/// Reader of MessagePack.
pub(crate) type ItemReader<'a, 'de> =
    rmp_serde::Deserializer<rmp_serde::decode::ReadReader<&'a mut &'de [u8]>>;

pub(crate) fn check(settings: Json<'_>) -> Result<()> {
    settings.only_fields(&["raw", "use_bin_type", "use_single_float"])?;
    match settings.field("raw").filter(|raw| raw.value().as_bool() == Some(true)) {
        None => Ok(()),
        Some(raw) => Err(Error::Unsupported {
            feature: "MessagePack read as raw bytes".to_owned(),
            reason: format!("met at {}; expected false: only text is read", raw.pointer()),
        }),
    }
}

/// Checks the configuration of `numcodecs.msgpack`.
pub(crate) fn check_old(settings: Json<'_>) -> Result<()> {
    settings.only_fields(&["encoding"])?;
    check_encoding(settings, "MessagePack")
}

pub(crate) fn read(
    encoded: &[u8],
    chunk: &mut ObjectChunk<'_>,
    after: After,
) -> std::result::Result<(), String> {
    whole(encoded, |reader| Whole(chunk, after).deserialize(reader))
}

/// Reads one value, which must end where the bytes end.
pub(crate) fn whole<'de>(
    mut encoded: &'de [u8],
    read: impl FnOnce(&mut ItemReader<'_, 'de>) -> std::result::Result<(), rmp_serde::decode::Error>,
) -> std::result::Result<(), String> {
    let mut reader = rmp_serde::Deserializer::new(&mut encoded);
    reader.set_max_depth(MAX_DEPTH);
    read(&mut reader).map_err(|error| error.to_string())?;
    if encoded.is_empty() {
        Ok(())
    } else {
        Err(format!("a list with {} more bytes after it", encoded.len()))
    }
}

/// Reads the list of `cfdb.msgpack`, which is without the type and the shape of items.
pub(crate) fn read_items(encoded: &[u8], chunk: &mut ObjectChunk<'_>) -> std::result::Result<(), String> {
    let shape = chunk.shape;
    whole(encoded, |reader| ObjectList(chunk, shape).deserialize(reader))
}
