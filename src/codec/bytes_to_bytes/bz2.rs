//! `numcodecs.bz2`: one or more bzip2 streams; the checksum of each block and stream is verified.
//!
//! Bytes after the last stream are ignored unless they begin another stream, as in Python's `bz2.decompress`.
//! The decoder takes at most 4 MB of memory beside its output.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/compression/bz2.html>
//!
//! ```json
//! { "name": "numcodecs.bz2", "configuration": { "level": 1 } }
//! ```

use std::borrow::Cow;

use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult};

use bzip2::{Decompress, Status};

use super::stream::read_whole;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::Extension;

const NAME: &str = Bz2::NAMES[0];

/// The codec, which has no configuration that decoding needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bz2;

impl BytesToBytesCodec for Bz2 {
    fn parse(extension: &Extension) -> Result<Self> {
        // Only the names of the settings are checked: the decoder reads its parameters from the data.
        extension.settings().only_fields(&["level"]).map(|()| Self)
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(&encoded, size).map(Cow::Owned)
    }
}

/// The streams' contents, one after the other.
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    read_whole(NAME, Streams { current: Some(Decompress::new(false)), rest: encoded }, size)
}

/// Reader of several streams. The reader of the crate fails on bytes after the last stream, and loops without end where
/// memory is too small.
struct Streams<'a> {
    current: Option<Decompress>,
    rest: &'a [u8],
}

impl Read for Streams<'_> {
    fn read(&mut self, into: &mut [u8]) -> IoResult<usize> {
        while let Some(stream) = &mut self.current {
            let before = (stream.total_in(), stream.total_out());
            let status = stream.decompress(self.rest, into)?;
            let consumed = usize::try_from(stream.total_in() - before.0).unwrap_or(self.rest.len());
            let written = usize::try_from(stream.total_out() - before.1).unwrap_or(into.len());
            self.rest = self.rest.get(consumed..).unwrap_or_default();
            if status == Status::StreamEnd {
                self.current = self.rest.starts_with(b"BZh").then(|| Decompress::new(false));
            } else if status == Status::MemNeeded {
                return Err(ErrorKind::OutOfMemory.into());
            } else if written == 0 && (consumed == 0 || self.rest.is_empty()) {
                return Err(IoError::new(ErrorKind::UnexpectedEof, "the stream is truncated"));
            }
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}
