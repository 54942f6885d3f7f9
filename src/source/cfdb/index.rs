//! Index of a Booklet file: a hash table whose buckets are chains of blocks.
//!
//! A block has the hash of its key (13 bytes), the offset of the next block in the chain (6 bytes; 0 for a deleted
//! block, which ends the chain, and 1 at the chain's end), the lengths of its key (2) and value (4), a timestamp, key
//! and value. The length of a block is unknown before it is read, so a request covers the probable length of the
//! value, but nothing beyond the start of the next known block.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use blake2::digest::consts::U13;
use blake2::{Blake2s, Digest};

use super::header::{Header, damaged, number};
use super::table::{BucketTable, MOST_KNOWN};
use crate::error::Result;
use crate::metadata::MAX_METADATA_BYTES;
use crate::network::ByteRange;
use crate::source::InputRequest;

/// Most blocks of one chain. Usual chains have one or two, unlucky ones a dozen; a chain in a circle ends here.
const LONGEST_CHAIN: usize = 256;

/// Probable length of a document in bytes.
const DOCUMENT: u64 = 16 << 10;

/// Bytes of a block before its timestamp.
const BEFORE_TIMESTAMP: u64 = 25;

/// Kinds of inputs. The number of an input is four times its file offset, plus its kind.
const BUCKET: u64 = 1;
const TABLE: u64 = 2;
const BLOCK: u64 = 3;
/// A block whose value is kept.
const KEPT: u64 = 0;

type Hash = [u8; 13];

/// The part of the index that was read so far.
pub(super) struct Index {
    header: Header,
    table: BucketTable,
    /// Bytes by the number of their input.
    provided: HashMap<u64, ProvidedBytes>,
}

/// State of a bucket or a block that was requested.
enum ProvidedBytes {
    /// Requested, and not provided yet.
    Asked,
    /// Offset of the first block of a bucket's chain.
    Bucket(u64),
    /// A block, and its value where that is kept.
    Block(Block, Option<Vec<u8>>),
}

/// Fields of a block before its key: the key's hash, the next block's offset, the lengths of key and value.
#[derive(Clone, Copy)]
struct Block {
    hash: Hash,
    next: u64,
    key: u64,
    value: u64,
}

/// Bounds of the length of a value in bytes.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// Probable length, from the values before it.
    pub(super) probable: u64,
    /// Upper bound.
    pub(super) most: u64,
}

/// Result of seeking a value.
pub(super) enum Sought {
    Nowhere,
    /// Byte range of the value in the file.
    At(Range<u64>),
    Needs(InputRequest),
}

/// Removes duplicate input requests, and single buckets where the whole table is requested.
///
/// The keys of one round are looked up one by one, and many may need the table or a shared block.
pub(super) fn merge(needs: &mut Vec<InputRequest>) {
    let mut seen = HashSet::new();
    let has_table = needs.iter().any(|need| need.number % 4 == TABLE);
    needs.retain(|need| !(has_table && need.number % 4 == BUCKET) && seen.insert(need.number));
}

impl Index {
    pub(super) fn new(header: Header) -> Self {
        Self { header, table: BucketTable::new(header), provided: HashMap::new() }
    }

    /// Looks up the byte range of a key's value.
    pub(super) fn seek(&mut self, key: &[u8], sizes: Sizes) -> Result<Sought> {
        self.walk(key, sizes, BLOCK).map(|(_, sought)| sought)
    }

    /// Takes the value of a key, if there is one; an inner `Err` is an input to provide first.
    pub(super) fn content(
        &mut self,
        key: &[u8],
    ) -> Result<std::result::Result<Option<Vec<u8>>, InputRequest>> {
        let (place, sought) = self.walk(key, Sizes { probable: DOCUMENT, most: DOCUMENT }, KEPT)?;
        let value = match sought {
            Sought::Nowhere => return Ok(Ok(None)),
            Sought::Needs(need) => return Ok(Err(need)),
            Sought::At(value) => value,
        };
        if value.end - value.start > MAX_METADATA_BYTES as u64 {
            return Err(damaged(place, &format!("a document has more than {MAX_METADATA_BYTES} bytes")));
        }
        if let Some(ProvidedBytes::Block(_, kept)) = self.provided.get_mut(&(place * 4 + BLOCK))
            && let Some(kept) = kept.take()
        {
            return Ok(Ok(Some(kept)));
        }
        Ok(Err(need(place, KEPT, ByteRange::Span(place..value.end))))
    }

    /// Follows the chain of a key; also gives the offset of the last block.
    fn walk(&mut self, key: &[u8], sizes: Sizes, kind: u64) -> Result<(u64, Sought)> {
        let hash = hash(key);
        let bucket = remainder(&hash, self.header.buckets);
        let at = self.table.range().start + bucket * Header::OFFSET;
        let provided = self.provided.get(&(at * 4 + BUCKET));
        let mut place = match (self.table.chain(bucket), provided) {
            (Some(place), _) => place,
            (None, Some(ProvidedBytes::Bucket(place))) => *place,
            (None, provided) => {
                let range =
                    if provided.is_some() { at..at + Header::OFFSET } else { self.table.wanted(bucket) };
                let kind = if range == self.table.range() { TABLE } else { BUCKET };
                let need = need(range.start, kind, ByteRange::Span(range));
                self.remember(need.number, ProvidedBytes::Asked);
                return Ok((at, Sought::Needs(need)));
            }
        };
        for _ in 0..LONGEST_CHAIN {
            if place <= 1 {
                return Ok((place, Sought::Nowhere));
            }
            if place < Header::LENGTH || self.table.range().contains(&place) {
                return Err(damaged(place, "a block lies in the header or the index"));
            }
            let Some(ProvidedBytes::Block(block, _)) = self.provided.get(&(place * 4 + BLOCK)) else {
                let range = self.guessed(place, key.len() as u64, sizes);
                return Ok((place, Sought::Needs(need(place, kind, range))));
            };
            match block.next {
                // A deleted block ends its chain.
                0 => return Ok((place, Sought::Nowhere)),
                _ if block.hash == hash => {
                    let start = place + self.before_key() + block.key;
                    return Ok((place, Sought::At(start..start + block.value)));
                }
                next => place = next,
            }
        }
        Err(damaged(place, &format!("a chain has more than {LONGEST_CHAIN} blocks, or goes in a circle")))
    }

    /// Bytes of a block before its key.
    fn before_key(&self) -> u64 {
        BEFORE_TIMESTAMP + self.header.timestamp
    }

    /// Byte range to request for a block of unknown length.
    fn guessed(&self, place: u64, key: u64, sizes: Sizes) -> ByteRange {
        let before = self.before_key() + key;
        let value = if self.table.is_whole() { sizes.most } else { sizes.probable.min(sizes.most) };
        let guess = place + before + value;
        match self.table.next(place) {
            Some(next) => ByteRange::Span(place..guess.min(next.max(place + before))),
            None => ByteRange::UpTo(place..guess),
        }
    }

    /// Provides the bytes of an input.
    pub(super) fn provide(&mut self, number: u64, bytes: &[u8]) -> Result<()> {
        let (place, kind) = (number / 4, number % 4);
        let ended = || damaged(place, "the file ends there");
        match kind {
            BUCKET => {
                let chain = super::header::number(bytes.get(..6).ok_or_else(ended)?);
                self.remember(number, ProvidedBytes::Bucket(chain));
                self.table.note(chain);
                Ok(())
            }
            TABLE => {
                self.table.provide_all(bytes);
                Ok(())
            }
            _ => self.provide_block(place, bytes, kind == KEPT).ok_or_else(ended),
        }
    }

    /// Provides a block; `None` where the bytes end before its key.
    fn provide_block(&mut self, place: u64, bytes: &[u8], is_kept: bool) -> Option<()> {
        let (hash, rest) = bytes.split_first_chunk()?;
        let (next, rest) = rest.split_first_chunk::<6>()?;
        let (key, rest) = rest.split_first_chunk::<2>()?;
        let block = Block {
            hash: *hash,
            next: number(next),
            key: number(key),
            value: number(rest.first_chunk::<4>()?),
        };
        self.table.note(place);
        self.table.note(block.next);
        let start = self.before_key() + block.key;
        self.table.note(place + start + block.value);
        let (start, length) = (usize::try_from(start).ok()?, usize::try_from(block.value).ok()?);
        let value = bytes.get(start..).and_then(|rest| rest.get(..length)).filter(|_| is_kept);
        let kept = value.map(<[u8]>::to_vec);
        self.remember(place * 4 + BLOCK, ProvidedBytes::Block(block, kept));
        Some(())
    }

    fn remember(&mut self, number: u64, provided: ProvidedBytes) {
        if self.provided.len() >= MOST_KNOWN {
            self.provided.clear();
        }
        self.provided.insert(number, provided);
    }
}

fn need(place: u64, kind: u64, range: ByteRange) -> InputRequest {
    InputRequest::plain(place * 4 + kind, String::new(), range)
}

/// BLAKE2s hash of a key, with an output length of 13 bytes.
fn hash(key: &[u8]) -> Hash {
    Blake2s::<U13>::digest(key).into()
}

/// Number of a hash's bucket: the hash as a little-endian number, modulo the number of buckets.
fn remainder(hash: &Hash, buckets: u64) -> u64 {
    hash.iter().rev().fold(0, |rest, byte| (rest << 8 | u64::from(*byte)) % buckets)
}

#[cfg(test)]
mod tests {
    use super::{hash, remainder};

    #[test]
    fn a_key_has_the_bucket_that_booklet_gives_it() {
        let hash = hash(b"temperature!-20.0.-32");
        let expected = [0x00, 0xfe, 0xf6, 0xd8, 0xc8, 0xba, 0x5a, 0xcb, 0xa9, 0x3e, 0xa4, 0x13, 0xcb];
        assert_eq!(hash, expected);
        assert_eq!(remainder(&hash, 144_013), 13_873);
    }
}
