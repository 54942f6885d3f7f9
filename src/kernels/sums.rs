//! Running sums of numbers, which wrap around: the inverse of differences between neighbours.

/// Adds to each number of `size` bytes (1, 2, 4 or 8) the one `step` before it, first to last, within runs of `run`
/// numbers.
#[inline(never)]
pub fn add_up(numbers: &mut [u8], size: usize, run: usize, step: usize) {
    match size {
        1 => each(numbers, run, step, |one, other| [u8::wrapping_add(one[0], other[0])]),
        2 => each(numbers, run, step, |one, other| {
            u16::from_le_bytes(one).wrapping_add(u16::from_le_bytes(other)).to_le_bytes()
        }),
        4 => each(numbers, run, step, |one, other| {
            u32::from_le_bytes(one).wrapping_add(u32::from_le_bytes(other)).to_le_bytes()
        }),
        _ => each(numbers, run, step, |one, other| {
            u64::from_le_bytes(one).wrapping_add(u64::from_le_bytes(other)).to_le_bytes()
        }),
    }
}

fn each<const SIZE: usize>(
    numbers: &mut [u8],
    run: usize,
    step: usize,
    sum: impl Fn([u8; SIZE], [u8; SIZE]) -> [u8; SIZE],
) {
    for run in numbers.as_chunks_mut::<SIZE>().0.chunks_mut(run.max(1)) {
        if step == 1 {
            let mut last = [0; SIZE];
            for number in run {
                last = sum(last, *number);
                *number = last;
            }
        } else {
            for at in step..run.len() {
                run[at] = sum(run[at - step], run[at]);
            }
        }
    }
}
