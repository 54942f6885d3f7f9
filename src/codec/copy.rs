//! Copies items from one strided layout to another, or fills them with one: boxes, and lists of places.
//!
//! Invariant: every index is checked by slicing; loops that lie next to each other in both layouts are
//! joined first, so a contiguous box of any rank is one `memcpy`.

/// Where a copy begins on either side, in bytes, and its loops, outermost first.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) loops: Vec<Loop>,
}

/// One axis of a copy.
#[derive(Debug)]
pub(super) enum Loop {
    /// So many steps, and the bytes from one to the next on either side.
    Run { count: usize, source: usize, target: isize },
    /// The bytes from the beginning to each place on either side.
    List(Vec<(usize, usize)>),
}

/// Steps along the innermost axis.
#[derive(Debug, Clone, Copy)]
struct Row {
    count: usize,
    source: usize,
    target: isize,
}

/// Copies items of a size.
pub(super) fn copy(source: &[u8], target: &mut [u8], item_size: usize, walk: Walk) {
    let (from, to) = (walk.source, walk.target);
    let (outer, inner) = split(walk.loops, item_size);
    let is_contiguous = inner.source == item_size && inner.target == item_size.cast_signed();
    let mut row = |from: usize, to: usize| match item_size {
        // The compiler knows the size of these, which makes single items cheap.
        1 if inner.count == 1 || !is_contiguous => copy_items::<1>(source, from, target, to, inner),
        2 if inner.count == 1 || !is_contiguous => copy_items::<2>(source, from, target, to, inner),
        4 if inner.count == 1 || !is_contiguous => copy_items::<4>(source, from, target, to, inner),
        8 if inner.count == 1 || !is_contiguous => copy_items::<8>(source, from, target, to, inner),
        _ if is_contiguous => {
            let length = inner.count * item_size;
            target[to..to + length].copy_from_slice(&source[from..from + length]);
        }
        _ => steps(inner, from, to, &mut |from, to| {
            target[to..to + item_size].copy_from_slice(&source[from..from + item_size]);
        }),
    };
    each(&outer, from, to, &mut row);
}

/// Writes one item to every place.
pub(super) fn fill(item: &[u8], target: &mut [u8], walk: Walk) {
    let to = walk.target;
    let (outer, inner) = split(walk.loops, item.len());
    if inner.target == item.len().cast_signed() {
        let length = inner.count * item.len();
        return each(&outer, 0, to, &mut |_, to| {
            target[to..to + length]
                .chunks_exact_mut(item.len())
                .for_each(|place| place.copy_from_slice(item));
        });
    }
    let mut row = |_, to| {
        steps(inner, 0, to, &mut |_, to| target[to..to + item.len()].copy_from_slice(item));
    };
    each(&outer, 0, to, &mut row);
}

/// Calls with the position on either side of every item, of a size.
pub(super) fn each_item(walk: Walk, item_size: usize, item: &mut impl FnMut(usize, usize)) {
    let (outer, inner) = split(walk.loops, item_size);
    each(&outer, walk.source, walk.target, &mut |from, to| steps(inner, from, to, item));
}

/// One row of items whose size the compiler knows.
fn copy_items<const SIZE: usize>(source: &[u8], from: usize, target: &mut [u8], to: usize, row: Row) {
    let (mut from, mut to) = (from, to);
    for _ in 0..row.count {
        target[to..to + SIZE].copy_from_slice(&source[from..from + SIZE]);
        from = from.wrapping_add(row.source);
        to = to.wrapping_add_signed(row.target);
    }
}

/// Joins loops where that is possible; the innermost run stands apart, or one item where a list is innermost.
fn split(loops: Vec<Loop>, item_size: usize) -> (Vec<Loop>, Row) {
    let mut joined: Vec<Loop> = Vec::with_capacity(loops.len());
    for next in loops {
        match (joined.last_mut(), next) {
            (_, Loop::Run { count: 1, .. }) => {}
            (
                Some(Loop::Run { count: outer, source: far, target: away }),
                Loop::Run { count, source, target },
            ) if *far == source * count && *away == target * count.cast_signed() => {
                (*outer, *far, *away) = (*outer * count, source, target);
            }
            (_, next) => joined.push(next),
        }
    }
    let inner = match joined.pop() {
        Some(Loop::Run { count, source, target }) => Row { count, source, target },
        list => {
            joined.extend(list);
            Row { count: 1, source: item_size, target: item_size.cast_signed() }
        }
    };
    (joined, inner)
}

/// Calls with the position on either side for every step of a row.
fn steps(row: Row, from: usize, to: usize, item: &mut impl FnMut(usize, usize)) {
    let (mut from, mut to) = (from, to);
    for _ in 0..row.count {
        item(from, to);
        from = from.wrapping_add(row.source);
        to = to.wrapping_add_signed(row.target);
    }
}

/// Calls with the position on either side for every step of the loops. At most 64 deep, the most axes of an array.
fn each(loops: &[Loop], from: usize, to: usize, row: &mut impl FnMut(usize, usize)) {
    match loops.split_first() {
        None => row(from, to),
        Some((Loop::Run { count, source, target }, rest)) => {
            let run = Row { count: *count, source: *source, target: *target };
            steps(run, from, to, &mut |from, to| each(rest, from, to, row));
        }
        Some((Loop::List(places), rest)) => {
            for &(source, target) in places {
                each(rest, from.wrapping_add(source), to.wrapping_add(target), row);
            }
        }
    }
}
