//! `numcodecs.crc32`: zlib's four-byte checksum, little endian, by default before the data.
//!
//! Spec: <https://numcodecs.readthedocs.io/en/stable/checksum32.html>
//!
//! ```json
//! { "name": "numcodecs.crc32", "configuration": { "location": "end" } }
//! ```

use std::sync::OnceLock;

use rectilinear_zarr_kernels::checksums::crc::Tables;
use rectilinear_zarr_kernels::checksums::fold::folded;

pub(crate) const NAME: &str = "numcodecs.crc32";

/// The polynomial of IEEE 802.3, bits reversed.
const POLYNOMIAL: u32 = 0xedb8_8320;

pub(crate) fn checksum(data: &[u8]) -> u32 {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    let tables = TABLES.get_or_init(|| Tables::new(POLYNOMIAL));
    match folded(data) {
        Some((folded, rest)) => !tables.remainder(tables.remainder(0, folded.as_flattened()), rest),
        None => tables.checksum(data),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_the_catalogue() {
        assert_eq!(super::checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(super::checksum(b""), 0);
    }

    #[test]
    fn folded_bytes_have_the_remainder_of_all() {
        let data: Vec<u8> = (0..40_000u32).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
        let tables = super::Tables::new(super::POLYNOMIAL);
        for start in [0, 1, 15] {
            for stop in (16_300..16_500).chain((data.len() - 40..=data.len()).step_by(3)) {
                let part = &data[start..stop];
                assert_eq!(super::checksum(part), tables.checksum(part), "{start} to {stop}");
            }
        }
        let mut other = data.clone();
        for place in (0..data.len()).step_by(997) {
            other[place] ^= 1;
            assert_ne!(super::checksum(&other), super::checksum(&data), "{place}");
            other[place] ^= 1;
        }
    }
}
