//! The chunks of a job: kept ones, those that another reader is making, and new ones, decoded as far as they are wanted.
//!
//! Invariants: a chunk is fetched once for all who want it at one time, and decoded once for all who want it whole;
//! what was decoded in part is never taken for a chunk.

use std::borrow::Cow;
use std::rc::Rc;

use js_sys::Uint8Array;

use super::JsResult;
use super::content::{Chunk, Content};
use super::engine::{Ticket, copied};
use super::reader::{Caller, Job, Reader};
use crate::read::{self as decoding, Task};
use crate::source::Location;

impl Reader {
    /// A job's chunk, decoded as far as the job wants it, and the stored bytes that were received for it.
    pub(super) async fn chunk(self: &Rc<Self>, job: Job, caller: &Caller) -> JsResult<(Chunk, u64)> {
        if job.task.location == Location::Missing {
            return Ok((Rc::new(None), 0));
        }
        let identity = self.identity(&job.task);
        if let Some(kept) = self.chunks.kept(&identity) {
            return Ok((kept, 0));
        }
        let _expected = self.workers.as_ref().map(|workers| workers.expect(self.decoded_size(&job.task)));
        if !self.array.reads_part(&job.task) {
            let reader = Rc::clone(self);
            let caller_too = caller.clone();
            let work = |ticket: Rc<Ticket>| async move {
                let (found, received) = reader.bytes(&job, &caller_too, &ticket).await?;
                Ok((reader.decode(&job.task, found).await?, received))
            };
            return self.chunks.get(identity, caller.urgency, work).await;
        }
        // Someone may be about to decode all of it.
        if let Some(whole) = self.chunks.joined(&identity, caller.urgency) {
            return whole.await;
        }
        let (encoded, received) = self.encoded(&job, caller).await?;
        let Some(bytes) = encoded.as_ref() else { return Ok((Rc::new(None), received)) };
        let (decoded, is_whole) = self.decoded(&job.task, job.task.part_job(), bytes).await?;
        let chunk: Chunk = Rc::new(Some(self.lasting(decoded)));
        if is_whole {
            self.keep(&job.task, &chunk);
        }
        Ok((chunk, received))
    }

    /// The bytes of a job's chunk, and how many of them were received for it: from those that others decode parts of,
    /// or fetched.
    async fn bytes(
        &self,
        job: &Job,
        caller: &Caller,
        ticket: &Ticket,
    ) -> JsResult<(Option<Uint8Array>, u64)> {
        let Location::Stored(request) = &job.task.location else { return Ok((None, 0)) };
        let identity = self.identity(&job.task);
        if let Some(kept) = self.encoded.kept(&identity) {
            return Ok((kept.as_ref().clone(), 0));
        }
        if let Some(found) = self.encoded.joined(&identity, caller.urgency) {
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
        Ok((found.map(|(bytes, _)| bytes), length))
    }

    /// The bytes of a job's chunk, kept for those who want other parts of it.
    async fn encoded(self: &Rc<Self>, job: &Job, caller: &Caller) -> JsResult<(Rc<Option<Uint8Array>>, u64)> {
        let identity = self.identity(&job.task);
        if let Some(kept) = self.encoded.kept(&identity) {
            return Ok((kept, 0));
        }
        let (reader, turn) = (Rc::clone(self), Rc::clone(&caller.turn));
        let (task, whole) = (job.task.clone(), job.whole.clone());
        let work = |ticket: Rc<Ticket>| async move {
            let Location::Stored(request) = &task.location else { return Ok((Rc::new(None), 0)) };
            let found = reader
                .fetch((request, reader.array.most_stored(&task)), whole.as_ref(), &turn, &ticket)
                .await;
            // A copy: a view would keep all that came with it, and a store may use its own buffer again.
            let own = |(bytes, _): (Uint8Array, _)| Uint8Array::new_from_slice(&copied(&bytes));
            let bytes = reader.checked(&task, || found)?.map(own);
            let length = bytes.as_ref().map_or(0, Uint8Array::length);
            let bytes = Rc::new(bytes);
            reader.encoded.keep(&reader.identity(&task), &bytes, length as usize);
            Ok((bytes, u64::from(length)))
        };
        self.encoded.get(identity, caller.urgency, work).await
    }

    /// The chunk that a task's bytes hold, kept for the next read.
    async fn decode(&self, task: &Task, found: Option<Uint8Array>) -> JsResult<Chunk> {
        let decoded = match &found {
            None => None,
            Some(bytes) => Some(self.decoded(task, task.job(), bytes).await?.0),
        };
        let chunk: Chunk = Rc::new(decoded.map(|decoded| self.lasting(decoded)));
        if self.keeps_chunks() {
            self.keep(task, &chunk);
        }
        Ok(chunk)
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
                workers.decode(&self.array, job, bytes, self.decoded_size(task)).await
            }
            _ => None,
        };
        let done = elsewhere.unwrap_or_else(|| {
            let (decoded, is_whole) = self.array.run(task, job, Cow::Owned(copied(bytes)))?;
            Ok((Content::Here(decoded), is_whole))
        });
        Ok(self.checked(task, || done.map_err(|error| task.blame(error)))?)
    }

    /// A chunk as it may be kept: what is kept holds no memory but its own.
    fn lasting(&self, content: Content) -> Content {
        if self.keeps_chunks() { content.into_here() } else { content }
    }

    /// Bytes of a task's chunk, decoded.
    fn decoded_size(&self, task: &Task) -> u64 {
        self.array.decoded_bytes(task)
    }
}
