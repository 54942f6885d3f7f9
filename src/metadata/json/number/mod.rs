//! Numbers of JSON: with every digit, as the nearest floats, and floats in their fewest digits.

pub(crate) mod decimal;
pub(crate) mod json_number;
pub(crate) mod text;
