//! Where decoded bytes go: the layout of items in a chunk, their casts, and their way into a result.
//!
//! Long rows are copied directly ([`DirectCopy`]); everything else is assembled ([`Assembly`]) in staging buffers
//! ([`Staging`]), or in a box for each chunk ([`OutputBox`]). The driver owns the result's memory.
//!
//! This room comes before `codec`, because codecs return decoded chunks, and a shard that is decoded whole is assembled
//! from its inner chunks.

mod assembly;
mod boxes;
mod cast;
mod decoded;
mod direct_copy;
mod layout;
pub(crate) mod memory;
mod packed;
mod scalar;
mod staging;

pub use self::assembly::Assembly;
#[cfg(feature = "rare")]
pub(crate) use self::assembly::no_fill_value;
pub use self::boxes::OutputBox;
pub use self::cast::Cast;
pub use self::decoded::Decoded;
pub(crate) use self::decoded::c_strides;
pub use self::direct_copy::{DirectCopy, LEAST_ROW, LEAST_ROW_APART, LEAST_ROW_UNSTAGED};
pub use self::layout::{ChunkPlace, ColumnCasts, OutputField, ResultLayout};
pub(crate) use self::packed::{pack_number, unpack_number};
pub use self::scalar::Scalar;
pub(crate) use self::staging::part;
pub use self::staging::{MAX_STAGED_BYTES, STAGING_BYTES, StagedResult, Staging, StagingBuffer};
pub use rectilinear_zarr_kernels::numeric::Numeric;
