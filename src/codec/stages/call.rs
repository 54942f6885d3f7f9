//! Decoding with one codec, in a module that has nothing else.

use std::borrow::Cow;

#[cfg(feature = "grib")]
use crate::codec::array_to_bytes::grib2::Grib2;
#[cfg(feature = "jpeg2000")]
use crate::codec::bytes_to_bytes::jpeg2000::Jpeg2000;
use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, BytesToBytesCodec, CodecInput, Size};
use crate::error::{Error, Result, Unpacker};
use crate::metadata::{DataType, Extension, Json, Kind, Value, array_to_bytes_codecs, bytes_to_bytes_codecs};
use crate::output::memory::to_memory;
use crate::output::{Decoded, c_strides};

/// Description from which a module decodes with its codec.
#[derive(Debug, Clone)]
pub struct CodecCall {
    /// The codec.
    pub codec: Extension,
    /// Type of the items that it decodes to; `uint8` where these are bytes.
    pub data_type: DataType,
    /// Shape of the items; the most bytes where it decodes to bytes.
    pub shape: Vec<u64>,
    /// Size of the bytes that it decodes to; that of items follows from their shape.
    content: Size,
}

/// Writes the function that decodes arrays with the codec of a call, or only checks the codec where there are no bytes;
/// `None` for other codecs.
macro_rules! array_to_bytes {
    (shared { $($shared:tt)* } on_demand {
        $($($name:literal)|+ => $file:ident::$codec:ident in $module:literal if $feature:literal;)*
    }) => {
        #[allow(unused_variables, reason = "most modules have codecs of one kind")]
        fn array_to_bytes(call: &CodecCall, encoded: Option<&[u8]>) -> Option<Result<Decoded<'static>>> {
            match call.codec.name.as_str() {
                $(#[cfg(feature = $feature)]
                $($name)|+ => Some(call.array::<crate::codec::array_to_bytes::$file::$codec>(encoded)),)*
                _ => None,
            }
        }
    };
}
array_to_bytes_codecs!(array_to_bytes);

/// Writes the function that decodes bytes, as [`array_to_bytes`] does for arrays.
macro_rules! bytes_to_bytes {
    (shared { $($shared:tt)* } on_demand {
        $($($name:literal)|+ => $file:ident::$codec:ident in $module:literal if $feature:literal;)*
    }) => {
        #[allow(unused_variables, reason = "most modules have codecs of one kind")]
        fn bytes_to_bytes(call: &CodecCall, encoded: Option<&[u8]>) -> Option<Result<Decoded<'static>>> {
            match call.codec.name.as_str() {
                $(#[cfg(feature = $feature)]
                $($name)|+ => Some(call.bytes::<crate::codec::bytes_to_bytes::$file::$codec>(encoded)),)*
                _ => None,
            }
        }
    };
}
bytes_to_bytes_codecs!(bytes_to_bytes);

impl CodecCall {
    /// Unpacks a call.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the bytes are no call.
    pub(crate) fn unpack(parts: &mut Unpacker<'_>) -> Result<Self> {
        Self::read(parts).ok_or_else(|| Error::other_version("a message between modules"))
    }

    fn read(parts: &mut Unpacker<'_>) -> Option<Self> {
        let codec = Value::parse(parts.bytes()?).ok()?;
        let codec = Extension::from_described(Json::root(&codec)).ok()?;
        let name = parts.text()?;
        let data_type = DataType::scalar(&name).unwrap_or_else(|| DataType::new(&name, Kind::Raw, 1));
        let (shape, is_exact, bytes) = (parts.numbers()?, parts.number()? == 1, parts.length()?);
        let content = if is_exact { Size::Exactly(bytes) } else { Size::AtMost(bytes) };
        Some(Self { codec, data_type, shape, content })
    }

    /// Checks that the codec is in this module, and that it takes the items.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] or [`crate::Error::Unsupported`] where the codec's configuration is not read.
    pub fn check(&self) -> Result<()> {
        self.called(None).map(drop)
    }

    /// Decodes the bytes of a chunk.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where the bytes are damaged; it does not name its chunk yet.
    pub fn decode(&self, encoded: &[u8]) -> Result<Decoded<'static>> {
        self.called(Some(encoded))
    }

    /// Name of the module that decodes these bytes where this one cannot; it takes the same message.
    #[must_use]
    #[cfg_attr(
        not(feature = "grib"),
        expect(unused_variables, reason = "other codecs decode all that is theirs")
    )]
    pub fn elsewhere(&self, encoded: &[u8]) -> Option<&'static str> {
        #[cfg(feature = "grib")]
        if Grib2::is_named(&self.codec) {
            return Grib2::elsewhere(encoded);
        }
        None
    }

    fn called(&self, encoded: Option<&[u8]>) -> Result<Decoded<'static>> {
        let decoded = array_to_bytes(self, encoded).or_else(|| bytes_to_bytes(self, encoded));
        decoded.unwrap_or_else(|| Err(self.codec.unsupported("codec", &[""])))
    }

    #[allow(dead_code, reason = "most modules have codecs of one kind")]
    fn array<C: ArrayToBytesCodec>(&self, encoded: Option<&[u8]>) -> Result<Decoded<'static>> {
        let Self { codec, data_type, shape, .. } = self;
        let codec = C::parse(
            codec,
            &CodecInput { data_type: data_type.clone(), fill_value: Vec::new(), rank: shape.len() },
        )?;
        let Some(encoded) = encoded else { return Ok(Decoded::default()) };
        let spec = ArraySpec { data_type, shape };
        codec.encoded_size(&spec, to_memory(spec.size())?)?.check(codec.name(), encoded.len())?;
        let strides = c_strides(shape, data_type.item_size())?;
        codec.decode(Cow::Borrowed(encoded), &spec, strides).map(Decoded::into_owned)
    }

    #[allow(dead_code, reason = "most modules have codecs of one kind")]
    fn bytes<C: BytesToBytesCodec>(&self, encoded: Option<&[u8]>) -> Result<Decoded<'static>> {
        #[cfg(feature = "jpeg2000")]
        if <Jpeg2000 as crate::codec::kinds::Named>::NAMES.contains(&&*self.codec.name) {
            Jpeg2000::check_items(&self.codec, &self.data_type)?;
        }
        let codec = C::parse(&self.codec)?;
        let Some(encoded) = encoded else { return Ok(Decoded::default()) };
        codec.encoded_size(self.content).check(codec.name(), encoded.len())?;
        let bytes = codec.decode(Cow::Borrowed(encoded), self.content)?.into_owned().into();
        let strides = c_strides(&self.shape, self.data_type.item_size())?;
        Ok(Decoded { bytes, strides, ..Decoded::default() })
    }
}
