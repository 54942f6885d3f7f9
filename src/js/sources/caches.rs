//! The caches that the arrays of one source share: chunks, and the indexes of shards.
//!
//! Invariants: each cache stays below its one limit, however many arrays there are; what an array kept goes with it. Chunks
//! lie in JavaScript's memory, which is given back, as WebAssembly's never is.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Uint8Array;

use crate::codec::ShardIndex;
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::read::{Ghosts, Lru};

/// Bytes of shard indexes that one source keeps: an index is 16 bytes a chunk, so this is a million inner chunks.
const INDEX_BYTES: usize = 16 << 20;

/// A cached value: a chunk, or the index of a shard.
#[derive(Clone)]
pub(crate) enum Cached {
    Missing,
    /// Its bytes as they are stored, and how many they were: who gave them can take them away.
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

/// A cache that several arrays share, as one of them sees it.
pub(crate) struct Cache {
    shared: Rc<RefCell<Lru<Cached>>>,
    owner: u64,
}

impl Cache {
    pub(crate) fn limit(&self) -> usize {
        self.shared.borrow().limit()
    }

    /// Whether nothing is kept, of any array.
    pub(crate) fn is_empty(&self) -> bool {
        self.shared.borrow().used() == 0
    }

    pub(crate) fn get(&self, key: &[u64]) -> Option<Cached> {
        self.shared.borrow_mut().get(&self.owned(key))
    }

    pub(crate) fn keep(&self, key: &[u64], value: Cached) {
        let size = value.size();
        self.shared.borrow_mut().put(&self.owned(key), value, size);
    }

    /// Drops an entry that was found to be out of date.
    pub(crate) fn remove(&self, key: &[u64]) {
        self.shared.borrow_mut().remove(&self.owned(key));
    }

    /// The key with the array's own number before it.
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
    /// First uses of chunks whose stored bytes are not kept, as they are in memory anyway.
    pub(crate) ghosts: Rc<RefCell<Ghosts>>,
    owners: Rc<Cell<u64>>,
}

impl Caches {
    /// Empty caches, of at most `chunk_bytes` of chunks.
    pub(crate) fn new(chunk_bytes: usize) -> Self {
        Self {
            chunks: lru(chunk_bytes),
            indexes: lru(INDEX_BYTES),
            ghosts: Rc::default(),
            owners: Rc::default(),
        }
    }

    /// Caches with the same indexes, and room of their own for chunks.
    pub(crate) fn apart(&self, chunk_bytes: usize) -> Self {
        Self { chunks: lru(chunk_bytes), ..self.clone() }
    }

    /// A view of both caches, for an array of its own.
    pub(crate) fn for_array(&self) -> (Cache, Cache) {
        let owner = self.owners.get() + 1;
        self.owners.set(owner);
        (Cache { shared: Rc::clone(&self.chunks), owner }, Cache { shared: Rc::clone(&self.indexes), owner })
    }
}

fn lru(bytes: usize) -> Rc<RefCell<Lru<Cached>>> {
    Rc::new(RefCell::new(Lru::new(bytes)))
}
