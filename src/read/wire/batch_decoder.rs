//! Batch decoder: decodes the jobs that another instance sent, one after the other.
//!
//! Invariant: a batch describes its array's codecs, so any instance can decode it, and decode it again.

use std::borrow::Cow;

use super::job::Decoder;
use super::job_batch::JobBatch;
use crate::error::{Error, Result};
use crate::output::Decoded;

/// Decoder of batches. The decoder of the last batch is kept, because many batches of one array follow each other.
#[derive(Debug, Default)]
pub struct BatchDecoder(Option<(Vec<u8>, Decoder)>);

impl BatchDecoder {
    /// Creates a decoder that has decoded nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Decodes each job of a batch; gives its items, and whether they are the whole chunk.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the bytes are not a batch, and the errors of [`Decoder::new`].
    pub fn open<'a>(&mut self, batch: &'a [u8]) -> Result<Vec<Result<(Decoded<'a>, bool)>>> {
        let Some(JobBatch { description, jobs }) = JobBatch::unpacked(batch) else {
            let reason = "both sides may be of different versions; deploy all files of the package together";
            let feature = "the format of a message between modules".to_owned();
            return Err(Error::Unsupported { feature, reason: reason.to_owned() });
        };
        if self.0.as_ref().is_none_or(|(known, _)| known != description) {
            self.0 = None;
        }
        let (_, decoder) = match &mut self.0 {
            Some(last) => last,
            None => self.0.insert((description.to_vec(), Decoder::new(description)?)),
        };
        Ok(jobs.iter().map(|sent| decoder.decode(sent.job(), Cow::Borrowed(sent.encoded))).collect())
    }
}
