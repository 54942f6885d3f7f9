//! Values that were requested from a store together, with the state of each.

use std::cell::RefCell;
use std::rc::Rc;

use super::readable_source::{Batch, ValueState};
use crate::network::Request;

/// Values of a batch that belong to one flight.
pub(crate) struct SentValues {
    pub(crate) values: Rc<Values>,
    /// Number of the first value in the batch.
    pub(crate) nth: usize,
    /// The request, or the first request of a run.
    pub(crate) request: Request,
    pub(crate) is_run: bool,
}

/// Values that were requested together: those that came, and those that are late.
pub(crate) struct Values {
    pub(crate) batch: Rc<Batch>,
    states: RefCell<Vec<i32>>,
}

impl Values {
    pub(crate) fn new(batch: Rc<Batch>) -> Self {
        let states = RefCell::new(batch.states());
        Self { batch, states }
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.states.borrow().len() / 2
    }

    /// State of a value.
    pub(crate) fn state(&self, nth: usize) -> ValueState {
        let states = self.states.borrow();
        ValueState::of(states[2 * nth], states[2 * nth + 1])
    }

    /// Sets the state of a value that was late.
    pub(crate) fn note(&self, nth: usize, state: &[i32]) {
        self.states.borrow_mut()[2 * nth..2 * nth + 2].copy_from_slice(state);
    }

    /// Lengths in bytes of at most `count` values from `nth` on, up to the first that did not come and to `most` bytes
    /// together.
    pub(crate) fn lengths(&self, nth: usize, count: usize, most: usize) -> Vec<u32> {
        let states = self.states.borrow();
        let lengths = states[2 * nth..].iter().step_by(2).take(count);
        let mut total = 0;
        let fits = |length: &u32| {
            total += *length as usize;
            total <= most
        };
        lengths.map_while(|&length| u32::try_from(length).ok()).take_while(fits).collect()
    }
}
