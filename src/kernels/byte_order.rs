//! Byte order: numbers from big endian to little endian and back.

/// Reverses the bytes of each number of `size` bytes in place.
#[inline(never)]
pub fn reverse(size: usize, numbers: &mut [u8]) {
    match size {
        // With a constant size, the compiler emits vector shuffles.
        2 => reverse_each::<2>(numbers),
        4 => reverse_each::<4>(numbers),
        8 => reverse_each::<8>(numbers),
        _ => numbers.chunks_exact_mut(size).for_each(<[u8]>::reverse),
    }
}

fn reverse_each<const SIZE: usize>(numbers: &mut [u8]) {
    numbers.as_chunks_mut::<SIZE>().0.iter_mut().for_each(|number| number.reverse());
}

/// Copies numbers of `size` bytes and reverses the bytes of each.
#[inline(never)]
pub fn reversed(size: usize, from: &[u8], to: &mut [u8]) {
    match size {
        2 => copied(from, to, |number| u16::from_be_bytes(number).to_le_bytes()),
        4 => copied(from, to, |number| u32::from_be_bytes(number).to_le_bytes()),
        8 => copied(from, to, |number| u64::from_be_bytes(number).to_le_bytes()),
        _ => {
            to.copy_from_slice(from);
            reverse(size, to);
        }
    }
}

fn copied<const SIZE: usize>(from: &[u8], to: &mut [u8], turned: impl Fn([u8; SIZE]) -> [u8; SIZE]) {
    let places = to.as_chunks_mut().0.iter_mut();
    places.zip(from.as_chunks().0).for_each(|(place, number)| *place = turned(*number));
}
