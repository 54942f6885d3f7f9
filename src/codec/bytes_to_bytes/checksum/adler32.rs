//! `numcodecs.adler32`: a four-byte checksum, little endian, before the data unless it says otherwise.
//!
//! Specs: <https://numcodecs.readthedocs.io/en/stable/checksum32.html> and
//! <https://www.rfc-editor.org/rfc/rfc1950>, section 8.2
//!
//! ```json
//! { "name": "numcodecs.adler32", "configuration": { "location": "start" } }
//! ```

pub(crate) const NAME: &str = "numcodecs.adler32";

/// The largest prime below 2^16.
const MODULUS: u32 = 65_521;

/// Number of bytes that the sums can take, from any remainder, before they could pass 2^32.
const STRIDE: usize = 5552;

pub(crate) fn checksum(data: &[u8]) -> u32 {
    let (mut sum, mut sum_of_sums) = (1, 0);
    for part in data.chunks(STRIDE) {
        for &byte in part {
            sum += u32::from(byte);
            sum_of_sums += sum;
        }
        sum %= MODULUS;
        sum_of_sums %= MODULUS;
    }
    sum_of_sums << 16 | sum
}

#[cfg(test)]
mod tests {
    use super::{STRIDE, checksum};

    #[test]
    fn known_values() {
        assert_eq!(checksum(b""), 1);
        assert_eq!(checksum(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn the_largest_bytes_do_not_overflow() {
        let data = vec![0xff; 3 * STRIDE + 1];
        let slow = data.iter().fold((1u64, 0u64), |(sum, sums), &byte| {
            let sum = (sum + u64::from(byte)) % 65_521;
            (sum, (sums + sum) % 65_521)
        });
        assert_eq!(u64::from(checksum(&data)), slow.1 << 16 | slow.0);
    }
}
