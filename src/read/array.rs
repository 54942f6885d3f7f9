//! An opened array: what it is, and what it can do with a task: limits, requests' lengths, decoding.
//!
//! Its plans are in `plan`, what a shard's index leads to in `shards`, byte ranges of uncompressed chunks in `pieces`,
//! and its joining with others in `concat`.
//! Invariant: at most two bytes of a stored chunk beyond the limit are requested, and no memory is allocated for it.

use std::borrow::Cow;
use std::rc::Rc;

use super::convert::conversion::missing_integers;
use super::jobs::job::{Job, decode, nested};
use super::jobs::messages::parcel;
use super::task::{ChunkLocation, Task};
use crate::codec::{Description, Pipeline, PipelinePart};
use crate::error::{Error, Gather, Result};
use crate::grid::{Axis, ChunkGrid, ChunkSelection};
use crate::metadata::{ArrayMetadata, BoundsOf, ChunkKeys, Proposal, TimeEncoding};
use crate::network::ByteRange;
use crate::output::Decoded;
use crate::source::metadata_key;

/// Default limit of a decoded chunk: 1 GiB.
///
/// WebAssembly addresses 4 GiB, and a chunk and the output it is copied to must both fit.
pub const DEFAULT_MAX_CHUNK_BYTES: u64 = 1 << 30;

/// Longest file that is read whole because its host ignores ranges: 1 GiB. The file is a shard, or one to which the
/// index of a virtual store refers.
///
/// It is held in JavaScript's memory, and no metadata gives its length.
pub const MAX_WHOLE_BYTES: u64 = 1 << 30;

/// Longest index of a shard that is read: 256 MiB, for 16 million inner chunks.
///
/// The index is held whole, both encoded and decoded.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// Smallest decoded size of a chunk of which parts are decoded: 256 KiB. A smaller chunk is decoded, and cached, whole.
const LEAST_PARTED_BYTES: u64 = 256 << 10;

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
    pub keys: ChunkKeys,
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

/// A stored array that a selection meets.
pub(super) struct Share<'a> {
    /// Its number among concatenated arrays.
    pub(super) number: usize,
    pub(super) array: &'a Array,
    /// The selection from it.
    pub(super) selection: ChunkSelection,
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
        let keys = ChunkKeys::new(path, metadata.chunk_keys.clone());
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

    /// Whether a task selects only a part of its chunk.
    pub(super) fn takes_part(&self, task: &Task) -> bool {
        task.selection.count()
            < task.chunk_shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge))
    }

    /// Whether a task's chunk is a shard, whose inner chunks can be read one by one.
    #[must_use]
    pub fn is_shard(&self, task: &Task) -> bool {
        self.task_pipeline(task).shards().is_some()
    }

    /// Number of chunks to decode for a task: 1, or the inner chunks that the selection meets where its chunk is a
    /// shard.
    #[must_use]
    pub fn chunks_of(&self, task: &Task) -> u64 {
        if !self.is_shard(task) {
            return 1;
        }
        let axes = task.chunk_shape.iter().map(|&edge| Axis::regular(edge, edge)).gathered();
        match axes.and_then(|axes| self.task_pipeline(task).divided(&axes)) {
            Ok(Some(axes)) => task.selection.chunks(&ChunkGrid::new(axes)),
            _ => 1,
        }
    }

    /// Decoding rate of a task's codecs, in decoded bytes per microsecond.
    #[must_use]
    pub fn rate_of(&self, task: &Task) -> u64 {
        self.task_pipeline(task).decoded_rate()
    }

    /// The most bytes that are read of the stored value that holds a task's bytes. It is 0 for a chunk that is too
    /// large to decode, which is only requested to know whether it is stored.
    #[must_use]
    pub fn most_stored(&self, task: &Task) -> u64 {
        if task.is_too_large {
            return 0;
        }
        let pipeline = self.task_pipeline(task);
        let most = task.most.or_else(|| pipeline.most_encoded(&task.chunk_shape)).unwrap_or(MAX_WHOLE_BYTES);
        if pipeline.shards().is_some() { most.min(MAX_WHOLE_BYTES) } else { most }
    }

    /// Applies the limit of decoded sizes to a task. Only the first two bytes of a chunk beyond the limit are requested:
    /// where none is stored, its items are the fill value, whatever its size.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where an index says that a chunk beyond the limit is stored.
    pub(super) fn limited(&self, mut task: Task) -> Result<Task> {
        let (Some(error), ChunkLocation::Stored(request)) = (self.too_large(&task)?, &mut task.location)
        else {
            return Ok(task);
        };
        if request.range != ByteRange::All {
            return Err(error);
        }
        // Two bytes, not one: sirv and servers made with it answer `bytes=0-0` with all bytes.
        request.range = ByteRange::UpTo(0..2);
        task.is_too_large = true;
        Ok(task)
    }

    /// Error for a task's chunk that is beyond the limit; `None` for others. For a shard, the limit is that of its index.
    fn too_large(&self, task: &Task) -> Result<Option<Error>> {
        if let Some(shards) = self.task_pipeline(task).shards() {
            return Ok(match shards.index_size(&task.chunk_shape) {
                Some(bytes) if bytes <= MAX_INDEX_BYTES => None,
                _ => Some(Error::Unsupported {
                    feature: format!("a shard of shape {:?}", task.chunk_shape),
                    reason: format!("the index of {} has more than {MAX_INDEX_BYTES} bytes", task.key()),
                }),
            });
        }
        let bytes = self.task_pipeline(task).largest_size(&task.chunk_shape)?;
        Ok((bytes > self.max_chunk_bytes).then(|| Error::Unsupported {
            feature: format!("a chunk of {bytes} bytes"),
            reason: format!(
                "chunk {:?} ({}) of shape {:?} is larger than maxChunkBytes, {}; raise it to read on",
                task.coords,
                task.key(),
                task.chunk_shape,
                self.max_chunk_bytes
            ),
        }))
    }

    /// Decodes the answer to a task; `None` where nothing is stored.
    ///
    /// # Errors
    /// [`crate::Error::Codec`], with the chunk's key and coordinates; [`crate::Error::Unsupported`] where the chunk is
    /// larger than the limit.
    pub fn decode<'b>(&self, task: &Task, answer: Option<Cow<'b, [u8]>>) -> Result<Option<Decoded<'b>>> {
        let Some(encoded) = answer else { return Ok(None) };
        self.check_size(task)?;
        let decoded = decode(self.task_pipeline(task), task.job(), encoded);
        decoded.map(|(decoded, _)| Some(decoded)).map_err(|error| task.blame(error))
    }

    /// Checks the length in bytes of the answer to a task, before memory is allocated for it.
    ///
    /// # Errors
    /// [`crate::Error::Codec`], with the chunk's key and coordinates; [`crate::Error::Unsupported`] where the chunk is
    /// larger than the limit.
    pub fn check_answer(&self, task: &Task, length: usize) -> Result<()> {
        self.check_size(task)?;
        if task.is_piece {
            // A store's answer to a range is as long as the range.
            return Ok(());
        }
        let checked = self.task_pipeline(task).check_encoded(length, &task.chunk_shape);
        checked.map_err(|error| task.blame(error))
    }

    /// Checks the length in bytes of the whole value that a task's bytes were cut out of.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where a chunk that is read in pieces has another length.
    pub fn check_whole(&self, task: &Task, length: usize) -> Result<()> {
        if !task.is_piece || task.depth > 0 {
            return Ok(());
        }
        let checked = self.pipeline.check_encoded(length, &task.chunk_shape);
        checked.map_err(|error| task.blame(error))
    }

    /// Whether only the selected part of a task's chunk is decoded: its codecs can do so, and the part is at most half
    /// of a large chunk.
    #[must_use]
    pub fn reads_part(&self, task: &Task) -> bool {
        let items = || task.chunk_shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge));
        !task.is_piece
            && self.decoded_bytes(task) >= LEAST_PARTED_BYTES
            && task.selection.count() <= items() / 2
            && decodes_parts(self.task_pipeline(task), &task.chunk_shape)
    }

    /// Decodes the bytes of a task's job; returns the items, and whether they are the whole chunk.
    ///
    /// # Errors
    /// [`crate::Error::Codec`], without the chunk's key and coordinates.
    pub fn run(&self, task: &Task, job: Job<'_>, encoded: Cow<'_, [u8]>) -> Result<(Decoded<'static>, bool)> {
        let (decoded, is_whole) = decode(self.task_pipeline(task), job, encoded)?;
        Ok((decoded.into_owned(), is_whole))
    }

    /// Decodes the selected part of a task's chunk; returns the items, and whether they are the whole chunk.
    ///
    /// # Errors
    /// As [`Array::decode`].
    pub fn decode_part(&self, task: &Task, encoded: Cow<'_, [u8]>) -> Result<(Decoded<'static>, bool)> {
        self.check_size(task)?;
        self.run(task, task.part_job(), encoded).map_err(|error| task.blame(error))
    }

    /// Whether a task's chunk is stored as uncompressed items.
    #[must_use]
    pub fn is_plain(&self, task: &Task) -> bool {
        self.task_pipeline(task).is_plain(&task.chunk_shape)
    }

    /// Strides in bytes of the items in a task's stored chunk, along each axis; `None` where it is not stored as
    /// uncompressed little-endian items.
    #[must_use]
    pub fn stored_strides(&self, task: &Task) -> Option<Vec<usize>> {
        self.task_pipeline(task).stored_strides(&task.chunk_shape)
    }

    /// Size in bytes of a task's decoded chunk; 0 where it is too large to decode.
    #[must_use]
    pub fn decoded_bytes(&self, task: &Task) -> u64 {
        if task.is_too_large {
            return 0;
        }
        self.pipeline.decoded_size(&task.chunk_shape)
    }

    /// Checks that a task's chunk is not beyond the limit.
    fn check_size(&self, task: &Task) -> Result<()> {
        if !task.is_too_large {
            return Ok(());
        }
        self.too_large(task)?.map_or(Ok(()), Err)
    }

    /// The codecs of a task's chunk.
    pub(crate) fn task_pipeline(&self, task: &Task) -> &Pipeline {
        nested(&self.pipeline, task.depth)
    }

    /// Decodes chunks of a row, from its first one on, that lie one after the other in `encoded` and have these lengths
    /// in bytes. The items are decoded to `memory`, or borrowed from `encoded` where they are stored uncompressed.
    ///
    /// `None` where a chunk cannot be decoded: [`Array::decode`] gives its error.
    #[must_use]
    pub fn decode_row<'b>(
        &self,
        row: &Task,
        encoded: &'b [u8],
        lengths: &[u32],
        memory: &'b mut Vec<u8>,
    ) -> Option<Decoded<'b>> {
        self.pipeline.decode_row(encoded, lengths, &row.chunk_shape, memory)
    }

    /// Whether the array's chunks can be decoded row by row.
    pub(super) fn decodes_rows(&self) -> bool {
        let shape = self.metadata.chunk_grid.chunk_shapes().next();
        self.inner_grid.is_none() && shape.is_some_and(|shape| self.pipeline.decodes_rows(&shape))
    }

    /// Description of the codecs, from which a [`Decoder`] is made.
    #[must_use]
    pub fn description(&self) -> Vec<u8> {
        let ArrayMetadata { pointer, codecs, data_type, fill_value, shape, .. } = &self.metadata;
        let description = Description {
            pointer: format!("{pointer}/codecs"),
            data_type: data_type.clone(),
            codecs: codecs.clone(),
            fill_value: fill_value.clone(),
            rank: shape.len(),
            part: PipelinePart::Whole,
        };
        description.packed()
    }

    /// Whether chunks are decoded by other modules too, because this one lacks a codec.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.pipeline.is_external()
    }

    /// Packs the query: a batch with a job for each chunk shape that the codecs must accept, without bytes.
    #[must_use]
    pub fn support_query(&self) -> Vec<u8> {
        let (mut depth, mut inner, mut pipeline) = (0, None, self.pipeline.as_ref());
        while let Some(shards) = pipeline.shards() {
            (depth, inner, pipeline) = (depth + 1, Some(shards.chunk_shape().to_vec()), shards.inner());
        }
        // Inner chunks have one shape, but for those that end a shard with a remainder, which are smaller.
        let shapes =
            inner.map_or_else(|| self.metadata.chunk_grid.chunk_shapes().collect(), |shape| vec![shape]);
        let job = |shape: &Vec<u64>| {
            Job { depth, is_piece: false, shape, selection: None, reduction: &[] }.packed(0)
        };
        let jobs: Vec<Vec<u8>> = shapes.iter().map(job).collect();
        parcel(&self.description(), jobs.iter().map(Vec::as_slice))
    }

    /// Appends the stored arrays that the selection meets to `shares`.
    /// `number` is the number of this array, or of its first stored array.
    pub(super) fn share<'a>(&'a self, number: usize, selection: ChunkSelection, shares: &mut Vec<Share<'a>>) {
        let Some(joined) = &self.joined else { return shares.push(Share { number, array: self, selection }) };
        for chunk in selection.parts(&joined.grid) {
            let nth = usize::try_from(chunk.coords[joined.axis]).unwrap_or(usize::MAX);
            let part = &joined.parts[joined.met[nth]];
            part.array.share(number + part.first, chunk.selection, shares);
        }
    }

    /// Time encoding of the array. An array of bounds takes it from the variable that it belongs to.
    ///
    /// # Errors
    /// As [`TimeEncoding::of`]; [`Error::Unsupported`] where the concatenated arrays differ in it, or in their missing
    /// values.
    pub fn times(&self, bounds_of: &BoundsOf) -> Result<TimeEncoding> {
        let times = TimeEncoding::of(&self.metadata, bounds_of)?;
        let missing = missing_integers(&self.metadata)?;
        for array in self.joined.iter().flat_map(Concat::arrays) {
            let others = missing_integers(&array.metadata)?;
            let are_the_same = missing.iter().all(|integer| others.contains(integer))
                && others.iter().all(|integer| missing.contains(integer));
            if array.times(bounds_of)? != times || !are_the_same {
                return Err(Error::Unsupported {
                    feature: "a concatenation of times in different units, or with different missing values"
                        .to_owned(),
                    reason: "decode the times of each array, then concatenate the results".to_owned(),
                });
            }
        }
        Ok(times)
    }

    /// Whether decoded chunks may have big-endian items.
    pub(crate) fn leaves_big_endian(&self) -> bool {
        match &self.joined {
            Some(joined) => joined.arrays().any(Self::leaves_big_endian),
            None => self.pipeline.leaves_big_endian(),
        }
    }

    /// Number of stored arrays in this array.
    pub(super) fn stored_arrays(&self) -> usize {
        let last = self.joined.as_ref().and_then(|joined| joined.parts.last());
        last.map_or(1, |last| last.first + last.array.stored_arrays())
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

/// Whether a pipeline has a codec whose blocks can be decoded alone.
#[cfg(feature = "blosc")]
fn decodes_parts(pipeline: &Pipeline, shape: &[u64]) -> bool {
    pipeline.decodes_parts(shape)
}

#[cfg(not(feature = "blosc"))]
fn decodes_parts(_: &Pipeline, _: &[u64]) -> bool {
    false
}
