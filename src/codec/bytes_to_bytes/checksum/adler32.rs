//! `numcodecs.adler32`: a four-byte checksum, little endian, by default before the data.
//!
//! Specs: <https://numcodecs.readthedocs.io/en/stable/checksum32.html> and
//! <https://www.rfc-editor.org/rfc/rfc1950>, section 8.2
//!
//! ```json
//! { "name": "numcodecs.adler32", "configuration": { "location": "start" } }
//! ```

pub(crate) use rectilinear_zarr_kernels::checksums::adler::checksum;

pub(crate) const NAME: &str = "numcodecs.adler32";

#[cfg(test)]
mod tests {
    use rectilinear_zarr_kernels::checksums::adler::STRIDE;

    use super::checksum;

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
