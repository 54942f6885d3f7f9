//! A store: whatever answers a key with bytes, or with the word that nothing is there.

use js_sys::{Function, Map, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::JsResult;
use super::http::HttpStore;
use super::network::HttpOptions;
use super::readable::{self, ReadableStore};
use super::report::{report, span};
pub(super) use super::store_bytes::Bytes;
use super::system::System;
use super::timer::now;
use super::transfer::Transfer;
use crate::error::Error;
use crate::source::http::Method;
use crate::source::{ByteRange, Request};

/// Where bytes come from.
pub(super) struct Store {
    kind: Kind,
    on_request: Option<Function>,
}

enum Kind {
    Http(HttpStore),
    Readable(ReadableStore),
    System(System),
}

impl Store {
    /// The store that a source is: a URL, or a zarrita `Readable`.
    pub(super) fn new(source: &JsValue, http: HttpOptions, on_request: Option<Function>) -> JsResult<Self> {
        match address_of(source) {
            Some(url) => Self::host(&url, http, on_request),
            None => Ok(Self { kind: Kind::Readable(ReadableStore::new(source)?), on_request }),
        }
    }

    /// What is below a URL.
    pub(super) fn host(url: &str, http: HttpOptions, on_request: Option<Function>) -> JsResult<Self> {
        Ok(Self { kind: Kind::Http(HttpStore::new(url, http)?), on_request })
    }

    /// What a list tells of.
    pub(super) fn listed(system: System) -> Self {
        Self { kind: Kind::System(system), on_request: None }
    }

    /// The list, where the store is one.
    pub(super) fn system(&self) -> Option<&System> {
        match &self.kind {
            Kind::System(system) => Some(system),
            _ => None,
        }
    }

    /// Whether it is what lies below a URL.
    pub(super) fn is_host(&self) -> bool {
        matches!(self.kind, Kind::Http(_))
    }

    /// Where a path is, as a person would name it.
    pub(super) fn describe(&self, path: &str) -> String {
        match &self.kind {
            Kind::Http(store) => store.public_url(path),
            Kind::Readable(_) => format!("/{path}"),
            Kind::System(system) => system.describe(path),
        }
    }

    /// The bytes that a request asks for, or all of the value's, which may be `most`, or nothing where nothing is stored.
    pub(super) async fn get(
        &self,
        request: &Request,
        most: u64,
        signal: &AbortSignal,
    ) -> JsResult<Option<Bytes>> {
        if matches!(&request.range, ByteRange::Span(span) if span.is_empty()) {
            // HTTP has no way to ask for no bytes.
            return Ok(Some(Bytes::Asked(Uint8Array::new_with_length(0))));
        }
        let on_request = self.on_request.as_ref();
        let store = match &self.kind {
            Kind::System(system) => return Box::pin(system.get(request, most)).await,
            Kind::Http(http) => return Transfer::new(http, (request, most), signal, on_request).run().await,
            Kind::Readable(store) => store,
        };
        let started = now();
        let found = store.get(request, signal).await;
        if let Some(on_request) = on_request {
            let bytes = found.as_ref().ok().and_then(Option::as_ref).map(Bytes::length);
            report(on_request, request, Method::Get, (None, bytes, now() - started));
        }
        match found? {
            Some(Bytes::Asked(bytes)) if !request.range.fits(bytes.length().into()) => {
                Err(self.unfit(request, None, &bytes))
            }
            found => Ok(found),
        }
    }

    /// The map that the store is, where nobody hears of requests.
    pub(super) fn map(&self) -> Option<&Map> {
        match &self.kind {
            Kind::Readable(store) if self.on_request.is_none() => store.map(),
            _ => None,
        }
    }

    /// All of a value of a map.
    pub(super) fn at(&self, map: &Map, request: &Request) -> JsResult<Option<Uint8Array>> {
        readable::bytes(request, &map.get(&JsValue::from(format!("/{}", request.key))))
    }

    /// Bytes that the browser keeps beyond the page's life, where that was asked for.
    pub(super) async fn persisted(&self, request: &Request) -> Option<Uint8Array> {
        let Kind::Http(store) = &self.kind else { return None };
        store.persisted()?.get(&store.private_url(&request.key)?, &request.range).await
    }

    /// Has the browser keep bytes, where that was asked for; nobody waits for it.
    pub(super) fn persist(&self, request: &Request, bytes: &Uint8Array) {
        let Kind::Http(store) = &self.kind else { return };
        let (Some(persisted), Some(url)) = (store.persisted(), store.private_url(&request.key)) else {
            return;
        };
        persisted.put(&url, &request.range, bytes);
    }

    /// A number that is another one as soon as a value was found changed, or all are to be read anew.
    pub(super) fn epoch(&self) -> u64 {
        match &self.kind {
            Kind::Http(store) => store.host.borrow().versions.epoch(),
            Kind::Readable(_) => 0,
            Kind::System(system) => system.epoch(),
        }
    }

    /// Whether it has shown what it makes of ranges.
    pub(super) fn knows_ranges(&self) -> bool {
        match &self.kind {
            Kind::Http(store) => store.host.borrow().capabilities.knows_ranges(),
            Kind::Readable(_) | Kind::System(_) => true,
        }
    }

    /// Whether a part of a value brings the whole value: always without `getRange`, else as it was the last time.
    pub(super) fn ignores_ranges(&self) -> bool {
        match &self.kind {
            Kind::Http(store) => store.host.borrow().capabilities.ignores_ranges(),
            Kind::Readable(store) => !store.has_ranges(),
            Kind::System(_) => false,
        }
    }

    /// Forgets what was known of values, and has them asked for anew.
    pub(super) async fn refresh(&self, signal: &AbortSignal) -> JsResult<()> {
        match &self.kind {
            Kind::Http(store) => {
                store.host.borrow_mut().refresh();
                if let Some(persisted) = store.persisted() {
                    persisted.clear().await;
                }
                Ok(())
            }
            Kind::Readable(_) => Ok(()),
            Kind::System(system) => system.refresh(signal).await,
        }
    }

    /// That an answer is not what was asked for.
    pub(super) fn unfit(&self, request: &Request, status: Option<u16>, bytes: &Uint8Array) -> JsValue {
        let (key, range) = (self.describe(&request.key), span(&request.range));
        Error::Store { key, status, range, reason: ByteRange::misfit(bytes.length().into()) }.into()
    }
}

/// The address that a source is; nothing where it is a store.
pub(super) fn address_of(source: &JsValue) -> Option<String> {
    source.as_string().or_else(|| Some(source.dyn_ref::<web_sys::Url>()?.href()))
}
