//! The snapshots before one: version 2 has them in the repository's file, version 1 in the snapshots themselves, each of
//! which names the one before it.

use super::commit::{Commit, listed};
use super::id::Id;
use super::snapshot::Snapshot;
use super::{Icechunk, PARENTS, need};
use crate::error::{Error, Result};
use crate::source::{Finding, Place};

/// The most snapshots that are asked for one by one.
///
/// The reason: each is a request, made after the one before.
const MOST: usize = 1000;

impl Icechunk {
    /// The snapshot that is open and those before it, newest first.
    pub(super) fn history(&mut self) -> Result<Finding> {
        let Some(snapshot) = self.current()? else { return Ok(Finding::Place(Place::Missing)) };
        let first = snapshot.commit()?;
        if let Some(repository) = self.repository()
            && let Some(known) = repository.history(first.id)?
        {
            return Ok(Finding::Place(Place::Inline(known)));
        }
        let parent = self.parents.last().unwrap_or(&first).parent;
        match parent.filter(|_| self.repository().is_none() && self.parents.len() < MOST) {
            Some(id) => Ok(Finding::Needs(vec![self.parent(id, &first)?])),
            None => {
                let all = std::iter::once(first).chain(self.parents.iter().cloned());
                Ok(Finding::Place(Place::Inline(listed(all.map(Ok))?)))
            }
        }
    }

    /// The snapshot before the last one that is known.
    fn parent(&self, id: Id, first: &Commit) -> Result<super::Need> {
        if first.id == id || self.parents.iter().any(|known| known.id == id) {
            return Err(Error::metadata(
                "",
                format!("the snapshots precede each other in a circle, at {id}"),
            ));
        }
        Ok(need(PARENTS + self.parents.len() as u64, format!("snapshots/{id}")))
    }

    /// Notes a snapshot before the first one, so many before it.
    pub(super) fn tell_parent(&mut self, nth: u64, bytes: Option<&[u8]>) -> Result<()> {
        if nth != self.parents.len() as u64 {
            return Ok(());
        }
        match bytes {
            Some(bytes) => self.parents.push(Snapshot::parse(bytes)?.commit()?),
            None => {
                return Err(Error::metadata(
                    "",
                    "a snapshot says that it follows this one, and nothing is there",
                ));
            }
        }
        Ok(())
    }
}
