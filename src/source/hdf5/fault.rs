//! Why a structure of an HDF5 file cannot be read now: its bytes are not there yet, it is damaged, or it is not supported.

use crate::error::Error;
use crate::source::original::{Found, Lack};

/// Result of reading from a file: the value, or why it is not there.
pub(super) type Read<T> = Found<T>;

/// Result of parsing bytes that are there.
pub(super) type Parsed<T> = Result<T, Fault>;

/// Fault of a structure's bytes: too few, damaged, or of a feature that is not read.
#[derive(Debug)]
pub(super) enum Fault {
    /// They end within the structure.
    Short,
    /// They cannot be what they should be.
    Damaged(&'static str),
    /// They are of a feature that is not supported.
    Unsupported(String),
}

impl Fault {
    /// The error of a fault in a structure at an offset of the file.
    pub(super) fn at(self, offset: u64, what: &str) -> Error {
        match self {
            Self::Short => damaged(offset, &format!("{what} ends early")),
            Self::Damaged(reason) => damaged(offset, &format!("{what}: {reason}")),
            Self::Unsupported(feature) => Error::Unsupported {
                feature,
                reason: format!("found in {what} at byte {offset} of the file"),
            },
        }
    }
}

/// Error for a file that is damaged at an offset.
pub(super) fn damaged(offset: u64, reason: &str) -> Error {
    Error::metadata("/file", format!("the file is damaged at byte {offset}: {reason}"))
}

/// All values, or the first failure; where none failed, all that any of them lacks.
pub(super) fn all<T>(reads: impl Iterator<Item = Read<T>>) -> Read<Vec<T>> {
    let (mut values, mut lacking) = (Vec::new(), Vec::new());
    for read in reads {
        match read {
            Ok(value) => values.push(value),
            Err(Lack::Bytes(ranges)) => lacking.extend(ranges),
            Err(lack) => return Err(lack),
        }
    }
    if lacking.is_empty() { Ok(values) } else { Err(Lack::Bytes(lacking)) }
}

/// Both values, or what both lack.
pub(super) fn both<A, B>(first: Read<A>, second: Read<B>) -> Read<(A, B)> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(Lack::Bytes(mut first)), Err(Lack::Bytes(second))) => {
            first.extend(second);
            Err(Lack::Bytes(first))
        }
        (Err(fails @ Lack::Fault(_)), _) | (_, Err(fails @ Lack::Fault(_))) => Err(fails),
        (Err(lacks), _) | (_, Err(lacks)) => Err(lacks),
    }
}
