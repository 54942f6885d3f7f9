//! Compression of pages.

use super::faults::{damaged, unsupported};
use super::snappy::Snappy;
use crate::codec::bytes_to_bytes::zstd;
use crate::error::Result;
use crate::output::memory::reserved;

/// Names of compressions by their numbers.
const NAMES: [&str; 8] = ["none", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"];

/// A page while it is decompressed.
#[derive(Debug)]
pub(super) struct Decompression {
    /// Length of the page once decompressed.
    length: usize,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Snappy(Snappy),
    Done(Vec<u8>),
}

impl Decompression {
    /// Begins to decompress a page to this many bytes.
    pub(super) fn new(codec: i64, stored: &[u8], length: usize) -> Result<Self> {
        let stage = match codec {
            0 => {
                let mut content = reserved(stored.len())?;
                content.extend_from_slice(stored);
                Stage::Done(content)
            }
            1 => Stage::Snappy(Snappy::new(stored, length)?),
            6 => Stage::Done(zstd::unpacked(stored, length)?),
            codec => {
                let name = usize::try_from(codec).ok().and_then(|codec| NAMES.get(codec));
                let name = name.map_or_else(|| codec.to_string(), |name| (*name).to_owned());
                return Err(unsupported(format!("Parquet's compression {name}")));
            }
        };
        Ok(Self { length, stage })
    }

    /// Does a step of the work; returns whether all of it is done.
    pub(super) fn step(&mut self) -> Result<bool> {
        match &mut self.stage {
            Stage::Snappy(snappy) => snappy.step(),
            Stage::Done(_) => Ok(true),
        }
    }

    /// The content, once all of the work is done.
    pub(super) fn content(self) -> Result<Vec<u8>> {
        let content = match self.stage {
            Stage::Snappy(snappy) => snappy.content(),
            Stage::Done(content) => content,
        };
        if content.len() != self.length {
            return Err(damaged(format!("a page has {} bytes in place of {}", content.len(), self.length)));
        }
        Ok(content)
    }
}
