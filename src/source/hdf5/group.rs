//! Members of a group: its links, in an old symbol table, in the header, or in a heap with a B-tree.

use super::btree1;
use super::btree2;
use super::fault::{Fault, Parsed, Read, all, both};
use super::fields::Fields;
use super::file::FileBytes;
use super::fractal_heap::FractalHeap;
use super::header::{Header, kind};
use crate::source::original::text_of;

/// Most members of a group.
const MOST_MEMBERS: usize = 1 << 16;

/// A member of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) target: Target,
}

/// Target of a link: an object, a path, or another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Address of an object's header.
    Object(u64),
    /// Path in the file, absolute or from the group.
    Path(String),
    /// File and path in it.
    OtherFile(String, String),
    /// A kind that writers define.
    Other(u8),
}

/// Type of the records of names in the B-tree of a group.
const NAMES: u8 = 5;

/// Reads the links of the group that has this header.
pub(super) fn links(file: &FileBytes, header: &Header) -> Read<Vec<Link>> {
    let mut links = Vec::new();
    let located = |fault: Fault| fault.at(file.offset(header.address), "a group");
    if let Some(message) = header.message(kind::SYMBOL_TABLE) {
        let mut fields = file.fields(&message.body);
        let tree = fields.place().map_err(located)?;
        let heap = fields.place().map_err(located)?;
        links = symbols(file, tree, heap)?;
    }
    for message in header.messages.iter().filter(|message| message.kind == kind::LINK) {
        links.push(Link::parse(file.fields(&message.body)).map_err(located)?);
    }
    if let Some(message) = header.message(kind::LINK_INFO) {
        let parsed = dense_places(file.fields(&message.body), 8).map_err(located)?;
        if let Some((heap, tree)) = parsed {
            let (heap, records) = both(FractalHeap::read(file, heap), btree2::records(file, tree, NAMES))?;
            let bodies = all(records.iter().map(|record| heap.object(file, &record[4.min(record.len())..])))?;
            for body in bodies {
                links.push(Link::parse(file.fields(&body)).map_err(located)?);
            }
        }
    }
    if links.len() > MOST_MEMBERS {
        return Err(located(Fault::Damaged("it has more than 65,536 members")).into());
    }
    Ok(links)
}

/// Addresses of the heap and of the tree of names in a message about links or attributes; `None` where they are in the
/// header. Its largest order has `order` bytes.
pub(super) fn dense_places(mut fields: Fields<'_>, order: usize) -> Parsed<Option<(u64, u64)>> {
    fields.u8()?;
    let flags = fields.u8()?;
    fields.bytes(if flags & 1 != 0 { order } else { 0 })?;
    let (heap, tree) = (fields.address()?, fields.address()?);
    Ok(heap.zip(tree))
}

impl Link {
    /// Parses a link message.
    fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        let (version, flags) = (fields.u8()?, fields.u8()?);
        if version != 1 {
            return Err(Fault::Unsupported(format!("version {version} of HDF5's links")));
        }
        let kind = if flags & 8 != 0 { fields.u8()? } else { 0 };
        fields.bytes(if flags & 4 != 0 { 8 } else { 0 })?;
        fields.bytes(if flags & 16 != 0 { 1 } else { 0 })?;
        let length = fields.number(1 << (flags & 3))?;
        let name = text_of(fields.counted(length)?);
        let target = match kind {
            0 => Target::Object(fields.place()?),
            1 => {
                let length = fields.u16()?;
                Target::Path(text_of(fields.bytes(length.into())?))
            }
            64 => {
                let length = fields.u16()?;
                let body = fields.bytes(length.into())?;
                let mut body = fields.of(body);
                body.u8()?;
                Target::OtherFile(body.text()?, body.text()?)
            }
            kind => Target::Other(kind),
        };
        Ok(Self { name, target })
    }
}

/// Links of an old group, from its tree of symbols and its heap of names, which are read beside each other.
fn symbols(file: &FileBytes, tree: u64, heap: u64) -> Read<Vec<Link>> {
    let entry = 2 * file.widths.address as u64 + 24;
    let (nodes, names) = both(symbol_nodes(file, tree, entry), names(file, heap))?;
    let mut links = Vec::new();
    for (address, bytes) in nodes {
        for entry in bytes.chunks_exact(entry as usize) {
            let link = symbol(file.fields(entry), &names);
            links.push(link.map_err(|fault| fault.at(file.offset(address), "a node of symbols"))?);
        }
    }
    Ok(links)
}

/// Addresses of the nodes of symbols in a tree, and their entries of so many bytes.
fn symbol_nodes(file: &FileBytes, tree: u64, entry: u64) -> Read<Vec<(u64, Vec<u8>)>> {
    all(btree1::symbol_nodes(file, tree)?.into_iter().map(|address| {
        let head = file.read_ahead(address, 8, 8 + 8 * entry)?;
        let count = u64::from(u16::from_le_bytes([head[6], head[7]]));
        if !head.starts_with(b"SNOD") {
            return Err(Fault::Damaged("its signature differs")
                .at(file.offset(address), "a node of symbols")
                .into());
        }
        Ok((address, file.read(address + 8, count * entry)?))
    }))
}

/// Names of an old group, each with a zero after it.
fn names(file: &FileBytes, address: u64) -> Read<Vec<u8>> {
    let head = file.read(address, 8 + 2 * file.widths.length as u64 + file.widths.address as u64)?;
    let segment = |mut fields: Fields<'_>| {
        fields.signature(b"HEAP")?;
        fields.bytes(4)?;
        let size = fields.length()?;
        fields.length()?;
        Ok((fields.place()?, size))
    };
    let found = segment(file.fields(&head));
    let (start, size) = found.map_err(|fault: Fault| fault.at(file.offset(address), "a heap of names"))?;
    file.read(start, size)
}

fn symbol(mut fields: Fields<'_>, names: &[u8]) -> Parsed<Link> {
    let named = |at: u64| {
        let rest = usize::try_from(at).ok().and_then(|at| names.get(at..));
        let rest = rest.ok_or(Fault::Damaged("a name is not in its heap"))?;
        let length = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        Ok(text_of(&rest[..length]))
    };
    let name = named(fields.length()?)?;
    let address = fields.address()?;
    let cached = fields.u32()?;
    fields.bytes(4)?;
    let target = if cached == 2 {
        Target::Path(named(fields.u32()?.into())?)
    } else {
        Target::Object(address.ok_or(Fault::Damaged("a member has no address"))?)
    };
    Ok(Link { name, target })
}
