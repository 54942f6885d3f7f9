//! Rarely used codecs. The package's main module leaves them to its second module, `rare`, which is loaded when the
//! first array with such a codec is opened.
//!
//! Invariant: the second module decodes a pipeline with such a codec as a whole. The main module knows only the data
//! type of its items.

use super::names::names;
use crate::metadata::Extension;

/// Codecs of the Cargo features `rare` and `bz2`.
const RARE: [&str; 20] = [
    "bitround",
    "cast_value",
    "cfdb.lz4_frame",
    "cfdb.msgpack",
    "cfdb.packed",
    "numcodecs.astype",
    "numcodecs.base64",
    "numcodecs.bitround",
    "numcodecs.bz2",
    "numcodecs.categorize",
    "numcodecs.delta",
    "numcodecs.fixedscaleoffset",
    "numcodecs.json2",
    "numcodecs.msgpack2",
    "numcodecs.packbits",
    "numcodecs.quantize",
    "numcodecs.vlen-array",
    "packbits",
    "reshape",
    "scale_offset",
];

/// Name of the first codec in the list that this build lacks and the second module has.
pub(super) fn found(codecs: &[Extension]) -> Option<&'static str> {
    if !cfg!(feature = "external") {
        return None;
    }
    let rare = |codec: &Extension| RARE.into_iter().find(|name| *name == codec.name);
    codecs.iter().filter_map(rare).find(|name| !names().contains(name))
}

#[cfg(all(test, feature = "rare", feature = "bz2"))]
mod tests {
    #[test]
    fn the_whole_build_has_what_a_small_one_leaves_to_it() {
        let names = super::names();
        assert!(super::RARE.iter().all(|name| names.contains(name)), "{names:?}");
    }
}
