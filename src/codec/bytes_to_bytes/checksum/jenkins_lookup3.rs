//! `numcodecs.jenkins_lookup3`: the hash that HDF5 uses for its metadata, four bytes little endian after the data.
//!
//! numcodecs can hash a `prefix` of bytes before the data, but defines no JSON form of it: a prefix other than null is
//! not supported.
//! Specs: <https://numcodecs.readthedocs.io/en/stable/checksum32.html> and
//! <https://www.burtleburtle.net/bob/c/lookup3.c> (`hashlittle`)
//!
//! ```json
//! { "name": "numcodecs.jenkins_lookup3", "configuration": { "initval": 0, "prefix": null } }
//! ```

pub(crate) const NAME: &str = "numcodecs.jenkins_lookup3";

pub(crate) fn checksum(data: &[u8], initial: u32) -> u32 {
    // The hash takes the length modulo 2^32.
    let [d, e, f, g, ..] = (data.len() as u64).to_le_bytes();
    let start = 0xdead_beef_u32.wrapping_add(u32::from_le_bytes([d, e, f, g])).wrapping_add(initial);
    let mut state = [start; 3];
    if data.is_empty() {
        return start;
    }
    // The last block, complete or not, has a mixing step of its own.
    let (blocks, last) = data.split_at((data.len() - 1) / 12 * 12);
    for block in blocks.as_chunks::<12>().0 {
        mix(add(state, block), &mut state);
    }
    let mut padded = [0; 12];
    padded[..last.len()].copy_from_slice(last);
    finish(add(state, &padded))
}

/// The state plus a block of three little-endian words.
fn add(state: [u32; 3], block: &[u8; 12]) -> [u32; 3] {
    let words = block.as_chunks::<4>().0;
    [0, 1, 2].map(|i| state[i].wrapping_add(u32::from_le_bytes(words[i])))
}

fn mix([mut a, mut b, mut c]: [u32; 3], state: &mut [u32; 3]) {
    for rotations in [[4, 6, 8], [16, 19, 4]] {
        a = a.wrapping_sub(c) ^ c.rotate_left(rotations[0]);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(rotations[1]);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(rotations[2]);
        b = b.wrapping_add(a);
    }
    *state = [a, b, c];
}

fn finish([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}

#[cfg(test)]
mod tests {
    use super::checksum;

    /// The values that lookup3.c states for its own test.
    #[test]
    fn known_values() {
        assert_eq!(checksum(b"", 0), 0xdead_beef);
        assert_eq!(checksum(b"", 0xdead_beef), 0xbd5b_7dde);
        assert_eq!(checksum(b"Four score and seven years ago", 0), 0x1777_0551);
        assert_eq!(checksum(b"Four score and seven years ago", 1), 0xcd62_8161);
    }

    /// The values are numcodecs'.
    #[test]
    fn every_length_of_the_last_block() {
        let data: Vec<u8> = (1..40).collect();
        let expected = [
            0xdead_bef6,
            0x5543_253f,
            0xacc5_d8fa,
            0xd5cc_1e8c,
            0x162a_259c,
            0x692d_60c1,
            0x5f7d_e53d,
            0x50af_b07d,
            0xe976_a356,
            0x627b_b05b,
            0xa40e_c602,
            0x2cca_065d,
            0x6268_adb9,
            0x7f2a_0b31,
            0x273d_9e32,
            0xf721_66a5,
            0xb783_7390,
            0xa1ad_4924,
            0x3845_1f88,
            0x07bf_4189,
            0xf40e_df29,
            0x2dda_d04d,
            0x9f1c_48a0,
            0x6b9b_36b8,
            0xe555_b2c2,
            0x2d00_0bb1,
            0x77da_b33d,
        ];
        for (length, expected) in expected.into_iter().enumerate() {
            assert_eq!(checksum(&data[..length], 7), expected, "{length} bytes");
        }
    }
}
