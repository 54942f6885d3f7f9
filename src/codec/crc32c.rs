//! `crc32c`: a four-byte checksum (Castagnoli, little endian) after the data; always verified.
//!
//! Eight tables, built on first use: in WebAssembly, which has no carry-less multiplication, that is
//! as fast as a crate's constant tables and 8 kB smaller to download.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html>
//!
//! ```json
//! { "name": "crc32c" }
//! ```

use std::borrow::Cow;
use std::sync::OnceLock;

use super::memory::Size;
use crate::error::{Error, Quantity, Result};

pub(super) const NAME: &str = "crc32c";

/// Bytes that the checksum takes.
pub(super) const LENGTH: usize = 4;

/// The Castagnoli polynomial, bits reversed.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// The data before the checksum, which is verified.
pub(super) fn decode(encoded: Cow<'_, [u8]>, size: Size) -> Result<Cow<'_, [u8]>> {
    let Some(length) = encoded.len().checked_sub(LENGTH) else {
        return Err(Error::codec(NAME, encoded.len(), "at least the 4 bytes of the checksum"));
    };
    size.check(NAME, length)?;
    let (data, stored) = encoded.split_at(length);
    let stored = stored.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
    let computed = checksum(data);
    if stored != computed {
        return Err(Error::codec(NAME, Quantity::Checksum(computed), Quantity::Checksum(stored)));
    }
    Ok(match encoded {
        Cow::Borrowed(encoded) => Cow::Borrowed(&encoded[..length]),
        Cow::Owned(mut encoded) => {
            encoded.truncate(length);
            Cow::Owned(encoded)
        }
    })
}

fn checksum(data: &[u8]) -> u32 {
    static TABLES: OnceLock<[[u32; 256]; 8]> = OnceLock::new();
    let tables = TABLES.get_or_init(build_tables);
    let (words, rest) = data.as_chunks::<8>();
    let mut crc = u32::MAX;
    for word in words {
        let low = crc ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let [a, b, c, d] = low.to_le_bytes().map(usize::from);
        let [e, f, g, h] = [word[4], word[5], word[6], word[7]].map(usize::from);
        crc = tables[7][a]
            ^ tables[6][b]
            ^ tables[5][c]
            ^ tables[4][d]
            ^ tables[3][e]
            ^ tables[2][f]
            ^ tables[1][g]
            ^ tables[0][h];
    }
    for &byte in rest {
        crc = crc >> 8 ^ tables[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
    }
    !crc
}

fn build_tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    for (byte, entry) in (0u32..).zip(&mut tables[0]) {
        *entry = (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 });
    }
    for step in 1..8 {
        for byte in 0..256 {
            let crc = tables[step - 1][byte];
            tables[step][byte] = crc >> 8 ^ tables[0][usize::from(crc.to_le_bytes()[0])];
        }
    }
    tables
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
