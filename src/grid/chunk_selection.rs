//! Selections from an array, or from one of its chunks: picks along each axis, or single points, and their projections:
//! the part of each chunk that a selection picks, and its position in the output.
//!
//! Invariant: the chunks' parts of a selection cover each output position exactly once. Picks are never listed
//! chunk by chunk in advance, so a selection across 10^9 chunks costs memory for one.

use super::{Axis, AxisIndexer, ChunkGrid, PointSelection};

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

/// The part of one chunk that is picked along one axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// Chunk index along the axis.
    pub chunk: u64,
    /// Length of the decoded chunk along the axis.
    pub encoded: u64,
    /// The picks, relative to the start of the decoded chunk.
    pub picks: AxisIndexer,
}

/// The projections along one axis, in chunk order.
#[derive(Debug, Clone)]
pub struct AxisProjections<'a> {
    axis: &'a Axis,
    rest: AxisIndexer,
}

impl<'a> AxisProjections<'a> {
    /// The projections of picks that lie within the axis.
    #[must_use]
    pub fn new(axis: &'a Axis, picks: AxisIndexer) -> Self {
        Self { axis, rest: picks }
    }

    /// Number of projections; those of a run are counted without walking them.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        match self.rest {
            AxisIndexer::Run { first, step, count, .. } => self.axis.chunks_met(first, step, count),
            AxisIndexer::List(_) => self.clone().fold(0, |chunks, _| chunks + 1),
        }
    }
}

impl AxisProjections<'_> {
    /// Skips up to `most` projections after the `last` one that differ from it only in their chunk and their output
    /// positions; returns their number.
    fn skip_alike(&mut self, last: &Projection, most: usize) -> usize {
        let (&AxisIndexer::Run { step, count, .. }, AxisIndexer::Run { first, count: left, .. }) =
            (&last.picks, &self.rest)
        else {
            return 0;
        };
        let (edge, others) = self.axis.edge_and_followers(last.chunk);
        // Otherwise the next chunk's picks begin at another position, or this chunk's picks were cut.
        if step.checked_mul(count) != Some(edge) {
            return 0;
        }
        let others = others.min(left / count);
        let alike = usize::try_from(others).map_or(most, |others| others.min(most));
        let stop = first + alike as u64 * edge;
        self.rest.take_below(stop, 0);
        alike
    }
}

impl Iterator for AxisProjections<'_> {
    type Item = Projection;

    fn next(&mut self) -> Option<Projection> {
        let span = self.axis.span_at(self.rest.lowest()?)?;
        let picks = self.rest.take_below(span.stop, span.origin());
        Some(Projection { chunk: span.chunk, encoded: span.encoded, picks })
    }
}

/// The chunks that hold any of a selection, in grid order (last axis fastest), each with one projection per axis.
#[derive(Debug, Clone)]
pub struct ChunkProjections<'a> {
    whole: Vec<AxisProjections<'a>>,
    rest: Vec<AxisProjections<'a>>,
    /// Projections of the current chunk, if any is left; updated in place, because neighbours mostly differ along one
    /// axis.
    current: Option<Vec<Projection>>,
    has_begun: bool,
}

impl<'a> ChunkProjections<'a> {
    /// The projections of normalised picks, one for each axis of the grid.
    #[must_use]
    pub fn new(grid: &'a ChunkGrid, picks: &[AxisIndexer]) -> Self {
        let whole: Vec<_> = grid
            .axes()
            .iter()
            .zip(picks)
            .map(|(axis, picks)| AxisProjections::new(axis, picks.clone()))
            .collect();
        let mut rest = whole.clone();
        let current = rest.iter_mut().map(Iterator::next).collect();
        Self { whole, rest, current, has_begun: false }
    }

    /// Number of chunks that hold any of the selection, without walking them; saturates at `u64::MAX`.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.whole.iter().map(AxisProjections::chunks).fold(1, u64::saturating_mul)
    }

    /// The projections of the next chunk.
    pub fn advance(&mut self) -> Option<&[Projection]> {
        if std::mem::replace(&mut self.has_begun, true) && !self.step() {
            self.current = None;
        }
        self.current.as_deref()
    }

    /// Skips up to `most` chunks after the current one that differ from it only along the last axis, in their
    /// coordinate and output positions; returns their number.
    pub(super) fn skip_alike(&mut self, most: usize) -> usize {
        let last = self.current.as_ref().and_then(|current| current.last());
        match (last, self.rest.last_mut()) {
            (Some(last), Some(rest)) if most > 0 => rest.skip_alike(last, most),
            _ => 0,
        }
    }

    /// Advances to the next chunk; returns whether there is one.
    fn step(&mut self) -> bool {
        let Some(current) = &mut self.current else { return false };
        for axis in (0..current.len()).rev() {
            if let Some(projection) = self.rest[axis].next() {
                current[axis] = projection;
                return true;
            }
            self.rest[axis] = self.whole[axis].clone();
            let Some(first) = self.rest[axis].next() else { return false };
            current[axis] = first;
        }
        false
    }
}
