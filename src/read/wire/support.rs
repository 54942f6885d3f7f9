//! Arrays whose chunks another build decodes, as this one lacks codecs: what that build is asked when one is opened.
//!
//! Invariant: opening fails with the error that the other build alone would have failed with.

use super::answers::answers;
use super::job::Decoder;
use crate::error::{Error, Packer, Result, Unpacker};
use crate::read::array::{Array, pipeline_shapes};

impl Array {
    /// Whether another build is to decode chunks.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.pipeline.is_elsewhere()
    }

    /// Question to the other build: the codecs, and shapes of chunks for which they must have a place.
    #[must_use]
    pub fn question(&self) -> Vec<u8> {
        let shapes: Vec<Vec<u64>> = pipeline_shapes(&self.metadata.chunk_grid).collect();
        let mut parts = Packer::default();
        parts.bytes(&self.description()).number(shapes.len() as u64);
        shapes.iter().for_each(|shape| {
            parts.numbers(shape.iter().copied());
        });
        parts.finish()
    }
}

/// This build's answer to an array's question: answers to no job, or one error.
#[must_use]
pub fn verdict(question: &[u8]) -> Vec<u8> {
    answers(&looked_at(question).err().map(Err).into_iter().collect::<Vec<_>>())
}

fn looked_at(question: &[u8]) -> Result<()> {
    let mut parts = Unpacker::new(question);
    let unreadable = || Error::metadata("", "these bytes are no question about the codecs of an array");
    let decoder = Decoder::new(parts.bytes().ok_or_else(unreadable)?)?;
    for _ in 0..parts.length().ok_or_else(unreadable)? {
        decoder.check(&parts.numbers().ok_or_else(unreadable)?)?;
    }
    Ok(())
}
