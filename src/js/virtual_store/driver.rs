//! Driver of a virtual store: its index locates the bytes of each key, once it has the input that it needs. Input that
//! several reads need is fetched once.
//!
//! Invariant: the browser's persistent cache gets only chunks, and the index within an original file but for its first
//! bytes, and nothing of a file that is written in place. The format of an original file is told by its first bytes, not
//! by its name.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use js_sys::{JSON, Object, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{AbortSignal, Url};

use super::index_module::IndexModule;
use super::origin_pool::OriginPool;
use super::provided_input::{InputTransfer, ProvidedInput, Rounds, asked, part};
use crate::error::{Error, Gather};
use crate::js::JsResult;
use crate::js::convert::bytes::{Bytes, copied, subarray};
use crate::js::convert::value::field;
use crate::js::http::http_store::shown as shown_url;
use crate::js::http::options::NetworkOptions;
use crate::js::stores::request::{BoundedRequest, Ticket};
use crate::js::stores::store::VirtualSource;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::support::work::{Work, all};
use crate::network::{ByteRange, Request, Turn, Urgency};
use crate::read::MAX_WHOLE_BYTES;
use crate::source::{ByteLocation, Format, InputRequest, MAX_TOLD_BYTES, Resolution};

/// A virtual store, and the hosts of its files.
pub(crate) struct VirtualStoreDriver {
    index: RefCell<Rc<IndexModule>>,
    /// Number of times that the index was read again.
    pub(crate) round: Cell<u64>,
    format: Format,
    /// Epoch of the hosts when the index was read.
    hosts_epoch: Cell<u64>,
    /// Input on its way to the index, by round and number.
    pub(crate) transfers: RefCell<HashMap<(u64, u64), Weak<InputTransfer>>>,
    pub(crate) hosts: OriginPool,
}

/// Location of a request's bytes.
enum ResolvedBytes {
    Missing,
    Here(Uint8Array),
    There(Rc<StoreDriver>, Request),
}

impl VirtualStoreDriver {
    /// Opens the virtual store of a format at an address, with the options of a caller, a JSON object.
    pub(crate) async fn open(
        format: Format,
        options: &Object,
        url: Url,
        network: NetworkOptions,
    ) -> JsResult<Self> {
        // The URL is an object, which the caller may open as another format.
        let url = Url::new(&url.href())?;
        if format.is_folder() && !url.pathname().ends_with('/') {
            url.set_pathname(&format!("{}/", url.pathname()));
        }
        let (transfers, mut hosts) = (RefCell::default(), OriginPool::new(url, network));
        if format.is_original() {
            hosts.tell_versions();
        }
        let head = if format.is_original() { Some(first_bytes(format, &hosts).await?) } else { None };
        let format = match &head {
            Some(head) => told_format(format, &hosts, head)?,
            None => format,
        };
        let index = RefCell::new(Rc::new(IndexModule::new(format, options).await?));
        let (round, hosts_epoch) = (Cell::new(0), Cell::new(0));
        let store = Self { index, round, format, hosts_epoch, transfers, hosts };
        let index = Rc::clone(&store.index.borrow());
        if let Some(head) = &head {
            store.hosts.tell_version(head);
            index.provide(InputRequest::HEAD, Some(head)).await.map_err(|error| store.blame(error))?;
        }
        store.begin(&index).await?;
        store.hosts_epoch.set(store.hosts.epoch());
        Ok(store)
    }

    /// Opens an address that may be of a virtual store. Where it is of none, the inner result is `Err`, with the error
    /// of its document if there is one.
    ///
    /// # Errors
    /// If the address is of a virtual store that cannot be opened.
    pub(crate) async fn look(
        format: Format,
        options: &Object,
        url: Url,
        network: NetworkOptions,
    ) -> JsResult<Result<Self, Option<JsValue>>> {
        Self::open(format, options, url, network).await.map(Ok).or_else(|error| {
            let said = |name: &str| field(&error, name).as_string().unwrap_or_default();
            match said("name").as_str() {
                "NotFoundError" | "StoreError" => Ok(Err(format.is_original().then_some(error))),
                // The document is not JSON, or has a mistake: the address may be that of a Zarr hierarchy.
                "InvalidMetadataError" if !format.is_folder() && said("path").is_empty() => {
                    Ok(Err(Some(error)))
                }
                _ => Err(error),
            }
        })
    }

    /// Provides the input that the index needs before any key.
    async fn begin(&self, index: &Rc<IndexModule>) -> JsResult<()> {
        let mut rounds = Rounds::default();
        loop {
            let needs = index.needs().map_err(|error| self.blame(error))?;
            if needs.is_empty() {
                return Ok(());
            }
            self.provide(index, needs, Urgency::Now, &mut rounds).await?;
        }
    }

    /// Adds the index's address to an error.
    pub(crate) fn blame(&self, error: Error) -> JsValue {
        error.in_document(&shown_url(self.hosts.own())).into()
    }

    async fn asked(
        &self,
        BoundedRequest { request, most }: BoundedRequest<'_>,
        turn: &RefCell<Turn>,
        ticket: &Ticket,
        persists: bool,
    ) -> JsResult<Option<Bytes>> {
        let (host, request) = match self.find(request, ticket.urgency()).await? {
            ResolvedBytes::Missing => return Ok(None),
            ResolvedBytes::Here(bytes) => return Ok(Some(Bytes::Asked(bytes))),
            ResolvedBytes::There(host, request) => (host, request),
        };
        // The file may have any length, and comes whole from a host that ignores ranges.
        let is_part = most > 0 && request.range != ByteRange::All;
        let most = if is_part { most.max(MAX_WHOLE_BYTES) } else { most };
        let of_host = BoundedRequest { request: &request, most };
        let found = if persists {
            host.request(of_host, turn, ticket).await?
        } else {
            host.request_anew(of_host, turn, ticket).await?
        };
        // Checks again: the bytes may be of a new version of the file, and their location of the old one.
        self.index()?;
        asked(&host, &request, found).map(Some)
    }

    /// The index; an error where its file has changed, until `refresh` is called.
    fn index(&self) -> JsResult<Rc<IndexModule>> {
        if self.format.is_one_file() && self.hosts_epoch.get() != self.hosts.epoch() {
            let reason =
                "the file has changed since it was opened; call refresh() to read it again".to_owned();
            let key = shown_url(self.hosts.own());
            return Err(Error::Store { key, status: None, range: None, reason }.into());
        }
        Ok(Rc::clone(&self.index.borrow()))
    }

    async fn find(&self, request: &Request, urgency: Urgency) -> JsResult<ResolvedBytes> {
        let index = self.index()?;
        let (mut provided, mut rounds) = (Vec::new(), Rounds::default());
        loop {
            match index.find(&request.key).map_err(|error| self.blame(error))? {
                Resolution::Needs(needs) => {
                    provided = self.provide(&index, needs, urgency, &mut rounds).await?
                }
                Resolution::Place(place) => {
                    let found = self.at(place, request)?;
                    let ResolvedBytes::There(_, request) = &found else { return Ok(found) };
                    return Ok(provided
                        .iter()
                        .find_map(|provided| provided.part(request))
                        .map_or(found, ResolvedBytes::Here));
                }
            }
        }
    }

    fn at(&self, place: ByteLocation, request: &Request) -> JsResult<ResolvedBytes> {
        let (url, span) = match place {
            ByteLocation::Missing => return Ok(ResolvedBytes::Missing),
            ByteLocation::Inline(bytes) => {
                let bytes = Uint8Array::new_from_slice(&bytes);
                let part = request.range.of_length(bytes.length().into());
                let part = part.ok_or_else(|| self.short(request, bytes.length().into()))?;
                return Ok(ResolvedBytes::Here(subarray(&bytes, part)));
            }
            ByteLocation::File { url, span } => (self.hosts.address(&url, None, &request.key)?, span),
            ByteLocation::Object { url, web, span } => {
                (self.hosts.address(&url, Some(web), &request.key)?, Some(span))
            }
        };
        let length = span.as_ref().map_or(0, |span| span.end - span.start);
        let part = ByteLocation::part(url.href(), span.as_ref(), &request.range);
        let part = part.ok_or_else(|| self.short(request, length))?;
        Ok(ResolvedBytes::There(self.hosts.driver(&url)?, part))
    }

    /// Error for a value that is shorter than the requested range needs.
    fn short(&self, request: &Request, length: u64) -> JsValue {
        let reason = format!("its reference has {length} bytes, fewer than this request needs");
        let key = self.describe(&request.key);
        Error::Store { key, status: None, range: None, reason }.into()
    }

    /// Fetches input in parallel and provides it to the index; returns the bytes as well.
    async fn provide(
        &self,
        index: &Rc<IndexModule>,
        needs: Vec<InputRequest>,
        urgency: Urgency,
        rounds: &mut Rounds,
    ) -> JsResult<Vec<ProvidedInput>> {
        if !rounds.lead_on(&needs) {
            let reason = "its index asks for the same bytes repeatedly; it may be damaged";
            return Err(self.blame(Error::metadata("", reason)));
        }
        let provide = |need| -> Work<'_, ProvidedInput> { Box::pin(self.provide_one(index, need, urgency)) };
        all(needs.into_iter().map(provide).collect()).await
    }

    async fn provide_one(
        &self,
        index: &Rc<IndexModule>,
        need: InputRequest,
        urgency: Urgency,
    ) -> JsResult<ProvidedInput> {
        let (host, request) = self.request_of(&need)?;
        let asked = request.clone();
        let key = (self.round.get(), need.number);
        let under_way = self.transfers.borrow().get(&key).and_then(Weak::upgrade);
        let transfer = under_way.unwrap_or_else(|| {
            let persists = self.format.is_original() && need.number != InputRequest::HEAD;
            let transfer = InputTransfer::begin(Rc::clone(index), host, request, &need, urgency, persists);
            let mut all = self.transfers.borrow_mut();
            // Transfers that no read waits for are still listed.
            all.retain(|_, transfer| transfer.strong_count() > 0);
            all.insert(key, Rc::downgrade(&transfer));
            transfer
        });
        transfer.ticket.raise(urgency);
        let bytes = transfer.reply.wait().await;
        if let (InputRequest::HEAD, true, Ok(Some(head))) = (need.number, self.format.is_original(), &bytes) {
            self.hosts.tell_version(head);
        }
        // Another read may have begun a transfer of the same input since.
        let own = Rc::downgrade(&transfer);
        let mut all = self.transfers.borrow_mut();
        if all.get(&key).is_some_and(|listed| Weak::ptr_eq(listed, &own)) {
            all.remove(&key);
        }
        drop(all);
        // Of the file, the bytes of a decoded chunk are none.
        Ok(ProvidedInput { asked, bytes: bytes?.filter(|_| need.encoding.is_none()) })
    }

    /// Host and request for an input of the index.
    pub(crate) fn request_of(&self, need: &InputRequest) -> JsResult<(Rc<StoreDriver>, Request)> {
        let url = if need.url.is_empty() {
            self.hosts.own().clone()
        } else {
            self.hosts.address(&need.url, None, "")?
        };
        Ok((self.hosts.driver(&url)?, Request { key: url.href(), range: need.range.clone() }))
    }
}

/// The first bytes of an original file, which tell its format.
async fn first_bytes(format: Format, hosts: &OriginPool) -> JsResult<Uint8Array> {
    let (url, range) = (hosts.own(), InputRequest::head().range);
    let (host, request) = (hosts.driver(url)?, Request { key: url.href(), range });
    let asked = BoundedRequest { request: &request, most: MAX_TOLD_BYTES as u64 };
    let found = match host.request_anew(asked, &RefCell::default(), &Ticket::new(Urgency::Now)).await {
        // Nothing is at the first byte: the file is empty.
        Err(error) if field(&error, "status") == 416 => return Ok(Uint8Array::new_with_length(0)),
        found => found?,
    };
    let found = found.ok_or_else(|| {
        let (wanted, hint) = (format!("{} file", format.name()).into(), "check the address".to_owned());
        Error::NotFound { wanted, path: shown_url(url), tried: vec![shown_url(url)], hint }
    })?;
    part(&host, &request, found)
}

/// The format that the first bytes of an original file tell, or else that of its name.
fn told_format(format: Format, hosts: &OriginPool, head: &Uint8Array) -> JsResult<Format> {
    let start = copied(&subarray(head, 0..u64::from(head.length().min(64))));
    if let Some(reason) = Format::no_original(&start) {
        return Err(Error::metadata("", reason).in_document(&shown_url(hosts.own())).into());
    }
    Ok(Format::of_first_bytes(&start).unwrap_or(format))
}

impl VirtualSource for VirtualStoreDriver {
    fn describe(&self, path: &str) -> String {
        self.hosts.describe(path)
    }

    fn request<'a>(
        &'a self,
        asked: BoundedRequest<'a>,
        turn: &'a RefCell<Turn>,
        ticket: &'a Ticket,
    ) -> Work<'a, Option<Bytes>> {
        Box::pin(self.asked(asked, turn, ticket, !self.format.is_written_in_place()))
    }

    fn get<'a>(&'a self, request: &'a Request, most: u64) -> Work<'a, Option<Bytes>> {
        Box::pin(async move {
            self.asked(
                BoundedRequest { request, most },
                &RefCell::default(),
                &Ticket::new(Urgency::Now),
                false,
            )
            .await
        })
    }

    fn requests(&self, request: &Request) -> JsResult<Vec<Request>> {
        match self.index()?.find(&request.key).map_err(|error| self.blame(error))? {
            Resolution::Needs(needs) => {
                needs.iter().map(|need| self.request_of(need).map(|(_, request)| request)).gathered()
            }
            Resolution::Place(place) => Ok(match self.at(place, request)? {
                ResolvedBytes::There(_, request) => vec![request],
                _ => Vec::new(),
            }),
        }
    }

    fn allow(&self, more: i32) -> usize {
        self.hosts.allow(more)
    }

    fn epoch(&self) -> u64 {
        self.hosts.epoch() + self.round.get()
    }

    fn refresh<'a>(&'a self, signal: &'a AbortSignal) -> Work<'a, ()> {
        Box::pin(async move {
            self.hosts.refresh(signal).await?;
            self.round.set(self.round.get() + 1);
            let index = Rc::new(self.index.borrow().anew()?);
            self.begin(&index).await?;
            self.hosts_epoch.set(self.hosts.epoch());
            self.index.replace(index);
            Ok(())
        })
    }

    fn answer<'a>(&'a self, question: &'a str) -> Work<'a, JsValue> {
        Box::pin(async move {
            let index = Rc::clone(&self.index.borrow());
            let mut rounds = Rounds::default();
            loop {
                match index.answer(question).map_err(|error| self.blame(error))? {
                    Resolution::Needs(needs) => {
                        drop(self.provide(&index, needs, Urgency::Now, &mut rounds).await?)
                    }
                    Resolution::Place(ByteLocation::Inline(text)) => {
                        return JSON::parse(&String::from_utf8_lossy(&text));
                    }
                    Resolution::Place(_) => return Ok(JsValue::UNDEFINED),
                }
            }
        })
    }
}
