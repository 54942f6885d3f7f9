//! Decoded chunks as filters need them: items in C order, or others in their places.

use std::borrow::Cow;

use rectilinear_zarr_kernels::copy::{Loop, Walk, copy};

use crate::error::Result;
use crate::output::memory::{buffer, to_memory};
use crate::output::{Decoded, c_strides};

impl<'a> Decoded<'a> {
    /// The items one after the other in C order; copies only where they are not yet.
    pub(crate) fn into_c_order(self, shape: &[u64], item_size: usize) -> Result<Self> {
        let strides = c_strides(shape, item_size)?;
        // The stride of an axis of one item is never taken.
        let mut axes = self.strides.iter().zip(&strides).zip(shape);
        if axes.all(|((stride, wanted), &edge)| stride == wanted || edge == 1) {
            return Ok(Self { strides, ..self });
        }
        let axes = self.strides.iter().zip(&strides).zip(shape);
        let loops = axes.map(|((&source, target), &edge)| {
            Ok(Loop::Run { count: to_memory(edge)?, source, target: target.cast_signed() })
        });
        let loops = loops.collect::<Result<_>>()?;
        let mut items = buffer(self.bytes.len())?;
        copy(&self.bytes, &mut items, item_size, Walk { source: 0, target: 0, loops });
        Ok(Self { bytes: Cow::Owned(items), strides, ..self })
    }

    /// Items of another size in place of each of these, in the same order: what a codec makes of items one by one.
    pub(crate) fn with_items(self, bytes: Cow<'a, [u8]>, size: usize, new_size: usize) -> Self {
        let strides = self.strides.iter().map(|stride| stride / size * new_size).collect();
        Self { bytes, strides, ..self }
    }
}
