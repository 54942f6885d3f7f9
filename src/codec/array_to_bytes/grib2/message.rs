//! The sections of a message, up to the data of its first field.

use super::octets::{Failure, Octets};

/// Octets of section 0: "GRIB", the edition, and the length of the message.
const INDICATOR: usize = 16;

/// Sections of the first field that its points are unpacked by.
#[derive(Debug)]
pub(super) struct Message<'a> {
    /// Section 3: how many points there are, and where they lie.
    pub(super) grid: Octets<'a>,
    /// Section 5: how the points are packed.
    pub(super) packing: Octets<'a>,
    /// Section 6: which points are there.
    pub(super) bitmap: Octets<'a>,
    /// Section 7: the packed points.
    pub(super) data: Octets<'a>,
}

impl<'a> Message<'a> {
    /// The sections of the message that a chunk begins with; bytes after the message are ignored.
    pub(super) fn read(chunk: &'a [u8]) -> Result<Self, Failure> {
        let cut_short = Failure::Damaged("the message is cut short");
        let Some(header) = chunk.first_chunk::<INDICATOR>() else { return Err(cut_short) };
        let [b'G', b'R', b'I', b'B', _, _, _, edition, length @ ..] = header else {
            return Err(Failure::Damaged("no \"GRIB\" at the start"));
        };
        if *edition != 2 {
            return Err(Failure::Lacking(format!("GRIB edition {edition}")));
        }
        let length = usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let mut rest = chunk.get(INDICATOR..length).ok_or(cut_short)?;
        let (mut grid, mut packing, mut bitmap) = (None, None, None);
        loop {
            let length = Octets(rest).u32(1)? as usize;
            let number = Octets(rest).u8(5)?;
            let (section, after) = rest
                .split_at_checked(length)
                .ok_or(Failure::Damaged("a section is longer than the message"))?;
            if length < 5 {
                return Err(Failure::Damaged("a section is shorter than its header"));
            }
            let section = Octets(section);
            match number {
                3 => grid = Some(section),
                5 => packing = Some(section),
                6 => bitmap = Some(section),
                7 => {
                    let (Some(grid), Some(packing), Some(bitmap)) = (grid, packing, bitmap) else {
                        return Err(Failure::Damaged("data come before the sections that describe them"));
                    };
                    return Ok(Self { grid, packing, bitmap, data: section });
                }
                _ => {}
            }
            rest = after;
        }
    }
}
