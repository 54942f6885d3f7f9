//! Transform of a chunk's items on their way into a result: byte order, then cast.

use std::rc::Rc;

use rectilinear_zarr_kernels::byte_order::reversed;
use rectilinear_zarr_kernels::numeric::BLOCK;

use super::cast::Cast;
use super::range_tracker::RangeTracker;

/// Transform of items: a change of byte order, and a cast.
pub(crate) struct ItemTransform {
    pub(crate) cast: Option<Rc<Cast>>,
    /// Bytes of the numbers whose byte order is reversed.
    pub(crate) reversed: Option<usize>,
}

impl ItemTransform {
    /// Whether items stay unchanged.
    pub(crate) fn is_identity(&self) -> bool {
        self.cast.is_none() && self.reversed.is_none()
    }

    /// Bytes of an item of `size` bytes, before and after the transform.
    pub(crate) fn sizes(&self, size: usize) -> (usize, usize) {
        self.cast.as_ref().map_or((size, size), |cast| cast.sizes())
    }

    /// Transforms contiguous items.
    pub(crate) fn make(&self, from: &[u8], to: &mut [u8], tracker: &mut RangeTracker) {
        match (&self.cast, self.reversed) {
            (None, None) => to.copy_from_slice(from),
            (None, Some(size)) => reversed(size, from, to),
            (Some(cast), None) => cast.items(from, to, tracker),
            (Some(cast), Some(number)) => {
                let (size, new_size) = cast.sizes();
                let mut turned = vec![0; from.len().min(BLOCK * size)];
                for (from, to) in from.chunks(BLOCK * size).zip(to.chunks_mut(BLOCK * new_size)) {
                    let turned = &mut turned[..from.len()];
                    reversed(number, from, turned);
                    cast.items(turned, to, tracker);
                }
            }
        }
    }
}
