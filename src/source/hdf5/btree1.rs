//! B-trees of version 1: the members of an old group, and the chunks of a dataset.

use std::cmp::Ordering;

use super::fault::{Fault, Parsed, Read, all};
use super::fields::Fields;
use super::file::FileBytes;
use super::stored_chunk::StoredChunk;

/// Highest level of a node.
const HIGHEST: u8 = 32;

/// Most nodes that are listed.
const MOST_NODES: usize = 1 << 17;

/// Children that a node of chunks has room for, unless the writer chose another number.
const USUAL_CHILDREN: u64 = 64;

/// Kinds of trees.
const MEMBERS: u8 = 0;
const CHUNKS: u8 = 1;

/// A node: its level, and a key before each child.
struct Node {
    level: u8,
    /// Keys and addresses of children, one after the other, and a last key.
    bytes: Vec<u8>,
    count: usize,
    key: usize,
    address: usize,
}

impl Node {
    /// Reads the node of a kind at an address; keys have `key` bytes.
    fn read(file: &FileBytes, address: u64, kind: u8, key: usize) -> Read<Self> {
        let widths = file.widths;
        let head = 8 + 2 * widths.address as u64;
        let pair = (key + widths.address) as u64;
        let probable = head + USUAL_CHILDREN * pair + key as u64;
        let start = file.read_ahead(address, head, probable)?;
        let parsed = Self::head(file.fields(&start), kind);
        let (level, count) = parsed.map_err(|fault| fault.at(file.offset(address), "a B-tree node"))?;
        let bytes = file.read(address + head, u64::from(count) * pair + key as u64)?;
        Ok(Self { level, bytes, count: count.into(), key, address: widths.address })
    }

    fn head(mut fields: Fields<'_>, kind: u8) -> Parsed<(u8, u16)> {
        fields.signature(b"TREE")?;
        if fields.u8()? != kind {
            return Err(Fault::Damaged("it is of another kind of tree"));
        }
        let level = fields.u8()?;
        if level > HIGHEST {
            return Err(Fault::Damaged("it is higher than 32 levels"));
        }
        Ok((level, fields.u16()?))
    }

    fn key(&self, nth: usize) -> &[u8] {
        let start = nth * (self.key + self.address);
        &self.bytes[start..start + self.key]
    }

    fn child(&self, nth: usize) -> u64 {
        let start = nth * (self.key + self.address) + self.key;
        super::fields::number(&self.bytes[start..start + self.address])
    }

    /// Checks that the node is one level below another.
    fn below(self, file: &FileBytes, address: u64, level: u8) -> Read<Self> {
        if self.level + 1 == level {
            return Ok(self);
        }
        let fault = Fault::Damaged("it is not one level below its parent");
        Err(fault.at(file.offset(address), "a B-tree node").into())
    }
}

/// Addresses of the nodes of symbols in the tree of a group, read level by level.
pub(super) fn symbol_nodes(file: &FileBytes, address: u64) -> Read<Vec<u64>> {
    let key = file.widths.length;
    let root = Node::read(file, address, MEMBERS, key)?;
    let mut level = vec![root];
    let mut seen = 1;
    loop {
        let children: Vec<u64> =
            level.iter().flat_map(|node| (0..node.count).map(|nth| node.child(nth))).collect();
        seen += children.len();
        let height = level.first().map_or(0, |node| node.level);
        if height == 0 {
            return Ok(children);
        }
        if seen > MOST_NODES {
            return Err(Fault::Damaged("it has too many nodes, or goes in a circle")
                .at(file.offset(address), "the B-tree of a group")
                .into());
        }
        level = all(children.into_iter().map(|child| {
            Node::read(file, child, MEMBERS, key).and_then(|node| node.below(file, child, height))
        }))?;
    }
}

/// Looks up the chunk that begins at these coordinates.
pub(super) fn chunk(file: &FileBytes, address: u64, start: &[u64]) -> Read<Option<StoredChunk>> {
    // Stored bytes, mask, and coordinates with a last one for the bytes of an item.
    let key = 8 + 8 * (start.len() + 1);
    let mut place = address;
    let mut node = Node::read(file, place, CHUNKS, key)?;
    loop {
        let (mut low, mut high) = (0, node.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            if compare(node.key(middle), start) == Ordering::Greater {
                high = middle
            } else {
                low = middle + 1
            }
        }
        let Some(nth) = low.checked_sub(1) else { return Ok(None) };
        if node.level == 0 {
            let key = node.key(nth);
            if compare(key, start) != Ordering::Equal {
                return Ok(None);
            }
            let mut fields = file.fields(key);
            let read = |fault: Fault| fault.at(file.offset(place), "a B-tree node");
            let (size, mask) = (fields.u32().map_err(read)?, fields.u32().map_err(read)?);
            return Ok(Some(StoredChunk { address: node.child(nth), size: size.into(), mask }));
        }
        place = node.child(nth);
        let height = node.level;
        node = Node::read(file, place, CHUNKS, key)?.below(file, place, height)?;
    }
}

/// Order of a key and the coordinates of a chunk.
fn compare(key: &[u8], start: &[u64]) -> Ordering {
    let coordinates = key[8..].as_chunks().0;
    let pairs = coordinates.iter().zip(start);
    pairs
        .map(|(found, wanted)| u64::from_le_bytes(*found).cmp(wanted))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
