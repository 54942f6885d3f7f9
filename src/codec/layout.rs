//! Shapes and buffer sizes of a chunk between the codecs, computed once for each chunk shape.
//!
//! Invariant: a cached result equals a newly computed one, so dropping it costs only time.

use std::cell::RefCell;
use std::rc::Rc;

use super::kinds::Size;
use crate::error::Result;
use crate::output::memory::no_room;

/// The most chunk shapes that a pipeline caches: 16, more than chunks of a month each have in one year along two axes.
const MAX_KEPT: usize = 16;

/// The pipeline's codecs resolved for a chunk of one shape.
#[derive(Debug)]
pub(super) struct Resolved {
    /// Shape of the chunk before each array-to-array codec, and after the last one.
    pub(super) shapes: Vec<Vec<u64>>,
    /// Size of the largest of these arrays in bytes; saturates at `u64::MAX`.
    pub(super) largest: u64,
    /// `None` where the arrays do not fit into memory.
    pub(super) layout: Option<Layout>,
}

/// Buffer sizes and strides of a chunk in memory.
#[derive(Debug)]
pub(super) struct Layout {
    /// Size that the bytes may have after each encoding step: the array-to-bytes codec, then the bytes-to-bytes codecs.
    pub(super) sizes: Vec<Size>,
    /// Strides in bytes after the last array-to-array codec.
    pub(super) strides: Vec<usize>,
    /// Strides in bytes along the array's axes, where the array-to-array codecs leave items unchanged and the codec
    /// after them is `bytes`; else `None`.
    pub(super) item_strides: Option<Vec<usize>>,
}

impl Resolved {
    /// The shape after the last array-to-array codec.
    pub(super) fn encoded_shape(&self) -> &[u64] {
        &self.shapes[self.shapes.len() - 1]
    }

    /// Buffer sizes and strides of the chunk.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where the chunk does not fit into memory.
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

/// Cache of the chunk shapes that were resolved last.
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
