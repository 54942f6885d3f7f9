//! The source of one array, which its reads share: its store, and its chunks and shard indexes, kept or on their way.

use std::rc::Rc;

use js_sys::Uint8Array;

use super::caches::{Cache, Cached};
use super::in_flight::InFlight;
use super::open_settings::OpenSettings;
use super::single_flight::SingleFlight;
use crate::codec::ShardIndex;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::stores::readable_source::StoredBytes;
use crate::js::workers::array_workers::{ArrayWorkers, PendingBytes};
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::js::workers::extra_codecs::ExtraCodecsModule;
use crate::js::workers::pool::JobHandle;
use crate::read::{Admission, Array, Job, Kept, Plan, ROW_BYTES, Task};

/// The most bytes that one read counts for among those on their way: far more than starts workers, so that sums stay exact.
const MOST_EXPECTED: u64 = 1 << 32;

/// The least chunk that is handed out where its bytes are at hand: 32 KiB.
///
/// The reason: the way by queue, worker and back takes this thread about as long as decoding half of that.
const LEAST_HANDED_OUT: u64 = 32 << 10;

/// Store, caches and decoders of one array.
pub(crate) struct ArraySource {
    pub(crate) driver: Rc<StoreDriver>,
    pub(crate) array: Rc<Array>,
    pub(crate) cache: Cache,
    indexes: Cache,
    /// Chunks on their way, and indexes of shards, and shards that are fetched whole.
    pub(crate) chunk_flights: SingleFlight,
    pub(crate) index_flights: SingleFlight,
    pub(crate) shard_flights: SingleFlight,
    /// Settings that it was opened with, and is opened again with.
    pub(crate) settings: OpenSettings,
    /// Workers that may decode its chunks beside this thread.
    workers: Option<ArrayWorkers>,
    /// Module that decodes the chunks where this one lacks codecs.
    pub(crate) extra_codecs: Option<ExtraCodecsModule>,
}

impl ArraySource {
    pub(crate) fn new(
        driver: Rc<StoreDriver>,
        array: Array,
        settings: OpenSettings,
        extra_codecs: Option<ExtraCodecsModule>,
    ) -> Rc<Self> {
        let (cache, indexes) = settings.caches.for_array();
        // The workers have the main module alone.
        let workers = if extra_codecs.is_none() { ArrayWorkers::new(settings.workers) } else { None };
        let (chunk_flights, index_flights, shard_flights) = Default::default();
        let array = Rc::new(array);
        Rc::new(Self {
            driver,
            array,
            cache,
            indexes,
            chunk_flights,
            index_flights,
            shard_flights,
            settings,
            workers,
            extra_codecs,
        })
    }

    /// Whether the cache keeps chunks.
    pub(crate) fn keeps_chunks(&self) -> bool {
        self.cache.limit() > 0
    }

    /// Whether workers, or another module, are to decode what a plan meets, though its bytes are at hand.
    pub(crate) fn hands_out(&self, plan: &Plan<'_>) -> bool {
        if self.extra_codecs.is_some() {
            return true;
        }
        let workers = self.workers.as_ref().filter(|workers| workers.are_for(plan, &self.array));
        workers.is_some() && self.array.largest_chunk() >= LEAST_HANDED_OUT && !self.array.has_plain_chunks()
    }

    /// The pieces that are wanted of an uncompressed chunk; nothing where it is read whole, as it is in memory, as all of it
    /// comes anyway, or as it is kept.
    pub(crate) fn pieces(&self, task: &Task) -> Option<Vec<Task>> {
        let store = self.driver.store();
        if store.is_memory() || store.ranges().is_ignored || self.has(task) {
            return None;
        }
        self.array.pieces(task, self.driver.joining().gap)
    }

    /// Counts the chunks of a read among those on their way to be decoded.
    pub(crate) fn expect(&self, plan: &Plan<'_>) -> Option<PendingBytes> {
        let bytes = plan.chunks().saturating_mul(self.array.largest_chunk()).min(MOST_EXPECTED);
        Some(self.workers.as_ref()?.expect(bytes))
    }

    /// Whether a worker is to decode the bytes of a task's chunk.
    pub(crate) fn sends(&self, task: &Task, bytes: &StoredBytes) -> bool {
        let size = || (self.array.decoded_bytes(task), self.array.rate_of(task));
        let workers = self.workers.as_ref().filter(|_| !self.array.is_plain(task));
        workers.is_some_and(|workers| workers.send(bytes.length().into(), size()))
    }

    /// Whether a worker may be worth asking for a task's chunk, whose stored length is not known yet.
    pub(crate) fn may_send(&self, task: &Task) -> bool {
        let workers = self.workers.as_ref().filter(|_| !self.array.is_plain(task));
        workers
            .is_some_and(|workers| workers.may_send(self.array.decoded_bytes(task), self.array.rate_of(task)))
    }

    /// Has a worker decode the bytes of a task's chunk, and tell what is on its way.
    pub(crate) fn decode_elsewhere(
        &self,
        task: &Task,
        job: Job<'_>,
        bytes: &StoredBytes,
        flight: &Rc<InFlight>,
    ) -> Option<JobHandle> {
        let (flight, blamed) = (Rc::downgrade(flight), task.clone());
        let tell = Box::new(move |done: Option<crate::js::workers::decoded_chunk::Done>| {
            if let Some(flight) = flight.upgrade() {
                flight.done(done.map(|done| done.map_err(|error| blamed.blame(error).into())));
            }
        });
        let size = self.array.decoded_bytes(task);
        Some(self.workers.as_ref()?.decode(&self.array, job, &bytes.array(), size, tell))
    }

    /// Cache key of a task's chunk: the store's version epoch, then the coordinates of shards and chunk.
    pub(crate) fn identity(&self, task: &Task) -> Vec<u64> {
        self.of_now(&task.identity())
    }

    fn of_now(&self, identity: &[u64]) -> Vec<u64> {
        [&[self.driver.store().epoch()], identity].concat()
    }

    /// Whether a task's chunk is kept, decoded or as it is stored.
    pub(crate) fn has(&self, task: &Task) -> bool {
        self.cache.get(&self.identity(task)).is_some()
    }

    /// A task's chunk, if it is kept decoded or known to be missing.
    pub(crate) fn kept(&self, task: &Task) -> Option<Chunk> {
        match self.cache.get(&self.identity(task))? {
            Cached::Decoded(chunk) => Some(chunk),
            Cached::Missing => Some(Rc::new(None)),
            Cached::Stored(..) | Cached::Index(_) => None,
        }
    }

    /// The stored bytes of a task's chunk, if they are kept and still there.
    pub(crate) fn kept_bytes(&self, task: &Task) -> Option<Uint8Array> {
        match self.cache.get(&self.identity(task))? {
            Cached::Stored(bytes, length) if bytes.length() == length => Some(bytes),
            _ => None,
        }
    }

    /// Keeps a chunk that was just decoded, in the form that the read admits: as the bytes that it was stored as, which
    /// `is_kept` says are kept, or as its items; of a part of it the bytes alone.
    pub(crate) fn keep(
        &self,
        task: &Task,
        bytes: &StoredBytes,
        admission: Admission,
        (is_whole, is_kept): (bool, bool),
        items: impl FnOnce() -> DecodedChunk,
    ) {
        if !self.keeps(admission) {
            return;
        }
        let is_memory = self.driver.store().is_memory();
        match admission.form(&self.array, task, is_kept || is_memory) {
            Kept::Decoded if is_whole && (!is_memory || self.is_used_again(task, admission)) => {
                self.cache.keep(&self.identity(task), Cached::Decoded(Rc::new(Some(items()))));
            }
            Kept::Not => {}
            Kept::Stored | Kept::Decoded => self.keep_stored(task, bytes, admission, is_kept),
        }
    }

    /// Keeps the bytes that a chunk is stored as, unless they are there already, in memory or in the cache.
    pub(crate) fn keep_stored(&self, task: &Task, bytes: &StoredBytes, admission: Admission, is_kept: bool) {
        if !is_kept && self.keeps_values(admission) {
            self.cache.keep(&self.identity(task), Cached::Stored(bytes.kept(), bytes.length()));
        }
    }

    /// Notes that a chunk is missing.
    pub(crate) fn keep_missing(&self, task: &Task, admission: Admission) {
        if self.keeps_values(admission) {
            self.cache.keep(&self.identity(task), Cached::Missing);
        }
    }

    /// Whether a read leaves stored values in the cache; values of a store in memory lie there already.
    pub(crate) fn keeps_values(&self, admission: Admission) -> bool {
        self.keeps(admission) && !self.driver.store().is_memory()
    }

    fn keeps(&self, admission: Admission) -> bool {
        admission.keeps() && self.keeps_chunks()
    }

    /// Whether a chunk of a store in memory was used before, or is likely to be: the read takes a part of it. Of small ones
    /// nothing is noted: to take them from memory again is as quick.
    fn is_used_again(&self, task: &Task, admission: Admission) -> bool {
        if self.array.is_plain(task) || self.array.decoded_bytes(task) <= ROW_BYTES {
            return false;
        }
        let key = self.cache.owned(&self.identity(task));
        admission.form(&self.array, task, false) == Kept::Decoded
            || self.settings.caches.ghosts.borrow_mut().is_second_use(&key)
    }

    /// The index of a task's shard, if it is at hand.
    pub(crate) fn kept_index(&self, task: &Task) -> Option<Rc<Option<ShardIndex>>> {
        self.indexed(&self.identity(task))
    }

    /// The index that is kept under a key.
    pub(crate) fn indexed(&self, key: &[u64]) -> Option<Rc<Option<ShardIndex>>> {
        match self.indexes.get(key)? {
            Cached::Index(index) => Some(index),
            _ => None,
        }
    }

    /// Keeps an index.
    pub(crate) fn keep_index(&self, key: &[u64], index: &Rc<Option<ShardIndex>>) {
        self.indexes.keep(key, Cached::Index(Rc::clone(index)));
    }

    /// Forgets the index of the shard that a task lies in: it may have been written anew.
    pub(crate) fn forget_index(&self, task: &Task) {
        self.indexes.remove(&self.of_now(&task.shard()));
    }
}
