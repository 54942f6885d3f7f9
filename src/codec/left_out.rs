//! The codecs that are not read: those that a build leaves out, and those that no build has.

use crate::error::Error;
use crate::metadata::Extension;

/// A codec, or a part of one, that the npm package leaves out.
#[derive(Debug)]
pub struct LeftOut {
    /// Registered name of the codec, or the part of a codec in words.
    pub what: &'static str,
    /// The Cargo feature that adds it.
    pub feature: &'static str,
    /// Whether this build has the feature.
    pub is_here: bool,
}

/// Codecs, and a compressor of Blosc, that the npm package leaves out for its size.
pub const LEFT_OUT: [LeftOut; 8] = [
    LeftOut { what: "gribberish", feature: "grib", is_here: cfg!(feature = "grib") },
    LeftOut { what: "numcodecs.grib", feature: "grib", is_here: cfg!(feature = "grib") },
    LeftOut { what: "numcodecs.gribscan.rawgrib", feature: "grib", is_here: cfg!(feature = "grib") },
    LeftOut { what: "numcodecs.rawgrib", feature: "grib", is_here: cfg!(feature = "grib") },
    LeftOut { what: "numcodecs.lzma", feature: "lzma", is_here: cfg!(feature = "lzma") },
    LeftOut { what: "numcodecs.pcodec", feature: "pcodec", is_here: cfg!(feature = "pcodec") },
    LeftOut { what: "numcodecs.zfpy", feature: "zfp", is_here: cfg!(feature = "zfp") },
    LeftOut { what: "blosc with snappy", feature: "blosc-snappy", is_here: cfg!(feature = "blosc-snappy") },
];

/// Whether a codec is `pickle`, which is refused even where `must_understand` is false: its chunks are Python programs.
pub(super) fn is_pickle(extension: &Extension) -> bool {
    extension.id() == "pickle"
}

/// The error for a codec that this build cannot read; `names` are the codecs that it reads.
pub(super) fn unsupported(extension: &Extension, names: &[&str]) -> Error {
    let name = extension.name.as_str();
    if let Some(LeftOut { feature, .. }) = LEFT_OUT.iter().find(|codec| codec.what == name) {
        return refused(extension, &reason(feature));
    }
    if is_pickle(extension) {
        let reason = "decoding pickle runs code from the chunk; write the array again in Python with vlen-utf8, \
                      vlen-bytes or json2";
        return refused(extension, reason);
    }
    if name == "zfp" {
        let reason = "there is no decoder for ZFP streams without a header; write the array again with other codecs, \
                      such as \"bitround\" and \"zstd\"";
        return refused(extension, reason);
    }
    extension.unsupported("codec", names)
}

/// Reason in the error for a left-out codec, and what to try.
pub(super) fn reason(feature: &str) -> String {
    format!(
        "the npm package leaves it out for its size; write the array again with another codec, such as \"zstd\", or \
         build the package from source with the Cargo feature {feature:?}"
    )
}

fn refused(extension: &Extension, reason: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {:?}", extension.name),
        reason: format!("met at {}; {reason}", extension.pointer),
    }
}
