//! A decoded chunk: its items, and how far apart they lie along each axis.

use std::borrow::Cow;

use rectilinear_zarr_kernels::byte_order::reverse;
use rectilinear_zarr_kernels::copy::{Loop, Walk, copy};

use super::memory::{buffer, to_memory};
use crate::error::Result;

/// A decoded chunk. The bytes are those that came in where no codec had to change them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The items, without gaps; little endian unless `reversed` says otherwise.
    pub bytes: Cow<'a, [u8]>,
    /// Bytes from one item to the next along each axis of the array.
    pub strides: Vec<usize>,
    /// What the items refer to, where they are of any length.
    pub heap: Cow<'a, [u8]>,
    /// Bytes of the numbers that the items consist of, where they are big endian still: they are turned as they are
    /// copied into a result.
    pub reversed: Option<usize>,
}

impl<'a> Decoded<'a> {
    /// The same, free of what it was decoded from; copies only what is borrowed.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            bytes: Cow::Owned(self.bytes.into_owned()),
            strides: self.strides,
            heap: Cow::Owned(self.heap.into_owned()),
            reversed: self.reversed,
        }
    }

    /// The same with all numbers little endian.
    #[must_use]
    pub fn into_little_endian(mut self) -> Self {
        if let Some(size) = self.reversed.take() {
            reverse(size, self.bytes.to_mut());
        }
        self
    }

    /// The items one after the other in C order; copies only where they are not yet.
    pub(super) fn into_c_order(self, shape: &[u64], item_size: usize) -> Result<Self> {
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
    pub(super) fn with_items(self, bytes: Cow<'a, [u8]>, size: usize, new_size: usize) -> Self {
        let strides = self.strides.iter().map(|stride| stride / size * new_size).collect();
        Self { bytes, strides, ..self }
    }
}

/// The strides of items in C order.
pub(super) fn c_strides(shape: &[u64], item_size: usize) -> Result<Vec<usize>> {
    let mut strides = vec![0; shape.len()];
    let mut stride = item_size as u64;
    for (axis, &edge) in shape.iter().enumerate().rev() {
        strides[axis] = to_memory(stride)?;
        stride = stride.saturating_mul(edge);
    }
    Ok(strides)
}
