//! Sorting of places, by one piece of code for all that needs it: of a million, the keys lie beside the numbers.

/// Numbers by their places: by x, those of one x by y, and by themselves.
pub(super) fn sorted(mut places: Vec<([f64; 2], u32)>) -> Vec<u32> {
    places.sort_unstable_by(|([x, y], one), ([u, v], other)| {
        x.total_cmp(u).then(y.total_cmp(v)).then(one.cmp(other))
    });
    places.into_iter().map(|(_, number)| number).collect()
}
