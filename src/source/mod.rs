//! Where bytes are: from chunk coordinates to a key, and from a key to a place, which systems beside plain Zarr keep
//! lists of.
//!
//! Invariant: what a system knows ends here. To the right of this room there are keys, and places: nowhere, in the
//! list itself, or so many bytes of a file. A new system is one folder.

mod address;
pub mod kerchunk;
mod place;
mod request;
mod zarr;

pub use address::web_address;
pub use place::Place;
pub use request::{ByteRange, Location, Request};
pub use zarr::{ZarrKeys, is_document, join, metadata_key, normalise_path, path_from};
