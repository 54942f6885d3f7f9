//! The files that a repository is asked for, by number.

use crate::source::{ByteRange, InputRequest};

/// The numbers of needs: the repository's file, those of the first version in place of it, the snapshot, the first state
/// of a branch as Icechunk had it before 1.0; from here on snapshots before it, and manifests.
pub(super) const REPOSITORY: u64 = 0;
pub(super) const REFERENCE: u64 = 1;
pub(super) const TOMBSTONE: u64 = 2;
pub(super) const SNAPSHOT: u64 = 3;
pub(super) const FIRST_STATE: u64 = 4;
pub(super) const PARENTS: u64 = 1 << 32;
pub(super) const MANIFESTS: u64 = 1 << 33;

/// All of a file of the repository's own.
pub(super) fn need(number: u64, url: String) -> InputRequest {
    InputRequest { number, url, range: ByteRange::All }
}
