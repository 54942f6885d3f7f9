//! A read: the chunks of a plan put in place as they come, and reported.

use js_sys::{Function, Object};
use wasm_bindgen::JsValue;

use super::JsResult;
use super::arrivals::{Order, each};
use super::at_hand::AtHand;
use super::destination::Destination;
use super::options::GetOptions;
use super::reader::Caller;
use super::readers::Readers;
use super::region::region;
use super::times::decoded;
use super::value::{number, object};
use crate::read::{Admission, LEAST_ROW, LEAST_ROW_SENT, Plan, Urgency};

/// The region that the plan describes.
pub(super) async fn read(readers: &Readers, plan: &Plan<'_>, options: &GetOptions) -> JsResult<Object> {
    let (at_hand, admission) = (readers.at_hand(plan), readers.admission(plan));
    let is_banded = at_hand.is_some() && options.on_progress.is_none() && plan.reads_along();
    let least_row = if readers.hand_out(plan) { LEAST_ROW_SENT } else { LEAST_ROW };
    let mut destination = Destination::new(plan, &options.form, is_banded, least_row)?;
    let mut progress = Progress::new(plan, options.on_progress.as_ref());
    if let Some((reader, map)) = at_hand {
        AtHand::new(reader, map, admission).put(&mut destination, &mut progress).await?;
    } else {
        let caller = Caller::new(Urgency::Now, admission);
        each(readers, plan, &caller, options.order, &mut progress, async |arrival| {
            destination.put_content(&arrival.task, arrival.chunk.as_ref().as_ref()).await
        })
        .await?;
    }
    let found = region(destination.finish(), &plan.shape(), &options.form);
    match &options.form.times {
        Some(bounds_of) => decoded(found, &readers.array.metadata, bounds_of),
        None => Ok(found),
    }
}

/// Has the chunks of a plan fetched, decoded and kept, after everything that somebody waits for.
pub(super) async fn prefetch(
    readers: &Readers,
    plan: &Plan<'_>,
    order: Order,
    on_progress: Option<&Function>,
) -> JsResult<JsValue> {
    let mut progress = Progress::new(plan, on_progress);
    let caller = Caller::new(Urgency::Later, Admission::Prefetched);
    each(readers, plan, &caller, order, &mut progress, async |_| Ok(())).await?;
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
