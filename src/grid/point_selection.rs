//! Single elements in any order, each with its place in the output, sorted by the chunks that hold them.
//!
//! Invariant: every point is inside, and the n-th one of the whole read is the output's n-th item,
//! however deep in chunks and shards its coordinates count. The coordinates are shared by all parts.

use std::rc::Rc;

use super::selection::inside;
use super::{ChunkGrid, ChunkSpan, sorted_by_number};
use crate::error::{Error, Gather, Result};

/// Points of an array, or those of them that one chunk holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointSelection {
    /// One coordinate for each axis of each point of the whole read.
    coordinates: Rc<[u64]>,
    /// Which of the points are here.
    here: Vec<usize>,
    /// Coordinate that is 0 here along each axis, modulo 2^64: a decoded chunk may begin before the array.
    origin: Vec<u64>,
}

/// The points that one chunk holds.
pub(super) struct PointsOfChunk {
    /// The chunk along each axis.
    pub(super) spans: Vec<ChunkSpan>,
    /// As the chunk counts.
    pub(super) points: PointSelection,
}

impl PointSelection {
    /// Selects `count` points of an array of this shape by coordinates, one after the other; negative ones count from
    /// the end.
    ///
    /// # Errors
    /// [`Error::Selection`] where one is outside, or where they have another number of coordinates.
    pub fn new(count: usize, coordinates: &[i64], shape: &[u64]) -> Result<Self> {
        let rank = shape.len();
        if Some(coordinates.len()) != count.checked_mul(rank) {
            let reason = format!(
                "{} coordinates for {count} points of an array of {rank} axes; expected {rank} for each",
                coordinates.len()
            );
            return Err(Error::Selection { axis: None, reason });
        }
        let wrapped = coordinates.iter().enumerate().map(|(nth, &index)| {
            let (point, axis) = (nth / rank, nth % rank);
            inside(index, shape[axis]).map_err(|reason| Error::axis(axis, format!("point {point}: {reason}")))
        });
        let coordinates = wrapped.gathered()?.into();
        Ok(Self { coordinates, here: (0..count).collect(), origin: vec![0; rank] })
    }

    /// How many are here.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.here.len() as u64
    }

    /// Where each point is along a layout of these strides, and its number in the whole read.
    pub fn offsets(&self, strides: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        self.here.iter().map(move |&nth| {
            let along = self.at(nth).zip(strides);
            let offset = along.map(|(within, stride)| usize::try_from(within).unwrap_or(usize::MAX) * stride);
            (offset.sum(), nth)
        })
    }

    /// The coordinates of all that are here, one after the other.
    #[must_use]
    pub fn coordinates(&self) -> Vec<u64> {
        let mut coordinates = Vec::new();
        self.here.iter().for_each(|&nth| coordinates.extend(self.at(nth)));
        coordinates
    }

    /// Each point alone, counted from itself.
    pub fn singles(&self) -> impl Iterator<Item = Self> {
        self.here.iter().map(|&nth| {
            let rank = self.origin.len();
            let origin = self.coordinates[nth * rank..(nth + 1) * rank].to_vec();
            Self { coordinates: Rc::clone(&self.coordinates), here: vec![nth], origin }
        })
    }

    /// The points of each chunk that holds any, in grid order. Each point's chunk is looked up once.
    pub(super) fn by_chunk(&self, grid: &ChunkGrid) -> Vec<PointsOfChunk> {
        let rank = self.origin.len();
        // The chunk that holds each point along each axis; every point is inside, so all of them are found.
        let look_up = |nth: &usize| {
            self.at(*nth).zip(grid.axes()).map(|(at, axis)| axis.chunk_at(at).unwrap_or_default())
        };
        let chunks: Vec<u64> = self.here.iter().flat_map(look_up).collect();
        let coords = |place: usize| &chunks[place * rank..(place + 1) * rank];
        let mut order: Vec<usize> = (0..self.here.len()).collect();
        if !order.is_sorted_by(|&one, &next| coords(one) <= coords(next)) {
            for axis in (0..rank).rev() {
                order = sorted_by_number(order, |&place| coords(place)[axis]);
            }
        }
        let groups = order.chunk_by(|&one, &next| coords(one) == coords(next));
        let part = |group: &[usize]| {
            let spans = grid.bounds(coords(group[0]))?;
            let from = self.origin.iter().zip(&spans);
            let origin = from.map(|(origin, span)| origin.wrapping_add(span.origin())).collect();
            let here = group.iter().map(|&place| self.here[place]).collect();
            let points = Self { coordinates: Rc::clone(&self.coordinates), here, origin };
            Some(PointsOfChunk { spans, points })
        };
        groups.filter_map(part).collect()
    }

    /// The coordinates of a point, as they count here.
    fn at(&self, nth: usize) -> impl Iterator<Item = u64> {
        let rank = self.origin.len();
        let point = &self.coordinates[nth * rank..(nth + 1) * rank];
        point.iter().zip(&self.origin).map(|(coordinate, origin)| coordinate.wrapping_sub(*origin))
    }
}
