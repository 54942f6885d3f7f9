//! Metadata documents of one array or group, as found, and their parsing.

use std::rc::Rc;

use crate::error::Result;
use crate::metadata::{ArrayMetadata, Consolidated, GroupMetadata, Json, Node, ScannedJson, Value};

/// A metadata document and its key.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) key: String,
    pub(super) content: Rc<ScannedJson>,
}

/// The documents of an array or a group, as a search found them.
#[derive(Debug)]
pub struct FoundDocuments {
    pub(super) format: FoundFormat,
    pub(super) document: Document,
    /// The `.zattrs` document, if there is one.
    pub(super) attributes: Option<Document>,
    /// Consolidated metadata of Zarr v2, and the key of its document.
    pub(super) consolidated: Option<(Consolidated, String)>,
}

/// Kind of the document that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FoundFormat {
    /// A `zarr.json`.
    V3,
    /// A `.zarray` or a `.zgroup`.
    V2,
    /// A `.zmetadata` that holds the group itself.
    Consolidated,
}

impl Document {
    pub(super) fn read<T>(&self, parse: impl FnOnce(&Rc<ScannedJson>) -> Result<T>) -> Result<T> {
        parse(&self.content).map_err(|error| error.in_document(&self.key))
    }
}

impl FoundDocuments {
    /// Parses the array's metadata; also gives the key of its document. The documents stay, so that this may be tried again.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where a document is malformed, or does not describe an array.
    pub fn array(&self) -> Result<(ArrayMetadata, String)> {
        let metadata = match self.format {
            FoundFormat::V3 => self.document.read(Node::parse_array)?,
            FoundFormat::V2 | FoundFormat::Consolidated => {
                let attributes = self.attributes()?;
                self.document.read(|document| {
                    let zattrs = attributes.as_ref().map(Json::root);
                    ArrayMetadata::from_v2(Json::root(&Json::parse(document.text())?), zattrs)
                })?
            }
        };
        Ok((metadata, self.document.key.clone()))
    }

    /// Parses the group's metadata; also gives the key of the consolidated document, empty where there is none.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where a document is malformed, or does not describe a group.
    pub fn group(&mut self) -> Result<(GroupMetadata, String)> {
        if self.format == FoundFormat::V3 {
            let metadata = self.document.read(|document| Node::of(document)?.into_group())?;
            return Ok((metadata, self.document.key.clone()));
        }
        let root = self.consolidated.as_ref().and_then(|(consolidated, _)| consolidated.node(""));
        let metadata = match root {
            Some(root) if self.format == FoundFormat::Consolidated => {
                self.document.read(|_| root?.into_group())?
            }
            _ => {
                let attributes = self.attributes()?;
                self.document.read(|document| {
                    let zattrs = attributes.as_ref().map(Json::root);
                    GroupMetadata::from_v2(Json::root(&Json::parse(document.text())?), zattrs)
                })?
            }
        };
        let (consolidated, key) = self.consolidated.take().unzip();
        Ok((GroupMetadata { consolidated, ..metadata }, key.unwrap_or_default()))
    }

    /// Parses the attributes of the `.zattrs` document.
    fn attributes(&self) -> Result<Option<Value>> {
        let Some(zattrs) = &self.attributes else { return Ok(None) };
        zattrs.read(|document| {
            let value = Json::parse(document.text())?;
            Json::root(&value).object()?;
            Ok(Some(value))
        })
    }
}
