//! Ids: twelve bytes, written in file names in Crockford's base 32.
//!
//! Spec: <https://www.crockford.com/base32.html>

use std::fmt;

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Id of a snapshot, a manifest or a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Id(pub(crate) [u8; 12]);

impl Id {
    /// Parses an id from a file name, ignoring case; `None` where the name is not an id.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let digits = <&[u8; 20]>::try_from(name.as_bytes()).ok()?;
        let mut bits = 0_u128;
        for digit in digits {
            let value = DIGITS.iter().position(|known| *known == digit.to_ascii_uppercase())?;
            bits = bits << 5 | value as u128;
        }
        // Twenty digits are a hundred bits; the last four are not part of the id and must be zero.
        let bytes = (bits << 28).to_be_bytes();
        (bits & 15 == 0).then_some(Self(*bytes.first_chunk()?))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 16];
        bytes[..12].copy_from_slice(&self.0);
        let bits = u128::from_be_bytes(bytes);
        (0..20).try_for_each(|nth| {
            let digit = DIGITS[(bits >> (123 - 5 * nth) & 31) as usize];
            write!(f, "{}", char::from(digit))
        })
    }
}
