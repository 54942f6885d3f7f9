//! The arrays and buffers that codecs make of a chunk of one shape, worked out once for all chunks of it.
//!
//! Invariant: what is kept is what the pipeline would say of the shape again, so to forget it costs time alone.

use std::cell::RefCell;
use std::rc::Rc;

use super::size::Size;
use crate::error::Result;
use crate::output::memory::no_room;

/// The most shapes that a pipeline keeps: 16, more than the months of a year have on two axes.
const MAX_KEPT: usize = 16;

/// The pipeline's codecs resolved for a chunk of one shape.
#[derive(Debug)]
pub(super) struct Resolved {
    /// Its shape before each codec from arrays to arrays, and after the last.
    pub(super) shapes: Vec<Vec<u64>>,
    /// Bytes of the largest of these arrays; saturates at `u64::MAX`.
    pub(super) largest: u64,
    /// Nothing where they do not fit into memory.
    pub(super) layout: Option<Layout>,
}

/// How it lies in memory.
#[derive(Debug)]
pub(super) struct Layout {
    /// Size that the bytes may have after each encoding step, from the array side on.
    pub(super) sizes: Vec<Size>,
    /// Bytes from one item to the next after the last codec from arrays to arrays.
    pub(super) strides: Vec<usize>,
    /// Bytes from one item to the next along the axes of the array, where those codecs leave items as they are and the
    /// next one stores nothing else.
    pub(super) item_strides: Option<Vec<usize>>,
}

impl Resolved {
    /// The shape after the last codec from arrays to arrays.
    pub(super) fn encoded_shape(&self) -> &[u64] {
        &self.shapes[self.shapes.len() - 1]
    }

    /// How it lies in memory.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where it does not fit.
    pub(super) fn layout(&self) -> Result<&Layout> {
        self.layout.as_ref().ok_or_else(|| no_room(self.largest))
    }
}

impl Layout {
    /// Size that a stored chunk may have.
    pub(super) fn stored(&self) -> Size {
        self.sizes[self.sizes.len() - 1]
    }
}

/// The shapes that were resolved last.
#[derive(Debug, Clone, Default)]
pub(super) struct LayoutCache(RefCell<Vec<Rc<Resolved>>>);

impl LayoutCache {
    /// The resolution of a shape, cached or computed now.
    pub(super) fn get(
        &self,
        shape: &[u64],
        resolve: impl FnOnce() -> Result<Resolved>,
    ) -> Result<Rc<Resolved>> {
        if let Some(found) = self.0.borrow().iter().find(|known| known.shapes[0] == shape) {
            return Ok(Rc::clone(found));
        }
        let resolved = Rc::new(resolve()?);
        let mut known = self.0.borrow_mut();
        if known.len() == MAX_KEPT {
            known.remove(0);
        }
        known.push(Rc::clone(&resolved));
        Ok(resolved)
    }
}
