//! Where an array's chunks come from: the source of one stored array, which its reads share, with its store, caches,
//! requests in flight and decoders; and the joined sources of an array that `concat` made of several.
//!
//! Invariant: the source of a task's own array reads it, with the store, codecs, workers and cache of that array.

use std::rc::Rc;

use js_sys::{Object, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::caches::{Cache, Cached};
use super::in_flight::{InFlight, RowKey, SingleFlight};
use super::open_settings::{DocumentPlace, OpenSettings};
use crate::codec::ShardIndex;
use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::{field, message, number, set};
use crate::js::stores::probe::Probe;
use crate::js::stores::readable::ReadableStore;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::stores::stored_bytes::{StoredBytes, Values};
use crate::js::support::work::{Work, all};
use crate::js::workers::array_workers::{ArrayWorkers, PendingBytes, decode};
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk, Done};
use crate::js::workers::pool::JobHandle;
use crate::js::workers::stage_decoder::StageDecoder;
use crate::metadata::ArrayMetadata;
use crate::parts::{Calls, Loaded};
use crate::read::{Admission, Array, CachedForm, Job, Plan, ROW_BYTES, Task};

/// Most pending bytes that one read counts for: far more than starts workers, and few enough for exact sums.
const MOST_EXPECTED: u64 = 1 << 32;

/// Least decoded size of a chunk that goes to a worker when its bytes are at hand: 32 KiB.
///
/// Sending a chunk to a worker and back costs this thread about as much as decoding half of that.
const LEAST_HANDED_OUT: u64 = 32 << 10;

/// Store, caches and decoders of one array.
pub(crate) struct ChunkSource {
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
    pub(crate) stages: Option<StageDecoder>,
}

/// What is known of a chunk that was just decoded.
pub(crate) struct JustDecoded {
    /// Whether all of it is decoded.
    pub(crate) is_whole: bool,
    /// Whether the cache holds its stored bytes already.
    pub(crate) is_cached: bool,
}

impl ChunkSource {
    pub(crate) fn new(
        driver: Rc<StoreDriver>,
        array: Array,
        settings: OpenSettings,
        stages: Option<StageDecoder>,
    ) -> Rc<Self> {
        let (cache, indexes) = settings.caches.for_array();
        Rc::new(Self {
            driver,
            array: Rc::new(array),
            cache,
            indexes,
            chunk_flights: SingleFlight::default(),
            index_flights: SingleFlight::default(),
            shard_flights: SingleFlight::default(),
            workers: ArrayWorkers::new(settings.workers.clone(), stages.as_ref()),
            settings,
            stages,
        })
    }

    /// Whether the cache takes chunks.
    pub(crate) fn caches_chunks(&self) -> bool {
        self.cache.limit() > 0
    }

    /// Whether workers or another module decode the chunks of a plan even if their bytes are at hand.
    pub(crate) fn hands_out(&self, plan: &Plan<'_>) -> bool {
        if self.stages.is_some() {
            return true;
        }
        let workers = self.workers.as_ref().filter(|workers| workers.are_for(plan, &self.array));
        workers.is_some() && self.array.largest_chunk() >= LEAST_HANDED_OUT && !self.array.has_plain_chunks()
    }

    /// Pieces to request of an uncompressed chunk. `None` if the chunk is read whole: the store is in memory or ignores
    /// ranges, the cache holds the chunk, or pieces would save too little.
    pub(crate) fn pieces(&self, task: &Task) -> Option<Vec<Task>> {
        let store = self.driver.store();
        if store.is_memory() || store.ranges().is_ignored || !self.array.is_plain(task) {
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
        let workers = self.workers.as_ref().filter(|_| !self.array.is_plain(task))?;
        workers.send(bytes.length().into(), self.array.decoded_bytes(task), self.array.rate_of(task))
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
        let on_done = Box::new(move |done: Option<Done>| {
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

    /// Cache keys of the chunks of a row.
    pub(crate) fn row_key(&self, row: &Task) -> RowKey {
        RowKey { first: self.identity(row), count: row.chunks }
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
    pub(crate) fn cached(&self, task: &Task) -> Option<Chunk> {
        match self.cache.get(&self.identity(task))? {
            Cached::Decoded(chunk) => Some(chunk),
            Cached::Missing => Some(Rc::new(None)),
            Cached::Stored(..) | Cached::Index(_) => None,
        }
    }

    /// Stored bytes of a task's chunk, if the cache holds them and their buffer is not detached.
    pub(crate) fn cached_bytes(&self, task: &Task) -> Option<Uint8Array> {
        match self.cache.get(&self.identity(task))? {
            Cached::Stored(bytes, length) if bytes.length() == length => Some(bytes),
            _ => None,
        }
    }

    /// Caches a chunk that was just decoded, in the form that the read admits: its stored bytes or its items; of a chunk
    /// decoded in part, only the bytes.
    pub(crate) fn cache_chunk(
        &self,
        task: &Task,
        bytes: &StoredBytes,
        admission: Admission,
        JustDecoded { is_whole, is_cached }: JustDecoded,
        items: impl FnOnce() -> DecodedChunk,
    ) {
        if !self.caches(admission) {
            return;
        }
        let is_memory = self.driver.store().is_memory();
        match admission.form(&self.array, task, is_cached || is_memory) {
            CachedForm::Decoded if is_whole && (!is_memory || self.is_used_again(task, admission)) => {
                self.cache.put(&self.identity(task), Cached::Decoded(Rc::new(Some(items()))));
            }
            CachedForm::Not => {}
            CachedForm::Stored | CachedForm::Decoded => self.cache_stored(task, bytes, admission, is_cached),
        }
    }

    /// Whether the cache takes the items of a task's chunk once it is decoded.
    pub(crate) fn caches_decoded(&self, task: &Task, admission: Admission, is_cached: bool) -> bool {
        let is_second = is_cached || self.driver.store().is_memory();
        self.caches(admission) && admission.form(&self.array, task, is_second) == CachedForm::Decoded
    }

    /// Caches the stored bytes of a chunk, unless the cache holds them already or the store is in memory.
    pub(crate) fn cache_stored(
        &self,
        task: &Task,
        bytes: &StoredBytes,
        admission: Admission,
        is_cached: bool,
    ) {
        if !is_cached && self.caches_values(admission) {
            self.cache.put(&self.identity(task), Cached::Stored(bytes.to_cached(), bytes.length()));
        }
    }

    /// Caches that a chunk is missing.
    pub(crate) fn cache_missing(&self, task: &Task, admission: Admission) {
        if self.caches_values(admission) {
            self.cache.put(&self.identity(task), Cached::Missing);
        }
    }

    /// Whether a read leaves stored values in the cache, which those of a store in memory do not need.
    pub(crate) fn caches_values(&self, admission: Admission) -> bool {
        self.caches(admission) && !self.driver.store().is_memory()
    }

    fn caches(&self, admission: Admission) -> bool {
        admission.caches() && self.caches_chunks()
    }

    /// Whether a chunk of a store in memory was used before, or is likely to be used again, because the read takes a
    /// part of it. Uses of small chunks are not recorded: reading them from memory again is as fast as from the
    /// cache.
    fn is_used_again(&self, task: &Task, admission: Admission) -> bool {
        if self.array.is_plain(task) || self.array.decoded_bytes(task) <= ROW_BYTES {
            return false;
        }
        let key = self.cache.owned(&self.identity(task));
        admission.form(&self.array, task, false) == CachedForm::Decoded
            || self.settings.caches.first_uses.borrow_mut().is_second_use(&key)
    }

    /// The index of a task's shard, if the cache holds it.
    pub(crate) fn cached_index(&self, task: &Task) -> Option<Rc<Option<ShardIndex>>> {
        self.indexed(&self.identity(task))
    }

    /// The index that the cache holds under a key.
    pub(crate) fn indexed(&self, key: &[u64]) -> Option<Rc<Option<ShardIndex>>> {
        match self.indexes.get(key)? {
            Cached::Index(index) => Some(index),
            _ => None,
        }
    }

    pub(crate) fn cache_index(&self, key: &[u64], index: &Rc<Option<ShardIndex>>) {
        self.indexes.put(key, Cached::Index(Rc::clone(index)));
    }

    /// Drops the index of a task's shard from the cache: the shard may have been rewritten.
    pub(crate) fn forget_index(&self, task: &Task) {
        self.indexes.remove(&self.versioned(&task.shard()));
    }

    /// Whether the cache holds a chunk of a row.
    pub(crate) fn has_of_row(&self, row: &Task) -> bool {
        if self.cache.is_empty() {
            return false;
        }
        let key = self.row_key(row);
        (0..key.count).any(|nth| self.cache.get(&key.chunk(nth)).is_some())
    }

    /// Whether the chunks of a row may be decoded together: the cache takes none of them, or takes stored bytes.
    pub(crate) fn decodes_together(&self, row: &Task, admission: Admission) -> bool {
        admission.form(&self.array, row, false) != CachedForm::Decoded || !self.caches_values(admission)
    }

    /// Caches the stored bytes of the first chunks of a row, which have these lengths and came as the values from `nth`
    /// on.
    pub(crate) fn cache_row(
        &self,
        row: &Task,
        values: &Values,
        nth: usize,
        lengths: &[u32],
        admission: Admission,
    ) {
        if !self.caches_values(admission) {
            return;
        }
        let key = self.row_key(row);
        for (place, &length) in lengths.iter().enumerate() {
            let bytes = values.stored(nth + place, length);
            self.cache.put(&key.chunk(place), Cached::Stored(bytes.to_cached(), length));
        }
    }
}

/// Most arrays that are opened again at the same time.
const AT_ONCE: usize = 16;

/// Names of the errors that concern a stored array, so that it is named with them.
const OURS: [&str; 5] =
    ["CodecError", "InvalidMetadataError", "NotFoundError", "StoreError", "UnsupportedError"];

/// Sources of the stored arrays that an array is made of.
pub(crate) struct JoinedSources {
    /// The array that selections and plans are made for.
    pub(crate) array: Rc<Array>,
    /// At least one; `Task::array` is the index.
    sources: Vec<Rc<ChunkSource>>,
}

impl JoinedSources {
    /// Source of an array by itself.
    fn of_one(source: Rc<ChunkSource>) -> Rc<Self> {
        Rc::new(Self { array: Rc::clone(&source.array), sources: vec![source] })
    }

    /// Source of the array that metadata describe, which were found at a place.
    pub(crate) async fn open(
        driver: &Rc<StoreDriver>,
        settings: OpenSettings,
        metadata: ArrayMetadata,
        place: DocumentPlace<'_>,
    ) -> JsResult<Rc<Self>> {
        let (array, stages) = settings.array(metadata, place, driver.store().part_timeout()).await?;
        Ok(Self::of_one(ChunkSource::new(Rc::clone(driver), array, settings, stages)))
    }

    /// Sources of arrays laid end to end.
    ///
    /// # Errors
    /// As [`Array::end_to_end`].
    pub(crate) fn end_to_end(arrays: &[Rc<Self>], axis: usize) -> Result<Rc<Self>> {
        let (mut all, mut sources) = (Vec::with_capacity(arrays.len()), Vec::new());
        for array in arrays {
            all.push(Rc::clone(&array.array));
            sources.extend_from_slice(&array.sources);
        }
        Ok(Rc::new(Self { array: Array::end_to_end(&all, axis)?, sources }))
    }

    /// Source of a task's array.
    pub(crate) fn of(&self, task: &Task) -> &Rc<ChunkSource> {
        &self.sources[task.array]
    }

    /// Names the array in an error of one of several arrays. Returns a new error: other reads may hold the original.
    pub(crate) fn blame(&self, nth: usize, error: JsValue) -> JsValue {
        let (name, source) = (field(&error, "name").as_string().unwrap_or_default(), &self.sources[nth]);
        if self.sources.len() == 1 || !OURS.contains(&name.as_str()) || !field(&error, "array").is_undefined()
        {
            return error;
        }
        let place = source.driver.store().describe(source.array.keys.path());
        let named = js_sys::Error::new(&format!("array {nth} of concat, at {place}: {}", message(&error)));
        Object::assign(&named, error.unchecked_ref());
        set(&named, "array", &number(nth as u64).into());
        named.into()
    }

    /// Milliseconds that a part of the module has to load; 0 means without a limit.
    pub(crate) fn part_timeout(&self) -> u64 {
        self.sources.iter().map(|source| source.driver.store().part_timeout()).max().unwrap_or(0)
    }

    /// Lets each store have `more` requests in flight than until now, or fewer again; returns how many the last may have.
    pub(crate) fn allow(&self, more: i32) -> usize {
        let (mut most, mut last) = (0, None);
        for driver in self.sources.iter().map(|source| &source.driver) {
            // Arrays of one store mostly follow one another.
            if !last.replace(driver).is_some_and(|last| Rc::ptr_eq(last, driver)) {
                most = driver.allow(more);
            }
        }
        most
    }

    /// Whether the caches of all arrays take chunks.
    pub(crate) fn cache_chunks(&self) -> bool {
        self.sources.iter().all(|source| source.caches_chunks())
    }

    /// Whether workers or other modules decode chunks of the plan.
    pub(crate) fn hand_out(&self, plan: &Plan<'_>) -> bool {
        self.sources.iter().any(|source| source.hands_out(plan))
    }

    /// Whether the chunks of all arrays are stored as their items alone.
    pub(crate) fn have_plain_chunks(&self) -> bool {
        self.sources.iter().all(|source| source.array.has_plain_chunks())
    }

    /// The cache admission of a read of the plan.
    pub(crate) fn admission(&self, plan: &Plan<'_>) -> Admission {
        let limits = self.sources.iter().map(|source| source.cache.limit());
        Admission::of_read(plan, limits.max().unwrap_or(0), self.answer_at_once())
    }

    /// Whether any store is a `Map` or a `Readable`.
    pub(crate) fn have_readables(&self) -> bool {
        self.sources.iter().any(|source| source.driver.store().readable().is_some())
    }

    /// Whether the stores of all arrays answer synchronously.
    pub(crate) fn answer_at_once(&self) -> bool {
        let readable = |source: &Rc<ChunkSource>| {
            source.driver.store().readable().is_some_and(ReadableStore::answers_at_once)
        };
        self.sources.iter().all(readable)
    }

    /// All sources; `Task::array` is the index.
    pub(crate) fn all(&self) -> &[Rc<ChunkSource>] {
        &self.sources
    }

    /// Whether a read may request a chunk several times: its only store answers synchronously and supports ranges, this
    /// thread decodes, and no `onRequest` listener is called.
    pub(crate) fn reads_again(&self, plan: &Plan<'_>) -> bool {
        let [source] = &self.sources[..] else { return false };
        let store = source.driver.store();
        let is_proven = store.readable().is_some_and(ReadableStore::has_answered_at_once);
        is_proven && !store.ranges().is_ignored && store.on_request().is_none() && !source.hands_out(plan)
    }

    /// Opens every array again with its current metadata; also returns whether any metadata changed.
    pub(crate) async fn again(&self, signal: &AbortSignal) -> JsResult<(Rc<Self>, bool)> {
        let mut refreshes: Vec<Work<'_, ()>> = Vec::new();
        let mut again: Vec<Work<'_, Rc<ChunkSource>>> = Vec::new();
        let mut last = None;
        for source in &self.sources {
            // Arrays of one store mostly follow one another; a second refresh of a store does no harm.
            if !last.replace(&source.driver).is_some_and(|last| Rc::ptr_eq(last, &source.driver)) {
                refreshes.push(Box::pin(async { source.driver.store().refresh(signal).await }));
            }
            let nth = again.len();
            let opening =
                async move { opened_again(source, signal).await.map_err(|error| self.blame(nth, error)) };
            again.push(Box::pin(opening));
        }
        some_at_once(refreshes).await?;
        let sources = some_at_once(again).await?;
        let mut pairs = self.sources.iter().zip(&sources);
        let is_changed = pairs.any(|(old, new)| old.array.metadata != new.array.metadata);
        let arrays: Vec<_> = sources.iter().map(|source| Rc::clone(&source.array)).collect();
        let array = self.array.remade(&mut arrays.iter())?;
        Ok((Rc::new(Self { array, sources }), is_changed))
    }
}

/// Opens an array again from its own metadata document.
async fn opened_again(source: &ChunkSource, signal: &AbortSignal) -> JsResult<Rc<ChunkSource>> {
    let (store, path) = (source.driver.store(), source.array.keys.path());
    let format = Some(source.array.metadata.zarr_format);
    let probe = Probe::new(store, path, format, source.settings.attrs, signal);
    let (metadata, key) = probe.array(&[]).await?;
    let place = DocumentPlace { path, key: &key };
    let (array, stages) = source.settings.array(metadata, place, store.part_timeout()).await?;
    Ok(ChunkSource::new(Rc::clone(&source.driver), array, source.settings.clone(), stages))
}

/// Does all pieces of work, at most `AT_ONCE` at the same time; returns their results in order.
async fn some_at_once<T>(work: Vec<Work<'_, T>>) -> JsResult<Vec<T>> {
    let (mut work, mut done) = (work.into_iter().peekable(), Vec::new());
    while work.peek().is_some() {
        done.extend(all(work.by_ref().take(AT_ONCE).collect()).await?);
    }
    Ok(done)
}
