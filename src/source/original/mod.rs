//! Original files: one file, of a format that is older than Zarr, shown as a group. What the formats share: the bytes that
//! were read of the file, the store around them, and the documents of Zarr that are written for what is found.

#[cfg(feature = "files")]
mod contiguous;
mod group_document;
#[cfg(feature = "files")]
mod node;
mod pages;
#[cfg(feature = "files")]
mod single_file;
mod singles;
mod text;

#[cfg(feature = "files")]
pub(crate) use contiguous::Contiguous;
pub(crate) use group_document::{DocumentBytes, group_document, unreadable};
#[cfg(feature = "files")]
pub(crate) use node::{ArrayNode, AxisChunks, big_endian, extension, float_value, number_value, split_key};
pub(crate) use pages::{FilePages, Found, Lack};
#[cfg(feature = "files")]
pub(crate) use single_file::{OriginalFile, SingleFile};
pub(crate) use singles::{decides, singles_field};
pub(crate) use text::text_of;
