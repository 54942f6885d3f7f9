//! Pages of an HDF5 file that were provided so far. A read of bytes that are not there names the pages that it lacks.
//!
//! Invariant: a structure is read as a whole or not at all, and read again from its start once its pages are provided.
//! The pages that several structures lack form one list, so that a level of a tree is requested in one round.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use super::by_address::ByAddress;
use super::decoded_chunks::DecodedChunks;
use super::fault::{Fault, Read, damaged};
use super::fields::{Fields, Widths};
use super::stored_chunk::StoredChunk;
use super::superblock::{SharedTable, Superblock};
use crate::codec::bytes_to_bytes::checksum::jenkins_lookup3::checksum;
use crate::error::Result;
use crate::metadata::Value;
use crate::source::InputRequest;
use crate::source::original::{FilePages, Lack};

/// Bytes of a page. Headers and nodes have some hundred to some thousand bytes.
pub(super) const PAGE: u64 = 4 << 10;

/// End of the longest file that can be read: 2^48.
const LAST_BYTE: u64 = 1 << 48;

/// Most structures whose checksums are known to be right: 2^20.
const MOST_CHECKED: usize = 1 << 20;

/// Longest structure in bytes: 32 MiB, half of what the pages that are kept may take.
const LONGEST: u64 = 32 << 20;

/// Most bytes of structures that are read in one look-up: 1 GiB, 16 KiB for each of as many objects as a file may have.
const MOST_WORK: u64 = 1 << 30;

/// Most bytes of a chunk that is read here, because its text is in heaps or it skips filters: 16 MiB.
pub(super) const MOST_READ: u64 = 16 << 20;

/// A file's pages that were provided, and where addresses are in it.
pub(super) struct FileBytes {
    pages: FilePages,
    decoded: DecodedChunks,
    /// Offset in the file from which addresses count: the length of the user's block.
    base: u64,
    /// Bytes of the file, as its superblock states them.
    end: u64,
    pub(super) widths: Widths,
    /// Address of the superblock's extension; `None` where there is none, or where it was read.
    extension: Option<u64>,
    shared_table: Option<SharedTable>,
    /// Structures with their offsets, in the order of these, in place of what the file has there.
    image: Vec<(u64, Vec<u8>)>,
    /// Structures whose checksum was right.
    checked: RefCell<HashSet<u64>>,
    /// Bytes of structures that the look-up has read.
    work: Cell<u64>,
    /// Paths of objects by the addresses of their headers.
    paths: ByAddress<String>,
}

impl Default for FileBytes {
    fn default() -> Self {
        Self {
            pages: FilePages::of(PAGE),
            decoded: DecodedChunks::default(),
            base: 0,
            end: LAST_BYTE,
            widths: Widths { address: 8, length: 8 },
            extension: None,
            shared_table: None,
            image: Vec::new(),
            checked: RefCell::default(),
            work: Cell::new(0),
            paths: ByAddress::default(),
        }
    }
}

impl FileBytes {
    /// Notes where addresses count from, how many bytes the file has, and how wide its numbers are.
    pub(super) fn open(&mut self, superblock: &Superblock) {
        (self.base, self.end) = (superblock.base, superblock.end.min(self.end));
        (self.widths, self.extension) = (superblock.widths, superblock.extension);
    }

    /// Address of the superblock's extension; `None` where there is none, or where it was read.
    pub(super) fn extension(&self) -> Option<u64> {
        self.extension
    }

    /// Notes what the superblock's extension says: the table of heaps of shared messages, and structures by their addresses
    /// in place of the file's.
    pub(super) fn extend(&mut self, shared_table: Option<SharedTable>, image: Vec<(u64, Vec<u8>)>) {
        self.shared_table = shared_table;
        self.image = image.into_iter().map(|(address, bytes)| (self.offset(address), bytes)).collect();
        self.image.sort_unstable_by_key(|(offset, _)| *offset);
        self.extension = None;
        // Structures that were read before came from the file, and those of the image replace some.
        self.checked.take();
    }

    /// Notes that a look-up begins, which may read so much and no more.
    pub(super) fn begin_work(&self) {
        self.work.set(0);
    }

    /// Notes the paths of objects by the addresses of their headers.
    pub(super) fn set_paths(&mut self, paths: ByAddress<String>) {
        self.paths = paths;
    }

    /// Path of the object that a reference leads to; empty where it leads to none.
    pub(super) fn path(&self, reference: &[u8]) -> &str {
        let address = reference.get(..self.widths.address).map(super::fields::number);
        address.and_then(|address| self.paths.get(address)).map_or("", String::as_str)
    }

    /// The table of heaps of shared messages.
    pub(super) fn shared_table(&self) -> Option<SharedTable> {
        self.shared_table
    }

    /// Whether anything was provided.
    pub(super) fn is_begun(&self) -> bool {
        self.pages.has_begun()
    }

    /// The requests for the bytes that are lacking.
    ///
    /// # Errors
    /// The fault, where it is one.
    pub(super) fn requests(&self, lack: Lack) -> Result<Vec<InputRequest>> {
        self.pages.requests(lack)
    }

    /// Provides the pages of an input, or a decoded chunk.
    pub(super) fn provide(&mut self, number: u64, bytes: &[u8]) {
        if DecodedChunks::has_number(number) {
            self.decoded.provide(number, bytes);
        } else {
            self.pages.provide(number, bytes);
        }
    }

    /// Checks that a chunk, of which `whole` bytes are decoded, can be read here.
    pub(super) fn check_size(&self, chunk: StoredChunk, whole: u64) -> Result<()> {
        let size = chunk.size.max(whole);
        if size <= MOST_READ {
            return Ok(());
        }
        let feature = format!("a chunk of {size} bytes whose text is in heaps, or which skips filters");
        Err(Fault::Unsupported(feature).at(self.offset(chunk.address), "a chunk"))
    }

    /// The bytes of a chunk, once these codecs have decoded it to so many.
    pub(super) fn decoded(&self, chunk: StoredChunk, bytes: u64, codecs: Vec<Value>) -> Read<Rc<[u8]>> {
        let StoredChunk { address, size, .. } = chunk;
        self.check(address, size)?;
        let offset = self.offset(address);
        let decoded = self.decoded.get(offset);
        decoded.ok_or_else(|| Lack::Chunk(Box::new(DecodedChunks::request(offset, size, bytes, codecs))))
    }

    /// Offset in the file of an address.
    pub(super) fn offset(&self, address: u64) -> u64 {
        self.base.saturating_add(address)
    }

    /// Checks that bytes lie within the file.
    pub(super) fn check(&self, address: u64, length: u64) -> Result<()> {
        let end = self.offset(address).saturating_add(length);
        let whole = self.pages.most().map_or(self.end, |most| most.min(self.end));
        if end <= whole {
            return Ok(());
        }
        let stated = if whole < self.end && self.end < LAST_BYTE {
            format!(" of {}: it is cut short", self.end)
        } else {
            String::new()
        };
        let reason = format!("{length} bytes there end beyond the file, which has {whole}{stated}");
        Err(damaged(self.offset(address), &reason))
    }

    /// Reads bytes at an address.
    pub(super) fn read(&self, address: u64, length: u64) -> Read<Vec<u8>> {
        self.read_ahead(address, length, length)
    }

    /// Reads bytes at an address; where they are not there, those that probably follow are requested too.
    pub(super) fn read_ahead(&self, address: u64, length: u64, probable: u64) -> Read<Vec<u8>> {
        self.check(address, length)?;
        if length > LONGEST {
            let reason = format!("a structure of {length} bytes, more than {LONGEST}");
            return Err(damaged(self.offset(address), &reason).into());
        }
        self.work.set(self.work.get() + length);
        if self.work.get() > MOST_WORK {
            let reason = "its structures lead to the same bytes again and again";
            return Err(damaged(self.offset(address), reason).into());
        }
        let start = self.offset(address);
        let end = start + length;
        if self.pages.want(std::slice::from_ref(&(start..end))).is_err() {
            let likely = start.saturating_add(probable).min(self.end);
            self.pages.want(std::slice::from_ref(&(start..end.max(likely))))?;
        }
        let mut bytes = self.pages.read_up_to(start..end)?;
        self.put_image(start, &mut bytes);
        Ok(bytes)
    }

    /// Puts what the image has of a range over the file's bytes.
    fn put_image(&self, start: u64, bytes: &mut [u8]) {
        let end = start + bytes.len() as u64;
        // Structures do not overlap, so only the last one before the range can reach into it.
        let first = self.image.partition_point(|(at, _)| *at < start).saturating_sub(1);
        for (at, structure) in self.image[first..].iter().take_while(|(at, _)| *at < end) {
            let from = start.max(*at);
            let to = end.min(at.saturating_add(structure.len() as u64));
            if from < to {
                bytes[(from - start) as usize..(to - start) as usize]
                    .copy_from_slice(&structure[(from - at) as usize..(to - at) as usize]);
            }
        }
    }

    /// Fields of bytes, with the file's widths.
    pub(super) fn fields<'a>(&self, bytes: &'a [u8]) -> Fields<'a> {
        Fields::new(bytes, self.widths)
    }

    /// Checks the checksum after the first `length` bytes of a structure; once it was right, it is not computed again.
    pub(super) fn verify(&self, address: u64, bytes: &[u8], length: usize, what: &str) -> Result<()> {
        if self.checked.borrow().contains(&address) {
            return Ok(());
        }
        let stored = bytes.get(length..).and_then(|rest| rest.first_chunk::<4>());
        let stored = stored.map(|stored| u32::from_le_bytes(*stored));
        let computed = bytes.get(..length).map(|bytes| checksum(bytes, 0));
        if stored.is_none() || stored != computed {
            return Err(damaged(self.offset(address), &format!("the checksum of {what} differs")));
        }
        let mut checked = self.checked.borrow_mut();
        if checked.len() >= MOST_CHECKED {
            checked.clear();
        }
        checked.insert(address);
        Ok(())
    }
}
