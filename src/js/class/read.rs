//! Execution of a plan for `get`, `prefetch` and `stream`.

use js_sys::{Function, Object};
use wasm_bindgen::JsValue;

use super::times::decoded;
use crate::js::JsResult;
use crate::js::options::get_options::{GetOptions, Order};
use crate::js::output::output_buffer::OutputBuffer;
use crate::js::output::parts::Parts;
use crate::js::output::region::region;
use crate::js::output::stream::PartSender;
use crate::js::run::progress::Progress;
use crate::js::run::{Execution, Sink};
use crate::js::sources::array_sources::ArraySources;
use crate::js::sources::read_context::ReadContext;
use crate::js::support::parts::load;
use crate::network::Urgency;
use crate::output::{LEAST_ROW, LEAST_ROW_APART};
use crate::parts::{Calls, Loaded};
use crate::read::{Admission, Plan};

/// Reads the region that a plan describes.
pub(crate) async fn read(sources: &ArraySources, plan: &Plan<'_>, options: &GetOptions) -> JsResult<Object> {
    let reads_by_buffer = sources.reads_again(plan) && options.on_progress.is_none() && plan.reads_along();
    // Such chunks mostly lie in JavaScript's memory, and staging buffers would copy them twice more.
    let are_apart = sources.hand_out(plan) || !reads_by_buffer && sources.have_plain_chunks();
    let least_row = if are_apart { LEAST_ROW_APART } else { LEAST_ROW };
    let destination = OutputBuffer::new(plan, &options.form, reads_by_buffer, least_row)?;
    let progress = Progress::new(plan, options.on_progress.as_ref());
    let context = ReadContext::new(Urgency::Now, sources.admission(plan));
    let sink = Sink::Region(Box::new(destination));
    let sink = Execution::new(sources, plan, context, options.order, sink, progress).run().await?;
    let Sink::Region(destination) = sink else { return Ok(Object::new()) };
    let found = region(destination.finish(), &plan.shape(), &options.form);
    match &options.form.times {
        Some(bounds_of) => {
            decoded(load(sources.part_timeout()).await?, found, &sources.array.metadata, bounds_of)
        }
        None => Ok(found),
    }
}

/// Fetches, decodes and caches the chunks of a plan, with lower priority than all reads.
pub(crate) async fn prefetch(
    sources: &ArraySources,
    plan: &Plan<'_>,
    order: Order,
    on_progress: Option<&Function>,
) -> JsResult<JsValue> {
    let progress = Progress::new(plan, on_progress);
    let context = ReadContext::new(Urgency::Later, Admission::Prefetched);
    Execution::new(sources, plan, context, order, Sink::Nowhere, progress).run().await?;
    Ok(JsValue::UNDEFINED)
}

/// Sends the parts of a plan's result to a stream as they are decoded.
pub(crate) async fn stream(
    sources: &ArraySources,
    plan: &Plan<'_>,
    options: &GetOptions,
    sender: PartSender,
    part: Loaded<Calls>,
) -> JsResult<()> {
    let progress = Progress::new(plan, options.on_progress.as_ref());
    let context = ReadContext::new(Urgency::Now, sources.admission(plan));
    let sink = Sink::Parts(Parts::new(sources, plan, &options.form, sender, part));
    Execution::new(sources, plan, context, options.order, sink, progress).run().await.map(drop)
}
