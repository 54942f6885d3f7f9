//! Snapshots: the groups and arrays of one version of the data, each with its `zarr.json`, and the manifests of each
//! array.
//!
//! Nodes are found by binary search where they are sorted by path, as Icechunk writes them, else one by one.

use std::cell::Cell;
use std::iter::once;

use super::commit::Commit;
use super::encoding::file::{File, FileKind};
use super::encoding::flat::{Fault, FlatTable, FlatTables, Read, required};
use super::encoding::id::Id;
use crate::error::Result;

/// Number of the union's variant for an array, in a node's data.
const ARRAY: u8 = 1;

/// A snapshot.
pub(super) struct Snapshot {
    file: File,
    /// Whether the nodes are in the order of their paths.
    is_sorted: bool,
    /// Index of the manifest that had the last chunk; the next chunk is likely there too.
    last: Cell<usize>,
}

/// A chunk of an array.
pub(super) struct SnapshotChunk<'a> {
    /// The array's id.
    pub(super) node: [u8; 8],
    pub(super) coords: Vec<u32>,
    manifests: FlatTables<'a>,
}

impl Snapshot {
    /// Parses the snapshot of an id.
    pub(super) fn parse(bytes: &[u8], id: Id) -> Result<Self> {
        let file = File::parse(bytes, FileKind::Snapshot)?.named(id)?;
        let nodes = file.root()?.tables(2)?;
        let (mut is_sorted, mut before) = (true, None);
        for node in nodes.iter() {
            let path = path_of(&node?)?;
            is_sorted &= before.is_none_or(|before| before < path);
            before = Some(path);
        }
        Ok(Self { file, is_sorted, last: Cell::default() })
    }

    /// Commit metadata of the snapshot.
    pub(super) fn commit(&self) -> Result<Commit> {
        let root = self.file.root()?;
        let id = Id(required(root.fixed(0)?, "id")?);
        Commit::new(id, root.fixed(1)?.map(Id), &root, [3, 4, 5], self.file.version)
    }

    /// Paths and `zarr.json`s of all nodes; the root's path is empty.
    pub(super) fn documents(&self) -> Read<Vec<(&str, &[u8])>> {
        let nodes = self.file.root()?.tables(2)?;
        let (mut documents, mut bytes) = (Vec::new(), 0);
        for node in nodes.iter() {
            let node = node?;
            let (path, document) = (path_of(&node)?, document_of(&node)?);
            // Two empty texts take 16 bytes in the list too, and their node no less in the file.
            bytes += path.len() + document.len() + 16;
            if bytes > self.file.len() {
                return Err(Fault::Repeats);
            }
            documents.push((path, document));
        }
        Ok(documents)
    }

    /// The `zarr.json` of the node at a path; `None` where there is no such node.
    pub(super) fn document(&self, path: &str) -> Read<Option<&[u8]>> {
        self.node(path)?.map(|node| document_of(&node)).transpose()
    }

    /// Splits a chunk key into its array and coordinates; `None` where it has no array, or other coordinates.
    pub(super) fn chunk(&self, key: &str) -> Read<Option<SnapshotChunk<'_>>> {
        let ends = key.match_indices('/').map(|(at, _)| (&key[..at], &key[at + 1..]));
        for (path, rest) in once(("", key)).chain(ends) {
            let Some(coords) = coordinates(rest) else { continue };
            if let Some(node) = self.node(path)?.filter(|node| node.byte(3).is_ok_and(|kind| kind == ARRAY)) {
                let array = required(node.table(4)?, "node_data")?;
                let id = required(node.fixed(0)?, "id")?;
                // Version 2 has a table for each axis, version 1 two numbers.
                let axes = array.tables(3)?.len().max(array.items::<16>(0)?.map_or(0, <[_]>::len));
                if coords.len() != axes {
                    return Ok(None);
                }
                return Ok(Some(SnapshotChunk { node: id, coords, manifests: array.tables(2)? }));
            }
        }
        Ok(None)
    }

    /// Manifests whose extents contain a chunk.
    pub(super) fn manifests<'a>(
        &'a self,
        chunk: &'a SnapshotChunk<'a>,
    ) -> impl Iterator<Item = Read<Id>> + 'a {
        let last = Some(self.last.get()).filter(|last| *last < chunk.manifests.len());
        let has = move |nth: usize| {
            let manifest = chunk.manifests.get(nth)?;
            let extents = required(manifest.items::<8>(1)?, "extents")?;
            if extents.len() != chunk.coords.len() {
                return Err(Fault::Axes);
            }
            let is_within = |(extent, at): (&[u8; 8], &u32)| {
                let [from, to] =
                    [0, 4].map(|half| u32::from_le_bytes([0, 1, 2, 3].map(|nth| extent[half + nth])));
                (from..to).contains(at)
            };
            if !extents.iter().zip(&chunk.coords).all(is_within) {
                return Ok(None);
            }
            self.last.set(nth);
            Ok(Some(Id(required(manifest.fixed(0)?, "object_id")?)))
        };
        last.into_iter().chain(0..chunk.manifests.len()).filter_map(move |nth| has(nth).transpose())
    }

    fn node(&self, path: &str) -> Read<Option<FlatTable<'_>>> {
        let nodes = self.file.root()?.tables(2)?;
        if !self.is_sorted {
            return nodes
                .iter()
                .find(|node| node.as_ref().is_ok_and(|node| path_of(node).is_ok_and(|found| found == path)))
                .transpose();
        }
        nodes.search(|node| Ok(path_of(node)?.cmp(path)))
    }
}

fn path_of<'a>(node: &FlatTable<'a>) -> Read<&'a str> {
    let path = required(node.text(1)?, "path")?;
    path.strip_prefix('/').ok_or(Fault::Path)
}

fn document_of<'a>(node: &FlatTable<'a>) -> Read<&'a [u8]> {
    required(node.bytes(2)?, "user_data")
}

/// Parses the coordinates at the end of a key, in any chunk key encoding; `None` where they are something else.
fn coordinates(rest: &str) -> Option<Vec<u32>> {
    let numbers = match rest.strip_prefix('c') {
        Some("") => return Some(Vec::new()),
        Some(numbers) => numbers.strip_prefix(['/', '.'])?,
        None => rest,
    };
    numbers.split(['/', '.']).map(|number| number.parse().ok()).collect()
}
