//! Values of a store that answers at once: asked for in batches, and never queued.
//!
//! A store counts as one until it answers with a promise. That value is waited for as any other, and what comes after it is
//! queued, so that no more are in flight than may be.

use std::rc::Rc;

use super::direct_batch::DirectBatch;
use super::execution::Execution;
use super::window::{Item, Leaf, Ready, Wait};
use crate::js::JsResult;
use crate::js::sources::array_source::ArraySource;
use crate::js::stores::batch_values::Values;
use crate::js::stores::readable_source::ValueState;
use crate::js::stores::request_handle::RequestHandle;
use crate::read::Task;
use crate::source::{ChunkLocation, Request};

impl Execution<'_> {
    /// Whether values are asked for without being queued.
    pub(super) fn is_direct(&self, source: &ArraySource) -> bool {
        let driver = &source.driver;
        let answers_at_once = driver.store().readable().is_some_and(|readable| readable.answers_at_once());
        answers_at_once && driver.scheduler.borrow().room() > 0
    }

    /// Whether chunks are read in rows: their values come at once and none of them is kept, reported, or decoded elsewhere.
    pub(super) fn reads_rows(&self) -> bool {
        let takes_rows = |source: &Rc<ArraySource>| {
            let store = source.driver.store();
            let keeps = !store.is_memory() && (self.context.admission.keeps() || !source.cache.is_empty());
            self.is_direct(source)
                && !keeps
                && !store.is_listened_to()
                && source.chunk_flights.is_empty()
                && !source.hands_out(self.plan)
        };
        self.sink.takes_rows() && self.sources.all().iter().all(takes_rows)
    }

    /// Adds a leaf to those whose values are asked for next: the index of a shard, or a chunk or a row of chunks.
    pub(super) fn add_direct(&mut self, leaf: Leaf, request: &Request, is_index: bool) -> JsResult<()> {
        let source = self.source(&leaf.task);
        if !self.direct.is_of(&source.driver) {
            self.ask_directly()?;
        }
        self.direct.driver.get_or_insert_with(|| Rc::clone(&source.driver));
        self.direct.asking.add(request, leaf.task.chunks);
        self.direct.values += leaf.task.chunks;
        let bytes = if is_index { 0 } else { source.array.decoded_bytes(&leaf.task) };
        self.direct.bytes = self.direct.bytes.saturating_add(bytes.saturating_mul(leaf.task.chunks as u64));
        self.direct.leaves.push((leaf, is_index.then(|| request.clone())));
        Ok(())
    }

    /// Asks for the values that were added.
    pub(super) fn ask_directly(&mut self) -> JsResult<()> {
        let DirectBatch { driver, leaves, asking, values, .. } = std::mem::take(&mut self.direct);
        let Some(driver) = driver else { return Ok(()) };
        let ticket = driver.store().readable().map_or(0, |readable| readable.tickets(values));
        let values = driver.ask_values(&asking, ticket, 1);
        let values = Rc::new(values.ok_or_else(|| js_sys::Error::new("the store was closed"))?);
        let mut nth = 0;
        for (leaf, index) in leaves {
            let count = leaf.task.chunks;
            let asked = values.len().saturating_sub(nth).min(count);
            // The last one that was asked for may be late.
            let is_row = count > 1 && asked == count;
            if is_row && !matches!(values.state(nth + count - 1), ValueState::Late) {
                self.window.ready.push_back((leaf, Ready::Row(Rc::clone(&values), nth)));
            } else {
                self.queue(leaf, index, asked, &values, (ticket, nth))?;
            }
            nth += count;
        }
        Ok(())
    }

    /// Begins the chunks of a leaf one by one, of which the first `asked` were asked for.
    fn queue(
        &mut self,
        leaf: Leaf,
        index: Option<Request>,
        asked: usize,
        values: &Values,
        (ticket, nth): (u32, usize),
    ) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let mut next = Some(leaf.task);
        let mut at = 0;
        while let Some(mut task) = next {
            next = task.after(&source.array, 1);
            task.chunks = 1;
            let leaf = Leaf { task, whole: None, chunks: leaf.chunks };
            if at < asked {
                self.came(leaf, index.clone(), values, (ticket, nth + at))?;
            } else if let Some(request) = &index {
                self.ask_for_index(leaf, request);
            } else if let Some(request) = request_of(&leaf.task) {
                self.ask_for(leaf, &request);
            }
            at += 1;
        }
        Ok(())
    }

    /// Takes a value that was asked for, or waits for it.
    fn came(
        &mut self,
        leaf: Leaf,
        index: Option<Request>,
        values: &Values,
        (ticket, nth): (u32, usize),
    ) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let is_index = index.is_some();
        let Some(request) = index.or_else(|| request_of(&leaf.task)) else { return Ok(()) };
        if !matches!(values.state(nth), ValueState::Late) {
            let found = source.driver.value(values, nth, &request);
            let found = found.map_err(|error| self.blamed(&leaf.task, error))?;
            let ready = match (is_index, found) {
                (true, found) => Ready::Index(found),
                (false, Some(answered)) => Ready::Stored(answered, false),
                (false, None) => {
                    source.keep_missing(&leaf.task, self.context.admission);
                    Ready::Missing
                }
            };
            self.window.ready.push_back((leaf, ready));
            return Ok(());
        }
        if let Some(readable) = source.driver.store().readable() {
            readable.is_late.set(true);
        }
        let (address, key) = (self.window.address(), source.identity(&leaf.task));
        let number = address.number;
        let send = |waiter| {
            let handle = RequestHandle::new(self.context.urgency);
            let want = source.driver.late((ticket, nth), values, &request, waiter);
            handle.ticket().queued(source.driver.as_queue(), want);
            handle
        };
        let flights = if is_index { &source.index_flights } else { &source.chunk_flights };
        let flight = flights.get(key, (&request, &self.context), address, send);
        let wait = if is_index { Wait::Index(flight) } else { Wait::Chunk(flight) };
        self.window.wait(number, Item { leaf, wait });
        Ok(())
    }
}

/// The request of a task's bytes; nothing where they are known to be missing.
fn request_of(task: &Task) -> Option<Request> {
    match &task.location {
        ChunkLocation::Missing => None,
        ChunkLocation::Stored(request) => Some(request.clone()),
    }
}
