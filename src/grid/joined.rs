//! Concatenated axes, for arrays that are read as one.
//!
//! Runs are clipped and merged, never expanded, so the axis of many arrays has at most the sum of their runs, plus one
//! for each array whose extent ends within its last chunk.

use super::axis::{Axis, Run};
use super::{AxisError, MAX_COORDINATE};

impl Axis {
    /// Concatenates axes: a chunk that an extent cuts keeps its decoded length and has the rest of the extent as its
    /// edge, and chunks past an extent are left out. The last axis with an extent above 0 stays as declared.
    ///
    /// ```
    /// use rectilinear_zarr::grid::Axis;
    /// let cut = Axis::regular(550, 200)?;
    /// let joined = Axis::end_to_end(&[&cut, &cut])?;
    /// let runs = joined.runs().iter().map(|run| (run.edge, run.encoded, run.count));
    /// assert_eq!(runs.collect::<Vec<_>>(), [(200, 200, 2), (150, 200, 1), (200, 200, 3)]);
    /// assert_eq!((joined.extent(), joined.chunks()), (1100, 6));
    /// # Ok::<(), rectilinear_zarr::grid::AxisError>(())
    /// ```
    ///
    /// # Errors
    /// [`AxisError::Empty`] without any axis, [`AxisError::TooLong`] at the axis that reaches too far.
    pub fn end_to_end(axes: &[&Self]) -> Result<Self, AxisError> {
        let Some(last) = axes.iter().rposition(|axis| axis.extent() > 0) else {
            return axes.first().map(|&first| first.clone()).ok_or(AxisError::Empty);
        };
        let (mut runs, mut start) = (Vec::new(), 0);
        for (position, axis) in axes[..=last].iter().enumerate() {
            let is_last = position == last;
            for run in axis.runs() {
                let [whole, cut] = if is_last { [*run, Run { count: 0, ..*run }] } else { axis.clipped(run) };
                push(&mut runs, whole);
                push(&mut runs, cut);
            }
            start += axis.extent();
            if runs.last().map_or(start, Run::stop).max(start) > MAX_COORDINATE {
                return Err(AxisError::TooLong(position));
            }
        }
        let chunks = axes[..=last].iter().map(|axis| axis.chunks()).sum();
        Ok(Self::of_runs(start, chunks, runs))
    }

    /// An axis of one chunk for each length above 0; the sum of the lengths must be at most [`MAX_COORDINATE`].
    #[must_use]
    pub fn of_lengths(lengths: &[u64]) -> Self {
        let (mut runs, mut extent, mut chunks) = (Vec::new(), 0, 0);
        for &edge in lengths {
            let count = u64::from(edge > 0);
            push(&mut runs, Run { first: 0, start: 0, edge, encoded: edge, chunk_offset: 0, count });
            extent += edge;
            chunks += count;
        }
        if runs.is_empty() {
            runs.push(Run { first: 0, start: 0, edge: 1, encoded: 1, chunk_offset: 0, count: 0 });
        }
        Self::of_runs(extent, chunks, runs)
    }

    /// Whether both axes have the same extent and the same chunk boundaries within it.
    #[must_use]
    pub fn is_cut_like(&self, other: &Self) -> bool {
        self.extent() == other.extent() && self.cuts() == other.cuts()
    }

    /// The edges of the chunks that overlap the array, clipped to its extent, as (edge, count).
    #[must_use]
    pub fn cuts(&self) -> Vec<(u64, u64)> {
        let mut runs: Vec<Run> = Vec::new();
        for run in self.runs() {
            for clipped in self.clipped(run) {
                push(&mut runs, Run { encoded: clipped.edge, chunk_offset: 0, ..clipped });
            }
        }
        runs.iter().map(|run| (run.edge, run.count)).collect()
    }

    /// The chunks of a run that lie within the extent, and the one that the extent cuts.
    fn clipped(&self, run: &Run) -> [Run; 2] {
        let length = self.extent().saturating_sub(run.start);
        let whole = run.count.min(length / run.edge);
        let rest = if whole < run.count { length % run.edge } else { 0 };
        [Run { count: whole, ..*run }, Run { edge: rest, count: u64::from(rest > 0), ..*run }]
    }
}

/// Appends a run after the last one, whatever its position was; merges it with an equal neighbour.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        _ if run.count == 0 => {}
        Some(last)
            if (last.edge, last.encoded, last.chunk_offset) == (run.edge, run.encoded, run.chunk_offset) =>
        {
            last.count += run.count
        }
        Some(last) => {
            let (first, start) = (last.first + last.count, last.stop());
            runs.push(Run { first, start, ..run });
        }
        None => runs.push(Run { first: 0, start: 0, ..run }),
    }
}
