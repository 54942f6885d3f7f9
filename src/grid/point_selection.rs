//! Single elements in any order, each with its position in the output, sorted by the chunks that hold them.
//!
//! Invariant: every point is within the array, and the n-th point of the whole read is the output's n-th item,
//! even where coordinates are relative to a chunk in a shard. All parts share the coordinates.

use std::rc::Rc;

use super::selection::inside;
use super::{ChunkGrid, ChunkSpan, sorted_by_number};
use crate::error::{Error, Gather, Result};
use crate::parts::{Calls, Loaded, later};

/// Points of an array, or of one chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointSelection {
    part: Loaded<Calls>,
    /// Coordinates of all points of the whole read, one for each axis, point by point.
    coordinates: Rc<[u64]>,
    /// Numbers of the points that this part holds.
    here: Vec<usize>,
    /// Coordinate that is 0 here along each axis, modulo 2^64, because a decoded chunk may begin before the array.
    origin: Vec<u64>,
}

/// The points that one chunk holds.
pub(super) struct PointsOfChunk {
    /// The chunk along each axis.
    pub(super) spans: Vec<ChunkSpan>,
    /// The points, relative to the decoded chunk.
    pub(super) points: PointSelection,
}

impl PointSelection {
    /// Selects `count` points of an array of this shape by their coordinates, point by point; negative coordinates
    /// count from the end.
    ///
    /// # Errors
    /// [`Error::Selection`] if a coordinate is outside the array, or if their number is not `count` times the rank;
    /// [`Error::PartMissing`] only where the points are right.
    pub fn new(count: usize, coordinates: &[i64], shape: &[u64]) -> Result<Self> {
        let rank = shape.len();
        if Some(coordinates.len()) != count.checked_mul(rank) {
            let reason = format!(
                "{} coordinates for {count} points of an array of {rank} axes; expected {rank} for each point",
                coordinates.len()
            );
            return Err(Error::Selection { axis: None, reason });
        }
        let wrapped = coordinates.iter().enumerate().map(|(nth, &index)| {
            let (point, axis) = (nth / rank, nth % rank);
            inside(index, shape[axis]).map_err(|reason| Error::axis(axis, format!("point {point}: {reason}")))
        });
        let coordinates = wrapped.gathered()?.into();
        let part = Loaded::get()?;
        Ok(Self { part, coordinates, here: (0..count).collect(), origin: vec![0; rank] })
    }

    /// Number of points in this part.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.here.len() as u64
    }

    /// The offset of each point in a layout with these strides, and its number in the whole read.
    pub fn offsets(&self, strides: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        self.here.iter().map(move |&nth| {
            let along = self.at(nth).zip(strides);
            let offset = along.map(|(within, stride)| usize::try_from(within).unwrap_or(usize::MAX) * stride);
            (offset.sum(), nth)
        })
    }

    /// The coordinates of the points in this part, point by point.
    #[must_use]
    pub fn coordinates(&self) -> Vec<u64> {
        let mut coordinates = Vec::new();
        self.here.iter().for_each(|&nth| coordinates.extend(self.at(nth)));
        coordinates
    }

    /// Each point as a selection of its own, relative to itself.
    pub fn singles(&self) -> impl Iterator<Item = Self> {
        self.here.iter().map(|&nth| {
            let rank = self.origin.len();
            let origin = self.coordinates[nth * rank..(nth + 1) * rank].to_vec();
            Self { part: self.part, coordinates: Rc::clone(&self.coordinates), here: vec![nth], origin }
        })
    }

    /// The points of each chunk that holds any, in grid order; each point's chunk is looked up once.
    pub(super) fn by_chunk(&self, grid: &ChunkGrid) -> Vec<PointsOfChunk> {
        by_chunk(self.part, self, grid)
    }

    /// The coordinates of a point, relative to the origin.
    fn at(&self, nth: usize) -> impl Iterator<Item = u64> {
        let rank = self.origin.len();
        let point = &self.coordinates[nth * rank..(nth + 1) * rank];
        point.iter().zip(&self.origin).map(|(coordinate, origin)| coordinate.wrapping_sub(*origin))
    }
}

#[later]
fn by_chunk(part: Loaded<Calls>, all: &PointSelection, grid: &ChunkGrid) -> Vec<PointsOfChunk> {
    let rank = all.origin.len();
    // Every point is within the array, so its chunk is always found.
    let look_up =
        |nth: &usize| all.at(*nth).zip(grid.axes()).map(|(at, axis)| axis.chunk_at(at).unwrap_or_default());
    let chunks: Vec<u64> = all.here.iter().flat_map(look_up).collect();
    let coords = |place: usize| &chunks[place * rank..(place + 1) * rank];
    let mut order: Vec<usize> = (0..all.here.len()).collect();
    if !order.is_sorted_by(|&one, &next| coords(one) <= coords(next)) {
        for axis in (0..rank).rev() {
            order = sorted_by_number(order, |&place| coords(place)[axis]);
        }
    }
    let groups = order.chunk_by(|&one, &next| coords(one) == coords(next));
    let within = |group: &[usize]| {
        let spans = grid.bounds(coords(group[0]))?;
        let from = all.origin.iter().zip(&spans);
        let origin = from.map(|(origin, span)| origin.wrapping_add(span.origin())).collect();
        let here = group.iter().map(|&place| all.here[place]).collect();
        let points = PointSelection { part, coordinates: Rc::clone(&all.coordinates), here, origin };
        Some(PointsOfChunk { spans, points })
    };
    groups.filter_map(within).collect()
}
