//! Inverse of the byte shuffle, which stores the first bytes of all items first, then the second bytes, and so on.
//!
//! Bytes after the last whole item are not shuffled.

use super::vector::{ByteLanes, LANES, Vector, by_turns_2, by_turns_4, by_turns_8};

/// Restores items from planes of their bytes; both slices have the same length.
#[inline(never)]
pub fn undo(item_size: usize, shuffled: &[u8], items: &mut [u8]) {
    let count = items.len() / item_size;
    let (shuffled, rest) = shuffled.split_at(count * item_size);
    let (items, rest_of_items) = items.split_at_mut(count * item_size);
    rest_of_items.copy_from_slice(rest);
    match item_size {
        1 => items.copy_from_slice(shuffled),
        2 => whole_items(by_turns_2, shuffled, items),
        4 => whole_items(by_turns_4, shuffled, items),
        8 => whole_items(by_turns_8, shuffled, items),
        size if size % 8 == 0 => eighths(item_size, shuffled, items),
        _ => bytewise(item_size, shuffled, items, 0),
    }
}

/// Restores small items, one vector of each plane at a time.
fn whole_items<const SIZE: usize>(
    by_turns: impl Fn([Vector; SIZE]) -> [Vector; SIZE],
    shuffled: &[u8],
    items: &mut [u8],
) {
    let count = items.len() / SIZE;
    let planes: [&[ByteLanes]; SIZE] =
        std::array::from_fn(|plane| shuffled[plane * count..(plane + 1) * count].as_chunks().0);
    for (nth, items) in items.chunks_exact_mut(SIZE * LANES).enumerate() {
        let vectors = by_turns(planes.map(|plane| Vector::load(&plane[nth])));
        for (items, vector) in items.as_chunks_mut().0.iter_mut().zip(vectors) {
            *items = vector.bytes();
        }
    }
    bytewise(SIZE, shuffled, items, count - count % LANES);
}

/// Restores large items, eight planes at a time.
fn eighths(item_size: usize, shuffled: &[u8], items: &mut [u8]) {
    let count = items.len() / item_size;
    for first in (0..item_size).step_by(8) {
        let planes: [&[ByteLanes]; 8] =
            std::array::from_fn(|plane| shuffled[(first + plane) * count..][..count].as_chunks().0);
        for (nth, items) in items.chunks_exact_mut(LANES * item_size).enumerate() {
            let vectors = by_turns_8(planes.map(|plane| Vector::load(&plane[nth])));
            for (pair, vector) in items.chunks_exact_mut(2 * item_size).zip(vectors) {
                let (one, other) = pair.split_at_mut(item_size);
                let bytes = vector.bytes();
                one[first..first + 8].copy_from_slice(&bytes[..8]);
                other[first..first + 8].copy_from_slice(&bytes[8..]);
            }
        }
    }
    bytewise(item_size, shuffled, items, count - count % LANES);
}

/// Restores items byte by byte, starting at item `from`.
fn bytewise(item_size: usize, shuffled: &[u8], items: &mut [u8], from: usize) {
    let count = items.len() / item_size;
    for (byte, plane) in shuffled.chunks_exact(count.max(1)).enumerate() {
        let places = items[from * item_size..].iter_mut().skip(byte).step_by(item_size);
        places.zip(&plane[from..]).for_each(|(place, &byte)| *place = byte);
    }
}
