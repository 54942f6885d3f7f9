//! Copies a box of items from one strided layout to another, or fills one.
//!
//! Invariant: every index is checked by slicing; loops that lie next to each other in both layouts are
//! joined first, so a contiguous box of any rank is one `memcpy`.

/// One axis of a box: how many items, and bytes from one to the next on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) count: usize,
    pub(super) source: usize,
    pub(super) target: isize,
}

/// Copies items of a size along loops, outermost first.
pub(super) fn copy(
    source: &[u8],
    source_start: usize,
    target: &mut [u8],
    target_start: usize,
    item_size: usize,
    loops: Vec<Loop>,
) {
    let (outer, inner) = split(loops, item_size);
    if inner.source == item_size && inner.target == item_size.cast_signed() {
        let length = inner.count * item_size;
        return each(&outer, source_start, target_start, &mut |from, to| {
            target[to..to + length].copy_from_slice(&source[from..from + length]);
        });
    }
    let mut row = |from: usize, to: usize| match item_size {
        1 => copy_items::<1>(source, from, target, to, inner),
        2 => copy_items::<2>(source, from, target, to, inner),
        4 => copy_items::<4>(source, from, target, to, inner),
        8 => copy_items::<8>(source, from, target, to, inner),
        _ => each(&[inner], from, to, &mut |from, to| {
            target[to..to + item_size].copy_from_slice(&source[from..from + item_size]);
        }),
    };
    each(&outer, source_start, target_start, &mut row);
}

/// Writes one item along loops, outermost first.
pub(super) fn fill(item: &[u8], target: &mut [u8], target_start: usize, loops: Vec<Loop>) {
    let (outer, inner) = split(loops, item.len());
    if inner.target == item.len().cast_signed() {
        let length = inner.count * item.len();
        return each(&outer, 0, target_start, &mut |_, to| {
            target[to..to + length]
                .chunks_exact_mut(item.len())
                .for_each(|place| place.copy_from_slice(item));
        });
    }
    let mut row = |_, to| {
        each(&[inner], 0, to, &mut |_, to| target[to..to + item.len()].copy_from_slice(item));
    };
    each(&outer, 0, target_start, &mut row);
}

/// One row of items whose size the compiler knows.
fn copy_items<const SIZE: usize>(source: &[u8], from: usize, target: &mut [u8], to: usize, row: Loop) {
    let (mut from, mut to) = (from, to);
    for _ in 0..row.count {
        target[to..to + SIZE].copy_from_slice(&source[from..from + SIZE]);
        from = from.wrapping_add(row.source);
        to = to.wrapping_add_signed(row.target);
    }
}

/// Joins loops where that is possible; the innermost one stands apart.
fn split(loops: Vec<Loop>, item_size: usize) -> (Vec<Loop>, Loop) {
    let mut joined: Vec<Loop> = Vec::with_capacity(loops.len());
    for next in loops.into_iter().filter(|next| next.count != 1) {
        let touches = |last: &Loop| {
            last.source == next.source * next.count && last.target == next.target * next.count.cast_signed()
        };
        match joined.last_mut() {
            Some(last) if touches(last) => *last = Loop { count: last.count * next.count, ..next },
            _ => joined.push(next),
        }
    }
    let one_item = Loop { count: 1, source: item_size, target: item_size.cast_signed() };
    let inner = joined.pop().unwrap_or(one_item);
    (joined, inner)
}

/// Calls with the position on either side for every step of the loops. At most 63 deep: a loop of one step was dropped.
fn each(loops: &[Loop], from: usize, to: usize, row: &mut impl FnMut(usize, usize)) {
    let Some((first, rest)) = loops.split_first() else { return row(from, to) };
    let (mut from, mut to) = (from, to);
    for _ in 0..first.count {
        each(rest, from, to, row);
        from = from.wrapping_add(first.source);
        to = to.wrapping_add_signed(first.target);
    }
}
