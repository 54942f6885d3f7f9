//! Selections along each axis as a caller writes them, and their normalisation against the shape.
//!
//! The rules are those of Python's basic indexing: negative numbers count from the end, slice bounds are
//! clipped, an integer drops its axis and must be within it, missing trailing axes are whole. Lists pick
//! along their own axis only, as in zarr-python's `oindex`.

use super::AxisIndexer;
use crate::error::{Error, Gather, Result};

/// A selection along one axis, before normalisation.
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
        /// Distance from one coordinate to the next; a negative one counts down.
        step: i64,
    },
    /// These coordinates, in this order; one may occur more than once.
    List(Vec<i64>),
    /// The coordinates of the `true` entries; one entry for each coordinate of the axis.
    Mask(Vec<bool>),
}

/// The picks along one axis of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalizedAxis {
    /// The coordinates, all within the axis.
    pub picks: AxisIndexer,
    /// Whether the axis is dropped from the result's shape.
    pub dropped: bool,
}

/// The picks along every axis of an array of this shape.
///
/// # Errors
/// [`Error::Selection`]: too many axes, an index outside its axis, a step of 0, a mask of another length.
pub fn normalise(selection: &[AxisSelection], shape: &[u64]) -> Result<Vec<NormalizedAxis>> {
    if selection.len() > shape.len() {
        let reason = format!(
            "the selection has {} axes, the array has {}; give at most one entry for each axis",
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
    /// The picks along an axis of this length, or the reason why the selection is invalid.
    fn picks(&self, extent: u64) -> std::result::Result<AxisIndexer, String> {
        match self {
            Self::All => Ok(AxisIndexer::whole(extent)),
            Self::Index(index) => inside(*index, extent).map(|first| AxisIndexer::of(&[first])),
            Self::Slice { step: 0, .. } => {
                Err("the slice's step is 0; use 1 for every element, -1 for reverse order".to_owned())
            }
            Self::Slice { start, stop, step } => Ok(slice_picks(*start, *stop, *step, extent)),
            Self::List(indices) => {
                let wrapped = indices.iter().enumerate().map(|(nth, &index)| {
                    inside(index, extent).map_err(|reason| format!("entry {nth} of the list: {reason}"))
                });
                Ok(AxisIndexer::of(&wrapped.gathered()?))
            }
            Self::Mask(mask) if mask.len() as u64 != extent => Err(format!(
                "the mask has {} booleans, the axis has length {extent}; expected one boolean for each coordinate",
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

/// The coordinate of an index that may count from the end; an error if it is outside the axis.
pub(super) fn inside(index: i64, extent: u64) -> std::result::Result<u64, String> {
    let from_end = if index < 0 { i128::from(extent) } else { 0 };
    let found = u64::try_from(i128::from(index) + from_end).ok().filter(|&found| found < extent);
    found.ok_or_else(|| {
        let range = match extent {
            0 => "the axis has length 0".to_owned(),
            _ => format!("choose from -{extent} to {}", extent - 1),
        };
        format!("index {index} is outside the axis; {range}")
    })
}

/// Like Python's `slice.indices`, with the coordinates in ascending order.
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
