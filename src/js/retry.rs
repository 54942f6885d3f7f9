//! Asking again: how often, and after how long, when a host fails in a way that may pass.
//!
//! Invariant: an answer that would be the same the next time (a refusal, something missing, an abort) is never
//! asked for again; what a host says about when to come back is heeded.

use js_sys::{Date, Math};

use super::timer::sleep;

/// Milliseconds before the first repetition; each further one waits twice as long, give or take a half.
const FIRST_WAIT: f64 = 200.0;

/// The longest wait of our own choice.
const LONGEST_WAIT: f64 = 10_000.0;

/// The longest wait that a host may ask for: a minute. One who asks for more gets no second request.
const LONGEST_HEEDED: f64 = 60_000.0;

/// When it may help to ask again: after so many milliseconds at the least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Again(f64);

impl Again {
    /// After a fault of the network.
    pub(super) const SOON: Self = Self(0.0);

    /// After an answer of this status, if it may pass, as its Retry-After header says.
    pub(super) fn after(status: u16, retry_after: Option<&str>) -> Option<Self> {
        if status != 429 && !(500..=599).contains(&status) {
            return None;
        }
        let asked = retry_after.map_or(0.0, milliseconds);
        (asked <= LONGEST_HEEDED).then_some(Self(asked))
    }

    /// Waits before the repetition of this number, from 0.
    pub(super) async fn wait(self, repetition: u32) {
        let doubled = FIRST_WAIT * 2_f64.powi(repetition.min(16).cast_signed());
        let own = doubled.min(LONGEST_WAIT) * (0.5 + Math::random());
        sleep(own.max(self.0)).await;
    }
}

/// A Retry-After header: seconds, or a date; 0 where it is neither.
fn milliseconds(header: &str) -> f64 {
    let asked = match header.trim().parse::<u32>() {
        Ok(seconds) => f64::from(seconds) * 1000.0,
        Err(_) => Date::parse(header) - Date::now(),
    };
    if asked.is_finite() { asked.max(0.0) } else { 0.0 }
}
