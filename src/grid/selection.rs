//! What a caller asks for along each axis, and the same normalised against the shape.
//!
//! The rules are Python's basic indexing: negative numbers count from the end, slice bounds are
//! clipped, an integer drops its axis and must lie inside, missing trailing axes are whole.

use crate::error::{Error, Result};

/// A selection along one axis, as asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisSelection {
    /// The whole axis.
    All,
    /// One coordinate; the axis is dropped from the result.
    Index(i64),
    /// `start:stop:step`.
    Slice {
        /// First coordinate, or the end that the step leads away from.
        start: Option<i64>,
        /// Coordinate to stop before, or the end that the step leads to.
        stop: Option<i64>,
        /// Distance from one to the next; negative counts down.
        step: i64,
    },
}

/// The coordinates picked along one axis: `count` of them, `step` apart, from `first` upwards.
///
/// Invariant: every one is inside the axis; `step` is at least 1. Where `reversed`, the result
/// lists them downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picks {
    /// The lowest coordinate.
    pub first: u64,
    /// Distance between two neighbours.
    pub step: u64,
    /// How many.
    pub count: u64,
    /// Whether the result lists them from the highest down.
    pub reversed: bool,
    /// Whether the axis is dropped from the result's shape.
    pub dropped: bool,
}

impl Picks {
    /// Every coordinate of an axis.
    #[must_use]
    pub fn whole(extent: u64) -> Self {
        Self { first: 0, step: 1, count: extent, reversed: false, dropped: false }
    }
}

/// The picks along every axis of an array of this shape.
///
/// # Errors
/// [`Error::Selection`]: too many axes, an index outside, a step of 0.
pub fn normalise(selection: &[AxisSelection], shape: &[u64]) -> Result<Vec<Picks>> {
    if selection.len() > shape.len() {
        let reason = format!(
            "{} axes selected, the array has {}; leave trailing axes out to take them whole",
            selection.len(),
            shape.len()
        );
        return Err(Error::Selection { axis: None, reason });
    }
    let asked = selection.iter().copied().chain(std::iter::repeat(AxisSelection::All));
    shape.iter().zip(asked).enumerate().map(|(axis, (&extent, asked))| asked.picks(axis, extent)).collect()
}

impl AxisSelection {
    fn picks(self, axis: usize, extent: u64) -> Result<Picks> {
        match self {
            Self::All => Ok(Picks::whole(extent)),
            Self::Index(index) => {
                let from_end = if index < 0 { i128::from(extent) } else { 0 };
                let first = u64::try_from(i128::from(index) + from_end)
                    .ok()
                    .filter(|&first| first < extent)
                    .ok_or_else(|| {
                        let range = match extent {
                            0 => "the axis has length 0".to_owned(),
                            _ => format!("choose from -{extent} to {}", extent - 1),
                        };
                        Error::axis(axis, format!("index {index} is outside; {range}"))
                    })?;
                Ok(Picks { first, step: 1, count: 1, reversed: false, dropped: true })
            }
            Self::Slice { step: 0, .. } => {
                Err(Error::axis(axis, "a slice's step is 0; 1 takes every element, -1 takes them in reverse"))
            }
            Self::Slice { start, stop, step } => Ok(slice_picks(start, stop, step, extent)),
        }
    }
}

/// Python's `slice.indices`, turned so that it counts upwards.
fn slice_picks(start: Option<i64>, stop: Option<i64>, step: i64, extent: u64) -> Picks {
    let length = i128::from(extent);
    let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |at: Option<i64>, default: i128| match at.map(i128::from) {
        None => default,
        Some(at) if at < 0 => (at + length).clamp(low, high),
        Some(at) => at.clamp(low, high),
    };
    let (start, stop) = if step > 0 {
        (bound(start, low), bound(stop, high))
    } else {
        (bound(start, high), bound(stop, low))
    };
    let stride = step.unsigned_abs();
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = u64::try_from(distance).unwrap_or(0).div_ceil(stride);
    let lowest =
        if step > 0 || count == 0 { start } else { start - i128::from(count - 1) * i128::from(stride) };
    let first = if count == 0 { 0 } else { u64::try_from(lowest).unwrap_or(0) };
    Picks { first, step: stride, count, reversed: step < 0 && count > 1, dropped: false }
}
