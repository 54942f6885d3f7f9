//! Reads from a `Map` or a `Readable`: values of stores that answer at once are requested in batches, without the
//! queue, and small chunks in rows, which are requested, decoded and copied together.
//!
//! A store counts as synchronous until it returns a promise. The read waits for that value as for any other, and
//! queues the chunks after it, so that the limit of requests in flight holds.

use std::rc::Rc;

use super::execution::Execution;
use super::window::{Arrived, Awaited, ChunkTask, DirectBatch, Needed, Waiting};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::chunks::in_flight::{RowFlight, RowPart, RowStage};
use crate::js::chunks::sources::ChunkSource;
use crate::js::stores::request::RequestHandle;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::stores::stored_bytes::{SentValues, ValueState, Values};
use crate::network::Request;
use crate::parts::{Calls, Loaded, later};
use crate::read::{ChunkLocation, ROW_BYTES, Task};

impl Execution<'_> {
    /// Whether chunks are read in rows: from a `Map` or a `Readable`, if this thread decodes all of them.
    pub(super) fn reads_rows(&self, part: Loaded<Calls>) -> bool {
        reads_rows(part, self)
    }

    /// Requests the values of the batch. If the store returns a promise, the chunk tasks after that value are begun
    /// again.
    pub(super) fn ask_directly(&mut self, part: Loaded<Calls>) -> JsResult<()> {
        ask_directly(part, self)
    }

    /// Adds a chunk task to the next batch: the index of a shard, a chunk, or a row of chunks. Returns the chunk task
    /// where its source is asked through the queue, or where requests are in flight that it may join.
    pub(super) fn add_direct(
        &mut self,
        part: Loaded<Calls>,
        chunk_task: ChunkTask,
        request: &Request,
        is_index: bool,
    ) -> JsResult<Option<ChunkTask>> {
        add_direct(part, self, chunk_task, request, is_index)
    }

    /// Requests the chunks of a row together. Returns the chunk task if they must be requested one by one, because
    /// workers may decode them or some are in flight already.
    pub(super) fn ask_row(
        &mut self,
        part: Loaded<Calls>,
        chunk_task: ChunkTask,
        request: &Request,
    ) -> Option<ChunkTask> {
        ask_row(part, self, chunk_task, request)
    }

    /// Handles the next stage of the row that a chunk task waits for.
    pub(super) fn take_row(&mut self, number: u32, waiting: Waiting, row: &RowFlight) -> JsResult<()> {
        take_row(Loaded::get()?, self, number, waiting, row)
    }

    /// Copies the chunks of a row to the result, as many at once as are stored one after the other and can be decoded.
    pub(super) fn put_row(&mut self, chunk_task: ChunkTask, values: &Rc<Values>, nth: usize) -> JsResult<()> {
        put_row(Loaded::get()?, self, chunk_task, values, nth)
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

#[later]
fn add_direct(
    part: Loaded<Calls>,
    run: &mut Execution<'_>,
    chunk_task: ChunkTask,
    request: &Request,
    is_index: bool,
) -> JsResult<Option<ChunkTask>> {
    let source = run.source(&chunk_task.task);
    let flights = if is_index { &source.index_flights } else { &source.chunk_flights };
    if !is_direct(source) || !flights.is_empty() {
        return Ok(Some(chunk_task));
    }
    if !run.direct.is_of(&source.driver) {
        ask_directly(part, run)?;
    }
    run.direct.driver.get_or_insert_with(|| Rc::clone(&source.driver));
    if run.direct.flight == 0 {
        run.direct.flight = source.driver.scheduler.borrow_mut().reserve();
    }
    run.direct.asking.add(run.direct.flight, request, chunk_task.task.chunks);
    run.direct.values += chunk_task.task.chunks;
    let bytes = if is_index { 0 } else { source.array.decoded_bytes(&chunk_task.task) };
    run.direct.bytes = run.direct.bytes.saturating_add(bytes.saturating_mul(chunk_task.task.chunks as u64));
    run.direct.chunk_tasks.push((chunk_task, is_index.then(|| request.clone())));
    Ok(None)
}

#[later]
fn ask_directly(_: Loaded<Calls>, run: &mut Execution<'_>) -> JsResult<()> {
    let DirectBatch { driver, chunk_tasks, asking, flight, .. } = std::mem::take(&mut run.direct);
    let Some(driver) = driver else { return Ok(()) };
    if !answers_directly(&driver) {
        // Another read met a promise, and filled the queue, in a turn between these chunk tasks.
        begin_again(run, chunk_tasks.into_iter().map(|(chunk_task, _)| chunk_task).collect());
        return Ok(());
    }
    let values = driver.ask_values(&asking, 1);
    let values = values.ok_or_else(|| closed(&chunk_tasks))?;
    let (mut nth, mut unasked) = (0, Vec::new());
    for (chunk_task, index) in chunk_tasks {
        let count = chunk_task.task.chunks;
        let asked = values.len().saturating_sub(nth).min(count);
        // Only the last requested value can be late.
        let is_row = count > 1 && asked == count;
        if is_row && !matches!(values.state(nth + count - 1), ValueState::Late) {
            run.window.ready.push_back((chunk_task, Arrived::Row(Rc::clone(&values), nth)));
        } else {
            let array = &run.source(&chunk_task.task).array;
            for (task, nth) in chunk_task.task.singles(&array.keys).zip(nth..nth + asked) {
                let chunk_task = ChunkTask { task, whole: None, chunks: chunk_task.chunks };
                came(run, chunk_task, index.clone(), &values, flight, nth)?;
            }
            let rest = chunk_task.task.after(&array.keys, asked);
            unasked.extend(rest.map(|task| ChunkTask { task, whole: None, chunks: chunk_task.chunks }));
        }
        nth += count;
    }
    begin_again(run, unasked);
    Ok(())
}

/// Puts chunk tasks that were not requested before all others that wait to be begun.
fn begin_again(run: &mut Execution<'_>, chunk_tasks: Vec<ChunkTask>) {
    chunk_tasks.into_iter().rev().for_each(|chunk_task| run.window.opened.push_front(chunk_task));
}

/// Takes a requested value, or waits for it if it is late.
fn came(
    run: &mut Execution<'_>,
    chunk_task: ChunkTask,
    index: Option<Request>,
    values: &Rc<Values>,
    flight: u64,
    nth: usize,
) -> JsResult<()> {
    let source = run.source(&chunk_task.task);
    let target = if index.is_some() { Needed::Index } else { Needed::Chunk };
    let Some(request) = index.or_else(|| request_of(&chunk_task.task)) else { return Ok(()) };
    if !matches!(values.state(nth), ValueState::Late) {
        let found = source.driver.value(values, nth, &request);
        let found = found.map_err(|error| run.blamed(&chunk_task.task, error))?;
        let ready = match (target, found) {
            (Needed::Index, found) => Arrived::Index(found),
            (_, Some(answered)) => Arrived::Stored(answered, false),
            (_, None) => {
                source.cache_missing(&chunk_task.task, run.context.admission);
                Arrived::Missing
            }
        };
        run.window.ready.push_back((chunk_task, ready));
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
    run.wait_for(chunk_task, &request, target, &send);
    Ok(())
}

/// Error of a store that takes no requests any more, with the key of the first one.
fn closed(chunk_tasks: &[(ChunkTask, Option<Request>)]) -> Error {
    let key = chunk_tasks.first().map_or(String::new(), |(chunk_task, _)| chunk_task.task.key().to_owned());
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

#[later]
fn ask_row(
    part: Loaded<Calls>,
    run: &mut Execution<'_>,
    chunk_task: ChunkTask,
    request: &Request,
) -> Option<ChunkTask> {
    let source = run.source(&chunk_task.task);
    if source.may_send(&chunk_task.task) {
        return Some(chunk_task);
    }
    let count = chunk_task.task.chunks;
    let address = run.window.row_address(count);
    let number = address.number;
    let key = source.row_key(&chunk_task.task);
    match source.chunk_flights.row(part, key, request, &run.context, &source.driver, address) {
        Some(row) => run.window.wait(number, Waiting::of_chunks(chunk_task, Awaited::Row(row))),
        None => return Some(chunk_task),
    }
    None
}

#[later]
fn take_row(
    part: Loaded<Calls>,
    run: &mut Execution<'_>,
    number: u32,
    waiting: Waiting,
    row: &RowFlight,
) -> JsResult<()> {
    let array = &run.source(&waiting.chunk_task.task).array;
    match row.stage() {
        RowStage::Asked => run.window.wait(number, waiting),
        RowStage::Parted(flights) => {
            for ((task, flight), number) in
                waiting.chunk_task.task.singles(&array.keys).zip(flights).zip(number + 1..)
            {
                let chunk_task = ChunkTask { task, whole: None, chunks: waiting.chunk_task.chunks };
                run.window.wait(number, Waiting::of_chunks(chunk_task, Awaited::One(Needed::Chunk, flight)));
            }
        }
        RowStage::Came(parts) => {
            for RowPart { values, nth, place, count } in parts {
                let Some(task) = waiting.chunk_task.task.after(&array.keys, place) else { continue };
                let task = Task { chunks: count, ..task };
                put_row(
                    part,
                    run,
                    ChunkTask { task, whole: None, chunks: waiting.chunk_task.chunks },
                    &values,
                    nth,
                )?;
            }
        }
    }
    Ok(())
}

#[later]
fn put_row(
    _: Loaded<Calls>,
    run: &mut Execution<'_>,
    chunk_task: ChunkTask,
    values: &Rc<Values>,
    nth: usize,
) -> JsResult<()> {
    let source = run.source(&chunk_task.task);
    let array = &source.array;
    let admission = run.context.admission;
    let most = if source.decodes_together(&chunk_task.task, admission) { ROW_BYTES as usize } else { 0 };
    let mut at = nth;
    let mut next = Some(chunk_task.task);
    while let Some(mut task) = next {
        let lengths = values.lengths(at, task.chunks, most);
        let length = lengths.iter().map(|&length| length as usize).sum();
        let (mut scratch, mut row) = (std::mem::take(&mut run.scratch), std::mem::take(&mut run.row));
        scratch.resize(scratch.len().max(ROW_BYTES as usize), 0);
        let is_there = lengths.len() > 1 && values.batch.copy_all(at, lengths.len(), length, &mut scratch);
        let decoded = is_there.then(|| array.decode_row(&task, &scratch, &lengths, &mut row)).flatten();
        let taken = if decoded.is_some() { lengths.len() } else { 1 };
        next = task.after(&array.keys, taken);
        task.chunks = taken;
        if let Some(decoded) = decoded {
            run.sink.put(&task, Some(&decoded))?;
            source.cache_row(&task, values, at, &lengths, admission);
            run.worked += decoded.bytes.len() as u64;
            lengths.iter().try_for_each(|&length| run.progress.add(1, length.into()))?;
            (run.scratch, run.row) = (scratch, row);
        } else {
            // The chunks cannot be decoded as a row from here: the first one is taken alone.
            (run.scratch, run.row) = (scratch, row);
            take_single(run, ChunkTask { task, whole: None, chunks: chunk_task.chunks }, values, at)?;
        }
        at += taken;
    }
    Ok(())
}

fn take_single(
    run: &mut Execution<'_>,
    chunk_task: ChunkTask,
    values: &Rc<Values>,
    nth: usize,
) -> JsResult<()> {
    let source = run.source(&chunk_task.task);
    let ChunkLocation::Stored(request) = &chunk_task.task.location else { return Ok(()) };
    let found = source.driver.value(values, nth, request);
    match found.map_err(|error| run.blamed(&chunk_task.task, error))? {
        Some(answered) => run.take(chunk_task, Arrived::Stored(answered, false)),
        None => {
            source.cache_missing(&chunk_task.task, run.context.admission);
            run.put_missing(&chunk_task)
        }
    }
}
