//! One axis of a chunk grid, as a short list of runs of equal chunks, bound to the array's extent.
//!
//! Invariant: each run starts, in chunks and in coordinates, where the one before it ends; no edge is zero; no chunk
//! decodes to less than its offset plus its edge; the runs together cover the extent. Memory is O(runs), and a look-up
//! is one `partition_point` and one division, so an axis of 10^9 chunks costs as much as one of three.
//!
//! Decoded chunks may be longer than their parts of the array, at the end or at the beginning: these encoded lengths
//! split and merge runs as edges do, and are never expanded. Axes of arrays that are read as one are concatenated: runs
//! are clipped and merged, so the axis of many arrays has at most the sum of their runs, plus one for each array whose
//! extent ends within its last chunk.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear>
//! Proposed specification of encoded lengths: <https://github.com/zarr-developers/zarr-extensions/pull/75>

use std::fmt;

use super::MAX_COORDINATE;

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

/// The most runs of pieces that chunks are divided into: 2^16.
///
/// The reason: where the edge of a chunk is no multiple of the piece, every chunk takes runs of its own.
const MAX_CUT_RUNS: usize = 1 << 16;

impl Axis {
    /// Shifts this regular axis: chunks begin at multiples of the edge, and the array begins at `origin`, possibly
    /// within a chunk.
    ///
    /// ```
    /// use rectilinear_zarr::grid::Axis;
    /// // Coordinates -3 to 9: the last three of the chunk at -8, the whole chunk at 0, the first of the chunk at 8.
    /// let axis = Axis::regular(12, 8)?.begun_at(-3);
    /// let spans: Vec<_> = (0..axis.chunks()).filter_map(|chunk| axis.span(chunk)).collect();
    /// let parts = spans.iter().map(|span| (span.stop - span.start, span.encoded, span.chunk_offset));
    /// assert_eq!(parts.collect::<Vec<_>>(), [(3, 8, 5), (8, 8, 0), (1, 8, 0)]);
    /// # Ok::<(), rectilinear_zarr::grid::AxisError>(())
    /// ```
    #[must_use]
    pub fn begun_at(mut self, origin: i64) -> Self {
        let Run { edge, .. } = self.runs[0];
        // An edge is below 2^53.
        let chunk_offset = origin.rem_euclid(edge.cast_signed()).cast_unsigned();
        let own = edge - chunk_offset;
        let whole = Run { first: 1, start: own, edge, encoded: edge, chunk_offset: 0, count: 0 };
        if chunk_offset > 0 {
            let count = self.extent().saturating_sub(own).div_ceil(edge);
            self.runs = vec![Run { first: 0, start: 0, edge: own, chunk_offset, count: 1, ..whole }];
            if count > 0 {
                self.runs.push(Run { count, ..whole });
            }
            self.chunks = self.extent().min(1) + count;
        }
        self
    }

    /// Sets the decoded length of every chunk.
    ///
    /// # Errors
    /// [`AxisError::ShortEncoded`] (position 0) if a chunk is longer, [`AxisError::TooLong`] (position 0).
    pub fn with_encoded_edge(mut self, encoded: u64) -> Result<Self, AxisError> {
        if encoded > MAX_COORDINATE {
            return Err(AxisError::TooLong(0));
        }
        for run in &mut self.runs {
            if encoded < run.edge {
                return Err(AxisError::ShortEncoded(0));
            }
            run.encoded = encoded;
        }
        Ok(self)
    }

    /// Sets the decoded lengths, given as (length, count) in order, one length for each declared chunk.
    ///
    /// ```
    /// use rectilinear_zarr::grid::Axis;
    /// // Two arrays of 550 in chunks of 200, end to end: the last chunk of each decodes to 200 and gives 150.
    /// let joined = Axis::from_edges(1100, [(200, 2), (150, 1), (200, 2), (150, 1)])?.with_encoded([(200, 6)])?;
    /// let third = joined.span(2).ok_or("no third chunk")?;
    /// assert_eq!((third.start, third.stop, third.encoded), (400, 550, 200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AxisError::ShortEncoded`], [`AxisError::EncodedCount`], [`AxisError::ZeroCount`], [`AxisError::TooLong`].
    pub fn with_encoded(mut self, encoded: impl IntoIterator<Item = (u64, u64)>) -> Result<Self, AxisError> {
        let chunks = self.runs.last().map_or(0, |run| run.first + run.count);
        let mut given = encoded.into_iter().enumerate();
        let (mut position, mut length, mut left) = (0, 0, 0);
        let mut runs: Vec<Run> = Vec::with_capacity(self.runs.len());
        for whole in &self.runs {
            let mut run = *whole;
            while run.count > 0 {
                if left == 0 {
                    (position, (length, left)) = given.next().ok_or(AxisError::EncodedCount { chunks })?;
                    if left == 0 {
                        return Err(AxisError::ZeroCount(position));
                    }
                    if length > MAX_COORDINATE {
                        return Err(AxisError::TooLong(position));
                    }
                }
                if length < run.edge {
                    return Err(AxisError::ShortEncoded(position));
                }
                let count = left.min(run.count);
                match runs.last_mut() {
                    Some(last)
                        if (last.edge, last.encoded, last.chunk_offset)
                            == (run.edge, length, run.chunk_offset) =>
                    {
                        last.count += count
                    }
                    _ => runs.push(Run { encoded: length, count, ..run }),
                }
                let (first, start) = (run.first + count, run.start + run.edge * count);
                run = Run { first, start, count: run.count - count, ..run };
                left -= count;
            }
        }
        if left > 0 || given.next().is_some() {
            return Err(AxisError::EncodedCount { chunks });
        }
        runs.shrink_to_fit();
        self.runs = runs;
        Ok(self)
    }

    /// Divides each chunk, from its start on, into pieces of this length. The last piece of a chunk may have a shorter
    /// edge; it decodes to this length, or up to the end of what the chunk decodes to.
    ///
    /// # Errors
    /// [`AxisError::ZeroEdge`], [`AxisError::TooLong`] (position 0), [`AxisError::ManyRuns`],
    /// [`AxisError::BeginsBefore`].
    pub fn divided(&self, piece: u64) -> Result<Self, AxisError> {
        if piece == 0 {
            return Err(AxisError::ZeroEdge(0));
        }
        if self.runs.iter().any(|run| run.chunk_offset > 0) {
            return Err(AxisError::BeginsBefore);
        }
        let (mut pieces, mut encoded) = (Vec::new(), Vec::new());
        if self.runs.iter().all(|run| run.edge == run.encoded && run.edge % piece == 0) {
            return Self::regular(self.extent(), piece);
        }
        for run in &self.runs {
            let (whole, rest) = (run.edge / piece, run.edge % piece);
            let (each, times) = if rest == 0 { (whole * run.count, 1) } else { (whole, run.count) };
            for _ in 0..times {
                if pieces.len() >= MAX_CUT_RUNS {
                    return Err(AxisError::ManyRuns(MAX_CUT_RUNS));
                }
                let last = piece.min(run.encoded - whole * piece);
                pieces.extend((each > 0).then_some((piece, each)));
                encoded.extend((each > 0).then_some((piece, each)));
                pieces.extend((rest > 0).then_some((rest, 1)));
                encoded.extend((rest > 0).then_some((last, 1)));
            }
        }
        Self::from_edges(self.extent(), pieces)?.with_encoded(encoded)
    }
}

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

/// Error in a list of chunk edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisError {
    /// The list of edges is empty.
    Empty,
    /// The edge at this position of the list is zero.
    ZeroEdge(usize),
    /// The count at this position of the list is zero.
    ZeroCount(usize),
    /// The sum of the edges exceeds [`MAX_COORDINATE`] at this position of the list.
    TooLong(usize),
    /// The encoded edge at this position of its list is shorter than the edge of its chunk.
    ShortEncoded(usize),
    /// The number of encoded edges differs from the number of chunks.
    EncodedCount {
        /// Number of chunks along the axis, including those past the extent.
        chunks: u64,
    },
    /// The first chunk begins before the array, so it cannot be divided.
    BeginsBefore,
    /// The pieces of divided chunks would take more runs than this.
    ManyRuns(usize),
    /// The edges end before the extent does.
    Short {
        /// Sum of all edges.
        sum: u64,
        /// The array's length along the axis.
        extent: u64,
    },
}

impl AxisError {
    /// The position of the faulty entry in the list of edges; `None` if no single entry is at fault.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self {
            Self::ZeroEdge(position)
            | Self::ZeroCount(position)
            | Self::TooLong(position)
            | Self::ShortEncoded(position) => Some(*position),
            Self::Empty
            | Self::BeginsBefore
            | Self::EncodedCount { .. }
            | Self::ManyRuns(_)
            | Self::Short { .. } => None,
        }
    }
}

impl fmt::Display for AxisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("the list of chunk edges is empty; even an axis of length 0 needs one")
            }
            Self::ZeroEdge(_) => f.write_str("a chunk edge is 0; edges are at least 1"),
            Self::ZeroCount(_) => f.write_str("a run's count is 0; counts are at least 1"),
            Self::TooLong(_) => {
                write!(f, "the sum of the chunk edges up to here exceeds {MAX_COORDINATE} (2^53 - 1)")
            }
            Self::ShortEncoded(_) => f.write_str("an encoded edge is shorter than the edge of its chunk"),
            Self::EncodedCount { chunks } => {
                write!(f, "there are {chunks} chunks; expected one encoded edge for each")
            }
            Self::BeginsBefore => {
                f.write_str("the first chunk begins before the array, so it cannot be divided into pieces")
            }
            Self::ManyRuns(most) => {
                write!(
                    f,
                    "the chunk edges are not multiples of it, and their pieces make more than {most} runs"
                )
            }
            Self::Short { sum, extent } => {
                write!(f, "the chunk edges sum to {sum}, short of the array's extent {extent}")
            }
        }
    }
}

impl std::error::Error for AxisError {}
