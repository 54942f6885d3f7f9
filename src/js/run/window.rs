//! The window of a read: its leaves in flight, by number, and the limit of their count.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::codec::ShardIndex;
use crate::js::chunks::in_flight::{EventAddress, InFlight, Mailbox, RowFlight};
use crate::js::chunks::sources::JoinedSources;
use crate::js::stores::request::Answered;
use crate::js::stores::stored_bytes::Values;
use crate::js::workers::decoded_chunk::Chunk;
use crate::read::{OpeningShards, Task};

/// Most chunks that are requested or have arrived and are not decoded yet, and most decoded bytes of them. The
/// scheduler limits the requests in flight; it joins nearby ranges of the chunks that are queued.
const CHUNKS: u64 = 512;
const CHUNK_BYTES: u64 = 256 << 20;

/// A chunk to read, a piece of one, a row of chunks, or a shard to open.
pub(super) struct Leaf {
    pub(super) task: Task,
    /// All bytes of its shard, if the store sent all of them.
    pub(super) whole: Option<Answered>,
    /// Number of chunks of the plan that it finishes: 0 for each piece of a chunk but the last.
    pub(super) chunks: u64,
}

/// The bytes that a leaf needs next.
pub(super) enum LeafTarget {
    /// The index of its shard.
    Index,
    /// All bytes of its shard, whose index is known.
    Whole(Rc<Option<ShardIndex>>),
    /// Its chunk.
    Chunk,
}

/// The request that a leaf waits for.
pub(super) enum Wait {
    One(LeafTarget, Rc<InFlight>),
    /// The chunks of its row.
    Row(Rc<RowFlight>),
}

/// A waiting leaf, and its request.
pub(super) struct Item {
    pub(super) leaf: Leaf,
    pub(super) wait: Wait,
    /// Number of chunks of the plan in the shard that it opens.
    pub(super) inner_chunks: u64,
}

/// Data that arrived for a leaf.
pub(super) enum Ready {
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

/// Leaves of a read that wait to be begun, for a request, or to be decoded.
pub(super) struct Window {
    /// Leaves of opened shards and split rows, which are begun first.
    pub(super) opened: VecDeque<Leaf>,
    pub(super) ready: VecDeque<(Leaf, Ready)>,
    items: HashMap<u32, Item>,
    /// Shards that `items` open, and number of chunks that they wait for.
    opening: OpeningShards,
    waiting: u64,
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
            waiting: 0,
            numbers: 0,
            mailbox: Rc::default(),
            // At least four, so that the network is not idle while one is decoded.
            chunks: (CHUNK_BYTES / sources.array.largest_chunk().max(1)).clamp(4, CHUNKS),
        }
    }

    /// Whether another leaf may be begun.
    pub(super) fn has_room(&self) -> bool {
        self.waiting + (self.ready.len() as u64) < self.chunks
    }

    /// Whether another task of the plan may be begun; `chunks` is the number of chunks of the plan in it.
    pub(super) fn may_open(&self, chunks: impl FnOnce() -> u64) -> bool {
        self.opened.is_empty() && self.opening.has_room(chunks())
    }

    /// Whether a leaf of an opened shard, or of a row, may be begun.
    pub(super) fn has_opened(&self) -> bool {
        !self.opened.is_empty() && self.has_room()
    }

    /// Whether the item of an event opens a shard.
    pub(super) fn opens_shard(&self, number: u32) -> bool {
        self.items.get(&number).is_some_and(Item::opens_shard)
    }

    /// Whether the window has no leaf.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.ready.is_empty() && self.opened.is_empty()
    }

    /// Event address for the next item.
    pub(super) fn address(&mut self) -> EventAddress {
        self.numbers = self.numbers.wrapping_add(1);
        EventAddress { mailbox: Rc::clone(&self.mailbox), number: self.numbers }
    }

    /// Event address for the next item, a row of `chunks` chunks; their numbers follow that of the row.
    pub(super) fn row_address(&mut self, chunks: usize) -> EventAddress {
        let address = self.address();
        self.numbers = self.numbers.wrapping_add(chunks as u32);
        address
    }

    /// Adds a waiting item under its number.
    pub(super) fn wait(&mut self, number: u32, item: Item) {
        if item.opens_shard() {
            self.opening.begin(item.inner_chunks);
        }
        self.waiting += item.chunks();
        self.items.insert(number, item);
    }

    /// Removes the item of an event; `None` if it is finished.
    pub(super) fn take(&mut self, number: u32) -> Option<Item> {
        let item = self.items.remove(&number)?;
        if item.opens_shard() {
            self.opening.end(item.inner_chunks);
        }
        self.waiting -= item.chunks();
        Some(item)
    }
}

impl Item {
    /// An item that opens no shard.
    pub(super) fn of_chunks(leaf: Leaf, wait: Wait) -> Self {
        Self { leaf, wait, inner_chunks: 0 }
    }

    fn opens_shard(&self) -> bool {
        matches!(self.wait, Wait::One(LeafTarget::Index | LeafTarget::Whole(_), _))
    }

    /// Number of chunks that it waits for.
    fn chunks(&self) -> u64 {
        if self.opens_shard() { 0 } else { self.leaf.task.chunks as u64 }
    }
}
