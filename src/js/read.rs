//! A read: the chunks of a plan put in place as they come, and reported.

use std::rc::Rc;

use futures_util::StreamExt;
use js_sys::{Function, Object};
use wasm_bindgen::JsValue;

use super::JsResult;
use super::arrivals::{Order, arrivals};
use super::at_hand::AtHand;
use super::options::GetOptions;
use super::reader::{Caller, Reader};
use super::region::region;
use super::timer::Breath;
use super::value::{number, object};
use crate::read::{Output, Plan, Urgency};

/// The region that the plan describes. The first failure ends it; what nobody else waits for is dropped with it.
pub(super) async fn read(reader: &Rc<Reader>, plan: &Plan<'_>, options: &GetOptions) -> JsResult<Object> {
    let mut output = Output::new(plan)?;
    let mut progress = Progress::new(plan, options.on_progress.as_ref());
    if let Some(map) = reader.engine.store().map() {
        AtHand::new(reader, map).put(plan, &mut output, &mut progress).await?;
    } else {
        let caller = Caller::new(Urgency::Now);
        let mut coming = std::pin::pin!(arrivals(reader, plan, &caller, options.order));
        let mut breath = Breath::new();
        while let Some(arrival) = coming.next().await {
            let arrival = arrival?;
            output.put(&arrival.task, arrival.chunk.as_ref().as_ref())?;
            progress.add(arrival.chunks, arrival.bytes)?;
            breath.take().await;
        }
    }
    region(&output.finish_columns(), &plan.shape(), plan.columns(), &options.form)
}

/// Has the chunks of a plan fetched, decoded and kept, after everything that somebody waits for.
pub(super) async fn prefetch(
    reader: &Rc<Reader>,
    plan: &Plan<'_>,
    order: Order,
    on_progress: Option<&Function>,
) -> JsResult<JsValue> {
    let mut progress = Progress::new(plan, on_progress);
    let caller = Caller::new(Urgency::Later);
    let mut coming = std::pin::pin!(arrivals(reader, plan, &caller, order));
    let mut breath = Breath::new();
    while let Some(arrival) = coming.next().await {
        let arrival = arrival?;
        progress.add(arrival.chunks, arrival.bytes)?;
        breath.take().await;
    }
    Ok(JsValue::UNDEFINED)
}

/// What the caller's listener is told.
pub(super) struct Progress<'a> {
    chunks: u64,
    total: u64,
    bytes: u64,
    listener: Option<&'a Function>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(plan: &Plan<'_>, listener: Option<&'a Function>) -> Self {
        Self { chunks: 0, total: plan.chunks(), bytes: 0, listener }
    }

    /// Counts, and tells the listener; what it throws ends the read.
    pub(super) fn add(&mut self, chunks: u64, bytes: u64) -> JsResult<()> {
        self.chunks += chunks;
        self.bytes += bytes;
        let Some(listener) = self.listener else { return Ok(()) };
        let info = object([
            ("chunks", number(self.chunks).into()),
            ("totalChunks", number(self.total).into()),
            ("bytes", number(self.bytes).into()),
        ]);
        listener.call1(&JsValue::UNDEFINED, &info).map(|_| ())
    }
}
