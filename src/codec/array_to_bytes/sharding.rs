//! `sharding_indexed`: a chunk that holds a grid of inner chunks and an index of their byte ranges.
//!
//! Invariant: the bytes of an inner chunk are requested or decoded only once the index places them within the shard.
//! The length of the index is computed from its codecs. Spec:
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html>
//!
//! ```json
//! { "name": "sharding_indexed", "configuration": { "chunk_shape": [32, 32],
//!   "codecs": ["bytes"], "index_codecs": ["bytes", "crc32c"], "index_location": "end" } }
//! ```

use std::borrow::Cow;
use std::ops::Range;

use super::shard_index::ShardIndex;
use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size};
use crate::codec::pipeline::Pipeline;
pub(crate) use crate::codec::pipeline::Sharding;
use crate::error::{Error, Gather, Result};
use crate::grid::{Axis, ChunkGrid, ChunkSelection};
use crate::metadata::{DataType, Extension, Proposal};
use crate::output::{Assembly, Decoded, OutputField};
use crate::parts::{Grids, Loaded, later};

const NAME: &str = Sharding::NAMES[0];

impl ArrayToBytesCodec for Sharding {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        parse(Loaded::get()?, extension, input)
    }

    /// Shards may also hold older versions of inner chunks that were rewritten.
    fn encoded_size(&self, _: &ArraySpec<'_>, whole: usize) -> Result<Size> {
        Ok(Size::Exactly(whole).compressed())
    }

    fn decoded_rate(&self) -> u64 {
        self.inner.decoded_rate()
    }

    /// Decodes a whole shard that is in memory.
    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, spec: &ArraySpec<'_>, _: Vec<usize>) -> Result<Decoded<'a>> {
        decode(self.part, self, &encoded, spec.shape)
    }
}

impl Sharding {
    /// The part of shards, which parsed this.
    pub(crate) fn part(&self) -> Loaded<Grids> {
        self.part
    }

    /// The shape of an inner chunk.
    #[must_use]
    pub fn chunk_shape(&self) -> &[u64] {
        &self.chunk_shape
    }

    /// The codec pipeline of the inner chunks.
    #[must_use]
    pub fn inner(&self) -> &Pipeline {
        &self.inner
    }

    /// The grid of inner chunks within a shard of this shape; the last one along an axis may be smaller.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where an edge of the shard is 0, or too long.
    pub fn grid(&self, shape: &[u64]) -> Result<ChunkGrid> {
        let axes = shape.iter().zip(&self.chunk_shape).map(|(&edge, &inner)| {
            let divided = Axis::regular(edge, edge).and_then(|shard| shard.divided(inner));
            divided.map_err(|error| Error::metadata(self.pointer.as_str(), error.to_string()))
        });
        Ok(ChunkGrid::new(axes.gathered()?))
    }

    /// Checks that a shard of this shape consists of whole inner chunks, which the specification asks for.
    pub(crate) fn check_whole(&self, shape: &[u64]) -> Result<()> {
        let mut axes = shape.iter().zip(&self.chunk_shape).enumerate();
        match axes.find(|(_, (edge, inner))| *edge % *inner > 0) {
            None => Ok(()),
            Some((axis, (edge, inner))) => {
                let name = Proposal::ShardingRemainder.name();
                let reason = format!(
                    "on axis {axis}, the shard edge {edge} is not a multiple of the inner edge {inner}; open with \
                     proposals: [{name:?}] where the last inner chunk is meant to be smaller"
                );
                Err(Error::metadata(self.pointer.as_str(), reason))
            }
        }
    }

    /// Byte range of the index in a shard of this shape and length; `None` where the shard is shorter than its index.
    #[must_use]
    pub fn index_range(&self, shape: &[u64], length: u64) -> Option<Range<u64>> {
        let size = self.index_size(shape)?;
        let start = length.checked_sub(size)?;
        Some(if self.index_at_start { 0..size } else { start..length })
    }

    /// Size of the encoded index of a shard of this shape in bytes.
    #[must_use]
    pub fn index_size(&self, shape: &[u64]) -> Option<u64> {
        self.index.encoded_size(&self.index_shape(shape)).map(|size| size as u64)
    }

    /// The most bytes that are read of a shard of this shape: twice those of its inner chunks and its index, and a
    /// mebibyte. Writers may leave older versions of inner chunks in a shard.
    pub(crate) fn most_encoded(&self, shape: &[u64]) -> Option<u64> {
        let inner = self.inner.most_encoded(&self.chunk_shape)?;
        // The index has two numbers for each inner chunk.
        let twice = self.index_shape(shape).into_iter().fold(inner, u64::saturating_mul);
        Some(twice.saturating_add(2 * self.index_size(shape)?).saturating_add(1 << 20))
    }

    /// Whether the index is at the start of the shard.
    #[must_use]
    pub fn index_at_start(&self) -> bool {
        self.index_at_start
    }

    /// Decodes the index of a shard of this shape.
    ///
    /// # Errors
    /// [`Error::Codec`] where the index does not decode, or where inner chunks overlap it or each other in part.
    pub fn decode_index(&self, encoded: &[u8], shape: &[u64]) -> Result<ShardIndex> {
        decode_index(self.part, self, encoded, shape)
    }

    /// Shape of the index: the grid of inner chunks, with 2 numbers (offset and length) for each.
    fn index_shape(&self, shape: &[u64]) -> Vec<u64> {
        let chunks = shape.iter().zip(&self.chunk_shape).map(|(edge, inner)| edge.div_ceil(*inner));
        chunks.chain([2]).collect()
    }
}

#[later]
fn parse(part: Loaded<Grids>, extension: &Extension, input: &CodecInput) -> Result<Sharding> {
    let CodecInput { data_type, fill_value, rank } = input;
    let rank = *rank;
    let settings = extension.settings();
    settings.only_fields(&["chunk_shape", "codecs", "index_codecs", "index_location"])?;
    let shape_field = settings.required("chunk_shape")?;
    let chunk_shape = shape_field.items()?.map(|edge| edge.integer(1)).gathered()?;
    if chunk_shape.len() != rank {
        return Err(shape_field
            .invalid(format!("expected {rank} edges, one for each axis, found {}", chunk_shape.len())));
    }
    let index_at_start = match settings.field("index_location") {
        None => false,
        Some(location) => match location.value().as_str() {
            Some("start") => true,
            Some("end") => false,
            _ => return Err(location.expected("\"start\" or \"end\"")),
        },
    };
    let codecs = |name| -> Result<Vec<Extension>> {
        settings.required(name)?.items()?.map(|item| Extension::parse(item)).gathered()
    };
    let at = |name: &str| format!("{}/{name}", settings.pointer());
    let offsets = DataType::scalar("uint64").unwrap_or_else(|| data_type.clone());
    let index = Pipeline::parse(&codecs("index_codecs")?, &at("index_codecs"), &offsets, &[0; 8], rank + 1)?;
    if let Some(external) = index.external().filter(|external| !external.is_rare) {
        let reason =
            "an index needs codecs whose output has a fixed length, such as \"bytes\" and \"crc32c\"";
        let feature = format!("codec {:?} in the index of a shard", external.name);
        return Err(Error::Unsupported {
            feature,
            reason: format!("met at {}; {reason}", at("index_codecs")),
        });
    }
    if index.encoded_size(&vec![1; rank + 1]).is_none() {
        let reason = "expected codecs whose output has a fixed length, such as \"bytes\" and \"crc32c\"; \
                      otherwise the index cannot be found";
        return Err(Error::metadata(at("index_codecs"), reason));
    }
    let inner = Pipeline::parse(&codecs("codecs")?, &at("codecs"), data_type, fill_value, rank)?;
    Ok(Sharding {
        part,
        chunk_shape,
        inner: Box::new(inner),
        index: Box::new(index),
        index_at_start,
        data_type: data_type.clone(),
        fill_value: fill_value.to_vec(),
        pointer: shape_field.pointer(),
    })
}

#[later]
fn decode_index(_: Loaded<Grids>, sharding: &Sharding, encoded: &[u8], shape: &[u64]) -> Result<ShardIndex> {
    let mut index_shape = sharding.index_shape(shape);
    let decoded = sharding.index.decode(Cow::Borrowed(encoded), &index_shape)?;
    let column = OutputField::whole(sharding.index.data_type(), &[0; 8]);
    let mut entries = Assembly::of_shape(&column, &index_shape)?;
    entries.put(&ChunkSelection::whole(&index_shape), Some(&decoded))?;
    index_shape.pop();
    let entries = entries.into_decoded().bytes.into_owned();
    ShardIndex::new(entries, index_shape, encoded.len() as u64, sharding.index_at_start)
}

#[later]
fn decode(_: Loaded<Grids>, sharding: &Sharding, encoded: &[u8], shape: &[u64]) -> Result<Decoded<'static>> {
    let length = encoded.len() as u64;
    let short = || Error::codec(NAME, length, "enough bytes for the index and the inner chunks");
    let range = sharding.index_range(shape, length).ok_or_else(short)?;
    let index = sharding.decode_index(slice(encoded, &range).ok_or_else(short)?, shape)?;
    let grid = sharding.grid(shape)?;
    let column = OutputField::whole(&sharding.data_type, &sharding.fill_value);
    let mut shard = Assembly::of_shape(&column, shape)?;
    for part in ChunkSelection::whole(shape).parts(&grid) {
        let chunk = match index.locate(&part.coords, Some(length))? {
            None => None,
            Some(range) => {
                let bytes = slice(encoded, &range).ok_or_else(short)?;
                Some(sharding.inner.decode(Cow::Borrowed(bytes), &part.chunk_shape)?)
            }
        };
        shard.put(&part.selection, chunk.as_ref())?;
        // Index entries may share bytes, so the content can be larger than the shard.
        if shard.content_size() > MAX_CONTENT_BYTES {
            let got = format!("more than {MAX_CONTENT_BYTES} bytes of variable-length items");
            return Err(Error::codec(NAME, got, format!("at most {MAX_CONTENT_BYTES} bytes in a chunk")));
        }
    }
    Ok(shard.into_decoded())
}

fn slice<'a>(bytes: &'a [u8], range: &Range<u64>) -> Option<&'a [u8]> {
    bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
}
