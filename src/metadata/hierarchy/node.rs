//! A node of a hierarchy: an array or a group, as its metadata declares.

use std::rc::Rc;

use super::consolidated::{Consolidated, Member, PATH_V3, place};
use super::group::GroupMetadata;
use crate::error::{Error, Result};
use crate::metadata::array::ArrayMetadata;
use crate::metadata::json::document::Json;
use crate::metadata::json::scanned::ScannedJson;

/// A node of a hierarchy.
#[derive(Debug)]
pub enum Node {
    /// An array.
    Array(Box<ArrayMetadata>),
    /// A group.
    Group(GroupMetadata),
}

impl Node {
    /// Parses a `zarr.json`; the documents in a group's consolidated metadata stay text until they are requested.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] and [`Error::Unsupported`].
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Json::check_length(bytes.len())?;
        Self::of(&ScannedJson::parse(bytes.to_vec(), PATH_V3)?.into())
    }

    /// Parses a `zarr.json` that is scanned along [`PATH_V3`].
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] and [`Error::Unsupported`].
    pub fn of(document: &Rc<ScannedJson>) -> Result<Self> {
        const CONSOLIDATED: &str = "consolidated_metadata";
        document.check()?;
        // The parser reports text that is nested too deep.
        let rest = document.without(CONSOLIDATED).map_or_else(|| Json::parse(document.text()), Ok)?;
        match Self::from_v3(Json::root(&rest))? {
            Self::Group(group) => {
                Ok(Self::Group(GroupMetadata { consolidated: Consolidated::from_v3(document), ..group }))
            }
            // No array has such a field, so the array's parser reports it.
            Self::Array(_) if document.get(0, CONSOLIDATED).is_some() => {
                Self::from_v3(Json::root(&Json::parse(document.text())?))
            }
            array => Ok(array),
        }
    }

    /// Parses the `zarr.json` of an array.
    ///
    /// # Errors
    /// As [`Node::parse`], and [`Error::InvalidMetadata`] for a group, with the names of its consolidated members.
    pub fn parse_array(document: &Rc<ScannedJson>) -> Result<ArrayMetadata> {
        match Self::of(document) {
            Ok(Self::Array(metadata)) => Ok(*metadata),
            Ok(Self::Group(group)) => Err(not_an_array(&group.pointer, &group.members())),
            // A fault in a group does not matter where an array is expected.
            Err(_) => ArrayMetadata::parse(document.text()),
        }
    }

    /// Reads the content of a `zarr.json`, from a document of its own or from consolidated metadata.
    ///
    /// # Errors
    /// As [`Node::parse`].
    pub(crate) fn from_v3(root: Json<'_>) -> Result<Self> {
        let is_group = root.field("node_type").is_some_and(|kind| kind.value() == "group")
            && root.field("zarr_format").is_some_and(|format| *format.value() == 3);
        if is_group {
            return GroupMetadata::from_v3(root).map(Self::Group);
        }
        // A document that is neither is reported as an invalid array.
        ArrayMetadata::from_v3(root).map(|metadata| Self::Array(Box::new(metadata)))
    }

    /// This node as an array; `members` are the names for the error message if it is a group.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if it is a group.
    pub fn into_array(self, members: &[&str]) -> Result<ArrayMetadata> {
        match self {
            Self::Array(metadata) => Ok(*metadata),
            Self::Group(group) => Err(not_an_array(&group.pointer, members)),
        }
    }

    /// This node as a group.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if it is an array.
    pub fn into_group(self) -> Result<GroupMetadata> {
        match self {
            Self::Group(group) => Ok(group),
            Self::Array(array) => {
                let field = if array.zarr_format == 3 { "/node_type" } else { "" };
                let pointer = format!("{}{field}", array.pointer);
                Err(Error::metadata(pointer, "this is an array, not a group; open it as an array"))
            }
        }
    }
}

impl Consolidated {
    /// The node at `path`, where an empty path is this group; `None` if it is not in the consolidated metadata.
    ///
    /// # Errors
    /// The inner result: [`Error::InvalidMetadata`], with pointers from the start of the group's document, and
    /// [`Error::Unsupported`].
    #[must_use]
    pub fn node(&self, path: &str) -> Option<Result<Node>> {
        let member = match self.member(path)? {
            Ok(member) => member,
            Err(error) => return Some(Err(error)),
        };
        Some(match &member {
            Member::V3(value, pointer) => Node::from_v3(Json::at(value, pointer)),
            Member::V2Array(value, pointer, attributes) => {
                ArrayMetadata::from_v2(Json::at(value, pointer), place(attributes))
                    .map(|metadata| Node::Array(Box::new(metadata)))
            }
            Member::V2Group(value, pointer, attributes) => {
                GroupMetadata::from_v2(Json::at(value, pointer), place(attributes)).map(Node::Group)
            }
        })
    }
}

fn not_an_array(pointer: &str, members: &[&str]) -> Error {
    Error::metadata(pointer, format!("this is a group, not an array; {}", group_hint(members)))
}

/// The most members that a message lists.
const LISTED: usize = 10;

/// Suggestion of what to try if an array is expected and a group is found.
#[must_use]
pub fn group_hint(members: &[&str]) -> String {
    match members {
        [] => "add an array's name to the path, or open it with Group.open".to_owned(),
        members => format!(
            "add a member's name to the path (it has {}), or open it with Group.open",
            listed(members)
        ),
    }
}

/// The most characters of a name that a message shows.
const SHOWN: usize = 80;

/// Names for a message: the first few, and how many more there are.
#[must_use]
pub fn listed(names: &[&str]) -> String {
    let quoted = names.iter().take(LISTED).map(|name| match name.char_indices().nth(SHOWN) {
        None => format!("{name:?}"),
        Some((end, _)) => format!("{:?}…", &name[..end]),
    });
    let quoted: Vec<String> = quoted.collect();
    match names.len() - quoted.len() {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}
