//! Copies of matches: repeated content, which may overlap its own copy.

/// A match longer than this is copied by `memory.copy`, whose fixed cost is about that of copying so many bytes here.
const LONG: usize = 96;

/// Copies a match of `length` bytes to `at`; up to 15 bytes after it are overwritten.
#[inline(always)]
pub(super) fn repeat(content: &mut [u8], from: usize, at: usize, length: usize) {
    let mut distance = at - from;
    let mut copied = 0;
    if length > LONG {
        repeat_long(content, from, at, length);
        return;
    }
    if distance < 16 {
        // The pattern also repeats at every multiple of its length: at 16 or more, a copy does not overlap its source.
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

/// Copies a match of any length, and overwrites no byte after it.
#[inline(never)]
pub(super) fn repeat_long(content: &mut [u8], from: usize, at: usize, length: usize) {
    let mut copied = 0;
    while copied < length {
        // All copies of the pattern so far are copied at once: the stretch doubles each time.
        let stretch = (at - from + copied).min(length - copied);
        content.copy_within(from..from + stretch, at + copied);
        copied += stretch;
    }
}
