//! What a pipeline makes of chunks of one shape, worked out once for all of them.
//!
//! Invariant: what is kept is what the pipeline would say of the shape again, so to forget it costs time alone.

use std::cell::RefCell;
use std::rc::Rc;

use super::ArrayToBytes;
use super::array_to_array::Step;
use super::decoded::c_strides;
use super::memory::{Size, no_room, to_memory};
use super::pipeline::{Form, MAX_CONTENT_BYTES, Pipeline};
use crate::error::Result;

/// The most shapes that a pipeline keeps: 16, more than the months of a year have on two axes.
const MAX_KEPT: usize = 16;

/// As many times as much as before is what a filter may make of items: eight bytes of each byte, as `astype` does.
const MAX_WIDENING: usize = 8;

/// What the codecs make of a chunk of one shape.
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
    /// What each step's bytes may be, from the array side on.
    pub(super) sizes: Vec<Size>,
    /// Bytes from one item to the next after the last codec from arrays to arrays.
    pub(super) strides: Vec<usize>,
    /// The same along the axes of the array, where those codecs leave items as they are and the next one stores nothing
    /// else.
    pub(super) item_strides: Option<Vec<usize>>,
}

impl Pipeline {
    /// What the codecs make of a chunk of this shape.
    pub(super) fn resolved(&self, shape: &[u64]) -> Result<Rc<Resolved>> {
        self.known.get(shape, || self.resolve(shape))
    }

    fn resolve(&self, shape: &[u64]) -> Result<Resolved> {
        let mut largest = self.decoded_size(shape);
        let mut shapes = vec![shape.to_vec()];
        for Step { codec, encoded_type, .. } in &self.array_to_array {
            let shape = codec.encoded_shape(&shapes[shapes.len() - 1])?;
            largest = largest.max(Form { data_type: encoded_type, shape: &shape }.size());
            shapes.push(shape);
        }
        let form = Form { data_type: self.encoded_type(), shape: &shapes[shapes.len() - 1] };
        let layout = to_memory(largest).ok().map(|_| self.layout(&form)).transpose()?;
        Ok(Resolved { shapes, largest, layout })
    }

    /// The most bytes that are read of a stored chunk of this shape: some more than it may have where it is stored as
    /// nothing but its items, so that the error can say how many there are. Nothing where no such chunk fits into memory.
    #[must_use]
    pub fn most_encoded(&self, shape: &[u64]) -> Option<u64> {
        if let Some(shards) = self.shards() {
            return shards.most_encoded(shape);
        }
        let resolved = self.resolved(shape).ok()?;
        Some(match resolved.layout().ok()?.stored() {
            Size::AtMost(bytes) => bytes as u64,
            exact => exact.compressed().limit() as u64,
        })
    }

    fn layout(&self, form: &Form<'_>) -> Result<Layout> {
        let whole = to_memory(form.size())?;
        let first = match &self.array_to_bytes {
            ArrayToBytes::Bytes(_) => Size::Exactly(whole),
            // The build that has the codecs knows better, and looks again.
            ArrayToBytes::Elsewhere(_) => {
                Size::AtMost(whole.saturating_mul(MAX_WIDENING).max(MAX_CONTENT_BYTES)).compressed()
            }
            ArrayToBytes::Variable(_) => Size::AtMost(MAX_CONTENT_BYTES),
            #[cfg(feature = "rare")]
            ArrayToBytes::PackBits(codec) => codec.encoded_size(whole),
            #[cfg(feature = "rare")]
            ArrayToBytes::Objects(_) | ArrayToBytes::VlenArray(_) => Size::AtMost(MAX_CONTENT_BYTES),
            #[cfg(feature = "pcodec")]
            ArrayToBytes::Pcodec(_) => Size::Exactly(whole).compressed(),
            // Beside the chunks there may be what they were before they were written again.
            ArrayToBytes::Sharding(_) => Size::Exactly(whole).compressed(),
            #[cfg(feature = "zfp")]
            ArrayToBytes::Zfpy(codec) => codec.encoded_size(form.shape),
        };
        let mut sizes = vec![first];
        for codec in &self.bytes_to_bytes {
            sizes.push(codec.encoded_size(sizes[sizes.len() - 1]));
        }
        let strides = c_strides(form.shape, form.data_type.item_size())?;
        let is_items = matches!(self.array_to_bytes, ArrayToBytes::Bytes(_));
        let mut steps = self.array_to_array.iter().rev();
        let item_strides = is_items
            .then(|| steps.try_fold(strides.clone(), |strides, step| step.codec.decoded_strides(&strides)));
        Ok(Layout { sizes, strides, item_strides: item_strides.flatten() })
    }
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
    /// What the bytes of a stored chunk may be.
    pub(super) fn stored(&self) -> Size {
        self.sizes[self.sizes.len() - 1]
    }
}

/// The shapes that were resolved last.
#[derive(Debug, Clone, Default)]
pub(super) struct Known(RefCell<Vec<Rc<Resolved>>>);

impl Known {
    /// What a shape was resolved to, or is now.
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
