//! The array-to-array codecs: `transpose`, and the filters that change items or the shape of the array.
//!
//! Each codec derives the input of the next one from its own: data type, fill value and number of axes when the
//! metadata are parsed, and the shape for each chunk shape. A filter that works item by item keeps the strides, such as
//! those of a transpose. Other filters bring items to C order first.

#[cfg(feature = "rare")]
pub(crate) mod byte_orders;
#[cfg(feature = "rare")]
pub(crate) mod items;

use super::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::{DataType, Extension, array_to_array_codecs};
use crate::output::Decoded;

/// Writes the modules of codecs, and the type that is any of them, from their lines in `src/metadata/codecs.rs`.
macro_rules! codecs {
    ($($($name:literal)|+ => $file:ident::$codec:ident in $module:literal $(if $feature:literal)?;)*) => {
        $($(#[cfg(feature = $feature)])? mod $file;)*

        $($(#[cfg(feature = $feature)])?
        impl Named for $file::$codec {
            const NAMES: &'static [&'static str] = &[$($name),+];
        })*

        /// An array-to-array codec.
        #[derive(Debug, Clone)]
        pub(super) enum ArrayToArray {
            $($(#[cfg(feature = $feature)])? $codec($file::$codec),)*
        }

        impl ArrayToArray {
            fn of(extension: &Extension, input: &CodecInput) -> Result<Option<(Self, CodecInput)>> {
                match extension.name.as_str() {
                    $($(#[cfg(feature = $feature)])? $($name)|+ => {
                        let (codec, next) = $file::$codec::parse(extension, input)?;
                        Ok(Some((Self::$codec(codec), next)))
                    })*
                    _ => Ok(None),
                }
            }

            /// Shape of the encoded chunk for a decoded chunk of this shape.
            ///
            /// # Errors
            /// [`crate::Error::InvalidMetadata`] where the codec does not accept the shape.
            pub(super) fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.encoded_shape(shape),)*
                }
            }

            /// Strides in bytes along the decoded axes; `None` where the codec changes items.
            pub(super) fn decoded_strides(&self, encoded: &[usize]) -> Option<Vec<usize>> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.decoded_strides(encoded),)*
                }
            }

            /// How the codec reads memory whose bytes are in either order.
            #[cfg(feature = "rare")]
            fn byte_order(&self) -> super::kinds::ByteOrderUse {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(_) => $file::$codec::BYTE_ORDER,)*
                }
            }

            fn decode<'a>(&self, chunk: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$codec(codec) => codec.decode(chunk, shapes),)*
                }
            }
        }
    };
}
array_to_array_codecs!(codecs);

impl ArrayToArray {
    /// Parses a metadata entry to a codec and the input of the next one, which has no fill value where its own input has
    /// none; `None` where it is a codec of another kind.
    pub(super) fn parse(extension: &Extension, input: &CodecInput) -> Result<Option<(Self, CodecInput)>> {
        // A transpose, which is all that other builds have, leaves the fill value as it is.
        #[cfg(feature = "rare")]
        if !input.data_type.is_variable() && input.fill_value.len() != input.data_type.item_size() {
            let zeros = CodecInput { fill_value: vec![0; input.data_type.item_size()], ..input.clone() };
            let found = Self::of(extension, &zeros)?;
            return Ok(found.map(|(codec, next)| (codec, CodecInput { fill_value: Vec::new(), ..next })));
        }
        Self::of(extension, input)
    }
}

/// An array-to-array codec with the data type that it encodes to.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) codec: ArrayToArray,
    pub(super) encoded_type: DataType,
    /// Whether the codec reads the bytes of each encoded item in reverse.
    pub(super) is_turned: bool,
}

impl Step {
    /// Decodes a chunk.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where an item cannot be decoded, [`crate::Error::Unsupported`] where memory is too
    /// small.
    pub(super) fn decode<'a>(&self, mut chunk: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        if self.is_turned {
            chunk.reversed = self.encoded_type.numbers().first().map(|number| number.size);
            chunk = chunk.into_little_endian();
        }
        self.codec.decode(chunk, shapes)
    }
}
