//! The settings that an array is opened with, and that a refresh uses again: limits, caches, proposals, workers.

use js_sys::Function;
use wasm_bindgen::JsValue;

use super::caches::Caches;
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::json;
use crate::js::options::open_options::MemberOptions;
use crate::js::workers::chain_decoder::ChainDecoder;
use crate::js::workers::foreign_codecs::ForeignCodecs;
use crate::metadata::{ArrayMetadata, Proposal, Value};
use crate::read::{Array, WorkerPolicy};

/// Settings of one array: the part of the options that a member of a group may have of its own.
#[derive(Clone)]
pub(crate) struct OpenSettings {
    pub(crate) caches: Caches,
    pub(crate) max_chunk_bytes: u64,
    pub(crate) proposals: Vec<Proposal>,
    /// How many workers there are, and the caller's function that starts one.
    pub(crate) workers: (WorkerPolicy, Option<Function>),
    /// Registry of codecs of others: an object with a method `get`, or undefined.
    pub(crate) codecs: JsValue,
}

impl OpenSettings {
    /// These settings, overridden by the options that a member is opened with.
    pub(crate) fn overridden(&self, options: &MemberOptions) -> Self {
        Self {
            caches: options.cache_bytes.map_or_else(|| self.caches.clone(), |bytes| self.caches.apart(bytes)),
            max_chunk_bytes: options.max_chunk_bytes.unwrap_or(self.max_chunk_bytes),
            proposals: self.proposals.clone(),
            workers: self.workers.clone(),
            codecs: self.codecs.clone(),
        }
    }

    /// The array that metadata from the document `key` describe, and the modules that decode it if the main module lacks
    /// codecs. An array that no module decodes says so when it is read.
    pub(crate) async fn array(
        &self,
        metadata: ArrayMetadata,
        path: &str,
        key: &str,
    ) -> JsResult<(Array, Option<ChainDecoder>)> {
        let array = Array::new(metadata.accepting(&self.proposals), path, self.max_chunk_bytes);
        let in_document = |error: Error| error.in_document(key);
        let mut array = array.map_err(in_document)?;
        let document = Value::parse(array.metadata.document.as_bytes()).unwrap_or_default();
        let fill = document.get("fill_value").map_or(JsValue::NULL, json);
        let foreign = ForeignCodecs::found(&array.metadata, &self.codecs, &fill).await?;
        if let Some(found) = &foreign {
            let array_again = Array::new(found.placed(array.metadata), path, self.max_chunk_bytes);
            array = array_again.map_err(in_document)?;
        }
        let chain = match ChainDecoder::for_array(&array, foreign).await? {
            Ok(chain) => chain,
            Err(error) => {
                array = array.refusing(error).map_err(in_document)?;
                None
            }
        };
        array.metadata.refusal = array.metadata.refusal.map(in_document);
        Ok((array, chain))
    }
}
