//! Concatenation: arrays along an axis, read as one array with one grid of all their chunks.
//!
//! Invariant: the selection from each array says where its items go in the result, so a plan of the concatenation is a
//! plan of each array by itself.

use std::rc::Rc;

use super::array::{Array, Concat, ConcatPart};
use crate::error::{Error, Result};
use crate::grid::{Axis, ChunkGrid};
use crate::metadata::{ArrayMetadata, DataType, float_text, integer_text};

/// Most stored arrays in a concatenation: 65,536. Each is held in memory, and checked when the concatenation is made.
pub const MAX_PARTS: usize = 1 << 16;

/// Deepest nesting of concatenations: 64. Concatenations along one axis are flattened and count once.
///
/// Every plan descends through each level.
const MAX_DEPTH: usize = 64;

impl Array {
    /// Concatenates arrays along an axis. The result has the first array's attributes, dimension names, path and fill
    /// value, and a grid of the chunks of all arrays. A single array stays as it is.
    ///
    /// Where some arrays have shards, the grid of inner chunks has the other arrays' chunks unchanged. It is left out
    /// where inner chunks differ along the other axes. Where only the stored chunks differ, the result has no shards,
    /// and its grid is that of the inner chunks.
    ///
    /// # Errors
    /// [`Error::Selection`] where there is no such axis, or no array; [`Error::Unsupported`] where an array does not
    /// fit the first one, or where there are too many.
    pub fn end_to_end(arrays: &[Rc<Self>], axis: usize) -> Result<Rc<Self>> {
        let Some(first) = arrays.first() else {
            let reason = "the list of arrays to concatenate is empty; pass at least one".to_owned();
            return Err(Error::Selection { axis: None, reason });
        };
        let rank = first.metadata.shape.len();
        if axis >= rank {
            return Err(Error::axis(axis, format!("there is no such axis; the first array has {rank}")));
        }
        if arrays.len() == 1 {
            return Ok(Rc::clone(first));
        }
        arrays.iter().try_for_each(|array| array.readable())?;
        check(arrays, axis)?;
        let (chunk_grid, inner_grid) = grids(arrays, axis)?;
        let joined = Concat::new(arrays, axis)?;
        let metadata = ArrayMetadata {
            shape: chunk_grid.array_shape(),
            chunk_grid,
            // Each array has its own codecs.
            codecs: Vec::new(),
            document: Box::default(),
            ..first.metadata.clone()
        };
        Ok(Rc::new(Self { metadata, inner_grid, joined: Some(joined), ..first.as_ref().clone() }))
    }

    /// Rebuilds the concatenation from other stored arrays, in the same number and order.
    ///
    /// # Errors
    /// As [`Array::end_to_end`].
    pub fn remade(self: &Rc<Self>, stored: &mut std::slice::Iter<'_, Rc<Self>>) -> Result<Rc<Self>> {
        let Some(joined) = &self.joined else { return Ok(Rc::clone(stored.next().unwrap_or(self))) };
        let mut arrays = Vec::with_capacity(joined.parts.len());
        for part in &joined.parts {
            arrays.push(part.array.remade(stored)?);
        }
        Self::end_to_end(&arrays, joined.axis)
    }
}

impl Concat {
    fn new(arrays: &[Rc<Array>], axis: usize) -> Result<Self> {
        // Concatenations along the same axis are flattened.
        let mut flat = Vec::with_capacity(arrays.len());
        for array in arrays {
            match &array.joined {
                Some(joined) if joined.axis == axis => {
                    flat.extend(joined.parts.iter().map(|part| &part.array))
                }
                _ => flat.push(array),
            }
        }
        let (mut parts, mut met, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let (mut first, mut before, mut depth) = (0, 0, 0);
        for array in flat {
            let extent = array.metadata.shape[axis];
            if extent > 0 {
                met.push(parts.len());
            }
            lengths.push(extent);
            parts.push(ConcatPart { array: Rc::clone(array), first, before });
            first += array.stored_arrays();
            before += extent;
            depth = depth.max(array.joined.as_ref().map_or(0, |joined| joined.depth));
        }
        if first > MAX_PARTS || depth >= MAX_DEPTH {
            return Err(Error::Unsupported {
                feature: format!("a concatenation of {first} arrays, nested {} deep", depth + 1),
                reason: format!(
                    "at most {MAX_PARTS} arrays and {MAX_DEPTH} levels are read; concatenate axis by axis"
                ),
            });
        }
        let mut axes: Vec<Axis> =
            arrays[0].metadata.shape.iter().map(|&extent| Axis::of_lengths(&[extent])).collect();
        axes[axis] = Axis::of_lengths(&lengths);
        Ok(Self { axis, parts, grid: ChunkGrid::new(axes), met, depth: depth + 1 })
    }
}

/// Most edges, or bytes, that a message lists.
const MOST_LISTED: usize = 8;

/// Grid of the stored chunks of a concatenation, and grid of the inner chunks where some arrays have shards.
type Grids = (ChunkGrid, Option<ChunkGrid>);

/// Selects one of an array's grids.
type GridOf = fn(&Array) -> &ChunkGrid;

/// Checks that every array fits the first one in shape, data type and fill value; the grids are not compared.
///
/// # Errors
/// [`Error::Unsupported`], which names the first array that differs, and the reason.
fn check(arrays: &[Rc<Array>], axis: usize) -> Result<()> {
    let first = &arrays[0].metadata;
    let rank = first.shape.len();
    for (nth, array) in arrays.iter().enumerate().skip(1) {
        let this = &array.metadata;
        let (what, values, hint) = if this.shape.len() != rank
            || (0..rank).any(|other| other != axis && this.shape[other] != first.shape[other])
        {
            let hint =
                "expected the same axes, with equal lengths except along the axis of the concatenation";
            ("shapes", [this, first].map(|metadata| format!("{:?}", metadata.shape)), hint)
        } else if !first.data_type.means_the_same(&this.data_type) {
            let hint = "read the arrays one by one; the option as converts numbers to one type";
            ("data types", [this, first].map(|metadata| metadata.data_type.described().to_string()), hint)
        } else if !first.data_type.is_same_item(&first.fill_value, &this.fill_value) {
            let hint = "missing chunks would have different values; read the arrays one by one";
            (
                "fill values",
                [this, first].map(|metadata| shown(&metadata.fill_value, &metadata.data_type)),
                hint,
            )
        } else {
            continue;
        };
        return Err(unlike(what, nth, array, values, hint));
    }
    Ok(())
}

/// Makes the grids of a concatenation along an axis.
///
/// # Errors
/// [`Error::Unsupported`] where neither the stored chunks nor the inner ones cut the other axes at the same positions.
fn grids(arrays: &[Rc<Array>], axis: usize) -> Result<Grids> {
    // An array without extent has no chunks that could differ.
    let mut some: Vec<(usize, &Array)> = Vec::with_capacity(arrays.len());
    for (nth, array) in arrays.iter().enumerate() {
        if array.metadata.shape[axis] > 0 {
            some.push((nth, array));
        }
    }
    if some.is_empty() {
        some.push((0, &arrays[0]));
    }
    let stored: GridOf = |array| &array.metadata.chunk_grid;
    let has_shards = some.iter().any(|(_, array)| array.inner_grid.is_some());
    let (of_stored, of_read) = (cut_unlike(&some, axis, stored), cut_unlike(&some, axis, Array::read_grid));
    if let (Some((nth, other)), Some(_)) = (of_stored, of_read) {
        let cuts = [&arrays[nth], some[0].1].map(|array| first_edges(&stored(array).axes()[other]));
        let hint = format!(
            "these are the first edges along axis {other}, where all arrays must have the same chunk edges; \
             read the arrays one by one, or rechunk one of them"
        );
        return Err(unlike("chunk grids", nth, &arrays[nth], cuts, &hint));
    }
    let chunks = laid(&some, axis, if of_stored.is_none() { stored } else { Array::read_grid })?;
    let has_inner = has_shards && of_stored.is_none() && of_read.is_none();
    Ok((chunks, if has_inner { Some(laid(&some, axis, Array::read_grid)?) } else { None }))
}

/// Finds the first array whose chunks differ from the first array's along an axis other than `axis`; also that axis.
fn cut_unlike(arrays: &[(usize, &Array)], axis: usize, grid: GridOf) -> Option<(usize, usize)> {
    let first = grid(arrays[0].1).axes();
    for (nth, array) in &arrays[1..] {
        for (other, along) in grid(array).axes().iter().enumerate() {
            if other != axis && !first[other].is_cut_like(along) {
                return Some((*nth, other));
            }
        }
    }
    None
}

/// Makes the grid of a concatenation: the first array's, with the chunks of all arrays along `axis`.
fn laid(arrays: &[(usize, &Array)], axis: usize, grid: GridOf) -> Result<ChunkGrid> {
    let along: Vec<&Axis> = arrays.iter().map(|(_, array)| &grid(array).axes()[axis]).collect();
    let mut axes = grid(arrays[0].1).axes().to_vec();
    axes[axis] = Axis::end_to_end(&along)
        .map_err(|error| Error::axis(axis, format!("the arrays are too long together: {error}")))?;
    Ok(ChunkGrid::new(axes))
}

/// Error for an array that differs from the first one.
fn unlike(what: &str, nth: usize, array: &Array, [this, first]: [String; 2], hint: &str) -> Error {
    let path = array.keys.path();
    Error::Unsupported {
        feature: format!("a concatenation of different {what}"),
        reason: format!("array {nth} (path {path:?}) has {this}, array 0 has {first}; {hint}"),
    }
}

/// First edges of an axis, for a message.
fn first_edges(axis: &Axis) -> String {
    let mut edges = Vec::new();
    for (edge, count) in axis.cuts() {
        edges.resize(edges.len() + usize::try_from(count).unwrap_or(MOST_LISTED).min(MOST_LISTED), edge);
    }
    edges.truncate(MOST_LISTED);
    format!("{edges:?}")
}

/// Text of an item, for a message.
fn shown(item: &[u8], data_type: &DataType) -> String {
    match data_type.numeric() {
        Some(_) if item.is_empty() => "no value of the data type".to_owned(),
        Some(number) if number.is_float() => float_text(number.float(item)),
        Some(number) => integer_text(number.integer(item)),
        None => format!("bytes {:?}", &item[..item.len().min(MOST_LISTED)]),
    }
}
