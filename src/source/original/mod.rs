//! Original files: one file, of a format that is older than Zarr, shown as a group. What the formats share: the bytes that
//! were read of the file, the store around them, and the documents of Zarr that are written for what is found.

mod contiguous;
mod node;
mod pages;
mod single_file;

pub(crate) use contiguous::Contiguous;
pub(crate) use node::{
    ArrayNode, AxisChunks, big_endian, extension, float_value, number_value, root_document, split_key,
};
pub(crate) use pages::{FilePages, Found, Lack};
pub(crate) use single_file::{OriginalFile, SingleFile};
