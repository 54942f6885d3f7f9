//! The settings that an array is opened with, and that a refresh uses again: limits, caches, proposals, workers.

use wasm_bindgen::JsValue;

use super::caches::Caches;
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::items::numbers;
use crate::js::convert::value::json;
use crate::js::options::open_options::MemberOptions;
use crate::js::support::loading::{load, with_parts};
use crate::js::support::work::Work;
use crate::js::workers::array_workers::WorkerOptions;
use crate::js::workers::custom_codecs::CustomCodecs;
use crate::js::workers::stage_decoder::StageDecoder;
use crate::metadata::{ArrayMetadata, Proposal, Value};
use crate::parts::{Calls, Loaded, later};
use crate::read::Array;

/// Settings of one array: the part of the options that a member of a group may have of its own.
#[derive(Clone)]
pub(crate) struct OpenSettings {
    pub(crate) caches: Caches,
    pub(crate) max_chunk_bytes: u64,
    pub(crate) proposals: Vec<Proposal>,
    pub(crate) workers: WorkerOptions,
    /// Registry of custom codecs: an object with a method `get`, or undefined.
    pub(crate) codecs: JsValue,
    /// Whether attributes that are a document of their own are requested.
    pub(crate) attrs: bool,
}

/// Where the metadata document of an array was found.
#[derive(Clone, Copy)]
pub(crate) struct DocumentPlace<'a> {
    /// Path of the array.
    pub(crate) path: &'a str,
    /// Key of the document, which may be that of a group's consolidated metadata.
    pub(crate) key: &'a str,
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
            attrs: options.attrs, // what lies beside a node that does without its own, such as coordinates, may not
        }
    }

    /// The array that metadata describe, and the modules that decode it if the main module lacks
    /// codecs. An array that no module decodes says so when it is read.
    pub(crate) async fn array(
        &self,
        metadata: ArrayMetadata,
        place: DocumentPlace<'_>,
        part_timeout: u64,
    ) -> JsResult<(Array, Option<StageDecoder>)> {
        let in_document = |error: Error| error.in_document(place.key);
        let metadata = metadata.accepting(&self.proposals);
        let made = |metadata: &ArrayMetadata| {
            Array::new(metadata.clone(), place.path, self.max_chunk_bytes).map_err(in_document)
        };
        let mut array = with_parts(part_timeout, || made(&metadata)).await?;
        // The getter of the fill value answers at once, so its parts are loaded here.
        with_parts(part_timeout, || Ok(numbers(&array.metadata.data_type).map(drop)?)).await?;
        let mut stages = None;
        if array.is_external() || CustomCodecs::may_decode(&array.metadata, &self.codecs)? {
            let part = load(part_timeout).await?;
            (array, stages) = with_stages(part, self, array, place, part_timeout).await?;
        }
        array.metadata.refusal = array.metadata.refusal.map(in_document);
        array.metadata.fill_fault = array.metadata.fill_fault.map(in_document);
        Ok((array, stages))
    }
}

/// An array with the modules that decode it beside the main one, those of custom codecs among them.
#[later]
fn with_stages<'a>(
    part: Loaded<Calls>,
    settings: &'a OpenSettings,
    mut array: Array,
    place: DocumentPlace<'a>,
    part_timeout: u64,
) -> Work<'a, (Array, Option<StageDecoder>)> {
    Box::pin(async move {
        let in_document = |error: Error| error.in_document(place.key);
        let document = Value::parse(array.metadata.document.as_bytes()).unwrap_or_default();
        let fill = document.get("fill_value").map_or(JsValue::NULL, json);
        let custom = CustomCodecs::found(&array.metadata, &settings.codecs, &fill).await?;
        if let Some(found) = &custom {
            let metadata = found.placed(array.metadata);
            array = with_parts(part_timeout, || {
                Array::new(metadata.clone(), place.path, settings.max_chunk_bytes).map_err(in_document)
            })
            .await?;
        }
        Ok(match StageDecoder::for_array(part, &array, custom).await? {
            Ok(stages) => (array, stages),
            Err(error) => (array.refusing(error).map_err(in_document)?, None),
        })
    })
}
