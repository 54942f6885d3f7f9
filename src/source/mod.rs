//! Where bytes are: from chunk coordinates to a key, and from a key to a place, which systems beside plain Zarr keep
//! lists of.
//!
//! Invariant: what a system knows ends here. To the right of this room there are keys, and places: nowhere, in the
//! list itself, or so many bytes of a file. A new system is one folder.

mod address;
#[cfg(feature = "systems")]
pub mod cfdb;
#[cfg(feature = "systems")]
mod consolidated;
mod content_range;
mod document_search;
mod finding;
mod format;
mod found_documents;
pub mod http;
#[cfg(feature = "systems")]
pub mod icechunk;
#[cfg(feature = "systems")]
pub mod kerchunk;
mod place;
mod request;
#[cfg(feature = "systems")]
mod system;
#[cfg(feature = "systems")]
mod systems;
mod zarr;

pub use address::{scheme, web_address};
pub use content_range::{ContentRange, Served};
pub use document_search::{DocumentSearch, NodeKind, SearchStep};
pub use finding::{Finding, MAX_TOLD_BYTES, Need, no_answer};
pub use format::{Format, MARKS};
pub use found_documents::FoundDocuments;
pub use place::Place;
pub use request::{ByteRange, Location, Request};
#[cfg(feature = "systems")]
pub use system::System;
#[cfg(feature = "systems")]
pub use systems::system;
pub use zarr::{ZarrKeys, is_document, join, metadata_key, normalise_path, path_above, path_from};
