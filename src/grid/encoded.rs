//! Axes whose decoded chunks are longer than their parts of the array, at the end or at the beginning.
//!
//! Encoded lengths split and merge runs as edges do and are never expanded, so look-ups cost no more than without them.
//! Proposed specification: <https://github.com/zarr-developers/zarr-extensions/pull/75>

use super::axis::{Axis, Run};
use super::{AxisError, MAX_COORDINATE};

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
