//! Leaves whose values are asked for together, of a store that answers at once.

use std::rc::Rc;

use super::window::Leaf;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::stores::readable_source::ValueRequests;
use crate::source::Request;

/// The most values that are asked for together, and the most bytes of theirs, decoded: what is at hand then stays in the caches.
const BATCH_VALUES: usize = 256;
const BATCH_BYTES: u64 = 4 << 20;

/// Leaves whose values are asked for together.
#[derive(Default)]
pub(super) struct DirectBatch {
    pub(super) driver: Option<Rc<StoreDriver>>,
    pub(super) leaves: Vec<(Leaf, Option<Request>)>,
    pub(super) asking: ValueRequests,
    /// The number of the flight of the value that is late, if one is; none yet where it is 0.
    pub(super) flight: u64,
    pub(super) values: usize,
    pub(super) bytes: u64,
}

impl DirectBatch {
    /// Whether they are to be asked for before others are added.
    pub(super) fn is_full(&self) -> bool {
        self.values >= BATCH_VALUES || self.bytes >= BATCH_BYTES
    }

    pub(super) fn is_of(&self, driver: &Rc<StoreDriver>) -> bool {
        self.driver.as_ref().is_none_or(|own| Rc::ptr_eq(own, driver))
    }
}
