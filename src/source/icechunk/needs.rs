//! Input numbers of a repository's files.

use crate::network::ByteRange;
use crate::source::InputRequest;

/// Repository file of version 2.
pub(super) const REPOSITORY: u64 = 0;
/// Document of a branch or a tag in version 1.
pub(super) const REFERENCE: u64 = 1;
/// Mark of a deleted tag in version 1.
pub(super) const TOMBSTONE: u64 = 2;
/// The wanted snapshot.
pub(super) const SNAPSHOT: u64 = 3;
/// First state of a branch in Icechunk before 1.0.
pub(super) const FIRST_STATE: u64 = 4;
/// Configuration of version 1.
pub(super) const CONFIGURATION: u64 = 5;
/// First of the numbers of the snapshot's ancestors.
pub(super) const PARENTS: u64 = 1 << 32;
/// First of the numbers of manifests.
pub(super) const MANIFESTS: u64 = 1 << 33;

/// Input request for a whole file of the repository.
pub(super) fn need(number: u64, url: String) -> InputRequest {
    InputRequest::plain(number, url, ByteRange::All)
}
