//! The chunks of a read as they come: asked for in the plan's order, given in the order in which they arrive.
//!
//! Invariant: no more than so many tasks are on their way at once, however many the plan has; whoever stops
//! listening stops the asking.

use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::stream::{self, Stream, StreamExt};

use super::JsResult;
use super::content::Chunk;
use super::read::Progress;
use super::reader::{Caller, Job, Reader};
use super::readers::Readers;
use super::timer::Breath;
use crate::grid::sorted_by_number;
use crate::read::{MAX_ORDERED_TASKS, Plan, Task, distance};
use crate::source::ChunkLocation;

/// The most shards whose inner chunks are listed at once, and the most inner chunks that are.
const SHARDS: u64 = 64;
const LISTED_CHUNKS: u64 = 1 << 16;

/// The most chunks whose bytes are on their way at once, or there and not taken yet, and the most bytes of such chunks,
/// decoded. The engine bounds the requests in flight; of what waits for it near ranges are joined.
const CHUNKS: u64 = 512;
const CHUNK_BYTES: u64 = 256 << 20;

/// In which order chunks are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Grid,
    Center,
}

/// A chunk, or a piece of one, that has come.
pub(super) struct Arrival {
    pub(super) task: Task,
    pub(super) chunk: Chunk,
    /// Stored bytes that came for it.
    bytes: u64,
    /// How many chunks of the plan this finishes: several of a shard that is missing, none of all pieces but the last.
    chunks: u64,
}

/// Does something with each chunk that a plan meets, as it comes; the first failure ends it, and what nobody else waits
/// for is dropped with it.
pub(super) async fn each(
    readers: &Readers,
    plan: &Plan<'_>,
    caller: &Caller,
    order: Order,
    progress: &mut Progress<'_>,
    mut work: impl AsyncFnMut(&Arrival) -> JsResult<()>,
) -> JsResult<()> {
    let mut coming = std::pin::pin!(arrivals(readers, plan, caller, order));
    let mut breath = Breath::new();
    while let Some(arrival) = coming.next().await {
        let arrival = arrival?;
        work(&arrival).await?;
        progress.add(arrival.chunks, arrival.bytes)?;
        breath.take().await;
    }
    Ok(())
}

/// The chunks that a plan meets.
fn arrivals<'a>(
    readers: &'a Readers,
    plan: &'a Plan<'a>,
    caller: &'a Caller,
    order: Order,
) -> impl Stream<Item = JsResult<Arrival>> + 'a {
    let mut tasks = ordered(plan, order).peekable();
    let listed = match tasks.peek() {
        Some(Ok(task)) => readers.of(task).array.chunks_of(task),
        _ => 1,
    };
    let shards = (LISTED_CHUNKS / listed.max(1)).clamp(1, SHARDS);
    // Four at least, that the network is not idle while one decodes.
    let chunks = (CHUNK_BYTES / readers.array.largest_chunk().max(1)).clamp(4, CHUNKS);
    let opened = stream::iter(tasks).map(async move |task| {
        let task = task?;
        let nth = task.array;
        let opened = readers.of(&task).open(Job::new(task), caller).await;
        opened.map_err(|error| readers.blame(nth, error))
    });
    let jobs = opened.buffered(window(shards)).flat_map(move |jobs| {
        let jobs: Vec<JsResult<(Job, u64)>> = match jobs {
            Ok(jobs) => {
                let jobs = arranged(jobs, plan, order);
                jobs.flat_map(|job| counted(readers.of(&job.task), job)).map(Ok).collect()
            }
            Err(error) => vec![Err(error)],
        };
        stream::iter(jobs)
    });
    // To ask for many chunks takes its time too. Waiting does not count: what was waited for comes together, and asked
    // for together its near ranges are joined.
    let unhurried = (Box::pin(jobs), Breath::new());
    let jobs = stream::unfold(unhurried, async |(mut jobs, mut breath)| {
        breath.take_after(0).await;
        let ready = jobs.next().now_or_never();
        let job = match ready {
            Some(job) => job?,
            None => {
                let job = jobs.next().await?;
                breath.rested();
                job
            }
        };
        Some((job, (jobs, breath)))
    });
    let arriving = jobs.map(async move |job| {
        let (job, chunks): (Job, u64) = job?;
        let task = job.task.clone();
        let found = readers.of(&task).chunk(job, caller).await;
        let (chunk, bytes) = found.map_err(|error| readers.blame(task.array, error))?;
        Ok(Arrival { task, chunk, bytes, chunks })
    });
    arriving.buffer_unordered(window(chunks))
}

fn window(things: u64) -> usize {
    usize::try_from(things).unwrap_or(usize::MAX)
}

/// The tasks of a plan in the order asked for, as long as there are not too many to be put in order.
fn ordered<'a>(plan: &Plan<'a>, order: Order) -> Box<dyn Iterator<Item = crate::Result<Task>> + 'a> {
    if order == Order::Grid || plan.stored_chunks() > MAX_ORDERED_TASKS {
        return Box::new(plan.tasks());
    }
    match plan.tasks().collect::<crate::Result<Vec<_>>>() {
        Ok(tasks) => Box::new(from_the_center(tasks, plan, |task| task).into_iter().map(Ok)),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// The jobs of one shard in the order asked for.
fn arranged(jobs: Vec<Job>, plan: &Plan<'_>, order: Order) -> impl Iterator<Item = Job> {
    let jobs = if order == Order::Center { from_the_center(jobs, plan, |job| &job.task) } else { jobs };
    jobs.into_iter()
}

/// What lies nearest to the middle of the result comes first.
fn from_the_center<T>(things: Vec<T>, plan: &Plan<'_>, task: impl Fn(&T) -> &Task) -> Vec<T> {
    // Of floats that are not negative, the bits are in the same order.
    sorted_by_number(things, |thing| distance(task(thing), plan).to_bits())
}

/// The pieces of a job, each with the number of chunks that it finishes.
fn counted(reader: &Rc<Reader>, job: Job) -> impl Iterator<Item = (Job, u64)> {
    let chunks = match job.task.location {
        ChunkLocation::Missing => reader.array.chunks_of(&job.task),
        ChunkLocation::Stored(_) => 1,
    };
    let pieces = reader.pieces(job);
    let last = pieces.len().saturating_sub(1);
    pieces.into_iter().enumerate().map(move |(nth, job)| (job, if nth == last { chunks } else { 0 }))
}
