//! `cfdb.lz4_frame`: an LZ4 frame, as in cfdb's files. The name is this package's own: no codec for frames is
//! registered.
//!
//! Checksums are verified where the frame has them.
//! Spec: <https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md>
//!
//! ```json
//! { "name": "cfdb.lz4_frame" }
//! ```

use std::borrow::Cow;

use rectilinear_zarr_kernels::for_speed::Lz4Frames;

use super::stream::read_whole;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::Extension;

const NAME: &str = Lz4Frame::NAMES[0];

/// The codec, which has no configuration that decoding needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lz4Frame;

impl BytesToBytesCodec for Lz4Frame {
    fn parse(extension: &Extension) -> Result<Self> {
        extension.settings().only_fields(&[]).map(|()| Self)
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        read_whole(NAME, Lz4Frames::new(&encoded), size).map(Cow::Owned)
    }
}
