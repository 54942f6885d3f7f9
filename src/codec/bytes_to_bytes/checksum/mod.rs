//! The checksum codecs: four bytes before or after the data, always verified. Each algorithm has its own file.

pub(crate) mod adler32;
pub(crate) mod crc32;
pub(crate) mod crc32c;
pub(crate) mod fletcher32;
pub(crate) mod jenkins_lookup3;

use std::borrow::Cow;

use crate::codec::kinds::{BytesToBytesCodec, Size};
use crate::error::{Error, Quantity, Result};
use crate::metadata::{Extension, Json};
use crate::parts::{Codecs, Loaded, later};

/// Bytes of a checksum.
const LENGTH: usize = 4;

/// A checksum's configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checksum {
    name: &'static str,
    algorithm: Algorithm,
    location: ChecksumLocation,
}

#[derive(Debug, Clone, Copy)]
enum Algorithm {
    Crc32c,
    Other(OtherAlgorithm, Loaded<Codecs>),
}

#[derive(Debug, Clone, Copy)]
enum OtherAlgorithm {
    Adler32,
    Crc32,
    Fletcher32,
    JenkinsLookup3 { initial: u32 },
}

#[derive(Debug, Clone, Copy)]
enum ChecksumLocation {
    Start,
    End,
}

impl BytesToBytesCodec for Checksum {
    fn parse(extension: &Extension) -> Result<Self> {
        use Algorithm::{Crc32c, Other};
        use OtherAlgorithm::{Adler32, Crc32, Fletcher32, JenkinsLookup3};
        let settings = extension.settings();
        let located = |default| {
            settings.only_fields(&["location"])?;
            location(settings, default)
        };
        let at_the_end = || settings.only_fields(&[]).map(|()| ChecksumLocation::End);
        let (name, algorithm, location) = match extension.name.as_str() {
            adler32::NAME => {
                (adler32::NAME, Other(Adler32, Loaded::get()?), located(ChecksumLocation::Start)?)
            }
            crc32::NAME => (crc32::NAME, Other(Crc32, Loaded::get()?), located(ChecksumLocation::Start)?),
            crc32c::NAME => (crc32c::NAME, Crc32c, at_the_end()?),
            crc32c::NUMCODECS_NAME => (crc32c::NUMCODECS_NAME, Crc32c, located(ChecksumLocation::End)?),
            fletcher32::NAME => (fletcher32::NAME, Other(Fletcher32, Loaded::get()?), at_the_end()?),
            _ => {
                let algorithm = JenkinsLookup3 { initial: initial(settings)? };
                (jenkins_lookup3::NAME, Other(algorithm, Loaded::get()?), ChecksumLocation::End)
            }
        };
        Ok(Self { name, algorithm, location })
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        decoded.plus(LENGTH)
    }

    fn decoded_rate(&self) -> u64 {
        1500
    }

    /// Verifies the checksum, and returns the data without it.
    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        let Some(length) = encoded.len().checked_sub(LENGTH) else {
            return Err(Error::codec(self.name, encoded.len(), "at least the 4 bytes of the checksum"));
        };
        size.check(self.name, length)?;
        let (data, stored) = match self.location {
            ChecksumLocation::Start => {
                let (stored, data) = encoded.split_at(LENGTH);
                (data, stored)
            }
            ChecksumLocation::End => encoded.split_at(length),
        };
        let stored = stored.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        let computed = self.algorithm.checksum(data);
        if stored != computed {
            return Err(Error::codec(self.name, Quantity::Checksum(computed), Quantity::Checksum(stored)));
        }
        Ok(match (encoded, self.location) {
            (Cow::Borrowed(encoded), ChecksumLocation::Start) => Cow::Borrowed(&encoded[LENGTH..]),
            (Cow::Borrowed(encoded), ChecksumLocation::End) => Cow::Borrowed(&encoded[..length]),
            (Cow::Owned(mut encoded), location) => {
                if matches!(location, ChecksumLocation::Start) {
                    encoded.copy_within(LENGTH.., 0);
                }
                encoded.truncate(length);
                Cow::Owned(encoded)
            }
        })
    }
}

impl Algorithm {
    fn checksum(self, data: &[u8]) -> u32 {
        match self {
            Self::Crc32c => crc32c::checksum(data),
            Self::Other(algorithm, part) => other_checksum(part, algorithm, data),
        }
    }
}

#[later]
fn other_checksum(_: Loaded<Codecs>, algorithm: OtherAlgorithm, data: &[u8]) -> u32 {
    match algorithm {
        OtherAlgorithm::Adler32 => adler32::checksum(data),
        OtherAlgorithm::Crc32 => crc32::checksum(data),
        OtherAlgorithm::Fletcher32 => fletcher32::checksum(data),
        OtherAlgorithm::JenkinsLookup3 { initial } => jenkins_lookup3::checksum(data, initial),
    }
}

/// Place of the checksum; null means the default, as in numcodecs.
fn location(settings: Json<'_>, default: ChecksumLocation) -> Result<ChecksumLocation> {
    match settings.field("location") {
        None => Ok(default),
        Some(field) => match field.value().as_str() {
            Some("start") => Ok(ChecksumLocation::Start),
            Some("end") => Ok(ChecksumLocation::End),
            None if field.value().is_null() => Ok(default),
            _ => Err(field.expected("\"start\" or \"end\"")),
        },
    }
}

/// The initial value of the lookup3 hash.
fn initial(settings: Json<'_>) -> Result<u32> {
    settings.only_fields(&["initval", "prefix"])?;
    if let Some(prefix) = settings.field("prefix").filter(|prefix| !prefix.value().is_null()) {
        return Err(Error::Unsupported {
            feature: format!("the field \"prefix\" at {}", settings.pointer()),
            reason: format!(
                "expected null at {}: numcodecs defines no JSON form of a prefix",
                prefix.pointer()
            ),
        });
    }
    let Some(field) = settings.field("initval") else { return Ok(0) };
    u32::try_from(field.integer(0)?).map_err(|_| field.expected("an integer below 2^32"))
}
