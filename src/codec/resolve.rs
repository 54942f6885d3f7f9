//! Sizes and shapes of a chunk between the codecs of a pipeline.

use std::rc::Rc;

use super::array_spec::{ArraySpec, MAX_CONTENT_BYTES};
use super::array_to_array::Step;
use super::layout::{Layout, Resolved};
use super::pipeline::{ArrayToBytes, Pipeline};
use super::size::Size;
use crate::error::{Gather, Result};
use crate::grid::{Axis, AxisError};
use crate::output::c_strides;
use crate::output::memory::to_memory;

/// The largest factor by which a filter may widen items: one byte to eight, as `astype` can.
const MAX_WIDENING: usize = 8;

impl Pipeline {
    /// Checks that each codec accepts chunks of this shape, and unless remainders are accepted, that shards consist of
    /// whole inner chunks.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where they do not.
    pub fn check(&self, shape: &[u64], accepts_remainders: bool) -> Result<()> {
        let resolved = self.resolved(shape)?;
        let ArrayToBytes::Sharding(shards) = &self.array_to_bytes else { return Ok(()) };
        if !accepts_remainders {
            shards.check_whole(resolved.encoded_shape())?;
        }
        let grid = shards.grid(resolved.encoded_shape())?;
        let scalar = shape.is_empty().then(Vec::new);
        grid.chunk_shapes()
            .chain(scalar)
            .try_for_each(|shape| shards.inner().check(&shape, accepts_remainders))
    }

    /// Divides axes of chunks into the innermost chunks that can be read one by one; `None` where chunks are not shards.
    ///
    /// # Errors
    /// [`AxisError`] where an axis would take too many runs.
    pub fn divided(&self, axes: &[Axis]) -> std::result::Result<Option<Vec<Axis>>, AxisError> {
        let Some(shards) = self.shards() else { return Ok(None) };
        let inner = axes.iter().zip(shards.chunk_shape()).map(|(axis, &edge)| axis.divided(edge));
        let inner = inner.gathered()?;
        Ok(Some(shards.inner().divided(&inner)?.unwrap_or(inner)))
    }

    /// Resolves the codecs for a chunk of this shape, or takes the result from the cache.
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
        let spec = ArraySpec { data_type: self.encoded_type(), shape: &shapes[shapes.len() - 1] };
        let layout = to_memory(largest).ok().map(|_| self.layout(&spec)).transpose()?;
        Ok(Resolved { shapes, largest, layout })
    }

    /// The most bytes that are read of a stored chunk of this shape; `None` where such a chunk does not fit into
    /// memory.
    ///
    /// Where the size is fixed, the bound is above it, so that the error for a longer chunk can state its actual size.
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

    fn layout(&self, spec: &ArraySpec<'_>) -> Result<Layout> {
        let whole = to_memory(spec.size())?;
        let first = match &self.array_to_bytes {
            ArrayToBytes::Bytes(_) => Size::Exactly(whole),
            ArrayToBytes::Content => Size::AtMost(whole),
            // The modules that have the codecs check the size again, with a closer bound. Chunks that nobody decodes are
            // read as they are stored.
            ArrayToBytes::External(_) | ArrayToBytes::Unknown => {
                Size::AtMost(whole.saturating_mul(MAX_WIDENING).max(MAX_CONTENT_BYTES)).compressed()
            }
            ArrayToBytes::Variable(..) => Size::AtMost(MAX_CONTENT_BYTES),
            #[cfg(feature = "grib")]
            ArrayToBytes::Grib2(codec) => {
                let items = to_memory(spec.shape.iter().product())?;
                Size::Exactly(codec.most_bytes(items)).compressed()
            }
            #[cfg(feature = "rare")]
            ArrayToBytes::N5(codec) => codec.encoded_size(whole, spec.shape.len()),
            #[cfg(feature = "rare")]
            ArrayToBytes::PackBits(codec) => codec.encoded_size(whole),
            #[cfg(feature = "rare")]
            ArrayToBytes::Objects(_) | ArrayToBytes::VlenArray(_) => Size::AtMost(MAX_CONTENT_BYTES),
            #[cfg(feature = "pcodec")]
            ArrayToBytes::Pcodec(_) => Size::Exactly(whole).compressed(),
            // Shards may also hold older versions of inner chunks that were rewritten.
            ArrayToBytes::Sharding(_) => Size::Exactly(whole).compressed(),
            #[cfg(feature = "zfp")]
            ArrayToBytes::Zfp(codec) => codec.encoded_size(spec.shape),
            #[cfg(feature = "zfp")]
            ArrayToBytes::Zfpy(codec) => codec.encoded_size(spec.shape),
        };
        let mut sizes = vec![first];
        for codec in &self.bytes_to_bytes {
            sizes.push(codec.encoded_size(sizes[sizes.len() - 1]));
        }
        let strides = c_strides(spec.shape, spec.data_type.item_size())?;
        let is_items = matches!(self.array_to_bytes, ArrayToBytes::Bytes(_));
        let mut steps = self.array_to_array.iter().rev();
        let item_strides = is_items
            .then(|| steps.try_fold(strides.clone(), |strides, step| step.codec.decoded_strides(&strides)));
        Ok(Layout { sizes, strides, item_strides: item_strides.flatten() })
    }
}
