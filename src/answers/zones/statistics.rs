//! Statistics of one zone: what is known of the items with a share in it, and the numbers that follow.
//!
//! Invariant: what is added and merged in the same order gives numbers that are equal to the bit.

use rectilinear_zarr_kernels::floats::extremes;
use rectilinear_zarr_kernels::statistics::{Sum, squared_deviations, total};

use crate::error::{Error, Result};

/// Items of a run that are added one by one, because more would not pay.
const SHORT: usize = 8;

/// What is held of each zone beside its sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZoneStatistics {
    /// The least and the greatest item.
    pub extremes: bool,
    /// The mean and the squared deviations from it: for the variance.
    pub deviations: bool,
    /// All values with their shares: for quantiles, the mode, the minority and the variety.
    pub values: bool,
}

/// Sums and extremes of one zone's items, and their values where these are held.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Zone {
    items: u64,
    shares: Sum,
    weights: Sum,
    sum: Sum,
    /// Running weight, mean and squared deviations, for the variance.
    weight: f64,
    mean: f64,
    deviations: f64,
    least: f64,
    greatest: f64,
    /// Values with their weights, where they are held.
    values: Vec<(f64, f64)>,
}

impl Zone {
    pub(super) fn new() -> Self {
        Self {
            items: 0,
            shares: Sum::default(),
            weights: Sum::default(),
            sum: Sum::default(),
            weight: 0.0,
            mean: 0.0,
            deviations: 0.0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
            values: Vec::new(),
        }
    }

    /// Adds an item with the share of its cell, and the weight of its cell. NaN is no item.
    pub(super) fn add(&mut self, statistics: ZoneStatistics, value: f64, share: f64, weight: f64) {
        if value.is_nan() {
            return;
        }
        let weight = share * weight;
        self.items += 1;
        self.shares.add(share);
        self.weights.add(weight);
        self.sum.add(weight * value);
        if statistics.deviations {
            self.join(weight, value, 0.0);
        }
        if statistics.extremes {
            self.least = self.least.min(value);
            self.greatest = self.greatest.max(value);
        }
        if statistics.values {
            self.values.push((value, weight));
        }
    }

    /// Adds items whose cells have one share and one weight.
    pub(super) fn add_run(&mut self, statistics: ZoneStatistics, items: &[f64], share: f64, weight: f64) {
        if items.len() < SHORT {
            items.iter().for_each(|value| self.add(statistics, *value, share, weight));
            return;
        }
        let (valid, sum) = total(items, true);
        if valid == 0 {
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "a chunk has fewer items than 2^53")]
        let (count, weight) = (valid as f64, share * weight);
        self.items += valid;
        self.shares.add(share * count);
        self.weights.add(weight * count);
        self.sum.add(weight * sum);
        if statistics.deviations {
            let mean = sum / count;
            self.join(weight * count, mean, weight * squared_deviations(items, mean, true));
        }
        if statistics.extremes {
            (self.least, self.greatest) = extremes(items, (self.least, self.greatest));
        }
        if statistics.values {
            let valid = items.iter().filter(|value| !value.is_nan());
            self.values.extend(valid.map(|value| (*value, weight)));
        }
    }

    /// Adds the mean and the squared deviations of items of this weight.
    fn join(&mut self, weight: f64, mean: f64, deviations: f64) {
        if weight > 0.0 {
            let whole = self.weight + weight;
            let away = mean - self.mean;
            self.deviations += deviations + away * away * (self.weight * (weight / whole));
            self.mean += away * (weight / whole);
            self.weight = whole;
        }
    }

    /// Adds what another zone knows, whose items come after these.
    pub(super) fn merge(&mut self, other: Self) {
        self.items += other.items;
        self.shares.merge(other.shares);
        self.weights.merge(other.weights);
        self.sum.merge(other.sum);
        self.join(other.weight, other.mean, other.deviations);
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.values.extend(other.values);
    }

    /// Whether no item has a share.
    pub(super) fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Number of values that are held.
    pub(super) fn held(&self) -> usize {
        self.values.len()
    }

    /// A statistic by its name. Sorts the held values for those that need them.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a name that is none.
    pub(super) fn statistic(&mut self, statistic: Statistic) -> f64 {
        let or_nan = |value: f64, is_empty: bool| if is_empty { f64::NAN } else { value };
        let is_empty = self.is_empty();
        let variance = or_nan(self.deviations / self.weight, is_empty);
        match statistic {
            Statistic::Count => self.shares.value(),
            Statistic::Sum => self.sum.value(),
            Statistic::Mean => or_nan(self.sum.value() / self.weights.value(), is_empty),
            Statistic::Variance => variance,
            Statistic::Deviation => variance.sqrt(),
            Statistic::Least => or_nan(self.least, is_empty),
            Statistic::Greatest => or_nan(self.greatest, is_empty),
            #[expect(clippy::cast_precision_loss, reason = "fewer values than 2^53")]
            Statistic::Variety => self.by_value().len() as f64,
            // Of equal weights, the greatest value is the mode, and the least one the minority.
            Statistic::Mode => {
                let most = self.by_value().into_iter().max_by(|one, next| one.1.total_cmp(&next.1));
                most.map_or(f64::NAN, |(value, _)| value)
            }
            Statistic::Minority => {
                let fewest = self.by_value().into_iter().min_by(|one, next| one.1.total_cmp(&next.1));
                fewest.map_or(f64::NAN, |(value, _)| value)
            }
            Statistic::Quantile(q) => self.quantile(q),
        }
    }

    fn sort(&mut self) {
        self.values.sort_by(|one, next| one.0.total_cmp(&next.0).then(one.1.total_cmp(&next.1)));
    }

    /// Different values, rising, each with its weight.
    fn by_value(&mut self) -> Vec<(f64, f64)> {
        self.sort();
        let same = self.values.chunk_by(|one, next| one.0 == next.0);
        same.map(|equal| (equal[0].0, equal.iter().map(|(_, weight)| weight).sum())).collect()
    }

    /// Weighted quantile, linear between values: with equal weights, numpy's default.
    fn quantile(&mut self, q: f64) -> f64 {
        self.sort();
        self.values.retain(|(_, weight)| *weight > 0.0);
        let total: f64 = self.values.iter().map(|(_, weight)| weight).sum();
        #[expect(clippy::cast_precision_loss, reason = "fewer values than 2^53")]
        let steps = self.values.len().saturating_sub(1) as f64;
        let sought = q * total * steps;
        // The nth value is at n w + (count - 1) (weights before it).
        let (mut before, mut nth) = (0.0, 0.0);
        let mut last: Option<(f64, f64)> = None;
        for (value, weight) in &self.values {
            let at = nth * weight + steps * before;
            match last {
                Some((lower, below)) if at > sought => {
                    return lower + (sought - below) * (value - lower) / (at - below);
                }
                None if at > sought => return *value,
                _ => last = Some((*value, at)),
            }
            before += weight;
            nth += 1.0;
        }
        last.map_or(f64::NAN, |(value, _)| value)
    }
}

/// A statistic of a zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Statistic {
    Count,
    Sum,
    Mean,
    Variance,
    Deviation,
    Least,
    Greatest,
    Mode,
    Minority,
    Variety,
    Quantile(f64),
}

impl Statistic {
    /// The statistic of a name: `count`, `sum`, `mean`, `var`, `std`, `min`, `max`, `mode`, `minority`, `variety`,
    /// `median`, or `q` with a part of 1, such as `q0.9`.
    pub(super) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "count" => Self::Count,
            "sum" => Self::Sum,
            "mean" => Self::Mean,
            "var" => Self::Variance,
            "std" => Self::Deviation,
            "min" => Self::Least,
            "max" => Self::Greatest,
            "mode" => Self::Mode,
            "minority" => Self::Minority,
            "variety" => Self::Variety,
            "median" => Self::Quantile(0.5),
            _ => {
                let part = name.strip_prefix('q').and_then(|part| part.parse::<f64>().ok());
                let part = part.filter(|part| (0.0..=1.0).contains(part));
                Self::Quantile(part.ok_or_else(|| Error::Unsupported {
                    feature: format!("the statistic {name:?}"),
                    reason: "of zones there are count, sum, mean, var, std, min, max, mode, minority, variety, median and \
                             quantiles such as q0.9"
                        .to_owned(),
                })?)
            }
        })
    }

    /// Intermediate results that a statistic needs of each zone.
    pub(super) fn needs(self) -> ZoneStatistics {
        ZoneStatistics {
            extremes: matches!(self, Self::Least | Self::Greatest),
            deviations: matches!(self, Self::Variance | Self::Deviation),
            values: matches!(self, Self::Mode | Self::Minority | Self::Variety | Self::Quantile(_)),
        }
    }
}
