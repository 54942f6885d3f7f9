//! Assembly of a result: in strips, or by direct copies.

pub(crate) mod copy_plan;
pub(crate) mod output;
pub(crate) mod strips;
