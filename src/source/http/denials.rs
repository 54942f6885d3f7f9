//! Errors of a host: how it answers for values that are missing, as far as its answers have shown.

/// Habits of a host in its errors, as far as its answers have shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Denials {
    /// Whether an answer came without CORS headers.
    pub(super) is_bare: bool,
    /// Whether an answer was lost on its way and came after all.
    pub(super) is_flaky: bool,
    /// Whether 403 is the answer for a document that cannot exist.
    pub(super) forbids_missing: bool,
    /// Whether the answer for a document that cannot exist comes without CORS headers.
    pub(super) hides_missing: bool,
}
