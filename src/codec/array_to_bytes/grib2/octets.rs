//! Octets of a section, numbered from 1 as the tables of GRIB2 number them.

/// Why a message cannot be unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The damage, in words.
    Damaged(&'static str),
    /// A message of so many points.
    Points(u64),
    /// A part of GRIB that is not read.
    Lacking(String),
}

impl From<&'static str> for Failure {
    fn from(words: &'static str) -> Self {
        Self::Damaged(words)
    }
}

/// One section of a message, its header included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Octets<'a>(pub(super) &'a [u8]);

impl<'a> Octets<'a> {
    /// The bytes from an octet on.
    pub(super) fn from(self, octet: usize) -> &'a [u8] {
        self.0.get(octet - 1..).unwrap_or_default()
    }

    fn array<const N: usize>(self, octet: usize) -> Result<[u8; N], Failure> {
        self.from(octet).first_chunk().copied().ok_or(Failure::Damaged("a section is cut short"))
    }

    pub(super) fn u8(self, octet: usize) -> Result<u8, Failure> {
        self.array(octet).map(u8::from_be_bytes)
    }

    pub(super) fn u16(self, octet: usize) -> Result<u16, Failure> {
        self.array(octet).map(u16::from_be_bytes)
    }

    pub(super) fn u32(self, octet: usize) -> Result<u32, Failure> {
        self.array(octet).map(u32::from_be_bytes)
    }

    pub(super) fn f32(self, octet: usize) -> Result<f32, Failure> {
        self.array(octet).map(f32::from_be_bytes)
    }

    /// A number whose first bit is its sign, and the others its magnitude.
    pub(super) fn signed16(self, octet: usize) -> Result<i32, Failure> {
        let bits = self.u16(octet)?;
        let magnitude = i32::from(bits & 0x7fff);
        Ok(if bits > 0x7fff { -magnitude } else { magnitude })
    }

    /// A number of four octets whose first bit is its sign, and the others its magnitude.
    pub(super) fn signed32(self, octet: usize) -> Result<i64, Failure> {
        let bits = self.u32(octet)?;
        let magnitude = i64::from(bits & 0x7fff_ffff);
        Ok(if bits > 0x7fff_ffff { -magnitude } else { magnitude })
    }
}
