//! `transpose`: axes in another order. Decoding permutes the strides and copies no items.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html>
//!
//! ```json
//! { "name": "transpose", "configuration": { "order": [2, 0, 1] } }
//! ```
//!
//! Older metadata have `"C"` for the unchanged order, and `"F"` for the reversed order of all axes.

use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput};
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;

/// The codec's configuration: axis `i` of the encoded chunk is axis `order[i]` of the decoded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transpose {
    order: Vec<usize>,
}

impl ArrayToArrayCodec for Transpose {
    const BYTE_ORDER: ByteOrderUse = ByteOrderUse::Keeps;

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        Ok((Self::of_rank(extension, input.rank)?, input.clone()))
    }

    fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        Ok(self.encode(shape))
    }

    fn decoded_strides(&self, encoded: &[usize]) -> Option<Vec<usize>> {
        Some(self.decoded(encoded))
    }

    fn decode<'a>(&self, chunk: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        Ok(Decoded { strides: self.decoded(&chunk.strides), ..chunk })
    }
}

impl Transpose {
    fn of_rank(extension: &Extension, rank: usize) -> Result<Self> {
        let settings = extension.settings();
        settings.only_fields(&["order"])?;
        let field = settings.required("order")?;
        // Drafts of Zarr v3 allowed these strings beside lists.
        match field.value().as_str() {
            Some("C") => return Ok(Self { order: (0..rank).collect() }),
            Some("F") => return Ok(Self { order: (0..rank).rev().collect() }),
            _ => {}
        }
        let items = field.items()?;
        let order: Vec<usize> = items
            .filter_map(|item| item.value().as_u64().and_then(|axis| usize::try_from(axis).ok()))
            .collect();
        let is_permutation = order.len() == rank && (0..rank).all(|axis| order.contains(&axis));
        if !is_permutation || field.value().as_array().is_none_or(|items| items.len() != rank) {
            return Err(field.expected(&format!("each of the {rank} axes, counted from 0, once")));
        }
        Ok(Self { order })
    }

    /// Values of the decoded axes, reordered to the encoded axes.
    fn encode(&self, decoded: &[u64]) -> Vec<u64> {
        self.order.iter().map(|&axis| decoded[axis]).collect()
    }

    /// Values of the encoded axes, reordered to the decoded axes.
    fn decoded(&self, encoded: &[usize]) -> Vec<usize> {
        let mut decoded = encoded.to_vec();
        for (&axis, &value) in self.order.iter().zip(encoded) {
            decoded[axis] = value;
        }
        decoded
    }
}
