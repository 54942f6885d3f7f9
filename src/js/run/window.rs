//! The window of a read: leaves on their way, by number, and the limit of their count.

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

/// The most shards whose inner chunks are listed at once, and the most inner chunks that are.
const SHARDS: u64 = 64;
const LISTED_CHUNKS: u64 = 1 << 16;

/// The most chunks whose bytes are on their way at once, or there and not taken yet, and the most bytes of such chunks,
/// decoded. The scheduler bounds the requests in flight; of what waits for it near ranges are joined.
const CHUNKS: u64 = 512;
const CHUNK_BYTES: u64 = 256 << 20;

/// A chunk, or a piece of one, or a shard that is to be opened.
pub(super) struct Leaf {
    pub(super) task: Task,
    /// All of its shard, where the store gave all of it.
    pub(super) whole: Option<Answered>,
    /// How many chunks of the plan it finishes: none of all pieces of a chunk but the last.
    pub(super) chunks: u64,
}

/// The bytes that a leaf needs next.
pub(super) enum LeafTarget {
    /// The index of its shard.
    Index,
    /// All of its shard, whose index is known.
    Whole(Rc<Option<ShardIndex>>),
    /// Its chunk.
    Chunk,
}

/// Request that a leaf waits for.
pub(super) enum Wait {
    One(LeafTarget, Rc<InFlight>),
    /// The chunks of its row.
    Row(Rc<RowFlight>),
}

/// A leaf that waits.
pub(super) struct Item {
    pub(super) leaf: Leaf,
    pub(super) wait: Wait,
}

/// Data that arrived for a leaf.
pub(super) enum Ready {
    Missing,
    /// Its decoded chunk, which was kept.
    Chunk(Chunk),
    /// Its stored bytes; whether they were kept.
    Stored(Answered, bool),
    /// The bytes of its shard's index.
    Index(Option<Answered>),
    /// The chunks of a row, from this value on.
    Row(Rc<Values>, usize),
}

/// The part of a read that is on its way.
pub(super) struct Window {
    /// Leaves of opened shards, which are begun first.
    pub(super) opened: VecDeque<Leaf>,
    pub(super) ready: VecDeque<(Leaf, Ready)>,
    items: NumberedList<Item>,
    /// Shards among them that are opened, and chunks that they stand for.
    opening: u64,
    waiting: u64,
    numbers: u32,
    pub(super) mailbox: Rc<Mailbox>,
    chunks: u64,
    shards: u64,
}

impl Window {
    /// The window of a read; `listed` is the number of inner chunks that its first shard is opened into.
    pub(super) fn new(sources: &ArraySources, plan: &Plan<'_>) -> Self {
        let listed = plan.chunks() / plan.stored_chunks().max(1);
        Self {
            opened: VecDeque::new(),
            ready: VecDeque::new(),
            items: NumberedList::default(),
            opening: 0,
            waiting: 0,
            numbers: 0,
            mailbox: Rc::default(),
            // Four at least, that the network is not idle while one decodes.
            chunks: (CHUNK_BYTES / sources.array.largest_chunk().max(1)).clamp(4, CHUNKS),
            shards: (LISTED_CHUNKS / listed.max(1)).clamp(1, SHARDS),
        }
    }

    /// Whether another leaf may be begun.
    pub(super) fn has_room(&self) -> bool {
        self.waiting + (self.ready.len() as u64) < self.chunks
    }

    /// Whether another task of the plan may be begun, which may be a shard.
    pub(super) fn may_open(&self) -> bool {
        self.opening < self.shards && self.opened.is_empty()
    }

    /// Whether a leaf of an opened shard, or of a row, may be begun.
    pub(super) fn has_opened(&self) -> bool {
        !self.opened.is_empty() && self.has_room()
    }

    /// Whether nothing is on its way.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.ready.is_empty() && self.opened.is_empty()
    }

    /// An address for the next item.
    pub(super) fn address(&mut self) -> EventAddress {
        self.numbers = self.numbers.wrapping_add(1);
        EventAddress { mailbox: Rc::clone(&self.mailbox), number: self.numbers }
    }

    /// An address for the next item, a row of so many chunks; their numbers follow that of the row.
    pub(super) fn row_address(&mut self, chunks: usize) -> EventAddress {
        let address = self.address();
        self.numbers = self.numbers.wrapping_add(chunks as u32);
        address
    }

    /// Notes an item that waits, by its address.
    pub(super) fn wait(&mut self, number: u32, item: Item) {
        let (opening, waiting) = item.counts();
        self.opening += opening;
        self.waiting += waiting;
        self.items.insert(number.into(), item);
    }

    /// Takes out the item that an event is for; nothing where it is done.
    pub(super) fn take(&mut self, number: u32) -> Option<Item> {
        let item = self.items.remove(number.into())?;
        let (opening, waiting) = item.counts();
        self.opening -= opening;
        self.waiting -= waiting;
        Some(item)
    }
}

impl Item {
    /// The shards that it opens, and the chunks that it waits for.
    fn counts(&self) -> (u64, u64) {
        match self.wait {
            Wait::One(LeafTarget::Index | LeafTarget::Whole(_), _) => (1, 0),
            Wait::One(LeafTarget::Chunk, _) | Wait::Row(_) => (0, self.leaf.task.chunks as u64),
        }
    }
}
