//! Arrays end to end along an axis, read as one: they are one more grid, as the inner chunks of a shard are.
//!
//! Invariant: what is wanted of an array says where its items go in the whole result, so to plan the whole is to plan
//! each array by itself; nobody but this file asks how many there are.

use std::rc::Rc;

use super::check::{check, grids};
use crate::error::{Error, Result};
use crate::grid::{Axis, ChunkGrid, ChunkSelection};
use crate::metadata::{ArrayMetadata, BoundsOf, TimeEncoding};
use crate::read::array::{Array, Concat, Joint};
use crate::read::convert::conversion::missing_integers;

/// The most stored arrays that are read as one: 65,536.
///
/// The reason: each is held, and looked at when the whole is made.
pub const MAX_PARTS: usize = 1 << 16;

/// The most axes that arrays are joined along in turn, the same ones again and again: 64. Those that are joined along
/// one axis, and then along it again, count once.
///
/// The reason: each is a step down for every plan.
const MAX_DEPTH: usize = 64;

impl Array {
    /// These arrays, one after the other along an axis: with the first one's attributes, dimension names, path and fill
    /// value, on a grid of all their chunks. One alone is itself.
    ///
    /// Where chunks are shards in some of them, the grid of inner chunks has the other arrays' chunks as they are. It is
    /// left out where it would cut the other axes at different places; where only the stored chunks would, the array
    /// is as if it had no shards, on the grid of what is decoded one by one.
    ///
    /// # Errors
    /// [`Error::Selection`] where there is no such axis, or no array, [`Error::Unsupported`] where an array does not fit
    /// the first one, or where there are too many.
    pub fn end_to_end(arrays: &[Rc<Self>], axis: usize) -> Result<Rc<Self>> {
        let Some(first) = arrays.first() else {
            let reason = "there is no array to lay end to end; give one at least".to_owned();
            return Err(Error::Selection { axis: None, reason });
        };
        let rank = first.metadata.shape.len();
        if axis >= rank {
            return Err(Error::axis(axis, format!("there is no such axis; the first array has {rank}")));
        }
        if arrays.len() == 1 {
            return Ok(Rc::clone(first));
        }
        check(arrays, axis)?;
        let (chunk_grid, inner_grid) = grids(arrays, axis)?;
        let joined = Concat::new(arrays, axis)?;
        let metadata = ArrayMetadata {
            shape: chunk_grid.array_shape(),
            chunk_grid,
            // Each array has its own.
            codecs: Vec::new(),
            ..first.metadata.clone()
        };
        Ok(Rc::new(Self { metadata, inner_grid, joined: Some(joined), ..first.as_ref().clone() }))
    }

    /// This array, made of other stored arrays, as many and in the same order.
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

    /// Lists the stored arrays that hold some of what is wanted, each with its number, which is this one where nothing is
    /// joined, and what is wanted of it.
    pub(crate) fn share<'a>(
        &'a self,
        number: usize,
        wanted: ChunkSelection,
        shares: &mut Vec<(usize, &'a Self, ChunkSelection)>,
    ) {
        let Some(joined) = &self.joined else { return shares.push((number, self, wanted)) };
        for chunk in wanted.parts(&joined.grid) {
            let nth = usize::try_from(chunk.coords[joined.axis]).unwrap_or(usize::MAX);
            let part = &joined.parts[joined.met[nth]];
            part.array.share(number + part.first, chunk.wanted, shares);
        }
    }

    /// How the items of all of them are times, those of bounds as the variable whose bounds they are says.
    ///
    /// # Errors
    /// As [`Times::of`], [`Error::Unsupported`] where it is not the same for all, or something else is missing in some.
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
                    reason: "decode the times of each array by itself, and join what comes of it".to_owned(),
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

    /// How many stored arrays it is made of.
    fn count(&self) -> usize {
        let last = self.joined.as_ref().and_then(|joined| joined.parts.last());
        last.map_or(1, |last| last.first + last.array.count())
    }
}

impl Concat {
    fn new(arrays: &[Rc<Array>], axis: usize) -> Result<Self> {
        // What was joined along this axis before is joined as if at once.
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
            parts.push(Joint { array: Rc::clone(array), first, before });
            first += array.count();
            before += extent;
            depth = depth.max(array.joined.as_ref().map_or(0, |joined| joined.depth));
        }
        if first > MAX_PARTS || depth >= MAX_DEPTH {
            return Err(Error::Unsupported {
                feature: format!("a concatenation of {first} arrays in {} turns of axes", depth + 1),
                reason: format!(
                    "at most {MAX_PARTS} are read as one, in {MAX_DEPTH} turns; join all along one axis, then along the next"
                ),
            });
        }
        let mut axes: Vec<Axis> =
            arrays[0].metadata.shape.iter().map(|&extent| Axis::of_lengths(&[extent])).collect();
        axes[axis] = Axis::of_lengths(&lengths);
        Ok(Self { axis, parts, grid: ChunkGrid::new(axes), met, depth: depth + 1 })
    }
}
