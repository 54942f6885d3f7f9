//! JSON only: the metadata documents of arrays and groups, parsed and checked; every error has a JSON pointer.
//!
//! Only this room distinguishes Zarr v2 from v3: v2 documents are read into the same [`ArrayMetadata`], in v3's terms.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#metadata>

mod array;
mod cf;
mod chunks;
mod codecs;
mod custom_codec;
mod extension;
mod hierarchy;
pub(crate) mod json;
mod proposal;
mod types;
mod v2;

pub use self::cf::calendar::Calendar;
pub use self::cf::cf_time::CfTime;
pub use self::cf::time_encoding::{BoundsOf, TimeEncoding};
#[cfg(feature = "systems")]
pub(crate) use self::chunks::chunk_grid::ALIGNED;
pub use self::chunks::chunk_grid::CHUNK_GRIDS;
pub use self::chunks::chunk_keys::{ChunkKeyEncoding, ChunkKeys};
pub use self::hierarchy::consolidated::{Consolidated, PATH_V2, PATH_V3};
pub use self::hierarchy::group::GroupMetadata;
pub use self::hierarchy::node::{Node, group_hint, listed};
pub use self::hierarchy::tree::{ArraySummary, Entry};
pub use self::json::bare_number::{bare_number, quote_bare_numbers};
pub use self::json::document::{Json, MAX_METADATA_BYTES, looks_like_html};
pub use self::json::members::{is_json, member, member_value, members};
pub use self::json::number::json_number::JsonNumber;
pub use self::json::number::text::{float_text, integer_text};
pub use self::json::parser::SyntaxError;
pub use self::json::scanned::{MAX_MEMBERS, STEP_BYTES, ScannedJson, parse_part};
pub use self::json::value::{Map, Value};
pub use self::types::data_type::{DataType, Field, Kind, MAX_ITEM_BYTES, REFERENCE_BYTES};
pub use self::types::fill_value::parse as parse_fill_value;
pub use self::types::mini_float::MiniFloat;
pub use self::types::numbers::Number;
pub use self::types::numpy::{numpy_item, numpy_number, ragged_part};
pub use array::ArrayMetadata;
#[cfg(feature = "files")]
pub(crate) use array::LONGER;
pub(crate) use array::LONGEST;
#[cfg(any(feature = "files", feature = "hdf5", feature = "reader"))]
pub(crate) use array::SINGLES;
#[cfg(feature = "indexes")]
pub(crate) use array::UNREADABLE;
pub use codecs::CodecEntry;
pub(crate) use codecs::{array_to_array_codecs, array_to_bytes_codecs, bytes_to_bytes_codecs, codec_kind};
pub use custom_codec::{CodecKind, CustomCodec};
pub use extension::Extension;
pub use proposal::{Proposal, Proposed};
