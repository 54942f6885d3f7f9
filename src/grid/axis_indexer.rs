//! Coordinates that are picked along an axis, or along a chunk, and their positions in the output.
//!
//! Invariant: coordinates ascend, and each pick has an output position of its own. Output positions are
//! those of the whole read, even where coordinates are relative to a chunk in a shard. All parts that are
//! cut from a list share it, so cutting costs no memory.

use std::ops::Range;
use std::rc::Rc;

/// The coordinates picked along one axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AxisIndexer {
    /// Evenly spaced coordinates.
    Run {
        /// The lowest coordinate.
        first: u64,
        /// Distance between two neighbours, at least 1.
        step: u64,
        /// Number of coordinates.
        count: u64,
        /// Output position of the lowest coordinate; the positions of the others ascend, or descend if `reversed`.
        output: u64,
        /// Whether output positions descend as coordinates ascend.
        reversed: bool,
    },
    /// Any other coordinates; one may occur more than once.
    List(PickList),
}

/// Part of a list of picks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickList {
    all: Rc<[Pick]>,
    part: Range<usize>,
    /// Coordinate of the list that is 0 here, modulo 2^64, because a decoded chunk may begin before the array.
    origin: u64,
}

/// One pick of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The coordinate that is picked.
    pub coordinate: u64,
    /// Its position in the output.
    pub output: u64,
}

impl AxisIndexer {
    /// Every coordinate of an axis.
    #[must_use]
    pub fn whole(extent: u64) -> Self {
        Self::Run { first: 0, step: 1, count: extent, output: 0, reversed: false }
    }

    /// These coordinates, in this order: a run if they are evenly spaced, else a list.
    #[must_use]
    pub fn of(coordinates: &[u64]) -> Self {
        if let Some(run) = run_of(coordinates) {
            return run;
        }
        let mut pairs: Vec<(u64, u64)> = coordinates.iter().copied().zip(0..).collect();
        if !coordinates.is_sorted() {
            pairs.sort_unstable();
        }
        let all = pairs.into_iter().map(|(coordinate, output)| Pick { coordinate, output });
        Self::List(PickList { part: 0..coordinates.len(), all: all.collect(), origin: 0 })
    }

    /// Number of picks.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Run { count, .. } => *count,
            Self::List(list) => list.part.len() as u64,
        }
    }

    /// The lowest coordinate; `None` if nothing is picked.
    #[must_use]
    pub fn lowest(&self) -> Option<u64> {
        match self {
            Self::Run { first, count, .. } => (*count > 0).then_some(*first),
            Self::List(list) => list.picks().next().map(|pick| pick.coordinate),
        }
    }

    /// Distance from the lowest to the highest coordinate.
    #[must_use]
    pub fn reach(&self) -> u64 {
        match self {
            Self::Run { step, count, .. } => count.saturating_sub(1).saturating_mul(*step),
            Self::List(list) => match list.here() {
                [first, .., last] => last.coordinate - first.coordinate,
                _ => 0,
            },
        }
    }

    /// The greatest distance between two neighbours.
    #[must_use]
    pub fn farthest_step(&self) -> u64 {
        match self {
            Self::Run { step, .. } => *step,
            Self::List(list) => {
                let steps = list.here().windows(2).map(|pair| pair[1].coordinate - pair[0].coordinate);
                steps.max().unwrap_or_default()
            }
        }
    }

    /// The mean of the output positions' centres.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for an ordering, which needs no last digit")]
    pub fn middle(&self) -> f64 {
        match self {
            Self::Run { count, output, reversed: false, .. } => *output as f64 + *count as f64 / 2.0,
            Self::Run { count, output, reversed: true, .. } => *output as f64 + 1.0 - *count as f64 / 2.0,
            Self::List(list) => {
                let outputs = list.here().iter().map(|pick| pick.output as f64 + 0.5);
                outputs.sum::<f64>() / list.here().len().max(1) as f64
            }
        }
    }

    /// The picks divided into stretches of consecutive output positions: the first output position of each, and its
    /// picks with positions relative to that one.
    #[must_use]
    pub fn stretches(&self) -> Vec<(u64, Self)> {
        match self {
            Self::Run { first, step, count, output, reversed } => {
                let start = if *reversed { output + 1 - count } else { *output };
                let (first, step, count, reversed) = (*first, *step, *count, *reversed);
                vec![(start, Self::Run { first, step, count, output: output - start, reversed })]
            }
            Self::List(list) => {
                let mut pairs: Vec<(u64, u64)> =
                    list.picks().map(|pick| (pick.output, pick.coordinate)).collect();
                pairs.sort_unstable();
                let stretches = pairs.chunk_by(|one, next| one.0 + 1 == next.0);
                let coordinates =
                    |stretch: &[(u64, u64)]| stretch.iter().map(|pair| pair.1).collect::<Vec<_>>();
                stretches.map(|stretch| (stretch[0].0, Self::of(&coordinates(stretch)))).collect()
            }
        }
    }

    /// These picks, with coordinates relative to the lowest one.
    #[must_use]
    pub fn from_lowest(&self) -> Self {
        match self {
            Self::Run { step, count, output, reversed, .. } => {
                Self::Run { first: 0, step: *step, count: *count, output: *output, reversed: *reversed }
            }
            Self::List(list) => {
                let origin = list.here().first().map_or(list.origin, |pick| pick.coordinate);
                Self::List(PickList { origin, ..list.clone() })
            }
        }
    }

    /// The picks of the chunk `chunks` further on in a row of equal chunks; a list stays as it is.
    #[must_use]
    pub fn further(&self, chunks: u64) -> Self {
        match *self {
            Self::Run { first, step, count, output, reversed } => {
                let places = chunks * count;
                let output = if reversed { output - places } else { output + places };
                Self::Run { first, step, count, output, reversed }
            }
            Self::List(_) => self.clone(),
        }
    }

    /// The `nth` pick in the order of coordinates: its distance from the lowest one, and an indexer of this pick alone,
    /// relative to itself.
    #[must_use]
    pub fn single(&self, nth: u64) -> (u64, Self) {
        let (distance, output) = match self {
            Self::Run { step, output, reversed, .. } => {
                (nth * step, if *reversed { output - nth } else { output + nth })
            }
            Self::List(list) => {
                let here = list.here();
                let pick = usize::try_from(nth).ok().and_then(|nth| here.get(nth)).or(here.last());
                pick.map_or((0, 0), |pick| (pick.coordinate - here[0].coordinate, pick.output))
            }
        };
        (distance, Self::Run { first: 0, step: 1, count: 1, output, reversed: false })
    }

    /// Removes the picks below `stop`, at least one, and returns them relative to `origin`, modulo 2^64.
    pub(super) fn take_below(&mut self, stop: u64, origin: u64) -> Self {
        match self {
            Self::Run { first, step, count, output, reversed } => {
                let here = (stop - *first).div_ceil(*step).min(*count);
                let taken = Self::Run {
                    first: first.wrapping_sub(origin),
                    step: *step,
                    count: here,
                    output: *output,
                    reversed: *reversed,
                };
                *count -= here;
                if *count > 0 {
                    *first += here * *step;
                    *output = if *reversed { *output - here } else { *output + here };
                }
                taken
            }
            Self::List(list) => {
                let stop = stop.wrapping_add(list.origin);
                let border = list.part.start + list.here().partition_point(|pick| pick.coordinate < stop);
                let taken = PickList {
                    all: Rc::clone(&list.all),
                    part: list.part.start..border,
                    origin: list.origin.wrapping_add(origin),
                };
                list.part.start = border;
                Self::List(taken)
            }
        }
    }
}

impl PickList {
    /// The picks in ascending order of coordinates.
    pub fn picks(&self) -> impl Iterator<Item = Pick> {
        self.here()
            .iter()
            .map(|pick| Pick { coordinate: pick.coordinate.wrapping_sub(self.origin), output: pick.output })
    }

    /// The picks of this part, with the coordinates of the whole list.
    fn here(&self) -> &[Pick] {
        &self.all[self.part.clone()]
    }
}

/// The run of evenly spaced coordinates; `None` if they are not evenly spaced.
fn run_of(coordinates: &[u64]) -> Option<AxisIndexer> {
    let &[first, ref rest @ ..] = coordinates else { return Some(AxisIndexer::whole(0)) };
    let last = rest.last().copied().unwrap_or(first);
    let step = rest.first().map_or(1, |second| second.abs_diff(first));
    let reversed = last < first;
    let goes_on = |pair: &[u64]| {
        let (low, high) = if reversed { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
        low.checked_add(step) == Some(high)
    };
    let count = coordinates.len() as u64;
    (step > 0 && coordinates.windows(2).all(goes_on)).then(|| AxisIndexer::Run {
        first: first.min(last),
        step,
        count,
        output: if reversed { count - 1 } else { 0 },
        reversed,
    })
}

/// Sorts values by a number; values with equal numbers keep their order.
#[must_use]
pub fn sorted_by_number<T>(things: Vec<T>, number: impl Fn(&T) -> u64) -> Vec<T> {
    let mut pairs: Vec<(u64, u64)> = things.iter().map(number).zip(0..).collect();
    pairs.sort_unstable();
    let mut things: Vec<Option<T>> = things.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(things.len());
    for (_, nth) in pairs {
        sorted.extend(things[usize::try_from(nth).unwrap_or(usize::MAX)].take());
    }
    sorted
}
