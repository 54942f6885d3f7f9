//! Opening: the source becomes a store, the metadata document an array.

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::JsResult;
use super::abort::Cancellation;
use super::array::RectilinearArray;
use super::engine::Engine;
use super::options::OpenOptions;
use super::store::{Bytes, Store};
use crate::error::Error;
use crate::metadata::Json;
use crate::read::Array;
use crate::source::{ByteRange, Request, metadata_key, normalise_path};

/// What `RectilinearArray.open` calls once the module is compiled.
#[wasm_bindgen(js_name = openArray, skip_typescript)]
pub async fn open_array(source: JsValue, options: JsValue) -> JsResult<RectilinearArray> {
    let options = OpenOptions::parse(&options)?;
    let path = normalise_path(&options.path)?;
    let store = Rc::new(Store::new(&source, options.http, options.on_request)?);
    let cancellation = Cancellation::new(options.signal)?;
    let signal = cancellation.signal();
    let document = cancellation.run(metadata(&store, &path, &signal)).await?;
    Json::check_length(document.length() as usize)
        .map_err(|error| error.in_document(&metadata_key(&path)))?;
    let array = Array::parse(&document.to_vec(), &path, options.max_chunk_bytes)?;
    let concurrency = usize::try_from(options.concurrency).unwrap_or(usize::MAX);
    let engine = Engine::new(store, concurrency, options.joining);
    Ok(RectilinearArray::new(array, engine, options.cache_bytes))
}

async fn metadata(store: &Store, path: &str, signal: &AbortSignal) -> JsResult<Uint8Array> {
    let key = metadata_key(path);
    let request = Request { key, range: ByteRange::All };
    if let Some(Bytes::Asked(document) | Bytes::Whole(document)) = store.get(&request, signal).await? {
        return Ok(document);
    }
    Err({
        let hint = "check the path, and that it names an array and not the folder above it".to_owned();
        Error::NotFound { path: store.describe(path), tried: vec![store.describe(&request.key)], hint }.into()
    })
}
