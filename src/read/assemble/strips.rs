//! Strips of a result: contiguous parts in C order, each assembled alone and handed out once it is complete.
//!
//! Invariant: every item of the result lies in one strip and is written once, so counting items shows when a strip is
//! complete. Its memory is allocated for the first chunk that meets it, and reused once it is returned, so memory is in
//! use only for strips of which some chunks have arrived and others have not.

use std::collections::VecDeque;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::grid::{AxisIndexer, AxisProjections, ChunkSelection};
use crate::output::{Assembly, Decoded, OutputField};
use crate::read::convert::casts::Casts;
use crate::read::places::{part, places};
use crate::read::plan::Plan;
use crate::read::task::Task;

/// Size of a strip, where the chunks allow it: 1 MiB.
///
/// A strip of this size stays in the processor's cache until it is copied out, in less than a millisecond.
pub const STRIP_BYTES: u64 = 1 << 20;

/// Strips of a result, while its chunks arrive.
#[derive(Debug)]
pub struct Strips {
    columns: Vec<OutputField>,
    casts: Casts,
    lengths: Vec<Option<u64>>,
    /// Outermost axis of the result, along which it is cut; `None` where the result is one item.
    axis: Option<usize>,
    /// Positions along that axis where strips begin, and where the last one ends.
    borders: Vec<u64>,
    /// Items at each position of that axis.
    row: u64,
    /// Strips that have some of their items.
    open: Vec<Option<Strip>>,
    /// Memory of returned strips; the columns of a plan take it in turn.
    spare: VecDeque<Vec<u8>>,
    /// Why a chunk that is not stored is refused; `None` where it reads as the fill value.
    fill_fault: Option<Error>,
}

/// One strip; each of its columns knows its position in the result.
#[derive(Debug)]
pub struct Strip {
    /// Items of each column of the plan.
    pub columns: Vec<Assembly>,
    /// Number of items that are missing.
    left: u64,
}

impl Strips {
    /// Cuts the result of a plan into strips of about `bytes` bytes.
    ///
    /// A strip is some rows of chunks, or a part of a chunk that has no neighbour beside it. The result is one strip
    /// where a list picks from its outermost axis, for points, and for items of variable length.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where this machine cannot hold the result.
    pub fn new(plan: &Plan<'_>, bytes: u64) -> Result<Self> {
        Self::cut(plan, bytes, false)
    }

    /// Like [`Strips::new`], but also cuts chunks that have neighbours, for reads strip by strip ([`Plan::within`]).
    ///
    /// # Errors
    /// As [`Strips::new`].
    pub fn across_chunks(plan: &Plan<'_>, bytes: u64) -> Result<Self> {
        Self::cut(plan, bytes, true)
    }

    fn cut(plan: &Plan<'_>, bytes: u64, across_chunks: bool) -> Result<Self> {
        let size = plan.output_size();
        if usize::try_from(size).ok().and_then(|size| isize::try_from(size).ok()).is_none() {
            return Err(plan.too_large());
        }
        let lengths = plan.lengths().to_vec();
        let axis = lengths.iter().position(Option::is_some);
        let shape = plan.shape();
        let rows = shape.first().copied().unwrap_or(1);
        let row = shape.iter().skip(1).product();
        let is_variable = plan.columns().iter().any(|column| column.data_type.is_variable());
        // The items of an aligned row stay together.
        let is_row = shape.len() == 1 && plan.columns().iter().any(|column| column.row_alignment.is_some());
        let is_cut =
            |picks: &AxisIndexer| matches!(picks, AxisIndexer::Run { .. }) && !is_variable && !is_row;
        let borders = match (plan.selection(), axis) {
            _ if row == 0 || rows == 0 => vec![0],
            (ChunkSelection::Axes(picks), Some(axis)) if is_cut(&picks[axis]) => {
                borders(plan, picks, axis, bytes.div_ceil(size / rows), across_chunks)
            }
            _ => vec![0, rows],
        };
        let open = borders.iter().skip(1).map(|_| None).collect();
        Ok(Self {
            columns: plan.columns().to_vec(),
            casts: plan.casts.clone(),
            lengths,
            axis,
            borders,
            row,
            open,
            spare: VecDeque::new(),
            fill_fault: plan.array().metadata.fill_fault.clone(),
        })
    }

    /// Number of strips.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Positions of a strip along the outermost axis of the result.
    #[must_use]
    pub fn rows(&self, strip: usize) -> Range<u64> {
        self.borders[strip]..self.borders[strip + 1]
    }

    /// Indices of the strips that a chunk's selection meets.
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

    /// Copies the items of a task that lie in a strip, or the fill value where `chunk` is `None`. Returns the strip if
    /// that completes it. The chunks of a row task lie one after the other in `chunk`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where memory runs out, [`Error::Range`] where an item does not fit the type that it is cast
    /// to, [`Error::InvalidMetadata`] where the fill value is needed and is no value of the data type.
    pub fn put(&mut self, strip: usize, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<Option<Strip>> {
        if let (None, Some(fault)) = (chunk, &self.fill_fault) {
            return Err(fault.clone());
        }
        let rows = self.rows(strip);
        let part = self.axis.and_then(|axis| part(&task.selection, axis, &rows));
        let selection = part.as_ref().unwrap_or(&task.selection);
        let mut open = match self.open[strip].take() {
            Some(open) => open,
            None => self.begun(&rows)?,
        };
        for (items, column) in open.columns.iter_mut().zip(self.columns.iter().enumerate()) {
            self.casts.apply(task.array, column, items);
            items.put_row(selection, task.chunks, chunk)?;
        }
        open.left = open.left.saturating_sub(selection.count() * task.chunks as u64);
        if open.left == 0 {
            return Ok(Some(open));
        }
        self.open[strip] = Some(open);
        Ok(None)
    }

    /// Takes the memory of a strip's column back, for the next strip.
    pub fn reuse(&mut self, items: Assembly) {
        self.spare.push_back(items.into_items());
    }

    fn begun(&mut self, rows: &Range<u64>) -> Result<Strip> {
        let mut lengths = self.lengths.clone();
        if let Some(axis) = self.axis {
            lengths[axis] = Some(rows.end - rows.start);
        }
        let mut columns = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            let memory = self.spare.pop_front().unwrap_or_default();
            let items = Assembly::new(column, &lengths, memory)?;
            columns.push(match self.axis {
                Some(axis) => items.after(axis, rows.start),
                None => items,
            });
        }
        Ok(Strip { columns, left: (rows.end - rows.start) * self.row })
    }
}

/// Positions where the strips of a result begin, with at least `least` rows each if possible, and the last one's end.
fn borders(plan: &Plan<'_>, picks: &[AxisIndexer], axis: usize, least: u64, across_chunks: bool) -> Vec<u64> {
    let axes = plan.array().read_grid().axes();
    let along = |axis: usize| AxisProjections::new(&axes[axis], picks[axis].clone());
    // A chunk without neighbours may lie in many strips, of which one is open at a time.
    let is_cut = across_chunks || (0..picks.len()).all(|other| other == axis || along(other).chunks() == 1);
    let mut borders = vec![0];
    let (mut start, mut end) = (0, 0);
    for part in along(axis) {
        end += part.picks.count();
        while is_cut && end - start >= least.saturating_mul(2) {
            start += least;
            borders.push(start);
        }
        if end - start >= least {
            start = end;
            borders.push(end);
        }
    }
    borders.extend((start < end).then_some(end));
    if matches!(picks[axis], AxisIndexer::Run { reversed: true, .. }) {
        borders.iter_mut().for_each(|border| *border = end - *border);
        borders.reverse();
    }
    borders
}
