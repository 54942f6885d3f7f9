//! Header of a Booklet file: its signature, version and index location. Numbers are little endian.

use crate::error::{Error, Result};

/// Signature of files whose values differ in length.
const MAGIC: [u8; 16] = *b"O~\x8a?\xe7\\GP\xadC\nr\x8f\xe3\x1c\xfe";

/// Signature of files whose values all have one length.
const MAGIC_FIXED: [u8; 16] = *b"\x04\xd3\xb2\x94\xf2\x10Ab\x95\x8d\x04\x00s\x8c\x9e\n";

/// Versions that can be read. Version 3 has no timestamps, and only version 5 may have its index away from the header.
const VERSIONS: [u64; 3] = [3, 4, 5];

/// Number of keys in the header of a file that a writer has open or never closed.
const UNCLOSED: u64 = u32::MAX as u64;

/// Six zeros as text, which some versions write in place of a number.
const UNSET: u64 = u64::from_le_bytes(*b"000000\0\0");

/// End of the longest possible file: offsets have 48 bits.
const LAST_OFFSET: u64 = 1 << 48;

/// Parsed header of a file.
#[derive(Clone, Copy)]
pub(super) struct Header {
    /// Number of buckets of the index, at least one.
    pub(super) buckets: u64,
    /// Offset of the bucket table in the file.
    pub(super) index: u64,
    /// Bytes of a block's timestamp: 7, or 0 where blocks have none.
    pub(super) timestamp: u64,
}

impl Header {
    /// Bytes of the header.
    pub(super) const LENGTH: u64 = 200;

    /// Bytes of a file offset.
    pub(super) const OFFSET: u64 = 6;

    /// Parses the header; `None` means that the file does not exist.
    pub(super) fn parse(bytes: Option<&[u8]>) -> Result<Self> {
        let Some(bytes) = bytes else { return Err(no_file("check the address".to_owned())) };
        if bytes.starts_with(&MAGIC_FIXED) {
            return Err(Error::Unsupported {
                feature: "a Booklet file of values of a fixed length".to_owned(),
                reason: "cfdb does not use such files; check the address".to_owned(),
            });
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(no_file("the file has no Booklet signature; check the address".to_owned()));
        }
        if (bytes.len() as u64) < Self::LENGTH {
            return Err(Error::metadata(
                "/head",
                format!("the file ends after {} bytes, within its header", bytes.len()),
            ));
        }
        let version = number(&bytes[16..18]);
        if !VERSIONS.contains(&version) {
            return Err(Error::Unsupported {
                feature: format!("version {version} of Booklet files"),
                reason: "versions 3 to 5 can be read".to_owned(),
            });
        }
        if bytes[18..21] != [6, 2, 4] {
            return Err(Error::metadata("/head", "expected numbers of 6, 2 and 4 bytes"));
        }
        if number(&bytes[33..37]) == UNCLOSED {
            return Err(Error::Unsupported {
                feature: "a file that a writer has open, or never closed".to_owned(),
                reason: "its index may lack the last writes; close it, or open and close it in Python with \
                         cfdb.open_dataset(path, \"w\")"
                    .to_owned(),
            });
        }
        let buckets = number(&bytes[21..25]);
        let index = match number(&bytes[65..71]) {
            0 | UNSET => Self::LENGTH,
            index => index,
        };
        if buckets == 0 || index < Self::LENGTH || index + buckets * Self::OFFSET > LAST_OFFSET {
            return Err(Error::metadata(
                "/head",
                format!("an index of {buckets} buckets at byte {index} does not fit the file"),
            ));
        }
        Ok(Self { buckets, index, timestamp: if version > 3 && bytes[41] != 0 { 7 } else { 0 } })
    }
}

/// Reads a little-endian number of at most eight bytes.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Error for a file that does not exist or is not of cfdb.
pub(super) fn no_file(hint: String) -> Error {
    Error::NotFound { wanted: "cfdb file".into(), path: String::new(), tried: Vec::new(), hint }
}

/// Error for a file that is damaged at an offset.
pub(super) fn damaged(offset: u64, reason: &str) -> Error {
    Error::metadata("/index", format!("the file is damaged at byte {offset}: {reason}"))
}
