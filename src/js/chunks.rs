//! The chunks of a job: kept ones, those that another reader is making, and new ones, decoded as far as they are wanted.
//!
//! Invariants: a chunk is fetched once for all who want it at one time, and decoded once for all who want it whole;
//! what was decoded in part is never taken for a chunk.

use std::borrow::Cow;
use std::rc::Rc;

use js_sys::Uint8Array;

use super::JsResult;
use super::caches::Cached;
use super::content::{Chunk, Content};
use super::engine::{Ticket, copied};
use super::reader::{Caller, Job, Reader, Received};
use crate::read::{self as decoding, Task};
use crate::source::ChunkLocation;

impl Reader {
    /// A job's chunk, decoded as far as the job wants it, and the stored bytes that were received for it.
    pub(super) async fn chunk(self: &Rc<Self>, job: Job, caller: &Caller) -> JsResult<(Chunk, u64)> {
        if job.task.location == ChunkLocation::Missing {
            return Ok((Rc::new(None), 0));
        }
        if let Some(kept) = self.kept(&job.task) {
            return Ok((kept, 0));
        }
        let identity = self.identity(&job.task);
        let _expected = self.workers.as_ref().map(|workers| workers.expect(self.decoded_size(&job.task)));
        if !self.array.reads_part(&job.task) {
            let reader = Rc::clone(self);
            let caller_too = caller.clone();
            let work = |ticket: Rc<Ticket>| async move {
                let (found, received) = reader.bytes(&job, &caller_too, &ticket).await?;
                let Some(bytes) = found else {
                    if caller_too.admission.keeps() {
                        reader.cache.keep(&reader.identity(&job.task), Cached::Missing);
                    }
                    return Ok((Rc::new(None), 0));
                };
                let (content, _) = reader.decoded(&job.task, job.task.job(), &bytes).await?;
                reader.keep(&job.task, (&content, &bytes), caller_too.admission, received.is_kept);
                Ok((Rc::new(Some(content)), received.bytes))
            };
            return self.chunks.get(identity, caller.urgency, work).await;
        }
        // Someone may be about to decode all of it.
        if let Some(whole) = self.chunks.joined(&identity, caller.urgency) {
            return whole.await;
        }
        let (encoded, received) = self.encoded(&job, caller).await?;
        let Some(bytes) = encoded.as_ref() else { return Ok((Rc::new(None), received.bytes)) };
        let (decoded, is_whole) = self.decoded(&job.task, job.task.part_job(), bytes).await?;
        if is_whole {
            self.keep(&job.task, (&decoded, bytes), caller.admission, received.is_kept);
        }
        Ok((Rc::new(Some(decoded)), received.bytes))
    }

    /// The bytes of a job's chunk: from the cache, from another reader, or fetched.
    async fn bytes(
        &self,
        job: &Job,
        caller: &Caller,
        ticket: &Ticket,
    ) -> JsResult<(Option<Uint8Array>, Received)> {
        let nothing = Received { bytes: 0, is_kept: false };
        let ChunkLocation::Stored(request) = &job.task.location else { return Ok((None, nothing)) };
        if let Some(bytes) = self.kept_bytes(&job.task) {
            return Ok((Some(bytes), Received { bytes: 0, is_kept: true }));
        }
        if let Some(found) = self.encoded.joined(&self.identity(&job.task), caller.urgency) {
            return found.await.map(|(bytes, received)| (bytes.as_ref().clone(), received));
        }
        let found = self
            .fetch((request, self.array.most_stored(&job.task)), job.whole.as_ref(), &caller.turn, ticket)
            .await;
        let found = self.checked(&job.task, || -> JsResult<_> {
            let found = found?;
            if let Some((_, Some(whole))) = &found {
                self.array.check_whole(&job.task, whole.length() as usize)?;
            }
            Ok(found)
        })?;
        let length = found.as_ref().map_or(0, |(bytes, _)| u64::from(bytes.length()));
        Ok((found.map(|(bytes, _)| bytes), Received { bytes: length, ..nothing }))
    }

    /// The bytes of a job's chunk of which parts are decoded, kept for those who want other parts of it.
    async fn encoded(
        self: &Rc<Self>,
        job: &Job,
        caller: &Caller,
    ) -> JsResult<(Rc<Option<Uint8Array>>, Received)> {
        if let Some(bytes) = self.kept_bytes(&job.task) {
            return Ok((Rc::new(Some(bytes)), Received { bytes: 0, is_kept: true }));
        }
        let (reader, caller_too, job) = (Rc::clone(self), caller.clone(), job.clone());
        let identity = self.identity(&job.task);
        let work = |ticket: Rc<Ticket>| async move {
            let ChunkLocation::Stored(request) = &job.task.location else {
                return Ok((Rc::new(None), Received { bytes: 0, is_kept: false }));
            };
            let most = reader.array.most_stored(&job.task);
            let found = reader.fetch((request, most), job.whole.as_ref(), &caller_too.turn, &ticket).await;
            let bytes = reader.checked(&job.task, || found)?.map(|(bytes, _)| bytes);
            let length = bytes.as_ref().map_or(0, Uint8Array::length);
            if caller_too.admission.keeps() {
                let kept = bytes.as_ref().map_or(Cached::Missing, Cached::stored);
                reader.cache.keep(&reader.identity(&job.task), kept);
            }
            Ok((Rc::new(bytes), Received { bytes: length.into(), is_kept: false }))
        };
        self.encoded.get(identity, caller.urgency, work).await
    }

    /// What a job makes of a task's bytes, here or in a worker, and whether it is all of the chunk.
    async fn decoded(
        &self,
        task: &Task,
        job: decoding::Job<'_>,
        bytes: &Uint8Array,
    ) -> JsResult<(Content, bool)> {
        self.checked(task, || self.array.check_answer(task, bytes.length() as usize))?;
        let elsewhere = match (&self.rare, &self.workers) {
            (Some(rare), _) => Some(rare.decode(job, bytes)),
            (None, Some(workers)) if !self.array.is_plain(task) => {
                let size_and_rate = (self.decoded_size(task), self.array.rate_of(task));
                workers.decode(&self.array, job, bytes, size_and_rate).await
            }
            _ => None,
        };
        let done = elsewhere.unwrap_or_else(|| {
            let (decoded, is_whole) = self.array.run(task, job, Cow::Owned(copied(bytes)))?;
            Ok((Content::Here(decoded), is_whole))
        });
        Ok(self.checked(task, || done.map_err(|error| task.blame(error)))?)
    }

    /// Bytes of a task's chunk, decoded.
    fn decoded_size(&self, task: &Task) -> u64 {
        self.array.decoded_bytes(task)
    }
}
