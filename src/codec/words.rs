//! Eight bytes by eight as eight words, turned over: the step that both shuffles are made of.

/// Eight rows of eight bytes; the first byte of a row is the word's lowest.
pub(super) type Square = [u64; 8];

/// Byte j of word i becomes byte i of word j.
#[inline]
pub(super) fn transpose_bytes(square: &mut Square) {
    exchange(square, 4, 32, 0x0000_0000_ffff_ffff);
    exchange(square, 2, 16, 0x0000_ffff_0000_ffff);
    exchange(square, 1, 8, 0x00ff_00ff_00ff_00ff);
}

/// In each byte of the words, bit j of word i becomes bit i of word j.
#[inline]
#[cfg(feature = "blosc")]
pub(super) fn transpose_bits(square: &mut Square) {
    exchange(square, 4, 4, 0x0f0f_0f0f_0f0f_0f0f);
    exchange(square, 2, 2, 0x3333_3333_3333_3333);
    exchange(square, 1, 1, 0x5555_5555_5555_5555);
}

/// Swaps the upper parts of each word, under the shifted mask, with the lower ones of the word that is `step` on.
#[inline]
fn exchange(square: &mut Square, step: usize, shift: u32, mask: u64) {
    for upper in (0..8).filter(|row| row & step == 0) {
        let lower = upper + step;
        let differing = (square[upper] >> shift ^ square[lower]) & mask;
        square[lower] ^= differing;
        square[upper] ^= differing << shift;
    }
}
