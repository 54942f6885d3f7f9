//! Values of a store that answers synchronously: requested in batches, without the queue.
//!
//! A store counts as synchronous until it returns a promise. The read waits for that value as for any other, and
//! queues the chunks after it, so that the limit of requests in flight holds.

use std::rc::Rc;

use super::direct_batch::DirectBatch;
use super::execution::Execution;
use super::window::{Leaf, LeafTarget, Ready};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::sources::array_source::ArraySource;
use crate::js::stores::batch_values::{SentValues, Values};
use crate::js::stores::readable_source::ValueState;
use crate::js::stores::request_handle::RequestHandle;
use crate::read::Task;
use crate::source::{ChunkLocation, Request};

impl Execution<'_> {
    /// Whether values of a source are requested without the queue.
    pub(super) fn is_direct(source: &ArraySource) -> bool {
        Self::answers_directly(&source.driver)
    }

    /// Whether a store has answered at once until now, and a call to it is within the limit.
    fn answers_directly(driver: &StoreDriver) -> bool {
        let answers_at_once = driver.store().readable().is_some_and(|readable| readable.answers_at_once());
        answers_at_once && driver.scheduler.borrow().room() > 0
    }

    /// Whether chunks are read in rows: from a `Map` or a `Readable`, if this thread decodes all of them.
    pub(super) fn reads_rows(&self) -> bool {
        let has_rows = |source: &Rc<ArraySource>| {
            source.driver.store().readable().is_some() && !source.hands_out(self.plan)
        };
        self.sink.takes_rows() && self.sources.all().iter().all(has_rows)
    }

    /// Adds a leaf to the next batch: the index of a shard, a chunk, or a row of chunks.
    pub(super) fn add_direct(&mut self, leaf: Leaf, request: &Request, is_index: bool) -> JsResult<()> {
        let source = self.source(&leaf.task);
        if !self.direct.is_of(&source.driver) {
            self.ask_directly()?;
        }
        self.direct.driver.get_or_insert_with(|| Rc::clone(&source.driver));
        if self.direct.flight == 0 {
            self.direct.flight = source.driver.scheduler.borrow_mut().reserve();
        }
        self.direct.asking.add(self.direct.flight, request, leaf.task.chunks);
        self.direct.values += leaf.task.chunks;
        let bytes = if is_index { 0 } else { source.array.decoded_bytes(&leaf.task) };
        self.direct.bytes = self.direct.bytes.saturating_add(bytes.saturating_mul(leaf.task.chunks as u64));
        self.direct.leaves.push((leaf, is_index.then(|| request.clone())));
        Ok(())
    }

    /// Requests the values of the batch. If the store returns a promise, the leaves after that value are begun again.
    pub(super) fn ask_directly(&mut self) -> JsResult<()> {
        let DirectBatch { driver, leaves, asking, flight, .. } = std::mem::take(&mut self.direct);
        let Some(driver) = driver else { return Ok(()) };
        if !Self::answers_directly(&driver) {
            // Another read met a promise, and filled the queue, in a turn between these leaves.
            self.begin_again(leaves.into_iter().map(|(leaf, _)| leaf).collect());
            return Ok(());
        }
        let values = driver.ask_values(&asking, 1);
        let values = values.ok_or_else(|| closed(&leaves))?;
        let (mut nth, mut unasked) = (0, Vec::new());
        for (leaf, index) in leaves {
            let count = leaf.task.chunks;
            let asked = values.len().saturating_sub(nth).min(count);
            // Only the last requested value can be late.
            let is_row = count > 1 && asked == count;
            if is_row && !matches!(values.state(nth + count - 1), ValueState::Late) {
                self.window.ready.push_back((leaf, Ready::Row(Rc::clone(&values), nth)));
            } else {
                let array = &self.source(&leaf.task).array;
                for (task, nth) in leaf.task.singles(array).zip(nth..nth + asked) {
                    let leaf = Leaf { task, whole: None, chunks: leaf.chunks };
                    self.came(leaf, index.clone(), &values, (flight, nth))?;
                }
                let rest = leaf.task.after(array, asked);
                unasked.extend(rest.map(|task| Leaf { task, whole: None, chunks: leaf.chunks }));
            }
            nth += count;
        }
        self.begin_again(unasked);
        Ok(())
    }

    /// Puts leaves that were not requested before all others that wait to be begun.
    fn begin_again(&mut self, leaves: Vec<Leaf>) {
        leaves.into_iter().rev().for_each(|leaf| self.window.opened.push_front(leaf));
    }

    /// Takes a requested value, or waits for it if it is late.
    fn came(
        &mut self,
        leaf: Leaf,
        index: Option<Request>,
        values: &Rc<Values>,
        (flight, nth): (u64, usize),
    ) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let target = if index.is_some() { LeafTarget::Index } else { LeafTarget::Chunk };
        let Some(request) = index.or_else(|| request_of(&leaf.task)) else { return Ok(()) };
        if !matches!(values.state(nth), ValueState::Late) {
            let found = source.driver.value(values, nth, &request);
            let found = found.map_err(|error| self.blamed(&leaf.task, error))?;
            let ready = match (target, found) {
                (LeafTarget::Index, found) => Ready::Index(found),
                (_, Some(answered)) => Ready::Stored(answered, false),
                (_, None) => {
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
        let urgency = self.context.urgency;
        let send = |waiter| {
            let handle = RequestHandle::new(urgency);
            let sent = SentValues { values: Rc::clone(values), nth, request: request.clone(), is_run: false };
            let want = source.driver.late(flight, sent, waiter);
            handle.ticket().queued(source.driver.as_queue(), want..want + 1);
            handle
        };
        self.wait_for(leaf, &request, target, &send);
        Ok(())
    }
}

/// Error of a store that takes no requests any more, with the key of the first one.
fn closed(leaves: &[(Leaf, Option<Request>)]) -> Error {
    let key = leaves.first().map_or(String::new(), |(leaf, _)| leaf.task.key().to_owned());
    let reason = "the store was closed; open the array again".to_owned();
    Error::Store { key, status: None, range: None, reason }
}

/// The request for a task's bytes; `None` if they are known to be missing.
fn request_of(task: &Task) -> Option<Request> {
    match &task.location {
        ChunkLocation::Missing => None,
        ChunkLocation::Stored(request) => Some(request.clone()),
    }
}
