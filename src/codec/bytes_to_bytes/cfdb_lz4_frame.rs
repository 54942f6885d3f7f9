//! `cfdb.lz4_frame`: an LZ4 frame, as in cfdb's files. The name is this package's own: no codec for frames is
//! registered.
//!
//! Checksums are verified where the frame has them.
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
