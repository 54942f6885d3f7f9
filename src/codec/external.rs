//! Codecs of the package's other modules: the rarely used ones of the module `rare`, and those that have a module of
//! their own. The main module leaves them to these modules, which are loaded when the first such array is opened.
//!
//! Invariant: the main module knows only the data type of such an array's items. A [`super::Chain`] decodes its chunks.

use super::chain::on_demand::{Apart, External};
use super::names::names;
use crate::metadata::Extension;

/// Codecs of the Cargo features `rare` and `bz2`.
const RARE: [&str; 35] = [
    "ChunkyCodec",
    "HorizontalDeltaCodec",
    "bitround",
    "cast_value",
    "cfdb.lz4_frame",
    "cfdb.msgpack",
    "cfdb.packed",
    "imagecodecs_bz2",
    "imagecodecs_deflate",
    "imagecodecs_delta",
    "imagecodecs_floatpred",
    "imagecodecs_lz4",
    "imagecodecs_lzw",
    "imagecodecs_packbits",
    "imagecodecs_zlib",
    "imagecodecs_zstd",
    "n5_default",
    "numcodecs.astype",
    "numcodecs.base64",
    "numcodecs.bitround",
    "numcodecs.bz2",
    "numcodecs.categorize",
    "numcodecs.delta",
    "numcodecs.fixedscaleoffset",
    "numcodecs.json",
    "numcodecs.json2",
    "numcodecs.log_bins",
    "numcodecs.msgpack",
    "numcodecs.msgpack2",
    "numcodecs.packbits",
    "numcodecs.quantize",
    "numcodecs.vlen-array",
    "packbits",
    "reshape",
    "scale_offset",
];

/// Codec that stands for these codecs, if this build lacks one of them and another module of the package has it.
pub(super) fn found(codecs: &[Extension]) -> Option<External> {
    // Native builds of the workspace have the feature too, for the crate of the main module, but no other modules.
    if !cfg!(all(feature = "external", target_arch = "wasm32")) {
        return None;
    }
    let here = names();
    let rare = |codec: &Extension| {
        let name = RARE.into_iter().find(|name| *name == codec.name && !here.contains(name));
        name.or_else(|| names_snappy(codec).then_some("blosc"))
    };
    let is_apart = |known: &Apart| known.is_foreign() || !here.contains(&&*known.name);
    let apart = |codec: &Extension| Apart::of(codec).filter(is_apart);
    let external = |codec: &Extension| rare(codec).map(Into::into).or_else(|| Some(apart(codec)?.name));
    let name = codecs.iter().find_map(external)?;
    Some(External { name, is_rare: codecs.iter().any(|codec| rare(codec).is_some()) })
}

/// Whether a codec is Blosc with a compressor that this build lacks.
fn names_snappy(codec: &Extension) -> bool {
    let is_snappy =
        || codec.settings().field("cname").is_some_and(|name| name.value().as_str() == Some("snappy"));
    !cfg!(feature = "blosc-snappy") && codec.id() == "blosc" && is_snappy()
}

#[cfg(all(test, feature = "rare", feature = "bz2"))]
mod tests {
    #[test]
    fn the_whole_build_has_what_a_small_one_leaves_to_it() {
        let names = super::names();
        assert!(super::RARE.iter().all(|name| names.contains(name)), "{names:?}");
    }

    #[cfg(all(
        feature = "grib",
        feature = "jpeg2000",
        feature = "lzma",
        feature = "pcodec",
        feature = "zfp"
    ))]
    #[test]
    fn a_build_with_the_features_has_the_codecs_of_the_modules() {
        let names = super::names();
        assert!(
            super::super::chain::on_demand::ON_DEMAND.iter().all(|codec| names.contains(&codec.name)),
            "{names:?}"
        );
    }
}
