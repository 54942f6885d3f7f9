//! The driver of a search for the metadata documents at a path.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use crate::js::JsResult;
use crate::js::convert::bytes::copied;
use crate::js::stores::store::{Bytes, Store};
use crate::js::support::waiting::both;
use crate::metadata::{ArrayMetadata, GroupMetadata, Json, MAX_METADATA_BYTES};
use crate::source::{self, ByteRange, DocumentSearch, FoundDocuments, NodeKind, Request, SearchStep};

#[wasm_bindgen(raw_module = "./foresight.js")]
extern "C" {
    /// Loads the parts of the module that a metadata document needs, or its absence; `None` where they are there.
    #[wasm_bindgen(js_name = partsFor)]
    fn parts_for(name: &str, document: Option<&Uint8Array>) -> Option<Promise>;
}

/// A search for the metadata documents at one path.
pub(crate) struct Probe<'a> {
    store: &'a Store,
    path: &'a str,
    /// The only Zarr format to look for; both if `None`.
    format: Option<u8>,
    signal: &'a AbortSignal,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(store: &'a Store, path: &'a str, format: Option<u8>, signal: &'a AbortSignal) -> Self {
        Self { store, path, format, signal }
    }

    /// The array at the path, and the key of its document; `siblings` are names for the error's hint.
    pub(crate) async fn array(&self, siblings: &[&str]) -> JsResult<(ArrayMetadata, String)> {
        Ok(self.found(NodeKind::Array, siblings).await?.into_array()?)
    }

    /// The group at the path, and the key of its consolidated document, empty if there is none.
    pub(crate) async fn group(&self, siblings: &[&str]) -> JsResult<(GroupMetadata, String)> {
        Ok(self.found(NodeKind::Group, siblings).await?.into_group()?)
    }

    async fn found(&self, kind: NodeKind, siblings: &[&str]) -> JsResult<FoundDocuments> {
        let describe = |key: &str| self.store.describe(key);
        let mut search = DocumentSearch::new(kind, self.path, self.format, siblings, &describe);
        let mut names = search.first();
        loop {
            let (first, second) = both(self.document(names.first()), self.document(names.get(1))).await;
            names = match search.next([first, second]) {
                SearchStep::Ask(names) => names,
                SearchStep::Found(found) => return Ok(found),
                SearchStep::Failed(error) => return Err(error),
            };
        }
    }

    /// A document at the path, if there is one.
    async fn document(&self, name: Option<&&str>) -> JsResult<Option<Vec<u8>>> {
        let Some(name) = name else { return Ok(None) };
        let request = Request { key: source::join(self.path, name), range: ByteRange::All };
        let found = self.store.get(&request, MAX_METADATA_BYTES as u64, self.signal).await?;
        let found = found.map(|(Bytes::Asked(found) | Bytes::Whole(found))| found);
        if let Some(loading) = parts_for(name, found.as_ref()) {
            JsFuture::from(loading).await?;
        }
        let Some(found) = found else { return Ok(None) };
        Json::check_length(found.length() as usize).map_err(|error| error.in_document(&request.key))?;
        Ok(Some(copied(&found)))
    }
}
