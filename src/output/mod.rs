//! Decoded items: how they lie in a chunk, what is made of them, and how they are put together.
//!
//! A room before `codec`, as codecs give decoded chunks, and a shard that is decoded whole is put together from its own.

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
pub use self::cast::Cast;
pub use self::decoded::Decoded;
pub(crate) use self::decoded::c_strides;
pub use self::output_field::OutputField;
pub use self::scalar::Scalar;
pub use rectilinear_zarr_kernels::numeric::Numeric;
