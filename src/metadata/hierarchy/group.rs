//! The metadata of one group, from its `zarr.json`, or in Zarr v2 from its `.zgroup` and `.zattrs`.
//!
//! Specs: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#group-metadata> and
//! <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#hierarchies>

use super::consolidated::Consolidated;
use crate::error::Result;
use crate::metadata::array::check_fields;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Map;

/// A group's metadata documents, parsed.
#[derive(Debug)]
pub struct GroupMetadata {
    /// The Zarr format: 2 or 3.
    pub zarr_format: u8,
    /// JSON pointer of what says that this is a group.
    pub pointer: String,
    /// User attributes.
    pub attributes: Map,
    /// The documents of everything below, where the group keeps them.
    pub consolidated: Option<Consolidated>,
}

/// The fields that the specification, and zarr-python, give a group.
const FIELDS: [&str; 4] = ["zarr_format", "node_type", "attributes", "consolidated_metadata"];

impl GroupMetadata {
    /// Reads what a `zarr.json` holds, from a document of its own or a place in a consolidated one.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] with the JSON pointer of what is wrong, [`crate::Error::Unsupported`] for a
    /// field that is not known and does not say that it need not be.
    pub(crate) fn from_v3(root: Json<'_>) -> Result<Self> {
        check_fields(root, &FIELDS)?;
        let attributes = attributes(root.field("attributes"))?;
        let pointer = format!("{}/node_type", root.pointer());
        Ok(Self { zarr_format: 3, pointer, attributes, consolidated: None })
    }

    /// Reads a `.zgroup` and, where there is one, a `.zattrs`.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] with the JSON pointer of what is wrong.
    pub fn from_v2(zgroup: Json<'_>, zattrs: Option<Json<'_>>) -> Result<Self> {
        let format = zgroup.required("zarr_format")?;
        if format.value().as_u64() != Some(2) {
            return Err(format.expected("2, the format that a .zgroup describes"));
        }
        let pointer = zgroup.pointer();
        Ok(Self { zarr_format: 2, pointer, attributes: attributes(zattrs)?, consolidated: None })
    }

    /// A group that has no documents of its own: paths below it tell of it.
    #[must_use]
    pub fn between(zarr_format: u8) -> Self {
        Self { zarr_format, pointer: String::new(), attributes: Map::new(), consolidated: None }
    }

    /// The names of the members that the group is known to have.
    #[must_use]
    pub fn members(&self) -> Vec<&str> {
        self.consolidated.as_ref().map(|consolidated| consolidated.members("")).unwrap_or_default()
    }
}

/// User attributes; none where there is no such field or document.
pub(crate) fn attributes(json: Option<Json<'_>>) -> Result<Map> {
    json.map_or_else(|| Ok(Map::new()), |json| Ok(json.object()?.clone()))
}
