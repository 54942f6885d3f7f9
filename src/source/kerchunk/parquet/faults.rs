//! Errors of damaged files, and of features that are not read.

use crate::error::Error;

/// Error for a file that is no valid Parquet.
pub(super) fn damaged(reason: impl Into<String>) -> Error {
    Error::metadata("", format!("damaged Parquet: {}", reason.into()))
}

/// Error for bytes that end too early.
pub(super) fn cut_short() -> Error {
    damaged("it ends too early")
}

/// Error for a feature of Parquet that tables of references do not have.
pub(super) fn unsupported(feature: String) -> Error {
    let reason =
        "references in Parquet are read with plain and dictionary encodings, and with zstd, snappy or no \
                  compression, as fsspec and VirtualiZarr write them"
            .to_owned();
    Error::Unsupported { feature, reason }
}
