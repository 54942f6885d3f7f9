//! Adler-32, the checksum of zlib (RFC 1950, section 8.2).

/// The largest prime below 2^16.
const MODULUS: u32 = 65_521;

/// Number of bytes that can be added to any remainders before a sum could exceed 2^32.
pub const STRIDE: usize = 5552;

/// The checksum of these bytes.
#[inline(never)]
pub fn checksum(data: &[u8]) -> u32 {
    let (mut sum, mut sum_of_sums) = (1, 0);
    for part in data.chunks(STRIDE) {
        // Sixteen bytes at a time: each counts in the second sum once for itself and once for every byte after it.
        let (words, rest) = part.as_chunks::<16>();
        for word in words {
            sum_of_sums += sum * 16;
            for (byte, times) in word.iter().zip((1..=16).rev()) {
                sum += u32::from(*byte);
                sum_of_sums += u32::from(*byte) * times;
            }
        }
        for &byte in rest {
            sum += u32::from(byte);
            sum_of_sums += sum;
        }
        sum %= MODULUS;
        sum_of_sums %= MODULUS;
    }
    sum_of_sums << 16 | sum
}
