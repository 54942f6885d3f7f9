//! The caches that the arrays of one source share: chunks, and the indexes of shards.
//!
//! Invariants: each cache has one limit for all arrays; the entries of an array are dropped with it. Cached chunks
//! lie in JavaScript's memory, because WebAssembly's memory never shrinks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Uint8Array;

use crate::codec::ShardIndex;
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::read::{FirstUses, Lru};

/// Most bytes of shard indexes that one source caches: at 16 bytes a chunk, those of a million inner chunks.
const INDEX_BYTES: usize = 16 << 20;

/// A cached value: a chunk, or the index of a shard.
#[derive(Clone)]
pub(crate) enum Cached {
    Missing,
    /// Stored bytes, and their length when they were cached: their owner can detach the buffer.
    Stored(Uint8Array, u32),
    Decoded(Chunk),
    Index(Rc<Option<ShardIndex>>),
}

impl Cached {
    fn size(&self) -> usize {
        match self {
            Self::Missing => 0,
            Self::Stored(_, length) => *length as usize,
            Self::Decoded(chunk) => chunk.as_ref().as_ref().map_or(0, DecodedChunk::size),
            Self::Index(index) => index.as_ref().as_ref().map_or(0, ShardIndex::size),
        }
    }
}

/// One array's view of a cache that several arrays share.
pub(crate) struct Cache {
    shared: Rc<RefCell<Lru<Cached>>>,
    owner: u64,
}

impl Cache {
    pub(crate) fn limit(&self) -> usize {
        self.shared.borrow().limit()
    }

    /// Whether the cache holds nothing of any array.
    pub(crate) fn is_empty(&self) -> bool {
        self.shared.borrow().used() == 0
    }

    pub(crate) fn get(&self, key: &[u64]) -> Option<Cached> {
        self.shared.borrow_mut().get(&self.owned(key))
    }

    pub(crate) fn put(&self, key: &[u64], value: Cached) {
        let size = value.size();
        self.shared.borrow_mut().put(&self.owned(key), value, size);
    }

    /// Drops an entry that was found to be out of date.
    pub(crate) fn remove(&self, key: &[u64]) {
        self.shared.borrow_mut().remove(&self.owned(key));
    }

    /// The key after the array's own number.
    pub(crate) fn owned(&self, key: &[u64]) -> Vec<u64> {
        [&[self.owner], key].concat()
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.shared.borrow_mut().remove_where(|key| key.first() == Some(&self.owner));
    }
}

/// The caches of one source.
#[derive(Clone)]
pub(crate) struct Caches {
    chunks: Rc<RefCell<Lru<Cached>>>,
    indexes: Rc<RefCell<Lru<Cached>>>,
    /// First uses of chunks of stores in memory, whose stored bytes are not cached.
    pub(crate) first_uses: Rc<RefCell<FirstUses>>,
    owners: Rc<Cell<u64>>,
}

impl Caches {
    /// Empty caches, of at most `chunk_bytes` of chunks.
    pub(crate) fn new(chunk_bytes: usize) -> Self {
        Self {
            chunks: lru(chunk_bytes),
            indexes: lru(INDEX_BYTES),
            first_uses: Rc::default(),
            owners: Rc::default(),
        }
    }

    /// Caches that share the indexes of these, with a cache of their own for chunks.
    pub(crate) fn apart(&self, chunk_bytes: usize) -> Self {
        Self { chunks: lru(chunk_bytes), ..self.clone() }
    }

    /// Views of the chunk cache and of the index cache for a new array.
    pub(crate) fn for_array(&self) -> (Cache, Cache) {
        let owner = self.owners.get() + 1;
        self.owners.set(owner);
        (Cache { shared: Rc::clone(&self.chunks), owner }, Cache { shared: Rc::clone(&self.indexes), owner })
    }
}

fn lru(bytes: usize) -> Rc<RefCell<Lru<Cached>>> {
    Rc::new(RefCell::new(Lru::new(bytes)))
}
