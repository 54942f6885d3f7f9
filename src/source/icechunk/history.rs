//! History of a snapshot. Version 2 has it in the repository file; in version 1, each snapshot names its parent.

use super::commit::{Commit, listed};
use super::encoding::id::Id;
use super::snapshot::Snapshot;
use super::{Icechunk, PARENTS, need};
use crate::error::{Error, Result};
use crate::source::{ByteLocation, Resolution};

/// Most snapshots that are requested one by one: each request waits for the one before it.
const MOST: usize = 1000;

impl Icechunk {
    /// Lists the open snapshot and its ancestors, newest first.
    pub(super) fn history(&mut self) -> Result<Resolution> {
        let Some(first) = self.first()? else { return Ok(Resolution::Place(ByteLocation::Missing)) };
        if let Some(repository) = self.repository()
            && let Some(known) = repository.history(first.id)?
        {
            return Ok(Resolution::Place(ByteLocation::Inline(known)));
        }
        if let Some(id) = self.before(&first)?.filter(|_| self.parents.len() < MOST) {
            let number = PARENTS + self.parents.len() as u64;
            return Ok(Resolution::Needs(vec![need(number, format!("snapshots/{id}"))]));
        }
        let all = std::iter::once(first).chain(self.parents.iter().cloned());
        // The size of each commit was checked against its own file.
        Ok(Resolution::Place(ByteLocation::Inline(listed(all.map(Ok), usize::MAX)?)))
    }

    /// Provides the ancestor of the open snapshot at an index, 0 being its parent.
    pub(super) fn provide_parent(&mut self, nth: u64, bytes: Option<&[u8]>) -> Result<()> {
        let Some(first) = self.first()? else { return Ok(()) };
        let Some(id) = self.before(&first)?.filter(|_| nth == self.parents.len() as u64) else {
            return Ok(());
        };
        let missing =
            || Error::metadata("", "another snapshot names this file as its parent, and nothing is there");
        self.parents.push(Snapshot::parse(bytes.ok_or_else(missing)?, id)?.commit()?);
        Ok(())
    }

    /// Commit of the open snapshot, once it is provided.
    fn first(&mut self) -> Result<Option<Commit>> {
        self.current()?.map(|snapshot| snapshot.commit()).transpose()
    }

    /// Id of the parent of the last known snapshot; `None` where the repository file has the history.
    fn before(&self, first: &Commit) -> Result<Option<Id>> {
        let last = self.parents.last().unwrap_or(first);
        let Some(id) = last.parent.filter(|_| self.repository().is_none()) else { return Ok(None) };
        if first.id == id || self.parents.iter().any(|known| known.id == id) {
            return Err(Error::metadata("", format!("the history of snapshots goes in a circle, at {id}")));
        }
        Ok(Some(id))
    }
}
