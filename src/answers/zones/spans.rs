//! Spans: neighbouring cells of a row with the share of them that lies in a feature.
//!
//! Invariants: the spans of a feature are sorted by row, then by their first cell; shares are above zero. Cells of
//! several polygons of a feature may be in several of its spans, whose shares add up.

use super::features::wrong;
use crate::error::Result;

/// Most pairs of a feature and a cell, over all features.
pub const MOST_PAIRS: u64 = 100_000_000;

/// Shares below this count as none: what is left of them is rounding.
const LEAST_SHARE: f64 = 1.0 / (1u64 << 40) as f64;

/// Most spans of all features, each of 24 bytes.
const MOST_SPANS: usize = 1 << 24;

/// Neighbouring cells of one row, with the share of each that a feature covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Row of the cells.
    pub row: u32,
    /// First cell.
    pub from: u32,
    /// Cell after the last one.
    pub to: u32,
    /// Share of each cell, 1 where the feature covers the whole of it.
    pub share: f64,
}

/// Spans by feature.
#[derive(Debug, Clone, Default)]
pub struct Spans {
    spans: Vec<Span>,
    /// End of each feature's spans.
    ends: Vec<usize>,
    pairs: u64,
}

impl Spans {
    /// Number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.ends.len()
    }

    /// Spans of a feature.
    #[must_use]
    pub fn of(&self, feature: usize) -> &[Span] {
        &self.spans[self.begin(feature)..self.ends[feature]]
    }

    /// Number of pairs of a feature and a cell.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Rows and columns, each as a start and a stop, that hold all cells of all features; `None` without a cell.
    #[must_use]
    pub fn bounds(&self) -> Option<[(u64, u64); 2]> {
        let rows = self.spans.iter().map(|span| span.row);
        let (first, last) = (rows.clone().min()?, rows.max()?);
        let (from, to) =
            (self.spans.iter().map(|span| span.from).min()?, self.spans.iter().map(|span| span.to).max()?);
        Some([(first.into(), u64::from(last) + 1), (from.into(), to.into())])
    }

    fn begin(&self, feature: usize) -> usize {
        if feature == 0 { 0 } else { self.ends[feature - 1] }
    }

    /// Adds cells to the feature that is being made, unless their share is nothing but rounding.
    pub(super) fn add(&mut self, feature: usize, span: Span) -> Result<()> {
        if span.share < LEAST_SHARE || span.from >= span.to {
            return Ok(());
        }
        self.pairs += u64::from(span.to - span.from);
        let begin = self.ends.last().copied().unwrap_or(0);
        let last = self.spans[begin..].last_mut();
        match last.filter(|last| {
            last.row == span.row && last.to == span.from && last.share.to_bits() == span.share.to_bits()
        }) {
            Some(last) => last.to = span.to,
            None => self.spans.push(span),
        }
        if self.pairs > MOST_PAIRS || self.spans.len() > MOST_SPANS {
            return Err(wrong(
                feature,
                "the features up to this one cover too many cells (10^8 are the most, 2^24 of them in part): pass fewer \
                 features at once, or use a coarser level",
            ));
        }
        Ok(())
    }

    /// Ends the feature that is being made.
    pub(super) fn end_feature(&mut self) {
        let begin = self.ends.last().copied().unwrap_or(0);
        self.spans[begin..].sort_by_key(|span| (span.row, span.from));
        self.ends.push(self.spans.len());
    }
}
