//! The file's head: that it is a Booklet file, and where its index is. Numbers are little endian.

use crate::error::{Error, Result};

/// Magic bytes of files of values of any length, and those of files of values of one.
const MAGIC: [u8; 16] = *b"O~\x8a?\xe7\\GP\xadC\nr\x8f\xe3\x1c\xfe";
const MAGIC_FIXED: [u8; 16] = *b"\x04\xd3\xb2\x94\xf2\x10Ab\x95\x8d\x04\x00s\x8c\x9e\n";

/// The versions that are read. The third has no timestamps, and only the fifth has its index elsewhere than behind the
/// head.
const VERSIONS: [u64; 3] = [3, 4, 5];

/// The number of keys while a writer has the file open, and if it never closed it.
const UNCLOSED: u64 = u32::MAX as u64;

/// Six zeros as text, which some versions left where others have a number.
const UNSET: u64 = u64::from_le_bytes(*b"000000\0\0");

/// The most buckets: their places must lie within the file, which 48 bits count.
const LAST_OFFSET: u64 = 1 << 48;

/// The head of a file, parsed.
#[derive(Clone, Copy)]
pub(super) struct Header {
    /// Buckets of the index, at least one.
    pub(super) buckets: u64,
    /// Where the first of their places stands.
    pub(super) index: u64,
    /// Bytes of a block's timestamp.
    pub(super) timestamp: u64,
}

impl Header {
    /// Bytes of the head.
    pub(super) const LENGTH: u64 = 200;

    /// Bytes of a place in the file.
    pub(super) const OFFSET: u64 = 6;

    /// Reads the head; nothing is no file.
    pub(super) fn parse(bytes: Option<&[u8]>) -> Result<Self> {
        let Some(bytes) = bytes else { return Err(no_file("check the address".to_owned())) };
        if bytes.starts_with(&MAGIC_FIXED) {
            return Err(Error::Unsupported {
                feature: "a Booklet file of values of one length".to_owned(),
                reason: "cfdb keeps none in such; check the address".to_owned(),
            });
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(no_file("it does not begin as a Booklet file does; check the address".to_owned()));
        }
        if (bytes.len() as u64) < Self::LENGTH {
            return Err(Error::metadata(
                "/head",
                format!("the file ends after {} bytes, within its head", bytes.len()),
            ));
        }
        let version = number(&bytes[16..18]);
        if !VERSIONS.contains(&version) {
            return Err(Error::Unsupported {
                feature: format!("version {version} of Booklet files"),
                reason: "versions 3 to 5 are read".to_owned(),
            });
        }
        if bytes[18..21] != [6, 2, 4] {
            return Err(Error::metadata("/head", "the file's numbers are not as long as version 5 has them"));
        }
        if number(&bytes[33..37]) == UNCLOSED {
            return Err(Error::Unsupported {
                feature: "a file that a writer has open, or never closed".to_owned(),
                reason: "its index may lack what was written last; close it, or open it once in Python with \
                         cfdb.open_dataset(path, \"w\") and close that"
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
                format!("an index of {buckets} buckets at byte {index} is no place"),
            ));
        }
        Ok(Self { buckets, index, timestamp: if version > 3 && bytes[41] != 0 { 7 } else { 0 } })
    }
}

/// A little-endian number of at most eight bytes.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// That there is no file of cfdb's.
pub(super) fn no_file(hint: String) -> Error {
    Error::NotFound { wanted: "cfdb file".into(), path: String::new(), tried: Vec::new(), hint }
}

/// The error of a file that is damaged at an offset.
pub(super) fn damaged(offset: u64, reason: &str) -> Error {
    Error::metadata("/index", format!("the file is damaged at byte {offset}: {reason}"))
}
