//! Selections from an array, or from one of its chunks: picks along each axis, or single points.
//!
//! Invariant: the parts that chunks have in it cover each output position exactly once. Picks are never
//! listed chunk by chunk beforehand, so a selection across 10^9 chunks costs memory for one.

use super::{AxisIndexer, ChunkGrid, ChunkProjections, PointSelection};

/// A selection, with its places in the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkSelection {
    /// Everything that is picked along all axes: one entry for each.
    Axes(Vec<AxisIndexer>),
    /// Single elements.
    Points(PointSelection),
}

/// The part of what is wanted that one chunk holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkPart {
    /// Chunk coordinates.
    pub coords: Vec<u64>,
    /// The shape that the chunk decodes to.
    pub chunk_shape: Vec<u64>,
    /// Selection from the chunk, in the chunk's own coordinates.
    pub wanted: ChunkSelection,
    /// How many chunks this stands for, itself and others after it along the last axis: they differ from it in their places
    /// along that axis alone.
    pub chunks: usize,
}

impl ChunkSelection {
    /// All of an array or chunk of this shape.
    #[must_use]
    pub fn whole(shape: &[u64]) -> Self {
        Self::Axes(shape.iter().map(|&extent| AxisIndexer::whole(extent)).collect())
    }

    /// How many items; saturates at `u64::MAX`.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Axes(picks) => picks.iter().map(AxisIndexer::count).fold(1, u64::saturating_mul),
            Self::Points(points) => points.count(),
        }
    }

    /// How many chunks of a grid hold any of it, without walking runs; saturates at `u64::MAX`.
    #[must_use]
    pub fn chunks(&self, grid: &ChunkGrid) -> u64 {
        match self {
            Self::Axes(picks) => ChunkProjections::new(grid, picks).chunks(),
            Self::Points(points) => points.by_chunk(grid).len() as u64,
        }
    }

    /// The parts that the chunks of a grid hold, in grid order (last axis fastest); none is empty.
    pub fn parts<'a>(&self, grid: &'a ChunkGrid) -> impl Iterator<Item = ChunkPart> + use<'a> {
        self.rows(grid, 1)
    }

    /// The parts that chunks hold, each for as many chunks as it can stand for, but for `most` at most.
    pub fn rows<'a>(&self, grid: &'a ChunkGrid, most: usize) -> impl Iterator<Item = ChunkPart> + use<'a> {
        let (mut axes, points) = match self {
            Self::Axes(picks) => (Some(ChunkProjections::new(grid, picks)), Vec::new()),
            Self::Points(points) => (None, points.by_chunk(grid)),
        };
        let mut points = points.into_iter();
        std::iter::from_fn(move || {
            let Some(axes) = &mut axes else {
                let part = points.next()?;
                return Some(ChunkPart {
                    coords: part.spans.iter().map(|span| span.chunk).collect(),
                    chunk_shape: part.spans.iter().map(|span| span.encoded).collect(),
                    wanted: Self::Points(part.points),
                    chunks: 1,
                });
            };
            let projections = axes.advance()?;
            Some(ChunkPart {
                coords: projections.iter().map(|part| part.chunk).collect(),
                chunk_shape: projections.iter().map(|part| part.encoded).collect(),
                wanted: Self::Axes(projections.iter().map(|part| part.picks.clone()).collect()),
                chunks: 1 + axes.pass_alike(most.saturating_sub(1)),
            })
        })
    }
}
