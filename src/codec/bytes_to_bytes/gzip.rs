//! `gzip`: one or more gzip members; the checksum and the length of each are verified.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html>
//!
//! ```json
//! { "name": "gzip", "configuration": { "level": 5 } }
//! ```

use std::borrow::Cow;

use super::inflate::members;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::Extension;
use crate::parts::{Codecs, Loaded, later};

const NAME: &str = Gzip::NAMES[0];

/// The codec, with the part that decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gzip(Loaded<Codecs>);

impl BytesToBytesCodec for Gzip {
    fn parse(extension: &Extension) -> Result<Self> {
        // Only the names of the settings are checked: the decoder reads its parameters from the data.
        extension.settings().only_fields(&["level"])?;
        Ok(Self(Loaded::get()?))
    }

    fn decoded_rate(&self) -> u64 {
        200
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(self.0, &encoded, size).map(Cow::Owned)
    }
}

/// The members' contents, one after the other.
#[later]
fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    // The length in the last member's trailer refuses a decompression bomb before it is inflated. Zeros after the
    // member make the number that is read here smaller, never larger.
    if let Some(length) = encoded.last_chunk()
        && usize::try_from(u32::from_le_bytes(*length)).is_ok_and(|length| length > size.limit())
    {
        return Err(size.oversized(NAME));
    }
    members(NAME, encoded, size)
}
