//! The index: from a key to its hash, from the hash to a bucket, from there along a chain of blocks.
//!
//! A block has the hash of its key (13 bytes), the place of the next one in the chain (6 bytes: 0 where this one was
//! deleted, which ends a chain too, 1 at its end), the lengths of key (2) and value (4), a timestamp, key and value. How long a
//! block is, is not known before it was read: so a block is read with as much behind it as its value probably has, but not
//! beyond where the next one begins.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use blake2::digest::consts::U13;
use blake2::{Blake2s, Digest};

use super::header::{Header, damaged, number};
use super::table::{BucketTable, MOST_KNOWN};
use crate::error::Result;
use crate::metadata::MAX_METADATA_BYTES;
use crate::source::{ByteRange, InputRequest};

/// The most blocks of one chain. A chain has one or two where a file is as its writer means it to be, and a dozen where many
/// keys meet by chance; one that goes in a circle ends here.
const LONGEST_CHAIN: usize = 256;

/// Bytes that a document probably has, and those of a block before its timestamp.
const DOCUMENT: u64 = 16 << 10;
const BEFORE_TIMESTAMP: u64 = 25;

/// Kinds of needs, each added to a place times four in a need's number: a block may be one whose value is kept.
const BUCKET: u64 = 1;
const TABLE: u64 = 2;
const BLOCK: u64 = 3;
const KEPT: u64 = 0;

type Hash = [u8; 13];

/// The index, as far as it was read.
pub(super) struct Index {
    header: Header,
    table: BucketTable,
    /// By the number of the need.
    told: HashMap<u64, ProvidedBytes>,
}

/// Bytes of a bucket or a block that were told.
enum ProvidedBytes {
    /// Nothing yet.
    Asked,
    /// Where a chain begins.
    Bucket(u64),
    /// How a block begins, and its value where that is to be kept.
    Block(Block, Option<Vec<u8>>),
}

/// A block's beginning.
#[derive(Clone, Copy)]
struct Block {
    hash: Hash,
    next: u64,
    key: u64,
    value: u64,
}

/// How long the value that is sought may be.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// As those before it were.
    pub(super) probable: u64,
    /// Longer than this it is not.
    pub(super) most: u64,
}

/// Result of seeking a value.
pub(super) enum Sought {
    Nowhere,
    /// Where the value is.
    At(Range<u64>),
    Needs(InputRequest),
}

/// Takes out repeats of one round's needs, and single buckets where the whole table comes anyway.
///
/// Keys of one round are sought one after the other, and many may need the table, or a block that their chains share.
pub(super) fn merge(needs: &mut Vec<InputRequest>) {
    let mut seen = HashSet::new();
    let has_table = needs.iter().any(|need| need.number % 4 == TABLE);
    needs.retain(|need| !(has_table && need.number % 4 == BUCKET) && seen.insert(need.number));
}

impl Index {
    pub(super) fn new(header: Header) -> Self {
        Self { header, table: BucketTable::new(header), told: HashMap::new() }
    }

    /// Where the value of a key is.
    pub(super) fn seek(&mut self, key: &[u8], sizes: Sizes) -> Result<Sought> {
        self.walk(key, sizes, BLOCK).map(|(_, sought)| sought)
    }

    /// The value of a key, if there is one, or what has to be told before. It is given once.
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
            return Err(damaged(place, "a document is longer than any"));
        }
        if let Some(ProvidedBytes::Block(_, kept)) = self.told.get_mut(&(place * 4 + BLOCK))
            && let Some(kept) = kept.take()
        {
            return Ok(Ok(Some(kept)));
        }
        Ok(Err(need(place, KEPT, ByteRange::Span(place..value.end))))
    }

    /// Follows the chain of a key; gives the place of the last block, too.
    fn walk(&mut self, key: &[u8], sizes: Sizes, kind: u64) -> Result<(u64, Sought)> {
        let hash = hash(key);
        let bucket = remainder(&hash, self.header.buckets);
        let at = self.table.range().start + bucket * Header::OFFSET;
        let told = self.told.get(&(at * 4 + BUCKET));
        let mut place = match (self.table.chain(bucket), told) {
            (Some(place), _) => place,
            (None, Some(ProvidedBytes::Bucket(place))) => *place,
            (None, told) => {
                let range = if told.is_some() { at..at + Header::OFFSET } else { self.table.wanted(bucket) };
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
                return Err(damaged(place, "a block is said to be in the head or the index"));
            }
            let Some(ProvidedBytes::Block(block, _)) = self.told.get(&(place * 4 + BLOCK)) else {
                let range = self.guessed(place, key.len() as u64, sizes);
                return Ok((place, Sought::Needs(need(place, kind, range))));
            };
            match block.next {
                // It was deleted, and no chain goes on behind one.
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

    /// A block's bytes, as far as it can be told how many they are.
    fn guessed(&self, place: u64, key: u64, sizes: Sizes) -> ByteRange {
        let before = self.before_key() + key;
        let value = if self.table.is_whole() { sizes.most } else { sizes.probable.min(sizes.most) };
        let guess = place + before + value;
        match self.table.next(place) {
            Some(next) => ByteRange::Span(place..guess.min(next.max(place + before))),
            None => ByteRange::UpTo(place..guess),
        }
    }

    /// Tells what stands at the place of a need.
    pub(super) fn tell(&mut self, number: u64, bytes: &[u8]) -> Result<()> {
        let (place, kind) = (number / 4, number % 4);
        let ended = || damaged(place, "it ends there");
        match kind {
            BUCKET => {
                let chain = super::header::number(bytes.get(..6).ok_or_else(ended)?);
                self.remember(number, ProvidedBytes::Bucket(chain));
                self.table.note(chain);
                Ok(())
            }
            TABLE => {
                self.table.tell_all(bytes);
                Ok(())
            }
            _ => self.tell_block(place, bytes, kind == KEPT).ok_or_else(ended),
        }
    }

    /// Tells a block; nothing where not even its beginning is there.
    fn tell_block(&mut self, place: u64, bytes: &[u8], is_kept: bool) -> Option<()> {
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

    fn remember(&mut self, number: u64, told: ProvidedBytes) {
        if self.told.len() >= MOST_KNOWN {
            self.told.clear();
        }
        self.told.insert(number, told);
    }
}

fn need(place: u64, kind: u64, range: ByteRange) -> InputRequest {
    InputRequest { number: place * 4 + kind, url: String::new(), range }
}

/// BLAKE2s of 13 bytes, of which the length is a part.
fn hash(key: &[u8]) -> Hash {
    Blake2s::<U13>::digest(key).into()
}

/// Remainder of a hash, as a little-endian number, divided by the number of buckets.
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
