//! Opening by address: the source becomes a store, what is found there an array or a group.

use std::rc::Rc;

use js_sys::{Object, Promise, TypeError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{AbortSignal, Url};

use super::JsResult;
use super::abort::Cancellation;
use super::address::address;
use super::array::RectilinearArray;
use super::caches::Caches;
use super::engine::Engine;
use super::family::Family;
use super::group::Group;
use super::network::Network;
use super::options::{MemberOptions, OpenOptions};
use super::probe::Probe;
use super::promise::promise;
use super::rare::Rare;
use super::reader::Reader;
use super::readers::Readers;
use super::store::{Bytes, Store, address_of};
use super::store_bytes::copied;
use super::system::System;
use super::value::field;
use crate::metadata::{ArrayMetadata, MAX_METADATA_BYTES, Proposal};
use crate::read::{Array, WorkerPolicy};
use crate::source::{ByteRange, Format, MARKS, Request, normalise_path};

/// What `RectilinearArray.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openArray, skip_typescript)]
pub fn open_array(source: JsValue, options: JsValue) -> Promise {
    promise(async move {
        let (options, cancellation) = asked(&options)?;
        let signal = cancellation.signal();
        let work = async {
            let (opened, (metadata, key)) =
                found(&source, options, &signal, async |probe: Probe<'_>| probe.array(&[]).await).await?;
            let Opened { engine, reading, path, .. } = opened;
            let around = Family::around(&engine, &reading, metadata.zarr_format);
            Ok(reading.array(&engine, metadata, &path, &key).await?.beside(around))
        };
        cancellation.run(work).await.map(JsValue::from)
    })
}

/// What `Group.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openGroup, skip_typescript)]
pub fn open_group(source: JsValue, options: JsValue) -> Promise {
    promise(async move {
        let (options, cancellation) = asked(&options)?;
        let signal = cancellation.signal();
        let work = async {
            let (opened, (metadata, key)) =
                found(&source, options, &signal, async |probe: Probe<'_>| probe.group(&[]).await).await?;
            Ok(Group::new(opened.engine, opened.reading, opened.path, metadata, key))
        };
        cancellation.run(work).await.map(JsValue::from)
    })
}

/// What both are asked, and what ends it.
fn asked(options: &JsValue) -> JsResult<(OpenOptions, Cancellation)> {
    let mut options = OpenOptions::parse(options)?;
    let cancellation = Cancellation::new(options.signal.take())?;
    Ok((options, cancellation))
}

/// What is looked for in a source; where it is not there, in the system that is at its address instead, if one is.
async fn found<T>(
    source: &JsValue,
    options: OpenOptions,
    signal: &AbortSignal,
    look: impl AsyncFn(Probe<'_>) -> JsResult<T>,
) -> JsResult<(Opened, T)> {
    let mut opened = Opened::at(source, options).await?;
    loop {
        match look(opened.probe(signal)).await {
            Ok(found) => return Ok((opened, found)),
            Err(error) => opened.change(error, signal).await?,
        }
    }
}

/// A source, and how what is in it is read.
struct Opened {
    engine: Rc<Engine>,
    reading: Reading,
    path: String,
    zarr_format: Option<u8>,
    network: Network,
    /// A system, or another host, that may be at the address.
    other: Other,
}

/// A candidate at an address where nothing of Zarr is.
enum Other {
    Nothing,
    /// Nobody looked yet whether a system is there; its options.
    Unknown(Url, Object),
    /// A document that should tell of a system and cannot be read.
    Unreadable(JsValue),
}

impl Opened {
    async fn at(source: &JsValue, options: OpenOptions) -> JsResult<Self> {
        let path = normalise_path(&options.path)?;
        let network = options.network;
        let (store, other) = store(source, options.format, options.system, &network).await?;
        Ok(Self {
            engine: engine(store, &network),
            reading: Reading {
                caches: Caches::new(options.cache_bytes),
                max_chunk_bytes: options.max_chunk_bytes,
                proposals: options.proposals,
                workers: options.workers,
            },
            path,
            zarr_format: options.zarr_format,
            network,
            other,
        })
    }

    fn probe<'a>(&'a self, signal: &'a AbortSignal) -> Probe<'a> {
        Probe::new(self.engine.store(), &self.path, self.zarr_format, signal)
    }

    /// Becomes what is at the address instead, where nothing of Zarr is and one file tells of a system; else the error
    /// stays, or tells of the document that could not be read.
    async fn change(&mut self, error: JsValue, signal: &AbortSignal) -> JsResult<()> {
        if field(&error, "name") != "NotFoundError" {
            return Err(error);
        }
        let (url, options) = match std::mem::replace(&mut self.other, Other::Nothing) {
            Other::Unknown(url, options) => (url, options),
            Other::Unreadable(reason) => return Err(reason),
            Other::Nothing => return Err(error),
        };
        for (key, mark, format) in MARKS {
            let request = Request { key: key.to_owned(), range: ByteRange::Span(0..mark.len() as u64) };
            let start = self.engine.store().get(&request, MAX_METADATA_BYTES as u64, signal).await;
            if let Ok(Some(Bytes::Asked(start) | Bytes::Whole(start))) = start
                && copied(&start).starts_with(mark)
            {
                let system = System::open(format, &options, url, self.network.clone()).await?;
                self.engine = engine(Store::listed(system), &self.network);
                return Ok(());
            }
        }
        Err(error)
    }
}

fn engine(store: Store, network: &Network) -> Rc<Engine> {
    Engine::new(Rc::new(store), network.concurrency, network.joining)
}

/// The store that a source is, and what else may be at its address. At an address that ends as a list's does
/// there may be one: it is looked at first, and where it is none, the address is that of a plain hierarchy.
async fn store(
    source: &JsValue,
    format: Option<Format>,
    system: Object,
    network: &Network,
) -> JsResult<(Store, Other)> {
    let url = address_of(source).map(|url| address(&url)).transpose()?;
    let mut other = Other::Nothing;
    match (format, url) {
        (None, Some(url)) => match Format::likely_at(&url.pathname()) {
            Some(likely) => match System::look(likely, &system, url, network.clone()).await? {
                Ok(system) => return Ok((Store::listed(system), Other::Nothing)),
                Err(reason) => other = reason.map_or(Other::Nothing, Other::Unreadable),
            },
            None => other = Other::Unknown(url, system),
        },
        (None | Some(Format::Zarr), _) => {}
        (Some(format), Some(url)) => {
            let system = System::open(format, &system, url, network.clone()).await?;
            return Ok((Store::listed(system), Other::Nothing));
        }
        (Some(format), None) => {
            return Err(TypeError::new(&format!("{} is opened by its URL", format.name())).into());
        }
    }
    Ok((Store::new(source, network.http.clone(), network.on_request.clone())?, other))
}

/// How one array is read: the part of the options that a member of a group may have of its own.
#[derive(Clone)]
pub(super) struct Reading {
    pub(super) caches: Caches,
    max_chunk_bytes: u64,
    proposals: Vec<Proposal>,
    pub(super) workers: WorkerPolicy,
}

impl Reading {
    /// The same, but for what a member is opened with.
    pub(super) fn overridden(&self, options: &MemberOptions) -> Self {
        Self {
            caches: options.cache_bytes.map_or_else(|| self.caches.clone(), |bytes| self.caches.apart(bytes)),
            max_chunk_bytes: options.max_chunk_bytes.unwrap_or(self.max_chunk_bytes),
            proposals: self.proposals.clone(),
            workers: self.workers,
        }
    }

    /// An array from its metadata, which were read in the document `key`.
    pub(super) async fn array(
        self,
        engine: &Rc<Engine>,
        metadata: ArrayMetadata,
        path: &str,
        key: &str,
    ) -> JsResult<RectilinearArray> {
        let (array, rare) = self.over(metadata, path, key).await?;
        let reader = Reader::new(Rc::clone(engine), array, self, rare);
        Ok(RectilinearArray::new(Readers::of_one(reader)))
    }

    /// An array that was opened before, from its own document as it is now.
    pub(super) async fn again(reader: &Reader, signal: &AbortSignal) -> JsResult<Rc<Reader>> {
        let (store, path) = (reader.engine.store(), reader.array.keys.path());
        let probe = Probe::new(store, path, Some(reader.array.metadata.zarr_format), signal);
        let (metadata, key) = probe.array(&[]).await?;
        let (array, rare) = reader.reading.over(metadata, path, &key).await?;
        Ok(Reader::new(Rc::clone(&reader.engine), array, reader.reading.clone(), rare))
    }

    async fn over(&self, metadata: ArrayMetadata, path: &str, key: &str) -> JsResult<(Array, Option<Rare>)> {
        let array = Array::new(metadata.accepting(&self.proposals), path, self.max_chunk_bytes);
        let array = array.map_err(|error| error.in_document(key))?;
        let rare = Rare::for_array(&array, key).await?;
        Ok((array, rare))
    }
}
