//! Pages: a dictionary, or some values of a column.

use super::compression::Decompression;
use super::faults::{cut_short, damaged, unsupported};
use super::hybrid::Hybrid;
use super::thrift::Thrift;
use crate::error::Result;

/// Encodings of values.
const PLAIN: i64 = 0;
const DICTIONARY: [i64; 2] = [2, 8];
/// Encoding of levels.
const RUNS: i64 = 3;

/// A page as it is stored.
pub(super) struct Page<'a> {
    pub(super) kind: PageKind,
    /// Length of the page once decompressed.
    pub(super) length: usize,
    stored: &'a [u8],
}

/// Kind of a page, with the fields of its header.
#[derive(Debug)]
pub(super) enum PageKind {
    Dictionary {
        values: usize,
    },
    Values(ValuesHeader),
    /// An index, which is not needed.
    Other,
}

/// Header of a page of values.
#[derive(Debug)]
pub(super) struct ValuesHeader {
    pub(super) values: usize,
    pub(super) is_plain: bool,
    /// In pages of version 2: lengths of the repetition and definition levels before the values, and whether the values
    /// are compressed.
    pub(super) second: Option<(usize, usize, bool)>,
}

impl<'a> Page<'a> {
    /// Takes a page from the start of some bytes.
    pub(super) fn parse(rest: &mut &'a [u8]) -> Result<Self> {
        let (header, end) = Thrift::parse(rest)?;
        let stored = header.size(3, "the length of a page")?;
        let (stored, after) = rest[end..].split_at_checked(stored).ok_or_else(cut_short)?;
        *rest = after;
        let kind = match (header.integer(1), header.field(5), header.field(7), header.field(8)) {
            (Some(0), Some(own), _, _) => PageKind::Values(ValuesHeader::first(own)?),
            (Some(2), _, Some(own), _) => {
                PageKind::Dictionary { values: own.size(1, "the length of a dictionary")? }
            }
            (Some(3), _, _, Some(own)) => PageKind::Values(ValuesHeader::second(own)?),
            (Some(1), ..) => PageKind::Other,
            _ => return Err(damaged("a page has no header of its type")),
        };
        Ok(Self { kind, length: header.size(2, "the length of a page")?, stored })
    }

    /// Begins to decompress the page; gives the levels of a page of version 2, which are before its content.
    pub(super) fn begin(&self, is_optional: bool, codec: i64) -> Result<(Option<Vec<u32>>, Decompression)> {
        let PageKind::Values(ValuesHeader { values, second: Some(second), .. }) = &self.kind else {
            return Ok((None, Decompression::new(codec, self.stored, self.length)?));
        };
        let (repetition, definition, is_compressed) = *second;
        // Levels are never compressed in version 2.
        let start = repetition.checked_add(definition).ok_or_else(cut_short)?;
        let (levels, stored) = self.stored.split_at_checked(start).ok_or_else(cut_short)?;
        let length = self.length.checked_sub(start).ok_or_else(cut_short)?;
        let runs = Hybrid::new(&levels[repetition..], 1);
        let levels = if is_optional { Some(runs.numbers(*values)?) } else { None };
        let codec = if is_compressed { codec } else { 0 };
        Ok((levels, Decompression::new(codec, stored, length)?))
    }
}

impl ValuesHeader {
    /// Parses the structure `DataPageHeader`.
    fn first(own: &Thrift<'_>) -> Result<Self> {
        if own.integer(3).is_some_and(|levels| levels != RUNS) {
            return Err(unsupported("Parquet's encoding BIT_PACKED of levels".to_owned()));
        }
        let is_plain = is_plain(own.integer(2))?;
        Ok(Self { values: own.size(1, "the number of a page's values")?, is_plain, second: None })
    }

    /// Parses the structure `DataPageHeaderV2`.
    fn second(own: &Thrift<'_>) -> Result<Self> {
        let is_compressed = !matches!(own.field(7), Some(Thrift::Bool(false)));
        let lengths = (own.size(6, "the length of levels")?, own.size(5, "the length of levels")?);
        Ok(Self {
            values: own.size(1, "the number of a page's values")?,
            is_plain: is_plain(own.integer(4))?,
            second: Some((lengths.0, lengths.1, is_compressed)),
        })
    }
}

fn is_plain(encoding: Option<i64>) -> Result<bool> {
    match encoding {
        Some(PLAIN) => Ok(true),
        Some(encoding) if DICTIONARY.contains(&encoding) => Ok(false),
        Some(encoding) => {
            let known = [
                "PLAIN",
                "",
                "",
                "RLE",
                "BIT_PACKED",
                "DELTA_BINARY_PACKED",
                "DELTA_LENGTH_BYTE_ARRAY",
                "DELTA_BYTE_ARRAY",
                "",
                "BYTE_STREAM_SPLIT",
            ];
            let name = usize::try_from(encoding).ok().and_then(|encoding| known.get(encoding));
            let name = name.map_or_else(|| encoding.to_string(), |name| (*name).to_owned());
            Err(unsupported(format!("Parquet's encoding {name}")))
        }
        None => Err(damaged("a page has no encoding")),
    }
}
