//! Document search: which metadata documents are requested at a path, in which order, and the error where none exists.
//!
//! Zarr v3 comes first (`zarr.json`), then v2. In v2 an array has `.zarray` and `.zattrs`, which are requested
//! together. For a group, `.zmetadata` comes first, because it holds the whole hierarchy in one request; without it,
//! `.zgroup` and `.zattrs` are requested together. For a node of either kind, as a list of members meets it, `.zgroup`
//! follows `.zarray` and `.zattrs`. With the option `zarrFormat` the other format is skipped, and without the option
//! `attrs` no `.zattrs` is requested.
//!
//! An HTML page in place of a document counts as missing: a host that sends a page for every path that does not
//! exist must not hide a v2 store. The page becomes the error where nothing else is found. So does a failure that many
//! hosts give for what is missing, such as 403: the search goes on, and a document that is found decides.

use std::rc::Rc;

use crate::error::Error;
use crate::metadata::{
    ArrayMetadata, Consolidated, Entry, GroupMetadata, Json, Node, PATH_V2, PATH_V3, ScannedJson, Value,
    group_hint, listed, looks_like_html,
};
use crate::network::join;

/// The kind of node that a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// An array.
    Array,
    /// A group.
    Group,
    /// Either of them, as a list of members meets it: each document is requested once.
    Either,
}

/// Names of metadata documents, with which an address must not end.
const DOCUMENTS: [&str; 5] = ["/zarr.json", "/.zarray", "/.zattrs", "/.zgroup", "/.zmetadata"];

/// Answer to the request for a document.
#[derive(Debug)]
pub enum DocumentAnswer<E, T> {
    /// The document: its bytes, or its text once it is scanned.
    Found(T),
    /// Nothing is stored.
    Missing,
    /// A failure that may mean that nothing is stored.
    Doubtful(E),
    /// Any other failure.
    Failed(E),
}

/// Names that lead to what is looked up in a document of this name, along which it is to be scanned.
#[must_use]
pub fn path_in(name: &str) -> &'static [&'static str] {
    match name {
        "zarr.json" => PATH_V3,
        ".zmetadata" => PATH_V2,
        _ => &[],
    }
}

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
pub struct DocumentSearch<'a, E> {
    kind: NodeKind,
    path: &'a str,
    /// The only format to look for, where the caller names one.
    format: Option<u8>,
    /// Whether the attributes are wanted where they are a document of their own.
    attributes_wanted: bool,
    /// Names of nodes beside the path, where the group lists them.
    siblings: &'a [&'a str],
    /// Turns a key into an address for messages.
    describe: &'a dyn Fn(&str) -> String,
    stage: SearchStage,
    /// Addresses that were requested and are missing.
    tried: Vec<String>,
    /// The error of the first HTML page that came in place of a document.
    page: Option<Error>,
    /// The first failure that may mean that nothing is stored.
    doubt: Option<E>,
    /// A document that was found, whose attributes are in doubt and are requested again.
    waiting: Option<Document>,
    /// Answer to a request for attributes that came before the node's own document was found.
    attributes: Option<Option<Document>>,
    consolidated: Option<(Consolidated, String)>,
}

/// Stage of a search: the documents that are requested now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchStage {
    V3,
    V2Array,
    Consolidated,
    V2Group,
    /// No array is there; the attributes were requested with its document.
    V2GroupAlone,
    /// A document is there; by now the host can tell whether its attributes are.
    Attributes,
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
            Self::V2GroupAlone => &[".zgroup"],
            Self::Attributes => &[".zattrs"],
            Self::ArrayInstead => &[".zarray"],
            Self::GroupInstead => &[".zgroup", ".zmetadata"],
        }
    }
}

impl<'a, E: From<Error>> DocumentSearch<'a, E> {
    /// Starts a search at a path. `format` limits it to one format; `siblings` are names for the error's hint. Unless
    /// `attributes_wanted`, no `.zattrs` is requested, and a node of Zarr v2 has no attributes.
    pub fn new(
        kind: NodeKind,
        path: &'a str,
        format: Option<u8>,
        attributes_wanted: bool,
        siblings: &'a [&'a str],
        describe: &'a dyn Fn(&str) -> String,
    ) -> Self {
        let stage = match (format, kind) {
            (Some(2), NodeKind::Array | NodeKind::Either) => SearchStage::V2Array,
            (Some(2), NodeKind::Group) => SearchStage::Consolidated,
            _ => SearchStage::V3,
        };
        Self {
            kind,
            path,
            format,
            attributes_wanted,
            siblings,
            describe,
            stage,
            tried: Vec::new(),
            page: None,
            doubt: None,
            waiting: None,
            attributes: None,
            consolidated: None,
        }
    }

    /// Documents to request first.
    #[must_use]
    pub fn first(&self) -> &'static [&'static str] {
        self.names()
    }

    /// Documents of the stage that are wanted.
    fn names(&self) -> &'static [&'static str] {
        match self.stage {
            SearchStage::V2Array | SearchStage::V2Group if !self.attributes_wanted => {
                &self.stage.names()[..1]
            }
            stage => stage.names(),
        }
    }

    /// Takes the answers to the requested documents, in their order, and gives the next step.
    pub fn next(&mut self, answers: [DocumentAnswer<E, Rc<ScannedJson>>; 2]) -> SearchStep<E> {
        let names = self.names();
        let [first, second] = answers;
        let mut are_attributes_doubtful = matches!(second, DocumentAnswer::Doubtful(_));
        let first = self.accept(names[0], first);
        let second = names.get(1).map_or(Ok(None), |name| self.accept(name, second));
        if let Some(document) = self.waiting.take() {
            return match (first, self.doubt.take()) {
                (Ok(attributes @ Some(_)), _) | (Ok(attributes), None) => {
                    self.found(FoundFormat::V2, document, attributes)
                }
                (Err(error), _) | (_, Some(error)) => SearchStep::Failed(error),
            };
        }
        let second = match (self.stage, second) {
            (SearchStage::V2GroupAlone, _) => {
                // Attributes in doubt, or that failed, are requested again once the group is there.
                are_attributes_doubtful = self.attributes.is_none();
                Ok(self.attributes.take().flatten())
            }
            (_, second) => second,
        };
        let (document, attributes) = match (self.stage, first, second) {
            (SearchStage::GroupInstead, Ok(Some(zgroup)), zmetadata) => {
                let zmetadata = zmetadata.ok().flatten();
                let consolidated = zmetadata.and_then(|zmetadata| Consolidated::from_v2(&zmetadata.content));
                let members =
                    consolidated.as_ref().map(|consolidated| consolidated.members("")).unwrap_or_default();
                let place = (self.describe)(&zgroup.key);
                self.doubt = None;
                return self.nothing(format!("{place} describes a group; {}", group_hint(&members)));
            }
            (SearchStage::ArrayInstead, Ok(Some(zarray)), _) => {
                let place = (self.describe)(&zarray.key);
                self.doubt = None;
                return self.nothing(format!("{place} describes an array; open it as an array"));
            }
            (SearchStage::GroupInstead | SearchStage::ArrayInstead, _, _) => {
                return self.nothing(self.hint());
            }
            (_, Err(error), _) | (_, Ok(Some(_)), Err(error)) => return SearchStep::Failed(error),
            (_, Ok(None), attributes) => {
                self.attributes = attributes.ok().filter(|_| !are_attributes_doubtful);
                return self.ask_next();
            }
            (_, Ok(Some(document)), Ok(None)) if are_attributes_doubtful => {
                // What was in doubt before is decided by the document that is there.
                self.doubt = None;
                self.waiting = Some(document);
                self.stage = SearchStage::Attributes;
                return SearchStep::Ask(self.stage.names());
            }
            (_, Ok(Some(document)), Ok(attributes)) => (document, attributes),
        };
        let format = match self.stage {
            SearchStage::V3 => FoundFormat::V3,
            SearchStage::Consolidated => FoundFormat::Consolidated,
            _ => FoundFormat::V2,
        };
        if format == FoundFormat::Consolidated {
            let consolidated = Consolidated::from_v2(&document.content);
            let has_root =
                matches!(consolidated.as_ref().and_then(|consolidated| consolidated.node("")), Some(Ok(_)));
            self.consolidated = consolidated.map(|consolidated| (consolidated, document.key.clone()));
            if !has_root {
                return self.ask_next();
            }
        }
        self.found(format, document, attributes)
    }

    /// Goes on to the documents of the next format or kind.
    fn ask_next(&mut self) -> SearchStep<E> {
        self.stage = match (self.stage, self.kind) {
            (SearchStage::V3, _) if self.format == Some(3) => return self.nothing(self.hint()),
            (SearchStage::V3, NodeKind::Array | NodeKind::Either) => SearchStage::V2Array,
            (SearchStage::V3, NodeKind::Group) => SearchStage::Consolidated,
            (SearchStage::Consolidated, _) => SearchStage::V2Group,
            (SearchStage::V2Array, NodeKind::Either) => SearchStage::V2GroupAlone,
            (_, NodeKind::Either) => return self.nothing(self.hint()),
            // One more round of requests, for a hint: a node of the other kind may be there.
            (_, NodeKind::Array) => SearchStage::GroupInstead,
            (_, NodeKind::Group) => SearchStage::ArrayInstead,
        };
        SearchStep::Ask(self.names())
    }

    /// Accepts an answer as a document, unless it is missing, in doubt or an HTML page.
    fn accept(
        &mut self,
        name: &str,
        answer: DocumentAnswer<E, Rc<ScannedJson>>,
    ) -> Result<Option<Document>, E> {
        let key = join(self.path, name);
        let content = match answer {
            DocumentAnswer::Found(content) => content,
            DocumentAnswer::Missing => {
                self.tried.push((self.describe)(&key));
                return Ok(None);
            }
            DocumentAnswer::Doubtful(error) => {
                self.doubt.get_or_insert(error);
                return Ok(None);
            }
            DocumentAnswer::Failed(error) => return Err(error),
        };
        let document = Document { key, content };
        if looks_like_html(document.content.text()) {
            self.page = self.page.take().or_else(|| document.read(|page| page.check()).err());
            return Ok(None);
        }
        Ok(Some(document))
    }

    /// Makes the result of a document that was found.
    fn found(
        &mut self,
        format: FoundFormat,
        document: Document,
        attributes: Option<Document>,
    ) -> SearchStep<E> {
        let consolidated = self.consolidated.take();
        SearchStep::Found(FoundDocuments { format, document, attributes, consolidated })
    }

    /// Whether the documents that are requested now serve the error's hint alone.
    #[must_use]
    pub fn is_for_hint(&self) -> bool {
        matches!(self.stage, SearchStage::GroupInstead | SearchStage::ArrayInstead)
    }

    /// Ends the search with the error for a node that is not there.
    fn nothing(&mut self, hint: String) -> SearchStep<E> {
        if let Some(doubt) = self.doubt.take() {
            return SearchStep::Failed(doubt);
        }
        let error = self.page.take().unwrap_or_else(|| Error::NotFound {
            wanted: match self.kind {
                NodeKind::Array => "Zarr array",
                NodeKind::Group => "Zarr group",
                NodeKind::Either => "Zarr array or group",
            }
            .into(),
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

/// A metadata document and its key.
#[derive(Debug)]
struct Document {
    key: String,
    content: Rc<ScannedJson>,
}

/// The documents of an array or a group, as a search found them.
#[derive(Debug)]
pub struct FoundDocuments {
    format: FoundFormat,
    document: Document,
    /// The `.zattrs` document, if there is one.
    attributes: Option<Document>,
    /// Consolidated metadata of Zarr v2, and the key of its document.
    consolidated: Option<(Consolidated, String)>,
}

/// Kind of the document that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundFormat {
    /// A `zarr.json`.
    V3,
    /// A `.zarray` or a `.zgroup`.
    V2,
    /// A `.zmetadata` that holds the group itself.
    Consolidated,
}

impl Document {
    fn read<T>(&self, parse: impl FnOnce(&Rc<ScannedJson>) -> crate::Result<T>) -> crate::Result<T> {
        parse(&self.content).map_err(|error| error.in_document(&self.key))
    }
}

impl FoundDocuments {
    /// Parses the array's metadata; also gives the key of its document. The documents stay, so that this may be tried again.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where a document is malformed, or does not describe an array.
    pub fn array(&self) -> crate::Result<(ArrayMetadata, String)> {
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
    pub fn group(&mut self) -> crate::Result<(GroupMetadata, String)> {
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

    /// The entry of the node, whatever it is, at a path for the list, and the documents below it where they are consolidated;
    /// `None` where its document describes neither an array nor a group.
    ///
    /// # Errors
    /// [`crate::Error::PartMissing`] alone.
    pub fn entry(&self, path: &str) -> crate::Result<Option<(Entry, Option<Consolidated>)>> {
        if self.format == FoundFormat::V3 {
            return Entry::of_v3(&self.document.content, path);
        }
        let is_array = self.document.key.ends_with(".zarray");
        let attributes = self.attributes().ok().flatten();
        let entry = Entry::of_v2(self.document.content.text(), is_array, attributes, path)?;
        Ok(entry.map(|entry| (entry, None)))
    }

    /// Parses the attributes of the `.zattrs` document.
    fn attributes(&self) -> crate::Result<Option<Value>> {
        let Some(zattrs) = &self.attributes else { return Ok(None) };
        zattrs.read(|document| {
            let value = Json::parse(document.text())?;
            Json::root(&value).object()?;
            Ok(Some(value))
        })
    }
}
