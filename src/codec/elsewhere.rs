//! The codecs that few arrays need, and that a small build leaves to another one: the package's main module to a second
//! one, which is loaded when the first such array is opened.
//!
//! Invariant: a pipeline with one of them is elsewhere as a whole; of it is known here what its items are, and no more.

use super::names::names;
use crate::metadata::Extension;

/// Codecs of the feature `rare`, and `bz2`.
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

/// The codec of these that another build has in place of this one.
pub(super) fn found(codecs: &[Extension]) -> Option<&'static str> {
    if !cfg!(feature = "elsewhere") {
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
