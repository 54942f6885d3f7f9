//! The manifests that were told, as many as there is room for.

use std::collections::HashMap;

use super::encoding::id::Id;
use super::manifest::Manifest;
use crate::error::{Error, Result};

/// Bytes of manifests that are kept, least recently used out first: 512 MiB, or one.
///
/// The reason: they lie in the module's memory, of which there are 4 GiB, and some six million references are read at
/// once from so many.
const KEPT_BYTES: usize = 512 << 20;

/// Manifests by their ids, and each one's number.
#[derive(Default, Clone)]
pub(super) struct Manifests {
    known: HashMap<Id, KnownManifest>,
    /// By their numbers.
    ids: Vec<Id>,
    bytes: usize,
    uses: u64,
}

#[derive(Clone)]
struct KnownManifest {
    number: u64,
    /// When it was used last.
    used: u64,
    told: Option<Manifest>,
}

impl Manifests {
    /// The number of an id, and its manifest if that was told.
    pub(super) fn get(&mut self, id: Id) -> (u64, Option<Manifest>) {
        self.uses += 1;
        let number = self.ids.len() as u64;
        let known = self.known.entry(id).or_insert_with(|| {
            self.ids.push(id);
            KnownManifest { number, used: 0, told: None }
        });
        known.used = self.uses;
        (known.number, known.told.clone())
    }

    /// Notes the manifest of a number.
    pub(super) fn tell(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        let missing = || {
            Error::metadata("", "a snapshot leads to this manifest, and nothing is there; was it collected?")
        };
        let id = usize::try_from(number).ok().and_then(|number| self.ids.get(number));
        let Some(id) = id.copied() else { return Ok(()) };
        let manifest = Manifest::parse(bytes.ok_or_else(missing)?, id)?;
        self.bytes += manifest.len();
        while self.bytes > KEPT_BYTES {
            let told = self.known.values_mut().filter(|known| known.told.is_some());
            let oldest = told.min_by_key(|known| known.used).and_then(|known| known.told.take());
            let Some(oldest) = oldest else { break };
            self.bytes -= oldest.len();
        }
        let replaced = self.known.get_mut(&id).and_then(|known| known.told.replace(manifest));
        self.bytes -= replaced.map_or(0, |replaced| replaced.len());
        Ok(())
    }
}
