//! Arrays laid end to end along an axis and read as one.

mod beside;
pub(crate) mod joined;
