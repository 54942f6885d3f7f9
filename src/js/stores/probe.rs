//! The driver of a search for the metadata documents at a path.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::store::Store;
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::bytes::{Bytes, copied};
use crate::js::support::loading::{load, with_parts};
use crate::js::support::time::TimeSlice;
use crate::js::support::work::{Work, both};
use crate::metadata::{
    ArrayMetadata, Consolidated, Entry, GroupMetadata, Json, MAX_METADATA_BYTES, STEP_BYTES, ScannedJson,
};
use crate::network::{ByteRange, Request, join};
use crate::parts::{Loaded, Opening, later};
use crate::source::{DocumentAnswer, DocumentSearch, FoundDocuments, NodeKind, SearchStep, path_in};

/// A search for the metadata documents at one path.
pub(crate) struct Probe<'a> {
    store: &'a Store,
    path: &'a str,
    /// The only Zarr format to look for; both if `None`.
    format: Option<u8>,
    /// Whether attributes that are a document of their own are requested.
    attrs: bool,
    signal: &'a AbortSignal,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(
        store: &'a Store,
        path: &'a str,
        format: Option<u8>,
        attrs: bool,
        signal: &'a AbortSignal,
    ) -> Self {
        Self { store, path, format, attrs, signal }
    }

    /// The array at the path, and the key of its document; `siblings` are names for the error's hint.
    pub(crate) async fn array(&self, siblings: &[&str]) -> JsResult<(ArrayMetadata, String)> {
        if self.format == Some(2) {
            return search(load(self.store.part_timeout()).await?, self, siblings, None).await;
        }
        let found = match self.document("zarr.json").await {
            DocumentAnswer::Failed(error) => return Err(error),
            found => found,
        };
        // A large document is scanned in slices first.
        if let DocumentAnswer::Found(bytes) = &found
            && bytes.len() <= STEP_BYTES
        {
            let parsed = with_parts(self.store.part_timeout(), || match ArrayMetadata::parse(bytes) {
                Err(error @ Error::PartMissing(_)) => Err(error),
                // The search says what else is wrong with the document.
                parsed => Ok(parsed.ok()),
            });
            if let Some(metadata) = parsed.await? {
                return Ok((metadata, join(self.path, "zarr.json")));
            }
        }
        search(load(self.store.part_timeout()).await?, self, siblings, Some(found)).await
    }

    /// The group at the path, and the key of its consolidated document, empty if there is none.
    pub(crate) async fn group(&self, siblings: &[&str]) -> JsResult<(GroupMetadata, String)> {
        let mut found = self.found(NodeKind::Group, siblings, None).await?;
        with_parts(self.store.part_timeout(), || found.group()).await
    }

    /// Entry for a list of the array or group at the path, under the name `shown`, with the documents below it where they are
    /// consolidated; `None` where its document describes neither.
    pub(crate) async fn entry(&self, shown: &str) -> JsResult<Option<(Entry, Option<Consolidated>)>> {
        let found = self.found(NodeKind::Either, &[], None).await?;
        with_parts(self.store.part_timeout(), || found.entry(shown)).await
    }

    /// Searches for documents; `asked` is the answer to the first one, where it was requested already.
    async fn found(
        &self,
        kind: NodeKind,
        siblings: &[&str],
        mut asked: Option<DocumentAnswer<JsValue, Vec<u8>>>,
    ) -> JsResult<FoundDocuments> {
        let describe = |key: &str| self.store.describe(key);
        let mut search = DocumentSearch::new(kind, self.path, self.format, self.attrs, siblings, &describe);
        let mut names = search.first();
        loop {
            let answers = match asked.take() {
                Some(found) => [found, DocumentAnswer::Missing],
                // Where the host lets this page read nothing, a hint is not worth more failures in the console.
                None if search.is_for_hint() && self.store.hides_everything() => {
                    [DocumentAnswer::Missing, DocumentAnswer::Missing]
                }
                None => both(self.named(names.first()), self.named(names.get(1))).await.into(),
            };
            let [first, second] = answers;
            let second = scanned(second, names.get(1)).await;
            names = match search.next([scanned(first, names.first()).await, second]) {
                SearchStep::Ask(names) => names,
                SearchStep::Found(found) => return Ok(found),
                SearchStep::Failed(error) => return Err(error),
            };
        }
    }

    async fn named(&self, name: Option<&&str>) -> DocumentAnswer<JsValue, Vec<u8>> {
        match name {
            Some(name) => self.document(name).await,
            None => DocumentAnswer::Missing,
        }
    }

    /// The answer to the request for a document at the path.
    async fn document(&self, name: &str) -> DocumentAnswer<JsValue, Vec<u8>> {
        match self.bytes(name).await {
            Ok(Some(bytes)) => DocumentAnswer::Found(bytes),
            Ok(None) => DocumentAnswer::Missing,
            Err(error) if self.store.may_mean_missing(&error) => DocumentAnswer::Doubtful(error),
            Err(error) => DocumentAnswer::Failed(error),
        }
    }

    async fn bytes(&self, name: &str) -> JsResult<Option<Vec<u8>>> {
        let request = Request { key: join(self.path, name), range: ByteRange::All };
        let found = self.store.get(&request, MAX_METADATA_BYTES as u64, self.signal).await?;
        let found = found.map(|(Bytes::Asked(found) | Bytes::Whole(found))| found);
        let Some(found) = found else { return Ok(None) };
        Json::check_length(found.length() as usize).map_err(|error| error.in_document(&request.key))?;
        Ok(Some(copied(&found)))
    }
}

/// Scans a document that was found, in slices.
async fn scanned(
    answer: DocumentAnswer<JsValue, Vec<u8>>,
    name: Option<&&str>,
) -> DocumentAnswer<JsValue, Rc<ScannedJson>> {
    let bytes = match answer {
        DocumentAnswer::Found(bytes) => bytes,
        DocumentAnswer::Missing => return DocumentAnswer::Missing,
        DocumentAnswer::Doubtful(error) => return DocumentAnswer::Doubtful(error),
        DocumentAnswer::Failed(error) => return DocumentAnswer::Failed(error),
    };
    let step = bytes.len().min(STEP_BYTES) as u64;
    let mut document = ScannedJson::new(bytes, name.map_or(&[], |name| path_in(name)));
    let mut slice = TimeSlice::default();
    while !document.step() {
        slice.take_after(step).await;
    }
    DocumentAnswer::Found(Rc::new(document))
}

/// The array that no `zarr.json` describes as one, or the error that says what is there.
#[later]
fn search<'a>(
    _: Loaded<Opening>,
    probe: &'a Probe<'a>,
    siblings: &'a [&'a str],
    asked: Option<DocumentAnswer<JsValue, Vec<u8>>>,
) -> Work<'a, (ArrayMetadata, String)> {
    Box::pin(async move {
        let found = probe.found(NodeKind::Array, siblings, asked).await?;
        with_parts(probe.store.part_timeout(), || found.array()).await
    })
}
