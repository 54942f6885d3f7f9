//! `n5_default`: a block of N5 in its default mode: a header with the block's shape, then items in Fortran order.
//!
//! A block at the end of an axis may be smaller than a chunk; the fill value pads it. Invariant: a block takes at most as
//! much memory as a chunk.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/n5_default>
//!
//! ```json
//! { "name": "n5_default", "configuration": { "codecs": [
//!   { "name": "transpose", "configuration": { "order": [1, 0] } },
//!   { "name": "bytes", "configuration": { "endian": "big" } }, "zstd"
//! ] } }
//! ```

use std::borrow::Cow;

use rectilinear_zarr_kernels::copy::{Loop, Walk, copy};

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, Named, Size};
use crate::codec::pipeline::Pipeline;
use crate::error::{Error, Gather, Result};
use crate::metadata::Extension;
use crate::output::memory::{reserved, to_memory};
use crate::output::{Decoded, c_strides, no_fill_value};

const NAME: &str = N5Default::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone)]
pub(crate) struct N5Default {
    /// The codecs of a block after its header.
    block: Box<Pipeline>,
    fill_value: Vec<u8>,
}

impl ArrayToBytesCodec for N5Default {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let CodecInput { data_type, fill_value, rank } = input;
        let settings = extension.settings();
        settings.only_fields(&["codecs"])?;
        let field = settings.required("codecs")?;
        let codecs = field.items()?.map(|codec| Extension::parse(codec)).gathered()?;
        let order = || (0..*rank as u64).rev();
        let is_reversal = |codec: &Extension| {
            let settings = codec.settings();
            let axes = settings.field("order").and_then(|order| order.value().as_array());
            codec.name == "transpose"
                && axes.is_some_and(|axes| axes.iter().map(|axis| axis.as_u64()).eq(order().map(Some)))
        };
        let is_big = |codec: &Extension| {
            let settings = codec.settings();
            let endian = settings.field("endian").filter(|endian| !endian.value().is_null());
            let is_big = endian.map(|endian| endian.value() == "big");
            codec.name == "bytes" && is_big.unwrap_or(data_type.item_size() == 1)
        };
        if codecs.len() > 3 || !codecs.first().is_some_and(is_reversal) || !codecs.get(1).is_some_and(is_big)
        {
            return Err(field.expected(
                "\"transpose\" to the reverse order of axes, \"bytes\" in big endian, and at most one compressor",
            ));
        }
        let block = Pipeline::parse(&codecs, &field.pointer(), data_type, fill_value, *rank)?;
        Ok(Self { block: Box::new(block), fill_value: fill_value.clone() })
    }

    fn encoded_size(&self, spec: &ArraySpec<'_>, whole: usize) -> Result<Size> {
        Ok(Size::AtMost(whole).compressed().plus(header_bytes(spec.shape.len())))
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, spec: &ArraySpec<'_>, _: Vec<usize>) -> Result<Decoded<'a>> {
        self.chunk(&encoded, spec.shape)
    }
}

impl N5Default {
    /// Decodes a chunk of this shape.
    fn chunk(&self, encoded: &[u8], shape: &[u64]) -> Result<Decoded<'static>> {
        let (block_shape, body) = header(encoded, shape.len())?;
        // A larger block would take memory that the metadata do not state.
        if self.block.decoded_size(&block_shape) > self.block.decoded_size(shape) {
            let got = format!("a block of shape {block_shape:?}");
            return Err(Error::codec(NAME, got, format!("at most the items of a chunk of shape {shape:?}")));
        }
        let block = self.block.decode(Cow::Borrowed(body), &block_shape)?.into_little_endian().into_owned();
        if block_shape == shape {
            return Ok(block);
        }
        let item_size = self.block.data_type().item_size();
        if self.fill_value.len() != item_size {
            return Err(no_fill_value());
        }
        let items = to_memory(shape.iter().product())?;
        let strides = c_strides(shape, item_size)?;
        let mut chunk = reserved(items.saturating_mul(item_size))?;
        (0..items).for_each(|_| chunk.extend_from_slice(&self.fill_value));
        let edges = shape.iter().zip(&block_shape).map(|(one, other)| one.min(other));
        let loops = edges.zip(block.strides.iter().zip(&strides)).map(|(&edge, (&source, target))| {
            Ok(Loop::Run { count: to_memory(edge)?, source, target: target.cast_signed() })
        });
        let loops: Result<Vec<Loop>> = loops.gathered();
        copy(&block.bytes, &mut chunk, item_size, Walk { source: 0, target: 0, loops: loops? });
        Ok(Decoded { bytes: chunk.into(), strides, ..Decoded::default() })
    }
}

/// Bytes of a header: mode and number of axes, then a length for each axis.
fn header_bytes(rank: usize) -> usize {
    4 + 4 * rank
}

/// The block's shape, and the bytes after the header.
fn header(encoded: &[u8], rank: usize) -> Result<(Vec<u64>, &[u8])> {
    let wrong = |got: String| Error::codec(NAME, got, format!("the header of a block with {rank} axes"));
    let Some((header, body)) = encoded.split_at_checked(header_bytes(rank)) else {
        return Err(wrong(format!("{} bytes", encoded.len())));
    };
    let [a, b, c, d] = [header[0], header[1], header[2], header[3]];
    match u16::from_be_bytes([a, b]) {
        0 => {}
        mode @ 1..=2 => {
            return Err(Error::Unsupported {
                feature: format!("N5 blocks of {}", if mode == 1 { "varying length" } else { "objects" }),
                reason: format!(
                    "met in a chunk of the codec {NAME:?}; only blocks of the default mode are read"
                ),
            });
        }
        mode => return Err(wrong(format!("a block of mode {mode}"))),
    }
    let axes = usize::from(u16::from_be_bytes([c, d]));
    if axes != rank {
        return Err(wrong(format!("a block with {axes} axes")));
    }
    let lengths = header[4..].as_chunks().0;
    Ok((lengths.iter().map(|length| u32::from_be_bytes(*length).into()).collect(), body))
}
