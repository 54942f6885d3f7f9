//! `imagecodecs_floatpred`: rows of floats as planes of their bytes, highest byte first, of which each row of bytes is
//! stored as differences: predictor 3 of TIFF.
//!
//! The bytes have no byte order of their own: a `bytes` codec after it only hands them on. imagecodecs writes the codec
//! without one.
//! Spec: <https://github.com/cgohlke/imagecodecs/blob/master/imagecodecs/zarr.py>
//!
//! ```json
//! { "name": "imagecodecs_floatpred", "configuration": { "axis": -1, "dist": 1 } }
//! ```

use super::items::stated_shape::{StatedShape, axis};
use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;
use crate::output::memory::{buffer, to_memory};
use rectilinear_zarr_kernels::byte_order::reverse;
use rectilinear_zarr_kernels::sums::add_up;
use rectilinear_zarr_kernels::unshuffle;

const NAME: &str = Floatpred::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Floatpred {
    item_size: usize,
    /// Bytes from one byte to that which its difference is added to.
    step: usize,
    shape: StatedShape,
}

impl ArrayToArrayCodec for Floatpred {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["axis", "dist", "dtype", "shape"])?;
        let number = input.number(extension)?;
        if !number.is_float() {
            let name = input.data_type.name();
            return Err(settings.invalid(format!("{NAME} cannot decode {name}: expected floats")));
        }
        if axis(&settings, input.rank)? + 1 != input.rank {
            return Err(settings.required("axis")?.expected("-1, the last axis"));
        }
        let step = match settings.field("dist") {
            None => 1,
            Some(dist) => to_memory(dist.integer(1)?)?,
        };
        let shape = StatedShape::parse(&settings, input)?;
        Ok((Self { item_size: number.size(), step, shape }, input.clone()))
    }

    fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        self.shape.check(shape).map(|()| shape.to_vec())
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let shape = shapes.encoded;
        let mut chunk = encoded.into_c_order(shape, self.item_size)?;
        let row = self.item_size.saturating_mul(to_memory(shape.last().copied().unwrap_or(1))?).max(1);
        let planes = chunk.bytes.to_mut();
        add_up(planes, 1, row, self.step);
        let mut items = buffer(planes.len())?;
        for (planes, items) in planes.chunks(row).zip(items.chunks_mut(row)) {
            unshuffle::undo(self.item_size, planes, items);
        }
        reverse(self.item_size, &mut items);
        chunk.bytes = items.into();
        Ok(chunk)
    }
}
