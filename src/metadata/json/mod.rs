//! JSON as far as metadata needs it: values in memory, read with every digit of their numbers, and written again.
//!
//! Our own, because `serde_json` is 19 kB of the download with its tables of powers and its hash maps, where this is 5; tests
//! hold it to `serde_json`. Integers beyond 2^53 are kept, which JavaScript's `JSON.parse` rounds.
//! Spec: <https://www.rfc-editor.org/rfc/rfc8259>

pub(crate) mod bare_number;
mod conversions;
pub(crate) mod document;
mod map;
pub(crate) mod members;
pub(crate) mod number;
pub(crate) mod parser;
#[cfg(feature = "systems")]
mod serde;
mod text;
pub(crate) mod value;

#[cfg(test)]
mod tests;
