//! `numcodecs.fletcher32`: the checksum of HDF5 and netCDF-4, four bytes little endian after the data.
//!
//! It sums big-endian words of two bytes; a last odd byte is the high half of a word. It differs from the textbook
//! Fletcher-32: where the remainder would be 0, the sums may be 65535.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/checksum32.html>
//!
//! ```json
//! { "name": "numcodecs.fletcher32" }
//! ```

pub(crate) const NAME: &str = "numcodecs.fletcher32";

/// Number of words that can be added to folded sums before these could overflow 32 bits.
const STRIDE: usize = 360;

pub(crate) fn checksum(data: &[u8]) -> u32 {
    let (mut sum, mut sum_of_sums) = (0u32, 0u32);
    let (words, odd) = data.as_chunks::<2>();
    for part in words.chunks(STRIDE) {
        for word in part {
            sum += u32::from(u16::from_be_bytes(*word));
            sum_of_sums += sum;
        }
        (sum, sum_of_sums) = (fold(sum), fold(sum_of_sums));
    }
    if let [odd] = odd {
        sum += u32::from(*odd) << 8;
        sum_of_sums += sum;
        (sum, sum_of_sums) = (fold(sum), fold(sum_of_sums));
    }
    fold(sum_of_sums) << 16 | fold(sum)
}

/// A number congruent to the sum modulo 65535, below 2^17.
fn fold(sum: u32) -> u32 {
    (sum & 0xffff) + (sum >> 16)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    /// The values are numcodecs'.
    #[test]
    fn known_values() {
        assert_eq!(checksum(b""), 0);
        assert_eq!(checksum(b"a"), 0x6100_6100);
        assert_eq!(checksum(b"abcde"), 0x4ff0_29c7);
        assert_eq!(checksum(b"abcdef"), 0x5056_2a2d);
        assert_eq!(checksum(&[0xff; 2000]), 0xffff_ffff);
        let mut long: Vec<u8> = (0..=255).collect::<Vec<u8>>().repeat(9);
        long.push(b'x');
        assert_eq!(checksum(&long), 0xb6e2_3a3e);
    }
}
