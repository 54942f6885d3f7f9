//! Context that a caller adds to an error: the chunk, and the name of the codec.

use super::Error;

impl Error {
    /// Adds the chunk to an [`Error::Codec`] or [`Error::Unsupported`]; other errors pass through.
    #[must_use]
    pub fn in_chunk(mut self, key: &str, coords: &[u64]) -> Self {
        match &mut self {
            Self::Codec(error) => {
                key.clone_into(&mut error.key);
                coords.clone_into(&mut error.coords);
            }
            Self::Unsupported { reason, .. } => *reason = format!("{reason} (in chunk {coords:?}, {key})"),
            _ => {}
        }
        self
    }

    /// Adds to an [`Error::Codec`] what its bytes are, where they are an HTML page; other errors pass through.
    #[must_use]
    pub(crate) fn of_page(mut self, is_page: bool) -> Self {
        if let Self::Codec(error) = &mut self
            && is_page
        {
            let hint = "its bytes are an HTML page: some hosts send one, with status 200, for files that do not exist";
            error.hint = hint.into();
        }
        self
    }

    /// Names the codec of an [`Error::Codec`]; other errors pass through.
    #[cfg(any(feature = "lzma", feature = "rare"))]
    #[must_use]
    pub(crate) fn of_codec(mut self, codec: &'static str) -> Self {
        if let Self::Codec(error) = &mut self {
            error.codec = codec.into();
        }
        self
    }
}
