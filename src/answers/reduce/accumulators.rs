//! Accumulators: what is known of each cell of a tile, and the statistics that follow from it.
//!
//! Invariant: accumulators of the same items, added and merged in the same order, are equal to the bit.

use rectilinear_zarr_kernels::numeric::Numeric;
use rectilinear_zarr_kernels::statistics::{Sum, add_each, integer_total, sort, total};

use super::block::{Block, Target};
use super::column::AnswerColumn;
use super::counting::{Counters, Counting};
use super::extremes::Extremes;
use super::moments::Moments;
use crate::error::{Error, Packer, Result, Unpacker};

/// Statistics that are asked of the items of each cell.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Sum and mean.
    pub sums: bool,
    /// Variance.
    pub moments: bool,
    /// The least item, and its number among those of the cell.
    pub least: bool,
    /// The greatest item, and its number among those of the cell.
    pub greatest: bool,
    /// Edges of a histogram's bins, ascending; empty without one.
    pub edges: Vec<f64>,
    /// All values, of which quantiles are taken; a bound on their number protects memory.
    pub values: bool,
    /// Numbers of values by their leading bits.
    pub counting: Option<Counting>,
    /// Whether NaN, and not-a-time in means, count as no item. Otherwise they make an answer NaN.
    pub skips: bool,
    /// Whether not-a-time counts as no item in sums and extremes too.
    pub skips_times: bool,
    /// Whether 64-bit integers are times, the least of which means not-a-time.
    pub are_times: bool,
    /// Whether items are pairs of numbers, of which none is there without the other.
    pub are_complex: bool,
}

impl Statistics {
    /// Packs what accumulators are made by; `None` where values are held or counted, which take as many bytes as the
    /// items.
    pub(super) fn pack(&self, parts: &mut Packer) -> Option<()> {
        let Self { sums, moments, least, greatest, edges, values, counting, .. } = self;
        let Self { skips, skips_times, are_times, are_complex, .. } = self;
        if *values || counting.is_some() {
            return None;
        }
        let flags = [sums, moments, least, greatest, skips, skips_times, are_times, are_complex];
        let flags = flags.map(|flag| u64::from(*flag));
        parts.numbers(flags.into_iter()).numbers(edges.iter().map(|edge| edge.to_bits()));
        Some(())
    }

    /// Whether missing items are left out of extremes.
    fn skips_extremes(&self) -> bool {
        if self.are_times { self.skips_times } else { self.skips }
    }

    pub(super) fn unpack(parts: &mut Unpacker<'_>) -> Option<Self> {
        let [sums, moments, least, greatest, skips, skips_times, are_times, are_complex] =
            parts.numbers()?.try_into().ok()?;
        let edges = parts.numbers()?.into_iter().map(f64::from_bits).collect();
        Some(Self {
            sums: sums == 1,
            moments: moments == 1,
            least: least == 1,
            greatest: greatest == 1,
            edges,
            values: false,
            counting: None,
            skips: skips == 1,
            skips_times: skips_times == 1,
            are_times: are_times == 1,
            are_complex: are_complex == 1,
        })
    }
}

/// Counts, sums, extremes and values of the items of each cell so far.
#[derive(Debug, Clone)]
pub struct Accumulators {
    statistics: Statistics,
    numeric: Numeric,
    counts: Vec<u64>,
    /// Number of NaN and not-a-time, where these decide.
    missing: Vec<u64>,
    weights: Vec<Sum>,
    sums: Vec<Sum>,
    /// Exact sums of integers, without weights.
    integers: Vec<i128>,
    moments: Option<Moments>,
    least: Option<Extremes>,
    greatest: Option<Extremes>,
    bins: Vec<f64>,
    has_even_bins: bool,
    values: Vec<Vec<f64>>,
    counters: Option<Counters>,
}

impl Accumulators {
    /// Accumulators of so many cells, none of which has an item yet.
    #[must_use]
    pub fn new(statistics: &Statistics, numeric: Numeric, is_weighted: bool, cells: usize) -> Self {
        let sized = |is_needed: bool| if is_needed { cells } else { 0 };
        let is_exact = !numeric.is_float() && !is_weighted;
        let bins = statistics.edges.len().saturating_sub(1);
        let holds = statistics.values || statistics.counting.is_some();
        let extremes = |is_asked: bool, is_greatest| {
            is_asked.then(|| Extremes::new(numeric, cells, is_greatest, statistics.are_times))
        };
        Self {
            numeric,
            counts: vec![0; cells],
            missing: vec![0; sized(holds && !statistics.skips || statistics.sums && statistics.are_times)],
            weights: vec![Sum::default(); sized(is_weighted)],
            sums: vec![Sum::default(); sized(statistics.sums && !is_exact)],
            integers: vec![0; sized(statistics.sums && is_exact)],
            moments: statistics.moments.then(|| Moments::new(cells)),
            least: extremes(statistics.least, false),
            greatest: extremes(statistics.greatest, true),
            bins: vec![0.0; cells * bins],
            has_even_bins: are_even(&statistics.edges),
            values: vec![Vec::new(); sized(statistics.values)],
            counters: statistics.counting.as_ref().map(|counting| Counters::new(counting, numeric, cells)),
            statistics: statistics.clone(),
        }
    }

    /// Bytes of what is held.
    #[must_use]
    pub fn size(&self) -> usize {
        let values: usize = self.values.iter().map(|values| 24 + 8 * values.capacity()).sum();
        let each = 8 + 8 * usize::from(!self.missing.is_empty()) + 16 * usize::from(!self.weights.is_empty());
        let sums = 16 * usize::from(!self.sums.is_empty()) + 16 * usize::from(!self.integers.is_empty());
        let more = 24 * usize::from(self.moments.is_some());
        let extremes = 16 * (usize::from(self.least.is_some()) + usize::from(self.greatest.is_some()));
        let counters = self.counters.as_ref().map_or(0, Counters::size);
        self.counts.len() * (each + sums + more + extremes) + 8 * self.bins.len() + values + counters
    }

    /// Adds a block of items to their cells.
    pub(super) fn add(&mut self, target: Target<'_>, block: Block<'_>) {
        let skips = self.statistics.skips;
        if self.statistics.are_times {
            // Not-a-time is NaN among the floats; the sum of integers must not see it.
            self.add_times(target, block);
        } else {
            self.add_sums(target, block);
        }
        if self.statistics.are_complex && !skips {
            let (counts, floats) = (&mut self.counts, block.floats);
            target.each(floats.len(), |place, cell| {
                counts[cell] -= u64::from(!floats[place].is_nan() && floats[place ^ 1].is_nan());
            });
        }
        if let Some(moments) = &mut self.moments {
            moments.add(target, block, skips);
        }
        for extremes in [&mut self.least, &mut self.greatest].into_iter().flatten() {
            extremes.add(target, block, self.statistics.skips_extremes());
        }
        self.add_bins(target, block);
        if let Some(counters) = &mut self.counters {
            counters.add(target, block);
        }
        if !self.missing.is_empty() {
            let missing = &mut self.missing;
            target.each(block.floats.len(), |place, cell| {
                missing[cell] += u64::from(block.floats[place].is_nan())
            });
        }
        if self.statistics.values {
            let values = &mut self.values;
            let valid = |place: usize| Some(block.floats[place]).filter(|value| !value.is_nan());
            target.each(block.floats.len(), |place, cell| values[cell].extend(valid(place)));
        }
    }

    fn add_sums(&mut self, target: Target<'_>, block: Block<'_>) {
        let skips = self.statistics.skips;
        if let Some(weights) = block.weights {
            let has_sums = !self.sums.is_empty();
            let Self { counts, sums, weights: total, .. } = self;
            target.each(block.floats.len(), |place, cell| {
                let (value, weight) = (block.floats[place], weights[place]);
                let is_valid = !value.is_nan();
                counts[cell] += u64::from(is_valid);
                if is_valid {
                    total[cell].add(weight);
                }
                if has_sums && (is_valid || !skips) {
                    sums[cell].add(value * weight);
                }
            });
        } else if !self.sums.is_empty() {
            match target {
                Target::One(cell) => {
                    let (count, sum) = total(block.floats, skips);
                    self.counts[cell] += count;
                    self.sums[cell].add(sum);
                }
                Target::Run(cell) => {
                    let run = cell..cell + block.floats.len();
                    add_each(block.floats, skips, &mut self.counts[run.clone()], &mut self.sums[run]);
                }
                Target::Each(_) => {
                    let Self { counts, sums, .. } = self;
                    target.each(block.floats.len(), |place, cell| {
                        let value = block.floats[place];
                        counts[cell] += u64::from(!value.is_nan());
                        if !(skips && value.is_nan()) {
                            sums[cell].add(value);
                        }
                    });
                }
            }
        } else {
            let counts = &mut self.counts;
            match target {
                Target::One(cell) if self.numeric.is_float() => counts[cell] += total(block.floats, true).0,
                Target::One(cell) => counts[cell] += block.floats.len() as u64,
                _ => target.each(block.floats.len(), |place, cell| {
                    counts[cell] += u64::from(!block.floats[place].is_nan());
                }),
            }
            if self.integers.is_empty() {
                return;
            }
            let is_unsigned = self.numeric == Numeric::UInt(64);
            let (integers, number) = (&mut self.integers, self.numeric);
            match target {
                Target::One(cell) => integers[cell] += integer_total(block.integers, is_unsigned),
                _ => target.each(block.integers.len(), |place, cell| {
                    integers[cell] += number.value(block.integers[place]);
                }),
            }
        }
    }

    /// Adds items of a cell that are all the same, of which the block has one, and whose weights are 1.
    pub(super) fn add_same(&mut self, cell: usize, block: Block<'_>, items: u64) {
        let (value, is_missing) = (block.floats[0], block.floats[0].is_nan());
        let Statistics { skips, edges, .. } = &self.statistics;
        let (skips, bins) = (*skips, edges.len().saturating_sub(1));
        self.counts[cell] += if is_missing { 0 } else { items };
        if let (Some(sum), false) = (self.sums.get_mut(cell), skips && is_missing) {
            #[expect(clippy::cast_precision_loss, reason = "numbers of items are below 2^53")]
            sum.add(value * items as f64);
        }
        if let (Some(sum), false) = (self.integers.get_mut(cell), is_missing) {
            *sum += self.numeric.value(block.integers[0]) * i128::from(items);
        }
        if let Some(moments) = &mut self.moments {
            moments.add_same(cell, value, items, skips);
        }
        for extremes in [&mut self.least, &mut self.greatest].into_iter().flatten() {
            extremes.add(Target::One(cell), block, self.statistics.skips_extremes());
        }
        if let Some(bin) = bin_of(&self.statistics.edges, self.has_even_bins, value).filter(|_| bins > 0) {
            #[expect(clippy::cast_precision_loss, reason = "numbers of items are below 2^53")]
            {
                self.bins[cell * bins + bin] += items as f64;
            }
        }
        if let Some(counters) = &mut self.counters {
            counters.add_same(cell, block, items);
        }
        if let (Some(missing), true) = (self.missing.get_mut(cell), is_missing) {
            *missing += items;
        }
    }

    /// Whether items that are all the same need not be added one by one.
    pub(super) fn takes_same(&self) -> bool {
        !self.statistics.values && !self.statistics.are_complex
    }

    fn add_times(&mut self, target: Target<'_>, block: Block<'_>) {
        let Self { counts, integers, .. } = self;
        let has_sums = !integers.is_empty();
        target.each(block.integers.len(), |place, cell| {
            let integer = block.integers[place];
            if integer != i64::MIN {
                counts[cell] += 1;
                if has_sums {
                    integers[cell] += i128::from(integer);
                }
            }
        });
    }

    fn add_bins(&mut self, target: Target<'_>, block: Block<'_>) {
        let edges = &self.statistics.edges;
        let Some(count) = edges.len().checked_sub(1).filter(|count| *count > 0) else { return };
        let (bins, is_even) = (&mut self.bins, self.has_even_bins);
        target.each(block.floats.len(), |place, cell| {
            if let Some(bin) = bin_of(edges, is_even, block.floats[place]) {
                bins[cell * count + bin] += block.weights.map_or(1.0, |weights| weights[place]);
            }
        });
    }

    /// Adds what other accumulators of the same cells know; their items come after these.
    pub fn merge(&mut self, other: &Self) {
        fn add<T: Copy + std::ops::AddAssign>(own: &mut [T], other: &[T]) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += *other);
        }
        fn merge(own: &mut [Sum], other: &[Sum]) {
            own.iter_mut().zip(other).for_each(|(own, other)| own.merge(*other));
        }
        add(&mut self.counts, &other.counts);
        add(&mut self.missing, &other.missing);
        add(&mut self.integers, &other.integers);
        add(&mut self.bins, &other.bins);
        merge(&mut self.weights, &other.weights);
        merge(&mut self.sums, &other.sums);
        if let (Some(own), Some(other)) = (&mut self.moments, &other.moments) {
            own.merge(other);
        }
        for (own, other) in [(&mut self.least, &other.least), (&mut self.greatest, &other.greatest)] {
            if let (Some(own), Some(other)) = (own, other) {
                own.merge(other);
            }
        }
        if let (Some(own), Some(other)) = (&mut self.counters, &other.counters) {
            own.merge(other);
        }
        self.values.iter_mut().zip(&other.values).for_each(|(own, other)| own.extend(other));
    }

    /// Packs what is known of the cells, for [`Accumulators::unpack`]; of values that are held or counted, nothing.
    pub(super) fn pack(&self, parts: &mut Packer) {
        let Self { counts, missing, weights, sums, integers, moments, least, greatest, bins, .. } = self;
        parts.each(counts.iter().chain(missing).copied());
        parts.each(weights.iter().chain(sums).flat_map(|sum| sum.bits()));
        for sum in integers {
            parts.raw(&sum.to_le_bytes());
        }
        if let Some(moments) = moments {
            moments.pack(parts);
        }
        for extremes in [least, greatest].into_iter().flatten() {
            extremes.pack(parts);
        }
        parts.each(bins.iter().map(|bin| bin.to_bits()));
    }

    /// Takes what accumulators of as many cells and the same statistics have packed; `None` where the bytes are others.
    pub(super) fn unpack(&mut self, parts: &mut Unpacker<'_>) -> Option<()> {
        for count in self.counts.iter_mut().chain(&mut self.missing) {
            *count = parts.number()?;
        }
        for sum in self.weights.iter_mut().chain(&mut self.sums) {
            *sum = Sum::of_bits([parts.number()?, parts.number()?]);
        }
        for sum in &mut self.integers {
            *sum = i128::from_le_bytes(parts.raw(size_of::<i128>())?.try_into().ok()?);
        }
        if let Some(moments) = &mut self.moments {
            moments.unpack(parts)?;
        }
        for extremes in [&mut self.least, &mut self.greatest].into_iter().flatten() {
            extremes.unpack(parts)?;
        }
        for bin in &mut self.bins {
            *bin = f64::from_bits(parts.number()?);
        }
        Some(())
    }

    /// A statistic of all cells by its name: `count`, `sum`, `mean`, `var`, `min`, `max`, `argmin`, `argmax`,
    /// `histogram` (the bins of each cell one after the other), `counters` or `missing`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for another name, or one that was not asked for.
    #[expect(clippy::cast_precision_loss, reason = "counts and positions are below 2^53")]
    pub fn column(&self, name: &str, ddof: f64) -> Result<AnswerColumn> {
        use AnswerColumn::{Floats, Integers};
        let counted = |counts: &[u64]| Floats(counts.iter().map(|count| *count as f64).collect());
        let nan_below = |count: u64, value: f64| if count == 0 { f64::NAN } else { value };
        Ok(match name {
            "count" => counted(&self.counts),
            "missing" => counted(&self.missing),
            #[expect(clippy::cast_possible_truncation, reason = "sums of integers wrap, as numpy's do")]
            "sum" if !self.integers.is_empty() => {
                let sums = self.integers.iter().enumerate();
                let has_gap = |cell: usize| self.has_no_time(cell, self.statistics.skips_times);
                Integers(sums.map(|(cell, sum)| if has_gap(cell) { i64::MIN } else { *sum as i64 }).collect())
            }
            "sum" => Floats(self.sums.iter().map(|sum| sum.value()).collect()),
            "mean" if self.statistics.are_times => Integers(self.mean_times()),
            "mean" if !self.integers.is_empty() => {
                let means = self.integers.iter().zip(&self.counts);
                Floats(means.map(|(sum, count)| nan_below(*count, *sum as f64 / *count as f64)).collect())
            }
            "mean" if !self.weights.is_empty() => {
                let means =
                    self.sums.iter().zip(&self.weights).map(|(sum, weight)| sum.value() / weight.value());
                Floats(means.map(|mean| if mean.is_finite() { mean } else { f64::NAN }).collect())
            }
            "mean" => {
                let means = self.sums.iter().zip(&self.counts);
                Floats(means.map(|(sum, count)| nan_below(*count, sum.value() / *count as f64)).collect())
            }
            "var" => Floats(self.moments.as_ref().ok_or_else(|| unknown(name))?.variances(ddof)),
            "min" => self.least.as_ref().ok_or_else(|| unknown(name))?.values(),
            "max" => self.greatest.as_ref().ok_or_else(|| unknown(name))?.values(),
            "argmin" => Floats(self.least.as_ref().ok_or_else(|| unknown(name))?.positions()),
            "argmax" => Floats(self.greatest.as_ref().ok_or_else(|| unknown(name))?.positions()),
            "histogram" => Floats(self.bins.clone()),
            "counters" => Floats(self.counters.as_ref().ok_or_else(|| unknown(name))?.counts()),
            _ => return Err(unknown(name)),
        })
    }

    /// Whether not-a-time makes the sum of a cell's times none, where `skips` does not leave it out.
    fn has_no_time(&self, cell: usize, skips: bool) -> bool {
        self.statistics.are_times && !skips && self.missing.get(cell).is_some_and(|missing| *missing > 0)
    }

    /// Means of times, rounded down; not-a-time where there are none.
    fn mean_times(&self) -> Vec<i64> {
        let means = self.integers.iter().zip(&self.counts).enumerate();
        // Cannot fail: a mean lies between the least and the greatest item.
        let mean =
            |sum: i128, count: u64| i64::try_from(sum.div_euclid(i128::from(count))).unwrap_or(i64::MIN);
        let has_gap = |cell: usize| self.has_no_time(cell, self.statistics.skips);
        means
            .map(
                |(cell, (sum, count))| {
                    if *count == 0 || has_gap(cell) { i64::MIN } else { mean(*sum, *count) }
                },
            )
            .collect()
    }

    /// Quantiles of each cell, linear between its sorted values: for each cell all of `quantiles` one after the other.
    #[must_use]
    pub fn quantiles(&mut self, quantiles: &[f64]) -> Vec<f64> {
        let mut found = Vec::with_capacity(self.values.len() * quantiles.len());
        for (cell, values) in self.values.iter_mut().enumerate() {
            sort(values);
            let is_missing = self.missing.get(cell).is_some_and(|missing| *missing > 0);
            found.extend(quantiles.iter().map(|q| if is_missing { f64::NAN } else { quantile(values, *q) }));
        }
        found
    }

    /// Whether missing items count as none.
    pub(super) fn skips(&self) -> bool {
        self.statistics.skips
    }
}

/// Quantile of sorted values, linear between neighbours, as numpy's default method.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "within the list"
)]
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = q * last as f64;
    let below = (at.floor() as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    let part = at - below as f64;
    // numpy's lerp, which is exact at both ends.
    let difference = high - low;
    if part == 0.0 || difference == 0.0 {
        low
    } else if part >= 0.5 {
        high - difference * (1.0 - part)
    } else {
        low + difference * part
    }
}

fn unknown(name: &str) -> Error {
    Error::Unsupported {
        feature: format!("the statistic {name:?}"),
        reason: "it was not asked for when the reduction began".to_owned(),
    }
}

/// Whether the bins between these edges are about equally wide, so that a bin's number follows from a value.
fn are_even(edges: &[f64]) -> bool {
    let (Some(first), Some(last)) = (edges.first(), edges.last()) else { return false };
    #[expect(clippy::cast_precision_loss, reason = "few edges")]
    let width = (last - first) / (edges.len() - 1).max(1) as f64;
    width > 0.0 && edges.windows(2).all(|pair| ((pair[1] - pair[0]) / width - 1.0).abs() < 1e-6)
}

/// Bin of a value: half-open, but the last one closed; `None` outside of all.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "few edges"
)]
fn bin_of(edges: &[f64], is_even: bool, value: f64) -> Option<usize> {
    let (first, last, bins) = (*edges.first()?, *edges.last()?, edges.len() - 1);
    if !(first..=last).contains(&value) {
        return None;
    }
    if !is_even {
        return Some(edges.partition_point(|edge| *edge <= value).saturating_sub(1).min(bins - 1));
    }
    // The edges decide, as they are rounded.
    let mut bin = (((value - first) / (last - first) * bins as f64) as usize).min(bins - 1);
    while bin > 0 && value < edges[bin] {
        bin -= 1;
    }
    while bin + 1 < bins && value >= edges[bin + 1] {
        bin += 1;
    }
    Some(bin)
}
