//! `numcodecs.crc32`: zlib's four-byte checksum, little endian, by default before the data.
//!
//! Spec: <https://numcodecs.readthedocs.io/en/stable/checksum32.html>
//!
//! ```json
//! { "name": "numcodecs.crc32", "configuration": { "location": "end" } }
//! ```

use std::sync::OnceLock;

use rectilinear_zarr_kernels::checksums::crc::Tables;

pub(crate) const NAME: &str = "numcodecs.crc32";

/// The polynomial of IEEE 802.3, bits reversed.
const POLYNOMIAL: u32 = 0xedb8_8320;

pub(crate) fn checksum(data: &[u8]) -> u32 {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(POLYNOMIAL)).checksum(data)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_the_catalogue() {
        assert_eq!(super::checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(super::checksum(b""), 0);
    }
}
