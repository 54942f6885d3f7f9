//! A decoded chunk wherever its items lie: in this instance's memory, or in JavaScript's, as another instance sent it.
//!
//! Invariant: what another instance sent is read and never changed, and its memory is used again only once nobody has a
//! chunk in it any more.

use std::borrow::Cow;
use std::rc::{Rc, Weak};

use js_sys::Uint8Array;

use super::job_batch::BufferPool;
use crate::error::Result;
use crate::js::convert::bytes::subarray;
use crate::output::Decoded;
use crate::read::Answer;

/// A chunk; nothing where it is missing.
pub(crate) type Chunk = Rc<Option<DecodedChunk>>;

/// Result of a job: a chunk, and whether that is all of it.
pub(crate) type Done = Result<(DecodedChunk, bool)>;

/// A decoded chunk.
pub(crate) enum DecodedChunk {
    /// In this instance's memory.
    Here(Decoded<'static>),
    /// In the answers to a parcel.
    There(TransferredChunk),
}

/// A chunk as it was sent.
pub(crate) struct TransferredChunk {
    answers: Rc<Answers>,
    start: u32,
    answer: Answer,
}

/// The answers to a parcel, and where their memory goes after that.
pub(crate) struct Answers {
    bytes: Uint8Array,
    buffers: Weak<BufferPool>,
}

impl DecodedChunk {
    /// The chunk in this instance's memory, copied if it is not there.
    pub(crate) fn here(&self) -> Cow<'_, Decoded<'static>> {
        match self {
            Self::Here(decoded) => Cow::Borrowed(decoded),
            Self::There(sent) => Cow::Owned(sent.copied()),
        }
    }

    /// A copy in JavaScript's memory that holds nothing else.
    pub(crate) fn to_kept(&self) -> Self {
        match self {
            Self::Here(decoded) => Self::kept(decoded),
            Self::There(sent) => {
                let bytes = sent.part(0..sent.answer.size()).slice(0, u32::MAX);
                Self::There(TransferredChunk {
                    answers: Answers::new(&bytes, Weak::new()),
                    start: 0,
                    answer: sent.answer.clone(),
                })
            }
        }
    }

    /// A copy of a decoded chunk in JavaScript's memory.
    pub(crate) fn kept(decoded: &Decoded<'_>) -> Self {
        let turned = decoded.reversed.map(|_| decoded.clone().into_little_endian());
        let Decoded { bytes, strides, heap, .. } = turned.as_ref().unwrap_or(decoded);
        let length = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX);
        let copy = Uint8Array::new_with_length(length(bytes).saturating_add(length(heap)));
        for (part, at) in [(bytes, 0), (heap, length(bytes))].into_iter().filter(|(part, _)| !part.is_empty())
        {
            copy.subarray(at, at + length(part)).copy_from(part);
        }
        let answer =
            Answer { is_whole: true, strides: strides.clone(), items: bytes.len(), heap: heap.len() };
        Self::There(TransferredChunk { answers: Answers::new(&copy, Weak::new()), start: 0, answer })
    }

    /// Bytes of the chunk.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Here(decoded) => decoded.size(),
            Self::There(sent) => sent.answer.size(),
        }
    }
}

impl Answers {
    /// Answers whose memory goes back to this pool, if it is still there.
    pub(crate) fn new(bytes: &Uint8Array, buffers: Weak<BufferPool>) -> Rc<Self> {
        Rc::new(Self { bytes: bytes.clone(), buffers })
    }

    /// One of them, whose contents begin there, and whether it is all of its chunk.
    ///
    /// It stays where it is unless little of that memory is in use: what came together takes no more than twice its bytes.
    pub(crate) fn content(self: &Rc<Self>, start: u32, answer: Answer) -> (DecodedChunk, bool) {
        let held = self.bytes.buffer().byte_length() as usize;
        let (is_most, is_whole) = (self.bytes.length() as usize * 2 >= held, answer.is_whole);
        let sent = DecodedChunk::There(TransferredChunk { answers: Rc::clone(self), start, answer });
        (if is_most { sent } else { sent.to_kept() }, is_whole)
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        if let Some(buffers) = self.buffers.upgrade() {
            buffers.put(&self.bytes);
        }
    }
}

impl TransferredChunk {
    /// The items.
    pub(crate) fn items(&self) -> Uint8Array {
        self.part(0..self.answer.items)
    }

    /// Bytes from one item to the next along each axis.
    pub(crate) fn strides(&self) -> &[usize] {
        &self.answer.strides
    }

    fn part(&self, part: std::ops::Range<usize>) -> Uint8Array {
        let start = u64::from(self.start);
        subarray(&self.answers.bytes, start + part.start as u64..start + part.end as u64)
    }

    fn copied(&self) -> Decoded<'static> {
        Decoded {
            bytes: self.items().to_vec().into(),
            strides: self.answer.strides.clone(),
            heap: self.part(self.answer.items..self.answer.size()).to_vec().into(),
            reversed: None,
        }
    }
}
