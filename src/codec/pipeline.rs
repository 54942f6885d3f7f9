//! The codec pipeline of an array: sizes are resolved from the first codec to the last before a byte is requested, and
//! chunks are decoded from the last codec to the first.
//!
//! Invariant: `decode` returns exactly the items of the chunk's shape, and each buffer is bounded before it is
//! allocated.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use rectilinear_zarr_kernels::for_speed::resize;

use super::array_to_array::{ArrayToArray, Step};
use super::array_to_bytes::ArrayToBytes;
use super::array_to_bytes::bytes::BytesCodec;
use super::bytes_to_bytes::BytesToBytes;
#[cfg(feature = "blosc")]
use super::bytes_to_bytes::blosc::selected::decode_blocks;
#[cfg(feature = "jpeg2000")]
use super::bytes_to_bytes::jpeg2000::Jpeg2000;
use super::elsewhere::{External, is_pickle, unsupported};
use super::kinds::{ArraySpec, ChunkShapes, CodecInput, NO_TIME, Size};
use super::stages::{Description, PipelinePart, out_of_order};
use crate::error::{Error, Gather, Result};
#[cfg(feature = "blosc")]
use crate::grid::ChunkSelection;
use crate::grid::{Axis, AxisError};
use crate::metadata::{DataType, Extension};
use crate::output::memory::{give_back, no_room, to_memory};
use crate::output::{Decoded, c_strides};
use crate::parts::{Grids, Loaded};

/// The codec pipeline of an array, or of the inner chunks of a shard.
#[derive(Debug, Clone)]
pub struct Pipeline {
    data_type: DataType,
    array_to_array: Vec<Step>,
    array_to_bytes: ArrayToBytes,
    bytes_to_bytes: Vec<BytesToBytes>,
    /// Bytes that a shorter chunk may be compressed from, of which the first ones are its items; 0 where it may not.
    longest: u64,
    known: LayoutCache,
}

/// The configuration of `sharding_indexed`. It is defined beside [`Pipeline`], because each contains the other.
#[derive(Debug, Clone)]
pub struct Sharding {
    pub(super) part: Loaded<Grids>,
    pub(super) chunk_shape: Vec<u64>,
    pub(super) inner: Box<Pipeline>,
    pub(super) index: Box<Pipeline>,
    pub(super) index_at_start: bool,
    pub(super) data_type: DataType,
    pub(super) fill_value: Vec<u8>,
    /// JSON pointer of the chunk shape.
    pub(super) pointer: String,
}

/// A codec of one of the three kinds.
enum Codec {
    /// The codec, and the input of the next one.
    ArrayToArray(ArrayToArray, CodecInput),
    ArrayToBytes(ArrayToBytes),
    BytesToBytes(BytesToBytes),
}

impl Codec {
    /// Parses one metadata entry; `None` where the codec is unknown and `must_understand` is false.
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Option<Self>> {
        if let Some((codec, next)) = ArrayToArray::parse(extension, input)? {
            return Ok(Some(Self::ArrayToArray(codec, next)));
        }
        if let Some(codec) = ArrayToBytes::parse(extension, input)? {
            return Ok(Some(Self::ArrayToBytes(codec)));
        }
        match BytesToBytes::parse(extension)? {
            Some(codec) => Ok(Some(Self::BytesToBytes(codec))),
            None if extension.must_understand || is_pickle(extension) => Err(unsupported(extension)),
            None => Ok(None),
        }
    }
}

impl Pipeline {
    /// A pipeline of codecs that this build does not support. It has whole chunks of any size, and decodes none.
    #[must_use]
    pub fn unknown(data_type: &DataType) -> Self {
        Self::standing(data_type, ArrayToBytes::Unknown)
    }

    /// A pipeline that only stands for codecs.
    fn standing(data_type: &DataType, array_to_bytes: ArrayToBytes) -> Self {
        Self {
            data_type: data_type.clone(),
            array_to_array: Vec::new(),
            array_to_bytes,
            bytes_to_bytes: Vec::new(),
            longest: 0,
            known: LayoutCache::default(),
        }
    }

    /// Parses a list of codecs; `pointer` is the JSON pointer of the list.
    ///
    /// # Errors
    /// [`Error::Unsupported`] names a codec that this build lacks; [`Error::InvalidMetadata`] says
    /// what is wrong with a configuration, or with the order of the codecs.
    pub fn parse(
        codecs: &[Extension],
        pointer: &str,
        data_type: &DataType,
        fill_value: &[u8],
        rank: usize,
    ) -> Result<Self> {
        let first = CodecInput { data_type: data_type.clone(), fill_value: fill_value.to_vec(), rank };
        Self::parse_part(codecs, pointer, first, &PipelinePart::Whole)
    }

    /// Parses the pipeline of a description.
    ///
    /// # Errors
    /// [`Error::Unsupported`] and [`Error::InvalidMetadata`] as in [`Pipeline::parse`].
    pub fn described(description: &Description) -> Result<Self> {
        let Description { pointer, data_type, codecs, fill_value, rank, part } = description;
        let first = CodecInput { data_type: data_type.clone(), fill_value: fill_value.clone(), rank: *rank };
        Self::parse_part(codecs, pointer, first, part)
    }

    /// Parses a list of codecs that is a part of a pipeline.
    fn parse_part(
        codecs: &[Extension],
        pointer: &str,
        first: CodecInput,
        part: &PipelinePart,
    ) -> Result<Self> {
        if let Some(external) = External::of(codecs) {
            return Ok(Self::standing(&first.data_type, ArrayToBytes::External(external)));
        }
        #[cfg(feature = "rare")]
        let rewritten = super::rewritten::rewritten(codecs, first.rank)?;
        #[cfg(feature = "rare")]
        let codecs = &*rewritten;
        let data_type = first.data_type.clone();
        let mut input = first;
        let mut array_to_array = Vec::new();
        let mut array_to_bytes = match part {
            PipelinePart::After { is_exact } => Some(ArrayToBytes::Content { is_exact: *is_exact }),
            _ => None,
        };
        let mut bytes_to_bytes = Vec::new();
        let mut arrays = Vec::new();
        let mut longest = 0;
        for extension in codecs {
            match Codec::parse(extension, &input)? {
                None => {}
                Some(Codec::ArrayToArray(codec, next)) if array_to_bytes.is_none() => {
                    let encoded_type = next.data_type.clone();
                    array_to_array.push(Step { codec, encoded_type, is_turned: false });
                    arrays.push(extension);
                    input = next;
                }
                Some(Codec::ArrayToBytes(codec)) if array_to_bytes.is_none() => {
                    array_to_bytes = Some(codec);
                    longest = BytesCodec::longest(extension);
                }
                Some(Codec::BytesToBytes(codec)) if array_to_bytes.is_some() => bytes_to_bytes.push(codec),
                // imagecodecs writes images without a codec that makes bytes; virtual-tiff has one before them.
                #[cfg(feature = "jpeg2000")]
                Some(Codec::BytesToBytes(codec @ BytesToBytes::Jpeg2000(_))) => {
                    Jpeg2000::check_items(extension, &input.data_type)?;
                    array_to_bytes = Some(ArrayToBytes::BytesCodec(BytesCodec::AsStored));
                    bytes_to_bytes.push(codec);
                }
                Some(_) => return Err(out_of_order(&extension.name, &extension.pointer)),
            }
        }
        let next = match part {
            PipelinePart::Before(next) => Some(next),
            PipelinePart::Whole | PipelinePart::After { .. } => None,
        };
        let array_to_bytes = match (array_to_bytes, next) {
            (None, Some(next)) if next.makes_bytes => ArrayToBytes::BytesCodec(BytesCodec::AsStored),
            (Some(_), Some(next)) if next.makes_bytes => return Err(next.out_of_order()),
            (Some(codec), _) => codec,
            (None, Some(next)) => return Err(next.out_of_order()),
            (None, None) => {
                let reason = "expected an array-to-bytes codec, such as \"bytes\"; found none";
                return Err(Error::metadata(pointer, reason));
            }
        };
        #[cfg(feature = "rare")]
        {
            let next = next.filter(|next| next.makes_bytes).map(|next| next.name.as_str());
            let name = next.unwrap_or_else(|| array_to_bytes.name());
            super::array_to_array::byte_orders::turn(&mut array_to_array, &arrays, name);
        }
        let known = LayoutCache::default();
        Ok(Self { data_type, array_to_array, array_to_bytes, bytes_to_bytes, longest, known })
    }
}

impl Pipeline {
    /// The type of the decoded items.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The sharding codec, where it is the pipeline's only codec: inner chunks can then be read one by one.
    #[must_use]
    pub fn shards(&self) -> Option<&Sharding> {
        match &self.array_to_bytes {
            ArrayToBytes::Sharding(shards)
                if self.array_to_array.is_empty() && self.bytes_to_bytes.is_empty() =>
            {
                Some(shards)
            }
            _ => None,
        }
    }

    /// Whether other modules of the package are needed to decode these chunks, or their inner chunks.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.external().is_some()
    }

    /// Whether the module `rare` is one of them.
    #[must_use]
    pub fn is_rare(&self) -> bool {
        self.external().is_some_and(|external| external.is_rare)
    }

    pub(super) fn external(&self) -> Option<External> {
        match &self.array_to_bytes {
            ArrayToBytes::External(external) => Some(external.clone()),
            ArrayToBytes::Sharding(shards) => shards.inner().external(),
            _ => None,
        }
    }

    /// Size of a decoded chunk of this shape in bytes; saturates at `u64::MAX`.
    #[must_use]
    pub fn decoded_size(&self, shape: &[u64]) -> u64 {
        ArraySpec { data_type: &self.data_type, shape }.size()
    }

    /// Size in bytes of the largest array between the codecs for a chunk of this shape; saturates at `u64::MAX`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where a codec does not accept the shape.
    pub fn largest_size(&self, shape: &[u64]) -> Result<u64> {
        Ok(self.resolved(shape)?.largest)
    }

    /// Size of a stored chunk of this shape in bytes; `None` where a codec's output has no fixed size.
    #[must_use]
    pub(super) fn encoded_size(&self, shape: &[u64]) -> Option<usize> {
        match self.resolved(shape).ok()?.layout().ok()?.stored() {
            Size::Exactly(bytes) => Some(bytes),
            Size::AtMost(_) => None,
        }
    }

    /// Decodes a stored chunk of this shape.
    ///
    /// # Errors
    /// [`Error::Codec`] where a checksum or a length differs or a codec fails, [`Error::Unsupported`]
    /// where memory is too small.
    pub fn decode<'a>(&self, encoded: Cow<'a, [u8]>, shape: &[u64]) -> Result<Decoded<'a>> {
        let resolved = self.resolved(shape)?;
        let Layout { sizes, strides, item_strides, .. } = resolved.layout()?;
        let mut bytes = self.decode_bytes(encoded, sizes)?;
        let spec = ArraySpec { data_type: self.encoded_type(), shape: resolved.encoded_shape() };
        if self.longest > 0 {
            let size = spec.size() as usize;
            bytes.to_mut().truncate(size);
            Size::Exactly(size).check(self.array_to_bytes.name(), bytes.len())?;
        }
        let decoded = self.array_to_bytes.decode(bytes, &spec, strides.clone())?;
        // Codecs that calculate with items need little-endian numbers.
        let decoded = if item_strides.is_some() { decoded } else { decoded.into_little_endian() };
        let steps = self.array_to_array.iter().zip(resolved.shapes.windows(2));
        steps.rev().try_fold(decoded, |decoded, (step, shapes)| {
            step.decode(decoded, ChunkShapes { decoded: &shapes[0], encoded: &shapes[1] })
        })
    }

    /// Whether decoded chunks may have big-endian items, whose bytes are reversed when they are copied to the result.
    #[must_use]
    pub fn leaves_big_endian(&self) -> bool {
        match &self.array_to_bytes {
            ArrayToBytes::BytesCodec(codec) => matches!(codec, BytesCodec::Reversed(_)),
            ArrayToBytes::Sharding(shards) => shards.inner().leaves_big_endian(),
            _ => false,
        }
    }

    /// Strides in bytes of items in a stored chunk, along each axis of the array; `None` where a chunk is not stored as
    /// uncompressed items.
    #[must_use]
    pub fn plain_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        self.bytes_to_bytes.is_empty().then(|| self.item_strides(shape))?
    }

    /// Like [`Pipeline::plain_strides`], but `None` also for big-endian items.
    #[must_use]
    pub fn stored_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        let is_in_order = matches!(self.array_to_bytes, ArrayToBytes::BytesCodec(BytesCodec::AsStored));
        is_in_order.then(|| self.plain_strides(shape))?
    }

    /// Strides in bytes of items before compression, along each axis of the array; `None` where codecs change items.
    fn item_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        self.resolved(shape).ok()?.layout().ok()?.item_strides.clone()
    }

    /// Whether a chunk of this shape is stored as uncompressed items.
    #[must_use]
    pub fn is_plain(&self, shape: &[u64]) -> bool {
        let is_items = |resolved: Rc<Resolved>| resolved.layout.as_ref()?.item_strides.as_ref().map(drop);
        self.bytes_to_bytes.is_empty() && self.resolved(shape).ok().and_then(is_items).is_some()
    }

    /// Decodes items of a chunk that is stored as uncompressed items: all of them or some, with these strides in bytes.
    #[must_use]
    pub fn decode_items<'a>(&self, items: Cow<'a, [u8]>, strides: Vec<usize>) -> Decoded<'a> {
        match &self.array_to_bytes {
            ArrayToBytes::BytesCodec(codec) => codec.items(items, strides),
            _ => Decoded { bytes: items, strides, ..Decoded::default() },
        }
    }

    /// Checks the size of a stored chunk of this shape, before memory is allocated for it.
    ///
    /// # Errors
    /// [`Error::Codec`] where the chunk has too many or too few bytes.
    pub fn check_encoded(&self, length: usize, shape: &[u64]) -> Result<()> {
        self.resolved(shape)?.layout()?.stored().check(self.outermost(), length)
    }

    fn outermost(&self) -> &'static str {
        self.bytes_to_bytes.last().map_or(self.array_to_bytes.name(), BytesToBytes::name)
    }

    /// Undoes the bytes-to-bytes codecs, last first.
    fn decode_bytes<'a>(&self, encoded: Cow<'a, [u8]>, sizes: &[Size]) -> Result<Cow<'a, [u8]>> {
        sizes[sizes.len() - 1].check(self.outermost(), encoded.len())?;
        let steps = self.bytes_to_bytes.iter().zip(sizes);
        steps.rev().try_fold(encoded, |encoded, (codec, size)| codec.decode(encoded, *size))
    }

    /// Data type after the last array-to-array codec.
    pub(super) fn encoded_type(&self) -> &DataType {
        self.array_to_array.last().map_or(&self.data_type, |step| &step.encoded_type)
    }

    /// Decoded bytes per microsecond; `u64::MAX` where chunks are stored as uncompressed items. From it the reader chooses
    /// where to decode a chunk and how to cache it.
    ///
    /// Rates are approximate: measured in WebAssembly with SIMD on a desktop processor, with the kinds of data that Zarr
    /// usually holds. Only the ratios matter: between codecs, and to a copy of memory.
    #[must_use]
    pub fn decoded_rate(&self) -> u64 {
        let filters = self.array_to_array.iter().map(|_| 1000);
        let codecs = self.bytes_to_bytes.iter().map(BytesToBytes::decoded_rate);
        // Times of codecs one after the other add up.
        let picoseconds = |rate: u64| 1_000_000 / rate;
        let sum: u64 =
            codecs.chain(filters).chain([self.array_to_bytes.decoded_rate()]).map(picoseconds).sum();
        1_000_000_u64.checked_div(sum).unwrap_or(NO_TIME)
    }
}

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
        largest = largest.max(self.longest);
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
        let mut sizes = vec![self.array_to_bytes.encoded_size(spec, whole)?];
        if self.longest > whole as u64 {
            sizes[0] = Size::AtMost(self.longest as usize);
        }
        for codec in &self.bytes_to_bytes {
            sizes.push(codec.encoded_size(sizes[sizes.len() - 1]));
        }
        let strides = c_strides(spec.shape, spec.data_type.item_size())?;
        let is_items = matches!(self.array_to_bytes, ArrayToBytes::BytesCodec(_));
        let mut steps = self.array_to_array.iter().rev();
        let item_strides = is_items
            .then(|| steps.try_fold(strides.clone(), |strides, step| step.codec.decoded_strides(&strides)));
        Ok(Layout { sizes, strides, item_strides: item_strides.flatten() })
    }
}

impl Pipeline {
    /// Whether chunks of this shape can be decoded to one buffer: no codec changes their items.
    #[must_use]
    pub fn decodes_rows(&self, shape: &[u64]) -> bool {
        self.item_strides(shape).is_some()
    }

    /// Decodes chunks that lie one after the other in `encoded` and have these lengths in bytes.
    ///
    /// The items are decoded to `memory`, which grows as needed. Chunks that are stored as uncompressed items are
    /// borrowed from `encoded`.
    #[must_use]
    pub fn decode_row<'a>(
        &self,
        encoded: &'a [u8],
        lengths: &[u32],
        shape: &[u64],
        memory: &'a mut Vec<u8>,
    ) -> Option<Decoded<'a>> {
        let resolved = self.resolved(shape).ok()?;
        let layout = resolved.layout().ok()?;
        let (Some(strides), Size::Exactly(size @ 1..)) = (&layout.item_strides, layout.sizes[0]) else {
            return None;
        };
        let whole = size.checked_mul(lengths.len()).filter(|&whole| whole > 0)?;
        let strides = strides.clone();
        if self.bytes_to_bytes.is_empty() {
            let are_items = lengths.iter().all(|&length| length as usize == size);
            let items = encoded.get(..whole).filter(|_| are_items)?;
            return Some(self.decode_items(Cow::Borrowed(items), strides));
        }
        if memory.len() < whole {
            resize(memory, whole);
        }
        let mut rest = encoded;
        for (&length, items) in lengths.iter().zip(memory.chunks_exact_mut(size)) {
            let (chunk, after) = rest.split_at_checked(length as usize)?;
            let chunk = self.decode_bytes(Cow::Borrowed(chunk), &layout.sizes).ok()?;
            items.copy_from_slice(&chunk);
            if let Cow::Owned(chunk) = chunk {
                give_back(chunk);
            }
            rest = after;
        }
        Some(self.decode_items(Cow::Borrowed(&memory[..whole]), strides))
    }
}

#[cfg(feature = "blosc")]
impl Pipeline {
    /// Whether chunks of this shape can be decoded in part: no codec changes items, and Blosc is the first compressor.
    #[must_use]
    pub fn decodes_parts(&self, shape: &[u64]) -> bool {
        matches!(self.bytes_to_bytes.first(), Some(BytesToBytes::Blosc(..)))
            && self.longest == 0
            && self.item_strides(shape).is_some()
    }

    /// Decodes the selected part of a stored chunk of this shape. The boolean is true where all of the chunk is
    /// decoded.
    ///
    /// # Errors
    /// The errors of [`Pipeline::decode`].
    pub fn decode_part(
        &self,
        encoded: Cow<'_, [u8]>,
        shape: &[u64],
        selection: &ChunkSelection,
    ) -> Result<(Decoded<'static>, bool)> {
        let Some(strides) = self.item_strides(shape).filter(|_| self.decodes_parts(shape)) else {
            return Ok((self.decode(encoded, shape)?.into_owned(), true));
        };
        let (frame, size) = self.innermost(encoded, shape)?;
        let item = self.data_type().item_size();
        let (decoded, is_whole) = decode_blocks(Loaded::get()?, &frame, size, selection, &strides, item)?;
        Ok((self.decode_items(Cow::Owned(decoded), strides), is_whole))
    }

    /// Undoes all bytes-to-bytes codecs but the first; also returns the size that the first one's output must have.
    fn innermost<'a>(&self, encoded: Cow<'a, [u8]>, shape: &[u64]) -> Result<(Cow<'a, [u8]>, Size)> {
        let resolved = self.resolved(shape)?;
        let layout = resolved.layout()?;
        layout.stored().check(self.outermost(), encoded.len())?;
        let sizes = &layout.sizes;
        let outer = self.bytes_to_bytes.iter().zip(sizes).skip(1);
        let bytes = outer.rev().try_fold(encoded, |encoded, (codec, size)| codec.decode(encoded, *size))?;
        Ok((bytes, sizes[0]))
    }
}

/// The most chunk shapes that a pipeline caches: 16, more than chunks of a month each have in one year along two axes.
const MAX_KEPT: usize = 16;

/// The pipeline's codecs resolved for a chunk of one shape.
#[derive(Debug)]
pub(super) struct Resolved {
    /// Shape of the chunk before each array-to-array codec, and after the last one.
    shapes: Vec<Vec<u64>>,
    /// Size of the largest of these arrays in bytes; saturates at `u64::MAX`.
    largest: u64,
    /// `None` where the arrays do not fit into memory.
    layout: Option<Layout>,
}

/// Buffer sizes and strides of a chunk in memory.
#[derive(Debug)]
pub(super) struct Layout {
    /// Size that the bytes may have after each encoding step: the array-to-bytes codec, then the bytes-to-bytes codecs.
    sizes: Vec<Size>,
    /// Strides in bytes after the last array-to-array codec.
    strides: Vec<usize>,
    /// Strides in bytes along the array's axes, where the array-to-array codecs leave items unchanged and the codec
    /// after them is `bytes`; else `None`.
    item_strides: Option<Vec<usize>>,
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
struct LayoutCache(RefCell<Vec<Rc<Resolved>>>);

impl LayoutCache {
    /// The resolution of a shape, cached or computed now.
    fn get(&self, shape: &[u64], resolve: impl FnOnce() -> Result<Resolved>) -> Result<Rc<Resolved>> {
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
