//! Probing: which metadata documents are asked for at a path, in which order, and what is said where none is there.
//!
//! Zarr v3 first, `zarr.json`; then v2. There an array is `.zarray` and `.zattrs`, asked for at once; a group is
//! `.zmetadata`, which holds the whole hierarchy in one request, and only where there is none `.zgroup` and `.zattrs`
//! at once. With the option `zarrFormat` the other format is not asked for.
//!
//! An HTML page in place of a document counts as none: hosts that answer with a page for every path that does not
//! exist must not hide a v2 store. It is the error where nothing else is found.

use std::cell::RefCell;

use futures_util::future::join;
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::JsResult;
use super::engine::copied;
use super::store::{Bytes, Store};
use crate::error::{Error, Result};
use crate::metadata::{
    ArrayMetadata, Consolidated, GroupMetadata, Json, MAX_METADATA_BYTES, Node, Value, group_hint, listed,
    looks_like_html,
};
use crate::source::{self, ByteRange, Request};

/// One look at a path.
pub(super) struct Probe<'a> {
    store: &'a Store,
    path: &'a str,
    /// The one format to ask for.
    format: Option<u8>,
    signal: &'a AbortSignal,
    /// Keys under which nothing is stored.
    tried: RefCell<Vec<String>>,
    /// The first key under which there was an HTML page, and what the parser says to that.
    page: RefCell<Option<Error>>,
}

/// A metadata document, and its key.
struct Document {
    key: String,
    bytes: Vec<u8>,
}

impl Document {
    fn read<T>(&self, parse: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
        parse(&self.bytes).map_err(|error| error.in_document(&self.key))
    }
}

impl<'a> Probe<'a> {
    pub(super) fn new(store: &'a Store, path: &'a str, format: Option<u8>, signal: &'a AbortSignal) -> Self {
        Self { store, path, format, signal, tried: RefCell::default(), page: RefCell::default() }
    }

    /// The array at the path, and the key of its document; `siblings` are names that are known to be beside it.
    pub(super) async fn array(&self, siblings: &[&str]) -> JsResult<(ArrayMetadata, String)> {
        if let Some(document) = self.v3().await? {
            let metadata = document.read(Node::parse_array)?;
            return Ok((metadata, document.key));
        }
        if self.format != Some(3) {
            let (zarray, zattrs) = join(self.document(".zarray"), self.document(".zattrs")).await;
            if let Some(zarray) = zarray? {
                let zattrs = zattrs?.map(|zattrs| attributes(&zattrs)).transpose()?;
                let metadata = zarray.read(|bytes| {
                    ArrayMetadata::from_v2(Json::root(&Json::parse(bytes)?), zattrs.as_ref().map(Json::root))
                })?;
                return Ok((metadata, zarray.key));
            }
        }
        Err(self.no_array(siblings).await)
    }

    /// The group at the path, and the key of the document that consolidates what is below it, if one does.
    pub(super) async fn group(&self, siblings: &[&str]) -> JsResult<(GroupMetadata, String)> {
        if let Some(document) = self.v3().await? {
            let metadata = document.read(|bytes| Node::parse(bytes)?.into_group())?;
            return Ok((metadata, document.key));
        }
        if self.format == Some(3) {
            return Err(self.nothing("group", self.hint(siblings)));
        }
        let (mut consolidated, mut key) = (None, String::new());
        if let Some(zmetadata) = self.document(".zmetadata").await? {
            consolidated = Consolidated::parse_v2(&zmetadata.bytes);
            let root = consolidated.as_ref().and_then(|consolidated| consolidated.node(""));
            if let Some(Ok(root)) = root {
                let metadata = zmetadata.read(|_| root.into_group())?;
                return Ok((GroupMetadata { consolidated, ..metadata }, zmetadata.key));
            }
            key = zmetadata.key;
        }
        let (zgroup, zattrs) = join(self.document(".zgroup"), self.document(".zattrs")).await;
        if let Some(zgroup) = zgroup? {
            let zattrs = zattrs?.map(|zattrs| attributes(&zattrs)).transpose()?;
            let metadata = zgroup.read(|bytes| {
                GroupMetadata::from_v2(Json::root(&Json::parse(bytes)?), zattrs.as_ref().map(Json::root))
            })?;
            return Ok((GroupMetadata { consolidated, ..metadata }, key));
        }
        Err(match self.document(".zarray").await {
            Ok(Some(zarray)) => {
                let hint = format!("{} is an array's; open it as an array", self.store.describe(&zarray.key));
                self.nothing("group", hint)
            }
            _ => self.nothing("group", self.hint(siblings)),
        })
    }

    async fn v3(&self) -> JsResult<Option<Document>> {
        if self.format == Some(2) { Ok(None) } else { self.document("zarr.json").await }
    }

    /// A document at the path, if it is there.
    async fn document(&self, name: &str) -> JsResult<Option<Document>> {
        let key = source::join(self.path, name);
        let request = Request { key, range: ByteRange::All };
        let Some(Bytes::Asked(found) | Bytes::Whole(found)) =
            self.store.get(&request, MAX_METADATA_BYTES as u64, self.signal).await?
        else {
            self.tried.borrow_mut().push(self.store.describe(&request.key));
            return Ok(None);
        };
        let key = request.key;
        Json::check_length(found.length() as usize).map_err(|error| error.in_document(&key))?;
        let document = Document { key, bytes: copied(&found) };
        if looks_like_html(&document.bytes) {
            let error = document.read(Json::parse).err();
            let mut page = self.page.borrow_mut();
            *page = page.take().or(error);
            return Ok(None);
        }
        Ok(Some(document))
    }

    /// That no array is there; whether a v2 group is, and what it has, is worth two more requests.
    async fn no_array(&self, siblings: &[&str]) -> JsValue {
        if self.format == Some(3) {
            return self.nothing("array", self.hint(siblings));
        }
        let (zgroup, zmetadata) = join(self.document(".zgroup"), self.document(".zmetadata")).await;
        let Ok(Some(zgroup)) = zgroup else { return self.nothing("array", self.hint(siblings)) };
        let zmetadata = zmetadata.ok().flatten();
        let consolidated = zmetadata.and_then(|zmetadata| Consolidated::parse_v2(&zmetadata.bytes));
        let members = consolidated.as_ref().map(|consolidated| consolidated.members("")).unwrap_or_default();
        let place = self.store.describe(&zgroup.key);
        self.nothing("array", format!("{place} is a group's; {}", group_hint(&members)))
    }

    /// The error where nothing that is wanted was found.
    fn nothing(&self, wanted: &str, hint: String) -> JsValue {
        if let Some(page) = self.page.take() {
            return page.into();
        }
        let wanted = format!("Zarr {wanted}").into();
        Error::NotFound { wanted, path: self.store.describe(self.path), tried: self.tried.take(), hint }
            .into()
    }

    fn hint(&self, siblings: &[&str]) -> String {
        let beside = match siblings {
            [] => String::new(),
            names => format!("; the group has {}", listed(names)),
        };
        let format = match self.format {
            Some(format) => {
                format!(", and that it is of Zarr format {format}, the only one that was asked for")
            }
            None => String::new(),
        };
        format!("check the path{format}{beside}")
    }
}

/// A `.zattrs`.
fn attributes(zattrs: &Document) -> Result<Value> {
    zattrs.read(|bytes| {
        let value = Json::parse(bytes)?;
        Json::root(&value).object()?;
        Ok(value)
    })
}
