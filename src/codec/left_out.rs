//! The codecs that are not read: those that a build leaves out, and those that no build has.

use crate::error::Error;
use crate::metadata::Extension;

/// A codec, or a part of one, that the npm package leaves out.
#[derive(Debug)]
pub struct LeftOut {
    /// The registered name, or what is left out of a codec.
    pub what: &'static str,
    /// The Cargo feature that has it.
    pub feature: &'static str,
    /// Whether this build has the feature.
    pub is_here: bool,
}

/// Codecs, and a compressor of blosc's, that the npm package leaves out for its size.
pub const LEFT_OUT: [LeftOut; 4] = [
    LeftOut { what: "numcodecs.lzma", feature: "lzma", is_here: cfg!(feature = "lzma") },
    LeftOut { what: "numcodecs.pcodec", feature: "pcodec", is_here: cfg!(feature = "pcodec") },
    LeftOut { what: "numcodecs.zfpy", feature: "zfp", is_here: cfg!(feature = "zfp") },
    LeftOut { what: "blosc with snappy", feature: "blosc-snappy", is_here: cfg!(feature = "blosc-snappy") },
];

/// Whether a codec's chunks are programs, which may not be left out of account either.
pub(super) fn is_pickle(extension: &Extension) -> bool {
    extension.id() == "pickle"
}

/// The error of a codec that is not read, where these are.
pub(super) fn unsupported(extension: &Extension, names: &[&str]) -> Error {
    let name = extension.name.as_str();
    if let Some(LeftOut { feature, .. }) = LEFT_OUT.iter().find(|codec| codec.what == name) {
        return refused(extension, &reason(feature));
    }
    if is_pickle(extension) {
        let reason = "its chunks are programs that Python runs as it reads them, which nothing from the network may be; \
                      write the array anew in Python with vlen-utf8, vlen-bytes or json2";
        return refused(extension, reason);
    }
    if name == "zfp" {
        let reason = "there is no decoder of ZFP without a header; write the array anew with another codec, such as \
                      \"bitround\" and \"zstd\"";
        return refused(extension, reason);
    }
    extension.unsupported("codec", names)
}

/// Why a codec is not here, and what to do about it.
pub(super) fn reason(feature: &str) -> String {
    format!(
        "the npm package leaves it out for its size; write the array anew with another codec, such as \"zstd\", or \
         build the package from its source with the Cargo feature {feature:?}"
    )
}

fn refused(extension: &Extension, reason: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {:?}", extension.name),
        reason: format!("met at {}; {reason}", extension.pointer),
    }
}
