//! Where bytes are: from chunk coordinates to a key, and from a key to a place, which systems beside plain Zarr keep
//! lists of.
//!
//! Invariant: what a system knows ends here. To the right of this room there are keys, and places: nowhere, in the
//! list itself, or so many bytes of a file. A new system is one folder.

mod address;
mod byte_location;
#[cfg(feature = "systems")]
pub mod cfdb;
#[cfg(feature = "systems")]
mod consolidated;
mod content_range;
mod format;
#[cfg(feature = "systems")]
pub mod icechunk;
#[cfg(feature = "systems")]
pub mod kerchunk;
mod request;
mod resolution;
#[cfg(feature = "systems")]
mod virtual_store;
#[cfg(feature = "systems")]
mod virtual_stores;
mod zarr;

pub use self::byte_location::ByteLocation;
pub use self::resolution::{InputRequest, MAX_TOLD_BYTES, Resolution, no_answer};
#[cfg(feature = "systems")]
pub use self::virtual_store::VirtualStore;
#[cfg(feature = "systems")]
pub use self::virtual_stores::system;
pub use address::{scheme, web_address};
pub use content_range::{ContentRange, Served};
pub use format::{Format, MARKS};
pub use request::{ByteRange, ChunkLocation, Request};
pub use zarr::{ZarrKeys, is_document, join, metadata_key, normalise_path, path_above, path_from};
