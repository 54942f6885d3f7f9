//! LZW of TIFF: codes of 9 to 12 bits, highest bit first, which grow one code early.
//!
//! A stream may end without its end code, as some writers leave it; then it must hold the whole content.
//! Spec: TIFF 6.0, section 13, <https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf>

use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult};

use weezl::decode::{Configuration, Decoder};
use weezl::{BitOrder, LzwStatus};

use crate::codec::bytes_to_bytes::stream::read_whole;
use crate::codec::kinds::Size;
use crate::error::{Error, Result};

/// The content.
pub(super) fn decode(codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    // Before TIFF 5.0, codes had their lowest bit first. Such a stream starts with these bits of its clear code.
    if let [0, second, ..] = encoded
        && second & 1 == 1
    {
        return Err(Error::Unsupported {
            feature: format!("{codec} with the lowest bit of codes first"),
            reason: "only old TIFF files have it; write the file again with tiffcp or GDAL".to_owned(),
        });
    }
    let decoder = Configuration::with_tiff_size_switch(BitOrder::Msb, 8).build();
    read_whole(codec, Codes { decoder, rest: encoded }, size)
}

/// Reader of a stream of codes.
struct Codes<'a> {
    decoder: Decoder,
    rest: &'a [u8],
}

impl Read for Codes<'_> {
    fn read(&mut self, into: &mut [u8]) -> IoResult<usize> {
        loop {
            let result = self.decoder.decode_bytes(self.rest, into);
            self.rest = self.rest.get(result.consumed_in..).unwrap_or_default();
            match result.status {
                Err(_) => return Err(IoError::new(ErrorKind::InvalidData, "a code that no string has")),
                Ok(LzwStatus::Ok) if result.consumed_out == 0 && result.consumed_in > 0 => {}
                Ok(_) => return Ok(result.consumed_out),
            }
        }
    }
}
