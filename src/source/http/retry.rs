//! Retries: whether a request is sent again, and after how many milliseconds.
//!
//! Invariant: an answer that would come again (a refusal, a missing value, an abort) is never asked for again; the
//! `Retry-After` of a host is heeded.

/// Milliseconds before the first repetition; each further one waits twice as long, give or take a half.
const FIRST_WAIT: f64 = 200.0;

/// The longest wait of our own choice.
const LONGEST_WAIT: f64 = 10_000.0;

/// The longest wait that a host may ask for: a minute. A host that asks for more gets no second request.
const LONGEST_HEEDED: f64 = 60_000.0;

/// A request that is worth repeating, after so many milliseconds at the least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryAfter(f64);

impl RetryAfter {
    /// The repetition after a fault of the network.
    pub const SOON: Self = Self(0.0);

    /// The repetition after an answer of this status whose host asks for a delay; nothing where the status will not pass.
    #[must_use]
    pub fn of_status(status: u16, delay: f64) -> Option<Self> {
        let may_pass = status == 429 || (500..=599).contains(&status);
        (may_pass && delay <= LONGEST_HEEDED).then_some(Self(delay))
    }

    /// Milliseconds before the repetition of this number, from 0; `chance` is a random number from 0 to 1, so that
    /// pages that failed together do not come back together.
    #[must_use]
    pub fn wait(self, repetition: u32, chance: f64) -> f64 {
        let doubled = FIRST_WAIT * f64::from(1_u32 << repetition.min(16));
        (doubled.min(LONGEST_WAIT) * (0.5 + chance)).max(self.0)
    }
}

/// Milliseconds that a `Retry-After` header asks for: seconds, or a date; 0 where it is neither. `until` tells the
/// milliseconds until a date, NaN where a text is none.
pub fn requested_delay(header: &str, until: impl FnOnce(&str) -> f64) -> f64 {
    let delay = match header.trim().parse::<u32>() {
        Ok(seconds) => f64::from(seconds) * 1000.0,
        Err(_) => until(header),
    };
    if delay.is_finite() { delay.max(0.0) } else { 0.0 }
}
