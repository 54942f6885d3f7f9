//! Opening by address: the source becomes a store, what is found there an array or a group.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::JsResult;
use super::abort::Cancellation;
use super::array::RectilinearArray;
use super::engine::Engine;
use super::group::Group;
use super::kept::Kept;
use super::options::{MemberOptions, OpenOptions};
use super::probe::Probe;
use super::reader::Reader;
use super::store::Store;
use super::workers::Wish;
use crate::metadata::{ArrayMetadata, Proposal};
use crate::read::Array;
use crate::source::normalise_path;

/// What `RectilinearArray.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openArray, skip_typescript)]
pub async fn open_array(source: JsValue, options: JsValue) -> JsResult<RectilinearArray> {
    let opening = Opening::new(&source, &options)?;
    let signal = opening.cancellation.signal();
    let probe = Probe::new(opening.engine.store(), &opening.path, opening.zarr_format, &signal);
    let (metadata, key) = opening.cancellation.run(probe.array(&[])).await?;
    opening.reading.array(&opening.engine, metadata, &opening.path, &key)
}

/// What `Group.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openGroup, skip_typescript)]
pub async fn open_group(source: JsValue, options: JsValue) -> JsResult<Group> {
    let opening = Opening::new(&source, &options)?;
    let signal = opening.cancellation.signal();
    let probe = Probe::new(opening.engine.store(), &opening.path, opening.zarr_format, &signal);
    let (metadata, key) = opening.cancellation.run(probe.group(&[])).await?;
    Ok(Group::new(opening.engine, opening.reading, opening.path, metadata, key))
}

/// What both are asked.
struct Opening {
    engine: Rc<Engine>,
    reading: Reading,
    path: String,
    zarr_format: Option<u8>,
    cancellation: Cancellation,
}

impl Opening {
    fn new(source: &JsValue, options: &JsValue) -> JsResult<Self> {
        let options = OpenOptions::parse(options)?;
        let path = normalise_path(&options.path)?;
        let store = Rc::new(Store::new(source, options.http, options.on_request)?);
        let concurrency = usize::try_from(options.concurrency).unwrap_or(usize::MAX);
        Ok(Self {
            engine: Engine::new(store, concurrency, options.joining),
            reading: Reading {
                kept: Kept::new(options.cache_bytes),
                max_chunk_bytes: options.max_chunk_bytes,
                proposals: options.proposals,
                workers: options.workers,
            },
            path,
            zarr_format: options.zarr_format,
            cancellation: Cancellation::new(options.signal)?,
        })
    }
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
    pub(super) fn array(
        self,
        engine: &Rc<Engine>,
        metadata: ArrayMetadata,
        path: &str,
        key: &str,
    ) -> JsResult<RectilinearArray> {
        let array = self.over(metadata, path, key)?;
        Ok(RectilinearArray::new(array, Rc::clone(engine), self))
    }

    /// An array that was opened before, from its own document as it is now.
    pub(super) async fn again(&self, reader: &Reader, signal: &AbortSignal) -> JsResult<Array> {
        let (store, path) = (reader.engine.store(), reader.array.keys.path());
        store.refresh().await;
        let probe = Probe::new(store, path, Some(reader.array.metadata.zarr_format), signal);
        let (metadata, key) = probe.array(&[]).await?;
        self.over(metadata, path, &key)
    }

    fn over(&self, metadata: ArrayMetadata, path: &str, key: &str) -> JsResult<Array> {
        let array = Array::new(metadata.accepting(&self.proposals), path, self.max_chunk_bytes);
        Ok(array.map_err(|error| error.in_document(key))?)
    }
}
