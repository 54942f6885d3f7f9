//! Answers of modules and workers: a head with the layout or the error of each, then the items and the heap of each, one
//! after the other.

use crate::error::{Error, Gather, Packer, Result, Unpacker};
use crate::output::Decoded;

/// Bytes of the number at the start of packed answers, which is the length of their head.
pub const HEAD: usize = 8;

/// What the items of an answer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// A part of the chunk.
    Part,
    /// The whole chunk.
    Whole,
    /// Statistics of the chunk, packed, in place of its items.
    Reduced,
}

impl From<bool> for AnswerKind {
    fn from(is_whole: bool) -> Self {
        if is_whole { Self::Whole } else { Self::Part }
    }
}

/// Answer to a job: the layout of its items, and the number of its bytes in the contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What its items are.
    pub kind: AnswerKind,
    /// Bytes from one item to the next along each axis.
    pub strides: Vec<usize>,
    /// Number of bytes of the items.
    pub items: usize,
    /// Number of bytes of the heap after the items, which items of variable length refer to.
    pub heap: usize,
}

impl Answer {
    /// Number of bytes of items and heap.
    #[must_use]
    pub fn size(&self) -> usize {
        self.items.saturating_add(self.heap)
    }
}

/// Packs the head of answers. Their contents follow it: for each answer without an error, its items, then its heap.
#[must_use]
pub fn answers<K: Copy + Into<AnswerKind>>(done: &[Result<(Decoded<'_>, K)>]) -> Vec<u8> {
    let mut head = Packer::default();
    head.number(done.len() as u64);
    for answer in done {
        match answer {
            Ok((decoded, kind)) => {
                let strides = decoded.strides.iter().map(|&stride| stride as u64);
                let kind: AnswerKind = (*kind).into();
                head.number(0).number(kind as u64).numbers(strides);
                head.number(decoded.bytes.len() as u64).number(decoded.heap.len() as u64);
            }
            Err(error) => error.pack(&mut head),
        }
    }
    head.headed()
}

/// Unpacks the answers from their head; `None` where the bytes are not a head.
#[must_use]
pub fn unpack_answers(head: &[u8]) -> Option<Vec<Result<Answer>>> {
    let mut head = Unpacker::new(head);
    let count = head.length()?;
    (0..count).map(|_| unpack_answer(&mut head)).gathered()
}

fn unpack_answer(head: &mut Unpacker<'_>) -> Option<Result<Answer>> {
    let kind = head.number()?;
    if kind > 0 {
        return Error::unpack(kind, head).map(Err);
    }
    let kind = match head.number()? {
        0 => AnswerKind::Part,
        1 => AnswerKind::Whole,
        _ => AnswerKind::Reduced,
    };
    let strides = head.numbers()?.into_iter().map(usize::try_from).gathered();
    Some(Ok(Answer { kind, strides: strides.ok()?, items: head.length()?, heap: head.length()? }))
}
