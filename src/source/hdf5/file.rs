//! Pages of an HDF5 file that were provided so far. A read of bytes that are not there names the pages that it lacks.
//!
//! Invariant: a structure is read as a whole or not at all, and read again from its start once its pages are provided.
//! The pages that several structures lack form one list, so that a level of a tree is requested in one round.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use super::fault::{Halt, Read, damaged};
use super::fields::{Fields, Widths};
use crate::codec::bytes_to_bytes::checksum::jenkins_lookup3::checksum;
use crate::error::Result;
use crate::network::ByteRange;
use crate::source::InputRequest;

/// Bytes of a page. Headers and nodes have some hundred to some thousand bytes.
pub(super) const PAGE: u64 = 4 << 10;

/// Bytes of the first request, [`InputRequest::head`], which holds all metadata of many files.
const FIRST: u64 = 64 << 10;

/// Most pages of one request: 2^16 - 1. The number of an input is its first page times 2^16, plus its pages.
const MOST_PAGES: u64 = (1 << 16) - 1;

/// End of the longest file that can be read: 2^48, so that the numbers of inputs stay below 2^53.
const LAST_BYTE: u64 = 1 << 48;

/// Most pages that are kept: 64 MiB. Beyond that, those that were not used for longest are dropped.
const MOST_KEPT: usize = 16 << 10;

/// Most structures whose checksums are known to be right: 2^20.
const MOST_CHECKED: usize = 1 << 20;

/// Longest structure in bytes: 32 MiB, half of what the pages that are kept may take.
const LONGEST: u64 = 32 << 20;

/// A file's pages that were provided.
pub(super) struct FileBytes {
    pages: HashMap<u64, Page>,
    /// Offset in the file from which addresses count: the length of the user's block.
    base: u64,
    /// Bytes of the file, as far as they are known.
    end: u64,
    pub(super) widths: Widths,
    uses: Cell<u64>,
    /// Structures whose checksum was right.
    checked: RefCell<HashSet<u64>>,
}

struct Page {
    bytes: Vec<u8>,
    /// Counter value of the last use.
    used: Cell<u64>,
}

impl Default for FileBytes {
    fn default() -> Self {
        Self {
            pages: HashMap::new(),
            base: 0,
            end: LAST_BYTE,
            widths: Widths { address: 8, length: 8 },
            uses: Cell::new(0),
            checked: RefCell::default(),
        }
    }
}

impl FileBytes {
    /// Notes where addresses count from, how many bytes the file has, and how wide its numbers are.
    pub(super) fn open(&mut self, base: u64, end: u64, widths: Widths) {
        (self.base, self.end, self.widths) = (base, end.min(self.end), widths);
    }

    /// Whether anything was provided.
    pub(super) fn is_begun(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Requests for pages; neighbours are one request.
    pub(super) fn requests(&self, mut pages: Vec<u64>) -> Vec<InputRequest> {
        pages.sort_unstable();
        pages.dedup();
        let mut requests = Vec::new();
        let mut rest = pages.as_slice();
        while let Some(&first) = rest.first() {
            let run = (first..).zip(rest).take_while(|(next, page)| next == *page).count();
            let run = run.min(MOST_PAGES as usize);
            let end = ((first + run as u64) * PAGE).min(self.end);
            requests.push(InputRequest {
                number: first << 16 | run as u64,
                url: String::new(),
                range: ByteRange::Span(first * PAGE..end),
            });
            rest = &rest[run..];
        }
        requests
    }

    /// Provides the pages of an input.
    pub(super) fn provide(&mut self, number: u64, bytes: &[u8]) {
        let (first, count) = match number {
            InputRequest::HEAD => (0, FIRST / PAGE),
            number => (number >> 16, number & MOST_PAGES),
        };
        if (bytes.len() as u64) < count * PAGE {
            // Only an input at the end of the file is shorter than its pages.
            self.end = self.end.min(first * PAGE + bytes.len() as u64);
        }
        let used = self.next_use();
        for (page, bytes) in (first..first + count).zip(bytes.chunks(PAGE as usize)) {
            self.pages.insert(page, Page { bytes: bytes.to_vec(), used: Cell::new(used) });
        }
        if self.pages.len() > MOST_KEPT {
            let mut uses: Vec<u64> = self.pages.values().map(|page| page.used.get()).collect();
            let (_, &mut middle, _) = uses.select_nth_unstable(MOST_KEPT / 2);
            self.pages.retain(|_, page| page.used.get() > middle || page.used.get() == used);
        }
    }

    /// Offset in the file of an address.
    pub(super) fn offset(&self, address: u64) -> u64 {
        self.base.saturating_add(address)
    }

    /// Checks that bytes lie within the file.
    pub(super) fn check(&self, address: u64, length: u64) -> Result<()> {
        let end = self.offset(address).saturating_add(length);
        if end <= self.end {
            return Ok(());
        }
        let reason = format!("{length} bytes there end beyond the file, which has {}", self.end);
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
        let start = self.offset(address);
        let end = start + length;
        let (used, mut at) = (self.next_use(), start);
        let mut bytes = Vec::new();
        while at < end {
            let Some(page) = self.pages.get(&(at / PAGE)) else {
                return Err(self.lacking(start, end, end.max(start.saturating_add(probable)).min(self.end)));
            };
            page.used.set(used);
            let within = (at % PAGE) as usize;
            let stop = (within as u64 + (end - at)).min(PAGE) as usize;
            let part = page.bytes.get(within..stop);
            bytes.extend_from_slice(part.ok_or_else(|| damaged(at, "the file ends there"))?);
            at += (stop - within) as u64;
        }
        Ok(bytes)
    }

    /// The pages that are not there of those that a structure needs, and the likely ones directly after them.
    fn lacking(&self, start: u64, end: u64, likely: u64) -> Halt {
        let needed = start / PAGE..end.div_ceil(PAGE);
        let likely = needed.end..likely.div_ceil(PAGE);
        let is_lacking = |page: &u64| !self.pages.contains_key(page);
        Halt::Lacks(needed.chain(likely.take_while(is_lacking)).filter(is_lacking).collect())
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

    fn next_use(&self) -> u64 {
        self.uses.set(self.uses.get() + 1);
        self.uses.get()
    }
}
