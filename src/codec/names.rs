//! The registered names of the codecs in this build.

#[cfg(feature = "rare")]
use super::array_to_array::filters;
use super::{array_to_array, array_to_bytes, bytes_to_bytes};

/// The registered names of the codecs in this build.
#[must_use]
pub fn names() -> Vec<&'static str> {
    names_by_kind().map(|(_, names)| names).concat()
}

/// The registered names by kind of codec, in the order of a pipeline.
#[must_use]
pub fn names_by_kind() -> [(&'static str, Vec<&'static str>); 3] {
    [
        ("arrays to arrays", of_arrays()),
        ("arrays to bytes", array_to_bytes::names()),
        ("bytes to bytes", bytes_to_bytes::names()),
    ]
}

fn of_arrays() -> Vec<&'static str> {
    #[cfg(feature = "rare")]
    return [filters::NAMES, array_to_array::NAMES].concat();
    #[cfg(not(feature = "rare"))]
    array_to_array::NAMES.to_vec()
}
