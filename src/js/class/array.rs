//! The class `RectilinearArray`: an opened array, its properties and its reads.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Object, Promise, RangeError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::chunk_grid::ChunkGridView;
use super::encoded::encoded;
use super::planned::planned;
use super::read::{ReadKind, ReadTarget, counts_inner, opened_stream, started};
use super::reduction::opened_reduction;
use super::times::span;
use crate::error::{Error, Result};
use crate::grid::{self, Axis};
use crate::js::JsResult;
use crate::js::chunks::sources::JoinedSources;
use crate::js::convert::items::fill_value;
use crate::js::convert::value::{field, flag, frozen, names, number, numbers, object, signal};
use crate::js::open::hierarchy::{Hierarchy, MissingPolicy, not_found};
use crate::js::options::open_options::MemberOptions;
use crate::js::options::read_options::{GetOptions, OutputOptions};
use crate::js::options::selection::{coordinates, points, selection};
use crate::js::support::loading::later_promise;
use crate::js::support::work::{Cancellation, Work};
use crate::metadata::{BoundsOf, DataType, Field, Kind, Value};
use crate::parts::{Calls, Loaded, Opening, later};
use crate::read;

/// The most chunk sizes that are listed one by one. For more chunks, use `chunkGrid.runs`.
const MAX_LISTED_SIZES: u64 = 1_000_000;

/// An opened array. Reads hold references to what they need, so `free()` does not break a read in progress.
#[wasm_bindgen(skip_typescript)]
pub struct RectilinearArray {
    now: Rc<RefCell<ArrayState>>,
    /// Hierarchy that the array shares with its siblings.
    hierarchy: Option<Rc<Hierarchy>>,
}

/// State of the array since it was opened or last refreshed.
pub(crate) struct ArrayState {
    pub(crate) sources: Rc<JoinedSources>,
    /// Made on first use, because there may be a million.
    attrs: OnceCell<JsValue>,
    document: OnceCell<JsValue>,
    /// Made on first use, because JavaScript's garbage collector frees such objects late.
    chunk_grid: OnceCell<JsValue>,
    inner_chunk_grid: OnceCell<JsValue>,
}

#[wasm_bindgen]
impl RectilinearArray {
    /// Length along each axis.
    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> Array {
        numbers(self.array().metadata.shape.iter().copied())
    }

    /// The data type's registered name.
    #[wasm_bindgen(getter)]
    pub fn dtype(&self) -> String {
        self.array().metadata.data_type.name().to_owned()
    }

    /// Name of each axis, or null where it has none.
    #[wasm_bindgen(getter, js_name = dimensionNames)]
    pub fn dimension_names(&self) -> Option<Array> {
        self.array().metadata.dimension_names.as_deref().map(names)
    }

    /// The user attributes, frozen as the metadata are.
    #[wasm_bindgen(getter)]
    pub fn attrs(&self) -> JsValue {
        let now = self.now.borrow();
        let attributes = || Value::Object(now.sources.array.metadata.attributes.clone());
        now.attrs.get_or_init(|| frozen(&attributes())).clone()
    }

    /// The fill value, or null where the metadata have null; as written, if it is not of the data type or that is not
    /// supported.
    #[wasm_bindgen(getter, js_name = fillValue)]
    pub fn fill_value(&self) -> JsResult<JsValue> {
        match &self.array().metadata {
            metadata if metadata.fill_is_null => Ok(JsValue::NULL),
            metadata if metadata.data_type.item_size() == 0 || metadata.fill_fault.is_some() => {
                let written = field(&self.metadata(), "fill_value");
                Ok(if written.is_undefined() { JsValue::NULL } else { written })
            }
            metadata => fill_value(&metadata.fill_value, &metadata.data_type),
        }
    }

    /// The fields of a struct; undefined for other data types.
    #[wasm_bindgen(getter)]
    pub fn fields(&self) -> Option<Array> {
        fields(&self.array().metadata.data_type)
    }

    /// The shape of items that are arrays, with null for a length that differs between them; undefined for other items.
    #[wasm_bindgen(getter, js_name = itemShape)]
    pub fn item_shape(&self) -> Option<Array> {
        let shape = self.array().metadata.data_type.item_shape()?;
        let length = |length: Option<u64>| length.map_or(JsValue::NULL, |length| number(length).into());
        Some(shape.into_iter().map(length).collect())
    }

    /// The metadata document as stored, frozen, because all callers are given the same object; undefined for an array made
    /// by `concat`.
    #[wasm_bindgen(getter)]
    pub fn metadata(&self) -> JsValue {
        let now = self.now.borrow();
        let document = || Value::parse(now.sources.array.metadata.document.as_bytes());
        now.document
            .get_or_init(|| document().map_or(JsValue::UNDEFINED, |document| frozen(&document)))
            .clone()
    }

    /// The path inside the source.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> String {
        self.array().keys.path().to_owned()
    }

    /// The Zarr format: 2 or 3.
    #[wasm_bindgen(getter, js_name = zarrFormat)]
    pub fn zarr_format(&self) -> u8 {
        self.array().metadata.zarr_format
    }

    /// The grid of stored chunks.
    #[wasm_bindgen(getter, js_name = chunkGrid)]
    pub fn chunk_grid(&self) -> JsValue {
        self.now.borrow().chunk_grid(false)
    }

    /// The grid of inner chunks; undefined where chunks are not shards.
    #[wasm_bindgen(getter, js_name = innerChunkGrid)]
    pub fn inner_chunk_grid(&self) -> JsValue {
        self.now.borrow().chunk_grid(true)
    }

    /// Unit of datetime64 and timedelta64, and the number of units in one step; undefined for other data types.
    #[wasm_bindgen(getter, js_name = timeUnit)]
    pub fn time_unit(&self) -> Option<Object> {
        let array = self.array();
        let Kind::Time { unit, scale } = array.metadata.data_type.kind() else { return None };
        Some(object([("unit", unit.as_str().into()), ("scale", number(*scale).into())]))
    }

    /// Reads the metadata again and clears cached chunks. The promise's value is true where the metadata changed.
    pub fn refresh(&self, options: &JsValue) -> Promise {
        let (now, signal) = (Rc::clone(&self.now), signal(options));
        let timeout = self.sources().part_timeout();
        later_promise(timeout, signal.clone(), move |part| refreshed(part, now, signal))
    }

    /// Another handle to the array, which stays valid after `free()` of this one.
    #[must_use]
    pub fn hold(&self) -> Self {
        Self { now: Rc::clone(&self.now), hierarchy: self.hierarchy.clone() }
    }

    /// Opens the array `name` in this array's group, or in the group `up` levels above it.
    #[wasm_bindgen(js_name = openBeside)]
    pub fn open_beside(&self, name: &str, up: usize) -> Promise {
        let Some(hierarchy) = self.hierarchy.clone() else { return Promise::reject(&not_found(name)) };
        let path = hierarchy.path_beside(&self.path(), name, up);
        let timeout = hierarchy.driver.store().part_timeout();
        later_promise(timeout, Ok(None), move |part| {
            member(part, hierarchy, path, MemberOptions::default(), MissingPolicy::Missing)
        })
    }

    /// Address of the array to show to people; undefined for an array made by `concat`.
    #[wasm_bindgen(getter)]
    pub fn place(&self) -> Option<String> {
        self.hierarchy.as_ref().map(|hierarchy| hierarchy.driver.store().describe(&self.path()))
    }

    /// Names of the members of this array's group, as far as consolidated metadata list them.
    #[wasm_bindgen(js_name = namesBeside)]
    pub fn names_beside(&self) -> Array {
        let found = self.hierarchy.as_deref().and_then(|hierarchy| {
            let consolidation = hierarchy.consolidation.as_deref()?;
            Some(names_beside(consolidation.part, hierarchy, &self.path()))
        });
        found.unwrap_or_default()
    }

    /// The sizes of the stored chunks along each axis, clipped to the array's shape.
    #[wasm_bindgen(getter, js_name = writeChunkSizes)]
    pub fn write_chunk_sizes(&self) -> JsResult<Array> {
        listed_sizes(&self.array().metadata.chunk_grid)
    }

    /// The sizes of the chunks that are decoded one by one along each axis: inner chunks where chunks are shards.
    #[wasm_bindgen(getter, js_name = readChunkSizes)]
    pub fn read_chunk_sizes(&self) -> JsResult<Array> {
        listed_sizes(self.array().read_grid())
    }

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
        let caches = self.sources().cache_chunks().then_some(()).ok_or_else(|| Error::Unsupported {
            feature: "prefetch without a cache".to_owned(),
            reason: "open the array with the option cacheBytes above 0".to_owned(),
        });
        let target = caches.and_then(|()| self.selected(wanted));
        started(self.sources(), target, GetOptions::parse(options), ReadKind::Prefetch)
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

    /// Lets the array's stores have `more` requests in flight than until now, or fewer again; returns how many they may.
    #[wasm_bindgen(js_name = allowMore)]
    pub fn allow_more(&self, more: i32) -> usize {
        self.sources().allow(more)
    }

    /// Opens the reduction of a selection to the statistics of cells that `settings` describe.
    #[wasm_bindgen(js_name = openReduction)]
    pub fn open_reduction(&self, wanted: &JsValue, options: &JsValue, settings: JsValue) -> Promise {
        let (sources, target, options) = (self.sources(), self.selected(wanted), GetOptions::parse(options));
        let signal = options.as_ref().map(|options| options.signal.clone()).unwrap_or_default();
        later_promise(sources.part_timeout(), Ok(signal), move |part| {
            opened_reduction(part, sources, target, options, settings)
        })
    }

    /// Names of the custom codecs that decode the array.
    #[wasm_bindgen(getter, js_name = customCodecs)]
    pub fn custom_codecs(&self) -> Array {
        let sources = self.sources();
        let stages = sources.all().first().and_then(|source| source.stages.as_ref());
        stages.and_then(|stages| Some(stages.custom.as_ref()?.names())).unwrap_or_default()
    }

    /// The stored bytes of one chunk of the stored grid, or undefined where nothing is stored.
    #[wasm_bindgen(js_name = getEncoded)]
    pub fn get_encoded(&self, coords: &JsValue, options: &JsValue) -> Promise {
        let sources = self.sources();
        let coords = coordinates(coords, sources.array.metadata.shape.len());
        let copy = flag(options, "copy");
        later_promise(sources.part_timeout(), signal(options), move |part| {
            encoded(part, sources, coords, copy)
        })
    }

    /// Span of time that a text names, such as a month: its start and its end, which is the start of the next span.
    ///
    /// Each is given as whole milliseconds since 1970 in the array's calendar, and the nanoseconds after them.
    /// Undefined where the text is not a time. Its part is there once `decodeTime` has read the times.
    #[wasm_bindgen(js_name = timeSpan)]
    pub fn time_span(&self, text: &str) -> JsResult<Option<Array>> {
        span(Loaded::get()?, &self.sources().array, text)
    }
}

impl RectilinearArray {
    pub(crate) fn new(sources: Rc<JoinedSources>) -> Self {
        Self { now: Rc::new(RefCell::new(ArrayState::new(sources))), hierarchy: None }
    }

    /// This array with its hierarchy, so that siblings can be opened.
    pub(crate) fn beside(self, hierarchy: Rc<Hierarchy>) -> Self {
        Self { hierarchy: Some(hierarchy), ..self }
    }

    /// The current sources of the array. Reads in progress keep those that they started with.
    pub(crate) fn sources(&self) -> Rc<JoinedSources> {
        Rc::clone(&self.now.borrow().sources)
    }

    fn array(&self) -> Rc<read::Array> {
        Rc::clone(&self.now.borrow().sources.array)
    }

    fn selected(&self, wanted: &JsValue) -> Result<ReadTarget> {
        selection(wanted, &self.sources().array.metadata).map(ReadTarget::Selection)
    }

    fn region(&self, target: Result<ReadTarget>, options: JsResult<GetOptions>) -> Promise {
        started(self.sources(), target, options, ReadKind::Region)
    }
}

impl ArrayState {
    fn new(sources: Rc<JoinedSources>) -> Self {
        Self {
            sources,
            attrs: OnceCell::new(),
            document: OnceCell::new(),
            chunk_grid: OnceCell::new(),
            inner_chunk_grid: OnceCell::new(),
        }
    }

    /// The grid of stored chunks, or of inner chunks if there are any; always the same object.
    fn chunk_grid(&self, is_inner: bool) -> JsValue {
        let array = &self.sources.array;
        if is_inner && array.inner_grid.is_none() {
            return JsValue::UNDEFINED;
        }
        let view = if is_inner { &self.inner_chunk_grid } else { &self.chunk_grid };
        view.get_or_init(|| ChunkGridView::new(Rc::clone(array), is_inner).into()).clone()
    }
}

/// Opens the array at a path of a hierarchy.
#[later]
pub(crate) fn member(
    _: Loaded<Opening>,
    hierarchy: Rc<Hierarchy>,
    path: JsResult<String>,
    options: MemberOptions,
    policy: MissingPolicy,
) -> Work<'static, JsValue> {
    Box::pin(async move {
        let sources = hierarchy.array(&path?, options, policy).await?;
        Ok(RectilinearArray::new(sources).beside(hierarchy).into())
    })
}

#[later]
fn names_beside(_: Loaded<Opening>, hierarchy: &Hierarchy, path: &str) -> Array {
    hierarchy.names_beside(path).into_iter().map(JsValue::from).collect()
}

/// Opens an array again; its value is whether the metadata changed.
#[later]
fn refreshed(
    _: Loaded<Calls>,
    now: Rc<RefCell<ArrayState>>,
    signal: JsResult<Option<AbortSignal>>,
) -> Work<'static, JsValue> {
    Box::pin(async move {
        let sources = Rc::clone(&now.borrow().sources);
        let cancellation = Cancellation::new(signal?)?;
        let abort = cancellation.signal()?;
        let (sources, is_changed) = cancellation.run(sources.again(&abort)).await?;
        *now.borrow_mut() = ArrayState::new(sources);
        Ok(is_changed.into())
    })
}

/// The clipped sizes of every chunk along each axis.
fn listed_sizes(grid: &grid::ChunkGrid) -> JsResult<Array> {
    let total = grid.axes().iter().map(Axis::chunks).fold(0, u64::saturating_add);
    if total > MAX_LISTED_SIZES {
        let message = format!(
            "the array has {total} chunk sizes, at most {MAX_LISTED_SIZES} are listed; use chunkGrid.runs(axis)"
        );
        return Err(RangeError::new(&message).into());
    }
    let clipped = |axis: &Axis| -> JsValue {
        let spans = (0..axis.chunks()).filter_map(|chunk| axis.span(chunk));
        numbers(spans.map(|span| span.stop - span.start)).into()
    };
    Ok(grid.axes().iter().map(clipped).collect())
}

/// The fields of a struct; `None` for another data type.
fn fields(data_type: &DataType) -> Option<Array> {
    let Kind::Struct(list) = data_type.kind() else { return None };
    let entry = |part: &Field| -> JsValue {
        let offset = number(part.offset as u64).into();
        let element = part.data_type.element();
        let inner = fields(element).map_or(JsValue::UNDEFINED, JsValue::from);
        let shape = match part.data_type.kind() {
            Kind::Subarray { shape, .. } => numbers(shape.iter().copied()).into(),
            _ => JsValue::UNDEFINED,
        };
        let (name, dtype) = (part.name.as_str().into(), element.name().into());
        object([("name", name), ("dtype", dtype), ("offset", offset), ("shape", shape), ("fields", inner)])
            .into()
    };
    Some(list.iter().map(entry).collect())
}
