//! An array as it is opened: metadata, codec pipeline and keys, ready to be planned on.

use std::rc::Rc;

use crate::codec::Pipeline;
use crate::error::{Error, Gather, Result};
use crate::grid::{Axis, ChunkGrid};
use crate::metadata::ArrayMetadata;
use crate::source::{ZarrKeys, metadata_key};

/// The largest decoded chunk that is read unless the caller says otherwise: 1 GiB.
///
/// The reason: WebAssembly addresses 4 GiB, and a chunk and the output it goes to must both fit.
pub const DEFAULT_MAX_CHUNK_BYTES: u64 = 1 << 30;

/// An opened array, or several end to end ([`Array::end_to_end`]), which have the first one's codecs and keys.
#[derive(Debug, Clone)]
pub struct Array {
    /// The array's metadata.
    pub metadata: ArrayMetadata,
    /// Its codecs.
    pub pipeline: Rc<Pipeline>,
    /// The grid of the innermost chunks, where chunks are shards.
    pub inner_grid: Option<ChunkGrid>,
    /// Where its chunks are.
    pub keys: ZarrKeys,
    /// Refuse to decode a chunk larger than this many bytes.
    pub max_chunk_bytes: u64,
    /// The arrays that it is made of; nothing where its chunks are stored as its own.
    pub(super) joined: Option<Concat>,
}

/// The arrays that one is made of.
#[derive(Debug, Clone)]
pub(super) struct Concat {
    pub(super) axis: usize,
    pub(super) parts: Vec<Joint>,
    /// One chunk for each of those parts that have any extent along the axis.
    pub(super) grid: ChunkGrid,
    /// Which parts these are.
    pub(super) met: Vec<usize>,
    pub(super) depth: usize,
}

/// One of the arrays that are laid end to end.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) array: Rc<Array>,
    /// The number of the first stored array in it.
    pub(super) first: usize,
    /// Coordinates along the axis before it.
    pub(super) before: u64,
}

impl Array {
    /// An array from its `zarr.json`, at a normalised path of its store.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] and [`crate::Error::Unsupported`], in that document.
    pub fn parse(document: &[u8], path: &str, max_chunk_bytes: u64) -> Result<Self> {
        ArrayMetadata::parse(document)
            .and_then(|metadata| Self::new(metadata, path, max_chunk_bytes))
            .map_err(|error| error.in_document(&metadata_key(path)))
    }

    /// An array of these metadata, at a normalised path of its store.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] and [`crate::Error::Unsupported`], where the codecs do not fit the rest, or
    /// where the metadata use a proposal that nobody accepted ([`ArrayMetadata::accepting`]); the caller says in
    /// which document, with [`crate::Error::in_document`].
    pub fn new(metadata: ArrayMetadata, path: &str, max_chunk_bytes: u64) -> Result<Self> {
        if let Some(proposed) = metadata.proposals.first() {
            return Err(proposed.refused());
        }
        let ArrayMetadata { pointer, codecs, data_type, fill_value, shape, chunk_grid, .. } = &metadata;
        let pointer = format!("{pointer}/codecs");
        let pipeline = Pipeline::parse(codecs, &pointer, data_type, fill_value, shape.len())?;
        pipeline_shapes(chunk_grid).try_for_each(|shape| pipeline.check(&shape))?;
        let inner_grid = inner_grid(&pipeline, chunk_grid)?;
        let keys = ZarrKeys::new(path, metadata.chunk_keys);
        Ok(Self { metadata, pipeline: Rc::new(pipeline), inner_grid, keys, max_chunk_bytes, joined: None })
    }

    /// Bytes of the largest chunk that is decoded alone; saturates at `u64::MAX`.
    #[must_use]
    pub fn largest_chunk(&self) -> u64 {
        if let Some(joined) = &self.joined {
            return joined.arrays().map(Self::largest_chunk).max().unwrap_or(0);
        }
        let largest = |axis: &Axis| axis.runs().iter().map(|run| run.encoded).max().unwrap_or(1);
        self.pipeline.decoded_size(&self.read_grid().axes().iter().map(largest).collect::<Vec<_>>())
    }

    /// Whether the chunks that are decoded one by one are stored as nothing but their items.
    #[must_use]
    pub fn has_plain_chunks(&self) -> bool {
        self.plain_strides().is_some()
    }

    /// How far apart their items lie then.
    pub(super) fn plain_strides(&self) -> Option<Vec<usize>> {
        let mut pipeline = self.pipeline.as_ref();
        while let Some(shards) = pipeline.shards() {
            pipeline = shards.inner();
        }
        let first: Vec<u64> = self.read_grid().axes().iter().map(|axis| axis.runs()[0].encoded).collect();
        pipeline.plain_strides(&first)
    }

    /// The grid of the chunks that are decoded one by one.
    #[must_use]
    pub fn read_grid(&self) -> &ChunkGrid {
        self.inner_grid.as_ref().unwrap_or(&self.metadata.chunk_grid)
    }
}

impl Concat {
    /// The axis that the arrays are joined along.
    pub(super) fn axis(&self) -> usize {
        self.axis
    }

    /// The arrays that are joined.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &Array> {
        self.parts.iter().map(|part| part.array.as_ref())
    }

    /// The array that a stored one lies in, which number that has in it, and the coordinates along the axis before it.
    pub(super) fn part(&self, number: usize) -> (&Array, usize, u64) {
        let part = &self.parts[self.parts.partition_point(|part| part.first <= number) - 1];
        (&part.array, number - part.first, part.before)
    }
}

/// Chunks' shapes of which each edge is one of every run of its axis: a codec that has a place for these has one for all.
pub(super) fn pipeline_shapes(grid: &ChunkGrid) -> impl Iterator<Item = Vec<u64>> {
    let first: Vec<u64> = grid.axes().iter().map(|axis| axis.runs()[0].encoded).collect();
    grid.axes().iter().map(Axis::runs).enumerate().flat_map(move |(axis, runs)| {
        let first = first.clone();
        runs.iter().map(move |run| {
            let mut shape = first.clone();
            shape[axis] = run.encoded;
            shape
        })
    })
}

/// The innermost chunks of all shards, which are whole inner chunks however little of them is the array's.
fn inner_grid(pipeline: &Pipeline, grid: &ChunkGrid) -> Result<Option<ChunkGrid>> {
    let Some(shape) = pipeline.inner_chunk_shape() else { return Ok(None) };
    let axes = grid.axes().iter().zip(shape).map(|(axis, edge)| {
        axis.divided(edge).map_err(|error| Error::Unsupported {
            feature: format!("a grid of inner chunks of {edge}"),
            reason: error.to_string(),
        })
    });
    Ok(Some(ChunkGrid::new(axes.gathered()?)))
}
