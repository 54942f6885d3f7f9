//! Repository file of version 2: branches, tags, snapshots, and the addresses of containers.

use super::commit::{Commit, listed};
use super::container::Container;
use super::encoding::file::{File, FileKind};
use super::encoding::flat::{FlatTables, Read, required};
use super::encoding::flex;
use super::encoding::id::Id;
use super::wanted::Version;
use crate::error::{Error, Result};
use crate::metadata::{Map, Value};

/// Most names that an error lists.
const MOST_NAMED: usize = 20;

/// Kinds of names, each with its field number in the file's table.
#[derive(Clone, Copy)]
enum Names {
    Tags = 1,
    Branches = 2,
}

/// The repository file, and the containers of virtual chunks in its configuration.
pub(super) struct Repository(File, Vec<Container>);

impl Repository {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let file = File::parse(bytes, FileKind::Repository)?;
        let configuration = || flex::value(file.root().ok()?.bytes(9).ok()??);
        let containers = configuration().map(|found| Container::all(&found)).unwrap_or_default();
        Ok(Self(file, containers))
    }

    /// Resolves a version to the id of its snapshot.
    pub(super) fn find(&self, version: &Version) -> Result<Id> {
        let (names, kind, name) = match version {
            Version::Branch(name) => (Names::Branches, "branch", name),
            Version::Tag(name) => (Names::Tags, "tag", name),
            Version::Snapshot(id) => return Ok(*id),
        };
        let names = self.names(names)?;
        match names.iter().find(|(known, _)| known == name) {
            Some((_, id)) => Ok(*id),
            None => Err(not_found(kind, name, names.into_iter().map(|(name, _)| name.to_owned()))),
        }
    }

    /// Error for a snapshot that does not exist; lists those that do.
    pub(super) fn no_snapshot(&self, id: Id) -> Error {
        let known = self.snapshots().and_then(|all| {
            all.iter().map(|one| Ok(id_of(required(one?.fixed(0)?, "id")?))).collect::<Read<Vec<_>>>()
        });
        not_found("snapshot", &id.to_string(), known.unwrap_or_default().into_iter())
    }

    /// The containers in the repository's configuration.
    pub(super) fn containers(&self) -> &[Container] {
        &self.1
    }

    /// Writes branches and tags as JSON.
    pub(super) fn references(&self) -> Result<Vec<u8>> {
        let mut all = Map::new();
        for (kind, names) in [("branches", Names::Branches), ("tags", Names::Tags)] {
            let mut ids = Map::new();
            for (name, id) in self.names(names)? {
                ids.insert(name.to_owned(), id.to_string().into());
            }
            all.insert(kind.to_owned(), ids.into());
        }
        Ok(Value::Object(all).to_string().into_bytes())
    }

    /// Writes a snapshot and its ancestors as JSON, newest first; `None` where the file does not list it.
    pub(super) fn history(&self, id: Id) -> Result<Option<Vec<u8>>> {
        let (version, all) = (self.0.version, self.snapshots()?);
        let mut start = None;
        for (nth, one) in all.iter().enumerate() {
            if one?.fixed(0)? == Some(id.0) {
                start = Some(nth);
                break;
            }
        }
        let Some(start) = start else { return Ok(None) };
        let (mut next, mut seen) = (Some(start), 0);
        let commits = std::iter::from_fn(|| {
            let nth = next.take()?;
            seen += 1;
            if seen > all.len() {
                return Some(Err(Error::metadata("", "the history of snapshots goes in a circle")));
            }
            Some(all.get(nth).map_err(Error::from).and_then(|table| {
                // The first snapshot has a negative parent index.
                next = usize::try_from(table.int(1)?.cast_signed()).ok();
                let parent = next.map(|nth| required(all.get(nth)?.fixed(0)?, "id")).transpose()?;
                Commit::new(Id(required(table.fixed(0)?, "id")?), parent.map(Id), &table, [2, 3, 4], version)
            }))
        });
        listed(commits, self.0.len()).map(Some)
    }

    fn snapshots(&self) -> Read<FlatTables<'_>> {
        self.0.root()?.tables(4)
    }

    fn names(&self, names: Names) -> Read<Vec<(&str, Id)>> {
        let (all, named) = (self.snapshots()?, self.0.root()?.tables(names as usize)?);
        let mut found = Vec::new();
        for table in named.iter() {
            let table = table?;
            let snapshot = all.get(usize::try_from(table.int(1)?).unwrap_or(usize::MAX))?;
            found.push((required(table.text(0)?, "name")?, Id(required(snapshot.fixed(0)?, "id")?)));
        }
        Ok(found)
    }
}

fn id_of(bytes: [u8; 12]) -> String {
    Id(bytes).to_string()
}

/// Error for a branch, tag or snapshot that does not exist; lists those that do.
fn not_found(kind: &str, name: &str, known: impl Iterator<Item = String>) -> Error {
    let mut names: Vec<String> = known.take(MOST_NAMED + 1).collect();
    if names.len() > MOST_NAMED {
        names[MOST_NAMED] = "and more".to_owned();
    }
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let hint = format!("the repository has {known}");
    Error::NotFound {
        wanted: format!("Icechunk {kind}").into(),
        path: name.to_owned(),
        tried: Vec::new(),
        hint,
    }
}
