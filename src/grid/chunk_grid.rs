//! The chunk grid of an array: one axis for each dimension.
//!
//! Invariant: there are as many axes as the array has dimensions; a 0-d array has no axis and one chunk.

use super::{Axis, ChunkSpan};
use crate::error::Gather;

/// One [`Axis`] for each dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkGrid {
    axes: Vec<Axis>,
}

/// The chunk that holds an element, and the element's position in that chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Chunk coordinates.
    pub coords: Vec<u64>,
    /// Position inside the chunk.
    pub within: Vec<u64>,
}

impl ChunkGrid {
    /// A grid of these axes.
    #[must_use]
    pub fn new(axes: Vec<Axis>) -> Self {
        Self { axes }
    }

    /// Chunk shapes that cover every run of every axis: what holds for these holds for all chunks of the grid.
    pub fn chunk_shapes(&self) -> impl Iterator<Item = Vec<u64>> {
        let first: Vec<u64> = self.axes.iter().map(|axis| axis.runs()[0].encoded).collect();
        let runs = |axis: usize| self.axes[axis].runs();
        (0..self.axes.len()).flat_map(move |axis| {
            let first = first.clone();
            runs(axis).iter().map(move |run| {
                let mut shape = first.clone();
                shape[axis] = run.encoded;
                shape
            })
        })
    }

    /// The axes.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The array's shape.
    #[must_use]
    pub fn array_shape(&self) -> Vec<u64> {
        self.axes.iter().map(Axis::extent).collect()
    }

    /// Number of chunks along each axis that overlap the array.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.axes.iter().map(Axis::chunks).collect()
    }

    /// Whether every chunk has one declared shape.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.axes.iter().all(|axis| axis.runs().len() == 1)
    }

    /// The chunk that holds an element; `None` if the index is outside the array or of another rank.
    ///
    /// ```
    /// use rectilinear_zarr::grid::{Axis, ChunkGrid};
    /// // ZEP 3's example; its text says (2, 2), the arithmetic says (2, 7).
    /// let rows = Axis::from_edges(100, [(5, 3), (15, 2), (20, 1), (35, 1)])?;
    /// let grid = ChunkGrid::new(vec![rows, Axis::regular(100, 10)?]);
    /// let found = grid.chunk_at(&[17, 17]).ok_or("outside")?;
    /// assert_eq!((found.coords, found.within), (vec![3, 1], vec![2, 7]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chunk_at(&self, index: &[u64]) -> Option<Located> {
        let spans = self.spans(index, Axis::span_at)?;
        Some(Located {
            coords: spans.iter().map(|span| span.chunk).collect(),
            within: spans.iter().zip(index).map(|(span, index)| index - span.start).collect(),
        })
    }

    /// The chunk's extent along each axis; `None` if it does not overlap the array or the rank differs.
    #[must_use]
    pub fn bounds(&self, coords: &[u64]) -> Option<Vec<ChunkSpan>> {
        self.spans(coords, Axis::span)
    }

    fn spans(&self, at: &[u64], look_up: fn(&Axis, u64) -> Option<ChunkSpan>) -> Option<Vec<ChunkSpan>> {
        if at.len() != self.axes.len() {
            return None;
        }
        self.axes.iter().zip(at).map(|(axis, &at)| look_up(axis, at)).gathered()
    }
}
