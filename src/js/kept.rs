//! What the arrays of one source keep between reads: decoded chunks, and the indexes of shards.
//!
//! Invariant: each kind stays below its one limit, however many arrays there are; what an array kept goes with it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Uint8Array;

use super::content::Content;
use crate::codec::ShardIndex;
use crate::read::Recent;

/// Bytes of shard indexes that one source keeps: an index is 16 bytes a chunk, so this is a million inner chunks.
const INDEX_BYTES: usize = 16 << 20;

/// Things that several arrays keep.
pub(super) type Shelf<T> = Rc<RefCell<Recent<T>>>;

/// The shelves of one source.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) chunks: Shelf<Option<Content>>,
    /// Chunks as they are stored, of which parts were decoded.
    pub(super) encoded: Shelf<Option<Uint8Array>>,
    pub(super) indexes: Shelf<Option<ShardIndex>>,
    owners: Rc<Cell<u64>>,
}

impl Kept {
    /// Room for so many bytes of chunks, and as many of encoded ones.
    pub(super) fn new(chunk_bytes: usize) -> Self {
        let (chunks, encoded) = (shelf(chunk_bytes), shelf(chunk_bytes));
        Self { chunks, encoded, indexes: shelf(INDEX_BYTES), owners: Rc::default() }
    }

    /// The same with room of its own for chunks.
    pub(super) fn apart(&self, chunk_bytes: usize) -> Self {
        Self { chunks: shelf(chunk_bytes), encoded: shelf(chunk_bytes), ..self.clone() }
    }

    /// A number that tells what one array keeps from what others do.
    pub(super) fn owner(&self) -> u64 {
        self.owners.set(self.owners.get() + 1);
        self.owners.get()
    }
}

/// A shelf for so many bytes.
pub(super) fn shelf<T>(bytes: usize) -> Shelf<T> {
    Rc::new(RefCell::new(Recent::new(bytes)))
}
