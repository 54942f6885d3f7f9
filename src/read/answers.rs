//! What comes of jobs, on its way back: a head that says of each how its items lie, or which error it is, and then the
//! items and the heap of each, one after the other.

use super::packed::{Packer, Unpacker};
use super::parcel::headed;
use crate::codec::Decoded;
use crate::error::{CodecError, Error, Quantity, Result};

/// Bytes of the number that answers start with, the length of their head.
pub const HEAD: usize = 8;

/// What came of a job: how its items lie, and how many bytes of the contents are theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether the items are all of the chunk.
    pub is_whole: bool,
    /// Bytes from one item to the next along each axis.
    pub strides: Vec<usize>,
    /// Bytes of the items.
    pub items: usize,
    /// Bytes, after those, of what the items refer to.
    pub heap: usize,
}

/// Everything of the answers but their contents, which are of each that is no error its items, then its heap.
#[must_use]
pub fn answers(done: &[Result<(Decoded<'_>, bool)>]) -> Vec<u8> {
    let mut head = Packer::default();
    head.number(done.len() as u64);
    for answer in done {
        match answer {
            Ok((decoded, is_whole)) => {
                let strides = decoded.strides.iter().map(|&stride| stride as u64);
                head.number(0).number((*is_whole).into()).numbers(strides);
                head.number(decoded.bytes.len() as u64).number(decoded.heap.len() as u64);
            }
            Err(error) => pack_error(error, &mut head),
        }
    }
    headed(head)
}

/// What came of each job, from the head of the answers; nothing where it is none.
#[must_use]
pub fn unpack_answers(head: &[u8]) -> Option<Vec<Result<Answer>>> {
    let mut head = Unpacker::new(head);
    let count = head.length()?;
    (0..count).map(|_| unpack_answer(&mut head)).collect()
}

fn unpack_answer(head: &mut Unpacker<'_>) -> Option<Result<Answer>> {
    let kind = head.number()?;
    if kind > 0 {
        return unpack_error(kind, head).map(Err);
    }
    let is_whole = head.number()? == 1;
    let strides = head.numbers()?.into_iter().map(usize::try_from).collect::<std::result::Result<_, _>>();
    Some(Ok(Answer { is_whole, strides: strides.ok()?, items: head.length()?, heap: head.length()? }))
}

/// The errors that decoding has; any other one would arrive as its own words.
fn pack_error(error: &Error, head: &mut Packer) {
    match error {
        Error::Codec(error) => {
            head.number(1).bytes(error.codec.as_bytes()).bytes(error.hint.as_bytes());
            pack_quantity(&error.got, head);
            pack_quantity(&error.expected, head);
        }
        Error::InvalidMetadata { document, path, reason } => {
            head.number(2).bytes(document.as_bytes()).bytes(path.as_bytes()).bytes(reason.as_bytes());
        }
        Error::Unsupported { feature, reason } => {
            head.number(3).bytes(feature.as_bytes()).bytes(reason.as_bytes());
        }
        other => {
            head.number(3).bytes(b"decoding a chunk").bytes(other.to_string().as_bytes());
        }
    }
}

fn unpack_error(kind: u64, head: &mut Unpacker<'_>) -> Option<Error> {
    let (first, second) = (head.text()?, head.text()?);
    Some(match kind {
        1 => Error::Codec(Box::new(CodecError {
            codec: first.into(),
            hint: second.into(),
            got: unpack_quantity(head)?,
            expected: unpack_quantity(head)?,
            key: String::new(),
            coords: Vec::new(),
        })),
        2 => Error::InvalidMetadata { document: first, path: second, reason: head.text()? },
        _ => Error::Unsupported { feature: first, reason: second },
    })
}

fn pack_quantity(quantity: &Quantity, head: &mut Packer) {
    match quantity {
        Quantity::Bytes(bytes) => head.number(0).number(*bytes),
        Quantity::Checksum(sum) => head.number(1).number((*sum).into()),
        Quantity::Words(words) => head.number(2).bytes(words.as_bytes()),
    };
}

fn unpack_quantity(head: &mut Unpacker<'_>) -> Option<Quantity> {
    Some(match head.number()? {
        0 => Quantity::Bytes(head.number()?),
        1 => Quantity::Checksum(u32::try_from(head.number()?).ok()?),
        _ => Quantity::Words(head.text()?),
    })
}
