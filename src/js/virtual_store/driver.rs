//! Systems beside plain Zarr: one says of each key where its bytes are, once it was told what it needs.
//!
//! Invariant: what the browser keeps beyond the page's life is chunks alone, and none of a file that is written in place.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use js_sys::{JSON, Object, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{AbortSignal, Url};

use super::index_module::Listing;
use super::origin_pool::OriginPool;
use super::provided_input::{Rounds, Telling, asked};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::bytes::subarray;
use crate::js::convert::value::field;
use crate::js::fetch::source_driver::Engine;
use crate::js::http::address::shown as shown_url;
use crate::js::http::network::Network;
use crate::js::stores::request_handle::Ticket;
use crate::js::stores::store::Bytes;
use crate::js::stores::virtual_source::VirtualSource;
use crate::js::support::waiting::Work;
use crate::read::{MAX_WHOLE_BYTES, Turn, Urgency};
use crate::source::{ByteLocation, ByteRange, Format, Request, Resolution};

/// A system, and the hosts that it leads to.
pub(crate) struct System {
    listing: RefCell<Rc<Listing>>,
    /// How often it was read anew.
    pub(crate) round: Cell<u64>,
    format: Format,
    /// The hosts' epoch that it is of.
    hosts_epoch: Cell<u64>,
    /// What it is being told.
    pub(crate) telling: RefCell<HashMap<(u64, u64), Weak<Telling>>>,
    pub(crate) hosts: OriginPool,
}

/// Where the bytes of a request are.
enum Found {
    Missing,
    Here(Uint8Array),
    There(Rc<Engine>, Request),
}

impl System {
    /// The system of a format that is at an address, with the options of a caller, a JSON object.
    pub(crate) async fn open(format: Format, options: &Object, url: Url, network: Network) -> JsResult<Self> {
        let listing = RefCell::new(Rc::new(Listing::new(format, options).await?));
        if format.is_folder() && !url.pathname().ends_with('/') {
            url.set_pathname(&format!("{}/", url.pathname()));
        }
        let (telling, hosts) = (RefCell::default(), OriginPool::new(url, network));
        let (round, hosts_epoch) = (Cell::new(0), Cell::new(0));
        let system = Self { listing, round, format, hosts_epoch, telling, hosts };
        let listing = Rc::clone(&system.listing.borrow());
        system.begin(&listing).await?;
        system.hosts_epoch.set(system.hosts.epoch());
        Ok(system)
    }

    /// Opens what may be a system; where it is none, the error that says why, if it says more than that.
    ///
    /// # Errors
    /// Where it is one, and cannot be opened.
    pub(crate) async fn look(
        format: Format,
        options: &Object,
        url: Url,
        network: Network,
    ) -> JsResult<Result<Self, Option<JsValue>>> {
        Self::open(format, options, url, network).await.map(Ok).or_else(|error| {
            let said = |name: &str| field(&error, name).as_string().unwrap_or_default();
            match said("name").as_str() {
                "NotFoundError" | "StoreError" => Ok(Err(None)),
                // No JSON at all, or a mistake in it: the address may be that of a hierarchy.
                "InvalidMetadataError" if !format.is_folder() && said("path").is_empty() => {
                    Ok(Err(Some(error)))
                }
                _ => Err(error),
            }
        })
    }

    /// Tells what has to be told first.
    async fn begin(&self, listing: &Rc<Listing>) -> JsResult<()> {
        let mut rounds = Rounds::default();
        loop {
            let needs = listing.needs().map_err(|error| self.blame(error))?;
            if needs.is_empty() {
                return Ok(());
            }
            self.tell(listing, needs, Urgency::Now, &mut rounds).await?;
        }
    }

    /// An error in the system.
    pub(crate) fn blame(&self, error: Error) -> JsValue {
        error.in_document(&shown_url(self.hosts.own())).into()
    }

    async fn asked(
        &self,
        (request, most): (&Request, u64),
        reader: &RefCell<Turn>,
        ticket: &Ticket,
        persists: bool,
    ) -> JsResult<Option<Bytes>> {
        let (host, request) = match self.find(request, ticket.urgency()).await? {
            Found::Missing => return Ok(None),
            Found::Here(bytes) => return Ok(Some(Bytes::Asked(bytes))),
            Found::There(host, request) => (host, request),
        };
        // It lies in a file of any length, all of which comes from a host that ignores ranges.
        let is_part = most > 0 && request.range != ByteRange::All;
        let most = if is_part { most.max(MAX_WHOLE_BYTES) } else { most };
        let found = if persists {
            host.want((&request, most), reader, ticket).await?
        } else {
            host.want_anew((&request, most), reader, ticket).await?
        };
        // What came may be of the file that is there now, and the place of the one before.
        self.listing()?;
        asked(&host, &request, found).map(Some)
    }

    /// The list. Of a file that was found written anew it says nothing until it is refreshed, and the arrays with it.
    fn listing(&self) -> JsResult<Rc<Listing>> {
        if self.format.is_written_in_place() && self.hosts_epoch.get() != self.hosts.epoch() {
            let reason =
                "the file was written anew since it was opened; refresh() reads it as it is now".to_owned();
            let key = shown_url(self.hosts.own());
            return Err(Error::Store { key, status: None, range: None, reason }.into());
        }
        Ok(Rc::clone(&self.listing.borrow()))
    }

    async fn find(&self, request: &Request, urgency: Urgency) -> JsResult<Found> {
        let listing = self.listing()?;
        let (mut told, mut rounds) = (Vec::new(), Rounds::default());
        loop {
            match listing.find(&request.key).map_err(|error| self.blame(error))? {
                Resolution::Needs(needs) => told = self.tell(&listing, needs, urgency, &mut rounds).await?,
                Resolution::Place(place) => {
                    let found = self.at(place, request)?;
                    let Found::There(_, request) = &found else { return Ok(found) };
                    return Ok(told.iter().find_map(|told| told.part(request)).map_or(found, Found::Here));
                }
            }
        }
    }

    fn at(&self, place: ByteLocation, request: &Request) -> JsResult<Found> {
        let (url, span) = match place {
            ByteLocation::Missing => return Ok(Found::Missing),
            ByteLocation::Inline(bytes) => {
                let bytes = Uint8Array::new_from_slice(&bytes);
                let part = request.range.of_length(bytes.length().into());
                let part = part.ok_or_else(|| self.short(request, bytes.length().into()))?;
                return Ok(Found::Here(subarray(&bytes, part)));
            }
            ByteLocation::File { url, span } => (url, span),
        };
        let url = self.hosts.address(&url, &request.key)?;
        let length = span.as_ref().map_or(0, |span| span.end - span.start);
        let part = ByteLocation::part(url.href(), span.as_ref(), &request.range);
        let part = part.ok_or_else(|| self.short(request, length))?;
        Ok(Found::There(self.hosts.engine(&url)?, part))
    }

    /// That a value is shorter than what is asked of it.
    fn short(&self, request: &Request, length: u64) -> JsValue {
        let reason = format!("the list gives it {length} bytes, fewer than its index says");
        let key = self.describe(&request.key);
        Error::Store { key, status: None, range: None, reason }.into()
    }
}

impl VirtualSource for System {
    fn describe(&self, path: &str) -> String {
        self.hosts.describe(path)
    }

    fn want<'a>(
        &'a self,
        asked: (&'a Request, u64),
        turn: &'a RefCell<Turn>,
        ticket: &'a Ticket,
    ) -> Work<'a, Option<Bytes>> {
        Box::pin(self.asked(asked, turn, ticket, !self.format.is_written_in_place()))
    }

    fn get<'a>(&'a self, request: &'a Request, most: u64) -> Work<'a, Option<Bytes>> {
        Box::pin(async move {
            self.asked((request, most), &RefCell::default(), &Ticket::new(Urgency::Now), false).await
        })
    }

    fn requests(&self, request: &Request) -> JsResult<Vec<Request>> {
        match self.listing()?.find(&request.key).map_err(|error| self.blame(error))? {
            Resolution::Needs(needs) => {
                needs.iter().map(|need| self.request_of(need).map(|(_, request)| request)).collect()
            }
            Resolution::Place(place) => Ok(match self.at(place, request)? {
                Found::There(_, request) => vec![request],
                _ => Vec::new(),
            }),
        }
    }

    fn epoch(&self) -> u64 {
        self.hosts.epoch() + self.round.get()
    }

    fn refresh<'a>(&'a self, signal: &'a AbortSignal) -> Work<'a, ()> {
        Box::pin(async move {
            self.hosts.refresh(signal).await?;
            self.round.set(self.round.get() + 1);
            let listing = Rc::new(self.listing.borrow().anew()?);
            self.begin(&listing).await?;
            self.hosts_epoch.set(self.hosts.epoch());
            self.listing.replace(listing);
            Ok(())
        })
    }

    fn answer<'a>(&'a self, question: &'a str) -> Work<'a, JsValue> {
        Box::pin(async move {
            let listing = Rc::clone(&self.listing.borrow());
            let mut rounds = Rounds::default();
            loop {
                match listing.answer(question).map_err(|error| self.blame(error))? {
                    Resolution::Needs(needs) => {
                        drop(self.tell(&listing, needs, Urgency::Now, &mut rounds).await?)
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
