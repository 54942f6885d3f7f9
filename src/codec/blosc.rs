//! `blosc`: a Blosc1 frame: blocks that are compressed one by one, most of them after a shuffle of their items' bytes.
//!
//! Everything that decoding needs is in the frame's header, so the configuration is not looked at.
//! Specs: <https://github.com/zarr-developers/zarr-specs/blob/main/docs/v3/codecs/blosc/index.rst> and
//! <https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst>, where block starts are said to
//! count from the end of their list; as c-blosc writes and reads them, they count from the frame's first byte.
//!
//! ```json
//! { "name": "blosc", "configuration": { "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0 } }
//! ```

mod header;
mod inner;

use std::ops::Range;

use rectilinear_zarr_kernels::{bitshuffle, unshuffle};

use self::header::Filter;
pub(super) use self::header::Frame;
use super::memory::{Size, buffer};
use crate::error::{Error, Result};

pub(super) const NAME: &str = "blosc";

/// The name in Zarr v3 of the same codec with numcodecs' spelling of its configuration.
pub(super) const NUMCODECS_NAME: &str = "numcodecs.blosc";

/// The fields that either spelling may have.
pub(super) const FIELDS: &[&str] = &["typesize", "cname", "clevel", "shuffle", "blocksize"];

/// The content of a frame.
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let frame = Frame::parse(encoded, size)?;
    let mut decoded = buffer(frame.length)?;
    frame.decode_range(0..frame.blocks(), &mut decoded)?;
    Ok(decoded)
}

/// The memory that blocks need on their way, the same for each block.
#[derive(Default)]
struct Scratch {
    shuffled: Vec<u8>,
    planes: Vec<u8>,
}

impl Frame<'_> {
    /// Decodes some of the blocks, which do not depend on each other, into exactly as many bytes as they hold.
    pub(super) fn decode_range(&self, blocks: Range<usize>, decoded: &mut [u8]) -> Result<()> {
        let content = self.content_of(blocks.clone());
        if decoded.len() != content.len() {
            return Err(Error::codec(NAME, content.len(), decoded.len()));
        }
        if self.stored {
            decoded.copy_from_slice(self.stored_bytes(content)?);
            return Ok(());
        }
        let mut scratch = Scratch::default();
        if self.filter != Filter::None {
            scratch.shuffled = buffer(self.block_size.min(content.len()))?;
        }
        if self.filter == Filter::Bits && self.item_size > 1 {
            scratch.planes = buffer(scratch.shuffled.len())?;
        }
        // A frame without content has no blocks, and any block size.
        for (block, decoded) in blocks.zip(decoded.chunks_mut(self.block_size.max(1))) {
            self.decode_block(block, decoded, &mut scratch)?;
        }
        Ok(())
    }

    fn decode_block(&self, block: usize, decoded: &mut [u8], scratch: &mut Scratch) -> Result<()> {
        let Scratch { shuffled, planes } = scratch;
        match self.filter {
            Filter::None => self.decompress(block, decoded),
            Filter::Bytes => {
                let shuffled = &mut shuffled[..decoded.len()];
                self.decompress(block, shuffled)?;
                unshuffle::undo(self.item_size, shuffled, decoded);
                Ok(())
            }
            Filter::Bits => {
                let shuffled = &mut shuffled[..decoded.len()];
                self.decompress(block, shuffled)?;
                bitshuffle::undo(self.item_size, shuffled, planes, decoded);
                Ok(())
            }
        }
    }

    /// A block before its shuffle is undone: one stream, or one for each byte of an item.
    fn decompress(&self, block: usize, into: &mut [u8]) -> Result<()> {
        let streams = self.streams(into.len());
        let mut rest = self.block_bytes(block)?;
        for into in into.chunks_exact_mut(into.len() / streams) {
            let stream;
            (stream, rest) = header::next_stream(rest)?;
            if stream.len() == into.len() {
                into.copy_from_slice(stream);
            } else if stream.len() > inner::longest_stream(into.len()) {
                return Err(Error::codec(NAME, stream.len(), format!("a stream of {} bytes", into.len())));
            } else {
                self.inner.decode(stream, into)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
