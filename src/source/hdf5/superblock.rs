//! Superblock of an HDF5 file, versions 0 to 3: where addresses count from, how wide they are, and the root group; and the
//! table of heaps that its extension leads to.

use super::fault::{Fault, Parsed};
use super::fields::{Fields, Widths};
use crate::error::{Error, Result};

/// First bytes of the superblock.
pub(super) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Parsed superblock.
pub(super) struct Superblock {
    /// Offset of the superblock, from which addresses count.
    pub(super) base: u64,
    /// Bytes of the file.
    pub(super) end: u64,
    pub(super) widths: Widths,
    /// Address of the root group's header.
    pub(super) root: u64,
    /// Address of the header of its extension.
    pub(super) extension: Option<u64>,
}

impl Superblock {
    /// Finds and parses the superblock: it is at the start of the file, or after a user's block of 512 bytes or a power of
    /// two times as many.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let starts = std::iter::once(0).chain((9..16).map(|power| 1 << power));
        let found = starts
            .into_iter()
            .find(|start| bytes.get(*start..).is_some_and(|rest| rest.starts_with(SIGNATURE)));
        let Some(base) = found else {
            let hint = "the file has no HDF5 signature; check the address".to_owned();
            return Err(no_file(hint));
        };
        let widths = Widths { address: 8, length: 8 };
        Self::fields(Fields::new(&bytes[base..], widths), base as u64)
            .map_err(|fault| fault.at(base as u64, "the superblock"))
    }

    fn fields(mut fields: Fields<'_>, base: u64) -> Parsed<Self> {
        let all = fields;
        fields.bytes(SIGNATURE.len())?;
        let version = fields.u8()?;
        if version > 3 {
            return Err(Fault::Unsupported(format!("version {version} of HDF5's superblock")));
        }
        let is_old = version < 2;
        if is_old {
            fields.bytes(4)?;
        }
        let widths = Widths { address: fields.u8()?.into(), length: fields.u8()?.into() };
        if ![widths.address, widths.length].iter().all(|width| [4, 8].contains(width)) {
            return Err(Fault::Unsupported(format!(
                "addresses of {} and lengths of {} bytes in HDF5",
                widths.address, widths.length
            )));
        }
        // Old: one byte of padding, two ranks of trees, flags; version 1 has one more rank.
        fields.bytes(match version {
            0 => 9,
            1 => 13,
            _ => 1,
        })?;
        let at = fields.at();
        let mut fields = Fields::new(fields.rest(), widths);
        let stated = fields.address()?.unwrap_or(base);
        // The first versions have the places of free space here.
        let extension = fields.address()?.filter(|_| !is_old);
        let end = fields.place()?;
        let root = if is_old {
            if fields.address()?.is_some() {
                return Err(Fault::Unsupported(
                    "HDF5 data in several files (multi or family driver)".to_owned(),
                ));
            }
            fields.length()?;
            fields.place()?
        } else {
            let root = fields.place()?;
            let length = at + fields.at();
            let stored = fields.u32()?;
            let computed =
                crate::codec::bytes_to_bytes::checksum::jenkins_lookup3::checksum(&all.rest()[..length], 0);
            if stored != computed {
                return Err(Fault::Damaged("its checksum differs"));
            }
            root
        };
        // A user's block that was put before a finished file moves all of it.
        let end = end.saturating_add(base).saturating_sub(stated);
        if end >= 1 << 48 {
            return Err(Fault::Damaged("it states a file of more than 2^48 bytes"));
        }
        Ok(Self { base, end, widths, root, extension })
    }
}

/// Most heaps of a file, as in HDF5.
const MOST_SHARED_HEAPS: u8 = 8;

/// The table of heaps of shared messages, which the extension of the superblock leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedTable {
    pub(super) address: u64,
    /// Number of heaps.
    pub(super) count: u8,
}

impl SharedTable {
    /// Parses the message of the superblock's extension.
    pub(super) fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        if fields.u8()? != 0 {
            return Err(Fault::Unsupported("a newer version of HDF5's shared messages".to_owned()));
        }
        let (address, count) = (fields.place()?, fields.u8()?);
        if count > MOST_SHARED_HEAPS {
            return Err(Fault::Damaged("it has more than eight heaps of shared messages"));
        }
        Ok(Self { address, count })
    }
}

/// Error for a file that does not exist or is not of HDF5.
pub(super) fn no_file(hint: String) -> Error {
    Error::NotFound { wanted: "HDF5 file".into(), path: String::new(), tried: Vec::new(), hint }
}
