//! The source of one array, which its reads share: its store, caches, requests in flight and decoders.

use std::rc::Rc;

use js_sys::Uint8Array;

use super::caches::{Cache, Cached};
use super::in_flight::InFlight;
use super::open_settings::OpenSettings;
use super::single_flight::SingleFlight;
use crate::codec::ShardIndex;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::stores::readable_source::StoredBytes;
use crate::js::workers::array_workers::{ArrayWorkers, PendingBytes, decode};
use crate::js::workers::chain_decoder::ChainDecoder;
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::js::workers::pool::JobHandle;
use crate::parts::{Calls, Loaded};
use crate::read::{Admission, Array, Job, Kept, Plan, ROW_BYTES, Task};

/// Most pending bytes that one read counts for: far more than starts workers, and few enough for exact sums.
const MOST_EXPECTED: u64 = 1 << 32;

/// Least decoded size of a chunk that goes to a worker when its bytes are at hand: 32 KiB.
///
/// Sending a chunk to a worker and back costs this thread about as much as decoding half of that.
const LEAST_HANDED_OUT: u64 = 32 << 10;

/// Store, caches and decoders of one array.
pub(crate) struct ArraySource {
    pub(crate) driver: Rc<StoreDriver>,
    pub(crate) array: Rc<Array>,
    pub(crate) cache: Cache,
    indexes: Cache,
    /// Requests in flight: for chunks, for shard indexes, and for whole shards.
    pub(crate) chunk_flights: SingleFlight,
    pub(crate) index_flights: SingleFlight,
    pub(crate) shard_flights: SingleFlight,
    /// Settings that it was opened with, and that a refresh opens it with.
    pub(crate) settings: OpenSettings,
    /// Workers that may decode its chunks beside this thread.
    workers: Option<ArrayWorkers>,
    /// Modules that decode the chunks, if the main module lacks codecs of the array.
    pub(crate) chain: Option<ChainDecoder>,
}

impl ArraySource {
    pub(crate) fn new(
        driver: Rc<StoreDriver>,
        array: Array,
        settings: OpenSettings,
        chain: Option<ChainDecoder>,
    ) -> Rc<Self> {
        let (cache, indexes) = settings.caches.for_array();
        let (policy, start) = settings.workers.clone();
        let workers = ArrayWorkers::new(policy, start, chain.as_ref());
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
            chain,
        })
    }

    /// Whether the cache keeps chunks.
    pub(crate) fn keeps_chunks(&self) -> bool {
        self.cache.limit() > 0
    }

    /// Whether workers or another module decode the chunks of a plan even if their bytes are at hand.
    pub(crate) fn hands_out(&self, plan: &Plan<'_>) -> bool {
        if self.chain.is_some() {
            return true;
        }
        let workers = self.workers.as_ref().filter(|workers| workers.are_for(plan, &self.array));
        workers.is_some() && self.array.largest_chunk() >= LEAST_HANDED_OUT && !self.array.has_plain_chunks()
    }

    /// Pieces to request of an uncompressed chunk. `None` if the chunk is read whole: the store is in memory or ignores
    /// ranges, the cache holds the chunk, or pieces would save too little.
    pub(crate) fn pieces(&self, task: &Task) -> Option<Vec<Task>> {
        let store = self.driver.store();
        if store.is_memory() || store.ranges().is_ignored {
            return None;
        }
        // Most chunks are read whole, which is found sooner than a chunk in the cache.
        self.array.pieces(task, self.driver.joining().gap).filter(|_| !self.has(task))
    }

    /// Counts the decoded bytes of a read as pending for the workers.
    pub(crate) fn expect(&self, plan: &Plan<'_>) -> Option<PendingBytes> {
        let bytes = plan.chunks().saturating_mul(self.array.largest_chunk()).min(MOST_EXPECTED);
        Some(self.workers.as_ref()?.expect(bytes))
    }

    /// Proof that the part of workers is loaded, where a worker is to decode the bytes of a task's chunk.
    pub(crate) fn sends(&self, task: &Task, bytes: &StoredBytes) -> Option<Loaded<Calls>> {
        let size = || (self.array.decoded_bytes(task), self.array.rate_of(task));
        self.workers.as_ref().filter(|_| !self.array.is_plain(task))?.send(bytes.length().into(), size())
    }

    /// Whether a worker may come to decode a task's chunk, whose stored length is not known yet.
    pub(crate) fn may_send(&self, task: &Task) -> bool {
        let workers = self.workers.as_ref().filter(|_| !self.array.is_plain(task));
        workers
            .is_some_and(|workers| workers.may_send(self.array.decoded_bytes(task), self.array.rate_of(task)))
    }

    /// Sends the bytes of a task's chunk to a worker; its result goes to `flight`.
    pub(crate) fn decode_on_worker(
        &self,
        part: Loaded<Calls>,
        task: &Task,
        job: Job<'_>,
        bytes: &StoredBytes,
        flight: &Rc<InFlight>,
    ) -> Option<JobHandle> {
        let (flight, blamed) = (Rc::downgrade(flight), task.clone());
        let on_done = Box::new(move |done: Option<crate::js::workers::decoded_chunk::Done>| {
            if let Some(flight) = flight.upgrade() {
                flight.done(done.map(|done| done.map_err(|error| blamed.blame(error).into())));
            }
        });
        let size = self.array.decoded_bytes(task);
        Some(decode(part, self.workers.as_ref()?, &self.array, job, &bytes.array(), size, on_done))
    }

    /// Cache key of a task's chunk: the store's version epoch, then the coordinates of the shards and of the chunk.
    pub(crate) fn identity(&self, task: &Task) -> Vec<u64> {
        self.versioned(&task.identity())
    }

    /// A key after the store's version epoch.
    fn versioned(&self, identity: &[u64]) -> Vec<u64> {
        [&[self.driver.store().epoch()], identity].concat()
    }

    /// Whether the cache holds a task's chunk, decoded or stored.
    pub(crate) fn has(&self, task: &Task) -> bool {
        self.cache.get(&self.identity(task)).is_some()
    }

    /// A task's chunk, if the cache holds it decoded or knows that it is missing.
    pub(crate) fn kept(&self, task: &Task) -> Option<Chunk> {
        match self.cache.get(&self.identity(task))? {
            Cached::Decoded(chunk) => Some(chunk),
            Cached::Missing => Some(Rc::new(None)),
            Cached::Stored(..) | Cached::Index(_) => None,
        }
    }

    /// Stored bytes of a task's chunk, if the cache holds them and their buffer is not detached.
    pub(crate) fn kept_bytes(&self, task: &Task) -> Option<Uint8Array> {
        match self.cache.get(&self.identity(task))? {
            Cached::Stored(bytes, length) if bytes.length() == length => Some(bytes),
            _ => None,
        }
    }

    /// Keeps a chunk that was just decoded, in the form that the read admits: its stored bytes or its items; of a chunk
    /// decoded in part, only the bytes. `is_kept`: the cache holds the bytes already.
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

    /// Keeps the stored bytes of a chunk, unless the cache holds them already or the store is in memory.
    pub(crate) fn keep_stored(&self, task: &Task, bytes: &StoredBytes, admission: Admission, is_kept: bool) {
        if !is_kept && self.keeps_values(admission) {
            self.cache.keep(&self.identity(task), Cached::Stored(bytes.kept(), bytes.length()));
        }
    }

    /// Keeps in the cache that a chunk is missing.
    pub(crate) fn keep_missing(&self, task: &Task, admission: Admission) {
        if self.keeps_values(admission) {
            self.cache.keep(&self.identity(task), Cached::Missing);
        }
    }

    /// Whether a read leaves stored values in the cache, which those of a store in memory do not need.
    pub(crate) fn keeps_values(&self, admission: Admission) -> bool {
        self.keeps(admission) && !self.driver.store().is_memory()
    }

    fn keeps(&self, admission: Admission) -> bool {
        admission.keeps() && self.keeps_chunks()
    }

    /// Whether a chunk of a store in memory was used before, or is likely to be used again, because the read takes a
    /// part of it. Uses of small chunks are not recorded: reading them from memory again is as fast as from the
    /// cache.
    fn is_used_again(&self, task: &Task, admission: Admission) -> bool {
        if self.array.is_plain(task) || self.array.decoded_bytes(task) <= ROW_BYTES {
            return false;
        }
        let key = self.cache.owned(&self.identity(task));
        admission.form(&self.array, task, false) == Kept::Decoded
            || self.settings.caches.ghosts.borrow_mut().is_second_use(&key)
    }

    /// The index of a task's shard, if the cache holds it.
    pub(crate) fn kept_index(&self, task: &Task) -> Option<Rc<Option<ShardIndex>>> {
        self.indexed(&self.identity(task))
    }

    /// The index that the cache holds under a key.
    pub(crate) fn indexed(&self, key: &[u64]) -> Option<Rc<Option<ShardIndex>>> {
        match self.indexes.get(key)? {
            Cached::Index(index) => Some(index),
            _ => None,
        }
    }

    pub(crate) fn keep_index(&self, key: &[u64], index: &Rc<Option<ShardIndex>>) {
        self.indexes.keep(key, Cached::Index(Rc::clone(index)));
    }

    /// Drops the index of a task's shard from the cache: the shard may have been rewritten.
    pub(crate) fn forget_index(&self, task: &Task) {
        self.indexes.remove(&self.versioned(&task.shard()));
    }
}
