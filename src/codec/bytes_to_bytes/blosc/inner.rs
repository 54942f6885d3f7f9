//! The compressors of streams in a Blosc frame; the length of each stream's content is known.

use rectilinear_zarr_kernels::decoders::blosclz;
use rectilinear_zarr_kernels::for_speed::decode_lz4_block;

use crate::codec::bytes_to_bytes::inflate::zlib;
use crate::codec::bytes_to_bytes::zstd;
use crate::codec::kinds::Size;
use crate::error::{Error, Result};

pub(in crate::codec) const NAME: &str = "blosc";

/// The most bytes of a stream for content of this length.
///
/// Only Snappy's encoder writes streams longer than their content, by at most this much. The bound is needed because a
/// zlib stream may contain any number of empty blocks, and blocks may share one stream: without it, decoding a megabyte
/// could take an hour.
pub(crate) fn longest_stream(content: usize) -> usize {
    content.saturating_add(content / 6).saturating_add(32)
}

/// Compressor of the streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InnerCompressor {
    Blosclz,
    /// lz4 and lz4hc, which share one format.
    Lz4,
    #[cfg(feature = "blosc-snappy")]
    Snappy,
    Zlib,
    Zstd,
}

impl InnerCompressor {
    /// The compressor for the number in a header; in a frame without streams (`unused`), any number is valid.
    pub(crate) fn parse(number: u8, version: u8, unused: bool) -> Result<Self> {
        match number {
            _ if unused => Ok(Self::Blosclz),
            // Every compressor's format has version 1.
            0..=4 if version != 1 => {
                let got = format!("version {version} of inner compressor {number}");
                Err(Error::codec(NAME, got, "version 1"))
            }
            0 => Ok(Self::Blosclz),
            1 => Ok(Self::Lz4),
            #[cfg(feature = "blosc-snappy")]
            2 => Ok(Self::Snappy),
            #[cfg(not(feature = "blosc-snappy"))]
            2 => Err(Error::Unsupported {
                feature: "blosc with snappy".to_owned(),
                reason: "the metadata do not name this compressor (\"cname\": \"snappy\"), so the module that has it \
                         was not loaded; correct the field \"cname\", or write the array again"
                    .to_owned(),
            }),
            3 => Ok(Self::Zlib),
            4 => Ok(Self::Zstd),
            _ => Err(Error::codec(NAME, format!("inner compressor {number}"), "one from 0 to 4")),
        }
    }

    /// The most bytes of content that a byte of a stream can produce; no memory is allocated for impossible blocks.
    pub(crate) fn most_expansion(self) -> usize {
        match self {
            // Long lengths continue in bytes of 255.
            Self::Blosclz | Self::Lz4 => 255,
            #[cfg(feature = "blosc-snappy")]
            Self::Snappy => 255,
            // A match of 258 bytes takes two bits.
            Self::Zlib => 1032,
            // A block of 128 KiB takes four bytes.
            Self::Zstd => 32 << 10,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Blosclz => "blosclz",
            Self::Lz4 => "lz4",
            #[cfg(feature = "blosc-snappy")]
            Self::Snappy => "snappy",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    /// Decodes a stream, whose content must fill `into` exactly.
    pub(crate) fn decode(self, stream: &[u8], into: &mut [u8]) -> Result<()> {
        let length = into.len();
        let filled = match self {
            Self::Blosclz => blosclz::decode(stream, into).ok_or_else(|| "a damaged stream".to_owned()),
            Self::Lz4 => decode_lz4_block(stream, into),
            #[cfg(feature = "blosc-snappy")]
            Self::Snappy => {
                snap::raw::Decoder::new().decompress(stream, into).map_err(|error| error.to_string())
            }
            Self::Zlib | Self::Zstd => {
                return self.content(stream, length).map(|content| into.copy_from_slice(&content));
            }
        };
        match filled {
            Ok(filled) if filled == length => Ok(()),
            Ok(filled) => Err(self.damaged(&format!("{filled} bytes"), length)),
            Err(words) => Err(self.damaged(&words, length)),
        }
    }

    /// The content of a zlib or zstd stream, whose decoders allocate their output.
    pub(crate) fn content(self, stream: &[u8], length: usize) -> Result<Vec<u8>> {
        let size = Size::Exactly(length);
        let content = if self == Self::Zlib { zlib(NAME, stream, size) } else { zstd::decode(stream, size) };
        content.map_err(|error| match error {
            Error::Codec(error) => self.damaged(&error.got.to_string(), length),
            error => error,
        })
    }

    fn damaged(self, got: &str, length: usize) -> Error {
        let name = self.name();
        Error::codec(NAME, format!("{got} (in a {name} stream)"), format!("{length} bytes in a stream"))
    }
}
