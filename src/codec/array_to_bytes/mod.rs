//! The array-to-bytes codecs; each pipeline has one.

pub(crate) mod shard_index;

use std::borrow::Cow;

use super::elsewhere::External;
use super::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size, UNKNOWN_RATE};
use crate::error::{Error, Result};
use crate::metadata::{Extension, array_to_bytes_codecs};
use crate::output::Decoded;

/// Writes the modules of codecs, and the type that is any of them, from their lines in `src/metadata/codecs.rs`.
macro_rules! codecs {
    (shared { $($shared:tt)* } on_demand { $($on_demand:tt)* }) => {
        codecs! { $($shared)* $($on_demand)* }
    };
    ($($($name:literal)|+ => $file:ident::$codec:ident in $module:literal $(if $feature:literal)?;)*) => {
        $($(#[cfg(feature = $feature)])? pub(crate) mod $file;)*

        $($(#[cfg(feature = $feature)])?
        impl Named for $file::$codec {
            const NAMES: &'static [&'static str] = &[$($name),+];
        })*

        /// An array-to-bytes codec, or what stands in its place.
        #[derive(Debug, Clone)]
        pub(super) enum ArrayToBytes {
            /// Stands for the array-to-bytes codec before a part of a pipeline.
            Content { is_exact: bool },
            /// Stands for a whole pipeline with codecs that this module lacks.
            External(External),
            /// Stands for a whole pipeline that no build decodes.
            Unknown,
            $($(#[cfg(feature = $feature)])? $codec($file::$codec),)*
        }

        impl ArrayToBytes {
            /// Parses a metadata entry; `None` where it is a codec of another kind.
            pub(super) fn parse(extension: &Extension, input: &CodecInput) -> Result<Option<Self>> {
                Ok(Some(match extension.name.as_str() {
                    $($(#[cfg(feature = $feature)])?
                    $($name)|+ => Self::$codec($file::$codec::parse(extension, input)?),)*
                    _ => return Ok(None),
                }))
            }

            pub(super) fn name(&self) -> &'static str {
                match self {
                    Self::Content { .. } => "bytes",
                    Self::External(_) => "external",
                    Self::Unknown => "unknown",
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.name(),)*
                }
            }

            /// Size of the encoded chunk for a chunk whose items take `whole` bytes.
            pub(super) fn encoded_size(&self, spec: &ArraySpec<'_>, whole: usize) -> Result<Size> {
                match self {
                    Self::Content { is_exact: true } => Ok(Size::Exactly(whole)),
                    Self::Content { is_exact: false } => Ok(Size::AtMost(whole)),
                    Self::External(_) | Self::Unknown => Ok(undecoded_size(whole)),
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.encoded_size(spec, whole),)*
                }
            }

            pub(super) fn decoded_rate(&self) -> u64 {
                match self {
                    Self::Content { .. } | Self::External(_) | Self::Unknown => UNKNOWN_RATE,
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.decoded_rate(),)*
                }
            }

            /// Decodes a chunk of this data type and shape; `strides` are those of the decoded items in bytes.
            pub(super) fn decode<'a>(
                &self,
                bytes: Cow<'a, [u8]>,
                spec: &ArraySpec<'_>,
                strides: Vec<usize>,
            ) -> Result<Decoded<'a>> {
                match self {
                    Self::Content { .. } => Ok(Decoded { bytes, strides, ..Decoded::default() }),
                    Self::External(external) => Err(not_here(&external.name)),
                    Self::Unknown => Err(not_here(self.name())),
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.decode(bytes, spec, strides),)*
                }
            }
        }
    };
}
array_to_bytes_codecs!(codecs);

/// The error where a chunk whose codecs are in other modules is decoded in this one.
fn not_here(name: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {name:?}"),
        reason: "this module lacks it; other modules of the package decode such chunks".to_owned(),
    }
}

/// The largest factor by which a filter may widen items: one byte to eight, as `astype` can.
const MAX_WIDENING: usize = 8;

/// Size of a chunk that this module does not decode: the modules that have the codecs check it again, with a closer bound,
/// and chunks that nobody decodes are read as they are stored.
fn undecoded_size(whole: usize) -> Size {
    Size::AtMost(whole.saturating_mul(MAX_WIDENING).max(MAX_CONTENT_BYTES)).compressed()
}
