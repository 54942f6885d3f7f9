//! TIFF files, BigTIFF, GeoTIFF, COG and OME-TIFF among them: an image is an array for each level of its pyramid, and the
//! root says where the levels lie. Tiles are chunks; strips are those of a rectilinear grid, as the last one is shorter.
//!
//! Invariant: an image that is not read is listed with the reason, which opening it gives; the others open all the same.
//! Specs are named in `directory.rs`, `geo.rs` and `ome.rs`.

mod assembly;
mod directory;
mod geo;
mod numbers;
mod ome;
mod raster;
mod series;
mod texts;
mod xml;

use std::collections::BTreeSet;

use self::assembly::{Assembled, assembled};
use self::directory::{Directory, Header, TopDirectory, tag};
use super::ByteLocation;
use super::original::{FilePages, Found, Lack, OriginalFile, SingleFile, split_key};
use crate::error::Error;

/// A TIFF file as a virtual store.
pub(crate) type Tiff = SingleFile<TiffFile>;

/// Most directories: a stack of so many planes. Each takes memory, and in large files a request.
const MOST_DIRECTORIES: usize = 1 << 15;

/// Most bytes of the values of all directories: 64 MiB, as of a document.
const MOST_HELD: usize = crate::metadata::MAX_METADATA_BYTES;

/// Bytes that are asked for where a directory begins.
const DIRECTORY_BYTES: u64 = 512;

/// What was read of a file.
#[derive(Debug, Default)]
pub(crate) struct TiffFile {
    header: Option<Header>,
    /// Directories in the order of the file, each with those below it.
    directories: Vec<TopDirectory>,
    /// Offset of the directory to read next, once there is a first one.
    next: Option<u64>,
    /// Offsets of directories that were read.
    seen: BTreeSet<u64>,
    /// Bytes of the values of directories that were read.
    held_bytes: usize,
    /// Faults of directories after the first one.
    faults: Vec<Error>,
    assembled: Option<Assembled>,
}

impl OriginalFile for TiffFile {
    const NAME: &'static str = "TIFF file";

    fn prepare(&mut self, pages: &FilePages) -> Found<()> {
        if self.assembled.is_some() {
            return Ok(());
        }
        let header = match self.header {
            Some(header) => header,
            None => *self.header.insert(Header::read(pages)?),
        };
        let mut next = *self.next.get_or_insert(header.first);
        while next != 0 {
            let is_first = self.directories.is_empty();
            let read = Directory::read(header, pages, next);
            next = match read.and_then(|own| self.note(next, &own).map(|()| own)) {
                Ok(own) => {
                    let next = own.next;
                    self.directories.push(TopDirectory::new(own));
                    next
                }
                // The chain ends here; what came before is read.
                Err(Lack::Fault(error)) if !is_first => {
                    self.faults.push(*error);
                    0
                }
                Err(lack) => return Err(lack),
            };
            self.next = Some(next);
        }
        if self.directories.is_empty() {
            return Err(Error::metadata("", "the file has no directory").into());
        }
        self.read_below(header, pages)?;
        let (directories, faults) = (std::mem::take(&mut self.directories), std::mem::take(&mut self.faults));
        self.assembled = Some(assembled(directories, faults, header)?);
        Ok(())
    }

    fn find(&mut self, pages: &FilePages, key: &str) -> Found<ByteLocation> {
        let (Some(header), Some(assembled)) = (self.header, &self.assembled) else {
            return Ok(ByteLocation::Missing);
        };
        if let Some(path) =
            key.strip_suffix("zarr.json").filter(|path| path.is_empty() || path.ends_with('/'))
        {
            let document = assembled.document(path.trim_end_matches('/'))?;
            return Ok(document.map_or(ByteLocation::Missing, ByteLocation::Inline));
        }
        let level = split_key(key).and_then(|(path, coords)| Some((assembled.level(path)?, coords)));
        let Some((level, coords)) = level else { return Ok(ByteLocation::Missing) };
        let span = level.span(header, pages, &coords)?;
        Ok(span.map_or(ByteLocation::Missing, |span| ByteLocation::File {
            url: String::new(),
            span: Some(span),
        }))
    }
}

impl TiffFile {
    /// Notes that a directory was read. One that was read before would be read for ever, and many may share long values.
    fn note(&mut self, offset: u64, directory: &Directory) -> Found<()> {
        if !self.seen.insert(offset) {
            let reason =
                format!("the directories of the file lead back to byte {offset}; the file is damaged");
            return Err(Error::metadata("", reason).into());
        }
        self.held_bytes += directory.held_bytes();
        let below = directory.integers(tag::SUB_DIRECTORIES).len();
        let feature = if self.seen.len() > MOST_DIRECTORIES || below > MOST_DIRECTORIES {
            format!("a TIFF file of more than {MOST_DIRECTORIES} images")
        } else if self.held_bytes > MOST_HELD {
            "a TIFF file whose tags have more than 64 MiB".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::Unsupported { feature, reason: "split the file".to_owned() }.into())
    }

    /// Reads the directories below others, of all of them at once.
    fn read_below(&mut self, header: Header, pages: &FilePages) -> Found<()> {
        let unread = self.directories.iter().flat_map(|top| &top.unread);
        let heads = unread.map(|offset| *offset..offset.saturating_add(DIRECTORY_BYTES).min(1 << 52));
        pages.want(&heads.filter(|range| !range.is_empty()).collect::<Vec<_>>())?;
        let mut lacking = Vec::new();
        for nth in 0..self.directories.len() {
            if let Err(lack) = self.read_chain(nth, header, pages) {
                let Lack::Bytes(ranges) = lack else { return Err(lack) };
                lacking.extend(ranges);
            }
        }
        if lacking.is_empty() { Ok(()) } else { Err(Lack::Bytes(lacking)) }
    }

    /// Reads the directories below one, each with those that follow it in a chain.
    fn read_chain(&mut self, nth: usize, header: Header, pages: &FilePages) -> Found<()> {
        while let Some(offset) = self.directories[nth].unread.front().copied() {
            let read = match Directory::read(header, pages, offset) {
                Ok(directory) => self.note(offset, &directory).map(|()| directory),
                Err(Lack::Bytes(mut lacking)) => {
                    // The others stay in order behind this one, and what they lack comes with it.
                    for other in self.directories[nth].unread.iter().skip(1) {
                        if let Err(Lack::Bytes(more)) = Directory::read(header, pages, *other) {
                            lacking.extend(more);
                        }
                    }
                    return Err(Lack::Bytes(lacking));
                }
                read => read,
            };
            let TopDirectory { below, unread, .. } = &mut self.directories[nth];
            unread.pop_front();
            match read {
                Ok(directory) => {
                    let next = directory.next;
                    below.push(Some(directory));
                    // Some writers chain those that they list.
                    if next != 0 && !unread.contains(&next) && !self.seen.contains(&next) {
                        unread.push_front(next);
                    }
                }
                Err(Lack::Fault(error)) => {
                    below.push(None);
                    self.faults.push(*error);
                }
                Err(lack) => return Err(lack),
            }
        }
        Ok(())
    }
}
