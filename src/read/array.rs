//! An opened array: metadata, codec pipeline and chunk keys, ready for plans.

use std::rc::Rc;

use crate::codec::Pipeline;
use crate::error::{Error, Result};
use crate::grid::{Axis, ChunkGrid};
use crate::metadata::{ArrayMetadata, Proposal};
use crate::source::{ZarrKeys, metadata_key};

/// Default limit of a decoded chunk: 1 GiB.
///
/// WebAssembly addresses 4 GiB, and a chunk and the output it is copied to must both fit.
pub const DEFAULT_MAX_CHUNK_BYTES: u64 = 1 << 30;

/// An opened array, or a concatenation of arrays ([`Array::end_to_end`]), which has the first array's codecs and keys.
#[derive(Debug, Clone)]
pub struct Array {
    /// Metadata of the array.
    pub metadata: ArrayMetadata,
    /// Codec pipeline of the stored chunks.
    pub pipeline: Rc<Pipeline>,
    /// Grid of the innermost chunks, where stored chunks are shards.
    pub inner_grid: Option<ChunkGrid>,
    /// Store keys of the chunks.
    pub keys: ZarrKeys,
    /// Limit of a decoded chunk in bytes; larger chunks are not decoded.
    pub max_chunk_bytes: u64,
    /// Arrays of a concatenation; `None` for a stored array.
    pub(super) joined: Option<Concat>,
}

/// Arrays of a concatenation.
#[derive(Debug, Clone)]
pub(super) struct Concat {
    pub(super) axis: usize,
    pub(super) parts: Vec<ConcatPart>,
    /// A grid with one chunk for each part that has any extent along the axis.
    pub(super) grid: ChunkGrid,
    /// Index of the part of each of the grid's chunks.
    pub(super) met: Vec<usize>,
    /// Nesting of concatenations along alternating axes.
    pub(super) depth: usize,
}

/// One array of a concatenation.
#[derive(Debug, Clone)]
pub(super) struct ConcatPart {
    pub(super) array: Rc<Array>,
    /// Number of the first stored array in this part.
    pub(super) first: usize,
    /// Start of the part along the axis.
    pub(super) before: u64,
}

impl Array {
    /// Parses an array from its `zarr.json`, at a normalised path of its store, and refuses what cannot be read.
    ///
    /// # Errors
    /// As [`Array::new`] and [`Array::readable`]; the errors name the document.
    pub fn parse(document: &[u8], path: &str, max_chunk_bytes: u64) -> Result<Self> {
        ArrayMetadata::parse(document)
            .and_then(|metadata| Self::new(metadata, path, max_chunk_bytes))
            .and_then(|array| array.readable().map(|()| array))
            .map_err(|error| error.in_document(&metadata_key(path)))
    }

    /// Creates an array from its metadata, at a normalised path of its store.
    ///
    /// An array whose codecs this build does not support has no inner grid, and decodes no chunk
    /// ([`Array::readable`]).
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where the codecs do not fit the data type or the chunks;
    /// [`crate::Error::Unsupported`] where the metadata use a proposal that was not accepted
    /// ([`ArrayMetadata::accepting`]). The caller adds the document's name with [`crate::Error::in_document`].
    pub fn new(metadata: ArrayMetadata, path: &str, max_chunk_bytes: u64) -> Result<Self> {
        if let Some(proposed) = metadata.proposals.first() {
            return Err(proposed.refused());
        }
        let keys = ZarrKeys::new(path, metadata.chunk_keys);
        let pipeline = Rc::new(Pipeline::unknown(&metadata.data_type));
        let array = Self { metadata, pipeline, inner_grid: None, keys, max_chunk_bytes, joined: None };
        if array.metadata.refusal.is_some() {
            return Ok(array);
        }
        match array.codecs() {
            Ok((pipeline, inner_grid)) => Ok(Self { pipeline: Rc::new(pipeline), inner_grid, ..array }),
            Err(error) => array.refusing(error),
        }
    }

    /// The pipeline of the array's codecs, and the grid of its innermost chunks.
    fn codecs(&self) -> Result<(Pipeline, Option<ChunkGrid>)> {
        let ArrayMetadata { pointer, codecs, data_type, fill_value, shape, chunk_grid, .. } = &self.metadata;
        let pointer = format!("{pointer}/codecs");
        let pipeline = Pipeline::parse(codecs, &pointer, data_type, fill_value, shape.len())?;
        let accepts_remainders = self.metadata.accepted.contains(&Proposal::ShardingRemainder);
        chunk_grid.chunk_shapes().try_for_each(|shape| pipeline.check(&shape, accepts_remainders))?;
        let inner_grid = inner_grid(&pipeline, chunk_grid)?;
        Ok((pipeline, inner_grid))
    }

    /// This array without its codecs, which cannot be read for the reason of an [`Error::Unsupported`].
    ///
    /// # Errors
    /// Any other error, as it is.
    pub fn refusing(mut self, error: Error) -> Result<Self> {
        if !matches!(error, Error::Unsupported { .. }) {
            return Err(error);
        }
        self.pipeline = Rc::new(Pipeline::unknown(&self.metadata.data_type));
        self.inner_grid = None;
        self.metadata.refusal = Some(error);
        Ok(self)
    }

    /// Checks that this build supports the data type and the codecs.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where it does not.
    pub fn readable(&self) -> Result<()> {
        self.metadata.refusal.clone().map_or(Ok(()), Err)
    }

    /// Decoded bytes of the largest chunk of [`Array::read_grid`]; saturates at `u64::MAX`.
    #[must_use]
    pub fn largest_chunk(&self) -> u64 {
        if let Some(joined) = &self.joined {
            return joined.arrays().map(Self::largest_chunk).max().unwrap_or(0);
        }
        let largest = |axis: &Axis| axis.runs().iter().map(|run| run.encoded).max().unwrap_or(1);
        self.pipeline.decoded_size(&self.read_grid().axes().iter().map(largest).collect::<Vec<_>>())
    }

    /// Whether chunks of [`Array::read_grid`] are stored uncompressed, as their items alone.
    #[must_use]
    pub fn has_plain_chunks(&self) -> bool {
        self.plain_strides().is_some()
    }

    /// Strides in bytes of a chunk that is stored as its items alone; `None` for other chunks.
    pub(super) fn plain_strides(&self) -> Option<Vec<usize>> {
        let mut pipeline = self.pipeline.as_ref();
        while let Some(shards) = pipeline.shards() {
            pipeline = shards.inner();
        }
        let first: Vec<u64> = self.read_grid().axes().iter().map(|axis| axis.runs()[0].encoded).collect();
        pipeline.plain_strides(&first)
    }

    /// Grid of the chunks that are decoded one by one: inner chunks, where stored chunks are shards.
    #[must_use]
    pub fn read_grid(&self) -> &ChunkGrid {
        self.inner_grid.as_ref().unwrap_or(&self.metadata.chunk_grid)
    }
}

impl Concat {
    /// Axis of the concatenation.
    pub(super) fn axis(&self) -> usize {
        self.axis
    }

    /// Arrays of the concatenation, in order.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &Array> {
        self.parts.iter().map(|part| part.array.as_ref())
    }

    /// Part that contains a stored array: its array, the stored array's number in it, and the part's start on the axis.
    pub(super) fn part(&self, number: usize) -> (&Array, usize, u64) {
        let part = &self.parts[self.parts.partition_point(|part| part.first <= number) - 1];
        (&part.array, number - part.first, part.before)
    }
}

/// Grid of the innermost chunks of all shards; inner chunks at the array's end stay whole.
fn inner_grid(pipeline: &Pipeline, grid: &ChunkGrid) -> Result<Option<ChunkGrid>> {
    let axes = pipeline.divided(grid.axes()).map_err(|error| Error::Unsupported {
        feature: "a grid of inner chunks".to_owned(),
        reason: error.to_string(),
    });
    Ok(axes?.map(ChunkGrid::new))
}
