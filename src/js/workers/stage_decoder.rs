//! Decoding of arrays whose codecs are in several modules. The modules are loaded when the first such array is opened.
//!
//! Invariant: opening an array waits until its modules have checked their codecs, so reads never wait for a module.

use std::rc::{Rc, Weak};

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::custom_codecs::CustomCodecs;
use super::decoded_chunk::{Answers, DecodedChunk, Done};
use super::parcels::{ArrayDescription, PackedJob, message, unpacked};
use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::{field, set};
use crate::js::support::loading::{lost, module};
use crate::parts::{Calls, Loaded};
use crate::read::{Array, Job, Task};

#[wasm_bindgen]
extern "C" {
    /// Opener of the modules for an array's stages (`codec-modules.js`).
    type StageOpener;

    /// Loads the modules of a query, beside custom codecs; the promise is of a [`StageRunner`].
    #[wasm_bindgen(method, catch)]
    fn open(
        this: &StageOpener,
        query: &[u8],
        is_rare: bool,
        custom: Option<&CustomCodecs>,
    ) -> JsResult<Promise>;

    /// The modules of one array, and the function that decodes with them.
    #[derive(Clone)]
    type StageRunner;

    /// Answers of the modules to the query: none where they have the codecs, else one error.
    #[wasm_bindgen(method, getter)]
    fn reply(this: &StageRunner) -> Uint8Array;

    /// Compiled modules by name, for workers, and what they need for custom codecs.
    #[wasm_bindgen(method, getter)]
    fn modules(this: &StageRunner) -> JsValue;

    /// Which workers have the custom codecs: those that import them by their addresses. Undefined where none do.
    #[wasm_bindgen(method, getter)]
    fn start(this: &StageRunner) -> JsValue;

    /// Decodes a batch; returns its packed answers, or a promise of them.
    #[wasm_bindgen(method, catch)]
    fn decode(this: &StageRunner, parcel: &Uint8Array) -> JsResult<JsValue>;
}

/// Bytes for the numbers in a batch's head, beside its description and its job.
const HEAD_ROOM: usize = 256;

/// Decoder of one array's chunks by several modules.
#[derive(Clone)]
pub(crate) struct StageDecoder {
    /// The part that made it, and that decodes by it.
    pub(crate) part: Loaded<Calls>,
    runner: StageRunner,
    description: Rc<ArrayDescription>,
    /// Custom codecs among them.
    pub(crate) custom: Option<CustomCodecs>,
}

/// The packed answers to a job, or a promise of them.
pub(crate) enum StageAnswer {
    Now(Uint8Array),
    Later(Promise),
}

impl StageDecoder {
    /// Loads the modules for an array; `None` where the main module decodes the array itself. The inner error is that of
    /// the modules: they do not support the codecs either, or do not accept their configuration.
    pub(crate) async fn for_array(
        part: Loaded<Calls>,
        array: &Array,
        custom: Option<CustomCodecs>,
    ) -> JsResult<Result<Option<Self>>> {
        if !array.is_external() {
            return Ok(Ok(None));
        }
        let opener: StageOpener = module("stages").await?;
        let opening = opener.open(&array.support_query(), array.pipeline.is_rare(), custom.as_ref())?;
        let runner: StageRunner = JsFuture::from(opening).await?.unchecked_into();
        for (answer, _) in unpacked(&runner.reply()).ok_or_else(|| JsValue::from(lost()))? {
            if let Err(error) = answer {
                return Ok(Err(error));
            }
        }
        Ok(Ok(Some(Self { part, runner, description: ArrayDescription::new(array), custom })))
    }

    /// The compiled modules that workers decode with, and what they need for custom codecs.
    pub(crate) fn modules(&self) -> JsValue {
        self.runner.modules()
    }

    /// Which workers the array needs; undefined for the package's usual ones.
    pub(crate) fn start(&self) -> JsValue {
        self.runner.start()
    }

    /// Decodes a job on this thread.
    pub(crate) fn decode(&self, job: Job<'_>, encoded: &Uint8Array) -> JsResult<StageAnswer> {
        let packed = PackedJob::new(&self.description, job, encoded, None);
        // Room for the bytes and a head of a few numbers. Buffers are not pooled, because jobs are few.
        let head =
            u32::try_from(self.description.bytes.len() + packed.job.len() + HEAD_ROOM).unwrap_or(u32::MAX);
        let buffer = Uint8Array::new_with_length(encoded.length().saturating_add(head));
        let parcel = message(&[&packed], Some(buffer)).ok_or_else(|| JsValue::from(lost()))?;
        let answers = self.runner.decode(&parcel)?;
        Ok(match answers.dyn_into() {
            Ok(promise) => StageAnswer::Later(promise),
            Err(answers) => StageAnswer::Now(answers.unchecked_into()),
        })
    }
}

/// The result in the packed answers to a task's only job. What a custom codec threw goes with the answers, and becomes
/// the cause of the error.
pub(crate) fn done(answers: &Uint8Array, task: &Task) -> JsResult<(DecodedChunk, bool)> {
    content(answers).map_err(|error| {
        let (error, cause) = (JsValue::from(task.blame(error)), field(answers, "cause"));
        if !cause.is_undefined() {
            set(&error, "cause", &cause);
        }
        error
    })
}

fn content(answers: &Uint8Array) -> Done {
    let first = unpacked(answers).and_then(|found| found.into_iter().next());
    let (answer, at) = first.ok_or_else(lost)?;
    Ok(Answers::new(answers, Weak::new()).content(at, answer?))
}
