//! A decoded chunk: its items, and how far apart they lie along each axis.

use std::borrow::Cow;

use rectilinear_zarr_kernels::byte_order::reverse;

use super::memory::{give_back, to_memory};
use crate::error::Result;

/// A decoded chunk. The bytes are those that came in where no codec had to change them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The items, without gaps; little endian unless `reversed` says otherwise.
    pub bytes: Cow<'a, [u8]>,
    /// Bytes from one item to the next along each axis of the array.
    pub strides: Vec<usize>,
    /// Heap that the items refer to, where they are of any length.
    pub heap: Cow<'a, [u8]>,
    /// Bytes of the numbers that the items consist of, where they are big endian still: they are turned as they are
    /// copied into a result.
    pub reversed: Option<usize>,
}

impl<'a> Decoded<'a> {
    /// This chunk, free of what it was decoded from; copies only what is borrowed.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            bytes: Cow::Owned(self.bytes.into_owned()),
            strides: self.strides,
            heap: Cow::Owned(self.heap.into_owned()),
            reversed: self.reversed,
        }
    }

    /// Bytes of the items and of what they refer to.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + self.heap.len()
    }

    /// Has the next chunk decoded to the same memory.
    pub fn give_back(self) {
        if let Cow::Owned(bytes) = self.bytes {
            give_back(bytes);
        }
    }

    /// This chunk, with all numbers little endian.
    #[must_use]
    pub fn into_little_endian(mut self) -> Self {
        if let Some(size) = self.reversed.take() {
            reverse(size, self.bytes.to_mut());
        }
        self
    }
}

/// The strides of items in C order.
pub(crate) fn c_strides(shape: &[u64], item_size: usize) -> Result<Vec<usize>> {
    let mut strides = vec![0; shape.len()];
    let mut stride = item_size as u64;
    for (axis, &edge) in shape.iter().enumerate().rev() {
        strides[axis] = to_memory(stride)?;
        stride = stride.saturating_mul(edge);
    }
    Ok(strides)
}
