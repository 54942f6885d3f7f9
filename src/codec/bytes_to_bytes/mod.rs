//! The bytes-to-bytes codecs: compressors, checksums and shuffle.
//!
//! A codec of numcodecs has zarr-python's name for it in v3: `numcodecs.` and its v2 id.

#[cfg(any(feature = "blosc", feature = "gzip"))]
pub(super) mod inflate;
#[cfg(any(feature = "bz2", feature = "lzma", feature = "rare"))]
mod stream;

use std::borrow::Cow;

use super::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::{Extension, bytes_to_bytes_codecs};

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

        /// A bytes-to-bytes codec.
        #[derive(Debug, Clone)]
        pub(super) enum BytesToBytes {
            $($(#[cfg(feature = $feature)])? $codec($file::$codec),)*
        }

        impl BytesToBytes {
            /// Parses a metadata entry; `None` where it is a codec of another kind.
            pub(super) fn parse(extension: &Extension) -> Result<Option<Self>> {
                Ok(Some(match extension.name.as_str() {
                    $($(#[cfg(feature = $feature)])?
                    $($name)|+ => Self::$codec($file::$codec::parse(extension)?),)*
                    _ => return Ok(None),
                }))
            }

            pub(super) fn name(&self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.name(),)*
                }
            }

            /// Size of this codec's output for an input of this size.
            pub(super) fn encoded_size(&self, decoded: Size) -> Size {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.encoded_size(decoded),)*
                }
            }

            pub(super) fn decoded_rate(&self) -> u64 {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.decoded_rate(),)*
                }
            }

            pub(super) fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.decode(encoded, size),)*
                }
            }
        }
    };
}
bytes_to_bytes_codecs!(codecs);
