//! Reordering of decoded chunks for filters: items in C order, and new items with the same order.

use std::borrow::Cow;

use rectilinear_zarr_kernels::copy::{Loop, Walk, copy};

use crate::error::{Gather, Result};
use crate::output::memory::{buffer, to_memory};
use crate::output::{Decoded, c_strides};

impl<'a> Decoded<'a> {
    /// Brings the items to C order; copies them only where they are in another order.
    pub(crate) fn into_c_order(self, shape: &[u64], item_size: usize) -> Result<Self> {
        let strides = c_strides(shape, item_size)?;
        // The stride of an axis of length 1 is not used.
        let mut axes = self.strides.iter().zip(&strides).zip(shape);
        if axes.all(|((stride, wanted), &edge)| stride == wanted || edge == 1) {
            return Ok(Self { strides, ..self });
        }
        let axes = self.strides.iter().zip(&strides).zip(shape);
        let loops = axes.map(|((&source, target), &edge)| -> Result<Loop> {
            Ok(Loop::Run { count: to_memory(edge)?, source, target: target.cast_signed() })
        });
        let loops = loops.gathered()?;
        let mut items = buffer(self.bytes.len())?;
        copy(&self.bytes, &mut items, item_size, Walk { source: 0, target: 0, loops });
        Ok(Self { bytes: Cow::Owned(items), strides, ..self })
    }

    /// Replaces the items by as many new ones in the same order, each of `new_size` bytes where the old ones had
    /// `size`.
    pub(crate) fn with_items(self, bytes: Cow<'a, [u8]>, size: usize, new_size: usize) -> Self {
        let strides = self.strides.iter().map(|stride| stride / size * new_size).collect();
        Self { bytes, strides, ..self }
    }
}
