//! Document search: which metadata documents are requested at a path, in which order, and the error where none exists.
//!
//! Zarr v3 comes first (`zarr.json`), then v2. In v2 an array has `.zarray` and `.zattrs`, which are requested
//! together. For a group, `.zmetadata` comes first, because it holds the whole hierarchy in one request; without it,
//! `.zgroup` and `.zattrs` are requested together. With the option `zarrFormat` the other format is skipped.
//!
//! An HTML page in place of a document counts as missing: a host that sends a page for every path that does not
//! exist must not hide a v2 store. The page becomes the error where nothing else is found.

use super::found_documents::{Document, FoundDocuments, FoundFormat};
use super::join;
use crate::error::Error;
use crate::metadata::{Consolidated, Json, group_hint, listed, looks_like_html};

/// The kind of node that a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// An array.
    Array,
    /// A group.
    Group,
}

/// Names of metadata documents, with which an address must not end.
const DOCUMENTS: [&str; 5] = ["/zarr.json", "/.zarray", "/.zattrs", "/.zgroup", "/.zmetadata"];

/// The next step of a search.
#[derive(Debug)]
pub enum SearchStep<E> {
    /// Request these documents at the path, one or two, at the same time.
    Ask(&'static [&'static str]),
    /// The documents were found.
    Found(FoundDocuments),
    /// Nothing was found, or a request failed.
    Failed(E),
}

/// A search for the documents of an array or a group.
pub struct DocumentSearch<'a> {
    kind: NodeKind,
    path: &'a str,
    /// The only format to look for, where the caller names one.
    format: Option<u8>,
    /// Names of nodes beside the path, where the group lists them.
    siblings: &'a [&'a str],
    /// Turns a key into an address for messages.
    describe: &'a dyn Fn(&str) -> String,
    stage: SearchStage,
    /// Addresses that were requested and are missing.
    tried: Vec<String>,
    /// The error of the first HTML page that came in place of a document.
    page: Option<Error>,
    consolidated: Option<(Consolidated, String)>,
}

/// Stage of a search: the documents that are requested now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchStage {
    V3,
    V2Array,
    Consolidated,
    V2Group,
    /// No group is there; the node may be an array.
    ArrayInstead,
    /// No array is there; the node may be a group, whose members the error lists.
    GroupInstead,
}

impl SearchStage {
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::V3 => &["zarr.json"],
            Self::V2Array => &[".zarray", ".zattrs"],
            Self::Consolidated => &[".zmetadata"],
            Self::V2Group => &[".zgroup", ".zattrs"],
            Self::ArrayInstead => &[".zarray"],
            Self::GroupInstead => &[".zgroup", ".zmetadata"],
        }
    }
}

impl<'a> DocumentSearch<'a> {
    /// Starts a search at a path. `format` limits it to one format; `siblings` are names for the error's hint.
    pub fn new(
        kind: NodeKind,
        path: &'a str,
        format: Option<u8>,
        siblings: &'a [&'a str],
        describe: &'a dyn Fn(&str) -> String,
    ) -> Self {
        let stage = match (format, kind) {
            (Some(2), NodeKind::Array) => SearchStage::V2Array,
            (Some(2), NodeKind::Group) => SearchStage::Consolidated,
            _ => SearchStage::V3,
        };
        Self {
            kind,
            path,
            format,
            siblings,
            describe,
            stage,
            tried: Vec::new(),
            page: None,
            consolidated: None,
        }
    }

    /// Documents to request first.
    #[must_use]
    pub fn first(&self) -> &'static [&'static str] {
        self.stage.names()
    }

    /// Takes the answers to the requested documents, in their order, and gives the next step.
    pub fn next<E: From<Error>>(&mut self, answers: [Result<Option<Vec<u8>>, E>; 2]) -> SearchStep<E> {
        let names = self.stage.names();
        let [first, second] = answers;
        let first = first.map(|bytes| self.accept(names[0], bytes));
        let second = match names.get(1) {
            Some(name) => second.map(|bytes| self.accept(name, bytes)),
            None => Ok(None),
        };
        let (document, attributes) = match (self.stage, first, second) {
            (SearchStage::GroupInstead, Ok(Some(zgroup)), zmetadata) => {
                let zmetadata = zmetadata.ok().flatten();
                let consolidated = zmetadata.and_then(|zmetadata| Consolidated::parse_v2(&zmetadata.bytes));
                let members =
                    consolidated.as_ref().map(|consolidated| consolidated.members("")).unwrap_or_default();
                let place = (self.describe)(&zgroup.key);
                return self.nothing(format!("{place} describes a group; {}", group_hint(&members)));
            }
            (SearchStage::ArrayInstead, Ok(Some(zarray)), _) => {
                let place = (self.describe)(&zarray.key);
                return self.nothing(format!("{place} describes an array; open it as an array"));
            }
            (SearchStage::GroupInstead | SearchStage::ArrayInstead, _, _) => {
                return self.nothing(self.hint());
            }
            (_, Err(error), _) | (_, Ok(Some(_)), Err(error)) => return SearchStep::Failed(error),
            (_, Ok(None), _) => return self.ask_next(),
            (_, Ok(Some(document)), Ok(attributes)) => (document, attributes),
        };
        let mut format = if self.stage == SearchStage::V3 { FoundFormat::V3 } else { FoundFormat::V2 };
        if self.stage == SearchStage::Consolidated {
            let consolidated = Consolidated::parse_v2(&document.bytes);
            let has_root =
                matches!(consolidated.as_ref().and_then(|consolidated| consolidated.node("")), Some(Ok(_)));
            self.consolidated = consolidated.map(|consolidated| (consolidated, document.key.clone()));
            if !has_root {
                return self.ask_next();
            }
            format = FoundFormat::Consolidated;
        }
        let consolidated = self.consolidated.take();
        SearchStep::Found(FoundDocuments { format, document, attributes, consolidated })
    }

    /// Goes on to the documents of the next format or kind.
    fn ask_next<E: From<Error>>(&mut self) -> SearchStep<E> {
        self.stage = match (self.stage, self.kind) {
            (SearchStage::V3, _) if self.format == Some(3) => return self.nothing(self.hint()),
            (SearchStage::V3, NodeKind::Array) => SearchStage::V2Array,
            (SearchStage::V3, NodeKind::Group) => SearchStage::Consolidated,
            (SearchStage::Consolidated, _) => SearchStage::V2Group,
            // One more round of requests, for a hint: a node of the other kind may be there.
            (_, NodeKind::Array) => SearchStage::GroupInstead,
            (_, NodeKind::Group) => SearchStage::ArrayInstead,
        };
        SearchStep::Ask(self.stage.names())
    }

    /// Accepts an answer as a document, unless it is missing or an HTML page.
    fn accept(&mut self, name: &str, bytes: Option<Vec<u8>>) -> Option<Document> {
        let key = join(self.path, name);
        let Some(bytes) = bytes else {
            self.tried.push((self.describe)(&key));
            return None;
        };
        let document = Document { key, bytes };
        if looks_like_html(&document.bytes) {
            self.page = self.page.take().or_else(|| document.read(Json::parse).err());
            return None;
        }
        Some(document)
    }

    /// Ends the search with the error for a node that is not there.
    fn nothing<E: From<Error>>(&mut self, hint: String) -> SearchStep<E> {
        let error = self.page.take().unwrap_or_else(|| Error::NotFound {
            wanted: if self.kind == NodeKind::Array { "Zarr array" } else { "Zarr group" }.into(),
            path: (self.describe)(self.path),
            tried: std::mem::take(&mut self.tried),
            hint,
        });
        SearchStep::Failed(error.into())
    }

    fn hint(&self) -> String {
        let beside = match self.siblings {
            [] => String::new(),
            names => format!("; the group has {}", listed(names)),
        };
        let format = match self.format {
            Some(format) => {
                format!(
                    "; only Zarr format {format} was looked for, that of the group or of the option zarrFormat"
                )
            }
            None => String::new(),
        };
        let place = (self.describe)(self.path);
        let document = DOCUMENTS.into_iter().find(|name| place.ends_with(name));
        let folder = document.map_or_else(String::new, |name| format!(", and leave out {name} at its end"));
        format!("check the path{folder}{format}{beside}")
    }
}
