//! Systems beside plain Zarr: a list says of each key where its bytes are, and every host that it leads to has an
//! engine of its own.
//!
//! Invariant: what the caller sends along to the list's own host, headers and credentials, goes to no other.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Url};

use super::JsResult;
use super::address::shown as shown_url;
use super::engine::{Engine, Ticket, subarray};
use super::network::Network;
use super::store::{Bytes, Store};
use super::value::shown;
use crate::error::Error;
use crate::read::Turn;
use crate::source::kerchunk::{MAX_REFERENCES_BYTES, References};
use crate::source::{ByteRange, Place, Request, web_address};

/// A list, and the hosts that it leads to.
pub(super) struct System {
    /// The list's own address.
    url: Url,
    references: RefCell<Rc<References>>,
    network: Network,
    /// By origin.
    hosts: RefCell<HashMap<String, Rc<Engine>>>,
}

/// Where the bytes of a request are.
enum Found {
    Missing,
    Here(Uint8Array),
    There(Rc<Engine>, Request),
}

impl System {
    /// The system whose list is at an address.
    pub(super) async fn open(url: Url, network: Network, signal: &AbortSignal) -> JsResult<Self> {
        let system = Self::new(url, network);
        system.read(signal).await?;
        Ok(system)
    }

    /// The same, where it is not known that there is a list: nothing where there is none, and no answer.
    pub(super) async fn look(url: Url, network: Network, signal: &AbortSignal) -> JsResult<Option<Self>> {
        let system = Self::new(url, network);
        let Ok(document) = system.document(signal).await else { return Ok(None) };
        let references = match References::parse(&document) {
            Ok(Some(references)) => references,
            Ok(None) => return Ok(None),
            // No JSON, or none with references in it.
            Err(Error::InvalidMetadata { path, .. }) if path.is_empty() => return Ok(None),
            Err(error) => return Err(system.blame(error)),
        };
        system.references.replace(Rc::new(references));
        Ok(Some(system))
    }

    fn new(url: Url, network: Network) -> Self {
        Self { url, references: RefCell::default(), network, hosts: RefCell::default() }
    }

    /// Reads the list as it is now.
    async fn read(&self, signal: &AbortSignal) -> JsResult<()> {
        let references =
            References::parse(&self.document(signal).await?).map_err(|error| self.blame(error))?;
        self.references.replace(Rc::new(references.ok_or_else(|| self.no_list())?));
        Ok(())
    }

    /// The list's document as it is now.
    async fn document(&self, signal: &AbortSignal) -> JsResult<Vec<u8>> {
        let request = Request { key: self.url.href(), range: ByteRange::All };
        let found = self.host(&self.url)?.store().get(&request, signal).await?;
        let Some(Bytes::Asked(found) | Bytes::Whole(found)) = found else { return Err(self.no_list()) };
        let length = found.length() as usize;
        if length > MAX_REFERENCES_BYTES {
            let reason = format!("the references have {length} bytes, more than {MAX_REFERENCES_BYTES}");
            return Err(self.blame(Error::metadata("", reason)));
        }
        Ok(found.to_vec())
    }

    /// An error in the list.
    fn blame(&self, error: Error) -> JsValue {
        error.in_document(&shown_url(&self.url)).into()
    }

    /// That no list is at its address.
    fn no_list(&self) -> JsValue {
        let path = shown_url(&self.url);
        let hint = "it is no JSON document with references of kerchunk; check the address".to_owned();
        Error::NotFound { wanted: "list", tried: vec![path.clone()], path, hint }.into()
    }

    /// Where a path, or a key, is, as a person would name it.
    pub(super) fn describe(&self, path: &str) -> String {
        format!("{}#{path}", shown_url(&self.url))
    }

    /// What a request asks for, by the engine of its host.
    pub(super) async fn want(
        &self,
        request: &Request,
        reader: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        match self.find(request)? {
            Found::Missing => Ok(None),
            Found::Here(bytes) => Ok(Some(Bytes::Asked(bytes))),
            Found::There(host, request) => {
                let found = Box::pin(host.want(&request, reader, ticket)).await?;
                asked(&host, &request, found).map(Some)
            }
        }
    }

    /// The same at once, for what is read when something is opened.
    pub(super) async fn get(&self, request: &Request, signal: &AbortSignal) -> JsResult<Option<Bytes>> {
        match self.find(request)? {
            Found::Missing => Ok(None),
            Found::Here(bytes) => Ok(Some(Bytes::Asked(bytes))),
            Found::There(host, request) => {
                let found = Box::pin(host.store().get(&request, signal)).await?;
                asked(&host, &request, found).map(Some)
            }
        }
    }

    /// What a request comes to, where it needs one.
    pub(super) fn request(&self, request: &Request) -> JsResult<Option<Request>> {
        Ok(match self.find(request)? {
            Found::There(_, request) => Some(request),
            _ => None,
        })
    }

    /// A number that is another one as soon as a value was found changed, or all are to be read anew.
    pub(super) fn epoch(&self) -> u64 {
        self.hosts.borrow().values().map(|host| host.store().epoch()).sum()
    }

    /// Reads the list anew, and forgets what was known of values.
    pub(super) async fn refresh(&self, signal: &AbortSignal) -> JsResult<()> {
        let hosts: Vec<Rc<Engine>> = self.hosts.borrow().values().cloned().collect();
        for host in hosts {
            Box::pin(host.store().refresh(signal)).await?;
        }
        self.read(signal).await
    }

    fn find(&self, request: &Request) -> JsResult<Found> {
        let references = Rc::clone(&self.references.borrow());
        let place = references.place(&request.key).map_err(|error| self.blame(error))?;
        let (url, span) = match place {
            Place::Missing => return Ok(Found::Missing),
            Place::Inline(bytes) => {
                let bytes = Uint8Array::new_from_slice(&bytes);
                let part = request.range.of_length(bytes.length().into());
                let part = part.ok_or_else(|| self.short(request, bytes.length().into()))?;
                return Ok(Found::Here(subarray(&bytes, part)));
            }
            Place::File { url, span } => (url, span),
        };
        let url = self.address(&url, request)?;
        let length = span.as_ref().map_or(0, |span| span.end - span.start);
        let part = Place::part(url.href(), span.as_ref(), &request.range);
        let part = part.ok_or_else(|| self.short(request, length))?;
        Ok(Found::There(self.host(&url)?, part))
    }

    /// That a value is shorter than what is asked of it.
    fn short(&self, request: &Request, length: u64) -> JsValue {
        let reason = format!("the list gives it {length} bytes, fewer than its index says");
        let key = self.describe(&request.key);
        Error::Store { key, status: None, range: None, reason }.into()
    }

    /// The address that is asked for one that the list has: as the caller resolves it, or as the web does, from the
    /// list's own on.
    fn address(&self, listed: &str, request: &Request) -> JsResult<Url> {
        let resolved = match &self.network.resolve_url {
            Some(resolve) => resolve.call1(&JsValue::UNDEFINED, &listed.into())?,
            None => JsValue::UNDEFINED,
        };
        let address = if resolved.is_undefined() || resolved.is_null() {
            web_address(listed).ok_or_else(|| {
                let scheme = listed.split("://").next().unwrap_or_default();
                Error::Unsupported {
                    feature: format!("addresses of {scheme}://"),
                    reason: format!(
                        "{} is said to be at {listed}, which no browser can ask; give the option resolveUrl, which \
                         makes another address of it",
                        self.describe(&request.key)
                    ),
                }
            })?
        } else if let Some(text) = resolved.as_string() {
            text
        } else if let Some(url) = resolved.dyn_ref::<Url>() {
            url.href()
        } else {
            let message = format!("resolveUrl gives a URL, text or undefined, not {}", shown(&resolved));
            return Err(js_sys::TypeError::new(&message).into());
        };
        Ok(Url::new_with_base(&address, &self.url.href()).map_err(|_| {
            let reason = format!("{:?} is no address; the list may be damaged", address);
            let key = self.describe(&request.key);
            Error::Store { key, status: None, range: None, reason }
        })?)
    }

    /// The engine of an address' host.
    fn host(&self, url: &Url) -> JsResult<Rc<Engine>> {
        if let Some(host) = self.hosts.borrow().get(&url.origin()) {
            return Ok(Rc::clone(host));
        }
        let is_own = url.origin() == self.url.origin();
        let http = if is_own { self.network.http.clone() } else { self.network.http.for_strangers()? };
        let store = Store::host(&url.origin(), http, self.network.on_request.clone())?;
        let engine = Engine::new(Rc::new(store), self.network.concurrency, self.network.joining);
        self.hosts.borrow_mut().insert(url.origin(), Rc::clone(&engine));
        Ok(engine)
    }
}

/// What was asked for of an answer; nothing is an error, as the list says that something is there.
fn asked(host: &Engine, request: &Request, found: Option<Bytes>) -> JsResult<Bytes> {
    match found {
        Some(Bytes::Whole(whole)) => {
            let part = request.range.of_length(whole.length().into());
            let part = part.ok_or_else(|| host.store().unfit(request, None, &whole))?;
            Ok(Bytes::Asked(subarray(&whole, part)))
        }
        Some(bytes) => Ok(bytes),
        None => {
            let key = host.store().describe(&request.key);
            let reason = "the list leads there, and nothing is there; was the file moved?".to_owned();
            Err(Error::Store { key, status: None, range: None, reason }.into())
        }
    }
}
