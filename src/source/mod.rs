//! Locations of bytes: from chunk coordinates to a store key, and from a key to a byte range in a virtual store.
//!
//! Invariant: formats of virtual stores are known in this module only. The modules after it see keys and
//! [`ByteLocation`]s. A new virtual store is one folder here.

#[cfg(any(feature = "files", feature = "systems"))]
mod cached_inputs;
#[cfg(feature = "systems")]
pub mod cfdb;
#[cfg(feature = "systems")]
mod consolidated;
mod document_search;
mod format;
#[cfg(feature = "hdf5")]
mod hdf5;
#[cfg(feature = "systems")]
pub mod icechunk;
#[cfg(feature = "systems")]
pub mod kerchunk;
#[cfg(feature = "indexes")]
mod located;
#[cfg(feature = "files")]
mod netcdf;
#[cfg(any(feature = "files", feature = "hdf5"))]
mod original;
mod paths;
mod resolution;
#[cfg(feature = "indexes")]
mod stores_by_format;
#[cfg(feature = "files")]
mod tiff;
#[cfg(feature = "indexes")]
mod virtual_store;

#[cfg(feature = "indexes")]
pub use self::located::answered;
pub use self::resolution::{ByteLocation, Encoding, InputRequest, MAX_TOLD_BYTES, Resolution, no_answer};
#[cfg(feature = "indexes")]
pub use self::stores_by_format::system;
#[cfg(feature = "indexes")]
pub use self::virtual_store::VirtualStore;
pub use document_search::{DocumentAnswer, DocumentSearch, FoundDocuments, NodeKind, SearchStep, path_in};
pub use format::{Format, MARKS};
pub use paths::{is_document, metadata_key, normalise_path, path_above, path_from};
