//! `reshape`: the same items in C order, on other axes.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/reshape>
//!
//! ```json
//! { "name": "reshape", "configuration": { "shape": [[0, 1], -1, 10] } }
//! ```

use crate::codec::array_spec::Stage;
use crate::error::{Error, Result};
use crate::metadata::{Extension, Json};
use crate::output::{Decoded, c_strides};

pub(crate) const NAME: &str = "reshape";

/// The most axes, as many as an array may have.
const MAX_RANK: usize = 64;

/// The codec's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reshape {
    axes: Vec<ReshapedAxis>,
    item_size: usize,
    /// JSON pointer of the shape.
    pointer: String,
}

/// How long an encoded axis is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ReshapedAxis {
    Length(u64),
    /// As long as these decoded axes together.
    Product(Vec<usize>),
    /// As long as it takes.
    Rest,
}

impl Reshape {
    pub(crate) fn parse(extension: &Extension, stage: &Stage) -> Result<(Self, Stage)> {
        let settings = extension.settings();
        settings.only_fields(&["shape"])?;
        let field = settings.required("shape")?;
        let axes = field.items()?.map(|item| axis(item, stage.rank)).collect::<Result<Vec<_>>>()?;
        if axes.len() > MAX_RANK {
            return Err(field.invalid(format!("{} axes are given, at most {MAX_RANK} can be", axes.len())));
        }
        if axes.iter().filter(|axis| **axis == ReshapedAxis::Rest).count() > 1 {
            return Err(field.invalid("more than one axis is -1"));
        }
        let inputs: Vec<usize> = axes.iter().flat_map(ReshapedAxis::inputs).copied().collect();
        if !inputs.is_sorted_by(|one, next| one < next) {
            return Err(field.invalid("the axes that lengths are taken from do not rise"));
        }
        let next = Stage { rank: axes.len(), ..stage.clone() };
        Ok((Self { axes, item_size: stage.data_type.item_size(), pointer: field.pointer() }, next))
    }

    /// The encoded shape of a chunk.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where there is none of as many items.
    pub(crate) fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        let misfit = || {
            let reason = format!("a chunk of shape {shape:?} does not have as many items as this shape");
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
        // An axis that joins others holds their items only where as many lie before it, and after it, as before.
        for (at, axis) in self.axes.iter().enumerate() {
            let Some((first, last)) = axis.inputs().first().zip(axis.inputs().last()) else { continue };
            let before = product(&encoded[..at]) == product(&shape[..*first]);
            let after = product(&encoded[at + 1..]) == product(&shape[last + 1..]);
            if !before || !after {
                let reason = format!(
                    "in a chunk of shape {shape:?}, axis {at} is not made of the items of the axes {:?}",
                    axis.inputs()
                );
                return Err(Error::metadata(self.pointer.as_str(), reason));
            }
        }
        Ok(encoded)
    }

    pub(crate) fn decode<'a>(
        &self,
        encoded: Decoded<'a>,
        shape: &[u64],
        encoded_shape: &[u64],
    ) -> Result<Decoded<'a>> {
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
    item.items()?.map(input).collect::<Result<_>>().map(ReshapedAxis::Product)
}

fn product<'a>(lengths: impl IntoIterator<Item = &'a u64>) -> Option<u64> {
    lengths.into_iter().try_fold(1u64, |product, &length| product.checked_mul(length))
}
