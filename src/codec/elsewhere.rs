//! Codecs that this build does not decode: those of the package's other modules, which are loaded when the first such array
//! is opened, those of the page, and those that nothing decodes.
//!
//! Invariant: the main module knows only the data type of the items of an array with such a codec. [`super::Stages`]
//! decode its chunks.

#[cfg(feature = "rare")]
use super::applied::AppliedCodecs;
use crate::error::{Error, Result};
use crate::metadata::{CodecEntry, CodecKind, CustomCodec, DataType, Extension};

/// Whether this build is a module of the package, beside others. Native builds of the workspace have the feature too, for
/// the crate of the main module.
const IN_PACKAGE: bool = cfg!(all(feature = "external", target_arch = "wasm32"));

/// Name of the module for images.
const JPEG2000: &str = "jpeg2000";

/// Name of the module that stands for custom codecs.
const CUSTOM: &str = "custom";

/// Name in the place of a module, of codecs that each chunk chooses for itself.
const CHOICE: &str = "?";

/// Stands for codecs of which this build lacks at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct External {
    /// Name of the first codec that this build lacks.
    pub(super) name: String,
    /// Whether the module `rare` has some of the codecs.
    pub(super) is_rare: bool,
}

impl External {
    /// The placeholder for these codecs, where this build lacks one of them and another module or the page has it.
    pub(super) fn of(codecs: &[Extension]) -> Option<Self> {
        if !IN_PACKAGE {
            return None;
        }
        let (mut first, mut is_rare) = (None, false);
        for codec in codecs {
            let apart = Apart::of(codec);
            let is_in_rare = apart.is_none() && is_in_rare(codec);
            is_rare |= is_in_rare;
            if first.is_none() && (is_in_rare || apart.as_ref().is_some_and(|apart| !apart.is_here)) {
                first = Some(apart.map_or_else(|| codec.name.clone(), |apart| apart.name));
            }
        }
        Some(Self { name: first?, is_rare })
    }
}

/// Whether this build lacks a codec that the module `rare` has.
fn is_in_rare(codec: &Extension) -> bool {
    match CodecEntry::named(&codec.name) {
        Some((_, entry)) if entry.is_here => lacks_compressor(codec),
        Some((_, entry)) => entry.module == "rare",
        None => false,
    }
}

/// Whether a codec is Blosc with a compressor that this build lacks.
fn lacks_compressor(codec: &Extension) -> bool {
    let is_snappy =
        || codec.settings().field("cname").is_some_and(|name| name.value().as_str() == Some("snappy"));
    !cfg!(feature = "blosc-snappy") && codec.id() == "blosc" && is_snappy()
}

/// A codec that is decoded apart from the others of a pipeline: by a module of its own, or by the page.
#[derive(Debug, Clone)]
pub(super) struct Apart {
    /// Name in the metadata.
    pub(super) name: String,
    /// Name of the module.
    pub(super) module: &'static str,
    pub(super) kind: CodecKind,
    /// Type of the items that an array-to-array codec encodes to.
    pub(super) encoded_type: Option<DataType>,
    /// Number of codecs that it stands for: one, or all that a chunk may choose.
    pub(super) codecs: usize,
    /// Bytes at the start of a chunk that say which of them were applied.
    pub(super) header_bytes: usize,
    /// Whether this build has it.
    is_here: bool,
}

impl Apart {
    /// The codec of a metadata entry; `None` for every other codec.
    pub(super) fn of(codec: &Extension) -> Option<Self> {
        if let Some(CustomCodec { name, kind, encoded_type }) = CustomCodec::of(codec) {
            return Some(Self { module: CUSTOM, encoded_type, is_here: false, ..Self::one(name, kind) });
        }
        #[cfg(feature = "rare")]
        if codec.name == super::applied::NAME {
            return Self::choice(codec);
        }
        let (kind, entry) = CodecEntry::named(&codec.name).filter(|(_, entry)| entry.is_on_demand())?;
        Some(Self { module: entry.module, is_here: entry.is_here, ..Self::one(codec.name.clone(), kind) })
    }

    /// One codec, of this module.
    fn one(name: String, kind: CodecKind) -> Self {
        Self { name, module: "", kind, encoded_type: None, codecs: 1, header_bytes: 0, is_here: true }
    }

    /// The codec `conditional` around a codec that is decoded apart.
    #[cfg(feature = "rare")]
    fn choice(codec: &Extension) -> Option<Self> {
        let codecs = AppliedCodecs::parse(codec).ok()?;
        let apart: Vec<Self> = codecs.listed.iter().filter_map(Self::of).collect();
        let choice = Self {
            module: CHOICE,
            codecs: codecs.count(),
            header_bytes: codecs.header_bytes,
            is_here: apart.iter().all(|apart| apart.is_here),
            ..Self::one(codec.name.clone(), CodecKind::BytesToBytes)
        };
        (!apart.is_empty()).then_some(choice)
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
    /// [`Error::Unsupported`] for a custom codec and items of variable length.
    pub(super) fn check(&self, data_type: &DataType, codec: &Extension) -> Result<()> {
        if !self.is_custom() || !self.takes_items() || !data_type.is_variable() {
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

    /// Whether it is told of the items whose bytes it is given: custom codecs are, as by zarrita, and so are choices
    /// around them.
    pub(super) fn is_told_of_items(&self) -> bool {
        self.takes_items() || self.is_custom() || self.is_choice()
    }

    /// Whether each chunk chooses its codecs.
    pub(super) fn is_choice(&self) -> bool {
        self.module == CHOICE
    }

    /// Whether it is a custom codec.
    fn is_custom(&self) -> bool {
        self.module == CUSTOM
    }
}

/// Whether a codec is `pickle`, which is refused even where `must_understand` is false: its chunks are Python programs.
pub(super) fn is_pickle(extension: &Extension) -> bool {
    extension.id() == "pickle"
}

/// The error for a codec that this build cannot read.
pub(super) fn unsupported(extension: &Extension) -> Error {
    let refused = |reason: &str| Error::Unsupported {
        feature: format!("codec {:?}", extension.name),
        reason: format!("met at {}; {reason}", extension.pointer),
    };
    if let Some((_, entry)) = CodecEntry::named(&extension.name).filter(|(_, entry)| entry.is_on_demand()) {
        return refused(&format!("this build lacks it; the Cargo feature {:?} adds it", entry.module));
    }
    if is_pickle(extension) {
        return refused(
            "decoding pickle runs code from the chunk; write the array again in Python with vlen-utf8, vlen-bytes or \
             json2",
        );
    }
    // Other modules have codecs too, and pages custom ones: the list of this build's would mislead.
    if IN_PACKAGE {
        return Error::Unsupported {
            feature: format!("codec {:?}", extension.name),
            reason: format!("found at {}; a page can register it with codecs.set", extension.pointer),
        };
    }
    let here = CodecEntry::all().filter(|(_, entry)| entry.is_here);
    let names: Vec<&str> = here.flat_map(|(_, entry)| entry.names).copied().collect();
    extension.unsupported("codec", &names)
}
