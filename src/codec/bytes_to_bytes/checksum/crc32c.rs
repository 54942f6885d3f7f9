//! `crc32c`: a four-byte checksum (Castagnoli, little endian) after the data; always verified.
//!
//! `numcodecs.crc32c` may place it before the data.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html>
//!
//! ```json
//! { "name": "crc32c" }
//! ```

use std::sync::OnceLock;

use rectilinear_zarr_kernels::checksums::crc::Tables;

pub(crate) const NAME: &str = "crc32c";
pub(crate) const NUMCODECS_NAME: &str = "numcodecs.crc32c";

/// The Castagnoli polynomial, bits reversed.
const POLYNOMIAL: u32 = 0x82f6_3b78;

pub(crate) fn checksum(data: &[u8]) -> u32 {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(POLYNOMIAL)).checksum(data)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_the_catalogue() {
        assert_eq!(super::checksum(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn every_length_and_alignment_agrees_with_another_implementation() {
        let data: Vec<u8> = (0..2000u32).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
        for start in 0..9 {
            for stop in (start..data.len()).step_by(7) {
                assert_eq!(super::checksum(&data[start..stop]), crc32c::crc32c(&data[start..stop]));
            }
        }
    }
}
