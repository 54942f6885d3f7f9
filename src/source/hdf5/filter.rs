//! Filters of HDF5 as codecs of Zarr, and the filters that some chunks go without.
//!
//! A chunk says by a mask which filters were not applied to it, for instance because it did not become shorter. Codecs have
//! no such mask, so these filters are applied here, in forms that change no more than they must: a deflate stream of stored
//! blocks, a shuffle, a checksum.

use rectilinear_zarr_kernels::bitshuffle::usual_block;
use rectilinear_zarr_kernels::checksums::adler;
use rectilinear_zarr_kernels::decoders::lzf;

use super::datatype::{Class, Datatype};
use super::fault::Read;
use super::file::FileBytes;
use super::layout::Filter;
use super::stored_chunk::StoredChunk;
use crate::codec::bytes_to_bytes::checksum::fletcher32;
use crate::error::{Error, Result};
use crate::metadata::{Map, Value};

const DEFLATE: u16 = 1;
const SHUFFLE: u16 = 2;
const FLETCHER32: u16 = 3;
const SZIP: u16 = 4;
const NBIT: u16 = 5;
const SCALEOFFSET: u16 = 6;
const BZIP2: u16 = 307;
const LZF: u16 = 32_000;
const BLOSC: u16 = 32_001;
const LZ4: u16 = 32_004;
const BITSHUFFLE: u16 = 32_008;
const ZSTD: u16 = 32_015;
/// Filters that round numbers before they are stored, and change nothing that is read.
const BIT_GROOM: u16 = 32_022;
const BIT_ROUND: u16 = 32_023;

/// Names of filters by their numbers, as far as they are known.
const NAMES: &[(u16, &str)] = &[
    (305, "lzo"),
    (SZIP, "szip"),
    (NBIT, "nbit"),
    (SCALEOFFSET, "scaleoffset"),
    (LZF, "lzf"),
    (LZ4, "lz4"),
    (BITSHUFFLE, "bitshuffle"),
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
    /// The codec that undoes the filter of items of a type; `None` where there is nothing to undo.
    pub(super) fn codec(&self, datatype: &Datatype) -> Option<Value> {
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
            _ if self.changes_nothing() => return None,
            _ => {
                let values = self.values.iter().map(|value| u64::from(*value)).collect();
                let settings = match (self.id, &datatype.class) {
                    (NBIT, Class::NarrowInteger { is_signed, .. }) => {
                        Value::object([("values", values), ("signed", (*is_signed).into())])
                    }
                    _ => Value::object([("values", values)]),
                };
                named(&format!("hdf5.{}", self.name()), settings)
            }
        })
    }

    /// Whether it stores the bits of a number that have a meaning.
    pub(super) fn is_nbit(&self) -> bool {
        self.id == NBIT && !self.changes_nothing()
    }

    /// Whether what it stores is what it is given.
    fn changes_nothing(&self) -> bool {
        match self.id {
            BIT_GROOM | BIT_ROUND => true,
            // The second value says that all bits of the items have a meaning.
            NBIT => self.values.get(1).is_some_and(|value| *value != 0),
            _ => false,
        }
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

    /// Whether it is undone here.
    fn is_simple(&self) -> bool {
        matches!(self.id, SHUFFLE | FLETCHER32) || self.changes_nothing()
    }

    /// Bytes of each item that a shuffle takes apart.
    fn item_size(&self) -> usize {
        self.values.first().copied().unwrap_or(1).max(1) as usize
    }

    /// Undoes a filter that is simple.
    fn undo(&self, stored: Vec<u8>) -> Result<Vec<u8>> {
        match self.id {
            SHUFFLE => {
                let size = self.item_size();
                Ok(transposed(&stored, size, stored.len() / size))
            }
            FLETCHER32 => {
                let Some((content, sum)) = stored.split_last_chunk::<4>() else { return Err(self.damaged()) };
                if fletcher32::checksum(content) != u32::from_le_bytes(*sum) {
                    return Err(self.damaged());
                }
                Ok(content.to_vec())
            }
            _ => Ok(stored),
        }
    }

    /// Applies the filter in the form that is made fastest.
    fn apply(&self, content: Vec<u8>) -> Result<Vec<u8>> {
        match self.id {
            DEFLATE => Ok(stored_deflate(&content)),
            SHUFFLE => {
                let size = self.item_size();
                Ok(transposed(&content, content.len() / size, size))
            }
            FLETCHER32 => {
                let sum = fletcher32::checksum(&content);
                Ok([content, sum.to_le_bytes().to_vec()].concat())
            }
            ZSTD => Ok(raw_zstd(&content)),
            BLOSC => Ok(raw_blosc(&content)),
            LZF => {
                let literals = content.chunks(lzf::LONGEST);
                Ok(literals.flat_map(|literal| [&[literal.len() as u8 - 1], literal].concat()).collect())
            }
            LZ4 => {
                let mut blocks = head_of_blocks(content.len(), content.len());
                put_counted(&mut blocks, &content);
                Ok(blocks)
            }
            BITSHUFFLE => self.plain_bitshuffle(&content),
            SCALEOFFSET => Ok(self.plain_scaleoffset(content)),
            // The codec takes such a length for content that is as it is.
            SZIP => Ok([vec![0xff; 4], content].concat()),
            _ if self.changes_nothing() => Ok(content),
            _ => Err(self.unsupported("chunks that skip it, or one that comes after it")),
        }
    }

    /// Shuffled bits in blocks, without compression or in literals.
    fn plain_bitshuffle(&self, content: &[u8]) -> Result<Vec<u8>> {
        let value = |nth: usize| self.values.get(nth).map_or(0, |value| *value as usize);
        let (item, block) = (value(2).max(1), value(3));
        // The product may be more than memory has, in a file that says so.
        let eight = item.saturating_mul(8);
        let (shuffled, last) = content.split_at(content.len() / eight * eight);
        let mut bytes = match value(4) {
            0 => {
                let items = if block == 0 { usual_block(item) } else { block };
                let blocks = shuffled.chunks(items.saturating_mul(item));
                blocks.flat_map(|items| bit_shuffled(items, item)).collect()
            }
            compressor => {
                let bits = bit_shuffled(shuffled, item);
                let mut blocks = head_of_blocks(content.len(), bits.len().max(eight));
                match compressor {
                    _ if bits.is_empty() => {}
                    2 => put_counted(&mut blocks, &raw_lz4(&bits)),
                    3 => put_counted(&mut blocks, &raw_zstd(&bits)),
                    _ => return Err(self.unsupported("chunks that skip it, of this compressor")),
                }
                blocks
            }
        };
        bytes.extend_from_slice(last);
        Ok(bytes)
    }

    /// Numbers of all bits, after a head that says so.
    fn plain_scaleoffset(&self, mut content: Vec<u8>) -> Vec<u8> {
        let value = |nth: usize| self.values.get(nth).copied().unwrap_or(0);
        let (scaling, factor, size, order) = (value(0), value(1), value(4).clamp(1, 8), value(6));
        if scaling == 2 && factor == 8 * size {
            return content;
        }
        if order == 1 {
            content.chunks_exact_mut(size as usize).for_each(<[u8]>::reverse);
        }
        let mut head = vec![0; 21];
        head[..4].copy_from_slice(&(8 * size).to_le_bytes());
        head[4] = 8;
        [head, content].concat()
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

/// The content of a chunk, without its filters; it has `whole` bytes.
pub(super) fn content(
    file: &FileBytes,
    filters: &[Filter],
    datatype: &Datatype,
    stored: StoredChunk,
    whole: u64,
) -> Read<Vec<u8>> {
    file.check_size(stored, whole)?;
    let applied = filters.iter().enumerate().filter(|(nth, _)| !stored.skips(*nth)).map(|(_, filter)| filter);
    if !applied.clone().all(Filter::is_simple) {
        let codecs = applied.filter_map(|filter| filter.codec(datatype)).collect();
        return Ok(file.decoded(stored, whole, codecs)?.to_vec());
    }
    let bytes = file.read(stored.address, stored.size)?;
    let content = applied.rev().try_fold(bytes, |bytes, filter| filter.undo(bytes))?;
    if content.len() as u64 != whole {
        let reason = format!("the file is damaged: a chunk has {} bytes in place of {whole}", content.len());
        return Err(Error::metadata("/file", reason).into());
    }
    Ok(content)
}

/// Bytes of a chunk as they were if all filters had been applied, not only those that it does not skip.
pub(super) fn completed(
    file: &FileBytes,
    filters: &[Filter],
    datatype: &Datatype,
    stored: StoredChunk,
    whole: u64,
) -> Read<Vec<u8>> {
    file.check_size(stored, 0)?;
    let first = (0..filters.len()).find(|nth| stored.skips(*nth)).unwrap_or(filters.len());
    let (_, later) = filters.split_at(first);
    let applied = || (first..).zip(later).filter(|(nth, _)| !stored.skips(*nth)).map(|(_, filter)| filter);
    let (bytes, missing) = if applied().all(Filter::is_simple) {
        let bytes = file.read(stored.address, stored.size)?;
        let undone: Vec<&Filter> = applied().collect();
        (undone.into_iter().rev().try_fold(bytes, |bytes, filter| filter.undo(bytes))?, later)
    } else {
        (content(file, filters, datatype, stored, whole)?, filters)
    };
    Ok(missing.iter().try_fold(bytes, |bytes, filter| filter.apply(bytes))?)
}

/// Rows of bytes as columns: items as planes of their first bytes, their second bytes, and so on, or planes as items. The
/// bytes after the last row stay where they are.
fn transposed(bytes: &[u8], rows: usize, columns: usize) -> Vec<u8> {
    let mut turned = Vec::with_capacity(bytes.len());
    for column in 0..columns {
        turned.extend((0..rows).map(|row| bytes[row * columns + column]));
    }
    turned.extend_from_slice(&bytes[rows * columns..]);
    turned
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

/// An LZ4 block of literals.
fn raw_lz4(content: &[u8]) -> Vec<u8> {
    let Some(more) = content.len().checked_sub(15) else {
        return [&[(content.len() as u8) << 4], content].concat();
    };
    let mut block = vec![0xf0];
    block.resize(1 + more / 255, 0xff);
    block.push((more % 255) as u8);
    block.extend_from_slice(content);
    block
}

/// The head of a chunk of blocks: bytes of its content, and of a block, big endian.
fn head_of_blocks(content: usize, block: usize) -> Vec<u8> {
    let mut head = (content as u64).to_be_bytes().to_vec();
    head.extend((block as u32).to_be_bytes());
    head
}

/// Adds bytes after their length, big endian.
fn put_counted(bytes: &mut Vec<u8>, block: &[u8]) {
    bytes.extend((block.len() as u32).to_be_bytes());
    bytes.extend_from_slice(block);
}

/// The lowest bits of the first bytes of all items, whose number is a multiple of eight, then the next bits, and so on.
fn bit_shuffled(items: &[u8], size: usize) -> Vec<u8> {
    let row = items.len() / size / 8;
    let mut shuffled = vec![0; items.len()];
    for (nth, item) in items.chunks_exact(size).enumerate() {
        for (byte, value) in item.iter().enumerate() {
            for bit in 0..8 {
                shuffled[(8 * byte + bit) * row + nth / 8] |= (value >> bit & 1) << (nth % 8);
            }
        }
    }
    shuffled
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
