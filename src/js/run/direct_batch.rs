//! Leaves whose values are asked for together, of a store that answers at once.

use std::rc::Rc;

use super::window::Leaf;
use crate::js::fetch::source_driver::Engine;
use crate::js::stores::readable_source::Asking;
use crate::source::Request;

/// The most values that are asked for together, and the most bytes of theirs, decoded: what is at hand then stays in the caches.
const BATCH_VALUES: usize = 256;
const BATCH_BYTES: u64 = 4 << 20;

/// Leaves whose values are asked for together.
#[derive(Default)]
pub(super) struct DirectBatch {
    pub(super) engine: Option<Rc<Engine>>,
    pub(super) leaves: Vec<(Leaf, Option<Request>)>,
    pub(super) asking: Asking,
    pub(super) values: usize,
    pub(super) bytes: u64,
}

impl DirectBatch {
    /// Whether they are to be asked for before others are added.
    pub(super) fn is_full(&self) -> bool {
        self.values >= BATCH_VALUES || self.bytes >= BATCH_BYTES
    }

    pub(super) fn is_of(&self, engine: &Rc<Engine>) -> bool {
        self.engine.as_ref().is_none_or(|own| Rc::ptr_eq(own, engine))
    }
}
