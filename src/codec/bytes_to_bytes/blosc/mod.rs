//! `blosc`: a Blosc 1 frame of blocks, each shuffled (by bytes, by bits or not at all) and compressed on its own.
//!
//! Decoding takes all parameters from the frame's header, not from the configuration.
//! Specs: <https://github.com/zarr-developers/zarr-specs/blob/main/docs/v3/codecs/blosc/index.rst> and
//! <https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst>. The latter says that block starts count from
//! the end of their list; in c-blosc itself, they count from the frame's first byte.
//!
//! ```json
//! { "name": "blosc", "configuration": { "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4,
//!   "blocksize": 0 } }
//! ```

mod header;
mod inner;
pub(in crate::codec) mod selected;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use rectilinear_zarr_kernels::{bitshuffle, unshuffle};

pub(in crate::codec) use self::header::BloscFrame;
use self::header::ShuffleMode;
use self::inner::InnerCompressor;
use self::inner::NAME;
use crate::codec::kinds::{BytesToBytesCodec, Size};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::memory::{buffer, unwritten};
use crate::parts::{Codecs, Loaded, later};

/// The configuration fields of both forms, Zarr v3's and numcodecs'.
const FIELDS: &[&str] = &["typesize", "cname", "clevel", "shuffle", "blocksize"];

/// The codec, as far as the metadata tell how fast it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blosc {
    /// Decoded bytes per microsecond, by the compressor that the metadata name. It is an estimate: a frame is decoded by
    /// the compressor in its own header, which may be another one.
    rate: u64,
    part: Loaded<Codecs>,
}

impl BytesToBytesCodec for Blosc {
    fn parse(extension: &Extension) -> Result<Self> {
        let settings = extension.settings();
        // Only the names of the settings are checked: the decoder reads its parameters from the data.
        settings.only_fields(FIELDS)?;
        let compressor = settings.field("cname");
        let rate = match compressor.as_ref().and_then(|name| name.value().as_str()) {
            Some("lz4" | "lz4hc" | "blosclz" | "snappy") => 3000,
            Some("zlib") => 250,
            _ => 1000,
        };
        Ok(Self { rate, part: Loaded::get()? })
    }

    fn decoded_rate(&self) -> u64 {
        self.rate
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(self.part, &encoded, size).map(Cow::Owned)
    }
}

/// The content of a frame.
#[later]
fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let frame = BloscFrame::parse(encoded, size)?;
    let mut decoded = unwritten(frame.length)?;
    frame.decode_range(0..frame.blocks(), &mut decoded)?;
    Ok(decoded)
}

/// Scratch buffers for decoding a block; all blocks share them.
#[derive(Default)]
struct Scratch {
    shuffled: Vec<u8>,
    planes: Vec<u8>,
}

/// The longest blocks whose scratch buffers are kept for the next frame: 1 MiB, more than nearly all blocks have.
const MAX_KEPT_BYTES: usize = 1 << 20;

thread_local! {
    /// Scratch buffers of the last frame: allocating and zeroing them takes longer than decoding a small frame.
    static SCRATCH: Cell<Scratch> = Cell::default();
}

impl BloscFrame<'_> {
    /// Decodes a range of blocks into exactly as many bytes as they hold. Blocks do not depend on each other.
    pub(crate) fn decode_range(&self, blocks: Range<usize>, decoded: &mut [u8]) -> Result<()> {
        let content = self.content_of(blocks.clone());
        if decoded.len() != content.len() {
            return Err(Error::codec(NAME, content.len(), decoded.len()));
        }
        if self.stored {
            decoded.copy_from_slice(self.stored_bytes(content)?);
            return Ok(());
        }
        let mut scratch = SCRATCH.take();
        if self.filter == ShuffleMode::Bits && self.item_size > 1 {
            lengthen(&mut scratch.planes, self.block_size.min(content.len()))?;
        }
        // A frame without content has no blocks, and its block size may be 0.
        for (block, decoded) in blocks.zip(decoded.chunks_mut(self.block_size.max(1))) {
            self.decode_block(block, decoded, &mut scratch)?;
        }
        if scratch.shuffled.len().max(scratch.planes.len()) <= MAX_KEPT_BYTES {
            SCRATCH.set(scratch);
        }
        Ok(())
    }

    fn decode_block(&self, block: usize, decoded: &mut [u8], scratch: &mut Scratch) -> Result<()> {
        let Scratch { shuffled, planes } = scratch;
        match self.filter {
            ShuffleMode::None => self.decompress(block, decoded),
            ShuffleMode::Bytes => {
                unshuffle::undo(self.item_size, &self.decompressed(block, decoded.len(), shuffled)?, decoded);
                Ok(())
            }
            ShuffleMode::Bits => {
                let shuffled = self.decompressed(block, decoded.len(), shuffled)?;
                bitshuffle::undo(self.item_size, &shuffled, planes, decoded);
                Ok(())
            }
        }
    }

    /// The `length` decompressed bytes of a block, still shuffled: in `memory`, or borrowed where stored uncompressed.
    fn decompressed<'b>(
        &'b self,
        block: usize,
        length: usize,
        memory: &'b mut Vec<u8>,
    ) -> Result<Cow<'b, [u8]>> {
        if self.streams(length) == 1 {
            let (stream, _) = header::next_stream(self.block_bytes(block)?)?;
            if stream.len() == length {
                return Ok(Cow::Borrowed(stream));
            }
            if matches!(self.inner, InnerCompressor::Zlib | InnerCompressor::Zstd) {
                longest(stream, length)?;
                return self.inner.content(stream, length).map(Cow::Owned);
            }
        }
        lengthen(memory, length)?;
        let memory = &mut memory[..length];
        self.decompress(block, memory)?;
        Ok(Cow::Borrowed(memory))
    }

    /// Decompresses a block, still shuffled: one stream, or one for each byte of an item.
    fn decompress(&self, block: usize, into: &mut [u8]) -> Result<()> {
        let streams = self.streams(into.len());
        let mut rest = self.block_bytes(block)?;
        for into in into.chunks_exact_mut(into.len() / streams) {
            let stream;
            (stream, rest) = header::next_stream(rest)?;
            if stream.len() == into.len() {
                into.copy_from_slice(stream);
            } else {
                longest(stream, into.len())?;
                self.inner.decode(stream, into)?;
            }
        }
        Ok(())
    }
}

/// Checks that a stream is not too long for `content` bytes of content.
fn longest(stream: &[u8], content: usize) -> Result<()> {
    if stream.len() > inner::longest_stream(content) {
        return Err(Error::codec(
            NAME,
            stream.len(),
            format!("a shorter stream for {content} bytes of content"),
        ));
    }
    Ok(())
}

/// Makes a buffer at least `length` bytes long.
fn lengthen(memory: &mut Vec<u8>, length: usize) -> Result<()> {
    if memory.len() < length {
        *memory = buffer(length)?;
    }
    Ok(())
}
