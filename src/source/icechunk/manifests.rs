//! Cache of the provided manifests.

use std::collections::HashMap;

use super::encoding::id::Id;
use super::manifest::Manifest;
use crate::error::{Error, Result};

/// Most bytes of manifests that are kept: 512 MiB, or one manifest that is larger. The least recently used go first.
///
/// They lie in WebAssembly memory, which has 4 GiB at most; this many bytes hold some six million references.
const KEPT_BYTES: usize = 512 << 20;

/// Manifests by id, each with the number of its input.
#[derive(Default, Clone)]
pub(super) struct Manifests {
    known: HashMap<Id, KnownManifest>,
    /// Ids by input number.
    ids: Vec<Id>,
    bytes: usize,
    uses: u64,
}

#[derive(Clone)]
struct KnownManifest {
    number: u64,
    /// Counter value of the last use.
    used: u64,
    provided: Option<Manifest>,
}

impl Manifests {
    /// Input number of an id, and its manifest if it is kept.
    pub(super) fn get(&mut self, id: Id) -> (u64, Option<Manifest>) {
        self.uses += 1;
        let number = self.ids.len() as u64;
        let known = self.known.entry(id).or_insert_with(|| {
            self.ids.push(id);
            KnownManifest { number, used: 0, provided: None }
        });
        known.used = self.uses;
        (known.number, known.provided.clone())
    }

    /// Provides the manifest of an input number.
    pub(super) fn provide(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        let missing = || {
            Error::metadata(
                "",
                "a snapshot refers to this manifest, and nothing is there; was it garbage-collected?",
            )
        };
        let id = usize::try_from(number).ok().and_then(|number| self.ids.get(number));
        let Some(id) = id.copied() else { return Ok(()) };
        let manifest = Manifest::parse(bytes.ok_or_else(missing)?, id)?;
        self.bytes += manifest.len();
        while self.bytes > KEPT_BYTES {
            let provided = self.known.values_mut().filter(|known| known.provided.is_some());
            let oldest = provided.min_by_key(|known| known.used).and_then(|known| known.provided.take());
            let Some(oldest) = oldest else { break };
            self.bytes -= oldest.len();
        }
        let replaced = self.known.get_mut(&id).and_then(|known| known.provided.replace(manifest));
        self.bytes -= replaced.map_or(0, |replaced| replaced.len());
        Ok(())
    }
}
