//! One axis of a chunk grid, as a short list of runs of equal chunks, bound to the array's extent.
//!
//! Invariant: each run starts, in chunks and in coordinates, where the one before it ends; no edge is zero; no chunk
//! decodes to less than its offset plus its edge; the runs together cover the extent. Memory is O(runs), and a look-up
//! is one `partition_point` and one division, so an axis of 10^9 chunks costs as much as one of three.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear>

use super::{AxisError, MAX_COORDINATE};

/// Consecutive chunks with the same edge and the same decoded length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Index of the first chunk.
    pub first: u64,
    /// Coordinate at which the first chunk begins.
    pub start: u64,
    /// Declared length of each chunk: the distance from one chunk's start to the next one's.
    pub edge: u64,
    /// Length that each chunk decodes to along this axis: the edge, unless the metadata declares a longer one.
    pub encoded: u64,
    /// Start of the array's part within the decoded chunk: 0, except in a first chunk that begins before the array.
    pub chunk_offset: u64,
    /// Number of chunks, including those past the extent.
    pub count: u64,
}

impl Run {
    pub(super) fn stop(&self) -> u64 {
        self.start + self.edge * self.count
    }
}

/// An axis: its runs and the array's extent along it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    extent: u64,
    pub(super) chunks: u64,
    pub(super) runs: Vec<Run>,
}

/// One chunk along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSpan {
    /// Chunk index along the axis.
    pub chunk: u64,
    /// First coordinate.
    pub start: u64,
    /// Coordinate after the last one, clipped to the extent.
    pub stop: u64,
    /// Length of the decoded chunk along this axis, including what lies outside the array.
    pub encoded: u64,
    /// Start of the array's part within the decoded chunk.
    pub chunk_offset: u64,
}

impl ChunkSpan {
    /// The coordinate at which the decoded chunk begins, modulo 2^64, because it may lie before the array.
    pub(super) fn origin(&self) -> u64 {
        self.start.wrapping_sub(self.chunk_offset)
    }
}

impl Axis {
    /// An axis of equal chunks, just enough to cover the extent.
    ///
    /// # Errors
    /// [`AxisError::ZeroEdge`], [`AxisError::TooLong`] (position 0).
    pub fn regular(extent: u64, edge: u64) -> Result<Self, AxisError> {
        if edge == 0 {
            return Err(AxisError::ZeroEdge(0));
        }
        if edge > MAX_COORDINATE || extent > MAX_COORDINATE {
            return Err(AxisError::TooLong(0));
        }
        let count = extent.div_ceil(edge);
        Ok(Self {
            extent,
            chunks: count,
            runs: vec![Run { first: 0, start: 0, edge, encoded: edge, chunk_offset: 0, count }],
        })
    }

    /// An axis of chunks with these edges, given as (edge, count) in order; equal neighbours are merged into one run.
    ///
    /// ```
    /// use rectilinear_zarr::grid::Axis;
    /// // The months of 2024's first quarter, then 10^9 single days: two million years in three runs.
    /// let days = Axis::from_edges(1_000_000_091, [(31, 1), (29, 1), (31, 1), (1, 1_000_000_000)])?;
    /// assert_eq!(days.chunks(), 1_000_000_003);
    /// assert_eq!(days.chunk_at(60), Some(2));
    /// assert_eq!(days.span(1).map(|month| (month.start, month.stop)), Some((31, 60)));
    /// # Ok::<(), rectilinear_zarr::grid::AxisError>(())
    /// ```
    ///
    /// # Errors
    /// Every [`AxisError`].
    pub fn from_edges(extent: u64, edges: impl IntoIterator<Item = (u64, u64)>) -> Result<Self, AxisError> {
        let mut runs: Vec<Run> = Vec::new();
        let mut first = 0;
        let mut start = 0;
        for (position, (edge, count)) in edges.into_iter().enumerate() {
            if edge == 0 {
                return Err(AxisError::ZeroEdge(position));
            }
            if count == 0 {
                return Err(AxisError::ZeroCount(position));
            }
            let stop = edge
                .checked_mul(count)
                .and_then(|length| length.checked_add(start))
                .filter(|&stop| stop <= MAX_COORDINATE)
                .ok_or(AxisError::TooLong(position))?;
            match runs.last_mut() {
                Some(last) if last.edge == edge => last.count += count,
                _ => runs.push(Run { first, start, edge, encoded: edge, chunk_offset: 0, count }),
            }
            first += count;
            start = stop;
        }
        if runs.is_empty() {
            return Err(AxisError::Empty);
        }
        if start < extent {
            return Err(AxisError::Short { sum: start, extent });
        }
        runs.shrink_to_fit();
        let mut axis = Self { extent, chunks: 0, runs };
        axis.chunks = extent.checked_sub(1).map_or(0, |last| axis.declared_chunk_at(last).chunk + 1);
        Ok(axis)
    }

    /// An axis of runs that hold the invariant; `chunks` of their chunks overlap the extent.
    pub(super) fn of_runs(extent: u64, chunks: u64, runs: Vec<Run>) -> Self {
        Self { extent, chunks, runs }
    }

    /// The array's length along this axis.
    #[must_use]
    pub fn extent(&self) -> u64 {
        self.extent
    }

    /// Number of chunks that overlap the array; chunks wholly past the extent do not count.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.chunks
    }

    /// The runs as declared, including chunks past the extent.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Index of the chunk that holds a coordinate; `None` past the extent.
    #[must_use]
    pub fn chunk_at(&self, coordinate: u64) -> Option<u64> {
        self.span_at(coordinate).map(|span| span.chunk)
    }

    /// The chunk that holds a coordinate; `None` past the extent.
    #[must_use]
    pub fn span_at(&self, coordinate: u64) -> Option<ChunkSpan> {
        (coordinate < self.extent).then(|| self.declared_chunk_at(coordinate))
    }

    /// The chunk with this index; `None` if it does not overlap the array.
    #[must_use]
    pub fn span(&self, chunk: u64) -> Option<ChunkSpan> {
        if chunk >= self.chunks {
            return None;
        }
        let run = &self.runs[self.runs.partition_point(|run| run.first <= chunk) - 1];
        Some(self.span_in(run, chunk - run.first))
    }

    /// The edge of a chunk, and the number of chunks after it in its run.
    pub(super) fn edge_and_followers(&self, chunk: u64) -> (u64, u64) {
        let run = &self.runs[self.runs.partition_point(|run| run.first <= chunk) - 1];
        (run.edge, run.first + run.count - 1 - chunk)
    }

    /// Number of chunks that hold any coordinate of an arithmetic progression within the extent.
    pub(super) fn chunks_met(&self, first: u64, step: u64, count: u64) -> u64 {
        let Some(steps) = count.checked_sub(1) else { return 0 };
        let last = first + steps * step;
        let from = self.runs.partition_point(|run| run.stop() <= first);
        self.runs[from..]
            .iter()
            .take_while(|run| run.start <= last)
            .map(|run| {
                let skipped = run.start.saturating_sub(first).div_ceil(step);
                let low = first + skipped * step;
                if low > last || low >= run.stop() {
                    return 0;
                }
                let picked = (last.min(run.stop() - 1) - low) / step;
                if step >= run.edge {
                    return picked + 1;
                }
                let high = low + picked * step;
                (high - run.start) / run.edge - (low - run.start) / run.edge + 1
            })
            .sum()
    }

    /// The chunk that holds a coordinate below the sum of the edges.
    fn declared_chunk_at(&self, coordinate: u64) -> ChunkSpan {
        let run = &self.runs[self.runs.partition_point(|run| run.start <= coordinate) - 1];
        self.span_in(run, (coordinate - run.start) / run.edge)
    }

    fn span_in(&self, run: &Run, nth: u64) -> ChunkSpan {
        let start = run.start + nth * run.edge;
        ChunkSpan {
            chunk: run.first + nth,
            start,
            stop: (start + run.edge).min(self.extent),
            encoded: run.encoded,
            chunk_offset: run.chunk_offset,
        }
    }
}
