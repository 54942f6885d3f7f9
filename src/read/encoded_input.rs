//! Inputs of virtual stores that are chunks: they are decoded, as the chunks of arrays are, before they are provided.

use std::borrow::Cow;

use super::array::{Array, DEFAULT_MAX_CHUNK_BYTES};
use super::task::Task;
use crate::error::{Error, Result};
use crate::source::Encoding;

/// An input that is the only chunk of an array of bytes.
#[derive(Debug, Clone)]
pub struct EncodedInput {
    /// The array.
    pub array: Array,
    /// The task of its chunk.
    pub task: Task,
}

impl EncodedInput {
    /// Parses the document of an encoding.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a codec that no build has.
    pub fn new(encoding: &Encoding) -> Result<Self> {
        let array = Array::parse(encoding.document.as_bytes(), "chunk", DEFAULT_MAX_CHUNK_BYTES)?;
        let plan = array.plan(&[])?;
        let first = plan.tasks().next();
        let task = first.unwrap_or_else(|| Err(Error::metadata("/shape", "an array without chunks")))?;
        drop(plan);
        Ok(Self { array, task })
    }

    /// Decodes the chunk, where this build has its codecs.
    ///
    /// # Errors
    /// [`Error::Codec`] where the bytes are damaged.
    pub fn decode(&self, encoded: &[u8]) -> Result<Vec<u8>> {
        let decoded = self.array.decode(&self.task, Some(Cow::Borrowed(encoded)))?;
        Ok(decoded.map(|decoded| decoded.bytes.into_owned()).unwrap_or_default())
    }
}
