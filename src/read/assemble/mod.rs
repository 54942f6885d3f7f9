//! The result as it is put together: by strips, or copied in place.

pub(crate) mod bands;
pub(crate) mod output;
pub(crate) mod scatter;
