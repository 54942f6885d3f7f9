//! The context of one read, which travels with its requests: its place in the queue, and what it may leave in the cache.

use std::cell::RefCell;
use std::rc::Rc;

use crate::network::{Turn, Urgency};
use crate::read::Admission;

/// Queue position, urgency and cache admission of one read.
#[derive(Clone)]
pub(crate) struct ReadContext {
    pub(crate) turn: Rc<RefCell<Turn>>,
    pub(crate) urgency: Urgency,
    pub(crate) admission: Admission,
}

impl ReadContext {
    pub(crate) fn new(urgency: Urgency, admission: Admission) -> Self {
        Self { turn: Rc::default(), urgency, admission }
    }
}
