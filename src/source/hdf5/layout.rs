//! Where a dataset's items lie: the layout message, versions 1 to 5, and the pipeline of filters.

use super::fault::{Fault, Parsed};
use super::fields::Fields;

/// Most filters, as in HDF5.
const MOST_FILTERS: u8 = 32;

/// Most axes of chunks, with that of an item's bytes.
const MOST_AXES: u8 = 33;

/// Layout of a dataset.
#[derive(Debug, Clone)]
pub(super) enum Layout {
    /// Items in the header.
    Compact(Vec<u8>),
    /// Items at an address; `None` where none were written.
    Contiguous {
        address: Option<u64>,
        size: u64,
    },
    Chunked(Chunks),
    /// Items of other datasets.
    Virtual,
}

/// Chunks of a dataset.
#[derive(Debug, Clone)]
pub(super) struct Chunks {
    /// Edges of a chunk, in items.
    pub(super) shape: Vec<u64>,
    /// Address of the index; `None` where no chunk was written.
    pub(super) address: Option<u64>,
    pub(super) index: IndexKind,
    /// Whether chunks that reach beyond the array are stored without filters.
    pub(super) are_edges_plain: bool,
}

/// Kind of an index of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexKind {
    BTree1,
    /// One chunk; with its stored bytes and its mask where it is filtered.
    Single(Option<(u64, u32)>),
    Implicit,
    FixedArray,
    ExtensibleArray,
    BTree2,
}

/// A filter of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) id: u16,
    pub(super) values: Vec<u32>,
}

impl Layout {
    /// Parses a layout message.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Parsed<Self> {
        match fields.u8()? {
            1 | 2 => Self::old(fields),
            3 => match fields.u8()? {
                2 => {
                    let rank = rank(fields)?;
                    let address = fields.address()?;
                    let mut shape = Vec::new();
                    for _ in 0..rank {
                        shape.push(u64::from(fields.u32()?));
                    }
                    chunked(shape, address, IndexKind::BTree1, false)
                }
                class => Self::plain(class, fields),
            },
            4 | 5 => match fields.u8()? {
                2 => Self::indexed(fields),
                class => Self::plain(class, fields),
            },
            version => Err(Fault::Unsupported(format!("version {version} of HDF5's layouts"))),
        }
    }

    fn plain(class: u8, fields: &mut Fields<'_>) -> Parsed<Self> {
        match class {
            0 => {
                let size = fields.u16()?;
                Ok(Self::Compact(fields.bytes(size.into())?.to_vec()))
            }
            1 => Ok(Self::Contiguous { address: fields.address()?, size: fields.length()? }),
            3 => Ok(Self::Virtual),
            class => Err(Fault::Unsupported(format!("class {class} of HDF5's layouts"))),
        }
    }

    /// Versions 1 and 2, of HDF5 before 1.6.3.
    fn old(fields: &mut Fields<'_>) -> Parsed<Self> {
        let (rank, class) = (rank(fields)?, fields.u8()?);
        fields.bytes(5)?;
        let address = if class == 0 { None } else { fields.address()? };
        let mut shape = Vec::new();
        for _ in 0..rank {
            shape.push(u64::from(fields.u32()?));
        }
        match class {
            0 => {
                let size = fields.u32()?;
                Ok(Self::Compact(fields.counted(size.into())?.to_vec()))
            }
            // The size is that of the dataspace; the axes have the last length of an item.
            1 => Ok(Self::Contiguous { address, size: u64::MAX }),
            2 => chunked(shape, address, IndexKind::BTree1, false),
            class => Err(Fault::Unsupported(format!("class {class} of HDF5's layouts"))),
        }
    }

    /// Chunks of version 4, with one of five indexes.
    fn indexed(fields: &mut Fields<'_>) -> Parsed<Self> {
        let (flags, rank, width) = (fields.u8()?, rank(fields)?, fields.u8()?);
        if !(1..=8).contains(&width) {
            return Err(Fault::Damaged("chunk edges have more than eight bytes"));
        }
        let mut shape = Vec::new();
        for _ in 0..rank {
            shape.push(fields.number(width.into())?);
        }
        let index = match fields.u8()? {
            1 if flags & 2 != 0 => IndexKind::Single(Some((fields.length()?, fields.u32()?))),
            1 => IndexKind::Single(None),
            2 => IndexKind::Implicit,
            3 => {
                fields.bytes(1)?;
                IndexKind::FixedArray
            }
            4 => {
                fields.bytes(5)?;
                IndexKind::ExtensibleArray
            }
            5 => {
                fields.bytes(6)?;
                IndexKind::BTree2
            }
            kind => return Err(Fault::Unsupported(format!("index {kind} of HDF5's chunks"))),
        };
        chunked(shape, fields.address()?, index, flags & 1 != 0)
    }
}

fn rank(fields: &mut Fields<'_>) -> Parsed<u8> {
    Some(fields.u8()?)
        .filter(|rank| *rank <= MOST_AXES)
        .ok_or(Fault::Damaged("chunks have more than 32 axes"))
}

fn chunked(
    mut shape: Vec<u64>,
    address: Option<u64>,
    index: IndexKind,
    are_edges_plain: bool,
) -> Parsed<Layout> {
    // The last length is that of an item, which the datatype states too.
    shape.pop();
    if shape.is_empty() || shape.contains(&0) {
        return Err(Fault::Damaged("chunks have no axes, or an edge of 0"));
    }
    Ok(Layout::Chunked(Chunks { shape, address, index, are_edges_plain }))
}

/// Parses a message of filters, in the order in which they were applied.
pub(super) fn filters(fields: &mut Fields<'_>) -> Parsed<Vec<Filter>> {
    let (version, count) = (fields.u8()?, fields.u8()?);
    if ![1, 2].contains(&version) {
        return Err(Fault::Unsupported(format!("version {version} of HDF5's pipelines of filters")));
    }
    if count > MOST_FILTERS {
        return Err(Fault::Damaged("there are more than 32 filters"));
    }
    fields.bytes(if version == 1 { 6 } else { 0 })?;
    let mut filters = Vec::new();
    for _ in 0..count {
        let id = fields.u16()?;
        let name = if version == 1 || id >= 256 { fields.u16()? } else { 0 };
        let (_, values) = (fields.u16()?, fields.u16()?);
        fields.bytes(if version == 1 { usize::from(name).next_multiple_of(8) } else { name.into() })?;
        let bytes = fields.bytes(4 * usize::from(values))?;
        fields.bytes(if version == 1 && values % 2 == 1 { 4 } else { 0 })?;
        let values = bytes.as_chunks().0.iter().map(|value| u32::from_le_bytes(*value)).collect();
        filters.push(Filter { id, values });
    }
    Ok(filters)
}
