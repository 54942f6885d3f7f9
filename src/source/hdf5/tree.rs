//! The groups and datasets of a file by their paths: all headers are read once, one level of the tree in a round.

use std::collections::HashMap;
use std::rc::Rc;

use super::by_address::ByAddress;
use super::fault::{Read, damaged};
use super::file::FileBytes;
use super::group::Target;
use super::object::{Content, Object};
use crate::error::Error;
use crate::network::join;
use crate::source::original::Lack;

/// Most nodes of a file, with those that several links lead to.
const MOST_NODES: usize = 1 << 16;

/// Most groups within each other.
const DEEPEST: usize = 64;

/// Most bytes of all attributes, names and values that headers hold: 64 MiB, as of a document.
const MOST_HELD: usize = crate::metadata::MAX_METADATA_BYTES;

/// Most links to paths that lead to each other, one to the next; HDF5 itself follows 16.
const LONGEST_CHAIN: usize = 64;

/// Start of the name of a variable whose name is that of a dimension that it does not describe.
const OTHER: &str = "_nc4_non_coord_";

/// A node of the tree.
#[derive(Debug)]
pub(super) struct Node {
    /// Path without a leading slash; empty for the root.
    pub(super) path: String,
    /// Number of the group that has it; the root is its own.
    pub(super) parent: usize,
    /// The object, or why it cannot be read.
    pub(super) object: Result<Rc<Object>, Error>,
}

/// A link that was not followed yet.
#[derive(Debug)]
struct Pending {
    path: String,
    parent: usize,
    target: Target,
}

/// Where a link lies to what it leads to.
enum Place {
    Usual,
    /// In the group that it leads to, or in one within that, which has this number.
    Within(usize),
    /// In so many groups that it is not followed.
    TooDeep,
}

/// The nodes that are known so far.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    numbers: HashMap<String, usize>,
    pending: Vec<Pending>,
    /// Links to paths, which are followed once the objects are known.
    paths: Vec<Pending>,
    objects: ByAddress<Rc<Object>>,
    held_bytes: usize,
    /// Links to paths that were followed so far, one to the next.
    chain: usize,
    /// Paths of links to groups that they lie in, with the numbers of those groups.
    circles: HashMap<String, usize>,
}

impl Tree {
    /// The tree of a file with this root.
    pub(super) fn new(root: u64) -> Self {
        Self {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            pending: vec![Pending { path: String::new(), parent: 0, target: Target::Object(root) }],
            paths: Vec::new(),
            objects: ByAddress::default(),
            held_bytes: 0,
            chain: 0,
            circles: HashMap::new(),
        }
    }

    /// Number of the node at a path.
    fn number(&self, path: &str) -> Option<usize> {
        self.numbers.get(path).copied()
    }

    /// Number of the node at a path as it is shown, without netCDF's mark of some variables.
    pub(super) fn shown(&self, path: &str) -> Option<usize> {
        let (group, name) = path.rsplit_once('/').unwrap_or(("", path));
        let other = if name.is_empty() { None } else { self.number(&join(group, &marked(name))) };
        other.or_else(|| self.number(path))
    }

    /// Paths of objects as they are shown, by the addresses of their headers: of several, the first that was found.
    pub(super) fn paths(&self) -> ByAddress<String> {
        let mut paths = ByAddress::default();
        for Node { path, object, .. } in &self.nodes {
            if let Ok(object) = object {
                paths.add(object.address, format!("/{}", shown(path)));
            }
        }
        paths
    }

    /// Reads what is not known yet.
    pub(super) fn load(&mut self, file: &FileBytes) -> Read<()> {
        let mut lacking = Vec::new();
        let mut waiting = Vec::new();
        loop {
            while let Some(pending) = self.pending.pop() {
                match self.follow(file, &pending) {
                    Ok(()) => {}
                    Err(Lack::Bytes(pages)) => {
                        lacking.extend(pages);
                        waiting.push(pending);
                        if waiting.len() > MOST_NODES {
                            return Err(too_much());
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            if !waiting.is_empty() {
                self.pending = waiting;
                return Err(Lack::Bytes(lacking));
            }
            if !self.follow_paths() {
                return Ok(());
            }
        }
    }

    /// Follows a link to an object; its members are to be followed then.
    fn follow(&mut self, file: &FileBytes, pending: &Pending) -> Read<()> {
        let object = match &pending.target {
            Target::Path(_) => return Ok(()),
            Target::Object(address) => match self.objects.get(*address) {
                Some(object) => Ok(Rc::clone(object)),
                None => match Object::read(file, *address) {
                    Ok(object) => {
                        self.held_bytes += object.held_bytes();
                        let object = Rc::new(object);
                        self.objects.add(*address, Rc::clone(&object));
                        Ok(object)
                    }
                    // A file whose root cannot be read cannot be opened.
                    Err(Lack::Fault(error)) if !self.nodes.is_empty() => Err(*error),
                    Err(halt) => return Err(halt),
                },
            },
            Target::OtherFile(name, path) => Err(Error::Unsupported {
                feature: "an HDF5 link to another file".to_owned(),
                reason: format!("it leads to {path:?} in {name:?}; open that file"),
            }),
            Target::Other(kind) => Err(Error::Unsupported {
                feature: format!("HDF5 links of kind {kind}"),
                reason: format!("found at {:?}; open the other objects", pending.path),
            }),
        };
        let links = self.pending.len() + self.paths.len();
        if self.nodes.len() + self.circles.len() + links >= MOST_NODES || self.held_bytes > MOST_HELD {
            return Err(too_much());
        }
        let is_group = object.as_ref().is_ok_and(|object| matches!(object.content, Content::Group(_)));
        if pending.path.is_empty() && !is_group {
            return Err(damaged(0, "its root is no group").into());
        }
        let is_type = object.as_ref().is_ok_and(|object| matches!(object.content, Content::Datatype));
        if is_type {
            return Ok(());
        }
        let object = match self.place(pending, &object) {
            Place::Usual => object,
            Place::Within(group) => {
                self.circles.insert(pending.path.clone(), group);
                return Ok(());
            }
            Place::TooDeep => Err(Error::Unsupported {
                feature: format!("HDF5 groups more than {DEEPEST} deep in each other"),
                reason: format!("found at {:?}; groups that are less deep open", pending.path),
            }),
        };
        let number = self.nodes.len();
        if let Ok(object) = &object
            && let Content::Group(links) = &object.content
        {
            for link in links {
                let name = &link.name;
                if name.is_empty() || name.contains('/') || name == "." || name == ".." {
                    continue;
                }
                let path = join(&pending.path, name);
                self.held_bytes += path.len();
                let next = Pending { path, parent: number, target: link.target.clone() };
                let list =
                    if matches!(next.target, Target::Path(_)) { &mut self.paths } else { &mut self.pending };
                list.push(next);
            }
        }
        self.numbers.insert(pending.path.clone(), number);
        self.nodes.push(Node { path: pending.path.clone(), parent: pending.parent, object });
        Ok(())
    }

    /// Where a link lies to what it leads to.
    fn place(&self, pending: &Pending, object: &Result<Rc<Object>, Error>) -> Place {
        let Ok(object) = object else { return Place::Usual };
        if !matches!(object.content, Content::Group(_)) || pending.path.is_empty() {
            return Place::Usual;
        }
        let mut above = pending.parent;
        for _ in 0..DEEPEST {
            let node = &self.nodes[above];
            if node.object.as_ref().is_ok_and(|other| other.address == object.address) {
                return Place::Within(above);
            }
            if node.path.is_empty() {
                return Place::Usual;
            }
            above = node.parent;
        }
        Place::TooDeep
    }

    /// Checks that a path that is not known does not lead through a link to a group that the link lies in.
    pub(super) fn check_circles(&self, path: &str) -> Result<(), Error> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let found = ends.into_iter().find_map(|end| self.circles.get_key_value(&path[..end]));
        let Some((link, group)) = found else { return Ok(()) };
        let group = &self.nodes[*group].path;
        Err(Error::Unsupported {
            feature: "an HDF5 link to a group that it lies in".to_owned(),
            reason: format!("{link:?} is the group {:?}; open what is there", format!("/{group}")),
        })
    }

    /// Follows links to paths that are known by now; returns whether there was one.
    fn follow_paths(&mut self) -> bool {
        let mut is_one = false;
        // Each round may follow a link to what the round before has found.
        self.chain += 1;
        if self.chain > LONGEST_CHAIN {
            return false;
        }
        for pending in std::mem::take(&mut self.paths) {
            let Target::Path(target) = &pending.target else { continue };
            let group = if target.starts_with('/') { "" } else { self.nodes[pending.parent].path.as_str() };
            let names = target.split('/').filter(|name| !name.is_empty() && *name != ".");
            let path = names.fold(group.to_owned(), |path, name| join(&path, name));
            let found = self.number(&path).and_then(|number| self.nodes[number].object.as_ref().ok());
            match found.map(|object| object.address) {
                Some(address) => {
                    is_one = true;
                    self.pending.push(Pending { target: Target::Object(address), ..pending });
                }
                // It may lead into what another link leads to, or to nothing.
                None => self.paths.push(pending),
            }
        }
        is_one
    }
}

/// Error of a file with too many objects, or headers that hold too much.
fn too_much() -> Lack {
    damaged(0, "it has more than 65,536 objects, or headers that hold more than 64 MiB").into()
}

/// A variable's name without netCDF's mark, which it has where it does not describe the dimension of its name.
pub(super) fn visible(name: &str) -> &str {
    name.strip_prefix(OTHER).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// A path as it is shown: a variable's name without the mark of netCDF.
pub(super) fn shown(path: &str) -> String {
    let (group, name) = path.rsplit_once('/').unwrap_or(("", path));
    join(group, visible(name))
}

/// A variable's name with the mark.
fn marked(name: &str) -> String {
    format!("{OTHER}{name}")
}
