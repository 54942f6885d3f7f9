//! Concatenation of arrays along an axis.

mod check;
pub(crate) mod end_to_end;
