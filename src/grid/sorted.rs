//! Sorting by a number: all of it is done on pairs of numbers, as that of picks is, so that it is compiled once.

/// Things in the order of their numbers, those of one number in the order that they came in.
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
