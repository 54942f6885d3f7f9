//! The codecs that are not read: those that a build leaves out, and those that no build has.

use super::chain::on_demand::OnDemand;
use crate::error::Error;
use crate::metadata::Extension;

/// Whether other modules have codecs too, and pages those of others: the list of this build's would mislead.
const IN_PAGES: bool = cfg!(all(feature = "external", target_arch = "wasm32"));

/// Whether a codec is `pickle`, which is refused even where `must_understand` is false: its chunks are Python programs.
pub(super) fn is_pickle(extension: &Extension) -> bool {
    extension.id() == "pickle"
}

/// The error for a codec that this build cannot read; `names` are the codecs that it reads.
pub(super) fn unsupported(extension: &Extension, names: &[&str]) -> Error {
    if let Some(OnDemand { module, .. }) = OnDemand::of(extension) {
        let reason = format!("this build lacks it; the Cargo feature {module:?} adds it");
        return refused(extension, &reason);
    }
    if is_pickle(extension) {
        let reason = "decoding pickle runs code from the chunk; write the array again in Python with vlen-utf8, \
                      vlen-bytes or json2";
        return refused(extension, reason);
    }
    if IN_PAGES {
        return Error::Unsupported {
            feature: format!("codec {:?}", extension.name),
            reason: format!("found at {}; a page can register it with codecs.set", extension.pointer),
        };
    }
    extension.unsupported("codec", names)
}

fn refused(extension: &Extension, reason: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {:?}", extension.name),
        reason: format!("met at {}; {reason}", extension.pointer),
    }
}
