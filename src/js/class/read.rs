//! How reads are carried out: a target becomes a plan, and the plan a region, a filled cache or a stream.

use std::rc::Rc;

use js_sys::{Function, Object, Promise, TypeError};
use wasm_bindgen::JsValue;

use super::times::{check_times, decoded};
use crate::error::Result;
use crate::grid::AxisSelection;
use crate::js::JsResult;
use crate::js::chunks::in_flight::ReadContext;
use crate::js::chunks::sources::JoinedSources;
use crate::js::convert::value::text;
use crate::js::options::read_options::{GetOptions, Order, OutputOptions};
use crate::js::output::parts::Parts;
use crate::js::output::region::{OutputBuffer, region};
use crate::js::output::sink::Sink;
use crate::js::output::stream::{ChunkStream, PartSender};
use crate::js::run::{Execution, Progress};
use crate::js::support::loading::{load, with_parts};
use crate::js::support::work::{Cancellation, Work, promise};
use crate::network::Urgency;
use crate::output::{LEAST_ROW, LEAST_ROW_APART, LEAST_ROW_UNSTAGED, MAX_STAGED_BYTES};
use crate::parts::{Calls, Loaded, later};
use crate::read::{Admission, Array, Plan};

/// Part of an array to read.
pub(super) enum ReadTarget {
    Selection(Vec<AxisSelection>),
    Chunk(Vec<u64>),
    /// A chunk in the grid of innermost chunks.
    InnerChunk(Vec<u64>),
    /// Number of points, and the coordinates of all points one after the other.
    Points(usize, Vec<i64>),
}

impl ReadTarget {
    pub(super) fn plan<'a>(&self, array: &'a Array, form: &OutputOptions) -> Result<Plan<'a>> {
        let plan = match self {
            Self::Selection(selection) => array.plan(selection),
            Self::Chunk(coords) => array.plan_chunk(coords),
            Self::InnerChunk(coords) => array.plan_inner_chunk(coords),
            Self::Points(count, coordinates) => array.plan_points(*count, coordinates),
        }?;
        form.shaped(plan)
    }
}

/// Whether a chunk's coordinates refer to the grid of inner chunks, from the option `grid`.
pub(super) fn counts_inner(options: &JsValue) -> JsResult<bool> {
    match text(options, "grid")?.as_deref() {
        None | Some("stored") => Ok(false),
        Some("inner") => Ok(true),
        Some(_) => Err(TypeError::new("the option grid must be \"stored\" or \"inner\"").into()),
    }
}

/// What becomes of the chunks of a read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadKind {
    /// They are the caller's result.
    Region,
    /// They are cached.
    Prefetch,
}

/// Reads or prefetches a target until that is done, or until the caller aborts it.
///
/// Arguments and options were read before. The promise rejects where they are wrong.
pub(super) fn started(
    sources: Rc<JoinedSources>,
    target: Result<ReadTarget>,
    options: JsResult<GetOptions>,
    kind: ReadKind,
) -> Promise {
    let asked = target.map_err(JsValue::from).and_then(|target| Ok((target, options?)));
    promise(async move {
        let (target, options) = asked?;
        sources.array.readable()?;
        let cancellation = Cancellation::new(options.signal.clone())?;
        let work = async {
            let timeout = sources.part_timeout();
            if let Some(bounds_of) = &options.form.times {
                check_times(load(timeout).await?, &sources.array, bounds_of)?;
            }
            let plan = with_parts(timeout, || target.plan(&sources.array, &options.form)).await?;
            match kind {
                ReadKind::Region => read(&sources, &plan, &options).await.map(JsValue::from),
                ReadKind::Prefetch => {
                    prefetch(&sources, &plan, options.order, options.on_progress.as_ref()).await
                }
            }
        };
        cancellation.run(work).await
    })
}

/// Starts the read of a stream, once its target and its options are checked.
#[later]
pub(super) fn opened_stream(
    part: Loaded<Calls>,
    sources: Rc<JoinedSources>,
    target: Result<ReadTarget>,
    options: JsResult<GetOptions>,
) -> Work<'static, JsValue> {
    Box::pin(async move {
        let (target, options) = (target?, options?);
        options.form.refuse_out()?;
        sources.array.readable()?;
        let planned = || target.plan(&sources.array, &options.form).map(drop);
        with_parts(sources.part_timeout(), planned).await?;
        let stream = ChunkStream::new(async move |sender| {
            let plan = target.plan(&sources.array, &options.form)?;
            let cancellation = Cancellation::new(options.signal.clone())?;
            cancellation.run(stream(&sources, &plan, &options, sender, part)).await
        });
        Ok(stream.into())
    })
}

/// Reads the region that a plan describes.
async fn read(sources: &JoinedSources, plan: &Plan<'_>, options: &GetOptions) -> JsResult<Object> {
    let reads_by_buffer = sources.reads_again(plan) && options.on_progress.is_none() && plan.reads_along();
    // Such chunks mostly lie in JavaScript's memory, and staging buffers would copy them twice more.
    let are_apart = sources.hand_out(plan) || !reads_by_buffer && sources.have_plain_chunks();
    let least_row = match are_apart {
        _ if !reads_by_buffer && plan.staged_bytes() > MAX_STAGED_BYTES => LEAST_ROW_UNSTAGED,
        true => LEAST_ROW_APART,
        false => LEAST_ROW,
    };
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
async fn prefetch(
    sources: &JoinedSources,
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
async fn stream(
    sources: &JoinedSources,
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
