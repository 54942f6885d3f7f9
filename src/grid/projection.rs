//! Which part of which chunk a selection picks, and where it goes in the output.
//!
//! Invariant: the projections of a selection cover each output position exactly once, chunk by
//! chunk in grid order, and none is empty. Nothing is listed beforehand, so a selection across 10^9
//! chunks costs memory for one.

use super::{Axis, ChunkGrid, Picks};

/// The part of one chunk that is picked along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Projection {
    /// Chunk index along the axis.
    pub chunk: u64,
    /// Length of the decoded chunk along the axis.
    pub encoded: u64,
    /// First picked position inside the decoded chunk.
    pub within: u64,
    /// Distance between picks inside the chunk.
    pub step: u64,
    /// Number of picks.
    pub count: u64,
    /// Output position of the first pick; the following go up, or down where `reversed`.
    pub output: u64,
    /// Whether output positions go down as chunk positions go up.
    pub reversed: bool,
}

impl Projection {
    /// All of a chunk of this edge, to the start of the output.
    #[must_use]
    pub fn whole(edge: u64) -> Self {
        Self { chunk: 0, encoded: edge, within: 0, step: 1, count: edge, output: 0, reversed: false }
    }

    /// The same picks as seen by a grid inside the chunk: what they are there, and where the first one goes.
    #[must_use]
    pub fn picks_within(&self) -> Picks {
        Picks {
            first: self.within,
            step: self.step,
            count: self.count,
            reversed: self.reversed,
            dropped: false,
        }
    }

    /// The same picks, seen from the first one on.
    #[must_use]
    pub fn from_first(&self) -> Self {
        Self { within: 0, ..*self }
    }

    /// One of the picks, counted from 0, seen from itself on.
    #[must_use]
    pub fn single(&self, nth: u64) -> Self {
        let output = if self.reversed { self.output - nth } else { self.output + nth };
        Self { within: 0, step: 1, count: 1, output, ..*self }
    }

    /// A projection of [`Projection::picks_within`], put where this one puts them.
    #[must_use]
    pub fn shifted(&self, inner: Self) -> Self {
        // Both count from the end where they are reversed; the outer one's last pick is its lowest output.
        let base = if self.reversed { self.output + 1 - self.count } else { self.output };
        Self { output: base + inner.output, ..inner }
    }
}

/// The projections along one axis, in chunk order.
#[derive(Debug, Clone)]
pub struct AxisProjections<'a> {
    axis: &'a Axis,
    picks: Picks,
    taken: u64,
}

impl<'a> AxisProjections<'a> {
    /// The projections of picks that lie within the axis.
    #[must_use]
    pub fn new(axis: &'a Axis, picks: Picks) -> Self {
        Self { axis, picks, taken: 0 }
    }

    /// How many projections there are, without walking them.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.axis.chunks_met(self.picks.first, self.picks.step, self.picks.count)
    }
}

impl Iterator for AxisProjections<'_> {
    type Item = Projection;

    fn next(&mut self) -> Option<Projection> {
        let Picks { first, step, count, reversed, .. } = self.picks;
        if self.taken == count {
            return None;
        }
        let coordinate = first + self.taken * step;
        let span = self.axis.span_at(coordinate)?;
        let here = (span.stop - coordinate).div_ceil(step).min(count - self.taken);
        let output = if reversed { count - 1 - self.taken } else { self.taken };
        self.taken += here;
        Some(Projection {
            chunk: span.chunk,
            encoded: span.encoded,
            within: coordinate - span.start,
            step,
            count: here,
            output,
            reversed,
        })
    }
}

/// The chunks that a selection meets, in grid order (last axis fastest), each with one projection per axis.
#[derive(Debug, Clone)]
pub struct ChunkProjections<'a> {
    whole: Vec<AxisProjections<'a>>,
    rest: Vec<AxisProjections<'a>>,
    next: Option<Vec<Projection>>,
}

impl<'a> ChunkProjections<'a> {
    /// The projections of normalised picks, one for each axis of the grid.
    #[must_use]
    pub fn new(grid: &'a ChunkGrid, picks: &[Picks]) -> Self {
        let whole: Vec<_> =
            grid.axes().iter().zip(picks).map(|(axis, &picks)| AxisProjections::new(axis, picks)).collect();
        let mut rest = whole.clone();
        let next = rest.iter_mut().map(Iterator::next).collect();
        Self { whole, rest, next }
    }

    /// Number of chunks that the selection meets, without walking them; saturates at `u64::MAX`.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.whole.iter().map(AxisProjections::chunks).fold(1, u64::saturating_mul)
    }
}

impl Iterator for ChunkProjections<'_> {
    type Item = Vec<Projection>;

    fn next(&mut self) -> Option<Vec<Projection>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for axis in (0..following.len()).rev() {
            if let Some(projection) = self.rest[axis].next() {
                following[axis] = projection;
                self.next = Some(following);
                break;
            }
            self.rest[axis] = self.whole[axis].clone();
            following[axis] = self.rest[axis].next()?;
        }
        Some(current)
    }
}
