//! A decode job: what becomes of a chunk's bytes, apart from where they come from and where the items go.
//!
//! Invariant: a [`Decoder`] that was made from an array's description does with a job what the array itself does,
//! errors included; of which chunk an error is, the array adds.

use std::borrow::Cow;

use crate::codec::{Pipeline, Sharding};
use crate::error::{Error, Gather, Packer, Result, Unpacker};
use crate::grid::ChunkSelection;
use crate::metadata::{ArrayMetadata, DataType, Extension, Json, Value, looks_like_html};
use crate::output::Decoded;
use crate::read::array::Array;

/// Job of decoding some bytes.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// How many shards the chunk lies in.
    pub(crate) depth: usize,
    /// Whether the bytes are a piece of an uncompressed chunk.
    pub(crate) is_piece: bool,
    /// The shape that the chunk decodes to.
    pub(crate) shape: &'a [u64],
    /// Selection from the chunk, where that is best decoded alone.
    pub(crate) wanted: Option<&'a ChunkSelection>,
}

/// Decoder of an array's chunks where the array is not: in a worker, or in another module.
#[derive(Debug)]
pub struct Decoder(Pipeline);

impl Array {
    /// Description that a [`Decoder`] is made from.
    #[must_use]
    pub fn description(&self) -> Vec<u8> {
        let ArrayMetadata { pointer, codecs, data_type, fill_value, shape, .. } = &self.metadata;
        let document = Value::object([
            ("pointer", pointer.as_str().into()),
            ("data_type", data_type.described()),
            ("codecs", codecs.iter().map(Extension::described).collect()),
        ]);
        let mut parts = Packer::default();
        parts.bytes(document.to_string().as_bytes()).bytes(fill_value).number(shape.len() as u64);
        parts.finish()
    }
}

impl Decoder {
    /// The decoder that [`Array::description`] tells of.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where this build lacks a codec, [`Error::InvalidMetadata`] where the bytes are no
    /// description.
    pub fn new(description: &[u8]) -> Result<Self> {
        let unreadable = || Error::metadata("", "these bytes do not describe the codecs of an array");
        let mut parts = Unpacker::new(description);
        let parts = (parts.bytes(), parts.bytes(), parts.length());
        let (Some(document), Some(fill_value), Some(rank)) = parts else { return Err(unreadable()) };
        let document = Value::parse(document).map_err(|_| unreadable())?;
        let root = Json::root(&document);
        let data_type = DataType::from_described(root.required("data_type")?)?;
        let codecs = root.required("codecs")?;
        let codecs = codecs.items()?.map(Extension::from_described).gathered()?;
        let pointer = root.required("pointer")?.string()?;
        Ok(Self(Pipeline::parse(&codecs, pointer, &data_type, fill_value, rank)?))
    }

    /// That chunks of this shape can be decoded.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where a codec has no place for it.
    pub fn check(&self, shape: &[u64]) -> Result<()> {
        self.0.check(shape)
    }

    /// The items that a job's bytes decode to, and whether they are all of the chunk.
    ///
    /// # Errors
    /// [`Error::Codec`], which does not know its chunk yet.
    pub fn decode<'b>(&self, job: Job<'_>, encoded: Cow<'b, [u8]>) -> Result<(Decoded<'b>, bool)> {
        let (decoded, is_whole) = decode(nested(&self.0, job.depth), job, encoded)?;
        Ok((decoded.into_little_endian(), is_whole))
    }
}

/// The codecs of a chunk that lies in so many shards.
pub(crate) fn nested(pipeline: &Pipeline, depth: usize) -> &Pipeline {
    (0..depth).fold(pipeline, |pipeline, _| pipeline.shards().map_or(pipeline, Sharding::inner))
}

/// The items that a job's bytes decode to by the chunk's own codecs, and whether they are all of the chunk.
pub(crate) fn decode<'b>(
    pipeline: &Pipeline,
    job: Job<'_>,
    encoded: Cow<'b, [u8]>,
) -> Result<(Decoded<'b>, bool)> {
    let is_page = looks_like_html(&encoded);
    let decoded = match job.wanted {
        Some(wanted) => decode_part(pipeline, encoded, job.shape, wanted),
        None if job.is_piece => decode_piece(pipeline, encoded, job.shape).map(|piece| (piece, false)),
        None => pipeline.decode(encoded, job.shape).map(|chunk| (chunk, true)),
    };
    decoded.map_err(|error| match error {
        Error::Codec(mut error) if is_page => {
            let hint =
                "its bytes are an HTML page: some hosts serve one, with status 200, for what is not there";
            error.hint = hint.into();
            Error::Codec(error)
        }
        error => error,
    })
}

/// The picked items of a piece of a chunk of this shape, as the piece's bytes have them.
fn decode_piece<'a>(pipeline: &Pipeline, bytes: Cow<'a, [u8]>, shape: &[u64]) -> Result<Decoded<'a>> {
    let Some(strides) = pipeline.plain_strides(shape) else {
        return Err(Error::codec("bytes", "a piece of a compressed chunk", "a piece of a plain one"));
    };
    Ok(pipeline.decode_items(bytes, strides))
}

#[cfg(feature = "blosc")]
fn decode_part(
    pipeline: &Pipeline,
    encoded: Cow<'_, [u8]>,
    shape: &[u64],
    wanted: &ChunkSelection,
) -> Result<(Decoded<'static>, bool)> {
    pipeline.decode_part(encoded, shape, wanted)
}

/// All of it: no codec of this build decodes parts.
#[cfg(not(feature = "blosc"))]
fn decode_part(
    pipeline: &Pipeline,
    encoded: Cow<'_, [u8]>,
    shape: &[u64],
    _: &ChunkSelection,
) -> Result<(Decoded<'static>, bool)> {
    Ok((pipeline.decode(encoded, shape)?.into_owned(), true))
}
