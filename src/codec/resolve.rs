//! Sizes and shapes on the way of a chunk through a pipeline.

use std::rc::Rc;

use super::array_spec::{ArraySpec, MAX_CONTENT_BYTES};
use super::array_to_array::Step;
use super::layout::{Layout, Resolved};
use super::pipeline::{ArrayToBytes, Pipeline};
use super::size::Size;
use crate::error::Result;
use crate::output::c_strides;
use crate::output::memory::to_memory;

/// Factor by which a filter may widen items at most: eight bytes of each byte, as `astype` does.
const MAX_WIDENING: usize = 8;

impl Pipeline {
    /// The codecs resolved for a chunk of this shape, from the cache where it is known.
    pub(super) fn resolved(&self, shape: &[u64]) -> Result<Rc<Resolved>> {
        self.known.get(shape, || self.resolve(shape))
    }

    fn resolve(&self, shape: &[u64]) -> Result<Resolved> {
        let mut largest = self.decoded_size(shape);
        let mut shapes = vec![shape.to_vec()];
        for Step { codec, encoded_type, .. } in &self.array_to_array {
            let shape = codec.encoded_shape(&shapes[shapes.len() - 1])?;
            largest = largest.max(ArraySpec { data_type: encoded_type, shape: &shape }.size());
            shapes.push(shape);
        }
        let form = ArraySpec { data_type: self.encoded_type(), shape: &shapes[shapes.len() - 1] };
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

    fn layout(&self, form: &ArraySpec<'_>) -> Result<Layout> {
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
