//! Opening by address: the source becomes a store, what is found there an array or a group.

use std::rc::Rc;

use js_sys::TypeError;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::JsResult;
use super::abort::Cancellation;
use super::address::address;
use super::array::RectilinearArray;
use super::engine::Engine;
use super::group::Group;
use super::kept::Kept;
use super::network::Network;
use super::options::{MemberOptions, OpenOptions};
use super::probe::Probe;
use super::rare::Rare;
use super::reader::Reader;
use super::store::{Store, address_of};
use super::system::System;
use super::workers::Wish;
use crate::metadata::{ArrayMetadata, Proposal};
use crate::read::Array;
use crate::source::{Format, normalise_path};

/// What `RectilinearArray.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openArray, skip_typescript)]
pub async fn open_array(source: JsValue, options: JsValue) -> JsResult<RectilinearArray> {
    let (options, cancellation) = asked(&options)?;
    let signal = cancellation.signal();
    let work = async {
        let Opened { engine, reading, path, zarr_format } = Opened::at(&source, options).await?;
        let probe = Probe::new(engine.store(), &path, zarr_format, &signal);
        let (metadata, key) = probe.array(&[]).await?;
        reading.array(&engine, metadata, &path, &key).await
    };
    cancellation.run(work).await
}

/// What `Group.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openGroup, skip_typescript)]
pub async fn open_group(source: JsValue, options: JsValue) -> JsResult<Group> {
    let (options, cancellation) = asked(&options)?;
    let signal = cancellation.signal();
    let work = async {
        let Opened { engine, reading, path, zarr_format } = Opened::at(&source, options).await?;
        let probe = Probe::new(engine.store(), &path, zarr_format, &signal);
        let (metadata, key) = probe.group(&[]).await?;
        Ok(Group::new(engine, reading, path, metadata, key))
    };
    cancellation.run(work).await
}

/// What both are asked, and what ends it.
fn asked(options: &JsValue) -> JsResult<(OpenOptions, Cancellation)> {
    let mut options = OpenOptions::parse(options)?;
    let cancellation = Cancellation::new(options.signal.take())?;
    Ok((options, cancellation))
}

/// A source, and how what is in it is read.
struct Opened {
    engine: Rc<Engine>,
    reading: Reading,
    path: String,
    zarr_format: Option<u8>,
}

impl Opened {
    async fn at(source: &JsValue, options: OpenOptions) -> JsResult<Self> {
        let path = normalise_path(&options.path)?;
        let (concurrency, joining) = (options.network.concurrency, options.network.joining);
        let store = store(source, options.format, options.network).await?;
        Ok(Self {
            engine: Engine::new(Rc::new(store), concurrency, joining),
            reading: Reading {
                kept: Kept::new(options.cache_bytes),
                max_chunk_bytes: options.max_chunk_bytes,
                proposals: options.proposals,
                workers: options.workers,
            },
            path,
            zarr_format: options.zarr_format,
        })
    }
}

/// The store that a source is. At an address that ends like a document there may be a list: it is looked at first,
/// and where it is none, the address is that of a plain hierarchy.
async fn store(source: &JsValue, format: Option<Format>, network: Network) -> JsResult<Store> {
    let url = address_of(source).map(|url| address(&url)).transpose()?;
    match (format, url) {
        (None, Some(url)) => {
            if let Some(likely) = Format::likely_at(&url.pathname())
                && let Some(system) = System::look(likely, url, network.clone()).await?
            {
                return Ok(Store::listed(system));
            }
        }
        (None | Some(Format::Zarr), _) => {}
        (Some(format), Some(url)) => return Ok(Store::listed(System::open(format, url, network).await?)),
        (Some(format), None) => {
            return Err(TypeError::new(&format!("{} is opened by its URL", format.name())).into());
        }
    }
    Store::new(source, network.http, network.on_request)
}

/// How one array is read: the part of the options that a member of a group may have of its own.
#[derive(Clone)]
pub(super) struct Reading {
    pub(super) kept: Kept,
    max_chunk_bytes: u64,
    proposals: Vec<Proposal>,
    pub(super) workers: Wish,
}

impl Reading {
    /// The same, but for what a member is opened with.
    pub(super) fn overridden(&self, options: &MemberOptions) -> Self {
        Self {
            kept: options.cache_bytes.map_or_else(|| self.kept.clone(), |bytes| self.kept.apart(bytes)),
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
        Ok(RectilinearArray::new(array, rare, Rc::clone(engine), self))
    }

    /// An array that was opened before, from its own document as it is now.
    pub(super) async fn again(
        &self,
        reader: &Reader,
        signal: &AbortSignal,
    ) -> JsResult<(Array, Option<Rare>)> {
        let (store, path) = (reader.engine.store(), reader.array.keys.path());
        store.refresh(signal).await?;
        let probe = Probe::new(store, path, Some(reader.array.metadata.zarr_format), signal);
        let (metadata, key) = probe.array(&[]).await?;
        self.over(metadata, path, &key).await
    }

    async fn over(&self, metadata: ArrayMetadata, path: &str, key: &str) -> JsResult<(Array, Option<Rare>)> {
        let array = Array::new(metadata.accepting(&self.proposals), path, self.max_chunk_bytes);
        let array = array.map_err(|error| error.in_document(key))?;
        let rare = Rare::for_array(&array, key).await?;
        Ok((array, rare))
    }
}
