//! Codecs: from the bytes of a stored chunk to the items of the decoded chunk. Nothing here fetches.
//!
//! Each registered codec has a file of its own name. The codecs are enums, whose variants Cargo features select.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod array_spec;
mod array_to_array;
mod array_to_bytes;
pub(crate) mod bytes_to_bytes;
mod chain;
#[cfg(feature = "rare")]
mod expanded;
mod external;
mod layout;
mod left_out;
mod names;
mod parse;
#[cfg(feature = "blosc")]
mod part;
mod pipeline;
mod rate;
mod resolve;
mod row;
mod size;

pub use self::array_to_bytes::shard_index::ShardIndex;
#[cfg(feature = "codec-module")]
pub use chain::CodecCall;
pub use chain::on_demand::{ON_DEMAND, OnDemand};
pub use chain::{Chain, Description, Following, PipelinePart};
pub use names::{names, names_by_kind};
pub use pipeline::{Pipeline, Sharding};
pub use rectilinear_zarr_kernels::numeric::Numeric;
