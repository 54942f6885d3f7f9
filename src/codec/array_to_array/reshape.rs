//! `reshape`: the items in C order with another shape.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/reshape>
//!
//! ```json
//! { "name": "reshape", "configuration": { "shape": [[0, 1], -1, 10] } }
//! ```

use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput};
use crate::error::{Error, Gather, Result};
use crate::metadata::{Extension, Json};
use crate::output::{Decoded, c_strides};

/// The most axes of the encoded shape: 64, as for arrays.
const MAX_RANK: usize = 64;

/// The codec's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reshape {
    axes: Vec<ReshapedAxis>,
    item_size: usize,
    /// JSON pointer of the shape.
    pointer: String,
}

/// Rule for the length of an encoded axis.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ReshapedAxis {
    Length(u64),
    /// Product of the lengths of these decoded axes.
    Product(Vec<usize>),
    /// The length that holds the remaining items (-1).
    Rest,
}

impl ArrayToArrayCodec for Reshape {
    const BYTE_ORDER: ByteOrderUse = ByteOrderUse::Keeps;

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["shape"])?;
        let field = settings.required("shape")?;
        let axes = field.items()?.map(|item| axis(item, input.rank)).gathered()?;
        if axes.len() > MAX_RANK {
            return Err(field.invalid(format!("expected at most {MAX_RANK} axes, found {}", axes.len())));
        }
        if axes.iter().filter(|axis| **axis == ReshapedAxis::Rest).count() > 1 {
            return Err(field.invalid("expected at most one axis of -1, found more than one"));
        }
        let inputs: Vec<usize> = axes.iter().flat_map(ReshapedAxis::inputs).copied().collect();
        if !inputs.is_sorted_by(|one, next| one < next) {
            return Err(field.invalid("expected input axes in rising order, each at most once"));
        }
        let next = CodecInput { rank: axes.len(), ..input.clone() };
        Ok((Self { axes, item_size: input.data_type.item_size(), pointer: field.pointer() }, next))
    }

    fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        let misfit = || {
            let reason = format!("expected a shape with as many items as a chunk of shape {shape:?}");
            Error::metadata(self.pointer.as_str(), reason)
        };
        let mut encoded = Vec::with_capacity(self.axes.len());
        for axis in &self.axes {
            encoded.push(match axis {
                ReshapedAxis::Length(length) => *length,
                ReshapedAxis::Rest => 1,
                ReshapedAxis::Product(inputs) => {
                    product(inputs.iter().map(|&input| &shape[input])).ok_or_else(misfit)?
                }
            });
        }
        let items = product(shape).ok_or_else(misfit)?;
        if let Some(rest) = self.axes.iter().position(|axis| *axis == ReshapedAxis::Rest) {
            encoded[rest] = items / product(&encoded).filter(|known| *known > 0).ok_or_else(misfit)?;
        }
        if product(&encoded) != Some(items) {
            return Err(misfit());
        }
        // An axis that joins decoded axes holds their items only if equally many items lie before it and after it.
        for (at, axis) in self.axes.iter().enumerate() {
            let Some((first, last)) = axis.inputs().first().zip(axis.inputs().last()) else { continue };
            let before = product(&encoded[..at]) == product(&shape[..*first]);
            let after = product(&encoded[at + 1..]) == product(&shape[last + 1..]);
            if !before || !after {
                let reason = format!(
                    "in a chunk of shape {shape:?}, encoded axis {at} does not hold the items of the input axes {:?}",
                    axis.inputs()
                );
                return Err(Error::metadata(self.pointer.as_str(), reason));
            }
        }
        Ok(encoded)
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let (shape, encoded_shape) = (shapes.decoded, shapes.encoded);
        let encoded = encoded.into_c_order(encoded_shape, self.item_size)?;
        Ok(Decoded { strides: c_strides(shape, self.item_size)?, ..encoded })
    }
}

impl ReshapedAxis {
    fn inputs(&self) -> &[usize] {
        match self {
            Self::Product(inputs) => inputs,
            _ => &[],
        }
    }
}

fn axis(item: Json<'_>, rank: usize) -> Result<ReshapedAxis> {
    if item.value().as_i64() == Some(-1) {
        return Ok(ReshapedAxis::Rest);
    }
    if !item.value().is_array() {
        return Ok(ReshapedAxis::Length(item.integer(1)?));
    }
    let input = |input: Json<'_>| {
        let found = input.value().as_u64().and_then(|axis| usize::try_from(axis).ok());
        let found = found.filter(|axis| *axis < rank);
        found.ok_or_else(|| input.expected(&format!("one of the {rank} axes, counted from 0")))
    };
    item.items()?.map(input).gathered().map(ReshapedAxis::Product)
}

fn product<'a>(lengths: impl IntoIterator<Item = &'a u64>) -> Option<u64> {
    lengths.into_iter().try_fold(1u64, |product, &length| product.checked_mul(length))
}
