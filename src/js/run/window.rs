//! The window of a read: its chunk tasks in flight, by number, and the limit of their count.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::codec::ShardIndex;
use crate::js::chunks::in_flight::{EventAddress, InFlight, Mailbox, RowFlight};
use crate::js::chunks::sources::JoinedSources;
use crate::js::stores::request::Answered;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::stores::stored_bytes::{ValueRequests, Values};
use crate::js::workers::decoded_chunk::Chunk;
use crate::network::Request;
use crate::read::{OpeningShards, Task};

/// Most chunks that are requested or have arrived and are not decoded yet, and most decoded bytes of them. The
/// scheduler limits the requests in flight; it joins nearby ranges of the chunks that are queued.
const CHUNKS: u64 = 512;
const CHUNK_BYTES: u64 = 256 << 20;

/// Most values of a batch, and most decoded bytes of them, so that they stay in the processor's caches.
const BATCH_VALUES: usize = 256;
const BATCH_BYTES: u64 = 4 << 20;

/// A chunk to read, a piece of one, a row of chunks, or a shard to open.
pub(super) struct ChunkTask {
    pub(super) task: Task,
    /// All bytes of its shard, if the store sent all of them.
    pub(super) whole: Option<Answered>,
    /// Number of chunks of the plan that it finishes: 0 for each piece of a chunk but the last.
    pub(super) chunks: u64,
}

/// The bytes that a chunk task needs next.
pub(super) enum Needed {
    /// The index of its shard.
    Index,
    /// All bytes of its shard, whose index is known.
    Whole(Rc<Option<ShardIndex>>),
    /// Its chunk.
    Chunk,
}

/// The request that a chunk task waits for.
pub(super) enum Awaited {
    One(Needed, Rc<InFlight>),
    /// The chunks of its row.
    Row(Rc<RowFlight>),
}

/// A waiting chunk task, and its request.
pub(super) struct Waiting {
    pub(super) chunk_task: ChunkTask,
    pub(super) wait: Awaited,
    /// Number of chunks of the plan in the shard that it opens.
    pub(super) inner_chunks: u64,
}

/// Data that arrived for a chunk task.
pub(super) enum Arrived {
    Missing,
    /// Its decoded chunk, from the cache.
    Chunk(Chunk),
    /// Its stored bytes; whether they come from the cache.
    Stored(Answered, bool),
    /// The bytes of its shard's index.
    Index(Option<Answered>),
    /// The values of a row, and the index of its first one.
    Row(Rc<Values>, usize),
}

/// Chunk tasks of a read that wait to be begun, for a request, or to be decoded.
pub(super) struct Window {
    /// Chunk tasks of opened shards and split rows, which are begun first.
    pub(super) opened: VecDeque<ChunkTask>,
    pub(super) ready: VecDeque<(ChunkTask, Arrived)>,
    items: HashMap<u32, Waiting>,
    /// Shards that `items` open, and number of chunks that they wait for.
    opening: OpeningShards,
    waited_for: u64,
    numbers: u32,
    pub(super) mailbox: Rc<Mailbox>,
    chunks: u64,
}

impl Window {
    /// Creates the window of a read; its limits follow from the sizes of chunks.
    pub(super) fn new(sources: &JoinedSources) -> Self {
        Self {
            opened: VecDeque::new(),
            ready: VecDeque::new(),
            items: HashMap::new(),
            opening: OpeningShards::default(),
            waited_for: 0,
            numbers: 0,
            mailbox: Rc::default(),
            // At least four, so that the network is not idle while one is decoded.
            chunks: (CHUNK_BYTES / sources.array.largest_chunk().max(1)).clamp(4, CHUNKS),
        }
    }

    /// Whether another chunk task may be begun.
    pub(super) fn has_room(&self) -> bool {
        self.waited_for + (self.ready.len() as u64) < self.chunks
    }

    /// Whether another task of the plan may be begun; `chunks` is the number of chunks of the plan in it.
    pub(super) fn may_open(&self, chunks: impl FnOnce() -> u64) -> bool {
        self.opened.is_empty() && self.opening.has_room(chunks())
    }

    /// Whether a chunk task of an opened shard, or of a row, may be begun.
    pub(super) fn has_opened(&self) -> bool {
        !self.opened.is_empty() && self.has_room()
    }

    /// Whether the chunk task of an event opens a shard.
    pub(super) fn opens_shard(&self, number: u32) -> bool {
        self.items.get(&number).is_some_and(Waiting::opens_shard)
    }

    /// Whether the window has no chunk task.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.ready.is_empty() && self.opened.is_empty()
    }

    /// Event address for the next chunk task.
    pub(super) fn address(&mut self) -> EventAddress {
        self.numbers = self.numbers.wrapping_add(1);
        EventAddress { mailbox: Rc::clone(&self.mailbox), number: self.numbers }
    }

    /// Event address for the next chunk task, a row of `chunks` chunks; their numbers follow that of the row.
    pub(super) fn row_address(&mut self, chunks: usize) -> EventAddress {
        let address = self.address();
        self.numbers = self.numbers.wrapping_add(chunks as u32);
        address
    }

    /// Adds a waiting chunk task under its number.
    pub(super) fn wait(&mut self, number: u32, waiting: Waiting) {
        if waiting.opens_shard() {
            self.opening.begin(waiting.inner_chunks);
        }
        self.waited_for += waiting.chunks();
        self.items.insert(number, waiting);
    }

    /// Removes the chunk task of an event; `None` if it is finished.
    pub(super) fn take(&mut self, number: u32) -> Option<Waiting> {
        let waiting = self.items.remove(&number)?;
        if waiting.opens_shard() {
            self.opening.end(waiting.inner_chunks);
        }
        self.waited_for -= waiting.chunks();
        Some(waiting)
    }
}

impl Waiting {
    /// A chunk task that opens no shard.
    pub(super) fn of_chunks(chunk_task: ChunkTask, wait: Awaited) -> Self {
        Self { chunk_task, wait, inner_chunks: 0 }
    }

    fn opens_shard(&self) -> bool {
        matches!(self.wait, Awaited::One(Needed::Index | Needed::Whole(_), _))
    }

    /// Number of chunks that it waits for.
    fn chunks(&self) -> u64 {
        if self.opens_shard() { 0 } else { self.chunk_task.task.chunks as u64 }
    }
}

/// Chunk tasks of one batch, and the requests for their values.
#[derive(Default)]
pub(super) struct DirectBatch {
    pub(super) driver: Option<Rc<StoreDriver>>,
    pub(super) chunk_tasks: Vec<(ChunkTask, Option<Request>)>,
    pub(super) asking: ValueRequests,
    /// Number of the flight of a late value; 0 until it is reserved.
    pub(super) flight: u64,
    pub(super) values: usize,
    pub(super) bytes: u64,
}

impl DirectBatch {
    /// Whether the batch must be requested before more chunk tasks are added.
    pub(super) fn is_full(&self) -> bool {
        self.values >= BATCH_VALUES || self.bytes >= BATCH_BYTES
    }

    pub(super) fn is_of(&self, driver: &Rc<StoreDriver>) -> bool {
        self.driver.as_ref().is_none_or(|own| Rc::ptr_eq(own, driver))
    }
}
