//! The stored bytes of a chunk, as they are: requested, shared and cached like those of every read, and not decoded.

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use crate::error::Result;
use crate::js::JsResult;
use crate::js::chunks::in_flight::{EventAddress, FlightStage, Mailbox, ReadContext};
use crate::js::chunks::sources::{ChunkSource, JoinedSources};
use crate::js::stores::request::{Answered, BoundedRequest, Waiter};
use crate::js::support::work::Work;
use crate::network::{Request, Urgency};
use crate::parts::{Calls, Loaded, later};
use crate::read::{ChunkLocation, MAX_WHOLE_BYTES, Task};

/// The stored bytes of the chunk: a copy, or, unless `copy` is set, those that a store in memory holds. Others may be in
/// the cache, or shared with a read.
#[later]
pub(super) fn encoded(
    _: Loaded<Calls>,
    sources: Rc<JoinedSources>,
    coords: Result<Vec<u64>>,
    copy: JsResult<Option<bool>>,
) -> Work<'static, JsValue> {
    Box::pin(async move {
        let (coords, is_copied) = (coords?, copy?.unwrap_or(true));
        let plan = sources.array.plan_chunk(&coords)?;
        let Some(task) = plan.tasks().next().transpose()? else { return Ok(JsValue::UNDEFINED) };
        let source = sources.of(&task);
        let ChunkLocation::Stored(request) = &task.location else { return Ok(JsValue::UNDEFINED) };
        if source.cached(&task).is_some_and(|chunk| chunk.is_none()) {
            return Ok(JsValue::UNDEFINED);
        }
        if let Some(bytes) = source.cached_bytes(&task) {
            return Ok(copied(&bytes).into());
        }
        let context = ReadContext::new(Urgency::Now, sources.admission(&plan));
        let answered = match stored(source, &task, request, &context).await {
            Ok(Some(answered)) if answered.is_whole => source.cut(request, &answered).map(Some),
            found => found,
        };
        let Some(answered) = answered.map_err(|error| sources.blame(task.array, error))? else {
            source.cache_missing(&task, context.admission);
            return Ok(JsValue::UNDEFINED);
        };
        source.cache_stored(&task, &answered.bytes, context.admission, false);
        let bytes = answered.bytes.array();
        let is_copied = is_copied || !source.driver.store().is_memory();
        Ok(if is_copied { copied(&bytes) } else { bytes }.into())
    })
}

/// Requests a task's bytes, or takes them from a request that another read sent.
async fn stored(
    source: &ChunkSource,
    task: &Task,
    request: &Request,
    context: &ReadContext,
) -> JsResult<Option<Answered>> {
    // A chunk that is too large to decode is given too.
    let most = if task.is_too_large { MAX_WHOLE_BYTES } else { source.array.most_stored(task) };
    let asked = BoundedRequest { request, most };
    let send = |waiter: Waiter| source.driver.ask(asked, context.urgency, &context.turn, waiter);
    let mailbox = Rc::<Mailbox>::default();
    let address = EventAddress { mailbox: Rc::clone(&mailbox), number: 0 };
    let flight = source.chunk_flights.get(source.identity(task), request, context, address, &send);
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
fn copied(bytes: &Uint8Array) -> Uint8Array {
    if bytes.length() == 0 { Uint8Array::new_with_length(0) } else { Uint8Array::new(bytes) }
}
