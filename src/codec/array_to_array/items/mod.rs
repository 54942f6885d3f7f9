//! Conversion of items for filters: each block of items in C order is read as numbers, changed, and written as numbers
//! of the same or another type.

pub(crate) mod numpy;
pub(crate) mod real;
pub(crate) mod rounding;
pub(crate) mod stated_shape;

use std::borrow::Cow;

use rectilinear_zarr_kernels::copy::{Loop, Walk, copy};
use rectilinear_zarr_kernels::numeric::Numeric;

pub(crate) use rectilinear_zarr_kernels::numeric::BLOCK;

use crate::error::{Gather, Result};
use crate::output::memory::{buffer, to_memory};
use crate::output::{Decoded, c_strides};

/// Operations of filters on items that are numbers.
pub(crate) trait NumericItems: Sized {
    /// Converts items to another number type, as numpy's `astype` does.
    fn cast(self, items: Cow<'_, [u8]>, to: Self) -> Result<Cow<'_, [u8]>>;

    /// Changes items as integers, block by block, and writes them as another number type.
    fn each_integer(
        self,
        items: &[u8],
        to: Self,
        change: impl FnMut(&mut [i64]) -> Result<()>,
    ) -> Result<Vec<u8>>;

    /// Changes items as floats, block by block, and writes them as another number type.
    fn each_float<T>(
        self,
        items: &[u8],
        to: Self,
        change: impl FnMut(&mut [f64]) -> Result<T>,
    ) -> Result<Vec<u8>>;

    /// Calls `block` with each block of items and the output bytes for as many items of another number type.
    fn blocks(
        self,
        items: &[u8],
        to: Self,
        block: impl FnMut(&[u8], &mut [u8]) -> Result<()>,
    ) -> Result<Vec<u8>>;
}

impl NumericItems for Numeric {
    fn cast(self, items: Cow<'_, [u8]>, to: Self) -> Result<Cow<'_, [u8]>> {
        if self == to {
            return Ok(items);
        }
        let cast = if self.is_float() {
            self.each_float(&items, to, |floats| Ok(floats.len()))
        } else {
            self.each_integer(&items, to, |_| Ok(()))
        };
        cast.map(Cow::Owned)
    }

    fn each_integer(
        self,
        items: &[u8],
        to: Self,
        mut change: impl FnMut(&mut [i64]) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let mut block = [0; BLOCK];
        self.blocks(items, to, |source, target| {
            let integers = &mut block[..source.len() / self.size()];
            self.integers(source, integers);
            change(integers)?;
            to.put_integers(integers, self, target);
            Ok(())
        })
    }

    fn each_float<T>(
        self,
        items: &[u8],
        to: Self,
        mut change: impl FnMut(&mut [f64]) -> Result<T>,
    ) -> Result<Vec<u8>> {
        let mut block = [0.0; BLOCK];
        self.blocks(items, to, |source, target| {
            let floats = &mut block[..source.len() / self.size()];
            self.floats(source, floats);
            change(floats)?;
            to.put_floats(floats, target);
            Ok(())
        })
    }

    fn blocks(
        self,
        items: &[u8],
        to: Self,
        block: impl FnMut(&[u8], &mut [u8]) -> Result<()>,
    ) -> Result<Vec<u8>> {
        blocks(items, self.size(), to.size(), block)
    }
}

/// Calls `block` with each block of items of `size` bytes and the output bytes for as many items of `new_size` bytes.
pub(crate) fn blocks(
    items: &[u8],
    size: usize,
    new_size: usize,
    mut block: impl FnMut(&[u8], &mut [u8]) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut target = buffer((items.len() / size).saturating_mul(new_size))?;
    let targets = target.chunks_mut(BLOCK * new_size);
    items.chunks(BLOCK * size).zip(targets).try_for_each(|(from, to)| block(from, to))?;
    Ok(target)
}

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
