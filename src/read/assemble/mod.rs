//! The result as it is put together: by strips, or copied in place.

pub(crate) mod copy_plan;
pub(crate) mod output;
pub(crate) mod strips;
