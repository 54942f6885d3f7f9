//! Batches of values that are requested in one call from a store that answers synchronously.

use std::rc::Rc;

use super::window::Leaf;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::stores::stored_bytes::ValueRequests;
use crate::network::Request;

/// Most values of a batch, and most decoded bytes of them, so that they stay in the processor's caches.
const BATCH_VALUES: usize = 256;
const BATCH_BYTES: u64 = 4 << 20;

/// Leaves of one batch, and the requests for their values.
#[derive(Default)]
pub(super) struct DirectBatch {
    pub(super) driver: Option<Rc<StoreDriver>>,
    pub(super) leaves: Vec<(Leaf, Option<Request>)>,
    pub(super) asking: ValueRequests,
    /// Number of the flight of a late value; 0 until it is reserved.
    pub(super) flight: u64,
    pub(super) values: usize,
    pub(super) bytes: u64,
}

impl DirectBatch {
    /// Whether the batch must be requested before more leaves are added.
    pub(super) fn is_full(&self) -> bool {
        self.values >= BATCH_VALUES || self.bytes >= BATCH_BYTES
    }

    pub(super) fn is_of(&self, driver: &Rc<StoreDriver>) -> bool {
        self.driver.as_ref().is_none_or(|own| Rc::ptr_eq(own, driver))
    }
}
