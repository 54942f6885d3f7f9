//! Copies of what was written before: matches, which may reach into themselves.

/// A match longer than this is copied by the engine, whose copies cost as much to begin.
const LONG: usize = 96;

/// Copies a match of `length` bytes to `at`, and up to 15 bytes too many.
#[inline(always)]
pub(super) fn repeat(content: &mut [u8], from: usize, at: usize, length: usize) {
    let mut distance = at - from;
    let mut copied = 0;
    if length > LONG {
        repeat_long(content, from, at, length);
        return;
    }
    if distance < 16 {
        // A repeated pattern is one at every multiple of its length: from 16 on, copies do not meet themselves.
        let window = &mut content[from..at + 16];
        for place in 0..16 {
            window[distance + place] = window[place];
        }
        copied = 16;
        distance *= 16_usize.div_ceil(distance);
    }
    while copied < length {
        let to = at + copied;
        let Some(&piece) = content[to - distance..].first_chunk::<16>() else { return };
        content[to..to + 16].copy_from_slice(&piece);
        copied += 16;
    }
}

/// Copies a match of any length, and no byte too many.
#[inline(never)]
pub(super) fn repeat_long(content: &mut [u8], from: usize, at: usize, length: usize) {
    let mut copied = 0;
    while copied < length {
        // All that there is of the pattern is copied at once: it is twice as long for the next turn.
        let stretch = (at - from + copied).min(length - copied);
        content.copy_within(from..from + stretch, at + copied);
        copied += stretch;
    }
}
