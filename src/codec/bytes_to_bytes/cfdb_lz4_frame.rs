//! `cfdb.lz4_frame`: a frame of LZ4, as cfdb's files have them; a name of our own, as no codec is registered for frames.
//!
//! Checksums, where there are any, are verified.
//! Spec: <https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md>
//!
//! ```json
//! { "name": "cfdb.lz4_frame" }
//! ```

use rectilinear_zarr_kernels::decoders::lz4_frame::Frames;

use super::stream::read_whole;
use crate::codec::size::Size;
use crate::error::Result;

pub(crate) const NAME: &str = "cfdb.lz4_frame";

/// The frame's content.
pub(crate) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    read_whole(NAME, Frames::new(encoded), size)
}
