//! The array-to-bytes codecs; each pipeline has one.

pub(crate) mod bytes;
#[cfg(feature = "grib")]
pub(crate) mod grib2;
#[cfg(feature = "rare")]
mod n5_default;
#[cfg(feature = "rare")]
pub(crate) mod objects;
#[cfg(feature = "rare")]
pub(crate) mod packbits;
#[cfg(feature = "pcodec")]
pub(crate) mod pcodec;
pub(crate) mod shard_index;
mod sharding;
pub(crate) mod variable;
#[cfg(feature = "rare")]
pub(crate) mod vlen_array;
#[cfg(feature = "zfp")]
pub(crate) mod zfp;
#[cfg(feature = "zfp")]
pub(crate) mod zfpy;

use std::borrow::Cow;

use super::array_spec::{ArraySpec, Stage};
#[cfg(feature = "rare")]
use super::pipeline::N5Default;
use super::pipeline::{ArrayToBytes, Sharding};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::Decoded;
use crate::output::memory::to_memory;
use crate::parts::Loaded;

/// The registered names, then those of numcodecs and virtual-tiff.
pub(super) fn names() -> Vec<&'static str> {
    let own = [
        bytes::NAME,
        #[cfg(feature = "rare")]
        n5_default::NAME,
        #[cfg(feature = "rare")]
        packbits::NAME,
        shard_index::NAME,
        "vlen-utf8",
        "vlen-bytes",
        #[cfg(feature = "zfp")]
        zfp::NAME,
        #[cfg(feature = "rare")]
        objects::CFDB,
    ];
    let others = [
        #[cfg(feature = "rare")]
        vlen_array::NAME,
        #[cfg(feature = "rare")]
        objects::JSON,
        #[cfg(feature = "rare")]
        objects::JSON2,
        #[cfg(feature = "rare")]
        objects::MSGPACK,
        #[cfg(feature = "rare")]
        objects::MSGPACK2,
        #[cfg(feature = "pcodec")]
        pcodec::NAME,
        #[cfg(feature = "zfp")]
        zfpy::NAME,
        #[cfg(feature = "rare")]
        bytes::CHUNKY,
    ];
    #[cfg(feature = "grib")]
    let own = own.into_iter().chain(grib2::NAMES);
    own.into_iter().chain(others).collect()
}

impl ArrayToBytes {
    /// Parses a metadata entry; `None` where its name is not that of an array-to-bytes codec.
    pub(super) fn parse(extension: &Extension, stage: &Stage) -> Result<Option<Self>> {
        let Stage { data_type, fill_value, rank } = stage;
        #[cfg(feature = "grib")]
        if let Some(codec) = grib2::Grib2::parse(extension, data_type)? {
            return Ok(Some(Self::Grib2(codec)));
        }
        Ok(match extension.name.as_str() {
            bytes::NAME => Some(Self::Bytes(bytes::BytesCodec::parse(extension, data_type)?)),
            #[cfg(feature = "rare")]
            n5_default::NAME => Some(Self::N5(N5Default::parse(extension, stage)?)),
            #[cfg(feature = "rare")]
            packbits::NAME => Some(Self::PackBits(packbits::PackBits::parse(extension, data_type)?)),
            #[cfg(feature = "pcodec")]
            pcodec::NAME => Some(Self::Pcodec(pcodec::Pcodec::parse(extension, data_type)?)),
            shard_index::NAME => {
                let sharding = Sharding::parse(extension, data_type, fill_value, *rank)?;
                Some(Self::Sharding(sharding))
            }
            #[cfg(feature = "rare")]
            vlen_array::NAME => Some(Self::VlenArray(vlen_array::VlenArray::parse(extension, data_type)?)),
            #[cfg(feature = "rare")]
            objects::CFDB | objects::JSON | objects::JSON2 | objects::MSGPACK | objects::MSGPACK2 => {
                objects::Objects::parse(extension, data_type)?.map(Self::Objects)
            }
            #[cfg(feature = "zfp")]
            zfp::NAME => Some(Self::Zfp(zfp::Zfp::parse(extension, data_type, *rank)?)),
            #[cfg(feature = "zfp")]
            zfpy::NAME => Some(Self::Zfpy(zfpy::Zfpy::parse(extension, data_type)?)),
            _ => match variable::Variable::parse(extension, data_type)? {
                Some(codec) => Some(Self::Variable(codec, Loaded::get()?)),
                None => None,
            },
        })
    }

    /// Decodes a chunk of this data type and shape; `strides` are those of the decoded items in bytes.
    pub(super) fn decode<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let shape = spec.shape;
        let none = Cow::Borrowed([].as_slice());
        let items = to_memory(shape.iter().product())?;
        Ok(match self {
            Self::Bytes(codec) => {
                let (bytes, reversed) = codec.decode(bytes);
                Decoded { bytes, strides, heap: none, reversed }
            }
            Self::Content => Decoded { bytes, strides, heap: none, reversed: None },
            Self::External(external) => return Err(not_here(&external.name)),
            Self::Unknown => return Err(not_here(self.name())),
            #[cfg(feature = "grib")]
            Self::Grib2(codec) => {
                Decoded { bytes: codec.decode(&bytes, items)?.into(), strides, heap: none, reversed: None }
            }
            #[cfg(feature = "rare")]
            Self::N5(codec) => codec.decode(&bytes, shape)?,
            #[cfg(feature = "rare")]
            Self::Objects(codec) => {
                let (references, heap) = codec.decode(&bytes, shape)?;
                Decoded { bytes: references.into(), strides, heap: heap.into(), reversed: None }
            }
            #[cfg(feature = "rare")]
            Self::PackBits(codec) => Decoded {
                bytes: codec.decode(bytes, to_memory(spec.size())?)?,
                strides,
                heap: none,
                reversed: None,
            },
            #[cfg(feature = "pcodec")]
            Self::Pcodec(codec) => {
                Decoded { bytes: codec.decode(&bytes, items)?.into(), strides, heap: none, reversed: None }
            }
            Self::Variable(codec, part) => {
                let references = codec.decode(*part, &bytes, items)?;
                Decoded { bytes: references.into(), strides, heap: bytes, reversed: None }
            }
            #[cfg(feature = "rare")]
            Self::VlenArray(codec) => {
                let (references, heap) = codec.decode(bytes, items)?;
                Decoded { bytes: references.into(), strides, heap, reversed: None }
            }
            Self::Sharding(codec) => codec.decode(&bytes, shape)?,
            #[cfg(feature = "zfp")]
            Self::Zfp(codec) => {
                Decoded { bytes: codec.decode(&bytes, shape)?.into(), strides, heap: none, reversed: None }
            }
            #[cfg(feature = "zfp")]
            Self::Zfpy(codec) => {
                Decoded { bytes: codec.decode(&bytes, shape)?.into(), strides, heap: none, reversed: None }
            }
        })
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Bytes(_) => bytes::NAME,
            Self::Content => bytes::NAME,
            Self::External(_) => "external",
            Self::Unknown => "unknown",
            #[cfg(feature = "grib")]
            Self::Grib2(codec) => codec.name(),
            #[cfg(feature = "rare")]
            Self::N5(_) => n5_default::NAME,
            #[cfg(feature = "rare")]
            Self::Objects(codec) => codec.name(),
            #[cfg(feature = "rare")]
            Self::PackBits(_) => packbits::NAME,
            #[cfg(feature = "pcodec")]
            Self::Pcodec(_) => pcodec::NAME,
            Self::Variable(codec, _) => codec.name(),
            #[cfg(feature = "rare")]
            Self::VlenArray(_) => vlen_array::NAME,
            Self::Sharding(_) => shard_index::NAME,
            #[cfg(feature = "zfp")]
            Self::Zfp(_) => zfp::NAME,
            #[cfg(feature = "zfp")]
            Self::Zfpy(_) => zfpy::NAME,
        }
    }
}

/// The error where a chunk whose codecs are in other modules is decoded in this one.
fn not_here(name: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {name:?}"),
        reason: "this module lacks it; other modules of the package decode such chunks".to_owned(),
    }
}
