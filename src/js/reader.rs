//! What the reads of one array share: its source, the chunks and shard indexes that are kept or on their way.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Uint8Array;

use super::JsResult;
use super::caches::{Cache, Cached};
use super::content::{Chunk, Content};
use super::engine::{Engine, Ticket, copied, subarray};
use super::open::Reading;
use super::rare::Rare;
use super::single_flight::SingleFlight;
use super::store::Bytes;
use super::workers::Workers;
use crate::codec::ShardIndex;
use crate::output::Decoded;
use crate::read::{Admission, Array, Kept, Plan, Task, Turn, Urgency};
use crate::source::{ChunkLocation, Request};

/// The least chunk that is handed out where its bytes are at hand: 32 KiB.
///
/// The reason: the way by queue, worker and back takes this thread about as long as decoding half of that.
const LEAST_HANDED_OUT: u64 = 32 << 10;

/// The reader of one array.
pub(super) struct Reader {
    pub(super) engine: Rc<Engine>,
    pub(super) array: Rc<Array>,
    pub(super) cache: Cache,
    indexes: Cache,
    /// Chunks that are decoded whole, each with the stored bytes that it took.
    pub(super) chunks: SingleFlight<Option<Content>, u64>,
    /// Chunks as they are stored, of which parts are decoded.
    pub(super) encoded: SingleFlight<Option<Uint8Array>, Received>,
    /// Indexes, each with all of its shard's bytes if the store gave them with it.
    opened: SingleFlight<Option<ShardIndex>, Option<Uint8Array>>,
    /// How it was opened, and is opened again.
    pub(super) reading: Reading,
    /// Who may decode its chunks beside this thread.
    pub(super) workers: Option<Workers>,
    /// What decodes the chunks where this module lacks codecs.
    pub(super) rare: Option<Rare>,
}

/// Where stored bytes came from.
#[derive(Clone, Copy)]
pub(super) struct Received {
    /// Bytes that were asked of the source.
    pub(super) bytes: u64,
    /// Whether they lay in the cache.
    pub(super) is_kept: bool,
}

/// One read: its place in the queue, and what it may leave in the cache.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) turn: Rc<RefCell<Turn>>,
    pub(super) urgency: Urgency,
    pub(super) admission: Admission,
}

impl Caller {
    pub(super) fn new(urgency: Urgency, admission: Admission) -> Self {
        Self { turn: Rc::default(), urgency, admission }
    }
}

/// A task on its way, with its shard's bytes if the store gave all of them at once.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) whole: Option<Uint8Array>,
}

impl Job {
    pub(super) fn new(task: Task) -> Self {
        Self { task, whole: None }
    }
}

impl Reader {
    pub(super) fn new(engine: Rc<Engine>, array: Array, reading: Reading, rare: Option<Rare>) -> Rc<Self> {
        let (cache, indexes) = reading.caches.for_array();
        // The workers have the main module alone.
        let workers = if rare.is_none() { Workers::new(reading.workers) } else { None };
        let (chunks, encoded, opened) = Default::default();
        let array = Rc::new(array);
        Rc::new(Self { engine, array, cache, indexes, chunks, encoded, opened, reading, workers, rare })
    }

    /// Whether any chunk is kept.
    pub(super) fn keeps_chunks(&self) -> bool {
        self.cache.limit() > 0
    }

    /// Whether workers, or another module, are to decode what a plan meets, though its bytes are at hand.
    pub(super) fn hands_out(&self, plan: &Plan<'_>) -> bool {
        if self.rare.is_some() {
            return true;
        }
        let workers = self.workers.as_ref().filter(|workers| workers.are_for(plan, &self.array));
        workers.is_some() && self.array.largest_chunk() >= LEAST_HANDED_OUT && !self.array.has_plain_chunks()
    }

    /// Cache key of a task's chunk: the store's version epoch, then the coordinates of shards and chunk.
    pub(super) fn identity(&self, task: &Task) -> Vec<u64> {
        self.of_now(&task.identity())
    }

    fn of_now(&self, identity: &[u64]) -> Vec<u64> {
        [&[self.engine.store().epoch()], identity].concat()
    }

    /// Whether a task's chunk is kept, decoded or as it is stored.
    pub(super) fn has(&self, task: &Task) -> bool {
        self.cache.get(&self.identity(task)).is_some()
    }

    /// A task's chunk, if it is kept decoded or known to be missing.
    pub(super) fn kept(&self, task: &Task) -> Option<Chunk> {
        match self.cache.get(&self.identity(task))? {
            Cached::Decoded(chunk) => Some(chunk),
            Cached::Missing => Some(Rc::new(None)),
            Cached::Stored(..) | Cached::Index(_) => None,
        }
    }

    /// The stored bytes of a task's chunk, if they are kept and still there.
    pub(super) fn kept_bytes(&self, task: &Task) -> Option<Uint8Array> {
        match self.cache.get(&self.identity(task))? {
            Cached::Stored(bytes, length) if bytes.length() == length => Some(bytes),
            _ => None,
        }
    }

    /// Keeps a chunk that was just decoded, and the bytes that it was stored as, in the form that the read admits.
    pub(super) fn keep(
        &self,
        task: &Task,
        (content, bytes): (&Content, &Uint8Array),
        admission: Admission,
        is_second: bool,
    ) {
        let kept = match admission.form(&self.array, task, is_second) {
            Kept::Decoded => Cached::Decoded(Rc::new(Some(content.to_kept()))),
            // They are there already.
            Kept::Stored if is_second => return,
            Kept::Stored => Cached::stored(bytes),
            Kept::Not => return,
        };
        self.cache.keep(&self.identity(task), kept);
    }

    /// Keeps a chunk in its decoded form.
    pub(super) fn keep_decoded(&self, task: &Task, decoded: &Decoded<'_>) {
        self.cache.keep(&self.identity(task), Cached::Decoded(Rc::new(Some(Content::kept(decoded)))));
    }

    /// Records the use of a chunk whose stored bytes are not kept; whether there was one before.
    pub(super) fn is_second_use(&self, key: &[u64]) -> bool {
        self.reading.caches.ghosts.borrow_mut().is_second_use(&self.cache.owned(key))
    }

    /// The index of a task's shard, if it is at hand.
    pub(super) fn kept_index(&self, task: &Task) -> Option<Rc<Option<ShardIndex>>> {
        self.indexed(&self.identity(task))
    }

    fn indexed(&self, key: &[u64]) -> Option<Rc<Option<ShardIndex>>> {
        match self.indexes.get(key)? {
            Cached::Index(index) => Some(index),
            _ => None,
        }
    }

    /// What is done with a task's bytes. Where it fails, its shard may have been written anew since its index was read.
    pub(super) fn checked<T, F>(&self, task: &Task, work: impl FnOnce() -> Result<T, F>) -> Result<T, F> {
        work().inspect_err(|_| self.indexes.remove(&self.of_now(&task.shard())))
    }

    /// The index of a job's shard, and the shard's bytes if the store gave all of them.
    pub(super) async fn index(
        self: &Rc<Self>,
        job: &Job,
        request: Request,
        caller: &Caller,
    ) -> JsResult<(Rc<Option<ShardIndex>>, Option<Uint8Array>)> {
        let identity = self.identity(&job.task);
        if let Some(kept) = self.indexed(&identity) {
            return Ok((kept, job.whole.clone()));
        }
        let (reader, turn) = (Rc::clone(self), Rc::clone(&caller.turn));
        let (task, whole) = (job.task.clone(), job.whole.clone());
        let work = |ticket: Rc<Ticket>| async move {
            let most = reader.array.most_stored(&task);
            let found = reader.fetch((&request, most), whole.as_ref(), &turn, &ticket).await?;
            let Some((bytes, whole)) = found else { return Ok((Rc::new(None), None)) };
            let index = reader.array.decode_index(&task, &copied(&bytes))?;
            let index = Rc::new(Some(index));
            // A shard that is missing may be written any time, so that is asked for anew.
            reader.indexes.keep(&reader.identity(&task), Cached::Index(Rc::clone(&index)));
            Ok((index, whole))
        };
        self.opened.get(identity, caller.urgency, work).await
    }

    /// All of a value, with the most bytes that it may have, from a store that gives it anyway.
    pub(super) async fn whole(
        &self,
        asked: (&Request, u64),
        caller: &Caller,
    ) -> JsResult<Option<Uint8Array>> {
        let ticket = Ticket::new(caller.urgency);
        let found = self.fetch(asked, None, &caller.turn, &ticket).await?;
        Ok(found.and_then(|(_, whole)| whole))
    }

    /// Whether the parts of a shard are best cut out of one answer: each would bring the whole shard.
    pub(super) fn wants_whole(&self, tasks: &[Task]) -> bool {
        let is_asked_for = |task: &Task| task.location != ChunkLocation::Missing && !self.has(task);
        self.engine.store().ignores_ranges() && tasks.iter().any(is_asked_for)
    }

    /// The bytes that a request asks for, and the whole value, which may have `most`, if it is at hand then.
    pub(super) async fn fetch(
        &self,
        (request, most): (&Request, u64),
        whole: Option<&Uint8Array>,
        turn: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<(Uint8Array, Option<Uint8Array>)>> {
        let whole = match whole {
            Some(whole) => whole.clone(),
            None => match self.engine.want(request, most, turn, ticket).await? {
                None => return Ok(None),
                Some(Bytes::Asked(bytes)) => return Ok(Some((bytes, None))),
                Some(Bytes::Whole(whole)) => whole,
            },
        };
        let length = u64::from(whole.length());
        let Some(part) = request.range.of_length(length) else {
            return Err(self.engine.store().unfit(request, None, &whole));
        };
        Ok(Some((subarray(&whole, part), Some(whole))))
    }
}
