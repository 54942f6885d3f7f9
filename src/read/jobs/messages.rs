//! Messages to modules and workers: batches of jobs.
//!
//! A batch is the description of its array, the jobs, then the encoded bytes of each; the sender appends the bytes, so
//! they need not be contiguous before.
//! Invariant: a batch describes its array's codecs, so any instance can decode it, and decode it again.

use std::borrow::Cow;

use super::job::{Decoder, Job};
use crate::error::{Error, Gather, Packer, Result, Unpacker};
use crate::grid::{AxisIndexer, ChunkSelection, PointSelection};
use crate::output::Decoded;

/// An unpacked batch of jobs, all of one array.
#[derive(Debug)]
pub struct JobBatch<'a> {
    /// Description of the array's codecs, from which a [`crate::read::Decoder`] is made.
    pub description: &'a [u8],
    /// Jobs with their bytes.
    pub jobs: Vec<BatchedJob<'a>>,
}

/// An unpacked job.
#[derive(Debug)]
pub struct BatchedJob<'a> {
    depth: usize,
    is_piece: bool,
    shape: Vec<u64>,
    selection: Option<ChunkSelection>,
    reduction: &'a [u8],
    /// Number of bytes to decode.
    pub(super) length: usize,
    /// Bytes to decode.
    pub encoded: &'a [u8],
}

impl Job<'_> {
    /// Packs the job; `length` is the number of its encoded bytes, which follow the batch's head.
    #[must_use]
    pub fn packed(&self, length: usize) -> Vec<u8> {
        let mut parts = Packer::default();
        parts.number(self.depth as u64).number(self.is_piece.into()).numbers(self.shape.iter().copied());
        match self.selection {
            None => parts.number(0),
            Some(ChunkSelection::Axes(axes)) => {
                parts.number(1);
                axes.iter().for_each(|picks| pack_picks(picks, &mut parts));
                &mut parts
            }
            Some(ChunkSelection::Points(points)) => parts.number(2).numbers(points.coordinates().into_iter()),
        };
        parts.bytes(self.reduction).number(length as u64);
        parts.finish()
    }
}

/// Packs the head of a batch from packed jobs; the encoded bytes of the jobs follow it.
#[must_use]
pub fn parcel<'a>(description: &[u8], jobs: impl ExactSizeIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut head = Packer::default();
    head.bytes(description).number(jobs.len() as u64);
    jobs.for_each(|job| {
        head.raw(job);
    });
    head.headed()
}

impl<'a> JobBatch<'a> {
    /// Unpacks a batch; `None` where the bytes are not one.
    #[must_use]
    pub fn unpacked(bytes: &'a [u8]) -> Option<Self> {
        let mut contents = Unpacker::new(bytes);
        let mut batch = Self::without_bytes(contents.bytes()?)?;
        for job in &mut batch.jobs {
            job.encoded = contents.raw(job.length)?;
        }
        Some(batch)
    }

    /// Unpacks the head of a batch; `None` where the bytes are not one. Its jobs lack their bytes.
    pub(super) fn without_bytes(head: &'a [u8]) -> Option<Self> {
        let mut head = Unpacker::new(head);
        let description = head.bytes()?;
        let jobs = (0..head.length()?).map(|_| BatchedJob::unpacked(&mut head));
        Some(Self { description, jobs: jobs.gathered()? })
    }
}

impl<'a> BatchedJob<'a> {
    fn unpacked(head: &mut Unpacker<'a>) -> Option<Self> {
        let (depth, is_piece, shape) = (head.length()?, head.number()? == 1, head.numbers()?);
        let selection = match head.number()? {
            0 => None,
            1 => Some(ChunkSelection::Axes(shape.iter().map(|_| unpack_picks(head)).gathered()?)),
            _ => {
                let coordinates: Vec<i64> = head.numbers()?.into_iter().map(u64::cast_signed).collect();
                let count = coordinates.len().checked_div(shape.len())?;
                Some(ChunkSelection::Points(PointSelection::new(count, &coordinates, &shape).ok()?))
            }
        };
        let (reduction, length) = (head.bytes()?, head.length()?);
        Some(Self { depth, is_piece, shape, selection, reduction, length, encoded: &[] })
    }

    /// The job to decode.
    #[must_use]
    pub fn job(&self) -> Job<'_> {
        let Self { depth, is_piece, shape, selection, reduction, .. } = self;
        Job { depth: *depth, is_piece: *is_piece, shape, selection: selection.as_ref(), reduction }
    }
}

/// Packs a selection along an axis, without its positions in the output, which a decoder does not need.
fn pack_picks(picks: &AxisIndexer, parts: &mut Packer) {
    match picks {
        AxisIndexer::Run { first, step, count, .. } => {
            parts.number(0).number(*first).number(*step).number(*count);
        }
        AxisIndexer::List(list) => {
            let coordinates: Vec<u64> = list.picks().map(|pick| pick.coordinate).collect();
            parts.number(1).numbers(coordinates.into_iter());
        }
    }
}

fn unpack_picks(parts: &mut Unpacker<'_>) -> Option<AxisIndexer> {
    Some(match parts.number()? {
        0 => {
            let (first, step, count) = (parts.number()?, parts.number()?, parts.number()?);
            AxisIndexer::Run { first, step, count, output: 0, reversed: false }
        }
        _ => AxisIndexer::of(&parts.numbers()?),
    })
}

/// A job that was decoded.
#[derive(Debug)]
pub struct OpenedJob<'a> {
    /// The items, and whether they are the whole chunk.
    pub done: Result<(Decoded<'a>, bool)>,
    /// How the items are to be reduced, packed; empty where they are not.
    pub reduction: &'a [u8],
}

/// Decoder of batches. The decoder of the last batch is kept, because many batches of one array follow each other.
#[derive(Debug, Default)]
pub struct BatchDecoder(Option<(Vec<u8>, Decoder)>);

impl BatchDecoder {
    /// Creates a decoder that has decoded nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Decodes each job of a batch.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the bytes are not a batch, and the errors of [`Decoder::new`].
    pub fn open<'a>(&mut self, batch: &'a [u8]) -> Result<Vec<OpenedJob<'a>>> {
        let Some(JobBatch { description, jobs }) = JobBatch::unpacked(batch) else {
            return Err(Error::other_version("a message between modules"));
        };
        if self.0.as_ref().is_none_or(|(known, _)| known != description) {
            self.0 = None;
        }
        let (_, decoder) = match &mut self.0 {
            Some(last) => last,
            None => self.0.insert((description.to_vec(), Decoder::new(description)?)),
        };
        let opened = |sent: &BatchedJob<'a>| OpenedJob {
            done: decoder.decode(sent.job(), Cow::Borrowed(sent.encoded)),
            reduction: sent.reduction,
        };
        Ok(jobs.iter().map(opened).collect())
    }
}
