//! The codecs that have a module of their own, and those of others.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::metadata::{CodecKind, DataType, Extension, ForeignCodec};

/// Codecs with a module of their own, which is built with the Cargo feature of the module's name.
pub const ON_DEMAND: [OnDemand; 10] = [
    OnDemand::array_to_bytes("gribberish", "grib"),
    OnDemand::array_to_bytes("numcodecs.grib", "grib"),
    OnDemand::array_to_bytes("numcodecs.gribscan.rawgrib", "grib"),
    OnDemand::array_to_bytes("numcodecs.rawgrib", "grib"),
    OnDemand { name: "imagecodecs_jpeg2k", module: JPEG2000, makes_bytes: false },
    OnDemand { name: "imagecodecs_lzma", module: "lzma", makes_bytes: false },
    OnDemand { name: "numcodecs.lzma", module: "lzma", makes_bytes: false },
    OnDemand::array_to_bytes("numcodecs.pcodec", "pcodec"),
    OnDemand::array_to_bytes("numcodecs.zfpy", "zfp"),
    OnDemand::array_to_bytes("zfp", "zfp"),
];

/// A codec with a module of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnDemand {
    /// Registered name of the codec.
    pub name: &'static str,
    /// Name of the module, and of the Cargo feature.
    pub module: &'static str,
    /// Whether it encodes an array as bytes; else it encodes bytes as bytes. Images do either, see [`Apart::after_items`].
    pub makes_bytes: bool,
}

/// Stands for codecs of which this build lacks at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::codec) struct External {
    /// Name of the first codec that this build lacks.
    pub(in crate::codec) name: Cow<'static, str>,
    /// Whether the module `rare` has some of the codecs.
    pub(in crate::codec) is_rare: bool,
}

/// Name of the module for images.
const JPEG2000: &str = "jpeg2000";

/// Name of the module that stands for codecs of others.
const FOREIGN: &str = "foreign";

/// A codec between the segments of a chain.
#[derive(Debug, Clone)]
pub(in crate::codec) struct Apart {
    /// Name in the metadata.
    pub(in crate::codec) name: Cow<'static, str>,
    /// Name of the module.
    pub(super) module: &'static str,
    pub(super) kind: CodecKind,
    /// Type of the items that an array-to-array codec encodes to.
    pub(super) encoded_type: Option<DataType>,
}

impl Apart {
    /// The codec of a metadata entry; `None` for every other codec.
    pub(in crate::codec) fn of(codec: &Extension) -> Option<Self> {
        if let Some(ForeignCodec { name, kind, encoded_type }) = ForeignCodec::of(codec) {
            return Some(Self { name: name.into(), module: FOREIGN, kind, encoded_type });
        }
        let OnDemand { name, module, makes_bytes } = OnDemand::of(codec)?;
        let kind = if makes_bytes { CodecKind::ArrayToBytes } else { CodecKind::BytesToBytes };
        Some(Self { name: name.into(), module, kind, encoded_type: None })
    }

    /// The codec where no codec before it makes bytes of items: images do so themselves then.
    pub(super) fn after_items(mut self) -> Self {
        if self.module == JPEG2000 {
            self.kind = CodecKind::ArrayToBytes;
        }
        self
    }

    /// Whether it is given arrays, and not bytes, to encode.
    pub(super) fn takes_items(&self) -> bool {
        self.kind != CodecKind::BytesToBytes
    }

    /// Checks that the codec can be given items of this type.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a codec of others and items of variable length.
    pub(super) fn check(&self, data_type: &DataType, codec: &Extension) -> Result<()> {
        if !self.is_foreign() || !self.takes_items() || !data_type.is_variable() {
            return Ok(());
        }
        Err(Error::Unsupported {
            feature: format!("codec {:?} of {}", self.name, data_type.name()),
            reason: format!(
                "met at {}; codecs of the page give items of a fixed size, or bytes",
                codec.pointer
            ),
        })
    }

    /// Whether it is a codec of others.
    pub(in crate::codec) fn is_foreign(&self) -> bool {
        self.module == FOREIGN
    }
}

impl OnDemand {
    const fn array_to_bytes(name: &'static str, module: &'static str) -> Self {
        Self { name, module, makes_bytes: true }
    }

    /// The codec of a metadata entry; `None` for every other codec.
    pub(in crate::codec) fn of(codec: &Extension) -> Option<Self> {
        ON_DEMAND.into_iter().find(|known| known.name == codec.name)
    }
}
