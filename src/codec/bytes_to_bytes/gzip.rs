//! `gzip`: one or more gzip members; the checksum and the length of each are verified.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html>
//!
//! ```json
//! { "name": "gzip", "configuration": { "level": 5 } }
//! ```

use super::inflate::members;
use crate::codec::size::Size;
use crate::error::Result;
use crate::parts::{Codecs, Loaded, later};

pub(crate) const NAME: &str = "gzip";
pub(crate) const NUMCODECS_NAME: &str = "numcodecs.gzip";

/// The members' contents, one after the other.
#[later]
pub(crate) fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    // The length in the last member's trailer refuses a decompression bomb before it is inflated. Zeros after the
    // member make the number that is read here smaller, never larger.
    if let Some(length) = encoded.last_chunk()
        && usize::try_from(u32::from_le_bytes(*length)).is_ok_and(|length| length > size.limit())
    {
        return Err(size.oversized(NAME));
    }
    members(NAME, encoded, size)
}
