//! `imagecodecs_delta`, and virtual-tiff's `HorizontalDeltaCodec`: differences between neighbours along an axis.
//!
//! The bits of items, floats too, are added as unsigned integers of their size, which wrap around: predictor 2 of TIFF.
//! `HorizontalDeltaCodec` takes the last axis.
//! Spec: <https://github.com/cgohlke/imagecodecs/blob/master/imagecodecs/zarr.py>
//!
//! ```json
//! { "name": "imagecodecs_delta", "configuration": { "axis": -1, "dist": 1 } }
//! ```

use super::items::stated_shape::{StatedShape, axis};
use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;
use crate::output::memory::to_memory;
use rectilinear_zarr_kernels::numeric::Numeric;
use rectilinear_zarr_kernels::sums::add_up;

const NAME: &str = Differences::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Differences {
    item_size: usize,
    axis: usize,
    shape: StatedShape,
}

impl ArrayToArrayCodec for Differences {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        let number = input.number(extension)?;
        if number == Numeric::Bool {
            return Err(settings.invalid(format!("{} cannot decode bool: expected numbers", extension.name)));
        }
        let fields: &[&str] = if extension.name == NAME { &["axis", "dist", "dtype", "shape"] } else { &[] };
        settings.only_fields(fields)?;
        if let Some(dist) = settings.field("dist").filter(|dist| dist.value().as_u64() != Some(1)) {
            return Err(dist.expected("1, the only distance that imagecodecs writes"));
        }
        let shape = StatedShape::parse(&settings, input)?;
        let codec = Self { item_size: number.size(), axis: axis(&settings, input.rank)?, shape };
        Ok((codec, input.clone()))
    }

    fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        self.shape.check(shape).map(|()| shape.to_vec())
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let shape = shapes.encoded;
        let mut chunk = encoded.into_c_order(shape, self.item_size)?;
        let step = to_memory(shape[self.axis + 1..].iter().product())?;
        let run = step.saturating_mul(to_memory(shape[self.axis])?);
        add_up(chunk.bytes.to_mut(), self.item_size, run, step);
        Ok(chunk)
    }
}
