//! Codecs: from the bytes of a stored chunk to the items of the decoded chunk. Nothing here fetches.
//!
//! Each codec has a file of its own, and a line in `src/metadata/codecs.rs` that makes it part of pipelines.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

#[cfg(feature = "rare")]
mod applied;
mod array_to_array;
mod array_to_bytes;
pub(crate) mod bytes_to_bytes;
mod elsewhere;
#[cfg_attr(not(feature = "rare"), allow(dead_code, reason = "codecs of other modules need the rest"))]
mod kinds;
mod pipeline;
#[cfg(feature = "rare")]
mod rewritten;
mod stages;

pub use self::array_to_bytes::shard_index::ShardIndex;
pub use pipeline::{Pipeline, Sharding};
pub use rectilinear_zarr_kernels::numeric::Numeric;
#[cfg(feature = "rare")]
pub(crate) use stages::Choice;
pub use stages::{
    Answer, AnswerKind, Description, Following, HEAD, PipelinePart, Stages, answers, unpack_answers,
};
#[cfg(feature = "codec-module")]
pub use stages::{codec_answer, codec_support};
