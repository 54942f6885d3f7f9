//! Concatenation: arrays along an axis, read as one array with one grid of all their chunks.
//!
//! Invariant: the selection from each array says where its items go in the result, so a plan of the concatenation is a
//! plan of each array by itself; only this file knows how many arrays there are.

use std::rc::Rc;

use super::check::{check, grids};
use crate::error::{Error, Result};
use crate::grid::{Axis, ChunkGrid, ChunkSelection};
use crate::metadata::{ArrayMetadata, BoundsOf, TimeEncoding};
use crate::read::array::{Array, Concat, ConcatPart};
use crate::read::convert::conversion::missing_integers;

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

    /// Appends the stored arrays that the selection meets to `shares`, each with its number and the selection from it.
    /// `number` is the number of this array, or of its first stored array.
    pub(crate) fn share<'a>(
        &'a self,
        number: usize,
        selection: ChunkSelection,
        shares: &mut Vec<(usize, &'a Self, ChunkSelection)>,
    ) {
        let Some(joined) = &self.joined else { return shares.push((number, self, selection)) };
        for chunk in selection.parts(&joined.grid) {
            let nth = usize::try_from(chunk.coords[joined.axis]).unwrap_or(usize::MAX);
            let part = &joined.parts[joined.met[nth]];
            part.array.share(number + part.first, chunk.selection, shares);
        }
    }

    /// Time encoding of the array. An array of bounds takes it from the variable that it belongs to.
    ///
    /// # Errors
    /// As [`TimeEncoding::of`]; [`Error::Unsupported`] where the concatenated arrays differ in it, or in their missing
    /// values.
    pub fn times(&self, bounds_of: &BoundsOf) -> Result<TimeEncoding> {
        let times = TimeEncoding::of(&self.metadata, bounds_of)?;
        let missing = missing_integers(&self.metadata)?;
        for array in self.joined.iter().flat_map(Concat::arrays) {
            let others = missing_integers(&array.metadata)?;
            let are_the_same = missing.iter().all(|integer| others.contains(integer))
                && others.iter().all(|integer| missing.contains(integer));
            if array.times(bounds_of)? != times || !are_the_same {
                return Err(Error::Unsupported {
                    feature: "a concatenation of times in different units, or with different missing values"
                        .to_owned(),
                    reason: "decode the times of each array, then concatenate the results".to_owned(),
                });
            }
        }
        Ok(times)
    }

    /// Whether decoded chunks may have big-endian items.
    pub(crate) fn leaves_big_endian(&self) -> bool {
        match &self.joined {
            Some(joined) => joined.arrays().any(Self::leaves_big_endian),
            None => self.pipeline.leaves_big_endian(),
        }
    }

    /// Number of stored arrays in this array.
    fn count(&self) -> usize {
        let last = self.joined.as_ref().and_then(|joined| joined.parts.last());
        last.map_or(1, |last| last.first + last.array.count())
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
            first += array.count();
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
