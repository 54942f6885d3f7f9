//! Compression of pages.

use super::faults::{damaged, unsupported};
use super::snappy;
use crate::codec::bytes_to_bytes::zstd;
use crate::error::Result;
use crate::output::memory::reserved;

/// Names of compressions by their numbers.
const NAMES: [&str; 8] = ["none", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"];

/// Decompresses a page to this many bytes.
pub(super) fn decompressed(codec: i64, stored: &[u8], length: usize) -> Result<Vec<u8>> {
    let content = match codec {
        0 => {
            let mut content = reserved(stored.len())?;
            content.extend_from_slice(stored);
            content
        }
        1 => snappy::decompressed(stored, length)?,

        6 => zstd::unpacked(stored, length)?,
        codec => {
            let name = usize::try_from(codec).ok().and_then(|codec| NAMES.get(codec));
            let name = name.map_or_else(|| codec.to_string(), |name| (*name).to_owned());
            return Err(unsupported(format!("Parquet's compression {name}")));
        }
    };
    if content.len() != length {
        return Err(damaged(format!("a page has {} bytes in place of {length}", content.len())));
    }
    Ok(content)
}
