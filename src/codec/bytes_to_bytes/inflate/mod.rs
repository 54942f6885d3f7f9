//! Deflate in its two containers, gzip members and zlib streams. All checksums are verified.
//!
//! Specs: <https://www.rfc-editor.org/rfc/rfc1950> and <https://www.rfc-editor.org/rfc/rfc1952>

use rectilinear_zarr_kernels::decoders::inflate::{Inflate, SLACK};
use rectilinear_zarr_kernels::for_speed::resize;

use super::checksum::{adler32, crc32};
use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::{make_room, unwritten};

/// First allocation where the size is not known: 64 KiB. The buffer then doubles, so growing it takes at most as much
/// memory again as the final size.
const FIRST_STEP: usize = 64 << 10;

const CUT_SHORT: &str = "the stream is truncated";
const OTHER_CHECKSUM: &str = "the checksum differs";

/// Content inflated so far, of several streams one after the other.
struct InflatedContent {
    codec: &'static str,
    size: Size,
    bytes: Vec<u8>,
    length: usize,
}

impl InflatedContent {
    fn new(codec: &'static str, size: Size) -> Result<Self> {
        let bytes = match size {
            Size::Exactly(bytes) => unwritten(bytes.saturating_add(SLACK))?,
            Size::AtMost(_) => Vec::new(),
        };
        Ok(Self { codec, size, bytes, length: 0 })
    }

    /// Adds the content of a stream, and returns where it begins.
    fn add(&mut self, inflate: &mut Inflate) -> Result<usize> {
        let start = self.length;
        loop {
            let (end, has_ended) = inflate
                .run(&mut self.bytes[start..], self.length - start)
                .map_err(|words| self.damaged(words))?;
            self.length = start + end;
            if self.length > self.size.limit() {
                return Err(self.size.oversized(self.codec));
            }
            if has_ended {
                return Ok(start);
            }
            // Memory grows with the content, so that a short stream cannot allocate much.
            let most = self.size.limit().saturating_add(SLACK);
            let bytes = self.bytes.len().saturating_mul(2).max(FIRST_STEP).min(most);
            if bytes <= self.bytes.len() {
                return Err(self.size.oversized(self.codec));
            }
            let more = bytes - self.bytes.len();
            make_room(&mut self.bytes, more)?;
            resize(&mut self.bytes, bytes);
        }
    }

    fn damaged(&self, words: &str) -> Error {
        let got = format!("{} bytes and then: {words}", self.length);
        Error::codec(self.codec, got, format!("{} bytes", self.size.limit()))
    }

    fn whole(mut self) -> Result<Vec<u8>> {
        self.size.check(self.codec, self.length)?;
        self.bytes.truncate(self.length);
        Ok(self.bytes)
    }
}

/// The contents of all gzip members, one after the other. Zeros may follow each member, as in Python's `gzip`.
pub(crate) fn members(codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut content = InflatedContent::new(codec, size)?;
    let mut inflate = Inflate::new(&[]);
    let mut rest = encoded;
    loop {
        inflate.start(after_header(rest).map_err(|words| content.damaged(words))?);
        let start = content.add(&mut inflate)?;
        let Some((trailer, after)) = inflate.rest().split_first_chunk::<8>() else {
            return Err(content.damaged(CUT_SHORT));
        };
        let member = &content.bytes[start..content.length];
        let [a, b, c, d, e, f, g, h] = *trailer;
        if u32::from_le_bytes([a, b, c, d]) != crc32::checksum(member) {
            return Err(content.damaged(OTHER_CHECKSUM));
        }
        // The trailer has the lowest 32 bits of the length.
        if u32::from_le_bytes([e, f, g, h]) != member.len() as u32 {
            return Err(content.damaged("the length in the trailer differs"));
        }
        rest = &after[after.iter().take_while(|&&byte| byte == 0).count()..];
        if rest.is_empty() {
            return content.whole();
        }
    }
}

/// The bytes after the header of a member.
fn after_header(member: &[u8]) -> std::result::Result<&[u8], &'static str> {
    let (&[a, b, method, flags, ..], mut rest) = member.split_first_chunk::<10>().ok_or(CUT_SHORT)?;
    if [a, b, method] != [0x1f, 0x8b, 8] || flags & 0xe0 != 0 {
        return Err("there is no gzip header");
    }
    let [has_checksum, has_extra, has_name, has_comment] = [2, 4, 8, 16].map(|flag| flags & flag != 0);
    if has_extra {
        let (length, extra) = rest.split_first_chunk().ok_or(CUT_SHORT)?;
        rest = extra.get(usize::from(u16::from_le_bytes(*length))..).ok_or(CUT_SHORT)?;
    }
    for _ in 0..u8::from(has_name) + u8::from(has_comment) {
        let end = rest.iter().position(|&byte| byte == 0).ok_or(CUT_SHORT)?;
        rest = &rest[end + 1..];
    }
    if has_checksum {
        let (checksum, after) = rest.split_first_chunk().ok_or(CUT_SHORT)?;
        let header = &member[..member.len() - rest.len()];
        if u32::from(u16::from_le_bytes(*checksum)) != crc32::checksum(header) & 0xffff {
            return Err("the checksum of the header differs");
        }
        rest = after;
    }
    Ok(rest)
}

/// The content of one zlib stream; bytes after its end are ignored.
pub(crate) fn zlib(codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut content = InflatedContent::new(codec, size)?;
    let Some((&[method, flags], stream)) = encoded.split_first_chunk() else {
        return Err(content.damaged(CUT_SHORT));
    };
    if method & 15 != 8 || method >> 4 > 7 || u16::from_be_bytes([method, flags]) % 31 != 0 {
        return Err(content.damaged("there is no zlib header"));
    }
    if flags & 0x20 != 0 {
        return Err(content.damaged("the stream needs a dictionary"));
    }
    let mut inflate = Inflate::new(stream);
    content.add(&mut inflate)?;
    match inflate.rest().first_chunk() {
        None => Err(content.damaged(CUT_SHORT)),
        Some(checksum)
            if u32::from_be_bytes(*checksum) != adler32::checksum(&content.bytes[..content.length]) =>
        {
            Err(content.damaged(OTHER_CHECKSUM))
        }
        Some(_) => content.whole(),
    }
}

/// The content of one deflate stream without header and checksum; bytes after its end are ignored.
#[cfg(feature = "rare")]
pub(crate) fn bare(codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut content = InflatedContent::new(codec, size)?;
    content.add(&mut Inflate::new(encoded))?;
    content.whole()
}

#[cfg(test)]
mod tests;
