//! The bands of a result: stretches of it in C order, each put together by itself and given away once it is whole.
//!
//! Invariant: every item of the result lies in one band and is written once, so a band is whole when its items have
//! been counted. Memory for a band is taken when the first chunk for it comes, and used again when it is given back:
//! what is in use is the bands that some chunks have come for, and others not.

use std::collections::VecDeque;
use std::ops::Range;

use crate::error::Result;
use crate::grid::{AxisIndexer, AxisProjections, ChunkSelection};
use crate::output::{Assembly, Decoded, OutputField};
use crate::read::convert::casts::Casts;
use crate::read::places::{part, places};
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

/// How much of a result is put together at once, where its chunks allow it: 1 MiB.
///
/// The reason: it stays in the processor's cache until it is copied out, and a copy of it takes less than a millisecond.
pub const BAND_BYTES: u64 = 1 << 20;

/// A result in the making.
#[derive(Debug)]
pub struct Strips {
    columns: Vec<OutputField>,
    casts: Casts,
    lengths: Vec<Option<u64>>,
    /// The outermost axis of the result, which is the one that is cut; none where the result is one item.
    axis: Option<usize>,
    /// The places along it where bands begin, and where the last one ends.
    borders: Vec<u64>,
    /// Items at each of these places.
    row: u64,
    /// Those that some of their items have come for.
    open: Vec<Option<Strip>>,
    /// Memory that bands were put together in; the columns of a plan take it in turn.
    spare: VecDeque<Vec<u8>>,
}

/// One band, of whose columns each knows its place in the result.
#[derive(Debug)]
pub struct Strip {
    /// Its items, of each column of the plan.
    pub columns: Vec<Assembly>,
    /// How many have not come yet.
    left: u64,
}

impl Strips {
    /// The bands of a plan's result, each of about so many bytes.
    ///
    /// A band is some rows of chunks, or a stretch of a chunk that has no neighbour beside it. A result whose outermost
    /// axis a list picks from is one band, and so are points, and items of any length.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where this machine could not hold the result.
    pub fn new(plan: &Plan<'_>, bytes: u64) -> Result<Self> {
        Self::cut(plan, bytes, false)
    }

    /// Bands of a result, with a stretch of a chunk whatever lies beside it, to read band by band ([`Plan::within`]).
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
        // The items of a row that is aligned stay together.
        let is_row = shape.len() == 1 && plan.columns().iter().any(|column| column.row_alignment.is_some());
        let is_cut =
            |picks: &AxisIndexer| matches!(picks, AxisIndexer::Run { .. }) && !is_variable && !is_row;
        let borders = match (plan.wanted(), axis) {
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
        })
    }

    /// How many bands there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// The places of a band along the outermost axis of the result.
    #[must_use]
    pub fn rows(&self, band: usize) -> Range<u64> {
        self.borders[band]..self.borders[band + 1]
    }

    /// The bands that what is wanted of a chunk lies in.
    #[must_use]
    pub fn of(&self, wanted: &ChunkSelection) -> Range<usize> {
        let (ChunkSelection::Axes(picks), Some(axis)) = (wanted, self.axis) else { return 0..self.count() };
        let AxisIndexer::Run { count, output, reversed, .. } = picks[axis] else { return 0..self.count() };
        let places = places(count, output, reversed);
        let first = self.borders.partition_point(|&border| border <= places.start).saturating_sub(1);
        let rest = self.borders[first..].partition_point(|&border| border < places.end);
        first..first + rest
    }

    /// Puts what lies in a band of a task's wanted items in its place, or the fill value where there is no chunk, and
    /// gives the band away if that makes it whole. The chunks of a row lie one after the other.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where there is too little memory, [`crate::Error::Range`] where an item does not fit
    /// what it is cast to.
    pub fn put(&mut self, band: usize, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<Option<Strip>> {
        let rows = self.rows(band);
        let part = self.axis.and_then(|axis| part(&task.wanted, axis, &rows));
        let wanted = part.as_ref().unwrap_or(&task.wanted);
        let mut open = match self.open[band].take() {
            Some(open) => open,
            None => self.begun(&rows)?,
        };
        for (items, column) in open.columns.iter_mut().zip(self.columns.iter().enumerate()) {
            self.casts.apply(task.array, column, items);
            items.put_row(wanted, task.chunks, chunk)?;
        }
        open.left = open.left.saturating_sub(wanted.count() * task.chunks as u64);
        if open.left == 0 {
            return Ok(Some(open));
        }
        self.open[band] = Some(open);
        Ok(None)
    }

    /// Takes back the memory of a band's column that nobody needs any more.
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
            let items = Assembly::new(column, lengths.iter().copied(), memory)?;
            columns.push(match self.axis {
                Some(axis) => items.after(axis, rows.start),
                None => items,
            });
        }
        Ok(Strip { columns, left: (rows.end - rows.start) * self.row })
    }
}

/// Where the bands of a result begin, each of which has at least so many rows if it can, and the end of the last one.
fn borders(plan: &Plan<'_>, picks: &[AxisIndexer], axis: usize, least: u64, across_chunks: bool) -> Vec<u64> {
    let axes = plan.array().read_grid().axes();
    let along = |axis: usize| AxisProjections::new(&axes[axis], picks[axis].clone());
    // A chunk with none beside it may lie in many bands: one is open at a time.
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
