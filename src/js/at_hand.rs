//! Reading from a `Map`: what is in memory needs no request, no queue and no turn of the event loop.
//!
//! Invariant: the result is what the engine would have given, chunk by chunk in the plan's order, and the page still
//! breathes.

use std::borrow::Cow;
use std::rc::Rc;

use js_sys::{Map, Uint8Array};

use super::JsResult;
use super::destination::Destination;
use super::engine::subarray;
use super::read::Progress;
use super::reader::Reader;
use super::timer::Breath;
use crate::read::{Plan, Task, chunk_bytes};
use crate::source::{ByteRange, Location, Request};

/// A read from a map.
pub(super) struct AtHand<'a> {
    pub(super) reader: &'a Rc<Reader>,
    pub(super) map: &'a Map,
    /// An encoded chunk, on its way.
    scratch: Vec<u8>,
}

/// A task, with all of its shard's bytes where it lies in one.
type Within = (Task, Option<Uint8Array>);

impl<'a> AtHand<'a> {
    pub(super) fn new(reader: &'a Rc<Reader>, map: &'a Map) -> Self {
        Self { reader, map, scratch: Vec::new() }
    }

    /// Puts every chunk of a plan in its place.
    pub(super) async fn put(
        mut self,
        plan: &Plan<'_>,
        output: &mut Destination<'_>,
        progress: &mut Progress<'_>,
    ) -> JsResult<()> {
        let mut breath = Breath::new();
        for task in plan.tasks() {
            let mut tasks = vec![(task?, None)];
            while let Some(task) = tasks.pop() {
                match self.inner(&task)? {
                    Some(inner) => tasks.extend(inner.into_iter().rev()),
                    None => self.put_chunk(&task, output, progress).await?,
                }
                breath.take().await;
            }
        }
        Ok(())
    }

    /// The tasks within a task's shard; nothing where its chunk is none, or is not there.
    fn inner(&self, (task, whole): &Within) -> JsResult<Option<Vec<Within>>> {
        let array = &self.reader.array;
        let Some(request) = array.index_request(task) else { return Ok(None) };
        let Some(whole) = self.whole(&request, whole.as_ref())? else { return Ok(None) };
        let index = self.part(&request, &whole)?;
        let index = array.decode_index(task, &index.to_vec())?;
        let inner = array.inner_tasks(task, &index)?;
        Ok(Some(inner.into_iter().map(|task| (task, Some(whole.clone()))).collect()))
    }

    async fn put_chunk(
        &mut self,
        (task, whole): &Within,
        output: &mut Destination<'_>,
        progress: &mut Progress<'_>,
    ) -> JsResult<()> {
        let reader = self.reader;
        if let Some(kept) = reader.kept(task) {
            output.put(task, kept.as_ref().as_ref()).await?;
            return progress.add(1, 0);
        }
        let found = match &task.location {
            Location::Missing => None,
            // A shard that is not there is a task that is none.
            Location::Stored(request) => match self.whole(request, whole.as_ref())? {
                None => None,
                Some(whole) => Some(self.part(request, &whole)?),
            },
        };
        let Some(bytes) = found else {
            output.put(task, None).await?;
            return progress.add(reader.array.chunks_of(task), 0);
        };
        let length = bytes.length() as usize;
        reader.array.check_answer(task, length)?;
        self.scratch.resize(length, 0);
        bytes.copy_to(&mut self.scratch);
        if reader.array.reads_part(task) {
            let (decoded, is_whole) = reader.array.decode_part(task, Cow::Borrowed(&self.scratch))?;
            let chunk = Rc::new(Some(decoded));
            output.put(task, chunk.as_ref().as_ref()).await?;
            if is_whole && reader.keeps_chunks() {
                reader.keep(task, &chunk, chunk_bytes(&chunk));
            }
            return progress.add(1, length as u64);
        }
        let decoded = reader.array.decode(task, Some(Cow::Borrowed(&self.scratch)))?;
        output.put(task, decoded.as_ref()).await?;
        // What took no work is as well taken from the map again.
        if reader.keeps_chunks() && !reader.array.is_plain(task) {
            let chunk = Rc::new(decoded.map(crate::codec::Decoded::into_owned));
            reader.keep(task, &chunk, chunk_bytes(&chunk));
        }
        progress.add(1, length as u64)
    }

    /// All of a value.
    fn whole(&self, request: &Request, whole: Option<&Uint8Array>) -> JsResult<Option<Uint8Array>> {
        match whole {
            Some(whole) => Ok(Some(whole.clone())),
            None => self.reader.engine.store().at(self.map, request),
        }
    }

    fn part(&self, request: &Request, whole: &Uint8Array) -> JsResult<Uint8Array> {
        if request.range == ByteRange::All {
            return Ok(whole.clone());
        }
        match request.range.of_length(u64::from(whole.length())) {
            Some(range) => Ok(subarray(whole, range)),
            None => Err(self.reader.engine.store().unfit(request, None, whole)),
        }
    }
}
