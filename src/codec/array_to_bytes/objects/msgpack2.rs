//! `numcodecs.msgpack2`: the list as MessagePack.
//!
//! Items that are bytes, or of an extension type, are refused as unsupported: `vlen-bytes` is for bytes.
//! Spec: <https://github.com/msgpack/msgpack/blob/master/spec.md>
//!
//! ```json
//! { "name": "numcodecs.msgpack2", "configuration": { "raw": false, "use_bin_type": true, "use_single_float": false } }
//! ```

use serde::de::DeserializeSeed;

use super::chunk::{ObjectChunk, Whole};
use crate::error::{Error, Result};
use crate::metadata::Json;

/// How deep lists may nest, as deep as in JSON: 128.
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
            reason: format!("met at {}; text is read as text", raw.pointer()),
        }),
    }
}

pub(crate) fn read(encoded: &[u8], chunk: &mut ObjectChunk<'_>) -> std::result::Result<(), String> {
    whole(encoded, |reader| Whole(chunk).deserialize(reader))
}

/// Reads bytes to their end.
pub(crate) fn whole<'de>(
    mut encoded: &'de [u8],
    read: impl FnOnce(&mut ItemReader<'_, 'de>) -> std::result::Result<(), rmp_serde::decode::Error>,
) -> std::result::Result<(), String> {
    let mut reader = rmp_serde::Deserializer::new(&mut encoded);
    reader.set_max_depth(MAX_DEPTH);
    read(&mut reader).map_err(|error| error.to_string())?;
    if encoded.is_empty() { Ok(()) } else { Err(format!("{} bytes after the list", encoded.len())) }
}
