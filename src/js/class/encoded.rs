//! The stored bytes of a chunk, as they are: requested, shared and cached like those of every read, and not decoded; and
//! the codecs of others.

use std::rc::Rc;

use js_sys::{Array as List, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::array::RectilinearArray;
use crate::js::JsResult;
use crate::js::convert::option::{flag, signal};
use crate::js::fetch::answer::{Answered, Waiter};
use crate::js::options::selection::coordinates;
use crate::js::sources::array_source::ArraySource;
use crate::js::sources::array_sources::ArraySources;
use crate::js::sources::in_flight::FlightStage;
use crate::js::sources::mailbox::{EventAddress, Mailbox};
use crate::js::sources::read_context::ReadContext;
use crate::js::support::abort::Cancellation;
use crate::js::support::promise::promise;
use crate::read::{MAX_WHOLE_BYTES, Plan, Task, Urgency};
use crate::source::{ChunkLocation, Request};

#[wasm_bindgen]
impl RectilinearArray {
    /// Names of the codecs that codecs of others decode.
    #[wasm_bindgen(getter, js_name = foreignCodecs)]
    pub fn foreign_codecs(&self) -> List {
        let sources = self.sources();
        let chain = sources.all().first().and_then(|source| source.chain.as_ref());
        chain.and_then(|chain| Some(chain.foreign.as_ref()?.names())).unwrap_or_default()
    }

    /// The stored bytes of one chunk of the stored grid, or undefined where nothing is stored.
    #[wasm_bindgen(js_name = getEncoded)]
    pub fn get_encoded(&self, coords: &JsValue, options: &JsValue) -> Promise {
        let sources = self.sources();
        let coords = coordinates(coords, sources.array.metadata.shape.len());
        let (signal, copy) = (signal(options), flag(options, "copy"));
        promise(async move {
            let (coords, cancellation) = (coords?, Cancellation::new(signal?)?);
            let is_copied = copy?.unwrap_or(true);
            let plan = sources.array.plan_chunk(&coords)?;
            let bytes = cancellation.run(encoded(&sources, &plan, is_copied)).await?;
            Ok(bytes.map_or(JsValue::UNDEFINED, JsValue::from))
        })
    }
}

/// The stored bytes of a plan's only chunk: a copy, or, unless `is_copied`, those that a store in memory holds. Others
/// may be in the cache, or shared with a read.
async fn encoded(sources: &ArraySources, plan: &Plan<'_>, is_copied: bool) -> JsResult<Option<Uint8Array>> {
    let Some(task) = plan.tasks().next().transpose()? else { return Ok(None) };
    let source = sources.of(&task);
    let ChunkLocation::Stored(request) = &task.location else { return Ok(None) };
    if source.kept(&task).is_some_and(|chunk| chunk.is_none()) {
        return Ok(None);
    }
    if let Some(bytes) = source.kept_bytes(&task) {
        return Ok(Some(copy(&bytes)));
    }
    let context = ReadContext::new(Urgency::Now, sources.admission(plan));
    let answered = match stored(source, &task, request, &context).await {
        Ok(Some(answered)) if answered.is_whole => source.cut(request, &answered).map(Some),
        found => found,
    };
    let Some(answered) = answered.map_err(|error| sources.blame(task.array, error))? else {
        source.keep_missing(&task, context.admission);
        return Ok(None);
    };
    source.keep_stored(&task, &answered.bytes, context.admission, false);
    let bytes = answered.bytes.array();
    let is_copied = is_copied || !source.driver.store().is_memory();
    Ok(Some(if is_copied { copy(&bytes) } else { bytes }))
}

/// Requests a task's bytes, or takes them from a request that another read sent.
async fn stored(
    source: &ArraySource,
    task: &Task,
    request: &Request,
    context: &ReadContext,
) -> JsResult<Option<Answered>> {
    // A chunk that is too large to decode is given too.
    let most = if task.is_too_large { MAX_WHOLE_BYTES } else { source.array.most_stored(task) };
    let send = |waiter: Waiter| source.driver.ask((request, most), context.urgency, &context.turn, waiter);
    let mailbox = Rc::<Mailbox>::default();
    let address = EventAddress { mailbox: Rc::clone(&mailbox), number: 0 };
    let flight = source.chunk_flights.get(source.identity(task), (request, context), address, &send);
    loop {
        match &*flight.stage() {
            FlightStage::Asked => {}
            FlightStage::Failed(error) => return Err(error.clone()),
            FlightStage::Stored(found) => return Ok(found.clone()),
            FlightStage::Decoding(answered, _) | FlightStage::Decoded(answered, ..) => {
                return Ok(Some(answered.clone()));
            }
        }
        mailbox.filled().await;
        mailbox.take();
    }
}

/// A copy of bytes; of none, where their owner detached the buffer.
fn copy(bytes: &Uint8Array) -> Uint8Array {
    if bytes.length() == 0 { Uint8Array::new_with_length(0) } else { Uint8Array::new(bytes) }
}
