//! B-trees of version 2: names of links and attributes, long objects of heaps, and chunks of arrays with several
//! unlimited axes.

use std::cmp::Ordering;

use super::fault::{Fault, Parsed, Read, all};
use super::fields::{Fields, width_of};
use super::file::FileBytes;

/// Deepest tree.
const DEEPEST: u16 = 32;

/// Most nodes and records that are listed.
const MOST_LISTED: usize = 1 << 17;

/// Bytes of a node before its records, and with the checksum after them.
const HEAD: u64 = 6;
const HEAD_AND_CHECKSUM: u64 = 10;

/// A tree.
pub(super) struct BTree2 {
    kind: u8,
    node: u64,
    pub(super) record: usize,
    depth: u16,
    root: Option<Child>,
    /// Bytes of the number of records in a child.
    count_width: usize,
    /// For each depth, bytes of the number of records of all nodes below; 0 at leaves.
    total_widths: Vec<usize>,
}

/// Address of a node, and the number of its records.
#[derive(Clone, Copy)]
struct Child {
    address: u64,
    count: u64,
}

/// A node's records and children.
struct Node {
    records: Vec<u8>,
    children: Vec<Child>,
}

impl BTree2 {
    /// Reads the header of a tree of records of this kind.
    pub(super) fn read(file: &FileBytes, address: u64, kinds: &[u8]) -> Read<Self> {
        let length = 18 + file.widths.address + file.widths.length;
        let bytes = file.read(address, length as u64 + 4)?;
        let tree = Self::parse(file.fields(&bytes), kinds);
        let tree = tree.map_err(|fault| fault.at(file.offset(address), "a B-tree"))?;
        file.verify(address, &bytes, length, "a B-tree")?;
        Ok(tree)
    }

    fn parse(mut fields: Fields<'_>, kinds: &[u8]) -> Parsed<Self> {
        fields.signature(b"BTHD")?;
        fields.u8()?;
        let kind = fields.u8()?;
        if !kinds.contains(&kind) {
            return Err(Fault::Damaged("it is of another kind of tree"));
        }
        let (node, record, depth) = (u64::from(fields.u32()?), fields.u16()?, fields.u16()?);
        fields.u16()?;
        let address = fields.address()?;
        let count = fields.u16()?;
        fields.length()?;
        if record == 0 || node > 1 << 24 || node < HEAD_AND_CHECKSUM + u64::from(record) || depth > DEEPEST {
            return Err(Fault::Damaged("its sizes are impossible"));
        }
        let most = (node - HEAD_AND_CHECKSUM) / u64::from(record);
        let count_width = width_of(most);
        let (mut total, mut total_widths) = (most, vec![0]);
        for _ in 0..depth {
            let pointer = 8 + count_width as u64 + *total_widths.last().unwrap_or(&0) as u64;
            let most = node.saturating_sub(HEAD_AND_CHECKSUM + pointer) / (u64::from(record) + pointer);
            total = most.saturating_add(1).saturating_mul(total).saturating_add(most);
            total_widths.push(width_of(total));
        }
        let root = address.filter(|_| count > 0).map(|address| Child { address, count: count.into() });
        Ok(Self { kind, node, record: record.into(), depth, root, count_width, total_widths })
    }

    /// Reads a node; leaves are at depth 0.
    fn node(&self, file: &FileBytes, child: Child, depth: u16) -> Read<Node> {
        let bytes = file.read(child.address, self.node)?;
        let parsed = self.parse_node(file.fields(&bytes), child.count, depth);
        let (node, length) =
            parsed.map_err(|fault| fault.at(file.offset(child.address), "a node of a B-tree"))?;
        file.verify(child.address, &bytes, length, "a node of a B-tree")?;
        Ok(node)
    }

    fn parse_node(&self, mut fields: Fields<'_>, count: u64, depth: u16) -> Parsed<(Node, usize)> {
        fields.signature(if depth == 0 { b"BTLF" } else { b"BTIN" })?;
        fields.u8()?;
        if fields.u8()? != self.kind {
            return Err(Fault::Damaged("it is of another kind of tree"));
        }
        debug_assert_eq!(fields.at() as u64, HEAD);
        let records = fields.counted(count.saturating_mul(self.record as u64))?.to_vec();
        let mut children = Vec::new();
        if depth > 0 {
            let width = self.total_widths.get(usize::from(depth) - 1).copied().unwrap_or(0);
            for _ in 0..=count {
                let child = Child { address: fields.place()?, count: fields.number(self.count_width)? };
                fields.bytes(width)?;
                children.push(child);
            }
        }
        Ok((Node { records, children }, fields.at()))
    }

    /// Finds a record; `order` compares a record with what is sought.
    pub(super) fn find(&self, file: &FileBytes, order: impl Fn(&[u8]) -> Ordering) -> Read<Option<Vec<u8>>> {
        let Some(mut child) = self.root else { return Ok(None) };
        let mut depth = self.depth;
        loop {
            let node = self.node(file, child, depth)?;
            let records: Vec<&[u8]> = node.records.chunks_exact(self.record).collect();
            let nth = match records.binary_search_by(|record| order(record)) {
                Ok(nth) => return Ok(Some(records[nth].to_vec())),
                Err(nth) => nth,
            };
            match node.children.get(nth) {
                Some(next) => (child, depth) = (*next, depth - 1),
                None => return Ok(None),
            }
        }
    }
}

/// All records of a tree of this kind, read level by level.
pub(super) fn records(file: &FileBytes, address: u64, kind: u8) -> Read<Vec<Vec<u8>>> {
    let tree = BTree2::read(file, address, &[kind])?;
    let (mut level, mut depth) = (Vec::from_iter(tree.root), tree.depth);
    let (mut records, mut nodes) = (Vec::new(), 0);
    loop {
        nodes += level.len();
        let found = all(level.iter().map(|child| tree.node(file, *child, depth)))?;
        for node in &found {
            records.extend(node.records.chunks_exact(tree.record).map(<[u8]>::to_vec));
        }
        if records.len() + nodes > MOST_LISTED {
            let fault = Fault::Damaged("it has too many records, or goes in a circle");
            return Err(fault.at(file.offset(address), "a B-tree").into());
        }
        level = found.into_iter().flat_map(|node| node.children).collect();
        if level.is_empty() || depth == 0 {
            return Ok(records);
        }
        depth -= 1;
    }
}
