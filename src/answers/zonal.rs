//! A zonal read: boxes in any order become the statistics of features, one turn after the other.
//!
//! Invariant: each chunk that the selection meets has its turn, also one that no feature touches, which is not read.

use rectilinear_zarr_kernels::numeric::BLOCK;

use super::picked::PickedItems;
use super::reduce::BoxItems;
use super::turns::{Bounds, InOrder, MOST_WAITING, Turn, Turns};
use super::zones::{ZonePartial, ZoneReduction};
use crate::error::{Error, Result};
use crate::metadata::Kind;
use crate::output::Numeric;

/// A zonal reduction in progress.
#[derive(Debug)]
pub struct ZonalReduction {
    zones: ZoneReduction,
    numeric: Numeric,
    turns: Turns,
    order: InOrder<Option<ZonePartial>>,
    /// Bytes of the boxes that wait.
    waiting: usize,
}

impl ZonalReduction {
    /// Begins the reduction of picked items to the zones of features.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for items that are no real numbers; [`Error::Selection`] as in [`Turns::new`].
    pub fn new(zones: ZoneReduction, items: PickedItems<'_>) -> Result<Self> {
        let PickedItems { data_type, converted, picks, chunks, stored, lengths } = items;
        let is_real =
            !matches!(data_type.kind(), Kind::Complex(_) | Kind::Subarray { .. } | Kind::Time { .. });
        let numeric = converted.or_else(|| data_type.numeric()).filter(|_| is_real);
        let numeric = numeric.ok_or_else(|| Error::Unsupported {
            feature: format!("zones of {}", data_type.name()),
            reason: "items must be real numbers or booleans".to_owned(),
        })?;
        let kept = vec![false; lengths.len()];
        let turns = Turns::new(picks, [chunks, stored], lengths, &kept, true)?;
        Ok(Self { zones, numeric, turns, order: InOrder::new(), waiting: 0 })
    }

    /// Whether so much waits for its turn that no further chunk should be begun.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.waiting > MOST_WAITING
    }

    /// Notes the boxes of a chunk that need not be read, because no feature has a share in them; returns whether that is
    /// so.
    ///
    /// # Errors
    /// [`Error::Selection`] as in [`ZonalReduction::put`], for boxes that waited.
    pub fn skip(&mut self, boxes: &[Bounds]) -> Result<bool> {
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

    fn take(&mut self, turn: Turn, bounds: Bounds, partial: Option<ZonePartial>) -> Result<()> {
        let items = bounds.iter().map(|(start, stop)| stop - start).product();
        if self.order.pass(turn, items) {
            self.add(partial)?;
        } else {
            self.waiting += partial.as_ref().map_or(0, ZonePartial::size);
            self.order.wait(turn, items, bounds, partial);
        }
        while let Some(boxes) = self.order.next() {
            for partial in boxes.into_values() {
                self.waiting -= partial.as_ref().map_or(0, ZonePartial::size);
                self.add(partial)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, partial: Option<ZonePartial>) -> Result<()> {
        partial.map_or(Ok(()), |partial| self.zones.add(partial))
    }

    /// The statistics in the order of their names, each in C order: the features, then the remaining axes.
    #[must_use]
    pub fn statistics(&mut self) -> Vec<Vec<f64>> {
        self.zones.columns().into_iter().map(|(_, column)| column).collect()
    }
}
