//! A zonal read: boxes in any order become the statistics of features, one turn after the other.
//!
//! Invariant: each chunk that the selection meets has its turn, also one that no feature touches, which is not read.

use std::collections::BTreeMap;

use rectilinear_zarr_kernels::numeric::BLOCK;

use super::reduce::BoxItems;
use super::turns::{Turn, Turns};
use super::zones::{ZonePartial, ZoneReduction};
use crate::error::{Error, Result};
use crate::grid::{AxisIndexer, ChunkGrid};
use crate::metadata::{DataType, Kind};
use crate::output::Numeric;

/// Number of chunks that wait for their turn from which on no more should be begun.
const MOST_WAITING: usize = 1024;

/// A zonal reduction in progress.
#[derive(Debug)]
pub struct ZonalReduction {
    zones: ZoneReduction,
    numeric: Numeric,
    turns: Turns,
    turn: u64,
    /// Number of boxes that were handed over.
    boxes: u64,
    waiting: BTreeMap<u64, Arrived>,
}

/// The boxes of a chunk that is not complete, or whose turn has not come.
#[derive(Debug, Default)]
struct Arrived {
    items: u64,
    expected: u64,
    boxes: BTreeMap<Vec<(u64, u64)>, Option<ZonePartial>>,
}

impl ZonalReduction {
    /// Begins the reduction of items of a type that `picks` selects from an array with these grids, of the chunks that
    /// are decoded and of the stored ones. `lengths` has the length along each axis of the array, `None` where it is
    /// dropped. `converted` is the number type that items were converted to, if they were.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items that are no real numbers.
    pub fn new(
        zones: ZoneReduction,
        (data_type, converted): (&DataType, Option<Numeric>),
        picks: &[AxisIndexer],
        grids: [&ChunkGrid; 2],
        lengths: &[Option<u64>],
    ) -> Result<Self> {
        let is_real =
            !matches!(data_type.kind(), Kind::Complex(_) | Kind::Subarray { .. } | Kind::Time { .. });
        let numeric = converted.or_else(|| data_type.numeric()).filter(|_| is_real);
        let numeric = numeric.ok_or_else(|| Error::Unsupported {
            feature: format!("zones of {}", data_type.name()),
            reason: "items must be real numbers or booleans".to_owned(),
        })?;
        let kept = vec![false; lengths.len()];
        let turns = Turns::new(picks, grids, lengths, &kept, true);
        Ok(Self { zones, numeric, turns, turn: 0, boxes: 0, waiting: BTreeMap::new() })
    }

    /// Whether so many chunks wait for an earlier one that no further one should be begun.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.waiting.len() > MOST_WAITING
    }

    /// Notes the boxes of a chunk that need not be read, because no feature has a share in them; returns whether that is
    /// so.
    ///
    /// # Errors
    /// Those of [`ZonalReduction::put`], for boxes that waited.
    pub fn skip(&mut self, boxes: &[Vec<(u64, u64)>]) -> Result<bool> {
        if boxes.iter().any(|bounds| self.zones.touches(bounds)) {
            return Ok(false);
        }
        for (turn, part) in boxes.iter().flat_map(|bounds| self.turns.split(bounds)).collect::<Vec<_>>() {
            self.take(turn, part, None)?;
        }
        Ok(true)
    }

    /// Takes the items of a box of the result, which lies in one chunk, or any box that is not stored.
    ///
    /// # Errors
    /// [`Error::Selection`] where more values must be held than memory is kept for.
    pub fn put(&mut self, bounds: &[(u64, u64)], items: BoxItems<'_>) -> Result<()> {
        for (turn, part) in self.turns.split(bounds) {
            let count = part.iter().map(|(start, stop)| stop - start).product::<u64>() as usize;
            let partial = if self.zones.touches(&part) {
                let floats = match items {
                    BoxItems::Stored(bytes) => self.floats(bytes, count),
                    BoxItems::Filled(item) => vec![self.numeric.float(item); count],
                };
                Some(self.zones.partial(&part, &floats)?)
            } else {
                None
            };
            self.take(turn, part, partial)?;
        }
        Ok(())
    }

    fn floats(&self, bytes: &[u8], count: usize) -> Vec<f64> {
        let mut floats = vec![0.0; count];
        let blocks = bytes.chunks(BLOCK * self.numeric.size());
        floats.chunks_mut(BLOCK).zip(blocks).for_each(|(floats, items)| self.numeric.floats(items, floats));
        floats
    }

    fn take(&mut self, turn: Turn, bounds: Vec<(u64, u64)>, partial: Option<ZonePartial>) -> Result<()> {
        let arrived = self.waiting.entry(turn.turn).or_default();
        arrived.expected = turn.items;
        arrived.items += bounds.iter().map(|(start, stop)| stop - start).product::<u64>();
        arrived.boxes.insert(bounds, partial);
        while let Some(next) = self.waiting.first_entry()
            && *next.key() == self.turn
            && next.get().items >= next.get().expected
        {
            for partial in next.remove().boxes.into_values().flatten() {
                self.zones.take(self.boxes, partial)?;
                self.boxes += 1;
            }
            self.turn += 1;
        }
        Ok(())
    }

    /// The statistics in the order of their names, each in C order: the features, then the remaining axes.
    #[must_use]
    pub fn statistics(&mut self) -> Vec<Vec<f64>> {
        self.zones.columns().into_iter().map(|(_, column)| column).collect()
    }
}
