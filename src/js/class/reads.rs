//! The reads of `RectilinearArray`: a selection becomes a plan, and the plan a promise or a stream.

use std::rc::Rc;

use js_sys::{Promise, TypeError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::array::RectilinearArray;
use super::planned::planned;
use super::read::{prefetch, read, stream};
use super::times::check_times;
use crate::error::{Error, Result};
use crate::grid::AxisSelection;
use crate::js::JsResult;
use crate::js::convert::option::text;
use crate::js::options::get_options::GetOptions;
use crate::js::options::output_options::OutputOptions;
use crate::js::options::selection::{coordinates, points, selection};
use crate::js::output::stream::ChunkStream;
use crate::js::sources::array_sources::ArraySources;
use crate::js::support::abort::Cancellation;
use crate::js::support::parts::{later_promise, load, with_parts};
use crate::js::support::promise::promise;
use crate::js::support::waiting::Work;
use crate::metadata::BoundsOf;
use crate::parts::{Calls, Loaded, later};
use crate::read::{Array, Plan};

/// Part of an array to read.
enum ReadTarget {
    Selection(Vec<AxisSelection>),
    Chunk(Vec<u64>),
    /// A chunk in the grid of innermost chunks.
    InnerChunk(Vec<u64>),
    /// Number of points, and the coordinates of all points one after the other.
    Points(usize, Vec<i64>),
}

impl ReadTarget {
    fn plan<'a>(&self, array: &'a Array, form: &OutputOptions) -> Result<Plan<'a>> {
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
fn counts_inner(options: &JsValue) -> JsResult<bool> {
    match text(options, "grid")?.as_deref() {
        None | Some("stored") => Ok(false),
        Some("inner") => Ok(true),
        Some(_) => Err(TypeError::new("the option grid must be \"stored\" or \"inner\"").into()),
    }
}

#[wasm_bindgen]
impl RectilinearArray {
    /// Reads a selection.
    pub fn get(&self, wanted: &JsValue, options: &JsValue) -> Promise {
        self.region(self.selected(wanted), GetOptions::parse(options))
    }

    /// Reads a selection of times. `units` and `calendar` replace attributes that a bounds array lacks.
    #[wasm_bindgen(js_name = decodeTime)]
    pub fn decode_time(
        &self,
        wanted: &JsValue,
        options: &JsValue,
        units: &JsValue,
        calendar: &JsValue,
    ) -> Promise {
        let bounds_of = BoundsOf { units: units.as_string(), calendar: calendar.as_string() };
        self.region(self.selected(wanted), GetOptions::of_times(options, bounds_of))
    }

    /// Reads one chunk, clipped to the array's shape, by its coordinates in the grid of the option `grid`.
    #[wasm_bindgen(js_name = getChunk)]
    pub fn get_chunk(&self, coords: &JsValue, options: &JsValue) -> Promise {
        let coords = coordinates(coords, self.sources().array.metadata.shape.len());
        let is_inner = counts_inner(options);
        let target = if matches!(is_inner, Ok(true)) { ReadTarget::InnerChunk } else { ReadTarget::Chunk };
        self.region(coords.map(target), is_inner.and_then(|_| GetOptions::parse(options)))
    }

    /// Reads single elements.
    #[wasm_bindgen(js_name = getPoints)]
    pub fn get_points(&self, wanted: &JsValue, options: &JsValue) -> Promise {
        let found = points(wanted, self.sources().array.metadata.shape.len());
        self.region(
            found.map(|(count, coordinates)| ReadTarget::Points(count, coordinates)),
            GetOptions::parse(options),
        )
    }

    /// Fetches and caches the chunks of a selection, with lower priority than all reads.
    pub fn prefetch(&self, wanted: &JsValue, options: &JsValue) -> Promise {
        let keeps = self.sources().keep_chunks().then_some(()).ok_or_else(|| Error::Unsupported {
            feature: "prefetch without a cache".to_owned(),
            reason: "open the array with the option cacheBytes above 0".to_owned(),
        });
        self.run(keeps.and_then(|()| self.selected(wanted)), GetOptions::parse(options), true)
    }

    /// Chunks, requests and result size of reading a selection; nothing is fetched.
    pub fn plan(&self, wanted: &JsValue) -> JsResult<JsValue> {
        let (sources, target) = (self.sources(), self.selected(wanted)?);
        Ok(planned(&sources, &target.plan(&sources.array, &OutputOptions::default())?)?.into())
    }

    /// Opens the stream that `stream` iterates over.
    #[wasm_bindgen(js_name = openStream)]
    pub fn open_stream(&self, wanted: &JsValue, options: &JsValue) -> Promise {
        let (sources, target, options) = (self.sources(), self.selected(wanted), GetOptions::parse(options));
        let signal = options.as_ref().map(|options| options.signal.clone()).unwrap_or_default();
        later_promise(sources.part_timeout(), Ok(signal), move |part| {
            opened_stream(part, sources, target, options)
        })
    }
}

impl RectilinearArray {
    fn selected(&self, wanted: &JsValue) -> Result<ReadTarget> {
        selection(wanted, &self.sources().array.metadata).map(ReadTarget::Selection)
    }

    fn region(&self, target: Result<ReadTarget>, options: JsResult<GetOptions>) -> Promise {
        self.run(target, options, false)
    }

    /// Reads or prefetches a target until that is done, or until the caller aborts it.
    ///
    /// Arguments and options are read before this returns. The promise rejects where they are wrong.
    fn run(&self, target: Result<ReadTarget>, options: JsResult<GetOptions>, is_prefetch: bool) -> Promise {
        let asked = target.map_err(JsValue::from).and_then(|target| Ok((target, options?)));
        let sources = self.sources();
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
                if is_prefetch {
                    return prefetch(&sources, &plan, options.order, options.on_progress.as_ref()).await;
                }
                read(&sources, &plan, &options).await.map(JsValue::from)
            };
            cancellation.run(work).await
        })
    }
}

/// Starts the read of a stream, once its target and its options are checked.
#[later]
fn opened_stream(
    part: Loaded<Calls>,
    sources: Rc<ArraySources>,
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
