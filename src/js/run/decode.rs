//! Ending a leaf: its bytes are decoded, by this thread or a worker, copied to the result, and kept in the cache.

use std::borrow::Cow;
use std::rc::Rc;

use wasm_bindgen::JsValue;

use super::chain::decode_by_chain;
use super::execution::Execution;
use super::row::{put_row, take_row};
use super::window::{Item, Leaf, LeafTarget, Ready, Wait};
use crate::js::JsResult;
use crate::js::chunks::in_flight::{FlightStage, InFlight};
use crate::js::chunks::sources::JustDecoded;
use crate::js::stores::request::Answered;
use crate::js::workers::decoded_chunk::DecodedChunk;
use crate::parts::Loaded;
use crate::read::{ChunkLocation, Task};

impl Execution<'_> {
    /// Takes the data that arrived for a leaf.
    pub(super) fn take(&mut self, leaf: Leaf, ready: Ready) -> JsResult<()> {
        match ready {
            Ready::Missing => self.put_missing(&leaf),
            Ready::Chunk(chunk) => self.put(&leaf, chunk.as_ref().as_ref(), 0),
            Ready::Stored(answered, is_kept) => self.decode(leaf, answered, is_kept, None),
            Ready::Index(answered) => {
                let task = leaf.task.clone();
                self.open_with(leaf, answered).map_err(|error| self.blamed(&task, error))
            }
            Ready::Row(values, nth) => put_row(Loaded::get()?, self, leaf, &values, nth),
        }
    }

    /// Handles an event: the request that an item waits for has reached its next stage.
    pub(super) fn handle_event(&mut self, number: u32) -> JsResult<()> {
        let Some(item) = self.window.take(number) else { return Ok(()) };
        let flight = match &item.wait {
            Wait::One(_, flight) => Rc::clone(flight),
            Wait::Row(row) => {
                let row = Rc::clone(row);
                return take_row(Loaded::get()?, self, number, item, &row);
            }
        };
        let stored = match &*flight.stage() {
            FlightStage::Failed(error) => return Err(self.failed(&item.leaf.task, error.clone())),
            FlightStage::Asked | FlightStage::Decoding(..) => {
                self.window.wait(number, item);
                return Ok(());
            }
            FlightStage::Stored(answered) => answered.clone(),
            FlightStage::Decoded(answered, chunk, is_whole) => {
                let (chunk, is_whole, leaf) = (Rc::clone(chunk), *is_whole, &item.leaf);
                self.put(leaf, chunk.as_ref().as_ref(), answered.bytes.length())?;
                if let Some(content) = chunk.as_ref() {
                    let keep = || content.to_kept();
                    self.source(&leaf.task).keep(
                        &leaf.task,
                        &answered.bytes,
                        self.context.admission,
                        JustDecoded { is_whole, is_cached: false },
                        keep,
                    );
                }
                return Ok(());
            }
        };
        let task = item.leaf.task.clone();
        let Wait::One(target, _) = item.wait else { return Ok(()) };
        match target {
            LeafTarget::Index => self.open_with(item.leaf, stored).map_err(|error| self.blamed(&task, error)),
            LeafTarget::Whole(index) => {
                self.open_whole(item.leaf, stored, &index).map_err(|error| self.blamed(&task, error))
            }
            LeafTarget::Chunk => match stored {
                Some(answered) => self.decode(item.leaf, answered, false, Some((number, flight))),
                None if let ChunkLocation::Stored(request) = &task.location
                    && task.depth > 0 =>
                {
                    let error = self.source(&task).driver.store().lost(request);
                    Err(self.failed(&task, error))
                }
                None => {
                    self.source(&task).keep_missing(&task, self.context.admission);
                    self.put_missing(&item.leaf)
                }
            },
        }
    }

    /// Decodes the bytes of a leaf here, in another module, or on a worker. `is_kept`: the bytes come from the cache;
    /// `flight`: the number of the leaf's item, and its request.
    fn decode(
        &mut self,
        leaf: Leaf,
        mut answered: Answered,
        is_kept: bool,
        flight: Option<(u32, Rc<InFlight>)>,
    ) -> JsResult<()> {
        let (source, task) = (self.source(&leaf.task), &leaf.task);
        if let ChunkLocation::Stored(request) = &task.location
            && answered.is_whole
        {
            answered = source.cut(request, &answered).map_err(|error| self.failed(task, error))?;
        }
        let (length, admission) = (answered.bytes.length(), self.context.admission);
        let checked = source.array.check_answer(task, length as usize).and_then(|()| match answered.whole {
            Some(whole) => source.array.check_whole(task, whole as usize),
            None => Ok(()),
        });
        checked.map_err(|error| self.failed(task, error.into()))?;
        let received = if is_kept { 0 } else { length };
        if self.put_stored(task, &answered)? {
            source.keep_stored(task, &answered.bytes, admission, is_kept);
            return self.count(&leaf, received);
        }
        let is_part = source.array.reads_part(task);
        if is_part {
            // Kept before decoding: other reads may need other parts of the chunk meanwhile.
            source.keep_stored(task, &answered.bytes, admission, is_kept);
        }
        let job = if is_part { task.part_job() } else { task.job() };
        let stays_here = flight.as_ref().is_some_and(|(_, flight)| flight.is_here.get());
        let part = if stays_here { None } else { source.sends(task, &answered.bytes) };
        if let Some(part) = part {
            // A chunk decoded in part is not shared: each read decodes its own part, in a flight that no other read
            // joins.
            let (number, flight) = flight.filter(|_| !is_part).unwrap_or_else(|| {
                let address = self.window.address();
                (address.number, InFlight::of_bytes(answered.clone(), address))
            });
            let handle = source.decode_on_worker(part, task, job, &answered.bytes, &flight);
            flight.decoding(answered, handle);
            self.window.wait(number, Item::of_chunks(leaf, Wait::One(LeafTarget::Chunk, flight)));
            return Ok(());
        }
        if let Some(chain) = &source.chain {
            return decode_by_chain(chain.part, self, chain, leaf, answered, is_kept, flight);
        }
        let flight = flight.map(|(_, flight)| flight);
        let mut scratch = std::mem::take(&mut self.scratch);
        let done = self.decode_here(&leaf, &answered, (is_part, is_kept), flight.as_deref(), &mut scratch);
        self.scratch = scratch;
        done?;
        self.count(&leaf, received)
    }

    /// Decodes a leaf's bytes on this thread and copies its chunk to the result.
    fn decode_here(
        &mut self,
        leaf: &Leaf,
        answered: &Answered,
        (is_part, is_kept): (bool, bool),
        flight: Option<&InFlight>,
        scratch: &mut Vec<u8>,
    ) -> JsResult<()> {
        let (source, task, admission) = (self.source(&leaf.task), &leaf.task, self.context.admission);
        let length = answered.bytes.copy_to(scratch);
        let encoded = Cow::Borrowed(&scratch[..length]);
        let decoded = if is_part {
            source.array.decode_part(task, encoded).map(|(decoded, is_whole)| (Some(decoded), is_whole))
        } else {
            source.array.decode(task, Some(encoded)).map(|decoded| (decoded, true))
        };
        let (decoded, is_whole) = decoded.map_err(|error| {
            let error = JsValue::from(error);
            if let Some(flight) = flight.filter(|_| !is_part) {
                flight.failed(error.clone());
            }
            self.failed(task, error)
        })?;
        let Some(decoded) = decoded else { return Ok(()) };
        if let Some(flight) = flight.filter(|flight| !is_part && flight.is_shared()) {
            let content = Rc::new(Some(DecodedChunk::Here(decoded.into_owned())));
            flight.decoded(answered.clone(), Rc::clone(&content), true);
            if let Some(content) = content.as_ref() {
                self.sink.put_content(task, content)?;
                source.keep(
                    task,
                    &answered.bytes,
                    admission,
                    JustDecoded { is_whole: true, is_cached: is_kept },
                    || content.to_kept(),
                );
            }
            return Ok(());
        }
        self.sink.put(task, Some(&decoded))?;
        source.keep(task, &answered.bytes, admission, JustDecoded { is_whole, is_cached: is_kept }, || {
            DecodedChunk::kept(&decoded)
        });
        decoded.give_back();
        Ok(())
    }

    /// Copies a chunk straight from its stored bytes, if they are the items of the result; returns whether they are.
    fn put_stored(&self, task: &Task, answered: &Answered) -> JsResult<bool> {
        let Some(copy_target) = self.sink.copy_target() else { return Ok(false) };
        let array = &self.source(task).array;
        let Some(strides) = array.stored_strides(task) else { return Ok(false) };
        if u64::from(answered.bytes.length()) != array.decoded_bytes(task) {
            return Ok(false);
        }
        copy_target.put_bytes(&task.selection, &answered.bytes, &strides)
    }

    pub(super) fn put_missing(&mut self, leaf: &Leaf) -> JsResult<()> {
        self.sink.put(&leaf.task, None)?;
        let chunks = if leaf.chunks == 0 { 0 } else { self.source(&leaf.task).array.chunks_of(&leaf.task) };
        self.progress.add(chunks, 0)?;
        Ok(())
    }

    pub(super) fn put(&mut self, leaf: &Leaf, content: Option<&DecodedChunk>, received: u32) -> JsResult<()> {
        match content {
            Some(content) => self.sink.put_content(&leaf.task, content)?,
            None => self.sink.put(&leaf.task, None)?,
        }
        self.count(leaf, received)
    }

    /// Counts a finished leaf.
    fn count(&mut self, leaf: &Leaf, received: u32) -> JsResult<()> {
        self.progress.add(leaf.chunks, received.into())?;
        self.worked += self.source(&leaf.task).array.decoded_bytes(&leaf.task);
        Ok(())
    }

    /// Error of a task's chunk that names its array. Drops the index of its shard, which may have been rewritten since.
    pub(super) fn failed(&self, task: &Task, error: JsValue) -> JsValue {
        self.source(task).forget_index(task);
        self.blamed(task, error)
    }

    /// Error of a task that names its array.
    pub(super) fn blamed(&self, task: &Task, error: JsValue) -> JsValue {
        self.sources.blame(task.array, error)
    }
}
