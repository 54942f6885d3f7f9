//! Inverse of the bit shuffle, which stores the lowest bits of all items first, then the next bits, and so on.
//!
//! Only a multiple of eight items is ever shuffled: c-blosc copies any other block, and bytes after the last whole
//! item, unchanged.

use crate::unshuffle;
use crate::vector::{ByteLanes, LANES, Vector, by_turns_8};

/// Items of a block where a chunk does not state them: about 8 KiB, and 128 items at least.
#[must_use]
pub fn usual_block(item_size: usize) -> usize {
    (8192 / item_size / 8 * 8).max(128)
}

/// Restores items from rows of their bits; `planes` is scratch memory as long as `items`, unused for one-byte items.
#[inline(never)]
pub fn undo(item_size: usize, shuffled: &[u8], planes: &mut [u8], items: &mut [u8]) {
    let count = items.len() / item_size;
    if !count.is_multiple_of(8) {
        items.copy_from_slice(shuffled);
        return;
    }
    if item_size == 1 {
        join_rows(shuffled, items);
        return;
    }
    let planes = &mut planes[..items.len()];
    let (rows, rest) = shuffled.split_at(count * item_size);
    planes[rows.len()..].copy_from_slice(rest);
    if count > 0 {
        for (rows, plane) in rows.chunks_exact(count).zip(planes.chunks_exact_mut(count)) {
            join_rows(rows, plane);
        }
    }
    unshuffle::undo(item_size, planes, items);
}

/// Restores bytes from eight rows of bits: the lowest bits are in the first row, the next bits in the second, and so
/// on.
fn join_rows(rows: &[u8], bytes: &mut [u8]) {
    let length = bytes.len() / 8;
    let rows: [(&[ByteLanes], &[u8]); 8] =
        std::array::from_fn(|nth| rows[nth * length..][..length].as_chunks());
    let mut groups = bytes.chunks_exact_mut(8 * LANES);
    for (nth, bytes) in groups.by_ref().enumerate() {
        for (bytes, vector) in bytes.as_chunks_mut().0.iter_mut().zip(join(rows.map(|(row, _)| row[nth]))) {
            *bytes = vector.bytes();
        }
    }
    let last = rows.map(|(_, rest)| {
        let mut row = [0; LANES];
        row[..rest.len()].copy_from_slice(rest);
        row
    });
    let rest = groups.into_remainder();
    for (bytes, vector) in rest.chunks_mut(LANES).zip(join(last)) {
        bytes.copy_from_slice(&vector.bytes()[..bytes.len()]);
    }
}

/// Joins the bits of eight rows of sixteen bytes. Each step is written out, because the compiler turns a loop over the
/// array into loads and stores.
#[inline(always)]
fn join(rows: [ByteLanes; 8]) -> [Vector; 8] {
    let [a, b, c, d, e, f, g, h] = rows.map(|row| Vector::load(&row));
    // In each byte, bit j of row i becomes bit i of row j.
    let swap = |pair| Vector::exchange(pair, 4, 0x0f);
    let ([a, e], [b, f], [c, g], [d, h]) = (swap([a, e]), swap([b, f]), swap([c, g]), swap([d, h]));
    let swap = |pair| Vector::exchange(pair, 2, 0x33);
    let ([a, c], [b, d], [e, g], [f, h]) = (swap([a, c]), swap([b, d]), swap([e, g]), swap([f, h]));
    let swap = |pair| Vector::exchange(pair, 1, 0x55);
    let ([a, b], [c, d], [e, f], [g, h]) = (swap([a, b]), swap([c, d]), swap([e, f]), swap([g, h]));
    by_turns_8([a, b, c, d, e, f, g, h])
}
