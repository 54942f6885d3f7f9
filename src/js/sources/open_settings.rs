//! The settings that an array is opened with, and that a refresh uses again: limits, caches, proposals, workers.

use super::caches::Caches;
use crate::js::JsResult;
use crate::js::options::open_options::MemberOptions;
use crate::js::workers::extra_codecs::ExtraCodecsModule;
use crate::metadata::{ArrayMetadata, Proposal};
use crate::read::{Array, WorkerPolicy};

/// Settings of one array: the part of the options that a member of a group may have of its own.
#[derive(Clone)]
pub(crate) struct OpenSettings {
    pub(crate) caches: Caches,
    pub(crate) max_chunk_bytes: u64,
    pub(crate) proposals: Vec<Proposal>,
    pub(crate) workers: WorkerPolicy,
}

impl OpenSettings {
    /// These settings, overridden by the options that a member is opened with.
    pub(crate) fn overridden(&self, options: &MemberOptions) -> Self {
        Self {
            caches: options.cache_bytes.map_or_else(|| self.caches.clone(), |bytes| self.caches.apart(bytes)),
            max_chunk_bytes: options.max_chunk_bytes.unwrap_or(self.max_chunk_bytes),
            proposals: self.proposals.clone(),
            workers: self.workers,
        }
    }

    /// The array that metadata from the document `key` describe, and the module that decodes it if the main module
    /// lacks codecs.
    pub(crate) async fn array(
        &self,
        metadata: ArrayMetadata,
        path: &str,
        key: &str,
    ) -> JsResult<(Array, Option<ExtraCodecsModule>)> {
        let array = Array::new(metadata.accepting(&self.proposals), path, self.max_chunk_bytes);
        let array = array.map_err(|error| error.in_document(key))?;
        let extra_codecs = ExtraCodecsModule::for_array(&array, key).await?;
        Ok((array, extra_codecs))
    }
}
