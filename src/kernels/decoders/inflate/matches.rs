//! Copies of matches: repeated content, which may overlap its own copy.

use crate::vector::{LANES, Vector};

/// A match longer than this is copied by `memory.copy`, whose fixed cost is about that of copying so many bytes here.
const LONG: usize = 96;

/// Copies a match of `length` bytes from `distance` bytes before `at`; up to 15 bytes after it are overwritten.
///
/// Most matches are short. The first sixteen bytes are copied without a branch on the distance, because processors
/// predict badly which matches overlap themselves.
#[inline(always)]
pub(super) fn repeat(content: &mut [u8], distance: usize, at: usize, length: usize) {
    let Some(piece) = content[at - distance..].first_chunk() else { return };
    let repeated = Vector::load(piece).repeated(distance.min(LANES));
    content[at..at + LANES].copy_from_slice(&repeated.bytes());
    if length > LANES {
        repeat_rest(content, distance, at, length);
    }
}

/// Copies what is left of a match after its first sixteen bytes.
#[inline(never)]
fn repeat_rest(content: &mut [u8], mut distance: usize, at: usize, length: usize) {
    if length > LONG {
        repeat_long(content, distance, at, length);
        return;
    }
    if distance < LANES {
        // The pattern also repeats at every multiple of its length: at 16 or more, a copy does not overlap its source.
        distance *= LANES.div_ceil(distance);
    }
    let mut copied = LANES;
    while copied < length {
        let to = at + copied;
        let Some(&piece) = content[to - distance..].first_chunk::<LANES>() else { return };
        content[to..to + LANES].copy_from_slice(&piece);
        copied += LANES;
    }
}

/// Copies a match of any length, and overwrites no byte after it.
#[inline(never)]
pub(super) fn repeat_long(content: &mut [u8], distance: usize, at: usize, length: usize) {
    let from = at - distance;
    let mut copied = 0;
    while copied < length {
        // All copies of the pattern so far are copied at once: the stretch doubles each time.
        let stretch = (distance + copied).min(length - copied);
        content.copy_within(from..from + stretch, at + copied);
        copied += stretch;
    }
}
