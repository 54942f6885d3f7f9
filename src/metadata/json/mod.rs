//! JSON values for metadata: read with every digit of their numbers, and written.
//!
//! Written here because `serde_json`, with its tables of powers and its hash maps, is 19 kB of the download, where this
//! is 5; tests compare it with `serde_json`. Integers beyond 2^53, which JavaScript's `JSON.parse` rounds, are exact.
//! Spec: <https://www.rfc-editor.org/rfc/rfc8259>

pub(crate) mod bare_number;
mod conversions;
pub(crate) mod document;
mod map;
pub(crate) mod members;
pub(crate) mod number;
mod other_content;
pub(crate) mod parser;
mod scan;
pub(crate) mod scanned;
#[cfg(feature = "systems")]
mod serde;
mod text;
pub(crate) mod value;

#[cfg(test)]
mod tests;
