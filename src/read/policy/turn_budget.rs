//! Time budget of a turn of the event loop: how long a thread works before events, timers and frames get their turn.
//!
//! Invariant: all reads of a thread share one budget, because reads that are begun together run in one turn.

/// Milliseconds of work in one turn. With other work of the turn, it stays within 8 ms, half a frame at 60 Hz.
const WORK_MS: f64 = 4.0;

/// Time budget of the present turn.
#[derive(Debug, Default, Clone, Copy)]
pub struct TurnBudget {
    /// Time at which the work of this turn began, in milliseconds; `None` before any.
    began: Option<f64>,
}

impl TurnBudget {
    /// Begins the budget at the first work of a turn; returns whether it was not begun before.
    pub fn begin(&mut self, now: f64) -> bool {
        let is_first = self.began.is_none();
        self.began.get_or_insert(now);
        is_first
    }

    /// Whether the work must go on in the next turn.
    #[must_use]
    pub fn is_spent(&self, now: f64) -> bool {
        self.began.is_some_and(|began| now - began >= WORK_MS)
    }
}
