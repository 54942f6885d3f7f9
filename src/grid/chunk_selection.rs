//! Selections from an array, or from one of its chunks: picks along each axis, or single points.
//!
//! Invariant: the chunks' parts of a selection cover each output position exactly once. Picks are never listed
//! chunk by chunk in advance, so a selection across 10^9 chunks costs memory for one.

use super::{AxisIndexer, ChunkGrid, ChunkProjections, PointSelection};

/// A selection, with its positions in the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkSelection {
    /// The elements that are picked along every axis: one entry for each axis.
    Axes(Vec<AxisIndexer>),
    /// Single elements.
    Points(PointSelection),
}

/// The part of a selection that one chunk holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkPart {
    /// Chunk coordinates.
    pub coords: Vec<u64>,
    /// The shape that the chunk decodes to.
    pub chunk_shape: Vec<u64>,
    /// Selection from the chunk, in the chunk's own coordinates.
    pub selection: ChunkSelection,
    /// Number of consecutive chunks along the last axis that this part describes, the first one included: they differ
    /// only in their positions along that axis.
    pub chunks: usize,
}

impl ChunkSelection {
    /// Selects all of an array or chunk of this shape.
    #[must_use]
    pub fn whole(shape: &[u64]) -> Self {
        Self::Axes(shape.iter().map(|&extent| AxisIndexer::whole(extent)).collect())
    }

    /// Number of selected items; saturates at `u64::MAX`.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Axes(picks) => picks.iter().map(AxisIndexer::count).fold(1, u64::saturating_mul),
            Self::Points(points) => points.count(),
        }
    }

    /// Number of chunks of a grid that hold any selected item, without walking runs; saturates at `u64::MAX`.
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

    /// Like [`ChunkSelection::parts`], with one part for up to `most` consecutive chunks that differ only in position.
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
                    selection: Self::Points(part.points),
                    chunks: 1,
                });
            };
            let projections = axes.advance()?;
            Some(ChunkPart {
                coords: projections.iter().map(|part| part.chunk).collect(),
                chunk_shape: projections.iter().map(|part| part.encoded).collect(),
                selection: Self::Axes(projections.iter().map(|part| part.picks.clone()).collect()),
                chunks: 1 + axes.skip_alike(most.saturating_sub(1)),
            })
        })
    }
}
