//! Arrays laid end to end along an axis and read as one.

mod check;
pub(crate) mod end_to_end;
