//! Chunks of a dataset in Zarr's terms: their grid, and the bytes of each.
//!
//! Items that are stored one after the other are cut along the first axis whose rows are short enough, into chunks of about
//! 1 MiB; the last may be shorter, and then the grid is rectilinear.

use super::datatype::{Class, Datatype};
use super::fault::{Fault, Read};
use super::file::{FileBytes, MOST_READ};
use super::filter::{completed, content};
use super::global_heap::{Collections, HeapReference};
use super::layout::Layout;
use super::object::Dataset;
use super::stored_chunk::StoredChunk;
use super::values::text;
use crate::error::Error;
use crate::metadata::Value;
use crate::source::ByteLocation;

/// Most bytes of a chunk that is cut from items stored one after the other.
const CUT: u64 = 1 << 20;

/// The chunks of a dataset.
pub(super) struct ChunkGrid {
    /// Shape with the axes of the datatype.
    pub(super) shape: Vec<u64>,
    /// Edges of a chunk that is not the last of its axis.
    edges: Vec<u64>,
    /// Whether chunks that reach beyond the array end with it.
    is_cut: bool,
}

impl ChunkGrid {
    pub(super) fn new(dataset: &Dataset) -> Self {
        let item = dataset.item();
        let (element, axes) = item.element();
        let mut own = if dataset.space.is_null { vec![0] } else { dataset.space.shape.clone() };
        own.truncate(own.len() - usize::from(dataset.letters.is_some()));
        let shape: Vec<u64> = own.iter().chain(&axes).copied().collect();
        match &dataset.layout {
            Layout::Chunked(chunks) => {
                let edges = chunks.shape.iter().take(own.len()).chain(&axes).copied().collect();
                Self { shape, edges, is_cut: false }
            }
            Layout::Contiguous { .. } => {
                // Items in heaps are counted by what their references take.
                let (mut edges, mut row) = (shape.clone(), element.size);
                for edge in edges.iter_mut().rev() {
                    let fitting = (CUT / row).max(1);
                    *edge = (*edge).clamp(1, fitting);
                    row = row.saturating_mul(*edge).max(if *edge == fitting { CUT } else { 1 });
                }
                Self { shape, edges, is_cut: true }
            }
            Layout::Compact(_) | Layout::Virtual => {
                let edges = shape.iter().map(|length| (*length).max(1)).collect();
                Self { shape, edges, is_cut: true }
            }
        }
    }

    /// The grid as JSON.
    pub(super) fn json(&self) -> Value {
        let axes = || self.shape.iter().zip(&self.edges);
        let named =
            |name: &str, settings| Value::object([("name", name.into()), ("configuration", settings)]);
        if !self.is_cut || axes().all(|(length, edge)| length % edge == 0) {
            let shape = self.edges.iter().copied().collect();
            return named("regular", Value::object([("chunk_shape", shape)]));
        }
        let edges = axes().map(|(length, edge)| match (length / edge, length % edge) {
            (_, 0) => (*edge).into(),
            (count, last) => Value::list([Value::list([(*edge).into(), count.into()]), last.into()]),
        });
        let edges: Vec<Value> = edges.collect();
        named(
            "rectilinear",
            Value::object([("kind", "inline".into()), ("chunk_shapes", Value::Array(edges))]),
        )
    }

    /// Whether the grid has a chunk at these coordinates.
    fn has(&self, coordinates: &[u64]) -> bool {
        coordinates.len() == self.shape.len()
            && coordinates
                .iter()
                .zip(self.shape.iter().zip(&self.edges))
                .all(|(at, (length, edge))| *at < length.div_ceil(*edge))
    }

    /// Lengths of a chunk, as its codecs have it.
    fn chunk_shape(&self, coordinates: &[u64]) -> Vec<u64> {
        let axes = coordinates.iter().zip(&self.edges).zip(&self.shape);
        axes.map(|((at, edge), length)| if self.is_cut { (*edge).min(length - at * edge) } else { *edge })
            .collect()
    }

    /// First item of a chunk and the number of its items, where they are stored one after the other.
    fn run(&self, coordinates: &[u64]) -> (u64, u64) {
        let (mut first, mut count) = (0, 1);
        for ((at, edge), length) in coordinates.iter().zip(&self.edges).zip(&self.shape) {
            first = first * length + at * edge;
            count *= (*edge).min(length - at * edge);
        }
        (first, count)
    }
}

impl Dataset {
    /// Why the dataset's items cannot be read, if they cannot.
    pub(super) fn refusal(&self) -> Option<&'static str> {
        if self.is_external {
            return Some("HDF5 data in external files");
        }
        matches!(self.layout, Layout::Virtual).then_some("HDF5 virtual datasets")
    }

    /// Looks up the bytes of the chunk at these coordinates.
    pub(super) fn chunk(&self, file: &FileBytes, coordinates: &[u64]) -> Read<ByteLocation> {
        if let Some(feature) = self.refusal() {
            let reason = "copy the data into one file, for instance with h5repack".to_owned();
            return Err(Error::Unsupported { feature: feature.to_owned(), reason }.into());
        }
        let grid = ChunkGrid::new(self);
        if !grid.has(coordinates) {
            return Ok(ByteLocation::Missing);
        }
        let item = self.item();
        let (element, _) = item.element();
        if self.is_rewritten() {
            return self.rewritten(file, &grid, coordinates);
        }
        Ok(match &self.layout {
            Layout::Compact(items) => {
                let length = (self.space.items() * self.datatype.size) as usize;
                ByteLocation::Inline(items.get(..length).unwrap_or_default().to_vec())
            }
            Layout::Contiguous { address: None, .. } | Layout::Virtual => ByteLocation::Missing,
            Layout::Contiguous { address: Some(address), .. } => {
                let (first, count) = grid.run(coordinates);
                let start = address.saturating_add(first * element.size);
                span(file, start, count * element.size)?
            }
            Layout::Chunked(_) => match self.stored(file, coordinates)? {
                None => ByteLocation::Missing,
                Some(StoredChunk { address, size, mask: 0 }) => span(file, address, size)?,
                Some(stored) => {
                    let whole = self.chunk_bytes();
                    ByteLocation::Inline(completed(file, &self.filters, &self.datatype, stored, whole)?)
                }
            },
        })
    }

    /// Bytes of a decoded chunk.
    fn chunk_bytes(&self) -> u64 {
        match &self.layout {
            Layout::Chunked(chunks) => {
                chunks.shape.iter().fold(self.datatype.size, |bytes, edge| bytes.saturating_mul(*edge))
            }
            _ => 0,
        }
    }

    /// Looks up where a chunk is stored, with the filters that it goes without.
    fn stored(&self, file: &FileBytes, coordinates: &[u64]) -> Read<Option<StoredChunk>> {
        let Layout::Chunked(chunks) = &self.layout else { return Ok(None) };
        // The axes of the datatype have one chunk each, and so have the letters of texts.
        let mut coordinates = coordinates.to_vec();
        coordinates.resize(chunks.shape.len(), 0);
        let coordinates = &coordinates[..];
        let Some(mut stored) = chunks.find(file, &self.space, coordinates, self.chunk_bytes())? else {
            return Ok(None);
        };
        let mut axes = coordinates.iter().zip(&chunks.shape).zip(&self.space.shape);
        if chunks.are_edges_plain && axes.any(|((at, edge), length)| (at + 1).saturating_mul(*edge) > *length)
        {
            stored.mask = u32::MAX;
        }
        // Only the bits of filters that exist count.
        let filters = u32::try_from(self.filters.len()).unwrap_or(32);
        stored.mask &= u32::MAX.checked_shr(32 - filters).unwrap_or(0);
        Ok(Some(stored))
    }

    /// Items that are made here: those in heaps, paths of objects, and numbers that are stored otherwise than they are shown.
    fn rewritten(&self, file: &FileBytes, grid: &ChunkGrid, coordinates: &[u64]) -> Read<ByteLocation> {
        let (element, _) = self.datatype.element();
        let mut items = match &self.layout {
            Layout::Compact(items) => {
                let length = (self.space.items() * self.datatype.size) as usize;
                items.get(..length).unwrap_or_default().to_vec()
            }
            Layout::Contiguous { address: None, .. } | Layout::Virtual => return Ok(ByteLocation::Missing),
            Layout::Contiguous { address: Some(address), .. } => {
                let (first, count) = grid.run(coordinates);
                file.read(address.saturating_add(first * element.size), count * element.size)?
            }
            Layout::Chunked(_) => {
                let Some(stored) = self.stored(file, coordinates)? else { return Ok(ByteLocation::Missing) };
                let whole = self.chunk_bytes();
                content(file, &self.filters, &self.item(), stored, whole)?
            }
        };
        let bytes = if element.is_object() {
            objects(file, element, &items, &grid.chunk_shape(coordinates))?.into_bytes()
        } else if element.class == Class::ObjectReference {
            paths(file, element, &items)
        } else if element.is_variable() {
            counted(file, element, &items)?
        } else {
            self.datatype.remake(&mut items);
            items
        };
        Ok(ByteLocation::Inline(bytes))
    }
}

/// Paths of the objects that references lead to, in the form of `vlen-utf8`.
fn paths(file: &FileBytes, element: &Datatype, items: &[u8]) -> Vec<u8> {
    let references = items.chunks_exact(element.size as usize);
    let mut bytes = (references.len() as u32).to_le_bytes().to_vec();
    for reference in references {
        let path = file.path(reference);
        bytes.extend((path.len() as u32).to_le_bytes());
        bytes.extend_from_slice(path.as_bytes());
    }
    bytes
}

/// Texts or lists in the form of `vlen-utf8`: their number, then the length and the bytes of each.
fn counted(file: &FileBytes, element: &Datatype, items: &[u8]) -> Read<Vec<u8>> {
    let base = match &element.class {
        Class::VariableList(base) => Some(base),
        _ => None,
    };
    let mut references = Vec::new();
    for item in items.chunks_exact(HeapReference::length(file)) {
        let reference = HeapReference::parse(file.fields(item));
        references.push(reference.map_err(|fault| fault.at(0, "a chunk of texts or lists"))?);
    }
    let mut heaps = Collections::default();
    heaps.load(file, &references)?;
    let mut bytes = Vec::new();
    bytes.extend((references.len() as u32).to_le_bytes());
    for reference in references {
        let object = heaps.object(file, reference)?;
        let size = base.as_ref().map_or(1, |base| base.size);
        let length = reference.count.saturating_mul(size).min(object.len() as u64) as usize;
        let mut item = object[..length].to_vec();
        match base {
            // Texts end with a zero, and are Latin-1 where they are not UTF-8, as in attributes.
            None => item = text(&item).into_bytes(),
            Some(base) => base.make_little(&mut item),
        }
        check_length(bytes.len() + item.len())?;
        bytes.extend((item.len() as u32).to_le_bytes());
        bytes.extend(item);
    }
    Ok(bytes)
}

/// Items as `numcodecs.json2` has them: lists of values for each axis, then a type and the shape.
fn objects(file: &FileBytes, element: &Datatype, items: &[u8], shape: &[u64]) -> Read<String> {
    let mut heaps = Collections::default();
    heaps.load(file, &element.references(file, items)?)?;
    // Items in a list of the last axis, of the one before, and so on; the first axis is in the list of the chunk.
    let mut lists = vec![];
    for length in shape.iter().skip(1).rev() {
        lists.push(length.saturating_mul(lists.last().copied().unwrap_or(1)));
    }
    let mut text = "[".to_owned();
    for (item, nth) in items.chunks_exact(element.size as usize).zip(0_u64..) {
        text.extend(lists.iter().filter(|list| nth % **list == 0).map(|_| '['));
        let value = element.value(file, &heaps, item)?.unwrap_or(Value::Null);
        text.push_str(&value.to_string());
        text.extend(lists.iter().filter(|list| (nth + 1) % **list == 0).map(|_| ']'));
        text.push(',');
        check_length(text.len())?;
    }
    let shape: Value = shape.iter().copied().collect();
    text.push_str("\"|O\",");
    text.push_str(&shape.to_string());
    text.push(']');
    Ok(text)
}

/// Checks the bytes of the texts and lists of a chunk.
fn check_length(bytes: usize) -> Read<()> {
    if bytes <= 2 * MOST_READ as usize {
        return Ok(());
    }
    let feature = "a chunk whose texts or lists take more than 32 MiB".to_owned();
    Err(Fault::Unsupported(feature).at(0, "a chunk").into())
}

/// A range of the file.
fn span(file: &FileBytes, address: u64, size: u64) -> Read<ByteLocation> {
    file.check(address, size)?;
    let start = file.offset(address);
    Ok(ByteLocation::File { url: String::new(), span: Some(start..start + size) })
}
