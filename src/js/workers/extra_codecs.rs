//! The package's second module, `rare`, with rarely used codecs. It is loaded when the first such array is opened.
//!
//! Invariant: opening an array waits until the module has checked its codecs, so reads never wait for the module.

use std::rc::{Rc, Weak};

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::decoded_chunk::{Answers, Done};
use super::job_batch::{PackedJob, message, unpacked};
use crate::error::Result;
use crate::js::JsResult;
use crate::js::support::modules::{lost, module};
use crate::read::{Array, Job};

#[wasm_bindgen]
extern "C" {
    /// Exports of the module's JavaScript glue.
    #[derive(Clone)]
    type Module;

    #[wasm_bindgen(method, catch, js_name = supportReply)]
    fn support_reply(this: &Module, query: &[u8]) -> JsResult<Uint8Array>;

    #[wasm_bindgen(method, catch, js_name = decodeParcel)]
    fn decode_parcel(this: &Module, parcel: &Uint8Array) -> JsResult<Uint8Array>;
}

/// Bytes for the numbers in a batch's head, beside its description and its job.
const HEAD_ROOM: usize = 256;

/// The second module, with the description of one array.
#[derive(Clone)]
pub(crate) struct ExtraCodecsModule {
    module: Module,
    description: Rc<Vec<u8>>,
}

impl ExtraCodecsModule {
    /// Loads the module for an array; `None` where this module decodes the array itself.
    pub(crate) async fn for_array(array: &Array, key: &str) -> JsResult<Option<Self>> {
        if !array.is_external() {
            return Ok(None);
        }
        let module: Module = module("rare").await?;
        let reply = module.support_reply(&array.support_query())?;
        for (answer, _) in unpacked(&reply).ok_or_else(|| JsValue::from(lost()))? {
            answer.map_err(|error| error.in_document(key))?;
        }
        Ok(Some(Self { module, description: Rc::new(array.description()) }))
    }

    /// Decodes a job in the second module.
    pub(crate) fn decode(&self, job: Job<'_>, encoded: &Uint8Array) -> Done {
        let packed = PackedJob::new(&self.description, job, encoded);
        // Room for the bytes and a head of a few numbers. Buffers are not pooled, because jobs are few.
        let head = u32::try_from(self.description.len() + packed.job.len() + HEAD_ROOM).unwrap_or(u32::MAX);
        let buffer = Uint8Array::new_with_length(encoded.length().saturating_add(head));
        let parcel = message(&[&packed], Some(buffer));
        let answers = parcel.and_then(|parcel| self.module.decode_parcel(&parcel).ok());
        let answers = answers.ok_or_else(lost)?;
        let first: Option<(Result<_>, u32)> = unpacked(&answers).and_then(|found| found.into_iter().next());
        let (answer, at) = first.ok_or_else(lost)?;
        Ok(Answers::new(&answers, Weak::new()).content(at, answer?))
    }
}
