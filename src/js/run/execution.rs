//! The loop of a read: begins tasks while there is room, takes values that arrived, and waits if none has.

use std::cell::Cell;

use super::direct_batch::DirectBatch;
use super::progress::Progress;
use super::sink::{Sink, Supply};
use super::window::{Leaf, Window};
use crate::error::Gather;
use crate::grid::sorted_by_number;
use crate::js::JsResult;
use crate::js::chunks::in_flight::ReadContext;
use crate::js::chunks::sources::{ChunkSource, JoinedSources};
use crate::js::options::read_options::Order;
use crate::js::support::loading::load;
use crate::js::support::time::TimeSlice;
use crate::js::support::work::after_requests;
use crate::js::workers::array_workers::PendingBytes;
use crate::parts::{Calls, Loaded};
use crate::read::{MAX_ORDERED_TASKS, Plan, ROW_BYTES, Task};

thread_local! {
    /// Whether a read of this thread decoded a sample.
    static IS_REHEARSED: Cell<bool> = const { Cell::new(false) };
}

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
        let window = Window::new(sources);
        let (direct, time_slice) = (DirectBatch::default(), TimeSlice::default());
        let (scratch, row) = (Vec::new(), Vec::new());
        let _expected = sources.all().iter().find_map(|source| source.expect(plan));
        Self {
            sources,
            plan,
            context,
            order,
            sink,
            progress,
            window,
            direct,
            time_slice,
            is_rested: true,
            scratch,
            row,
            readables: None,
            _expected,
            worked: 0,
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
                if let Some(leaf) = self.window.opened.pop_front() {
                    self.begin_blamed(leaf)?;
                } else if next.is_some() && self.window.may_open(|| self.chunks_of(next.as_ref())) {
                    let Some(task) = std::mem::replace(&mut next, tasks()) else { break };
                    self.begin_blamed(Leaf { task: task?, whole: None, chunks: 1 })?;
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
            if let Some((leaf, ready)) = self.window.ready.pop_front() {
                self.wait_for_turn(true).await;
                self.take(leaf, ready)?;
                self.rest(next.is_none()).await?;
            } else if let Some(number) = self.window.mailbox.take() {
                // Requests follow from the index of a shard, so it waits for no decoding of other reads.
                if !self.window.opens_shard(number) {
                    self.wait_for_turn(false).await;
                }
                self.handle_event(number)?;
                self.rest(next.is_none()).await?;
            } else if self.window.has_opened() {
                // The store answered late: the leaves that it was not asked for are begun in the next round.
            } else if !self.window.is_empty() {
                self.rehearse().await;
                self.window.mailbox.filled().await;
                self.is_rested = true;
            } else if next.is_none() {
                return Ok(self.sink);
            }
        }
    }

    /// Decodes a sample once its requests are sent, in the first read of this thread that waits for a store, if its
    /// chunks are zstd.
    async fn rehearse(&self) {
        if IS_REHEARSED.get() || self.sources.answer_at_once() {
            return;
        }
        IS_REHEARSED.set(true);
        after_requests().await;
        // Joined arrays are mostly alike.
        self.sources.all().iter().take(1).for_each(|source| source.array.pipeline.rehearse());
    }

    /// Waits before the first decoding since the read began or last waited: for its time slice among the other reads
    /// and, if the chunk was kept, for the requests of this turn to be sent.
    async fn wait_for_turn(&mut self, is_kept: bool) {
        if !std::mem::take(&mut self.is_rested) {
            return;
        }
        if is_kept && !self.sources.answer_at_once() {
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

    fn begin_blamed(&mut self, leaf: Leaf) -> JsResult<()> {
        let nth = leaf.task.array;
        self.begin(leaf).map_err(|error| self.sources.blame(nth, error))
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
}
