//! JSON numbers: with all digits, as the nearest floats, and floats as their shortest text.

pub(crate) mod decimal;
pub(crate) mod json_number;
pub(crate) mod text;
