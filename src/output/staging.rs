//! Staging buffers: contiguous parts of a result in C order, each assembled alone and handed out once it is complete.
//!
//! Invariant: every item of the result lies in one buffer and is written once, so counting items shows when a buffer is
//! complete. Its memory is allocated for the first chunk that meets it, and reused once it is returned, so memory is in
//! use only for buffers of which some chunks have arrived and others have not.

use std::collections::VecDeque;
use std::ops::Range;

use super::assembly::Assembly;
use super::decoded::Decoded;
use super::layout::{ChunkPlace, ResultLayout};
use crate::error::{Error, Result};
use crate::grid::{Axis, AxisIndexer, AxisProjections, ChunkSelection};

/// Size of a staging buffer, where the chunks allow it: 1 MiB.
///
/// A buffer of this size stays in the processor's cache until it is copied out, in less than a millisecond.
pub const STAGING_BYTES: u64 = 1 << 20;

/// Most bytes that staging buffers hold at a time, where items can be copied directly instead: 8 MiB. Memory of a module
/// never shrinks, and rows of tall chunks or of shards may be most of the result.
pub const MAX_STAGED_BYTES: u64 = 8 << 20;

/// A result to cut into staging buffers.
#[derive(Debug, Clone, Copy)]
pub struct StagedResult<'a> {
    /// Layout of the result.
    pub layout: &'a ResultLayout,
    /// Selection that fills it.
    pub selection: &'a ChunkSelection,
    /// Axes of the chunks that the selection meets.
    pub axes: &'a [Axis],
    /// Why a chunk that is not stored is refused; `None` where it reads as the fill value.
    pub fill_fault: Option<&'a Error>,
}

/// Staging buffers of a result, while its chunks arrive.
#[derive(Debug)]
pub struct Staging {
    layout: ResultLayout,
    /// Outermost axis of the result, along which it is cut; `None` where the result is one item.
    axis: Option<usize>,
    /// Positions along that axis where buffers begin, and where the last one ends.
    borders: Vec<u64>,
    /// Items at each position of that axis.
    row: u64,
    /// Buffers that have some of their items.
    open: Vec<Option<StagingBuffer>>,
    /// Memory of returned buffers; the columns of a plan take it in turn.
    spare: VecDeque<Vec<u8>>,
    /// Why a chunk that is not stored is refused; `None` where it reads as the fill value.
    fill_fault: Option<Error>,
}

/// One staging buffer; each of its columns knows its position in the result.
#[derive(Debug)]
pub struct StagingBuffer {
    /// Items of each column of the plan.
    pub columns: Vec<Assembly>,
    /// Number of items that are missing.
    left: u64,
}

impl Staging {
    /// Cuts a result into buffers of about `bytes` bytes.
    ///
    /// A buffer has the items of some rows of chunks, or of a part of a chunk that has no neighbour beside it;
    /// `across_chunks` also cuts chunks that have neighbours, for reads that fill one buffer after the other. The result
    /// is one buffer where a list picks from its outermost axis, for points, and for items of variable length.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where this machine cannot hold the result.
    pub fn new(result: StagedResult<'_>, bytes: u64, across_chunks: bool) -> Result<Self> {
        let StagedResult { layout, selection, axes, fill_fault } = result;
        let size = layout.size();
        if usize::try_from(size).ok().and_then(|size| isize::try_from(size).ok()).is_none() {
            return Err(layout.too_large());
        }
        let (axis, shape) = (layout.outermost(), layout.shape());
        let rows = shape.first().copied().unwrap_or(1);
        let row = shape.iter().skip(1).product();
        let is_variable = layout.columns.iter().any(|column| column.data_type.is_variable());
        // The items of an aligned row stay together.
        let is_row = shape.len() == 1 && layout.columns.iter().any(|column| column.row_alignment.is_some());
        let is_cut =
            |picks: &AxisIndexer| matches!(picks, AxisIndexer::Run { .. }) && !is_variable && !is_row;
        let borders = match (selection, axis) {
            _ if row == 0 || rows == 0 => vec![0],
            (ChunkSelection::Axes(picks), Some(axis)) if is_cut(&picks[axis]) => {
                borders(axes, picks, axis, bytes.div_ceil(size / rows), across_chunks)
            }
            _ => vec![0, rows],
        };
        let open = borders.iter().skip(1).map(|_| None).collect();
        Ok(Self {
            layout: layout.clone(),
            axis,
            borders,
            row,
            open,
            spare: VecDeque::new(),
            fill_fault: fill_fault.cloned(),
        })
    }

    /// Number of buffers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Positions of a buffer along the outermost axis of the result.
    #[must_use]
    pub fn rows(&self, buffer: usize) -> Range<u64> {
        self.borders[buffer]..self.borders[buffer + 1]
    }

    /// Indices of the buffers that a chunk's selection meets.
    #[must_use]
    pub fn of(&self, selection: &ChunkSelection) -> Range<usize> {
        let (ChunkSelection::Axes(picks), Some(axis)) = (selection, self.axis) else {
            return 0..self.count();
        };
        let AxisIndexer::Run { count, output, reversed, .. } = picks[axis] else { return 0..self.count() };
        let places = places(count, output, reversed);
        let first = self.borders.partition_point(|&border| border <= places.start).saturating_sub(1);
        let rest = self.borders[first..].partition_point(|&border| border < places.end);
        first..first + rest
    }

    /// Copies the items of a chunk that lie in a buffer, or the fill value where `chunk` is `None`. Returns the buffer if
    /// that completes it. The chunks of a row lie one after the other in `chunk`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where memory runs out, [`Error::Range`] where an item does not fit the type that it is cast
    /// to, [`Error::InvalidMetadata`] where the fill value is needed and is no value of the data type.
    pub fn put(
        &mut self,
        buffer: usize,
        place: ChunkPlace<'_>,
        chunk: Option<&Decoded<'_>>,
    ) -> Result<Option<StagingBuffer>> {
        if let (None, Some(fault)) = (chunk, &self.fill_fault) {
            return Err(fault.clone());
        }
        let rows = self.rows(buffer);
        let part = self.axis.and_then(|axis| part(place.selection, axis, &rows));
        let selection = part.as_ref().unwrap_or(place.selection);
        let mut open = match self.open[buffer].take() {
            Some(open) => open,
            None => self.begun(&rows)?,
        };
        for (nth, items) in open.columns.iter_mut().enumerate() {
            if !self.layout.other_casts.is_empty() {
                items.cast = self.layout.cast(place.array, nth);
            }
            items.put_row(selection, place.chunks, chunk)?;
        }
        open.left = open.left.saturating_sub(selection.count() * place.chunks as u64);
        if open.left == 0 {
            return Ok(Some(open));
        }
        self.open[buffer] = Some(open);
        Ok(None)
    }

    /// Takes the memory of a buffer's column back, for the next buffer.
    pub fn reuse(&mut self, items: Assembly) {
        self.spare.push_back(items.into_items());
    }

    fn begun(&mut self, rows: &Range<u64>) -> Result<StagingBuffer> {
        let mut lengths = self.layout.lengths.clone();
        if let Some(axis) = self.axis {
            lengths[axis] = Some(rows.end - rows.start);
        }
        let mut columns = Vec::with_capacity(self.layout.columns.len());
        for column in &self.layout.columns {
            let memory = self.spare.pop_front().unwrap_or_default();
            let items = Assembly::new(column, &lengths, memory)?;
            columns.push(match self.axis {
                Some(axis) => items.after(axis, rows.start),
                None => items,
            });
        }
        Ok(StagingBuffer { columns, left: (rows.end - rows.start) * self.row })
    }
}

/// Positions where the buffers of a result begin, with at least `least` rows each if possible, and the last one's end.
/// Takes steps of buffers, not of chunks: chunks may be a byte each.
fn borders(axes: &[Axis], picks: &[AxisIndexer], axis: usize, least: u64, across_chunks: bool) -> Vec<u64> {
    let AxisIndexer::Run { first, step, count, reversed, .. } = picks[axis] else { return vec![0] };
    let has_one_chunk = |axis: usize| AxisProjections::new(&axes[axis], picks[axis].clone()).chunks() == 1;
    // A chunk without neighbours may lie in many buffers, of which one is open at a time.
    let is_cut = across_chunks || (0..picks.len()).all(|other| other == axis || has_one_chunk(other));
    let mut borders = vec![0];
    let mut start = 0;
    while start < count {
        // The end of the chunk that gives the buffer enough rows.
        let last = start.saturating_add(least.max(1) - 1).min(count - 1);
        let chunk = axes[axis].span_at(first + last * step);
        let end = chunk.map_or(count, |chunk| (chunk.stop - first).div_ceil(step.max(1)).min(count));
        while is_cut && end - start >= least.saturating_mul(2) {
            start += least;
            borders.push(start);
        }
        start = end;
        borders.push(end);
    }
    if reversed {
        borders.iter_mut().for_each(|border| *border = count - *border);
        borders.reverse();
    }
    borders
}

/// Limits a selection to some positions of the result along an axis; `None` where that keeps all of it.
pub(crate) fn part(selection: &ChunkSelection, axis: usize, rows: &Range<u64>) -> Option<ChunkSelection> {
    let ChunkSelection::Axes(picks) = selection else { return None };
    let AxisIndexer::Run { first, step, count, output, reversed } = picks[axis] else { return None };
    let all = places(count, output, reversed);
    let here = all.start.max(rows.start)..all.end.min(rows.end);
    if here == all {
        return None;
    }
    let skipped = if reversed { all.end - here.end } else { here.start - all.start };
    let mut picks = picks.clone();
    picks[axis] = AxisIndexer::Run {
        first: first + skipped * step,
        step,
        count: here.end.saturating_sub(here.start),
        output: if reversed { output - skipped } else { output + skipped },
        reversed,
    };
    Some(ChunkSelection::Axes(picks))
}

/// Positions of a run in the result.
fn places(count: u64, output: u64, reversed: bool) -> Range<u64> {
    if reversed { output + 1 - count..output + 1 } else { output..output + count }
}
