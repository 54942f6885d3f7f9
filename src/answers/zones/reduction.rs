//! The zonal reduction: boxes of items are added to the zones whose cells they hold, in the order of the boxes.
//!
//! Invariant: the answer depends on the items, the boxes, their order and the spans alone, to the last bit.

use std::collections::BTreeMap;

use super::spans::Spans;
use super::statistics::{Statistic, Zone, ZoneStatistics};
use crate::error::{Error, Result};

/// Most zones of an answer: features times the places along the remaining axes.
const MOST_ZONES: u64 = 1 << 22;

/// Most values that are held, of 16 bytes each.
const MOST_VALUES: usize = 1 << 24;

fn refused<T>(reason: String) -> Result<T> {
    Err(Error::Selection { axis: None, reason })
}

/// Where the cells of the spans are in a selection's result.
#[derive(Debug, Clone)]
pub struct ZonePlaces {
    /// Length of the result along each axis.
    pub lengths: Vec<u64>,
    /// Axis of the spans' rows, and the row at its beginning; `None` where all cells are along one axis.
    pub rows: Option<(usize, u64)>,
    /// Axis of the cells of a row, and the cell at its beginning.
    pub columns: (usize, u64),
}

/// What one box adds to the zones.
#[derive(Debug, Clone)]
pub struct ZonePartial {
    /// Zones by their number, rising.
    zones: Vec<(usize, Zone)>,
}

impl ZonePartial {
    /// Bytes of the zones and of the values that they hold.
    pub(crate) fn size(&self) -> usize {
        self.zones.iter().map(|(_, zone)| 128 + 16 * zone.held()).sum()
    }
}

/// A zonal reduction: items by feature, times the places along the remaining axes.
#[derive(Debug, Clone)]
pub struct ZoneReduction {
    places: ZonePlaces,
    spans: Spans,
    /// Weight of each cell: its row's and column's place in a list, with steps for both.
    weights: Option<(Vec<f64>, [usize; 2])>,
    statistics: ZoneStatistics,
    names: Vec<(String, Statistic)>,
    /// Rows and columns of each feature's cells, each with a start and a stop.
    bounds: Vec<[(u64, u64); 2]>,
    zones: BTreeMap<usize, Zone>,
    held: usize,
}

impl ZoneReduction {
    /// Begins a reduction to the statistics of these names. `weights` are a factor for the share of each cell, with the
    /// step in the list for a row and for a cell in a row, from the first row and cell of the grid.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a name that is none; [`Error::Selection`] where an axis is not in the result, where the
    /// weights are too few, not finite or negative, or where the answer would be too large.
    pub fn new(
        places: ZonePlaces,
        spans: Spans,
        names: &[&str],
        weights: Option<(Vec<f64>, [usize; 2])>,
    ) -> Result<Self> {
        let axes = [places.rows.map(|(axis, _)| axis), Some(places.columns.0)];
        let is_wrong = |axis: &Option<usize>| axis.is_some_and(|axis| axis >= places.lengths.len());
        if axes.iter().any(is_wrong) || axes[0] == axes[1] {
            return refused(format!(
                "the axes of zones must be two different ones of {}",
                places.lengths.len()
            ));
        }
        let extent = spans.bounds().unwrap_or_default();
        if let Some((list, steps)) = &weights {
            let last = |axis: usize| (extent[axis].1 as usize).saturating_sub(1).saturating_mul(steps[axis]);
            if spans.pairs() > 0 && last(0).saturating_add(last(1)) >= list.len() {
                return refused(format!(
                    "there are {} weights, which are too few for the cells of the features",
                    list.len()
                ));
            }
            if let Some(at) = list.iter().position(|weight| !(*weight >= 0.0 && weight.is_finite())) {
                return refused(format!(
                    "weight {at} is {}: weights must be finite, and not below zero",
                    list[at]
                ));
            }
        }
        let named = names.iter().map(|name| Ok(((*name).to_owned(), Statistic::named(name)?)));
        let names = named.collect::<Result<Vec<_>>>()?;
        let bounds = (0..spans.features()).map(|feature| bounds_of(&spans, feature)).collect();
        let needs = names.iter().map(|(_, statistic)| statistic.needs());
        let statistics = needs.fold(ZoneStatistics::default(), |all, one| ZoneStatistics {
            extremes: all.extremes || one.extremes,
            deviations: all.deviations || one.deviations,
            values: all.values || one.values,
        });
        let made =
            Self { places, spans, weights, statistics, names, bounds, zones: BTreeMap::new(), held: 0 };
        let zones = made.shape().into_iter().fold(1, u64::saturating_mul);
        if zones > MOST_ZONES {
            return refused(format!(
                "the answer would have {zones} items, and 2^22 are the most: pass fewer features, or select less along the \
                 other axes"
            ));
        }
        Ok(made)
    }

    /// Shape of each statistic: the number of features, then the lengths along the remaining axes.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        let rest = (0..self.places.lengths.len()).filter(|axis| !self.is_of_cells(*axis));
        std::iter::once(self.spans.features() as u64)
            .chain(rest.map(|axis| self.places.lengths[axis]))
            .collect()
    }

    fn is_of_cells(&self, axis: usize) -> bool {
        axis == self.places.columns.0 || self.places.rows.is_some_and(|(rows, _)| rows == axis)
    }

    /// Whether a feature has a share in a cell of a box, given by its start and stop along each axis. A chunk without
    /// one need not be read.
    #[must_use]
    pub fn touches(&self, bounds: &[(u64, u64)]) -> bool {
        let cells = self.cells_of(bounds);
        (0..self.spans.features()).any(|feature| self.spans_in(feature, cells).next().is_some())
    }

    /// Rows and columns of the grid that a box holds.
    fn cells_of(&self, bounds: &[(u64, u64)]) -> [(u64, u64); 2] {
        let shifted = |axis: usize, first: u64| (bounds[axis].0 + first, bounds[axis].1 + first);
        let rows = self.places.rows.map_or((0, 1), |(axis, first)| shifted(axis, first));
        [rows, shifted(self.places.columns.0, self.places.columns.1)]
    }

    /// A feature's cells within rows and columns: the row, the first cell, the cell after the last one, the share.
    fn spans_in(
        &self,
        feature: usize,
        [rows, columns]: [(u64, u64); 2],
    ) -> impl Iterator<Item = (u64, u64, u64, f64)> {
        let [own_rows, own_columns] = self.bounds[feature];
        let is_near = own_rows.0 < rows.1
            && rows.0 < own_rows.1
            && own_columns.0 < columns.1
            && columns.0 < own_columns.1;
        // Most features are far from a box, and looking for their rows would cost more than all the rest.
        let spans = if is_near { self.spans.of(feature) } else { &[] };
        let from = spans.partition_point(|span| u64::from(span.row) < rows.0);
        let to = from + spans[from..].partition_point(|span| u64::from(span.row) < rows.1);
        spans[from..to].iter().filter_map(move |span| {
            let (from, to) = (u64::from(span.from).max(columns.0), u64::from(span.to).min(columns.1));
            (from < to).then_some((span.row.into(), from, to, span.share))
        })
    }

    /// What a box of items adds: its start and stop along each axis of the result, and its items in C order. NaN is no
    /// item.
    ///
    /// # Errors
    /// [`Error::Selection`] where the box is not within the result, or has another number of items.
    pub fn partial(&self, bounds: &[(u64, u64)], items: &[f64]) -> Result<ZonePartial> {
        let lengths = &self.places.lengths;
        let is_within = bounds.len() == lengths.len()
            && bounds.iter().zip(lengths).all(|((start, stop), length)| start <= stop && stop <= length);
        let size =
            bounds.iter().map(|(start, stop)| stop.saturating_sub(*start)).fold(1, u64::saturating_mul);
        if !is_within || size != items.len() as u64 {
            return refused(format!(
                "{} items do not fill the box {bounds:?} of a result of {lengths:?}",
                items.len()
            ));
        }
        let cells = self.cells_of(bounds);
        let steps = c_order(bounds.iter().map(|(start, stop)| stop - start));
        let (zone_steps, rest_offsets) = self.rest(bounds, &steps);
        let row_step = self.places.rows.map_or(0, |(axis, _)| steps[axis]);
        let column_step = steps[self.places.columns.0];
        let (mut zones, mut apart) = (Vec::new(), Vec::new());
        for feature in 0..self.spans.features() {
            let near: Vec<_> = self.spans_in(feature, cells).collect();
            if near.is_empty() {
                continue;
            }
            for (rest, offset) in &rest_offsets {
                let mut zone = Zone::new();
                for (row, from, to, share) in &near {
                    let begin = offset
                        + (row - cells[0].0) as usize * row_step
                        + (from - cells[1].0) as usize * column_step;
                    let count = (to - from) as usize;
                    let run = if column_step == 1 {
                        &items[begin..begin + count]
                    } else {
                        apart.clear();
                        apart.extend(items[begin..].iter().step_by(column_step.max(1)).take(count));
                        &apart
                    };
                    match &self.weights {
                        Some((list, [row_weights, 0])) => {
                            zone.add_run(self.statistics, run, *share, list[*row as usize * row_weights]);
                        }
                        Some((list, [row_weights, step])) => {
                            let first = *row as usize * row_weights + *from as usize * step;
                            let weights = list[first..].iter().step_by(*step);
                            for (item, weight) in run.iter().zip(weights) {
                                zone.add(self.statistics, *item, *share, *weight);
                            }
                        }
                        None => zone.add_run(self.statistics, run, *share, 1.0),
                    }
                }
                if !zone.is_empty() {
                    zones.push((feature * zone_steps + rest, zone));
                }
            }
        }
        Ok(ZonePartial { zones })
    }

    /// Number of zones of a feature, and for each of those in a box its number and where its items begin.
    fn rest(&self, bounds: &[(u64, u64)], steps: &[usize]) -> (usize, Vec<(usize, usize)>) {
        let axes: Vec<usize> = (0..bounds.len()).filter(|axis| !self.is_of_cells(*axis)).collect();
        let zone_steps = c_order(axes.iter().map(|axis| self.places.lengths[*axis]));
        let mut found = vec![(0, 0)];
        for (axis, zone_step) in axes.iter().zip(&zone_steps) {
            let (start, stop) = bounds[*axis];
            let along = |(zone, offset): (usize, usize)| {
                (start..stop).map(move |place| {
                    (zone + place as usize * zone_step, offset + (place - start) as usize * steps[*axis])
                })
            };
            found = found.into_iter().flat_map(along).collect();
        }
        let whole = axes.iter().map(|axis| self.places.lengths[*axis] as usize).product();
        (whole, found)
    }

    /// Adds the partial zones of a box. The order of boxes decides the last bits of sums.
    ///
    /// # Errors
    /// [`Error::Selection`] where more than 2^24 values are held.
    pub fn add(&mut self, partial: ZonePartial) -> Result<()> {
        self.held += partial.zones.iter().map(|(_, zone)| zone.held()).sum::<usize>();
        if self.held > MOST_VALUES {
            return refused(
                "quantiles, the mode, the minority and the variety need all values, and there are more than 2^24: pass fewer \
                 features, or select less along the other axes"
                    .to_owned(),
            );
        }
        for (number, zone) in partial.zones {
            self.zones.entry(number).or_insert_with(Zone::new).merge(zone);
        }
        Ok(())
    }

    /// The statistics by their names, each in C order of [`ZoneReduction::shape`], of the boxes so far.
    #[must_use]
    pub fn columns(&mut self) -> Vec<(String, Vec<f64>)> {
        let size = self.shape().into_iter().product::<u64>() as usize;
        let mut columns = Vec::with_capacity(self.names.len());
        for (name, statistic) in &self.names {
            let mut column = vec![Zone::new().statistic(*statistic); size];
            for (number, zone) in &mut self.zones {
                column[*number] = zone.statistic(*statistic);
            }
            columns.push((name.clone(), column));
        }
        columns
    }
}

/// Rows and columns of a feature's cells; empty ranges without a cell.
fn bounds_of(spans: &Spans, feature: usize) -> [(u64, u64); 2] {
    let own = spans.of(feature);
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return [(0, 0); 2] };
    let (from, to) =
        own.iter().fold((u32::MAX, 0), |(from, to), span| (from.min(span.from), to.max(span.to)));
    [(first.row.into(), u64::from(last.row) + 1), (from.into(), to.into())]
}

/// Steps of a place along each axis, in C order.
fn c_order(lengths: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator) -> Vec<usize> {
    let mut steps = vec![0; lengths.len()];
    let mut step = 1usize;
    for (own, length) in steps.iter_mut().rev().zip(lengths.rev()) {
        *own = step;
        step = step.saturating_mul(length as usize);
    }
    steps
}
