//! Copies items from one strided layout to another, or fills them with one: boxes, and lists of places.
//!
//! Invariant: every index is checked by slicing; loops that lie next to each other in both layouts are
//! joined first, so a contiguous box of any rank is one `memcpy`.

use crate::vector::{LANES, Vector};

/// A copy, or the part of one on the target's side; positions are in bytes.
#[derive(Debug, Default)]
pub struct Walk {
    /// Where the copy begins in the source.
    pub source: usize,
    /// Where it begins in the target.
    pub target: usize,
    /// Its loops, outermost first.
    pub loops: Vec<Loop>,
}

/// One axis of a copy.
#[derive(Debug)]
pub enum Loop {
    /// Steps of one length.
    Run {
        /// How many.
        count: usize,
        /// Bytes from one to the next in the source.
        source: usize,
        /// Bytes from one to the next in the target.
        target: isize,
    },
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

/// The longest rows of bytes that are copied vector by vector: 512 bytes. In WebAssembly, `memcpy` is a call out of it.
const SHORT: usize = 512;

/// Items that are converted at a time where they do not lie one after the other.
const BLOCK: usize = 256;

/// Copies items of a size.
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

/// Copies items that something is made of on the way, of another size maybe; it is made of many that lie one after the
/// other, and lies there so.
pub fn convert(
    source: &[u8],
    target: &mut [u8],
    (size, new_size): (usize, usize),
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

/// One row of items of a size.
fn copy_row(source: &[u8], from: usize, target: &mut [u8], to: usize, item_size: usize, row: Row) {
    let is_contiguous = is_contiguous(row, item_size);
    match item_size {
        // The compiler knows the size of these, which makes single items cheap.
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

/// Rows of so many bytes, of a vector at least.
fn copy_rows(source: &[u8], from: usize, target: &mut [u8], to: usize, length: usize, rows: Row) {
    let (mut from, mut to) = (from, to);
    for _ in 0..rows.count {
        copy_short(&source[from..from + length], &mut target[to..to + length]);
        from = from.wrapping_add(rows.source);
        to = to.wrapping_add_signed(rows.target);
    }
}

/// Copies between slices of one length, a vector at least; the last vector may overlap the one before.
#[inline(always)]
fn copy_short(source: &[u8], target: &mut [u8]) {
    if let (Some(last), Some(place)) = (source.last_chunk(), target.last_chunk_mut()) {
        *place = Vector::load(last).bytes();
    }
    // Two at a time: of a loop over single vectors the compiler makes `memcpy`.
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

/// Whether items lie one after the other on both sides.
fn is_contiguous(row: Row, item_size: usize) -> bool {
    row.source == item_size && row.target == item_size.cast_signed()
}

/// Writes one item to every place.
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

/// Calls with the position on either side of every item, of a size.
pub fn each_item(walk: Walk, item_size: usize, item: &mut impl FnMut(usize, usize)) {
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
