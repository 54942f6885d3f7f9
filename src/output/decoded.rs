//! A decoded chunk: its items and their strides along each axis.

use std::borrow::Cow;

use rectilinear_zarr_kernels::byte_order::reverse;

use super::memory::{give_back, to_memory};
use crate::error::Result;

/// A decoded chunk; it borrows the stored bytes if no codec changed them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The items, without gaps; little endian unless `reversed` says otherwise.
    pub bytes: Cow<'a, [u8]>,
    /// Bytes from one item to the next along each axis of the array.
    pub strides: Vec<usize>,
    /// Heap that variable-length items refer to.
    pub heap: Cow<'a, [u8]>,
    /// Bytes of the numbers in the items if they are still big endian; they are reversed when they are copied to a
    /// result.
    pub reversed: Option<usize>,
}

impl<'a> Decoded<'a> {
    /// This chunk without borrows: borrowed bytes are copied.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            bytes: Cow::Owned(self.bytes.into_owned()),
            strides: self.strides,
            heap: Cow::Owned(self.heap.into_owned()),
            reversed: self.reversed,
        }
    }

    /// Bytes of the items and of the heap.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + self.heap.len()
    }

    /// Returns the chunk's memory for the next chunk to be decoded to.
    pub fn give_back(self) {
        if let Cow::Owned(bytes) = self.bytes {
            give_back(bytes);
        }
    }

    /// This chunk with all numbers in little endian; copied only where they are not.
    #[must_use]
    pub fn in_little_endian(&self) -> Cow<'_, Self> {
        match self.reversed {
            None => Cow::Borrowed(self),
            Some(_) => Cow::Owned(self.clone().into_little_endian()),
        }
    }

    /// Like [`Decoded::in_little_endian`], in place.
    #[must_use]
    pub fn into_little_endian(mut self) -> Self {
        if let Some(size) = self.reversed.take() {
            reverse(size, self.bytes.to_mut());
        }
        self
    }
}

/// The strides of items in C order, in bytes.
pub(crate) fn c_strides(shape: &[u64], item_size: usize) -> Result<Vec<usize>> {
    let mut strides = vec![0; shape.len()];
    let mut stride = item_size as u64;
    for (axis, &edge) in shape.iter().enumerate().rev() {
        strides[axis] = to_memory(stride)?;
        stride = stride.saturating_mul(edge);
    }
    Ok(strides)
}
