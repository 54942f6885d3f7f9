//! Decoded items: their layout in a chunk, their casts, and their assembly into a result.
//!
//! This room comes before `codec`, because codecs return decoded chunks, and a shard that is decoded whole is assembled
//! from its inner chunks.

mod assembly;
mod cast;
mod decoded;
mod item_transform;
pub(crate) mod memory;
mod numeric;
mod output_field;
mod range_tracker;
mod references;
mod scalar;
mod walk;

pub use self::assembly::Assembly;
#[cfg(feature = "rare")]
pub(crate) use self::assembly::no_fill_value;
pub use self::cast::Cast;
pub use self::decoded::Decoded;
pub(crate) use self::decoded::c_strides;
pub use self::output_field::OutputField;
pub use self::scalar::Scalar;
pub use rectilinear_zarr_kernels::numeric::Numeric;
