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
use crate::js::chunks::sources::ChunkSource;
use crate::js::stores::request::RequestHandle;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::stores::stored_bytes::{SentValues, ValueState, Values};
use crate::network::Request;
use crate::parts::{Calls, Loaded, later};
use crate::read::{ChunkLocation, Task};

impl Execution<'_> {
    /// Whether chunks are read in rows: from a `Map` or a `Readable`, if this thread decodes all of them.
    pub(super) fn reads_rows(&self, part: Loaded<Calls>) -> bool {
        reads_rows(part, self)
    }

    /// Requests the values of the batch. If the store returns a promise, the leaves after that value are begun again.
    pub(super) fn ask_directly(&mut self, part: Loaded<Calls>) -> JsResult<()> {
        ask_directly(part, self)
    }
}

/// Whether values of a source are requested without the queue.
fn is_direct(source: &ChunkSource) -> bool {
    answers_directly(&source.driver)
}

/// Whether a store has answered at once until now, and a call to it is within the limit.
fn answers_directly(driver: &StoreDriver) -> bool {
    let answers_at_once = driver.store().readable().is_some_and(|readable| readable.answers_at_once());
    answers_at_once && driver.scheduler.borrow().room() > 0
}

#[later]
fn reads_rows(_: Loaded<Calls>, run: &Execution<'_>) -> bool {
    let has_rows =
        |source: &Rc<ChunkSource>| source.driver.store().readable().is_some() && !source.hands_out(run.plan);
    run.sink.takes_rows() && run.sources.all().iter().all(has_rows)
}

/// Adds a leaf to the next batch: the index of a shard, a chunk, or a row of chunks. Returns the leaf where its source is
/// asked through the queue, or where requests are in flight that it may join.
#[later]
pub(super) fn add_direct(
    part: Loaded<Calls>,
    run: &mut Execution<'_>,
    leaf: Leaf,
    request: &Request,
    is_index: bool,
) -> JsResult<Option<Leaf>> {
    let source = run.source(&leaf.task);
    let flights = if is_index { &source.index_flights } else { &source.chunk_flights };
    if !is_direct(source) || !flights.is_empty() {
        return Ok(Some(leaf));
    }
    if !run.direct.is_of(&source.driver) {
        ask_directly(part, run)?;
    }
    run.direct.driver.get_or_insert_with(|| Rc::clone(&source.driver));
    if run.direct.flight == 0 {
        run.direct.flight = source.driver.scheduler.borrow_mut().reserve();
    }
    run.direct.asking.add(run.direct.flight, request, leaf.task.chunks);
    run.direct.values += leaf.task.chunks;
    let bytes = if is_index { 0 } else { source.array.decoded_bytes(&leaf.task) };
    run.direct.bytes = run.direct.bytes.saturating_add(bytes.saturating_mul(leaf.task.chunks as u64));
    run.direct.leaves.push((leaf, is_index.then(|| request.clone())));
    Ok(None)
}

#[later]
fn ask_directly(_: Loaded<Calls>, run: &mut Execution<'_>) -> JsResult<()> {
    let DirectBatch { driver, leaves, asking, flight, .. } = std::mem::take(&mut run.direct);
    let Some(driver) = driver else { return Ok(()) };
    if !answers_directly(&driver) {
        // Another read met a promise, and filled the queue, in a turn between these leaves.
        begin_again(run, leaves.into_iter().map(|(leaf, _)| leaf).collect());
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
            run.window.ready.push_back((leaf, Ready::Row(Rc::clone(&values), nth)));
        } else {
            let array = &run.source(&leaf.task).array;
            for (task, nth) in leaf.task.singles(&array.keys).zip(nth..nth + asked) {
                let leaf = Leaf { task, whole: None, chunks: leaf.chunks };
                came(run, leaf, index.clone(), &values, (flight, nth))?;
            }
            let rest = leaf.task.after(&array.keys, asked);
            unasked.extend(rest.map(|task| Leaf { task, whole: None, chunks: leaf.chunks }));
        }
        nth += count;
    }
    begin_again(run, unasked);
    Ok(())
}

/// Puts leaves that were not requested before all others that wait to be begun.
fn begin_again(run: &mut Execution<'_>, leaves: Vec<Leaf>) {
    leaves.into_iter().rev().for_each(|leaf| run.window.opened.push_front(leaf));
}

/// Takes a requested value, or waits for it if it is late.
fn came(
    run: &mut Execution<'_>,
    leaf: Leaf,
    index: Option<Request>,
    values: &Rc<Values>,
    (flight, nth): (u64, usize),
) -> JsResult<()> {
    let source = run.source(&leaf.task);
    let target = if index.is_some() { LeafTarget::Index } else { LeafTarget::Chunk };
    let Some(request) = index.or_else(|| request_of(&leaf.task)) else { return Ok(()) };
    if !matches!(values.state(nth), ValueState::Late) {
        let found = source.driver.value(values, nth, &request);
        let found = found.map_err(|error| run.blamed(&leaf.task, error))?;
        let ready = match (target, found) {
            (LeafTarget::Index, found) => Ready::Index(found),
            (_, Some(answered)) => Ready::Stored(answered, false),
            (_, None) => {
                source.keep_missing(&leaf.task, run.context.admission);
                Ready::Missing
            }
        };
        run.window.ready.push_back((leaf, ready));
        return Ok(());
    }
    if let Some(readable) = source.driver.store().readable() {
        readable.is_late.set(true);
    }
    let urgency = run.context.urgency;
    let send = |waiter| {
        let handle = RequestHandle::new(urgency);
        let sent = SentValues { values: Rc::clone(values), nth, request: request.clone(), is_run: false };
        let want = source.driver.late(flight, sent, waiter);
        handle.ticket().queued(source.driver.as_queue(), want..want + 1);
        handle
    };
    run.wait_for(leaf, &request, target, &send);
    Ok(())
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
