//! The metadata of one group, from its `zarr.json`, or for Zarr v2 from its `.zgroup` and `.zattrs`.
//!
//! Specs: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#group-metadata> and
//! <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#hierarchies>

use super::consolidated::Consolidated;
use crate::error::Result;
use crate::metadata::array::{attributes, check_fields};
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Map;

/// A group's metadata documents, parsed.
#[derive(Debug)]
pub struct GroupMetadata {
    /// The Zarr format: 2 or 3.
    pub zarr_format: u8,
    /// JSON pointer of the value that declares a group.
    pub pointer: String,
    /// User attributes.
    pub attributes: Map,
    /// Consolidated metadata, if the group has it.
    pub consolidated: Option<Consolidated>,
}

/// The group metadata fields of the specification and of zarr-python.
const FIELDS: [&str; 4] = ["zarr_format", "node_type", "attributes", "consolidated_metadata"];

impl GroupMetadata {
    /// Reads the content of a `zarr.json`, from a document of its own or from consolidated metadata.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] with the JSON pointer of the fault, [`crate::Error::Unsupported`] for an
    /// unknown field without `"must_understand": false`.
    pub(crate) fn from_v3(root: Json<'_>) -> Result<Self> {
        check_fields(root, &FIELDS)?;
        let attributes = attributes(root.field("attributes"))?;
        let pointer = format!("{}/node_type", root.pointer());
        Ok(Self { zarr_format: 3, pointer, attributes, consolidated: None })
    }

    /// Reads a `.zgroup` and, if there is one, a `.zattrs`.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] with the JSON pointer of the fault.
    pub fn from_v2(zgroup: Json<'_>, zattrs: Option<Json<'_>>) -> Result<Self> {
        let format = zgroup.required("zarr_format")?;
        if format.value().as_u64() != Some(2) {
            return Err(format.expected("2, the format that a .zgroup describes"));
        }
        let pointer = zgroup.pointer();
        Ok(Self { zarr_format: 2, pointer, attributes: attributes(zattrs)?, consolidated: None })
    }

    /// A group without documents of its own, which only the paths of its members imply.
    #[must_use]
    pub fn between(zarr_format: u8) -> Self {
        Self { zarr_format, pointer: String::new(), attributes: Map::new(), consolidated: None }
    }

    /// The names of the members in the consolidated metadata.
    #[must_use]
    pub fn members(&self) -> Vec<&str> {
        self.consolidated.as_ref().map(|consolidated| consolidated.members("")).unwrap_or_default()
    }
}
