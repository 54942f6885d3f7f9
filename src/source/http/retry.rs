//! Retries: whether a request is sent again, and after how many milliseconds.
//!
//! Invariant: permanent answers (a refusal, a missing value, an abort) are never retried; a host's `Retry-After` is
//! respected.

/// Milliseconds before the first retry; each further one waits twice as long, plus or minus a half.
const FIRST_WAIT: f64 = 200.0;

/// Longest wait without a `Retry-After`, in milliseconds, before the random factor.
const LONGEST_WAIT: f64 = 10_000.0;

/// Longest `Retry-After` that is respected: a minute. A host that asks for more gets no retry.
const LONGEST_HEEDED: f64 = 60_000.0;

/// A retry after at least this many milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryAfter(f64);

impl RetryAfter {
    /// Retry after a network fault.
    pub const SOON: Self = Self(0.0);

    /// Retry after an HTTP status, with the delay that the host asks for; `None` where the status is permanent.
    #[must_use]
    pub fn of_status(status: u16, delay: f64) -> Option<Self> {
        let may_pass = status == 429 || (500..=599).contains(&status);
        (may_pass && delay <= LONGEST_HEEDED).then_some(Self(delay))
    }

    /// Milliseconds before retry number `repetition`, from 0; `chance` is a random number from 0 to 1, so that pages
    /// that failed together do not retry together.
    #[must_use]
    pub fn wait(self, repetition: u32, chance: f64) -> f64 {
        let doubled = FIRST_WAIT * f64::from(1_u32 << repetition.min(16));
        (doubled.min(LONGEST_WAIT) * (0.5 + chance)).max(self.0)
    }
}

/// Milliseconds that a `Retry-After` header asks for, in seconds or as a date; 0 where it is neither. `until` gives the
/// milliseconds until an HTTP date, NaN for any other text.
pub fn requested_delay(header: &str, until: impl FnOnce(&str) -> f64) -> f64 {
    let delay = match header.trim().parse::<u32>() {
        Ok(seconds) => f64::from(seconds) * 1000.0,
        Err(_) => until(header),
    };
    if delay.is_finite() { delay.max(0.0) } else { 0.0 }
}
