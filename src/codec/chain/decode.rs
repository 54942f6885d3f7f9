//! Decoding with one codec, in a module that has nothing else.

#[cfg(any(feature = "grib", feature = "pcodec", feature = "zfp"))]
use crate::codec::array_to_bytes;
#[cfg(feature = "jpeg2000")]
use crate::codec::bytes_to_bytes::jpeg2000::{self, Jpeg2000};
#[cfg(feature = "lzma")]
use crate::codec::bytes_to_bytes::lzma;
use crate::codec::size::Size;
use crate::error::{Error, Result, Unpacker};
use crate::metadata::{DataType, Extension, Json, Kind, Value};
#[cfg(any(feature = "grib", feature = "pcodec"))]
use crate::output::memory::to_memory;
use crate::output::{Decoded, c_strides};

#[cfg(feature = "grib")]
use array_to_bytes::grib2::Grib2;
#[cfg(feature = "pcodec")]
use array_to_bytes::pcodec::{self, Pcodec};
#[cfg(feature = "zfp")]
use array_to_bytes::zfp::{self, Zfp};
#[cfg(feature = "zfp")]
use array_to_bytes::zfpy::{self, Zfpy};

/// Description from which a module decodes with its codec.
#[derive(Debug, Clone)]
pub struct CodecCall {
    /// The codec.
    pub codec: Extension,
    /// Type of the items that it decodes to; `uint8` where these are bytes.
    pub data_type: DataType,
    /// Shape of the items; the most bytes where it decodes to bytes.
    pub shape: Vec<u64>,
    #[cfg_attr(
        not(any(feature = "jpeg2000", feature = "lzma")),
        expect(dead_code, reason = "the size of items follows from their shape, that of bytes does not")
    )]
    content: Size,
}

/// The codec of a call.
enum CalledCodec {
    #[cfg(feature = "grib")]
    Grib(Grib2),
    #[cfg(feature = "jpeg2000")]
    Jpeg2000(Jpeg2000),
    #[cfg(feature = "lzma")]
    Lzma(lzma::Lzma),
    #[cfg(feature = "pcodec")]
    Pcodec(Pcodec),
    #[cfg(feature = "zfp")]
    Zfp(Zfp),
    #[cfg(feature = "zfp")]
    Zfpy(Zfpy),
}

impl CodecCall {
    /// Unpacks a call.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the bytes are no call.
    pub(crate) fn unpack(parts: &mut Unpacker<'_>) -> Result<Self> {
        Self::read(parts).ok_or_else(|| Error::Unsupported {
            feature: "the format of a message between modules".to_owned(),
            reason: "both sides may be of different versions; deploy all files of the package together"
                .to_owned(),
        })
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
    /// Those of the codec's configuration.
    pub fn check(&self) -> Result<()> {
        self.called().map(drop)
    }

    /// Decodes the bytes of a chunk.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where the bytes are damaged; it does not name its chunk yet.
    pub fn decode(&self, encoded: &[u8]) -> Result<Decoded<'static>> {
        let bytes = match self.called()? {
            #[cfg(feature = "grib")]
            CalledCodec::Grib(codec) => {
                let items = self.items()?;
                Size::Exactly(codec.most_bytes(items)).compressed().check(codec.name(), encoded.len())?;
                codec.decode(encoded, items)
            }
            #[cfg(feature = "jpeg2000")]
            CalledCodec::Jpeg2000(codec) => {
                self.content.compressed().check(jpeg2000::NAME, encoded.len())?;
                codec.decode(encoded, self.content)
            }
            #[cfg(feature = "lzma")]
            CalledCodec::Lzma(codec) => {
                self.content.compressed().check(codec.name(), encoded.len())?;
                codec.decode(encoded, self.content)
            }
            #[cfg(feature = "pcodec")]
            CalledCodec::Pcodec(codec) => {
                let items = self.items()?;
                let size = Size::Exactly(items.saturating_mul(self.data_type.item_size()));
                size.compressed().check(pcodec::NAME, encoded.len())?;
                codec.decode(encoded, items)
            }
            #[cfg(feature = "zfp")]
            CalledCodec::Zfp(codec) => {
                codec.encoded_size(&self.shape).check(zfp::NAME, encoded.len())?;
                codec.decode(encoded, &self.shape)
            }
            #[cfg(feature = "zfp")]
            CalledCodec::Zfpy(codec) => {
                codec.encoded_size(&self.shape).check(zfpy::NAME, encoded.len())?;
                codec.decode(encoded, &self.shape)
            }
        };
        let strides = c_strides(&self.shape, self.data_type.item_size())?;
        Ok(Decoded { bytes: bytes?.into(), strides, ..Decoded::default() })
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

    #[cfg(any(feature = "grib", feature = "pcodec"))]
    fn items(&self) -> Result<usize> {
        to_memory(self.shape.iter().fold(1, |items: u64, edge| items.saturating_mul(*edge)))
    }

    fn called(&self) -> Result<CalledCodec> {
        let codec = &self.codec;
        #[cfg(feature = "grib")]
        if let Some(codec) = Grib2::parse(codec, &self.data_type)? {
            return Ok(CalledCodec::Grib(codec));
        }
        #[cfg(feature = "lzma")]
        if let Some(codec) = lzma::Lzma::parse(codec)? {
            return Ok(CalledCodec::Lzma(codec));
        }
        match codec.name.as_str() {
            #[cfg(feature = "jpeg2000")]
            jpeg2000::NAME => Jpeg2000::of_items(codec, &self.data_type).map(CalledCodec::Jpeg2000),
            #[cfg(feature = "pcodec")]
            pcodec::NAME => Pcodec::parse(codec, &self.data_type).map(CalledCodec::Pcodec),
            #[cfg(feature = "zfp")]
            zfp::NAME => Zfp::parse(codec, &self.data_type, self.shape.len()).map(CalledCodec::Zfp),
            #[cfg(feature = "zfp")]
            zfpy::NAME => Zfpy::parse(codec, &self.data_type).map(CalledCodec::Zfpy),
            _ => Err(codec.unsupported("codec", &[""])),
        }
    }
}
