//! The other side of parcels: where jobs come that another instance sent, and are done one after the other.
//!
//! Invariant: a parcel describes its array's codecs, so any instance may be asked, and asked again.

use std::borrow::Cow;

use super::job::Decoder;
use super::job_batch::JobBatch;
use crate::error::{Error, Result};
use crate::output::Decoded;

/// Where parcels are opened: the decoder of the last one stays, as many of one array come one after the other.
#[derive(Debug, Default)]
pub struct BatchDecoder(Option<(Vec<u8>, Decoder)>);

impl BatchDecoder {
    /// Nothing came yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Decodes each job of a parcel: its items, and whether they are all of the chunk.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where it is no parcel, and what [`Decoder::new`] gives.
    pub fn open<'a>(&mut self, parcel: &'a [u8]) -> Result<Vec<Result<(Decoded<'a>, bool)>>> {
        let Some(JobBatch { description, jobs }) = JobBatch::unpacked(parcel) else {
            let reason = "the versions of the package on both sides may differ".to_owned();
            return Err(Error::Unsupported { feature: "what was sent to be decoded".to_owned(), reason });
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
