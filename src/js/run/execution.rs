//! One read, from its plan to its result, in the order of its steps: [`Execution::run`] takes tasks of the plan while
//! there is room, `begin` requests their bytes, `handle_event` and `take` get what arrived, `decode` decodes it here or
//! elsewhere, and `put` copies it to its place.
//!
//! A shard becomes the chunk tasks of its inner chunks in `shards`. Stores that answer at once are asked in
//! `readables`.

use std::borrow::Cow;
use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::window::{Arrived, Awaited, ChunkTask, DirectBatch, Needed, Waiting, Window};
use crate::error::Gather;
use crate::grid::sorted_by_number;
use crate::js::JsResult;
use crate::js::chunks::in_flight::{FlightStage, InFlight, ReadContext};
use crate::js::chunks::sources::{ChunkSource, JoinedSources, JustDecoded};
use crate::js::convert::value::number;
use crate::js::options::read_options::Order;
use crate::js::output::sink::{Sink, Supply};
use crate::js::stores::request::{Answered, BoundedRequest, RequestHandle, Waiter};
use crate::js::support::loading::load;
use crate::js::support::time::TimeSlice;
use crate::js::support::work::after_requests;
use crate::js::workers::array_workers::PendingBytes;
use crate::js::workers::decoded_chunk::DecodedChunk;
use crate::js::workers::stage_decoder::{StageAnswer, StageDecoder, done};
use crate::network::Request;
use crate::parts::{Calls, Loaded, later};
use crate::read::{ChunkLocation, MAX_ORDERED_TASKS, Plan, ROW_BYTES, Task};

/// A read under way.
pub(crate) struct Execution<'a> {
    pub(super) sources: &'a JoinedSources,
    pub(super) plan: &'a Plan<'a>,
    pub(super) context: ReadContext,
    pub(super) order: Order,
    pub(super) sink: Sink<'a>,
    pub(super) progress: Progress<'a>,
    pub(super) window: Window,
    pub(super) direct: DirectBatch,
    time_slice: TimeSlice,
    /// Whether it has decoded nothing since it began, or since it last waited.
    is_rested: bool,
    /// Decoded bytes since the time slice was last checked.
    pub(super) worked: u64,
    /// Stored bytes of the chunk, or of the row of chunks, that is being decoded.
    pub(super) scratch: Vec<u8>,
    /// Decoded bytes of a row.
    pub(super) row: Vec<u8>,
    /// The part that reads from a `Map` or a `Readable`, where a source is one.
    pub(super) readables: Option<Loaded<Calls>>,
    /// Counts the bytes of the read as pending for workers while the read lasts.
    _expected: Option<PendingBytes>,
}

impl<'a> Execution<'a> {
    pub(crate) fn new(
        sources: &'a JoinedSources,
        plan: &'a Plan<'a>,
        context: ReadContext,
        order: Order,
        sink: Sink<'a>,
        progress: Progress<'a>,
    ) -> Self {
        Self {
            sources,
            plan,
            context,
            order,
            sink,
            progress,
            window: Window::new(sources),
            direct: DirectBatch::default(),
            time_slice: TimeSlice::default(),
            is_rested: true,
            worked: 0,
            scratch: Vec::new(),
            row: Vec::new(),
            readables: None,
            _expected: sources.all().iter().find_map(|source| source.expect(plan)),
        }
    }

    /// Reads all chunks; returns the sink that holds them.
    pub(crate) async fn run(mut self) -> JsResult<Sink<'a>> {
        if self.sources.have_readables() {
            self.readables = Some(load(self.sources.part_timeout()).await?);
        }
        let mut tasks = self.tasks();
        let mut next = tasks();
        loop {
            while self.window.has_room() && !self.direct.is_full() {
                if let Some(chunk_task) = self.window.opened.pop_front() {
                    self.begin_blamed(chunk_task)?;
                } else if next.is_some() && self.may_open(next.as_ref()) {
                    let Some(task) = std::mem::replace(&mut next, tasks()) else { break };
                    self.begin_blamed(ChunkTask { task: task?, whole: None, chunks: 1 })?;
                } else {
                    break;
                }
                // Requesting many chunks takes time too. Those of one shard are requested in one turn, so that near
                // ranges are joined.
                if !self.window.has_opened() {
                    self.time_slice.take_after(0).await;
                }
            }
            if let Some(part) = self.readables {
                self.ask_directly(part)?;
            }
            if let Some((chunk_task, ready)) = self.window.ready.pop_front() {
                self.wait_for_turn(true).await;
                self.take(chunk_task, ready)?;
                self.rest(next.is_none()).await?;
            } else if let Some(number) = self.window.mailbox.take() {
                // Requests follow from the index of a shard, so it waits for no decoding of other reads.
                if !self.window.opens_shard(number) {
                    self.wait_for_turn(false).await;
                }
                self.handle_event(number)?;
                self.rest(next.is_none()).await?;
            } else if self.window.has_opened() {
                // The store answered late: the chunk tasks that it was not asked for are begun in the next round.
            } else if !self.window.is_empty() {
                self.window.mailbox.filled().await;
                self.is_rested = true;
            } else if next.is_none() {
                return Ok(self.sink);
            }
        }
    }

    /// Whether another task of the plan may be begun.
    fn may_open(&self, next: Option<&crate::Result<Task>>) -> bool {
        // What waits in the sink waits for a chunk in the window.
        let is_full = self.sink.is_full() && !self.window.is_empty();
        !is_full && self.window.may_open(|| self.chunks_of(next))
    }

    /// Waits before the first decoding since the read began or last waited: for its time slice among the other reads
    /// and, if the chunk was cached, for the requests of this turn to be sent.
    async fn wait_for_turn(&mut self, is_cached: bool) {
        if !std::mem::take(&mut self.is_rested) {
            return;
        }
        if is_cached && !self.sources.answer_at_once() {
            after_requests().await;
        }
        self.time_slice.take().await;
    }

    /// Hands over finished data, and yields to the event loop if the time slice is over and work is left.
    async fn rest(&mut self, is_last: bool) -> JsResult<()> {
        if self.sink.is_pending() {
            self.sink.settle(&mut self.time_slice).await?;
        }
        // Nothing is left to do, so a pause would only delay the result; other reads wait before they decode.
        if is_last && self.window.is_empty() {
            return Ok(());
        }
        self.time_slice.take_after(std::mem::take(&mut self.worked)).await;
        Ok(())
    }

    fn begin_blamed(&mut self, chunk_task: ChunkTask) -> JsResult<()> {
        let nth = chunk_task.task.array;
        self.begin(chunk_task).map_err(|error| self.sources.blame(nth, error))
    }

    /// Number of chunks of the plan in the next task, a chunk or a shard.
    fn chunks_of(&self, next: Option<&crate::Result<Task>>) -> u64 {
        next.and_then(|task| task.as_ref().ok()).map_or(0, |task| self.source(task).array.chunks_of(task))
    }

    /// Source of a task's array.
    pub(super) fn source(&self, task: &Task) -> &'a ChunkSource {
        self.sources.of(task)
    }

    /// Tasks of the plan in the requested order, or in grid order if there are too many to sort.
    fn tasks(&self) -> Supply<'a, crate::Result<Task>> {
        if self.order == Order::Grid || self.plan.stored_chunks() > MAX_ORDERED_TASKS {
            let row_bytes =
                if self.readables.is_some_and(|part| self.reads_rows(part)) { ROW_BYTES } else { 0 };
            let (mut parts, mut rows) = (self.sink.parts(self.plan), None);
            return Box::new(move || {
                loop {
                    if let Some(task) = rows.as_mut().and_then(Iterator::next) {
                        return Some(task);
                    }
                    rows = Some(parts()?.rows(row_bytes));
                }
            });
        }
        let tasks = self.plan.tasks().gathered().map(|tasks| self.center_first(tasks, |task| task));
        let (tasks, mut error) = match tasks {
            Ok(tasks) => (tasks, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let mut tasks = tasks.into_iter();
        Box::new(move || error.take().map(Err).or_else(|| tasks.next().map(Ok)))
    }

    /// Sorts things by the order of the read: nearest to the middle of the result first, or as they are.
    pub(super) fn center_first<T>(&self, things: Vec<T>, task: impl Fn(&T) -> &Task) -> Vec<T> {
        if self.order == Order::Grid {
            return things;
        }
        // The bits of non-negative floats sort as the floats do.
        sorted_by_number(things, |thing| self.plan.distance(task(thing)).to_bits())
    }

    /// Begins a chunk task; a shard, a row or a chunk in pieces becomes several chunk tasks.
    pub(super) fn begin(&mut self, chunk_task: ChunkTask) -> JsResult<()> {
        let source = self.source(&chunk_task.task);
        if self.sink.skips(&chunk_task.task)? {
            return self.count_unread(&chunk_task);
        }
        if chunk_task.task.location == ChunkLocation::Missing {
            self.window.ready.push_back((chunk_task, Arrived::Missing));
            return Ok(());
        }
        if source.array.is_shard(&chunk_task.task)
            && let Some(request) = source.array.index_request(&chunk_task.task)
        {
            return self.begin_shard(chunk_task, &request);
        }
        if self.sink.reads_by_buffer()
            && let Some(stretch) = source.array.stretch(&chunk_task.task)
        {
            let chunk_task = self.first_of_row(chunk_task);
            return self.begin_chunk(ChunkTask { task: stretch, ..chunk_task });
        }
        let pieces = if chunk_task.whole.is_none() { source.pieces(&chunk_task.task) } else { None };
        match pieces {
            None => self.begin_chunk(chunk_task),
            Some(_) if chunk_task.task.chunks > 1 => {
                let chunk_task = self.first_of_row(chunk_task);
                self.begin(chunk_task)
            }
            Some(pieces) => {
                let last = pieces.len().saturating_sub(1);
                pieces.into_iter().enumerate().try_for_each(|(nth, task)| {
                    let chunks = if nth == last { chunk_task.chunks } else { 0 };
                    self.begin_chunk(ChunkTask { task, whole: None, chunks })
                })
            }
        }
    }

    fn begin_shard(&mut self, chunk_task: ChunkTask, request: &Request) -> JsResult<()> {
        let source = self.source(&chunk_task.task);
        let key = source.identity(&chunk_task.task);
        if let Some(index) = source.indexed(&key) {
            return self.open(chunk_task, &index);
        }
        if let Some(whole) = &chunk_task.whole {
            let index = source.cut(request, whole)?;
            return self.open_with(chunk_task, Some(index));
        }
        let left = match self.readables {
            Some(part) => self.add_direct(part, chunk_task, request, true)?,
            None => Some(chunk_task),
        };
        if let Some(chunk_task) = left {
            self.ask(chunk_task, request, Needed::Index);
        }
        Ok(())
    }

    fn begin_chunk(&mut self, mut chunk_task: ChunkTask) -> JsResult<()> {
        let source = self.source(&chunk_task.task);
        let ChunkLocation::Stored(request) = chunk_task.task.location.clone() else {
            self.window.ready.push_back((chunk_task, Arrived::Missing));
            return Ok(());
        };
        if chunk_task.task.chunks > 1 && source.has_of_row(&chunk_task.task) {
            chunk_task = self.first_of_row(chunk_task);
        }
        if let Some(cached) = source.ready(&chunk_task.task) {
            self.window.ready.push_back((chunk_task, cached));
            return Ok(());
        }
        if let Some(whole) = &chunk_task.whole {
            let bytes = source.cut(&request, whole)?;
            self.window.ready.push_back((chunk_task, Arrived::Stored(bytes, false)));
            return Ok(());
        }
        if let Some(part) = self.readables {
            match self.add_direct(part, chunk_task, &request, false)? {
                None => return Ok(()),
                Some(left) => chunk_task = left,
            }
            if chunk_task.task.chunks > 1 {
                match self.ask_row(part, chunk_task, &request) {
                    None => return Ok(()),
                    Some(row) => chunk_task = self.first_of_row(row),
                }
            }
        }
        self.ask(chunk_task, &request, Needed::Chunk);
        Ok(())
    }

    /// Splits a row after its first chunk and returns that one; the rest is begun next.
    fn first_of_row(&mut self, mut chunk_task: ChunkTask) -> ChunkTask {
        if let Some(task) = chunk_task.task.after(&self.source(&chunk_task.task).array.keys, 1) {
            self.window.opened.push_front(ChunkTask { task, whole: None, chunks: chunk_task.chunks });
            chunk_task.task.chunks = 1;
        }
        chunk_task
    }

    /// Requests the bytes that a chunk task needs, or joins a request in flight.
    pub(super) fn ask(&mut self, chunk_task: ChunkTask, request: &Request, target: Needed) {
        let source = self.source(&chunk_task.task);
        let most = source.array.most_stored(&chunk_task.task);
        let (urgency, turn) = (self.context.urgency, Rc::clone(&self.context.turn));
        let send = |waiter| source.driver.ask(BoundedRequest { request, most }, urgency, &turn, waiter);
        self.wait_for(chunk_task, request, target, &send);
    }

    /// Waits for the bytes that a chunk task needs; `send` requests them unless a request is in flight already.
    pub(super) fn wait_for(
        &mut self,
        chunk_task: ChunkTask,
        request: &Request,
        target: Needed,
        send: &dyn Fn(Waiter) -> RequestHandle,
    ) {
        let source = self.source(&chunk_task.task);
        let (key, address) = (source.identity(&chunk_task.task), self.window.address());
        let number = address.number;
        let inner_chunks = source.array.chunks_of(&chunk_task.task);
        let flights = match target {
            Needed::Index => &source.index_flights,
            Needed::Whole(_) => &source.shard_flights,
            Needed::Chunk => &source.chunk_flights,
        };
        let flight = flights.get(key, request, &self.context, address, send);
        self.window.wait(number, Waiting { chunk_task, wait: Awaited::One(target, flight), inner_chunks });
    }

    /// Takes the data that arrived for a chunk task.
    pub(super) fn take(&mut self, chunk_task: ChunkTask, ready: Arrived) -> JsResult<()> {
        match ready {
            Arrived::Missing => self.put_missing(&chunk_task),
            Arrived::Chunk(chunk) => self.put(&chunk_task, chunk.as_ref().as_ref(), 0),
            Arrived::Stored(answered, is_cached) => self.decode(chunk_task, answered, is_cached, None),
            Arrived::Index(answered) => {
                let task = chunk_task.task.clone();
                self.open_with(chunk_task, answered).map_err(|error| self.blamed(&task, error))
            }
            Arrived::Row(values, nth) => self.put_row(chunk_task, &values, nth),
        }
    }

    /// Handles an event: the request that a chunk task waits for has reached its next stage.
    pub(super) fn handle_event(&mut self, number: u32) -> JsResult<()> {
        let Some(waiting) = self.window.take(number) else { return Ok(()) };
        let flight = match &waiting.wait {
            Awaited::One(_, flight) => Rc::clone(flight),
            Awaited::Row(row) => {
                let row = Rc::clone(row);
                return self.take_row(number, waiting, &row);
            }
        };
        let stored = match &*flight.stage() {
            FlightStage::Failed(error) => return Err(self.failed(&waiting.chunk_task.task, error.clone())),
            FlightStage::Asked | FlightStage::Decoding(..) => {
                self.window.wait(number, waiting);
                return Ok(());
            }
            FlightStage::Stored(answered) => answered.clone(),
            FlightStage::Decoded(answered, chunk, is_whole) => {
                let (chunk, is_whole, chunk_task) = (Rc::clone(chunk), *is_whole, &waiting.chunk_task);
                self.put(chunk_task, chunk.as_ref().as_ref(), answered.bytes.length())?;
                if let Some(content) = chunk.as_ref() {
                    let items = || content.to_cached();
                    self.source(&chunk_task.task).cache_chunk(
                        &chunk_task.task,
                        &answered.bytes,
                        self.context.admission,
                        JustDecoded { is_whole, is_cached: false },
                        items,
                    );
                }
                return Ok(());
            }
        };
        let task = waiting.chunk_task.task.clone();
        let Awaited::One(target, _) = waiting.wait else { return Ok(()) };
        match target {
            Needed::Index => {
                self.open_with(waiting.chunk_task, stored).map_err(|error| self.blamed(&task, error))
            }
            Needed::Whole(index) => {
                self.open_whole(waiting.chunk_task, stored, &index).map_err(|error| self.blamed(&task, error))
            }
            Needed::Chunk => match stored {
                Some(answered) => self.decode(waiting.chunk_task, answered, false, Some((number, flight))),
                None if let ChunkLocation::Stored(request) = &task.location
                    && task.depth > 0 =>
                {
                    let error = self.source(&task).driver.store().lost(request);
                    Err(self.failed(&task, error))
                }
                None => {
                    self.source(&task).cache_missing(&task, self.context.admission);
                    self.put_missing(&waiting.chunk_task)
                }
            },
        }
    }

    /// Decodes the bytes of a chunk task here, in another module, or on a worker. `is_cached`: the bytes come from the
    /// cache; `flight`: the number that the chunk task waits under, and its request.
    fn decode(
        &mut self,
        chunk_task: ChunkTask,
        mut answered: Answered,
        is_cached: bool,
        flight: Option<(u32, Rc<InFlight>)>,
    ) -> JsResult<()> {
        let (source, task) = (self.source(&chunk_task.task), &chunk_task.task);
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
        let received = if is_cached { 0 } else { length };
        if self.put_stored(task, &answered)? {
            source.cache_stored(task, &answered.bytes, admission, is_cached);
            return self.count(&chunk_task, received);
        }
        let is_part = source.array.reads_part(task);
        if is_part {
            // Cached before decoding: other reads may need other parts of the chunk meanwhile.
            source.cache_stored(task, &answered.bytes, admission, is_cached);
        }
        let job = if is_part { task.part_job() } else { task.job() };
        let stays_here = flight.as_ref().is_some_and(|(_, flight)| flight.is_here.get());
        let part = if stays_here { None } else { source.sends(task, &answered.bytes) };
        if let Some(part) = part {
            let reduction = self.reduction(task, is_cached, flight.as_ref().map(|(_, flight)| &**flight));
            let job = job.reducing(&reduction);
            // A chunk decoded in part is not shared: each read decodes its own part, in a flight that no other read
            // joins. Nor is one of which a worker sends statistics; other reads join its bytes meanwhile.
            let is_own = is_part || !reduction.is_empty();
            let joined =
                flight.as_ref().filter(|_| !reduction.is_empty()).map(|(_, flight)| Rc::clone(flight));
            let (number, flight) = flight.filter(|_| !is_own).unwrap_or_else(|| {
                let address = self.window.address();
                (address.number, InFlight::of_bytes(answered.clone(), address, joined))
            });
            let handle = source.decode_on_worker(part, task, job, &answered.bytes, &flight);
            flight.decoding(answered, handle);
            self.window.wait(number, Waiting::of_chunks(chunk_task, Awaited::One(Needed::Chunk, flight)));
            return Ok(());
        }
        if let Some(stages) = &source.stages {
            return decode_by_stages(stages.part, self, stages, chunk_task, answered, is_cached, flight);
        }
        let flight = flight.map(|(_, flight)| flight);
        let mut scratch = std::mem::take(&mut self.scratch);
        let done =
            self.decode_here(&chunk_task, &answered, is_part, is_cached, flight.as_deref(), &mut scratch);
        self.scratch = scratch;
        done?;
        self.count(&chunk_task, received)
    }

    /// The job by which a worker reduces a task's chunk; empty where the chunk itself must come: the read wants its items,
    /// another read waits for it, or the cache takes it.
    fn reduction(&self, task: &Task, is_cached: bool, flight: Option<&InFlight>) -> Vec<u8> {
        let source = self.source(task);
        let is_wanted = flight.is_some_and(InFlight::is_shared)
            || source.stages.is_some()
            || source.caches_decoded(task, self.context.admission, is_cached);
        if is_wanted { Vec::new() } else { self.sink.reduction(task, source.array.decoded_bytes(task)) }
    }

    /// Decodes a chunk task's bytes on this thread and copies its chunk to the result.
    fn decode_here(
        &mut self,
        chunk_task: &ChunkTask,
        answered: &Answered,
        is_part: bool,
        is_cached: bool,
        flight: Option<&InFlight>,
        scratch: &mut Vec<u8>,
    ) -> JsResult<()> {
        let (source, task, admission) =
            (self.source(&chunk_task.task), &chunk_task.task, self.context.admission);
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
                source.cache_chunk(
                    task,
                    &answered.bytes,
                    admission,
                    JustDecoded { is_whole: true, is_cached },
                    || content.to_cached(),
                );
            }
            return Ok(());
        }
        self.sink.put(task, Some(&decoded))?;
        source.cache_chunk(task, &answered.bytes, admission, JustDecoded { is_whole, is_cached }, || {
            DecodedChunk::cached(&decoded)
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

    pub(super) fn put_missing(&mut self, chunk_task: &ChunkTask) -> JsResult<()> {
        self.sink.put(&chunk_task.task, None)?;
        self.count_unread(chunk_task)
    }

    /// Counts a chunk task, a shard for its chunks, of which nothing was stored or asked.
    fn count_unread(&mut self, chunk_task: &ChunkTask) -> JsResult<()> {
        let chunks = if chunk_task.chunks == 0 {
            0
        } else {
            self.source(&chunk_task.task).array.chunks_of(&chunk_task.task)
        };
        self.progress.add(chunks, 0)?;
        Ok(())
    }

    pub(super) fn put(
        &mut self,
        chunk_task: &ChunkTask,
        content: Option<&DecodedChunk>,
        received: u32,
    ) -> JsResult<()> {
        match content {
            Some(content) => self.sink.put_content(&chunk_task.task, content)?,
            None => self.sink.put(&chunk_task.task, None)?,
        }
        self.count(chunk_task, received)
    }

    /// Counts a finished chunk task.
    fn count(&mut self, chunk_task: &ChunkTask, received: u32) -> JsResult<()> {
        self.progress.add(chunk_task.chunks, received.into())?;
        self.worked += self.source(&chunk_task.task).array.decoded_bytes(&chunk_task.task);
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

impl ChunkSource {
    /// A task's chunk, decoded or stored, if the cache holds it.
    fn ready(&self, task: &Task) -> Option<Arrived> {
        if self.cache.is_empty() {
            return None;
        }
        if let Some(chunk) = self.cached(task) {
            return Some(if chunk.is_none() { Arrived::Missing } else { Arrived::Chunk(chunk) });
        }
        let bytes = self.cached_bytes(task)?;
        Some(Arrived::Stored(Answered::of_array(bytes), true))
    }

    /// Cuts the part that a request asks for out of the whole value.
    pub(crate) fn cut(self: &ChunkSource, request: &Request, whole: &Answered) -> JsResult<Answered> {
        let length = whole.bytes.length();
        match request.range.of_length(length.into()) {
            Some(part) => {
                let bytes = whole.bytes.part(part);
                Ok(Answered { bytes, is_whole: false, whole: Some(length) })
            }
            None => Err(self.driver.store().unfit(request, None, length)),
        }
    }
}

/// Decodes a chunk task's bytes, and waits if a module answers later. `is_cached`: the bytes come from the cache;
/// `flight`: the number that the chunk task waits under, and its request.
#[later]
fn decode_by_stages(
    _: Loaded<Calls>,
    run: &mut Execution<'_>,
    stages: &StageDecoder,
    chunk_task: ChunkTask,
    answered: Answered,
    is_cached: bool,
    flight: Option<(u32, Rc<InFlight>)>,
) -> JsResult<()> {
    let (source, task) = (run.source(&chunk_task.task), &chunk_task.task);
    let decoded = match stages.decode(task.job(), &answered.bytes.array()) {
        Ok(StageAnswer::Now(answers)) => done(&answers, task),
        Ok(StageAnswer::Later(promise)) => {
            let (number, flight) = flight.unwrap_or_else(|| {
                let address = run.window.address();
                (address.number, InFlight::of_bytes(answered.clone(), address, None))
            });
            flight.decoding(answered, None);
            let (waiting, blamed) = (Rc::downgrade(&flight), task.clone());
            spawn_local(async move {
                let answers = JsFuture::from(promise).await;
                let Some(flight) = waiting.upgrade() else { return };
                flight.done(Some(answers.and_then(|answers| done(&answers.unchecked_into(), &blamed))));
            });
            run.window.wait(number, Waiting::of_chunks(chunk_task, Awaited::One(Needed::Chunk, flight)));
            return Ok(());
        }
        Err(error) => Err(error),
    };
    let (content, is_whole) = decoded.map_err(|error: JsValue| {
        if let Some((_, flight)) = &flight {
            flight.failed(error.clone());
        }
        run.failed(task, error)
    })?;
    let content = Rc::new(Some(content));
    if let Some((_, flight)) = flight.filter(|(_, flight)| flight.is_shared()) {
        flight.decoded(answered.clone(), Rc::clone(&content), is_whole);
    }
    let received = if is_cached { 0 } else { answered.bytes.length() };
    run.put(&chunk_task, content.as_ref().as_ref(), received)?;
    if let Some(content) = content.as_ref() {
        let how = JustDecoded { is_whole, is_cached };
        source.cache_chunk(task, &answered.bytes, run.context.admission, how, || content.to_cached());
    }
    Ok(())
}

#[wasm_bindgen(raw_module = "../bridge/listeners.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = progress)]
    fn report_progress(listener: &Function, chunks: f64, total: f64, bytes: f64) -> JsResult<()>;
}

/// Progress of a read: chunks and stored bytes so far.
pub(crate) struct Progress<'a> {
    chunks: u64,
    total: u64,
    bytes: u64,
    listener: Option<&'a Function>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(plan: &Plan<'_>, listener: Option<&'a Function>) -> Self {
        Self { chunks: 0, total: plan.chunks(), bytes: 0, listener }
    }

    /// Counts chunks and bytes, and calls the listener; an exception of the listener ends the read.
    pub(crate) fn add(&mut self, chunks: u64, bytes: u64) -> JsResult<()> {
        self.chunks += chunks;
        self.bytes += bytes;
        let Some(listener) = self.listener else { return Ok(()) };
        report_progress(listener, number(self.chunks), number(self.total), number(self.bytes))
    }
}
