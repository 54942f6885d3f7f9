//! JSON documents with pointers: reading them without rounding, and writing values as text.

pub(crate) mod bare_number;
pub(crate) mod document;
pub(crate) mod members;
pub(crate) mod text;
