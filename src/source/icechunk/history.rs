//! The snapshots before one: version 2 has them in the repository's file, version 1 in the snapshots themselves, each of
//! which names the one before it.

use super::commit::{Commit, listed};
use super::encoding::id::Id;
use super::snapshot::Snapshot;
use super::{Icechunk, PARENTS, need};
use crate::error::{Error, Result};
use crate::source::{ByteLocation, Resolution};

/// The most snapshots that are asked for one by one.
///
/// The reason: each is a request, made after the one before.
const MOST: usize = 1000;

impl Icechunk {
    /// The snapshot that is open and those before it, newest first.
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
        // Each was held against its own file.
        Ok(Resolution::Place(ByteLocation::Inline(listed(all.map(Ok), usize::MAX)?)))
    }

    /// Notes a snapshot before the first one, so many before it.
    pub(super) fn tell_parent(&mut self, nth: u64, bytes: Option<&[u8]>) -> Result<()> {
        let Some(first) = self.first()? else { return Ok(()) };
        let Some(id) = self.before(&first)?.filter(|_| nth == self.parents.len() as u64) else {
            return Ok(());
        };
        let missing =
            || Error::metadata("", "a snapshot says that it follows this one, and nothing is there");
        self.parents.push(Snapshot::parse(bytes.ok_or_else(missing)?, id)?.commit()?);
        Ok(())
    }

    /// The commit of the snapshot that is open.
    fn first(&mut self) -> Result<Option<Commit>> {
        self.current()?.map(|snapshot| snapshot.commit()).transpose()
    }

    /// The snapshot before the last one that is known; none where the repository's file tells.
    fn before(&self, first: &Commit) -> Result<Option<Id>> {
        let last = self.parents.last().unwrap_or(first);
        let Some(id) = last.parent.filter(|_| self.repository().is_none()) else { return Ok(None) };
        if first.id == id || self.parents.iter().any(|known| known.id == id) {
            return Err(Error::metadata(
                "",
                format!("the snapshots precede each other in a circle, at {id}"),
            ));
        }
        Ok(Some(id))
    }
}
