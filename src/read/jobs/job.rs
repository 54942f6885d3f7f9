//! Decode jobs: how a chunk's bytes are decoded, apart from where they come from and where the items go.
//!
//! Invariant: a [`Decoder`] made from an array's description gives the same result for a job as the array itself,
//! errors included. The array adds the chunk to an error.

use std::borrow::Cow;

use crate::codec::{Description, Pipeline, Sharding};
use crate::error::{Error, Result};
use crate::grid::ChunkSelection;
use crate::metadata::looks_like_html;
use crate::output::Decoded;

/// Job of decoding the bytes of a chunk or a part of it, and maybe of reducing its items.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Number of shards around the chunk: 0 for a stored chunk.
    pub(crate) depth: usize,
    /// Whether the bytes are a piece of an uncompressed chunk.
    pub(crate) is_piece: bool,
    /// Shape of the decoded chunk.
    pub(crate) shape: &'a [u64],
    /// Selection from the chunk, where only that part is decoded.
    pub(crate) selection: Option<&'a ChunkSelection>,
    /// How the items are reduced where they are decoded, packed; empty where they are not.
    pub(crate) reduction: &'a [u8],
}

impl<'a> Job<'a> {
    /// The job with a reduction of the items, which an answer then has in their place.
    #[must_use]
    pub fn reducing(self, reduction: &'a [u8]) -> Self {
        Self { reduction, ..self }
    }
}

/// Decoder of an array's chunks in a worker or another module, which do not have the array.
#[derive(Debug)]
pub struct Decoder(Pipeline);

impl Decoder {
    /// Creates a decoder from a packed [`Description`].
    ///
    /// # Errors
    /// [`Error::Unsupported`] where this build lacks a codec, [`Error::InvalidMetadata`] where the bytes are no
    /// description.
    pub fn new(description: &[u8]) -> Result<Self> {
        Description::unpacked(description).and_then(|description| Pipeline::described(&description)).map(Self)
    }

    /// Decodes the bytes of a job; gives its items, and whether they are the whole chunk.
    ///
    /// # Errors
    /// [`Error::Codec`] where the bytes are damaged; it does not name its chunk yet.
    pub fn decode<'b>(&self, job: Job<'_>, encoded: Cow<'b, [u8]>) -> Result<(Decoded<'b>, bool)> {
        let (decoded, is_whole) = decode(nested(&self.0, job.depth), job, encoded)?;
        Ok((decoded.into_little_endian(), is_whole))
    }
}

/// Codecs of a chunk inside `depth` nested shards.
pub(crate) fn nested(pipeline: &Pipeline, depth: usize) -> &Pipeline {
    (0..depth).fold(pipeline, |pipeline, _| pipeline.shards().map_or(pipeline, Sharding::inner))
}

/// Decodes the bytes of a job with the chunk's own codecs; gives its items, and whether they are the whole chunk.
pub(crate) fn decode<'b>(
    pipeline: &Pipeline,
    job: Job<'_>,
    encoded: Cow<'b, [u8]>,
) -> Result<(Decoded<'b>, bool)> {
    // Asked before, as decoding takes the bytes, and only of those that may be one.
    let is_page = encoded.trim_ascii_start().starts_with(b"<") && looks_like_html(&encoded);
    let decoded = match job.selection {
        Some(selection) => decode_part(pipeline, encoded, job.shape, selection),
        None if job.is_piece => decode_piece(pipeline, encoded, job.shape).map(|piece| (piece, false)),
        None => pipeline.decode(encoded, job.shape).map(|chunk| (chunk, true)),
    };
    decoded.map_err(|error| error.of_page(is_page))
}

/// Selected items of a piece of an uncompressed chunk of this shape, from the piece's bytes.
fn decode_piece<'a>(pipeline: &Pipeline, bytes: Cow<'a, [u8]>, shape: &[u64]) -> Result<Decoded<'a>> {
    let Some(strides) = pipeline.plain_strides(shape) else {
        return Err(Error::codec("bytes", "a piece of a compressed chunk", "a piece of an uncompressed one"));
    };
    Ok(pipeline.decode_items(bytes, strides))
}

#[cfg(feature = "blosc")]
fn decode_part(
    pipeline: &Pipeline,
    encoded: Cow<'_, [u8]>,
    shape: &[u64],
    selection: &ChunkSelection,
) -> Result<(Decoded<'static>, bool)> {
    pipeline.decode_part(encoded, shape, selection)
}

/// Decodes the whole chunk, because no codec of this build decodes parts.
#[cfg(not(feature = "blosc"))]
fn decode_part(
    pipeline: &Pipeline,
    encoded: Cow<'_, [u8]>,
    shape: &[u64],
    _: &ChunkSelection,
) -> Result<(Decoded<'static>, bool)> {
    Ok((pipeline.decode(encoded, shape)?.into_owned(), true))
}
