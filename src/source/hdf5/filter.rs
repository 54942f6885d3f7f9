//! Filters of HDF5 as codecs of Zarr, and the filters that some chunks go without.
//!
//! A chunk says by a mask which filters were not applied to it, for instance because it did not become shorter. Codecs have
//! no such mask, so these filters are applied here, in forms that change no more than they must: a deflate stream of stored
//! blocks, a shuffle, a checksum.

use rectilinear_zarr_kernels::checksums::adler;
use rectilinear_zarr_kernels::decoders::inflate::{Inflate, SLACK};
use rectilinear_zarr_kernels::unshuffle;

use super::layout::Filter;
use crate::codec::bytes_to_bytes::checksum::fletcher32;
use crate::error::{Error, Result};
use crate::metadata::{Map, Value};
use crate::output::memory::buffer;

const DEFLATE: u16 = 1;
const SHUFFLE: u16 = 2;
const FLETCHER32: u16 = 3;
const BZIP2: u16 = 307;
const LZF: u16 = 32_000;
const BLOSC: u16 = 32_001;
const ZSTD: u16 = 32_015;
/// Filters that round numbers before they are stored, and change nothing that is read.
const BIT_GROOM: u16 = 32_022;
const BIT_ROUND: u16 = 32_023;

/// Names of filters by their numbers, as far as they are known.
const NAMES: &[(u16, &str)] = &[
    (4, "szip"),
    (5, "nbit"),
    (6, "scaleoffset"),
    (LZF, "lzf"),
    (32_004, "lz4"),
    (32_008, "bitshuffle"),
    (32_013, "zfp"),
    (32_014, "fpzip"),
    (32_018, "jpeg"),
    (32_017, "sz"),
    (32_019, "fci"),
    (32_024, "sz3"),
    (32_026, "blosc2"),
    (32_028, "jpeg2000"),
];

/// Names of Blosc's compressors by their numbers.
const BLOSC_COMPRESSORS: [&str; 6] = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];

/// Names of Blosc's shuffles by their numbers.
const BLOSC_SHUFFLES: [&str; 3] = ["noshuffle", "shuffle", "bitshuffle"];

/// Longest content of a stored block of deflate.
const STORED: usize = 65_535;

/// Longest content of a raw block of zstd.
const RAW: usize = 128 << 10;

impl Filter {
    /// The codec that undoes the filter; `None` where there is nothing to undo.
    pub(super) fn codec(&self) -> Option<Value> {
        let value = |nth: usize| Value::from(u64::from(self.values.get(nth).copied().unwrap_or(0)));
        let named =
            |name: &str, settings| Value::object([("name", name.into()), ("configuration", settings)]);
        Some(match self.id {
            DEFLATE => named("numcodecs.zlib", Value::object([("level", value(0))])),
            SHUFFLE => named("numcodecs.shuffle", Value::object([("elementsize", value(0))])),
            // zarr-python wants a configuration, also where it is empty.
            FLETCHER32 => named("numcodecs.fletcher32", Value::Object(Map::new())),
            BZIP2 => named("numcodecs.bz2", Value::object([("level", value(0))])),
            BLOSC => {
                let word = |words: &[&str], nth: usize| {
                    let found = self.values.get(nth).and_then(|word| words.get(*word as usize));
                    Value::from(found.copied().unwrap_or(words[0]))
                };
                let settings = Value::object([
                    ("typesize", value(2)),
                    ("cname", word(&BLOSC_COMPRESSORS, 6)),
                    ("clevel", value(4)),
                    ("shuffle", word(&BLOSC_SHUFFLES, 5)),
                    ("blocksize", 0_u64.into()),
                ]);
                named("blosc", settings)
            }
            ZSTD => named("zstd", Value::object([("level", value(0)), ("checksum", false.into())])),
            BIT_GROOM | BIT_ROUND => return None,
            _ => {
                let values = self.values.iter().map(|value| u64::from(*value)).collect();
                named(&format!("hdf5.{}", self.name()), Value::object([("values", values)]))
            }
        })
    }

    /// The filter's name, or its number.
    fn name(&self) -> String {
        let found = NAMES.iter().find(|(id, _)| *id == self.id).map(|(_, name)| (*name).to_owned());
        found.unwrap_or_else(|| match self.id {
            DEFLATE => "deflate".to_owned(),
            SHUFFLE => "shuffle".to_owned(),
            FLETCHER32 => "fletcher32".to_owned(),
            BZIP2 => "bzip2".to_owned(),
            BLOSC => "blosc".to_owned(),
            ZSTD => "zstd".to_owned(),
            id => format!("filter_{id}"),
        })
    }

    /// Undoes the filter; where it is the first one, the result has `whole` bytes.
    fn undo(&self, stored: Vec<u8>, most: usize) -> Result<Vec<u8>> {
        match self.id {
            DEFLATE => inflated(&stored, most),
            SHUFFLE => {
                let mut items = vec![0; stored.len()];
                if let Some(size) = self.values.first().filter(|size| **size > 0) {
                    unshuffle::undo(*size as usize, &stored, &mut items);
                    return Ok(items);
                }
                Ok(stored)
            }
            FLETCHER32 => {
                let Some((content, sum)) = stored.split_last_chunk::<4>() else { return Err(self.damaged()) };
                if fletcher32::checksum(content) != u32::from_le_bytes(*sum) {
                    return Err(self.damaged());
                }
                Ok(content.to_vec())
            }
            BIT_GROOM | BIT_ROUND => Ok(stored),
            _ => Err(self.unsupported(
                "text or lists of any length in chunks with it, or chunks that skip a filter before it",
            )),
        }
    }

    /// Applies the filter in the form that is made fastest.
    fn apply(&self, content: Vec<u8>) -> Result<Vec<u8>> {
        match self.id {
            DEFLATE => Ok(stored_deflate(&content)),
            SHUFFLE => {
                let size = self.values.first().copied().unwrap_or(1).max(1) as usize;
                let count = content.len() / size;
                let mut shuffled = Vec::with_capacity(content.len());
                for byte in 0..size {
                    shuffled.extend((0..count).map(|item| content[item * size + byte]));
                }
                shuffled.extend_from_slice(&content[count * size..]);
                Ok(shuffled)
            }
            FLETCHER32 => {
                let sum = fletcher32::checksum(&content);
                Ok([content, sum.to_le_bytes().to_vec()].concat())
            }
            ZSTD => Ok(raw_zstd(&content)),
            BLOSC => Ok(raw_blosc(&content)),
            BIT_GROOM | BIT_ROUND => Ok(content),
            _ => Err(self.unsupported("chunks that skip it")),
        }
    }

    fn damaged(&self) -> Error {
        Error::metadata(
            "/file",
            format!("the file is damaged: a chunk's bytes are none of the filter {}", self.name()),
        )
    }

    fn unsupported(&self, what: &str) -> Error {
        Error::Unsupported {
            feature: format!("HDF5's filter {} here", self.name()),
            reason: format!("this build does not read {what}"),
        }
    }
}

/// Undoes all filters but those of the mask; the result has `whole` bytes.
pub(super) fn undone(filters: &[Filter], mask: u32, stored: Vec<u8>, whole: u64) -> Result<Vec<u8>> {
    let whole = crate::output::memory::to_memory(whole)?;
    let applied = filters.iter().enumerate().filter(|(nth, _)| mask >> nth & 1 == 0);
    let content =
        applied.rev().try_fold(stored, |bytes, (_, filter)| filter.undo(bytes, whole.saturating_add(64)))?;
    if content.len() != whole {
        let reason = format!("the file is damaged: a chunk has {} bytes in place of {whole}", content.len());
        return Err(Error::metadata("/file", reason));
    }
    Ok(content)
}

/// Bytes of a chunk as they were if all filters had been applied, not only those that are not in the mask.
pub(super) fn completed(filters: &[Filter], mask: u32, stored: Vec<u8>, whole: u64) -> Result<Vec<u8>> {
    let is_skipped = |nth: usize| mask >> nth & 1 != 0;
    let Some(first) = (0..filters.len()).find(|nth| is_skipped(*nth)) else { return Ok(stored) };
    let most = crate::output::memory::to_memory(whole)?.saturating_add(64);
    let (_, later) = filters.split_at(first);
    let later: Vec<(usize, &Filter)> = (first..).zip(later).collect();
    let applied = later.iter().rev().filter(|(nth, _)| !is_skipped(*nth));
    let bytes = applied.into_iter().try_fold(stored, |bytes, (_, filter)| filter.undo(bytes, most))?;
    later.iter().try_fold(bytes, |bytes, (_, filter)| filter.apply(bytes))
}

/// Content of a zlib stream, of at most so many bytes.
fn inflated(stored: &[u8], most: usize) -> Result<Vec<u8>> {
    let damaged = |words: &str| {
        let reason = format!("the file is damaged: a chunk's deflate stream is not whole: {words}");
        Error::metadata("/file", reason)
    };
    let stream = stored.get(2..).ok_or_else(|| damaged("it has no header"))?;
    let mut content = buffer(most.saturating_add(SLACK))?;
    let mut inflate = Inflate::new(stream);
    let (end, has_ended) = inflate.run(&mut content, 0).map_err(damaged)?;
    if !has_ended || end > most {
        return Err(damaged("it is longer than its chunk"));
    }
    content.truncate(end);
    let sum = inflate.rest().first_chunk().map(|sum| u32::from_be_bytes(*sum));
    if sum != Some(adler::checksum(&content)) {
        return Err(damaged("its checksum differs"));
    }
    Ok(content)
}

/// A zlib stream of stored blocks.
fn stored_deflate(content: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = content.chunks(STORED).peekable();
    if blocks.peek().is_none() {
        stream.extend([1, 0, 0, 0xff, 0xff]);
    }
    while let Some(block) = blocks.next() {
        #[expect(clippy::cast_possible_truncation, reason = "a block has at most 65,535 bytes")]
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler::checksum(content).to_be_bytes());
    stream
}

/// A zstd frame of raw blocks.
fn raw_zstd(content: &[u8]) -> Vec<u8> {
    // A single segment, whose length has eight bytes.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    frame.extend((content.len() as u64).to_le_bytes());
    let mut blocks = content.chunks(RAW).peekable();
    if blocks.peek().is_none() {
        frame.extend([1, 0, 0]);
    }
    while let Some(block) = blocks.next() {
        let head = block.len() << 3 | usize::from(blocks.peek().is_none());
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
    }
    frame
}

/// A Blosc frame that is not compressed.
fn raw_blosc(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    let mut frame = vec![2, 1, 2, 1];
    for number in [length, length.max(1), length.saturating_add(16)] {
        frame.extend(number.to_le_bytes());
    }
    frame.extend_from_slice(content);
    frame
}
