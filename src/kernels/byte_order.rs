//! Byte order: numbers from big endian to little endian and back.

/// Reverses the bytes of every number of this size.
#[inline(never)]
pub fn reverse(size: usize, numbers: &mut [u8]) {
    match size {
        // The compiler knows the size of these, and makes shuffles of vectors of them.
        2 => reverse_each::<2>(numbers),
        4 => reverse_each::<4>(numbers),
        8 => reverse_each::<8>(numbers),
        _ => numbers.chunks_exact_mut(size).for_each(<[u8]>::reverse),
    }
}

fn reverse_each<const SIZE: usize>(numbers: &mut [u8]) {
    numbers.as_chunks_mut::<SIZE>().0.iter_mut().for_each(|number| number.reverse());
}
