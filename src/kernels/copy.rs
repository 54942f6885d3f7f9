//! Copies items from one strided layout to another, or fills a layout with one item: boxes, and lists of positions.
//!
//! Invariant: every index is checked by slicing; loops that are contiguous in both layouts are joined first,
//! so a contiguous box of any rank is one `memcpy`.

use crate::vector::{LANES, Vector};

/// The loops of a copy, or of a fill, which uses the target's side only; positions are in bytes.
#[derive(Debug, Default)]
pub struct Walk {
    /// Position of the first item in the source.
    pub source: usize,
    /// Position of the first item in the target.
    pub target: usize,
    /// The loops, outermost first.
    pub loops: Vec<Loop>,
}

/// One axis of a copy.
#[derive(Debug)]
pub enum Loop {
    /// Evenly spaced steps.
    Run {
        /// Number of steps.
        count: usize,
        /// Bytes from one step to the next in the source.
        source: usize,
        /// Bytes from one step to the next in the target.
        target: isize,
    },
    /// Offsets in bytes of each position, in the source and in the target.
    List(Vec<(usize, usize)>),
}

/// Steps along the innermost axis.
#[derive(Debug, Clone, Copy)]
struct Row {
    count: usize,
    source: usize,
    target: isize,
}

/// The longest rows that are copied vector by vector: 512 bytes. In WebAssembly, `memcpy` is a call out of the module.
const SHORT: usize = 512;

/// Number of items that are converted at a time where they are not contiguous.
const BLOCK: usize = 256;

/// Copies items of `item_size` bytes.
#[inline(never)]
pub fn copy(source: &[u8], target: &mut [u8], item_size: usize, walk: Walk) {
    let (from, to) = (walk.source, walk.target);
    let (outer, inner) = split(walk.loops, item_size);
    let length = inner.count * item_size;
    if let [outer @ .., Loop::Run { count, source: apart, target: away }] = outer.as_slice()
        && is_contiguous(inner, item_size)
        && (LANES..=SHORT).contains(&length)
    {
        let rows = Row { count: *count, source: *apart, target: *away };
        return each(outer, from, to, &mut |from, to| copy_rows(source, from, target, to, length, rows));
    }
    each(&outer, from, to, &mut |from, to| copy_row(source, from, target, to, item_size, inner));
}

/// Copies items and converts them on the way, possibly to another size: `make` gets contiguous items and writes
/// contiguous results.
pub fn convert(
    source: &[u8],
    target: &mut [u8],
    size: usize,
    new_size: usize,
    walk: Walk,
    make: &mut impl FnMut(&[u8], &mut [u8]),
) {
    let (from, to) = (walk.source, walk.target);
    let (outer, inner) = split(walk.loops, size);
    if inner.count == 1 || inner.source == size && inner.target == new_size.cast_signed() {
        return each(&outer, from, to, &mut |from, to| {
            make(&source[from..from + inner.count * size], &mut target[to..to + inner.count * new_size]);
        });
    }
    let count = inner.count.min(BLOCK);
    let (mut old, mut new) = (vec![0; count * size], vec![0; count * new_size]);
    let blocks = Row {
        count: inner.count / count,
        source: inner.source * count,
        target: inner.target * count.cast_signed(),
    };
    let rest = inner.count % count;
    let mut block = |from: usize, to: usize, count: usize| {
        let (old, new) = (&mut old[..count * size], &mut new[..count * new_size]);
        let gathered = Row { count, source: inner.source, target: size.cast_signed() };
        copy_row(source, from, old, 0, size, gathered);
        make(old, new);
        let scattered = Row { count, source: new_size, target: inner.target };
        copy_row(new, 0, target, to, new_size, scattered);
    };
    each(&outer, from, to, &mut |from, to| {
        steps(blocks, from, to, &mut |from, to| block(from, to, count));
        if rest > 0 {
            let from = from.wrapping_add(blocks.source * blocks.count);
            block(from, to.wrapping_add_signed(blocks.target * blocks.count.cast_signed()), rest);
        }
    });
}

/// Copies one row of items.
fn copy_row(source: &[u8], from: usize, target: &mut [u8], to: usize, item_size: usize, row: Row) {
    let is_contiguous = is_contiguous(row, item_size);
    match item_size {
        // With a constant size, copies of single items are cheap.
        1 if row.count == 1 || !is_contiguous => copy_items::<1>(source, from, target, to, row),
        2 if row.count == 1 || !is_contiguous => copy_items::<2>(source, from, target, to, row),
        4 if row.count == 1 || !is_contiguous => copy_items::<4>(source, from, target, to, row),
        8 if row.count == 1 || !is_contiguous => copy_items::<8>(source, from, target, to, row),
        _ if is_contiguous => {
            let length = row.count * item_size;
            target[to..to + length].copy_from_slice(&source[from..from + length]);
        }
        _ => steps(row, from, to, &mut |from, to| {
            target[to..to + item_size].copy_from_slice(&source[from..from + item_size]);
        }),
    }
}

/// Copies rows of `length` bytes, at least one vector long.
fn copy_rows(source: &[u8], from: usize, target: &mut [u8], to: usize, length: usize, rows: Row) {
    let (mut from, mut to) = (from, to);
    for _ in 0..rows.count {
        copy_short(&source[from..from + length], &mut target[to..to + length]);
        from = from.wrapping_add(rows.source);
        to = to.wrapping_add_signed(rows.target);
    }
}

/// Copies between slices of equal length, at least one vector long; the last vector may overlap the one before it.
#[inline(always)]
fn copy_short(source: &[u8], target: &mut [u8]) {
    if let (Some(last), Some(place)) = (source.last_chunk(), target.last_chunk_mut()) {
        *place = Vector::load(last).bytes();
    }
    // Two at a time: the compiler turns a loop over single vectors into `memcpy`.
    let (pairs, rest) = source.as_chunks::<LANES>().0.as_chunks();
    let (places, rest_of_places) = target.as_chunks_mut::<LANES>().0.as_chunks_mut();
    for ([one, other], [place, next]) in pairs.iter().zip(places) {
        let (one, other) = (Vector::load(one), Vector::load(other));
        (*place, *next) = (one.bytes(), other.bytes());
    }
    if let (Some(one), Some(place)) = (rest.first(), rest_of_places.first_mut()) {
        *place = Vector::load(one).bytes();
    }
}

/// Whether items are contiguous on both sides.
fn is_contiguous(row: Row, item_size: usize) -> bool {
    row.source == item_size && row.target == item_size.cast_signed()
}

/// Writes one item to every position.
#[inline(never)]
pub fn fill(item: &[u8], target: &mut [u8], walk: Walk) {
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

/// Calls `item` with the source and target positions of every item of `item_size` bytes.
pub fn each_item(walk: Walk, item_size: usize, item: &mut impl FnMut(usize, usize)) {
    let (outer, inner) = split(walk.loops, item_size);
    each(&outer, walk.source, walk.target, &mut |from, to| steps(inner, from, to, item));
}

/// Copies one row of items of a constant size.
fn copy_items<const SIZE: usize>(source: &[u8], from: usize, target: &mut [u8], to: usize, row: Row) {
    let (mut from, mut to) = (from, to);
    for _ in 0..row.count {
        target[to..to + SIZE].copy_from_slice(&source[from..from + SIZE]);
        from = from.wrapping_add(row.source);
        to = to.wrapping_add_signed(row.target);
    }
}

/// Joins loops where possible, and separates the innermost run, or a single item where a list is innermost.
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

/// Calls `item` with the source and target positions of every step of a row.
fn steps(row: Row, from: usize, to: usize, item: &mut impl FnMut(usize, usize)) {
    let (mut from, mut to) = (from, to);
    for _ in 0..row.count {
        item(from, to);
        from = from.wrapping_add(row.source);
        to = to.wrapping_add_signed(row.target);
    }
}

/// Calls `row` with the source and target positions of every step of the loops. At most 64 deep: an array has at most
/// 64 axes.
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
