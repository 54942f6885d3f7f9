//! Asking again: how often, and after how long, when a host fails in a way that may pass.

use js_sys::Date;
use web_sys::Response;

use super::answer::header;
use crate::source::http::{RetryAfter, requested_delay};

/// When an answer's request is worth repeating, if it is.
pub(super) fn retry_after(response: &Response) -> Option<RetryAfter> {
    let delay = header(response, "Retry-After")
        .map_or(0.0, |header| requested_delay(&header, |date| Date::parse(date) - Date::now()));
    RetryAfter::of_status(response.status(), delay)
}
