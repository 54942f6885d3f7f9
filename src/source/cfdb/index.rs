//! The index: from a key to its hash, from the hash to a bucket, from there along a chain of blocks.
//!
//! A block has the hash of its key (13 bytes), the place of the next one in the chain (6 bytes: 0 where this one was
//! deleted, which ends a chain too, 1 at its end), the lengths of key (2) and value (4), a timestamp, key and value. How long a
//! block is, is not known before it was read: so a block is read with as much behind it as its value probably has, but not
//! beyond where the next one begins.

use std::collections::HashMap;
use std::ops::Range;

use blake2::digest::consts::U13;
use blake2::{Blake2s, Digest};

use super::damaged;
use super::header::{Header, number};
use super::table::{MOST_KNOWN, Table};
use crate::error::Result;
use crate::metadata::MAX_METADATA_BYTES;
use crate::source::{ByteRange, Need};

/// The most blocks of one chain. A chain has one or two where a file is as its writer means it to be, and a dozen where many
/// keys meet by chance; one that goes in a circle ends here.
const LONGEST_CHAIN: usize = 256;

/// Bytes that a document probably has, and those of a block before its timestamp.
const DOCUMENT: u64 = 16 << 10;
const BEFORE_TIMESTAMP: u64 = 25;

/// What a need's number, a place times four, is of.
const BUCKET: u64 = 1;
const TABLE: u64 = 2;
const BLOCK: u64 = 3;

type Hash = [u8; 13];

/// What was read of the index.
pub(super) struct Index {
    header: Header,
    table: Table,
    blocks: HashMap<u64, Block>,
    /// The values of blocks that were to be kept, by place.
    kept: HashMap<u64, Option<Vec<u8>>>,
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

/// What seeking comes to.
pub(super) enum Sought {
    Nowhere,
    /// Where the value is.
    At(Range<u64>),
    Needs(Need),
}

impl Index {
    pub(super) fn new(header: Header) -> Self {
        Self { header, table: Table::new(header), blocks: HashMap::new(), kept: HashMap::new() }
    }

    /// Where the value of a key is.
    pub(super) fn seek(&mut self, key: &[u8], sizes: Sizes) -> Result<Sought> {
        self.walk(key, sizes).map(|(_, sought)| sought)
    }

    /// The value of a key, if there is one, or what has to be told before.
    pub(super) fn content(&mut self, key: &[u8]) -> Result<std::result::Result<Option<Vec<u8>>, Need>> {
        let sizes = Sizes { probable: DOCUMENT, most: DOCUMENT };
        Ok(match self.walk(key, sizes)? {
            (_, Sought::Nowhere) => Ok(None),
            (place, Sought::Needs(need)) => {
                if need.number % 4 == BLOCK {
                    self.kept.entry(place).or_default();
                }
                Err(need)
            }
            (place, Sought::At(value)) => {
                if value.end - value.start > MAX_METADATA_BYTES as u64 {
                    return Err(damaged(place, "a document is longer than any"));
                }
                match self.kept.remove(&place) {
                    Some(Some(kept)) => Ok(Some(kept)),
                    _ => {
                        self.kept.insert(place, None);
                        Err(need(place, BLOCK, ByteRange::Span(place..value.end)))
                    }
                }
            }
        })
    }

    /// Follows the chain of a key; gives the place of the last block, too.
    fn walk(&mut self, key: &[u8], sizes: Sizes) -> Result<(u64, Sought)> {
        let hash = hash(key);
        let bucket = remainder(&hash, self.header.buckets);
        let mut place = match self.table.chain(bucket) {
            Ok(place) => place,
            Err(range) => {
                let kind = if range == self.table.range() { TABLE } else { BUCKET };
                return Ok((range.start, Sought::Needs(need(range.start, kind, ByteRange::Span(range)))));
            }
        };
        for _ in 0..LONGEST_CHAIN {
            if place <= 1 {
                return Ok((place, Sought::Nowhere));
            }
            if place < Header::LENGTH || self.table.range().contains(&place) {
                return Err(damaged(place, "a block is said to be in the head or the index"));
            }
            let Some(block) = self.blocks.get(&place) else {
                let range = self.guessed(place, key.len() as u64, sizes);
                return Ok((place, Sought::Needs(need(place, BLOCK, range))));
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
                let bucket = (place - self.header.index) / Header::OFFSET;
                self.table.tell_bucket(bucket, bytes.get(..6).ok_or_else(ended)?);
                Ok(())
            }
            TABLE => {
                self.table.tell_all(bytes);
                Ok(())
            }
            _ => self.tell_block(place, bytes).ok_or_else(ended)?,
        }
    }

    /// Tells a block; nothing where not even its beginning is there.
    fn tell_block(&mut self, place: u64, bytes: &[u8]) -> Option<Result<()>> {
        let (hash, rest) = bytes.split_first_chunk()?;
        let (next, rest) = rest.split_first_chunk::<6>()?;
        let (key, rest) = rest.split_first_chunk::<2>()?;
        let block = Block {
            hash: *hash,
            next: number(next),
            key: number(key),
            value: number(rest.first_chunk::<4>()?),
        };
        if self.blocks.len() >= MOST_KNOWN {
            self.blocks.clear();
        }
        self.blocks.insert(place, block);
        self.table.note(place);
        self.table.note(block.next);
        let start = self.before_key() + block.key;
        self.table.note(place + start + block.value);
        if let Some(kept) = self.kept.get_mut(&place) {
            let (start, length) = (usize::try_from(start).ok()?, usize::try_from(block.value).ok()?);
            *kept = bytes.get(start..).and_then(|rest| rest.get(..length)).map(<[u8]>::to_vec);
        }
        Some(Ok(()))
    }
}

fn need(place: u64, kind: u64, range: ByteRange) -> Need {
    Need { number: place * 4 + kind, url: String::new(), range }
}

/// BLAKE2s of 13 bytes, of which the length is a part.
fn hash(key: &[u8]) -> Hash {
    Blake2s::<U13>::digest(key).into()
}

/// What is left of a hash, as a little-endian number, divided by so many buckets.
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
