//! Bit shuffle, undone: the lowest bits of all items, then the next bits, and so on, back into items.
//!
//! Only a multiple of eight items is ever shuffled; c-blosc leaves any other block as it is, and so
//! it does with bytes after the last whole item.

use crate::codec::unshuffle;
use crate::codec::words::{Square, transpose_bits, transpose_bytes};

/// Items from rows of their bits; `planes` has room for them where an item is more than a byte.
pub(super) fn undo(item_size: usize, shuffled: &[u8], planes: &mut [u8], items: &mut [u8]) {
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

/// The bytes whose lowest bits are in the first of eight rows, whose next bits in the second, and so on.
fn join_rows(rows: &[u8], bytes: &mut [u8]) {
    let length = bytes.len() / 8;
    let row = |nth: usize| &rows[nth * length..(nth + 1) * length];
    let rows: [(&[[u8; 8]], &[u8]); 8] = std::array::from_fn(|nth| row(nth).as_chunks());
    let (squares, rest) = bytes.as_chunks_mut::<64>();
    for (nth, bytes) in squares.iter_mut().enumerate() {
        let mut square = rows.map(|(words, _)| u64::from_le_bytes(words[nth]));
        join(&mut square);
        for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(square) {
            *bytes = word.to_le_bytes();
        }
    }
    let mut square =
        rows.map(|(_, rest)| rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    join(&mut square);
    for (bytes, word) in rest.as_chunks_mut::<8>().0.iter_mut().zip(square) {
        *bytes = word.to_le_bytes();
    }
}

#[inline]
fn join(square: &mut Square) {
    transpose_bits(square);
    transpose_bytes(square);
}
