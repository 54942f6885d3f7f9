//! Stable sorting by a number. It sorts pairs of numbers, as the sorting of picks does, so that one sort is compiled.

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
