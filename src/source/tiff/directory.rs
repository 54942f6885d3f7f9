//! Directories of a TIFF file: the header that leads to the first one, the entries of each, and their values.
//!
//! Spec: <https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf>, and BigTIFF as in
//! <https://www.awaresystems.be/imaging/tiff/bigtiff.html>

use std::collections::VecDeque;
use std::ops::Range;

use super::numbers::{Field, Numbers};
use crate::error::{Error, Result};
use crate::source::original::{FilePages, Found, Lack, text_of};

/// Most entries of a directory.
const MOST_ENTRIES: u64 = 4096;

/// Longest value of a tag that is read with its directory: 16 MiB, of OME's descriptions of large plates.
const MOST_VALUE: u64 = 16 << 20;

/// Last offset of a value: where one lies further on, nothing is.
const LAST_OFFSET: u64 = 1 << 52;

/// Tags whose values are read with the directory. Those of tables of tiles and strips are read when a chunk is.
#[rustfmt::skip]
const READ: [u16; 37] = [
    tag::SUBFILE_TYPE, tag::WIDTH, tag::HEIGHT, tag::BITS, tag::COMPRESSION, tag::PHOTOMETRIC, tag::FILL_ORDER,
    tag::DOCUMENT_NAME, tag::DESCRIPTION, tag::MAKE, tag::MODEL, tag::SAMPLES, tag::ROWS_PER_STRIP, tag::PLANAR,
    tag::PAGE_NAME, tag::SOFTWARE, tag::DATE_TIME, tag::ARTIST, tag::HOST_COMPUTER, tag::PREDICTOR, tag::TILE_WIDTH,
    tag::TILE_HEIGHT, tag::SUB_DIRECTORIES, tag::SAMPLE_FORMAT, tag::JPEG_TABLES, tag::SUBSAMPLING, tag::DEPTH,
    tag::TILE_DEPTH, tag::COPYRIGHT, tag::PIXEL_SCALE, tag::TIE_POINTS, tag::TRANSFORMATION, tag::GEO_KEYS,
    tag::GEO_DOUBLES, tag::GEO_TEXTS, tag::GDAL_METADATA, tag::GDAL_NODATA,
];

/// Tags that no image needs to be read.
const TEXTS: [u16; 10] = [
    tag::DOCUMENT_NAME,
    tag::DESCRIPTION,
    tag::MAKE,
    tag::MODEL,
    tag::PAGE_NAME,
    tag::SOFTWARE,
    tag::DATE_TIME,
    tag::ARTIST,
    tag::HOST_COMPUTER,
    tag::COPYRIGHT,
];

/// Numbers of tags.
pub(super) mod tag {
    pub(crate) const SUBFILE_TYPE: u16 = 254;
    pub(crate) const WIDTH: u16 = 256;
    pub(crate) const HEIGHT: u16 = 257;
    pub(crate) const BITS: u16 = 258;
    pub(crate) const COMPRESSION: u16 = 259;
    pub(crate) const PHOTOMETRIC: u16 = 262;
    pub(crate) const FILL_ORDER: u16 = 266;
    pub(crate) const DOCUMENT_NAME: u16 = 269;
    pub(crate) const DESCRIPTION: u16 = 270;
    pub(crate) const MAKE: u16 = 271;
    pub(crate) const MODEL: u16 = 272;
    pub(crate) const STRIP_OFFSETS: u16 = 273;
    pub(crate) const SAMPLES: u16 = 277;
    pub(crate) const ROWS_PER_STRIP: u16 = 278;
    pub(crate) const STRIP_COUNTS: u16 = 279;
    pub(crate) const PLANAR: u16 = 284;
    pub(crate) const PAGE_NAME: u16 = 285;
    pub(crate) const SOFTWARE: u16 = 305;
    pub(crate) const DATE_TIME: u16 = 306;
    pub(crate) const ARTIST: u16 = 315;
    pub(crate) const HOST_COMPUTER: u16 = 316;
    pub(crate) const PREDICTOR: u16 = 317;
    pub(crate) const TILE_WIDTH: u16 = 322;
    pub(crate) const TILE_HEIGHT: u16 = 323;
    pub(crate) const TILE_OFFSETS: u16 = 324;
    pub(crate) const TILE_COUNTS: u16 = 325;
    pub(crate) const SUB_DIRECTORIES: u16 = 330;
    pub(crate) const SAMPLE_FORMAT: u16 = 339;
    pub(crate) const JPEG_TABLES: u16 = 347;
    pub(crate) const SUBSAMPLING: u16 = 530;
    pub(crate) const DEPTH: u16 = 32997;
    pub(crate) const TILE_DEPTH: u16 = 32998;
    pub(crate) const COPYRIGHT: u16 = 33432;
    pub(crate) const PIXEL_SCALE: u16 = 33550;
    pub(crate) const TIE_POINTS: u16 = 33922;
    pub(crate) const TRANSFORMATION: u16 = 34264;
    pub(crate) const GEO_KEYS: u16 = 34735;
    pub(crate) const GEO_DOUBLES: u16 = 34736;
    pub(crate) const GEO_TEXTS: u16 = 34737;
    pub(crate) const GDAL_METADATA: u16 = 42112;
    pub(crate) const GDAL_NODATA: u16 = 42113;
}

/// The header of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    pub(super) numbers: Numbers,
    /// Whether it is a BigTIFF file, whose offsets have 64 bits.
    pub(super) is_long: bool,
    /// Offset of the first directory.
    pub(super) first: u64,
}

impl Header {
    /// Reads the first bytes of a file.
    pub(super) fn read(pages: &FilePages) -> Found<Self> {
        let bytes = pages.read(0, 8, "the header")?;
        let numbers = Numbers { is_big: bytes[0] == b'M' };
        let version = numbers.unsigned(&bytes[2..4]);
        if bytes[..2] != *b"II" && bytes[..2] != *b"MM" || ![42, 43].contains(&version) {
            return Err(Error::metadata(
                "",
                "the file does not begin as a TIFF file does; check the address",
            )
            .into());
        }
        if version == 42 {
            return Ok(Self { numbers, is_long: false, first: numbers.unsigned(&bytes[4..]) });
        }
        if numbers.unsigned(&bytes[4..6]) != 8 {
            return Err(Error::metadata("", "expected a BigTIFF file with offsets of 8 bytes").into());
        }
        Ok(Self { numbers, is_long: true, first: numbers.unsigned(&pages.read(8, 8, "the header")?) })
    }

    /// Bytes of an offset, and of a value that stands in its entry.
    fn offset_bytes(self) -> usize {
        if self.is_long { 8 } else { 4 }
    }
}

/// A table of offsets or of counts, which may lie anywhere in the file.
#[derive(Debug, Clone)]
pub(super) struct Table {
    field: Field,
    pub(super) count: u64,
    place: Place,
}

/// Place of a value.
#[derive(Debug, Clone)]
enum Place {
    Here(Vec<u8>),
    At(u64),
}

impl Table {
    /// Bytes of the file with the items around the `nth`; `None` where they are known.
    pub(super) fn around(&self, nth: u64) -> Option<Range<u64>> {
        /// Items that are read together.
        const SLICE: u64 = 8192;
        let Place::At(offset) = &self.place else { return None };
        let first = nth / SLICE * SLICE;
        let (size, end) = (self.field.size(), (first + SLICE).min(self.count));
        Some(offset + first * size..offset + end * size)
    }

    /// The `nth` number.
    pub(super) fn get(&self, numbers: Numbers, pages: &FilePages, nth: u64) -> Found<u64> {
        let size = self.field.size();
        let bytes = match &self.place {
            Place::Here(bytes) => {
                bytes.get((nth * size) as usize..((nth + 1) * size) as usize).unwrap_or_default().to_vec()
            }
            Place::At(offset) => pages.read(offset + nth * size, size, "a table of tiles")?,
        };
        Ok(numbers.unsigned(&bytes))
    }
}

/// A directory: the tags that are read, and the directory that follows.
#[derive(Debug)]
pub(super) struct Directory {
    values: Vec<(u16, Field, Vec<u8>)>,
    tables: Vec<(u16, Table)>,
    /// Offset of the next directory, or 0.
    pub(super) next: u64,
    numbers: Numbers,
}

/// A directory of the chain, and those below it.
#[derive(Debug)]
pub(super) struct TopDirectory {
    pub(super) own: Directory,
    /// `None` for those that are damaged.
    pub(super) below: Vec<Option<Directory>>,
    /// Offsets of the directories below it that were not read yet.
    pub(super) unread: VecDeque<u64>,
}

impl TopDirectory {
    pub(super) fn new(own: Directory) -> Self {
        let unread = own.integers(tag::SUB_DIRECTORIES).into();
        Self { own, below: Vec::new(), unread }
    }
}

impl Directory {
    /// Bytes of the values that were read.
    pub(super) fn held_bytes(&self) -> usize {
        self.values.iter().map(|(.., bytes)| bytes.len()).sum()
    }

    /// Reads the directory at an offset, and the values of its tags.
    pub(super) fn read(header: Header, pages: &FilePages, offset: u64) -> Found<Self> {
        let Header { numbers, is_long, .. } = header;
        let (head, width) = if is_long { (8, 20) } else { (2, 12) };
        let inline = header.offset_bytes();
        let count = numbers.unsigned(&pages.read(offset, head, "a directory")?);
        if count == 0 || count > MOST_ENTRIES {
            let reason = format!("the directory at byte {offset} has {count} entries; the file is damaged");
            return Err(Error::metadata("", reason).into());
        }
        let bytes = pages.read(offset + head, count * width + inline as u64, "a directory")?;
        let (entries, next) = bytes.split_at((count * width) as usize);
        let mut directory =
            Self { values: Vec::new(), tables: Vec::new(), next: numbers.unsigned(next), numbers };
        let mut later = Vec::new();
        for entry in entries.chunks_exact(width as usize) {
            let number = numbers.unsigned(&entry[..2]) as u16;
            let is_table = [tag::STRIP_OFFSETS, tag::STRIP_COUNTS, tag::TILE_OFFSETS, tag::TILE_COUNTS]
                .contains(&number);
            if !is_table && !READ.contains(&number) {
                continue;
            }
            let Some(field) = Field::of(numbers.unsigned(&entry[2..4])) else { continue };
            let count = numbers.unsigned(&entry[4..4 + inline]);
            let own = &entry[4 + inline..];
            let length = count.checked_mul(field.size()).filter(|length| *length < 1 << 48);
            if length.is_none() && TEXTS.contains(&number) {
                continue;
            }
            let length = length.ok_or_else(|| damaged(number, "is longer than files are"))?;
            let is_here = length <= inline as u64;
            let place = if is_here {
                Place::Here(own[..length as usize].to_vec())
            } else {
                Place::At(numbers.unsigned(own).min(LAST_OFFSET))
            };
            if is_table {
                directory.tables.push((number, Table { field, count, place }));
                continue;
            }
            match place {
                Place::Here(bytes) => directory.values.push((number, field, bytes)),
                Place::At(_) if length > MOST_VALUE && TEXTS.contains(&number) => {}
                Place::At(_) if length > MOST_VALUE => {
                    return Err(damaged(number, "is longer than 16 MiB").into());
                }
                Place::At(offset) => later.push((number, field, offset, length)),
            }
        }
        let mut ranges: Vec<Range<u64>> = later
            .iter()
            .map(|(.., offset, length)| *offset..offset.saturating_add(*length).min(1 << 52))
            .collect();
        if directory.next > 0 {
            // The next directory comes with this one's values.
            ranges.push(directory.next..directory.next.saturating_add(head).min(1 << 52));
        }
        pages.want(&ranges)?;
        for (number, field, offset, length) in later {
            match pages.read(offset, length, &format!("the tag {number}")) {
                Ok(bytes) => directory.values.push((number, field, bytes)),
                // An image is read also where what is written about it is not there.
                Err(Lack::Fault(_)) if TEXTS.contains(&number) => {}
                Err(lack) => return Err(lack),
            }
        }
        Ok(directory)
    }

    /// The table of a tag.
    pub(super) fn table(&self, number: u16) -> Option<&Table> {
        self.tables.iter().find(|(known, _)| *known == number).map(|(_, table)| table)
    }

    /// Bytes of a tag as they are stored.
    pub(super) fn bytes(&self, number: u16) -> Option<&[u8]> {
        self.value(number).map(|(_, bytes)| bytes)
    }

    /// Integers of a tag; none where it is missing or has other values.
    pub(super) fn integers(&self, number: u16) -> Vec<u64> {
        match self.value(number) {
            Some((field, bytes)) if field.is_unsigned() => {
                bytes.chunks_exact(field.size() as usize).map(|item| self.numbers.unsigned(item)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The first integer of a tag.
    pub(super) fn integer(&self, number: u16) -> Option<u64> {
        let (field, bytes) = self.value(number).filter(|(field, _)| field.is_unsigned())?;
        bytes.get(..field.size() as usize).map(|item| self.numbers.unsigned(item))
    }

    /// The one integer that all values of a tag are, and a default where the tag is missing.
    pub(super) fn same(&self, number: u16, missing: u64, what: &str) -> Result<u64> {
        let found = self.integers(number);
        let first = found.first().copied().unwrap_or(missing);
        if found.iter().all(|other| *other == first) {
            return Ok(first);
        }
        Err(Error::Unsupported {
            feature: format!("a TIFF image whose samples differ in {what}"),
            reason: format!("found {found:?}; write the bands as images of their own"),
        })
    }

    /// Floats of a tag, integers among them.
    pub(super) fn floats(&self, number: u16) -> Vec<f64> {
        match self.value(number) {
            Some((field, bytes)) => bytes
                .chunks_exact(field.size() as usize)
                .filter_map(|item| self.numbers.float(field, item))
                .collect(),
            None => Vec::new(),
        }
    }

    /// Text of a tag without the NUL at its end.
    pub(super) fn text(&self, number: u16) -> Option<String> {
        let bytes = self.bytes(number)?;
        let bytes = bytes.split(|byte| *byte == 0).next()?;
        Some(text_of(bytes)).filter(|text| !text.is_empty())
    }

    fn value(&self, number: u16) -> Option<(Field, &[u8])> {
        self.values.iter().find(|(known, ..)| *known == number).map(|(_, field, bytes)| (*field, &**bytes))
    }
}

fn damaged(number: u16, reason: &str) -> Error {
    Error::metadata("", format!("the value of the tag {number} {reason}; the file is damaged"))
}
