//! Reflected 32-bit cyclic redundancy checks whose initial value and final XOR are all ones.
//!
//! Each polynomial has sixteen tables, built on first use. In WebAssembly, which has no carry-less
//! multiplication, they are as fast as a crate's constant tables and 8 kB smaller to download.

/// Tables of the contributions of sixteen consecutive bytes.
pub struct Tables([[u32; 256]; 16]);

impl Tables {
    /// The tables of a polynomial, given with its bits reversed.
    #[inline(never)]
    pub fn new(polynomial: u32) -> Self {
        let mut tables = [[0; 256]; 16];
        for (byte, entry) in (0u32..).zip(&mut tables[0]) {
            *entry = (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ polynomial } else { crc >> 1 });
        }
        // One loop over all tables: compilers unroll two loops to ten times the code.
        let entries = tables.as_flattened_mut();
        for at in 256..entries.len() {
            let crc = entries[at - 256];
            entries[at] = crc >> 8 ^ entries[usize::from(crc.to_le_bytes()[0])];
        }
        Self(tables)
    }

    /// The checksum of these bytes.
    pub fn checksum(&self, data: &[u8]) -> u32 {
        !self.remainder(u32::MAX, data)
    }

    /// The remainder after more bytes.
    #[inline(never)]
    pub fn remainder(&self, mut crc: u32, data: &[u8]) -> u32 {
        let Self(tables) = self;
        let (words, rest) = data.as_chunks::<16>();
        for word in words {
            let first = crc.to_le_bytes();
            crc = 0;
            for (place, &byte) in word.iter().enumerate() {
                let byte = if place < 4 { byte ^ first[place] } else { byte };
                crc ^= tables[15 - place][usize::from(byte)];
            }
        }
        for &byte in rest {
            crc = crc >> 8 ^ tables[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
        }
        crc
    }
}
