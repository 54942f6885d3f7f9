//! The header of a NetCDF-3 file: dimensions, attributes and variables. Numbers are big endian.

use super::values::{Kind, text, value};
use crate::error::{Error, Result};
use crate::metadata::Map;
use crate::source::original::decides;

/// Tags of the header's lists.
const DIMENSIONS: u32 = 10;
const VARIABLES: u32 = 11;
const ATTRIBUTES: u32 = 12;

/// Most axes that a variable may state, as in NetCDF.
const MOST_AXES: u64 = 1024;

/// Most members of a list: no header within its limit has more.
const MOST_MEMBERS: u64 = 1 << 22;

/// Longest dimension, and last offset.
const LARGEST: u64 = 1 << 52;

/// A header.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) dimensions: Vec<Dimension>,
    pub(super) attributes: Map,
    pub(super) variables: Vec<HeaderVariable>,
    /// Whether the writer did not say how many records there are.
    pub(super) is_streamed: bool,
}

/// A dimension.
#[derive(Debug)]
pub(super) struct Dimension {
    pub(super) name: String,
    pub(super) length: u64,
    /// Whether it is the dimension of records.
    pub(super) is_record: bool,
}

/// A variable as the header has it.
#[derive(Debug)]
pub(super) struct HeaderVariable {
    pub(super) name: String,
    /// Numbers of its dimensions.
    pub(super) dimensions: Vec<usize>,
    pub(super) attributes: Map,
    /// Names of the attributes that unpack items and are float32.
    pub(super) singles: Vec<String>,
    pub(super) kind: Kind,
    /// Offset of its first item.
    pub(super) begin: u64,
}

/// The result of parsing the first bytes of a file.
pub(super) enum Parsed {
    Whole(Header),
    /// The header is longer than the bytes.
    Short,
}

/// Why parsing ends early.
enum Stop {
    Short,
    Fault(Box<Error>),
}

type Step<T> = std::result::Result<T, Stop>;

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Fault(Box::new(error))
    }
}

impl Header {
    /// Parses the first bytes of a file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Parsed> {
        let version = match bytes {
            [b'C', b'D', b'F', version @ (1 | 2 | 5), ..] => *version,
            [b'C', b'D', b'F', version, ..] => {
                return Err(Error::Unsupported {
                    feature: format!("version {version} of NetCDF files"),
                    reason: "versions 1, 2 and 5 can be read".to_owned(),
                });
            }
            _ => {
                return Err(Error::metadata(
                    "",
                    "the file does not begin as a NetCDF-3 file does; check the address",
                ));
            }
        };
        let mut cursor =
            Cursor { rest: &bytes[4..], has_long_counts: version == 5, has_long_offsets: version != 1 };
        match cursor.header() {
            Ok(header) => Ok(Parsed::Whole(header)),
            Err(Stop::Short) => Ok(Parsed::Short),
            Err(Stop::Fault(error)) => Err(*error),
        }
    }

    /// Whether a variable has a value in each record.
    pub(super) fn is_record(&self, variable: &HeaderVariable) -> bool {
        variable.dimensions.first().is_some_and(|dimension| self.dimensions[*dimension].is_record)
    }

    /// Sets the number of records.
    pub(super) fn set_records(&mut self, records: u64) {
        for dimension in self.dimensions.iter_mut().filter(|dimension| dimension.is_record) {
            dimension.length = records;
        }
    }

    /// Bytes from a record to the next, and whether they are those of one variable alone: else the values of a record are
    /// padded to four bytes. The sizes that the header states are clipped in large files, so they are not used.
    pub(super) fn record(&self) -> (u64, bool) {
        let records: Vec<u64> = self
            .variables
            .iter()
            .filter(|variable| self.is_record(variable))
            .map(|one| self.value_bytes(one))
            .collect();
        match records[..] {
            [alone] => (alone, true),
            _ => {
                let padded = |bytes: u64| bytes.saturating_add(3) / 4 * 4;
                (records.iter().fold(0, |sum: u64, bytes| sum.saturating_add(padded(*bytes))), false)
            }
        }
    }

    /// Bytes of a variable's value in one record.
    fn value_bytes(&self, variable: &HeaderVariable) -> u64 {
        let lengths = variable.dimensions[1..].iter().map(|dimension| self.dimensions[*dimension].length);
        lengths.fold(variable.kind.size(), u64::saturating_mul)
    }
}

/// A place in the header.
struct Cursor<'a> {
    rest: &'a [u8],
    /// Whether counts and lengths have 64 bits.
    has_long_counts: bool,
    /// Whether offsets in the file have 64 bits.
    has_long_offsets: bool,
}

impl<'a> Cursor<'a> {
    fn header(&mut self) -> Step<Header> {
        let unknown = if self.has_long_counts { u64::MAX } else { u32::MAX.into() };
        let records = self.count()?;
        let is_streamed = records == unknown;
        let records = if is_streamed { 0 } else { bounded(records, "the number of records")? };
        let dimensions = self.list(DIMENSIONS, "dimensions", |cursor| {
            let (name, length) = (cursor.name()?, cursor.count()?);
            let is_record = length == 0;
            let length = if is_record { records } else { bounded(length, &name)? };
            Ok(Dimension { name, length, is_record })
        })?;
        if dimensions.iter().filter(|dimension| dimension.is_record).count() > 1 {
            return Err(Error::metadata("", "the file has several dimensions of records").into());
        }
        let (attributes, _) = self.attributes()?;
        let variables = self.list(VARIABLES, "variables", |cursor| cursor.variable(&dimensions))?;
        let mut names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(
                Error::metadata("", format!("the file has two variables of the name {:?}", pair[0])).into()
            );
        }
        Ok(Header { dimensions, attributes, variables, is_streamed })
    }

    fn variable(&mut self, dimensions: &[Dimension]) -> Step<HeaderVariable> {
        let name = self.name()?;
        if name.is_empty() || name.contains('/') {
            return Err(Error::metadata(
                "",
                format!("expected a variable's name without slashes, got {name:?}"),
            )
            .into());
        }
        let rank = self.count()?;
        if rank > MOST_AXES {
            let reason = format!("the variable {name:?} has {rank} dimensions; the file is damaged");
            return Err(Error::metadata("", reason).into());
        }
        let mut own = Vec::new();
        for nth in 0..rank {
            let number = self.count()?;
            let known = usize::try_from(number).ok().filter(|number| *number < dimensions.len());
            let fits = |number: &usize| nth == 0 || !dimensions[*number].is_record;
            let Some(number) = known.filter(fits) else {
                let reason = format!("the variable {name:?} has the dimension {number} at place {nth}");
                return Err(Error::metadata(
                    "",
                    format!("{reason}; there is none, or it is that of records"),
                )
                .into());
            };
            own.push(number);
        }
        let (attributes, singles) = self.attributes()?;
        let kind = self.kind()?;
        // Its size is clipped in large files.
        self.count()?;
        let begin = if self.has_long_offsets { self.long()? } else { self.short()?.into() };
        Ok(HeaderVariable { begin: bounded(begin, &name)?, name, dimensions: own, attributes, singles, kind })
    }

    /// Attributes, and the names of those that unpack items and are float32.
    fn attributes(&mut self) -> Step<(Map, Vec<String>)> {
        let (mut found, mut singles) = (Map::new(), Vec::new());
        let list = self.list(ATTRIBUTES, "attributes", |cursor| {
            let (name, kind, count) = (cursor.name()?, cursor.kind()?, cursor.count()?);
            let length = count.checked_mul(kind.size()).filter(|length| *length < LARGEST);
            let length =
                length.ok_or_else(|| Error::metadata("", format!("the attribute {name:?} has no end")))?;
            Ok((name, kind == Kind::Float && count == 1, value(kind, cursor.padded(length)?)))
        })?;
        for (name, is_single, value) in list {
            if is_single && decides(&name) {
                singles.push(name.clone());
            }
            found.insert(name, value);
        }
        Ok((found, singles))
    }

    /// A list with its tag and the number of its members; an absent one has no tag.
    fn list<T>(&mut self, expected: u32, what: &str, member: impl Fn(&mut Self) -> Step<T>) -> Step<Vec<T>> {
        let (tag, count) = (self.short()?, self.count()?);
        if (tag != expected && (tag != 0 || count != 0)) || count > MOST_MEMBERS {
            let reason = format!("expected the list of {what}, got one of tag {tag} and {count} members");
            return Err(Error::metadata("", format!("{reason}; the file is damaged")).into());
        }
        let mut found = Vec::new();
        for _ in 0..count {
            found.push(member(self)?);
        }
        Ok(found)
    }

    fn name(&mut self) -> Step<String> {
        let length = self.count()?;
        Ok(text(self.padded(length)?))
    }

    fn kind(&mut self) -> Step<Kind> {
        let number = self.short()?;
        Ok(Kind::of(number)
            .ok_or_else(|| Error::metadata("", format!("no NetCDF type has the number {number}")))?)
    }

    fn count(&mut self) -> Step<u64> {
        if self.has_long_counts { self.long() } else { self.short().map(u64::from) }
    }

    fn short(&mut self) -> Step<u32> {
        let (number, rest) = self.rest.split_first_chunk().ok_or(Stop::Short)?;
        self.rest = rest;
        Ok(u32::from_be_bytes(*number))
    }

    fn long(&mut self) -> Step<u64> {
        let (number, rest) = self.rest.split_first_chunk().ok_or(Stop::Short)?;
        self.rest = rest;
        Ok(u64::from_be_bytes(*number))
    }

    /// Bytes that are padded to four. What the padding is differs between writers.
    fn padded(&mut self, length: u64) -> Step<&'a [u8]> {
        let padded = usize::try_from(length.saturating_add(3) / 4 * 4).unwrap_or(usize::MAX);
        let (bytes, rest) = self.rest.split_at_checked(padded).ok_or(Stop::Short)?;
        self.rest = rest;
        Ok(&bytes[..length as usize])
    }
}

/// A number that lengths and offsets do not exceed.
fn bounded(number: u64, what: &str) -> Result<u64> {
    if number <= LARGEST {
        return Ok(number);
    }
    Err(Error::metadata(
        "",
        format!("{what:?}: expected a number up to 2^52, got {number}; the file is damaged"),
    ))
}
