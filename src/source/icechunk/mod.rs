//! Icechunk: a repository of versions of a Zarr hierarchy, versions 1 and 2 of its specification, as a folder of files.
//!
//! Invariant: what an id names never changes, so it is read once; what names change for is read anew. Nothing in a
//! repository has to be listed.
//! Spec: <https://icechunk.io/en/latest/reference/spec-v2-1/>

mod commit;
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
use self::needs::{FIRST_STATE, MANIFESTS, PARENTS, REFERENCE, REPOSITORY, SNAPSHOT, TOMBSTONE, need};
use self::older::Older;
use self::repository::Repository;
use self::snapshot::Snapshot;
use self::wanted::{Version, VersionOptions};
use super::{ByteLocation, InputRequest, Resolution, VirtualStore, no_answer};
use crate::error::{Error, Result};
use crate::metadata::Value;

/// A repository.
pub struct Icechunk {
    wanted: VersionOptions,
    start: Start,
    /// The id of the snapshot that is wanted, once it is known.
    tip: Option<Id>,
    /// The snapshot that was told last, and its id.
    snapshot: Option<(Id, Rc<Snapshot>)>,
    /// Whether nothing was there for the id that is wanted.
    is_lost: bool,
    manifests: Manifests,
    /// The snapshots before the first one, of version 1, as far as they were told.
    parents: Vec<Commit>,
}

/// Files that lead to snapshots.
enum Start {
    Unknown,
    Repository(Repository),
    /// There is no file of the repository's, so its version is 1.
    Older(Older),
}

// What it holds is long, and would have all of it written in the module that nobody prints it in.
impl fmt::Debug for Icechunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Icechunk")
    }
}

impl Icechunk {
    /// A repository, opened with the options of a caller, a JSON object: `branch`, `tag` or `snapshot`, `containers`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for others.
    pub fn new(options: &Value) -> Result<Self> {
        Ok(Self::wanting(VersionOptions::parse(options)?))
    }

    fn wanting(wanted: VersionOptions) -> Self {
        let (start, manifests) = (Start::Unknown, Manifests::default());
        Self { wanted, start, tip: None, snapshot: None, is_lost: false, manifests, parents: Vec::new() }
    }

    /// The id of the snapshot that is wanted, once it is known.
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

    /// The snapshot that is wanted, once it was told.
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

    /// Where a chunk's bytes are; what lies in a manifest that was not told is needed first.
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
                return self.place(reference).map(Resolution::Place);
            }
        }
        Ok(Resolution::Place(ByteLocation::Missing))
    }

    fn place(&self, reference: Reference) -> Result<ByteLocation> {
        Ok(match reference {
            Reference::Inline(bytes) => ByteLocation::Inline(bytes),
            Reference::Native(id, span) => {
                ByteLocation::File { url: format!("chunks/{id}"), span: Some(span) }
            }
            Reference::Virtual(location, span) => {
                let url = location::address(&location, &self.wanted, self.repository())?;
                ByteLocation::File { url, span: Some(span) }
            }
        })
    }

    /// Notes the snapshot that is wanted, or that it is not there.
    fn tell_snapshot(&mut self, bytes: Option<&[u8]>) -> Result<()> {
        let tip = self.tip()?;
        match (tip, bytes) {
            (Some(id), Some(bytes)) => self.snapshot = Some((id, Rc::new(Snapshot::parse(bytes, id)?))),
            (_, None) if matches!(self.wanted.version, Version::Snapshot(_)) => self.is_lost = true,
            _ => {
                return Err(Error::metadata(
                    "",
                    "the repository leads there, and nothing is there; it is damaged",
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

    fn tell(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        match number {
            REPOSITORY => {
                // A host may answer with a page for whatever is not there.
                let bytes = bytes.filter(|bytes| file::is_icechunk(bytes));
                self.start = match bytes {
                    Some(bytes) => Start::Repository(Repository::parse(bytes)?),
                    None => Start::Older(Older::default()),
                };
                Ok(())
            }
            REFERENCE | TOMBSTONE | FIRST_STATE => match &mut self.start {
                Start::Older(older) => older.tell(number, bytes, &self.wanted.version),
                _ => Ok(()),
            },
            SNAPSHOT => self.tell_snapshot(bytes),
            PARENTS..MANIFESTS => self.tell_parent(number - PARENTS, bytes),
            _ => self.manifests.tell(number - MANIFESTS, bytes),
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
