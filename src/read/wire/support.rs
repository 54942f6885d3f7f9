//! Support query: asks another build of the module whether it supports the codecs of an array that this build lacks.
//!
//! Invariant: opening fails with the error that the other build alone would give.

use super::answers::answers;
use super::job::Decoder;
use crate::error::{Error, Packer, Result, Unpacker};
use crate::read::array::{Array, pipeline_shapes};

impl Array {
    /// Whether chunks are decoded by another build, because this one lacks a codec.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.pipeline.is_external()
    }

    /// Packs the query to the other build: the codecs, and chunk shapes that they must accept.
    #[must_use]
    pub fn support_query(&self) -> Vec<u8> {
        let shapes: Vec<Vec<u64>> = pipeline_shapes(&self.metadata.chunk_grid).collect();
        let mut parts = Packer::default();
        parts.bytes(&self.description()).number(shapes.len() as u64);
        shapes.iter().for_each(|shape| {
            parts.numbers(shape.iter().copied());
        });
        parts.finish()
    }
}

/// Answers a support query: no answers where the codecs are supported, else one error.
#[must_use]
pub fn support_reply(query: &[u8]) -> Vec<u8> {
    answers(&checked(query).err().map(Err).into_iter().collect::<Vec<_>>())
}

fn checked(query: &[u8]) -> Result<()> {
    let mut parts = Unpacker::new(query);
    let unreadable = || Error::metadata("", "expected a packed query about codecs");
    let decoder = Decoder::new(parts.bytes().ok_or_else(unreadable)?)?;
    for _ in 0..parts.length().ok_or_else(unreadable)? {
        decoder.check(&parts.numbers().ok_or_else(unreadable)?)?;
    }
    Ok(())
}
