//! Icechunk: a folder of files that holds versions of a Zarr hierarchy; versions 1 and 2 of the specification.
//!
//! Invariant: files named by an id never change, so they are read once; branches and tags may change, so they are read
//! again on refresh. No folder has to be listed.
//! Spec: <https://icechunk.io/en/latest/reference/spec-v2-1/>

mod commit;
mod configuration;
mod container;
mod encoding;
mod history;
mod location;
mod manifest;
mod manifests;
mod needs;
mod older;
mod repository;
mod root;
mod snapshot;
mod wanted;

use std::fmt;
use std::rc::Rc;

pub use self::encoding::file::MAX_FILE_BYTES;

use self::commit::Commit;
use self::encoding::file;
use self::encoding::id::Id;
use self::manifest::Reference;
use self::manifests::Manifests;
use self::needs::{
    CONFIGURATION, FIRST_STATE, MANIFESTS, PARENTS, REFERENCE, REPOSITORY, SNAPSHOT, TOMBSTONE, need,
};
use self::older::Older;
use self::repository::Repository;
use self::snapshot::Snapshot;
use self::wanted::{Version, VersionOptions};
use super::{ByteLocation, InputRequest, Resolution, VirtualStore, no_answer};
use crate::error::{Error, Result};
use crate::metadata::Value;

/// An Icechunk repository, opened at one version.
pub struct Icechunk {
    wanted: VersionOptions,
    start: Start,
    /// Id of the wanted snapshot, once it is known.
    tip: Option<Id>,
    /// Last provided snapshot and its id.
    snapshot: Option<(Id, Rc<Snapshot>)>,
    /// Whether the file of the wanted snapshot does not exist.
    is_lost: bool,
    manifests: Manifests,
    /// Ancestors of the open snapshot that were provided so far; version 1 only.
    parents: Vec<Commit>,
}

/// Source of the names of snapshots.
enum Start {
    Unknown,
    Repository(Repository),
    /// There is no repository file, so the version is 1.
    Older(Older),
}

// A derived implementation would link the formatting of all contents into the module.
impl fmt::Debug for Icechunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Icechunk")
    }
}

impl Icechunk {
    /// Opens a repository; `options` is a JSON object with `branch`, `tag` or `snapshot`, and `containers`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where an option has another type, or more than one version is given.
    pub fn new(options: &Value) -> Result<Self> {
        Ok(Self::wanting(VersionOptions::parse(options)?))
    }

    fn wanting(wanted: VersionOptions) -> Self {
        let (start, manifests) = (Start::Unknown, Manifests::default());
        Self { wanted, start, tip: None, snapshot: None, is_lost: false, manifests, parents: Vec::new() }
    }

    /// Id of the wanted snapshot, once it is known.
    fn tip(&mut self) -> Result<Option<Id>> {
        if self.tip.is_none() {
            self.tip = match (&self.wanted.version, &self.start) {
                (Version::Snapshot(id), _) => Some(*id),
                (version, Start::Repository(repository)) => Some(repository.find(version)?),
                (version, Start::Older(older)) => older.find(version)?,
                (_, Start::Unknown) => None,
            };
        }
        Ok(self.tip)
    }

    /// The wanted snapshot, once it is provided.
    fn current(&mut self) -> Result<Option<Rc<Snapshot>>> {
        let tip = self.tip()?;
        let known = self.snapshot.as_ref().filter(|(id, _)| Some(*id) == tip);
        Ok(known.map(|(_, snapshot)| Rc::clone(snapshot)))
    }

    fn repository(&self) -> Option<&Repository> {
        match &self.start {
            Start::Repository(repository) => Some(repository),
            _ => None,
        }
    }

    /// Looks up a chunk in the manifests of its array; a manifest that is not cached becomes an input request.
    fn chunk(&mut self, snapshot: &Snapshot, key: &str) -> Result<Resolution> {
        let Some(chunk) = snapshot.chunk(key)? else { return Ok(Resolution::Place(ByteLocation::Missing)) };
        for id in snapshot.manifests(&chunk) {
            let id = id?;
            let (number, manifest) = self.manifests.get(id);
            let Some(manifest) = manifest else {
                return Ok(Resolution::Needs(vec![need(MANIFESTS + number, format!("manifests/{id}"))]));
            };
            let found =
                manifest.find(&chunk).map_err(|error| error.in_document(&format!("manifests/{id}")))?;
            if let Some(reference) = found {
                return self.place(reference);
            }
        }
        Ok(Resolution::Place(ByteLocation::Missing))
    }

    fn place(&self, reference: Reference) -> Result<Resolution> {
        Ok(Resolution::Place(match reference {
            Reference::Inline(bytes) => ByteLocation::Inline(bytes),
            Reference::Native(id, span) => {
                ByteLocation::File { url: format!("chunks/{id}"), span: Some(span) }
            }
            Reference::Virtual(location, span) => {
                let containers = match &self.start {
                    Start::Repository(repository) => Some(repository.containers()),
                    Start::Older(older) => older.containers.as_deref(),
                    Start::Unknown => None,
                };
                if containers.is_none() && location::needs_containers(&location, &self.wanted) {
                    return Ok(Resolution::Needs(vec![need(CONFIGURATION, "config.yaml".to_owned())]));
                }
                location::place(&location, span, &self.wanted, containers.unwrap_or_default())?
            }
        }))
    }

    /// Provides the wanted snapshot, or notes that it does not exist.
    fn provide_snapshot(&mut self, bytes: Option<&[u8]>) -> Result<()> {
        let tip = self.tip()?;
        match (tip, bytes) {
            (Some(id), Some(bytes)) => self.snapshot = Some((id, Rc::new(Snapshot::parse(bytes, id)?))),
            (_, None) if matches!(self.wanted.version, Version::Snapshot(_)) => self.is_lost = true,
            _ => {
                return Err(Error::metadata(
                    "",
                    "the repository refers to this snapshot, and nothing is there; it is damaged",
                ));
            }
        }
        Ok(())
    }
}

impl VirtualStore for Icechunk {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        let mut needs = match &self.start {
            Start::Unknown => vec![need(REPOSITORY, "repo".to_owned())],
            Start::Older(older) => older.needs(&self.wanted.version),
            Start::Repository(_) => Vec::new(),
        };
        let tip = self.tip()?;
        if let Some(id) = tip.filter(|id| self.snapshot.as_ref().is_none_or(|(known, _)| known != id)) {
            if !self.is_lost {
                needs.push(need(SNAPSHOT, format!("snapshots/{id}")));
            } else if needs.is_empty() {
                return Err(match self.repository() {
                    Some(repository) => repository.no_snapshot(id),
                    None => older::no_snapshot(id),
                });
            }
        }
        Ok(needs)
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        let needs = self.needs()?;
        if !needs.is_empty() {
            return Ok(Resolution::Needs(needs));
        }
        let Some(snapshot) = self.current()? else { return Ok(Resolution::Place(ByteLocation::Missing)) };
        if key == root::KEY {
            return Ok(Resolution::Place(root::place(&snapshot)?));
        }
        match key.strip_suffix(root::KEY).and_then(|path| path.strip_suffix('/')) {
            Some(path) => {
                let document =
                    snapshot.document(path)?.map(|document| ByteLocation::Inline(document.to_vec()));
                Ok(Resolution::Place(document.unwrap_or(ByteLocation::Missing)))
            }
            None => self.chunk(&snapshot, key),
        }
    }

    fn provide(&mut self, number: u64, bytes: Option<Vec<u8>>) -> Result<()> {
        let bytes = bytes.as_deref();
        match number {
            REPOSITORY => {
                // A host may send an HTML page for files that do not exist.
                let bytes = bytes.filter(|bytes| file::is_icechunk(bytes));
                self.start = match bytes {
                    Some(bytes) => Start::Repository(Repository::parse(bytes)?),
                    None => Start::Older(Older::default()),
                };
                Ok(())
            }
            REFERENCE | TOMBSTONE | FIRST_STATE => match &mut self.start {
                Start::Older(older) => older.provide(number, bytes, &self.wanted.version),
                _ => Ok(()),
            },
            CONFIGURATION => {
                if let Start::Older(older) = &mut self.start {
                    older.containers = Some(configuration::containers(bytes));
                }
                Ok(())
            }
            SNAPSHOT => self.provide_snapshot(bytes),
            PARENTS..MANIFESTS => self.provide_parent(number - PARENTS, bytes),
            _ => self.manifests.provide(number - MANIFESTS, bytes),
        }
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        let (snapshot, manifests) = (self.snapshot.clone(), self.manifests.clone());
        Box::new(Self { snapshot, manifests, ..Self::wanting(self.wanted.clone()) })
    }

    fn answer(&mut self, question: &str) -> Result<Resolution> {
        let needs = self.needs()?;
        match question {
            _ if !needs.is_empty() => Ok(Resolution::Needs(needs)),
            "snapshots" => self.history(),
            "refs" => match self.repository() {
                Some(repository) => Ok(Resolution::Place(ByteLocation::Inline(repository.references()?))),
                None => Err(older::no_list()),
            },
            _ => Err(no_answer(question)),
        }
    }
}
