//! `gzip`: one or more gzip members, each with its checksum and length verified.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html>
//!
//! ```json
//! { "name": "gzip", "configuration": { "level": 5 } }
//! ```

use flate2::Decompress;

use super::inflate::Inflated;
use super::memory::Size;
use super::stream::read_whole;
use crate::error::Result;

pub(super) const NAME: &str = "gzip";
pub(super) const NUMCODECS_NAME: &str = "numcodecs.gzip";

/// The most that deflate looks back, as a power of two.
const WINDOW_BITS: u8 = 15;

/// The members' contents, one after the other.
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    read_whole(NAME, Inflated::of_members(Decompress::new_gzip(WINDOW_BITS), encoded), size)
}
