//! Cyclic redundancy checks of 32 bits, reflected, that start from and end with all bits flipped.
//!
//! Eight tables for each polynomial, built on first use: in WebAssembly, which has no carry-less
//! multiplication, that is as fast as a crate's constant tables and 8 kB smaller to download.

/// Tables of what eight bytes in a row contribute.
pub struct Tables([[u32; 256]; 8]);

impl Tables {
    /// The tables of a polynomial, given with its bits reversed.
    pub fn new(polynomial: u32) -> Self {
        let mut tables = [[0; 256]; 8];
        for (byte, entry) in (0u32..).zip(&mut tables[0]) {
            *entry = (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ polynomial } else { crc >> 1 });
        }
        for step in 1..8 {
            for byte in 0..256 {
                let crc = tables[step - 1][byte];
                tables[step][byte] = crc >> 8 ^ tables[0][usize::from(crc.to_le_bytes()[0])];
            }
        }
        Self(tables)
    }

    /// The check of these bytes.
    #[inline(never)]
    pub fn checksum(&self, data: &[u8]) -> u32 {
        let Self(tables) = self;
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
}
