//! The bytes of one file that were read so far, in pages, and those that a parser asks for.
//!
//! Invariant: nothing is fetched here. A parser that meets bytes that are not there ends with [`Lack::Bytes`]; once they
//! are provided, it begins again with the structure that it was reading.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::network::ByteRange;
use crate::source::InputRequest;

/// Bytes of a page where a format does not choose: 16 KiB. A hop to a place that nothing is known of costs so much.
const PAGE: u64 = 16 << 10;

/// Bytes of the first request, [`InputRequest::head`].
const HEAD_BYTES: u64 = 64 << 10;

/// Most bytes that are kept: 64 MiB. Those that were not used for longest are asked for again when they are needed.
const MOST_KEPT: u64 = 64 << 20;

/// Most pages of one request. The number of an input is its first page times 4,096, plus its pages.
const MOST_PAGES: u64 = 0xfff;

/// Pages between two ranges that are asked for with them: a request costs more than they do.
const GAP: u64 = 2;

/// Last offset in a file that can be asked for: numbers of inputs are below 2^53.
const LAST_OFFSET: u64 = 1 << 52;

/// What stops a parser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The first bytes of the file.
    Start,
    /// Ranges of the file that were not read yet.
    Bytes(Vec<Range<u64>>),
    /// A chunk whose codecs the caller has.
    Chunk(Box<InputRequest>),
    /// The file is damaged, or has something that is not read.
    Fault(Box<Error>),
}

/// What a parser found, or what stopped it.
pub(crate) type Found<T> = std::result::Result<T, Lack>;

impl From<Error> for Lack {
    fn from(error: Error) -> Self {
        Self::Fault(Box::new(error))
    }
}

/// The pages of a file.
pub(crate) struct FilePages {
    pages: HashMap<u64, Page>,
    /// Bytes of a page, a part of those of the head.
    page: u64,
    /// Number of uses of pages so far.
    uses: Cell<u64>,
    /// The file has at least so many bytes.
    least: u64,
    /// The file has at most so many bytes; `None` before its end was met.
    most: Option<u64>,
}

/// A page, which is shorter than others at the end of the file.
struct Page {
    bytes: Rc<[u8]>,
    /// Number of its last use.
    used: Cell<u64>,
}

impl Default for FilePages {
    fn default() -> Self {
        Self::of(PAGE)
    }
}

impl FilePages {
    /// No pages yet, of so many bytes each.
    pub(crate) fn of(page: u64) -> Self {
        Self { pages: HashMap::new(), page, uses: Cell::new(0), least: 0, most: None }
    }

    /// Whether the start of the file was provided.
    pub(crate) fn has_begun(&self) -> bool {
        self.least > 0 || self.most.is_some()
    }

    /// The most bytes that the file may have; `None` before its end was met.
    #[cfg(feature = "hdf5")]
    pub(crate) fn most(&self) -> Option<u64> {
        self.most
    }

    /// Takes the bytes of a request; without bytes, the file ends before them.
    pub(crate) fn provide(&mut self, number: u64, bytes: &[u8]) {
        let Some((first, count)) = self.pages_of(number) else { return };
        let (start, asked) = (first * self.page, count * self.page);
        let bytes = &bytes[..bytes.len().min(usize::try_from(asked).unwrap_or(usize::MAX))];
        let end = start + bytes.len() as u64;
        self.least = self.least.max(if bytes.is_empty() { 0 } else { end });
        if end < start + asked {
            self.most = Some(self.most.map_or(end, |most| most.min(end)));
        }
        let used = self.next_use();
        for (page, bytes) in (first..).zip(bytes.chunks(self.page as usize)) {
            self.pages.insert(page, Page { bytes: bytes.into(), used: Cell::new(used) });
        }
        let most = (MOST_KEPT / self.page) as usize;
        let mut before = usize::MAX;
        while self.pages.len() > most && self.pages.len() < before {
            before = self.pages.len();
            // Those whose last use is longer ago than the mean.
            let mean = self.pages.values().map(|page| page.used.get()).sum::<u64>() / before as u64;
            self.pages.retain(|_, page| page.used.get() == used || page.used.get() > mean);
        }
    }

    /// Asks for all of these ranges at once, where any byte of them is lacking, as far as the file goes.
    pub(crate) fn want(&self, ranges: &[Range<u64>]) -> Found<()> {
        let mut lacking: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            let end = range.end.min(self.most.unwrap_or(LAST_OFFSET));
            for page in range.start / self.page..end.max(range.start).div_ceil(self.page) {
                if page * self.page < end && !self.pages.contains_key(&page) {
                    lacking.push(page * self.page..(page + 1) * self.page);
                }
                if lacking.len() as u64 > MOST_PAGES {
                    return Err(Lack::Bytes(lacking));
                }
            }
        }
        if lacking.is_empty() { Ok(()) } else { Err(Lack::Bytes(lacking)) }
    }

    /// The bytes of a range that has some part of a file's structure, `what`.
    #[cfg(feature = "files")]
    pub(crate) fn read(&self, start: u64, length: u64, what: &str) -> Found<Vec<u8>> {
        let end = start.checked_add(length).filter(|end| *end <= LAST_OFFSET);
        let Some(end) = end.filter(|end| self.most.is_none_or(|most| *end <= most)) else {
            let most = self.most.map_or_else(String::new, |most| format!(", whose file has {most} bytes"));
            let reason = format!(
                "{what} lies at byte {start} with {length} bytes{most}: the file is damaged or cut short"
            );
            return Err(Error::metadata("", reason).into());
        };
        self.read_up_to(start..end)
    }

    /// The bytes of a range, as far as the file goes.
    pub(crate) fn read_up_to(&self, range: Range<u64>) -> Found<Vec<u8>> {
        self.want(std::slice::from_ref(&range))?;
        let end = range.end.min(self.most.unwrap_or(range.end));
        let used = self.next_use();
        let mut bytes = Vec::new();
        for page in range.start / self.page..end.max(range.start).div_ceil(self.page) {
            let Some(found) = self.pages.get(&page) else { break };
            found.used.set(used);
            let first = page * self.page;
            let from = (range.start.max(first) - first) as usize;
            let to = (end.min(first + self.page) - first) as usize;
            bytes.extend_from_slice(found.bytes.get(from..to.min(found.bytes.len())).unwrap_or_default());
        }
        Ok(bytes)
    }

    /// The length of the file in bytes, which hosts do not say: its end is searched for.
    #[cfg(feature = "files")]
    pub(crate) fn length(&self) -> Found<u64> {
        match self.most {
            Some(most) if most == self.least => Ok(most),
            most => {
                let last = self.least.saturating_sub(1) / self.page;
                let page = match most {
                    Some(most) => (last + most.div_ceil(self.page)) / 2,
                    None => (2 * last).max(1),
                };
                let page = page.max(last + 1);
                if page * self.page >= LAST_OFFSET {
                    return Err(Error::metadata("", "the file has no end").into());
                }
                Err(Lack::Bytes(std::iter::once(page * self.page..(page + 1) * self.page).collect()))
            }
        }
    }

    /// The requests for the bytes that are lacking.
    ///
    /// # Errors
    /// The fault, where it is one.
    pub(crate) fn requests(&self, lack: Lack) -> Result<Vec<InputRequest>> {
        match lack {
            Lack::Start => Ok(vec![InputRequest::head()]),
            Lack::Bytes(ranges) => Ok(self.joined(ranges)),
            Lack::Chunk(request) => Ok(vec![*request]),
            Lack::Fault(error) => Err(*error),
        }
    }

    /// The requests for ranges: those near each other together.
    fn joined(&self, mut ranges: Vec<Range<u64>>) -> Vec<InputRequest> {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        let mut runs: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            let (first, end) = (range.start / self.page, range.end.div_ceil(self.page));
            match runs.last_mut() {
                Some(run) if first <= run.end + GAP && end.max(run.end) - run.start <= MOST_PAGES => {
                    run.end = run.end.max(end);
                }
                _ => runs.extend(
                    (first..end).step_by(MOST_PAGES as usize).map(|page| page..end.min(page + MOST_PAGES)),
                ),
            }
        }
        let request = |run: Range<u64>| {
            let number = run.start << 12 | (run.end - run.start);
            let range = ByteRange::UpTo(run.start * self.page..run.end * self.page);
            InputRequest::plain(number, String::new(), range)
        };
        runs.into_iter().map(request).collect()
    }

    /// First page and number of pages of a request's number.
    fn pages_of(&self, number: u64) -> Option<(u64, u64)> {
        if number == InputRequest::HEAD {
            return Some((0, HEAD_BYTES.div_ceil(self.page)));
        }
        Some((number >> 12, number & MOST_PAGES))
            .filter(|(first, count)| *count > 0 && *first < LAST_OFFSET / self.page)
    }

    fn next_use(&self) -> u64 {
        self.uses.set(self.uses.get() + 1);
        self.uses.get()
    }
}

#[cfg(all(test, feature = "files"))]
#[expect(clippy::expect_used, clippy::panic, reason = "a test fails by a panic")]
mod tests {
    use super::{FilePages, Lack, PAGE};
    use crate::source::InputRequest;

    /// Serves a file of this length until work on its pages ends; returns the requests, as numbers of bytes.
    fn served<T>(
        length: u64,
        work: impl Fn(&FilePages) -> super::Found<T>,
    ) -> (Result<T, crate::Error>, Vec<u64>) {
        let file: Vec<u8> = (0..length).map(|at| (at * 7 + at / 256) as u8).collect();
        let (mut pages, mut asked) = (FilePages::default(), Vec::new());
        loop {
            let lack = match work(&pages) {
                Ok(found) => return (Ok(found), asked),
                Err(lack) => lack,
            };
            let needs = match pages.requests(lack) {
                Ok(needs) => needs,
                Err(error) => return (Err(error), asked),
            };
            assert!(!needs.is_empty() && asked.len() < 100);
            for need in needs {
                let crate::network::ByteRange::UpTo(range) = need.range.clone() else { panic!("{need:?}") };
                asked.push(range.end - range.start);
                let (start, end) = (range.start.min(length) as usize, range.end.min(length) as usize);
                pages.provide(need.number, &file[start..end]);
            }
        }
    }

    #[test]
    fn ranges_are_read_across_pages_and_up_to_the_end() {
        for length in [1, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE + 3] {
            let byte = |at: u64| (at * 7 + at / 256) as u8;
            for (start, count) in [(0, 1), (0, length), (length / 2, length - length / 2), (length - 1, 1)] {
                let (found, _) = served(length, |pages| pages.read(start, count, "it"));
                assert_eq!(found.expect("bytes"), (start..start + count).map(byte).collect::<Vec<_>>());
            }
            let (found, _) = served(length, |pages| pages.read(length - 1, 2, "the table"));
            assert!(found.expect_err("beyond the end").to_string().contains("the table lies at byte"));
            let (found, _) = served(length, |pages| pages.read_up_to(0..1 << 20));
            assert_eq!(found.expect("bytes").len() as u64, length);
        }
    }

    #[test]
    fn the_length_is_found_in_few_requests() {
        for length in [1, PAGE, 4 * PAGE, 64 * PAGE, 100 * PAGE + 5] {
            let (found, asked) = served(length, |pages| {
                pages.read(0, 1, "it")?;
                pages.length()
            });
            assert_eq!(found, Ok(length));
            assert!(asked.len() <= 18, "{length}: {} requests", asked.len());
        }
    }

    #[test]
    fn pages_that_were_not_used_for_longest_are_dropped() {
        let mut pages = FilePages::default();
        let run = vec![7; 1000 * PAGE as usize];
        let provide = |pages: &mut FilePages, nth: u64| pages.provide((1000 * nth) << 12 | 1000, &run);
        for nth in 0..40 {
            provide(&mut pages, nth);
            // The first page is used again and again.
            assert_eq!(pages.read(5, 1, "it"), Ok(vec![7]));
            assert!(pages.read(1000 * nth * PAGE, 1000 * PAGE, "it").is_ok());
            assert!(pages.pages.len() <= (super::MOST_KEPT / PAGE) as usize);
        }
        assert!(matches!(pages.read(PAGE, 1, "it"), Err(Lack::Bytes(_))));
    }

    #[test]
    fn near_ranges_come_in_one_request_and_the_head_is_the_first() {
        let (_, asked) = served(1 << 20, |pages| {
            pages.want(&[0..1, PAGE..PAGE + 1, 3 * PAGE..4 * PAGE, 20 * PAGE..21 * PAGE])
        });
        assert_eq!(asked, [4 * PAGE, PAGE]);
        let mut pages = FilePages::default();
        pages.provide(InputRequest::HEAD, &[7; 100]);
        assert_eq!(pages.read(99, 1, "it"), Ok(vec![7]));
        assert!(matches!(pages.read(100, 1, "it"), Err(Lack::Fault(_))));
    }
}
