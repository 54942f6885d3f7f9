//! A store: it answers a key with bytes, or reports that the key is missing. Virtual stores, whose values lie in other
//! stores, are known by a trait.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::readable::ReadableStore;
use super::request::{BoundedRequest, Ticket};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::convert::value::{class_tag, field};
use crate::js::http::exchange::Transfer;
use crate::js::http::http_store::HttpStore;
use crate::js::http::options::HttpOptions;
use crate::js::http::persisted::Persisted;
use crate::js::support::report::{RequestOutcome, report, span};
use crate::js::support::time::now;
use crate::js::support::work::Work;
use crate::network::http::Method;
use crate::network::{ByteRange, RangeSupport, Request, Turn};

/// Store of one source: an HTTP host, a `Readable` or a virtual store.
pub(crate) struct Store {
    kind: StoreKind,
    on_request: Option<Function>,
    /// Milliseconds that the source's options give a part of the module to load; 0 means without a limit.
    part_timeout: u64,
}

enum StoreKind {
    Http(HttpStore),
    Readable(ReadableStore),
    Virtual(Rc<dyn VirtualSource>),
}

impl Store {
    /// Store for a source: a URL, or a zarrita `Readable`.
    pub(crate) fn new(source: &JsValue, http: HttpOptions, on_request: Option<Function>) -> JsResult<Self> {
        let part_timeout = http.timeout;
        match address_of(source) {
            Some(url) => Self::host(&url, http, on_request),
            None => {
                let kind = StoreKind::Readable(ReadableStore::new(source)?);
                Ok(Self { kind, on_request, part_timeout })
            }
        }
    }

    /// HTTP store of everything below a URL.
    pub(crate) fn host(url: &str, http: HttpOptions, on_request: Option<Function>) -> JsResult<Self> {
        let part_timeout = http.timeout;
        Ok(Self { kind: StoreKind::Http(HttpStore::new(url, http)?), on_request, part_timeout })
    }

    /// A virtual store.
    pub(crate) fn of_virtual(source: Rc<dyn VirtualSource>, part_timeout: u64) -> Self {
        Self { kind: StoreKind::Virtual(source), on_request: None, part_timeout }
    }

    /// Milliseconds that a part of the module has to load; 0 means without a limit.
    pub(crate) fn part_timeout(&self) -> u64 {
        self.part_timeout
    }

    /// The virtual store, where the store is one.
    pub(crate) fn virtual_source(&self) -> Option<&dyn VirtualSource> {
        match &self.kind {
            StoreKind::Virtual(source) => Some(&**source),
            _ => None,
        }
    }

    /// Whether the store is an HTTP store.
    pub(crate) fn is_host(&self) -> bool {
        matches!(self.kind, StoreKind::Http(_))
    }

    /// Address of a path or a key for messages.
    pub(crate) fn describe(&self, path: &str) -> String {
        match &self.kind {
            StoreKind::Http(store) => store.public_url(path),
            StoreKind::Readable(_) => format!("/{path}"),
            StoreKind::Virtual(source) => source.describe(path),
        }
    }

    /// Fetches the bytes of a request, or the whole value, of at most `most` bytes; `None` where nothing is stored.
    pub(crate) async fn get(
        &self,
        request: &Request,
        most: u64,
        signal: &AbortSignal,
    ) -> JsResult<Option<Bytes>> {
        if matches!(&request.range, ByteRange::Span(span) if span.is_empty()) {
            // HTTP cannot request an empty range.
            return Ok(Some(Bytes::Asked(Uint8Array::new_with_length(0))));
        }
        let on_request = self.on_request.as_ref();
        let store = match &self.kind {
            StoreKind::Virtual(source) => return source.get(request, most).await,
            StoreKind::Http(http) => {
                return Transfer::new(http, request, most, signal, on_request).run().await;
            }
            StoreKind::Readable(store) => store,
        };
        let started = now();
        let found = store.get(request, signal).await;
        let bytes = found.as_ref().ok().and_then(Option::as_ref).map(Bytes::length);
        self.report(request, bytes, now() - started);
        match found? {
            Some(Bytes::Asked(bytes)) if !request.range.fits(bytes.length().into()) => {
                Err(self.unfit(request, None, bytes.length()))
            }
            found => Ok(found),
        }
    }

    /// The `Readable`, if the store is over one.
    pub(crate) fn readable(&self) -> Option<&ReadableStore> {
        match &self.kind {
            StoreKind::Readable(store) => Some(store),
            _ => None,
        }
    }

    /// Whether the store is a `Map`, whose values are in memory.
    pub(crate) fn is_memory(&self) -> bool {
        self.readable().is_some_and(ReadableStore::is_map)
    }

    /// The caller's `onRequest`.
    pub(crate) fn on_request(&self) -> Option<&Function> {
        self.on_request.as_ref()
    }

    /// Reports an answer to `onRequest`: the number of bytes, if any came, and the time in milliseconds.
    fn report(&self, request: &Request, bytes: Option<u64>, ms: f64) {
        if let Some(on_request) = &self.on_request {
            report(on_request, request, Method::Get, RequestOutcome { status: None, bytes, ms });
        }
    }

    /// Whether the browser keeps bytes in its persistent cache (`persist`).
    pub(crate) fn persists(&self) -> bool {
        matches!(&self.kind, StoreKind::Http(store) if store.persisted().is_some())
    }

    /// The browser's persistent cache, if `persist` is set, and the address of a request in it.
    pub(crate) fn persisted(&self, request: &Request) -> Option<(&Persisted, String)> {
        let StoreKind::Http(store) = &self.kind else { return None };
        let persisted = store.persisted()?;
        Some((persisted, persisted.address(&store.private_url(&request.key)?, &request.range)?))
    }

    /// Gives, as text, what the host said of a value's version: its ETag, date and length; empty where it said nothing.
    pub(crate) fn said_version(&self, key: &str) -> String {
        let StoreKind::Http(store) = &self.kind else { return String::new() };
        store.host.borrow().versions.said(key)
    }

    /// Number that changes when a value is found to have changed, or when `refresh` is called.
    pub(crate) fn epoch(&self) -> u64 {
        match &self.kind {
            StoreKind::Http(store) => store.host.borrow().versions.epoch(),
            StoreKind::Readable(_) => 0,
            StoreKind::Virtual(source) => source.epoch(),
        }
    }

    /// Support for byte ranges, as far as it is known; a `Readable` without `getRange` gives whole values.
    pub(crate) fn ranges(&self) -> RangeSupport {
        match &self.kind {
            StoreKind::Http(store) => {
                let capabilities = &store.host.borrow().capabilities;
                RangeSupport {
                    is_known: capabilities.knows_ranges(),
                    is_ignored: capabilities.ignores_ranges(),
                }
            }
            StoreKind::Readable(store) => RangeSupport { is_known: true, is_ignored: !store.has_ranges() },
            StoreKind::Virtual(_) => RangeSupport { is_known: true, is_ignored: false },
        }
    }

    /// Whether an error may mean that nothing is stored: status 403, or an answer that the browser hides. Keys that a host
    /// refuses get the same for every value, so nothing else needs to be asked for.
    pub(crate) fn may_mean_missing(&self, error: &JsValue) -> bool {
        let StoreKind::Http(store) = &self.kind else { return false };
        let status = field(error, "status");
        let is_hidden = status.is_undefined() && store.host.borrow().is_bare();
        let is_of_keys = field(error, "refusedKeys").is_truthy();
        field(error, "name") == "StoreError" && !is_of_keys && (status == 403 || is_hidden)
    }

    /// Whether the host answers, and lets this page read nothing.
    pub(crate) fn hides_everything(&self) -> bool {
        matches!(&self.kind, StoreKind::Http(store) if store.host.borrow().hides_everything())
    }

    /// Forgets the versions of values, and empties the persistent cache, so that values are fetched again.
    pub(crate) async fn refresh(&self, signal: &AbortSignal) -> JsResult<()> {
        match &self.kind {
            StoreKind::Http(store) => {
                store.host.borrow_mut().refresh();
                if let Some(persisted) = store.persisted() {
                    persisted.delete().await;
                }
                Ok(())
            }
            StoreKind::Readable(_) => Ok(()),
            StoreKind::Virtual(source) => source.refresh(signal).await,
        }
    }

    /// Error for an answer whose length in bytes does not fit the request.
    pub(crate) fn unfit(&self, request: &Request, status: Option<u16>, length: u32) -> JsValue {
        let (key, range) = (self.describe(&request.key), span(&request.range));
        Error::Store { key, status, range, reason: ByteRange::misfit(length.into()) }.into()
    }

    /// Error for a part of a shard that is missing, though the shard's index names it.
    pub(crate) fn lost(&self, request: &Request) -> JsValue {
        let (key, range) = (self.describe(&request.key), span(&request.range));
        let reason =
            "the shard's index was read, and then nothing was found in its place; read again".to_owned();
        Error::Store { key, status: None, range, reason }.into()
    }
}

/// Address that is a string or a `URL`, also one of another realm; `None` for a store and for other values.
pub(crate) fn address_of(source: &JsValue) -> Option<String> {
    let is_url = || class_tag(source).as_deref() == Some("URL");
    source.as_string().or_else(|| is_url().then(|| field(source, "href").as_string())?)
}

/// Virtual store: values by key, whose bytes lie in other files.
pub(crate) trait VirtualSource {
    /// Address of a path or a key for messages.
    fn describe(&self, path: &str) -> String;

    /// Fetches the bytes of a request, through the queue of the host that has them.
    fn request<'a>(
        &'a self,
        asked: BoundedRequest<'a>,
        turn: &'a RefCell<Turn>,
        ticket: &'a Ticket,
    ) -> Work<'a, Option<Bytes>>;

    /// Like `request`, but for metadata documents, which the browser's persistent cache never holds.
    fn get<'a>(&'a self, request: &'a Request, most: u64) -> Work<'a, Option<Bytes>>;

    /// Requests that are sent first for a request; none for values that the index itself holds.
    fn requests(&self, request: &Request) -> JsResult<Vec<Request>>;

    /// Lets each host have `more` requests in flight than until now, or fewer again; returns how many one may have.
    fn allow(&self, more: i32) -> usize;

    /// Number that changes when a value is found to have changed, or when `refresh` is called.
    fn epoch(&self) -> u64;

    /// Reads the index again and forgets the versions of values; where that fails, the old index stays.
    fn refresh<'a>(&'a self, signal: &'a AbortSignal) -> Work<'a, ()>;

    /// Answer of the index to a question that is not about a key.
    fn answer<'a>(&'a self, question: &'a str) -> Work<'a, JsValue>;
}
