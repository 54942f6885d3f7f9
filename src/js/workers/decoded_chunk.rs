//! A decoded chunk, in this instance's memory or in JavaScript memory that another instance transferred.
//!
//! Invariant: transferred memory is never changed, and is reused only once no chunk refers to it.

use std::borrow::Cow;
use std::rc::{Rc, Weak};

use js_sys::Uint8Array;

use super::parcels::BufferPool;
use crate::codec::{Answer, AnswerKind};
use crate::error::Result;
use crate::js::convert::bytes::subarray;
use crate::output::Decoded;

/// A shared chunk; `None` where it is missing in the store.
pub(crate) type Chunk = Rc<Option<DecodedChunk>>;

/// Result of a job: a chunk, and whether all of it is decoded.
pub(crate) type Done = Result<(DecodedChunk, bool)>;

/// A decoded chunk.
pub(crate) enum DecodedChunk {
    /// In this instance's memory.
    Here(Decoded<'static>),
    /// In the transferred answers to a batch of jobs.
    There(TransferredChunk),
}

/// A chunk in the transferred answers of another instance.
pub(crate) struct TransferredChunk {
    answers: Rc<Answers>,
    start: u32,
    answer: Answer,
}

/// The answers to a batch of jobs, and the pool to which their memory returns.
pub(crate) struct Answers {
    bytes: Uint8Array,
    buffers: Weak<BufferPool>,
}

impl DecodedChunk {
    /// The chunk in this instance's memory, copied if it is elsewhere.
    pub(crate) fn here(&self) -> Cow<'_, Decoded<'static>> {
        match self {
            Self::Here(decoded) => Cow::Borrowed(decoded),
            Self::There(sent) => Cow::Owned(sent.copied()),
        }
    }

    /// The packed statistics that a worker made of the chunk, if it was sent with a reduction.
    pub(crate) fn reduced(&self) -> Option<Vec<u8>> {
        match self {
            Self::There(sent) if sent.answer.kind == AnswerKind::Reduced => Some(sent.items().to_vec()),
            _ => None,
        }
    }

    /// A copy for the cache, in JavaScript memory of its own.
    pub(crate) fn to_cached(&self) -> Self {
        match self {
            Self::Here(decoded) => Self::cached(decoded),
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

    /// A copy of a decoded chunk for the cache, in JavaScript memory.
    pub(crate) fn cached(decoded: &Decoded<'_>) -> Self {
        let decoded = decoded.in_little_endian();
        let Decoded { bytes, strides, heap, .. } = &*decoded;
        let length = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX);
        let copy = Uint8Array::new_with_length(length(bytes).saturating_add(length(heap)));
        for (part, at) in [(bytes, 0), (heap, length(bytes))].into_iter().filter(|(part, _)| !part.is_empty())
        {
            copy.subarray(at, at + length(part)).copy_from(part);
        }
        let answer = Answer {
            kind: AnswerKind::Whole,
            strides: strides.clone(),
            items: bytes.len(),
            heap: heap.len(),
        };
        Self::There(TransferredChunk { answers: Answers::new(&copy, Weak::new()), start: 0, answer })
    }

    /// Size of the chunk in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Here(decoded) => decoded.size(),
            Self::There(sent) => sent.answer.size(),
        }
    }
}

impl Answers {
    /// Wraps answers whose memory returns to a pool, if the pool still exists.
    pub(crate) fn new(bytes: &Uint8Array, buffers: Weak<BufferPool>) -> Rc<Self> {
        Rc::new(Self { bytes: bytes.clone(), buffers })
    }

    /// The chunk whose contents begin at `start`, and whether all of it is decoded.
    ///
    /// The chunk is copied where the answers use less than half of their buffer, so that a buffer takes at most twice
    /// the bytes of its chunks.
    pub(crate) fn content(self: &Rc<Self>, start: u32, answer: Answer) -> (DecodedChunk, bool) {
        let held = self.bytes.buffer().byte_length() as usize;
        let is_most = self.bytes.length() as usize * 2 >= held;
        let is_whole = answer.kind == AnswerKind::Whole;
        let sent = DecodedChunk::There(TransferredChunk { answers: Rc::clone(self), start, answer });
        (if is_most { sent } else { sent.to_cached() }, is_whole)
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
