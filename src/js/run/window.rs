//! The window of a read: its leaves in flight, by number, and the limit of their count.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::codec::ShardIndex;
use crate::js::fetch::answer::Answered;
use crate::js::sources::array_sources::ArraySources;
use crate::js::sources::in_flight::InFlight;
use crate::js::sources::mailbox::{EventAddress, Mailbox};
use crate::js::sources::row_flight::RowFlight;
use crate::js::stores::batch_values::Values;
use crate::js::workers::decoded_chunk::Chunk;
use crate::read::{NumberedList, Plan, Task};

/// Most shards that are being opened at once, and most inner chunks that they list.
const SHARDS: u64 = 64;
const LISTED_CHUNKS: u64 = 1 << 16;

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
    items: NumberedList<Item>,
    /// Number of shards that `items` open, and of chunks that they wait for.
    opening: u64,
    waiting: u64,
    numbers: u32,
    pub(super) mailbox: Rc<Mailbox>,
    chunks: u64,
    shards: u64,
}

impl Window {
    /// Creates the window of a read; its limits follow from the sizes of chunks and shards.
    pub(super) fn new(sources: &ArraySources, plan: &Plan<'_>) -> Self {
        // Inner chunks of a shard that the selection meets, on average.
        let listed = plan.chunks() / plan.stored_chunks().max(1);
        Self {
            opened: VecDeque::new(),
            ready: VecDeque::new(),
            items: NumberedList::default(),
            opening: 0,
            waiting: 0,
            numbers: 0,
            mailbox: Rc::default(),
            // At least four, so that the network is not idle while one is decoded.
            chunks: (CHUNK_BYTES / sources.array.largest_chunk().max(1)).clamp(4, CHUNKS),
            shards: (LISTED_CHUNKS / listed.max(1)).clamp(1, SHARDS),
        }
    }

    /// Whether another leaf may be begun.
    pub(super) fn has_room(&self) -> bool {
        self.waiting + (self.ready.len() as u64) < self.chunks
    }

    /// Whether another task of the plan, which may be a shard, may be begun.
    pub(super) fn may_open(&self) -> bool {
        self.opening < self.shards && self.opened.is_empty()
    }

    /// Whether a leaf of an opened shard, or of a row, may be begun.
    pub(super) fn has_opened(&self) -> bool {
        !self.opened.is_empty() && self.has_room()
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
        let (opening, waiting) = item.counts();
        self.opening += opening;
        self.waiting += waiting;
        self.items.insert(number.into(), item);
    }

    /// Removes the item of an event; `None` if it is finished.
    pub(super) fn take(&mut self, number: u32) -> Option<Item> {
        let item = self.items.remove(number.into())?;
        let (opening, waiting) = item.counts();
        self.opening -= opening;
        self.waiting -= waiting;
        Some(item)
    }
}

impl Item {
    /// Number of shards that it opens, and of chunks that it waits for.
    fn counts(&self) -> (u64, u64) {
        match self.wait {
            Wait::One(LeafTarget::Index | LeafTarget::Whole(_), _) => (1, 0),
            Wait::One(LeafTarget::Chunk, _) | Wait::Row(_) => (0, self.leaf.task.chunks as u64),
        }
    }
}
