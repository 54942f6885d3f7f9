//! Values that a store was asked for: as they came, and those that are late.

use std::rc::Rc;

use super::readable_source::{Batch, ValueState};
use crate::source::Request;

/// A value that a store was asked for; dropping it tells the store that nobody waits for it any more.
pub(crate) struct SentValue {
    pub(crate) batch: Rc<Batch>,
    pub(crate) nth: usize,
    pub(crate) request: Request,
    pub(crate) started: f64,
    pub(crate) is_done: bool,
}

impl Drop for SentValue {
    fn drop(&mut self) {
        if !self.is_done {
            self.batch.abort(self.nth);
        }
    }
}

/// Values that were asked for at once: as many as the store answered, or began to.
pub(crate) struct Values {
    pub(crate) batch: Rc<Batch>,
    pub(crate) states: Vec<i32>,
    pub(crate) started: f64,
    /// When those that came at once were there.
    pub(crate) ended: f64,
}

impl Values {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len() / 2
    }

    /// State of a value.
    pub(crate) fn state(&self, nth: usize) -> ValueState {
        ValueState::of(self.states[2 * nth], self.states[2 * nth + 1])
    }

    /// Lengths of values from one on, as far as they are there, and their sum.
    pub(crate) fn lengths(&self, nth: usize, count: usize) -> impl Iterator<Item = u32> {
        let states = self.states[2 * nth..].iter().step_by(2).take(count);
        states.map_while(|&length| u32::try_from(length).ok())
    }
}
