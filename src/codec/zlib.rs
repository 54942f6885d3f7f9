//! `numcodecs.zlib`: one zlib stream, with its checksum verified.
//!
//! Bytes after its end are ignored, as zlib's own `uncompress` does.
//! Specs: <https://numcodecs.readthedocs.io/en/stable/compression/zlib.html> and
//! <https://www.rfc-editor.org/rfc/rfc1950>
//!
//! ```json
//! { "name": "numcodecs.zlib", "configuration": { "level": 1 } }
//! ```

use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult};

use flate2::{Decompress, FlushDecompress, Status};

use super::memory::Size;
use super::stream::read_whole;
use crate::error::Result;

pub(super) const NAME: &str = "numcodecs.zlib";

/// The stream's content.
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    read_whole(NAME, Stream { inflate: Decompress::new(true), rest: encoded, ended: false }, size)
}

/// flate2's own reader takes a stream that is cut short, even before its checksum, for one that ended.
struct Stream<'a> {
    inflate: Decompress,
    rest: &'a [u8],
    ended: bool,
}

impl Read for Stream<'_> {
    fn read(&mut self, into: &mut [u8]) -> IoResult<usize> {
        if self.ended {
            return Ok(0);
        }
        let before = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(self.rest, into, FlushDecompress::None)?;
        let consumed = usize::try_from(self.inflate.total_in() - before.0).unwrap_or(self.rest.len());
        let written = usize::try_from(self.inflate.total_out() - before.1).unwrap_or(into.len());
        self.rest = self.rest.get(consumed..).unwrap_or_default();
        self.ended = status == Status::StreamEnd;
        if written == 0 && !self.ended {
            return Err(IoError::new(ErrorKind::UnexpectedEof, "the stream is cut short"));
        }
        Ok(written)
    }
}
