//! JSON only: what the metadata documents of arrays and groups say, checked, with every complaint at its JSON pointer.
//!
//! Zarr v2 is told apart here and nowhere else: what it says is read into the same [`ArrayMetadata`], in v3's words.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#metadata>

mod array;
mod bare_number;
mod calendar;
mod chunk_axis;
mod chunk_grid;
mod chunk_key_encoding;
mod consolidated;
mod data_type;
mod described;
mod document;
mod extension;
mod fill_value;
mod group;
mod json;
mod members;
mod mini_float;
mod moment;
mod node;
mod numpy;
mod proposal;
mod sameness;
mod structure;
mod text;
mod time;
mod times;
mod tree;
mod v2;

pub use array::ArrayMetadata;
pub use bare_number::{bare_number, quote_bare_numbers};
pub use calendar::Calendar;
#[cfg(feature = "systems")]
pub(crate) use chunk_grid::ALIGNED;
pub use chunk_grid::CHUNK_GRIDS;
pub use chunk_key_encoding::ChunkKeyEncoding;
pub use consolidated::Consolidated;
pub use data_type::{DataType, Kind, MAX_ITEM_BYTES, Number, REFERENCE_BYTES};
pub use document::{Json, MAX_METADATA_BYTES, looks_like_html};
pub use extension::Extension;
pub use fill_value::parse as parse_fill_value;
pub use group::GroupMetadata;
pub use json::{JsonNumber, Map, SyntaxError, Value};
pub use members::{is_json, member, member_value, members};
pub use mini_float::MiniFloat;
pub use moment::Moment;
pub use node::{Node, group_hint, listed};
pub use numpy::{numpy_number, ragged_part};
pub use proposal::{Proposal, Proposed};
pub use structure::Field;
pub use text::{float_text, integer_text};
pub use times::{BoundsOf, Times};
pub use tree::{Entry, Outline};
