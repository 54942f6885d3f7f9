//! Cache of the provided manifests.

use super::encoding::id::Id;
use super::manifest::Manifest;
use crate::error::{Error, Result};
use crate::source::cached_inputs::CachedInputs;

/// Most bytes of manifests that are cached: 512 MiB, or one manifest that is larger. The least recently used go first.
///
/// They lie in WebAssembly memory, which has 4 GiB at most; this many bytes hold some six million references.
const CACHED_BYTES: usize = 512 << 20;

/// Manifests by id, each with the number of its input.
#[derive(Clone)]
pub(super) struct Manifests(CachedInputs<Id, Manifest>);

impl Default for Manifests {
    fn default() -> Self {
        Self(CachedInputs::new(CACHED_BYTES))
    }
}

impl Manifests {
    /// Input number of an id, and its manifest if it is cached.
    pub(super) fn get(&mut self, id: Id) -> (u64, Option<Manifest>) {
        self.0.get(&id)
    }

    /// Provides the manifest of an input number.
    pub(super) fn provide(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        let missing = || {
            Error::metadata(
                "",
                "a snapshot refers to this manifest, and nothing is there; was it garbage-collected?",
            )
        };
        let Some(id) = self.0.name(number).copied() else { return Ok(()) };
        let manifest = Manifest::parse(bytes.ok_or_else(missing)?, id)?;
        let bytes = manifest.len();
        self.0.put(&id, manifest, bytes);
        Ok(())
    }
}
