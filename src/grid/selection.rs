//! Selections along each axis as a caller writes them, and normalised against the shape.
//!
//! The rules are Python's basic indexing: negative numbers count from the end, slice bounds are
//! clipped, an integer drops its axis and must lie inside, missing trailing axes are whole. Lists pick
//! along their own axis alone, whatever the other axes have: zarr-python's `oindex`.

use super::AxisIndexer;
use crate::error::{Error, Gather, Result};

/// A selection along one axis, as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// These coordinates, in this order; any may come more than once.
    List(Vec<i64>),
    /// The coordinates where there is `true`; as many entries as the axis is long.
    Mask(Vec<bool>),
}

/// The picks along one axis of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalizedAxis {
    /// The coordinates, all of them inside.
    pub picks: AxisIndexer,
    /// Whether the axis is dropped from the result's shape.
    pub dropped: bool,
}

/// The picks along every axis of an array of this shape.
///
/// # Errors
/// [`Error::Selection`]: too many axes, an index outside, a step of 0, a mask of another length.
pub fn normalise(selection: &[AxisSelection], shape: &[u64]) -> Result<Vec<NormalizedAxis>> {
    if selection.len() > shape.len() {
        let reason = format!(
            "{} axes selected, the array has {}; leave trailing axes out to take them whole",
            selection.len(),
            shape.len()
        );
        return Err(Error::Selection { axis: None, reason });
    }
    let asked = selection.iter().chain(std::iter::repeat(&AxisSelection::All));
    let picked = |(axis, (&extent, asked)): (usize, (&u64, &AxisSelection))| {
        let picks = asked.picks(extent).map_err(|reason| Error::axis(axis, reason))?;
        Ok(NormalizedAxis { picks, dropped: matches!(asked, AxisSelection::Index(_)) })
    };
    shape.iter().zip(asked).enumerate().map(picked).gathered()
}

impl AxisSelection {
    /// The picks along an axis of this length, or the reason why there can be none.
    fn picks(&self, extent: u64) -> std::result::Result<AxisIndexer, String> {
        match self {
            Self::All => Ok(AxisIndexer::whole(extent)),
            Self::Index(index) => inside(*index, extent).map(|first| AxisIndexer::of(&[first])),
            Self::Slice { step: 0, .. } => {
                Err("a slice's step is 0; 1 takes every element, -1 takes them in reverse".to_owned())
            }
            Self::Slice { start, stop, step } => Ok(slice_picks(*start, *stop, *step, extent)),
            Self::List(indices) => {
                let wrapped = indices.iter().enumerate().map(|(nth, &index)| {
                    inside(index, extent).map_err(|reason| format!("entry {nth} of the list: {reason}"))
                });
                Ok(AxisIndexer::of(&wrapped.gathered()?))
            }
            Self::Mask(mask) if mask.len() as u64 != extent => Err(format!(
                "a list of {} booleans for an axis of length {extent}; expected one for each coordinate",
                mask.len()
            )),
            Self::Mask(mask) => {
                let picked =
                    (0..).zip(mask).filter_map(|(coordinate, &is_picked)| is_picked.then_some(coordinate));
                Ok(AxisIndexer::of(&picked.collect::<Vec<u64>>()))
            }
        }
    }
}

/// The coordinate that an index, negative from the end, means; or that it is outside.
pub(super) fn inside(index: i64, extent: u64) -> std::result::Result<u64, String> {
    let from_end = if index < 0 { i128::from(extent) } else { 0 };
    let found = u64::try_from(i128::from(index) + from_end).ok().filter(|&found| found < extent);
    found.ok_or_else(|| {
        let range = match extent {
            0 => "the axis has length 0".to_owned(),
            _ => format!("choose from -{extent} to {}", extent - 1),
        };
        format!("index {index} is outside; {range}")
    })
}

/// Python's `slice.indices`, turned so that it counts upwards.
fn slice_picks(start: Option<i64>, stop: Option<i64>, step: i64, extent: u64) -> AxisIndexer {
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
    let reversed = step < 0 && count > 1;
    AxisIndexer::Run { first, step: stride, count, output: if reversed { count - 1 } else { 0 }, reversed }
}
