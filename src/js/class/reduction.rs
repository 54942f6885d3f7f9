//! The class `ReductionRead`: a read whose chunks become statistics, which can be asked for at any time.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::read::ReadTarget;
use crate::answers::zones::{
    CellEdges, Covering, Features, HealpixCells, Quads, Spans, ZoneCells, ZoneGrid, ZonePlaces, ZoneReduction,
};
use crate::answers::{
    AnswerColumn, Cells, Counting, Gathering, Groups, PickedItems, Reduction, ReductionSettings, Statistics,
    Weights, ZonalReduction,
};
use crate::error::Result;
use crate::js::JsResult;
use crate::js::chunks::in_flight::ReadContext;
use crate::js::chunks::sources::JoinedSources;
use crate::js::convert::items::typed;
use crate::js::convert::value::{field, given};
use crate::js::options::read_options::GetOptions;
use crate::js::output::reduced::Reduced;
use crate::js::output::sink::Sink;
use crate::js::run::{Execution, Progress};
use crate::js::support::loading::with_parts;
use crate::js::support::time::TimeSlice;
use crate::js::support::work::{Cancellation, Work, promise};
use crate::network::Urgency;
use crate::output::Numeric;
use crate::parts::{Answers, Loaded, Zones, later};
use crate::read::Plan;

/// What a read needs to begin.
type Asked = (Rc<JoinedSources>, ReadTarget, GetOptions);

/// A read whose chunks become statistics.
#[wasm_bindgen(skip_typescript)]
pub struct ReductionRead {
    gathering: Rc<RefCell<dyn Gathering>>,
    /// Taken when the read begins.
    asked: RefCell<Option<Asked>>,
    part: Loaded<Answers>,
}

#[wasm_bindgen]
impl ReductionRead {
    /// Reads all chunks; the promise is settled when the statistics are complete.
    pub fn read(&self) -> Promise {
        match self.asked.take() {
            Some(asked) => promise(read(self.part, asked, Rc::clone(&self.gathering))),
            None => Promise::resolve(&JsValue::UNDEFINED),
        }
    }

    /// The statistics of the items so far, one typed array for each name, and one for the quantiles after these.
    pub fn columns(&self) -> JsResult<Array> {
        columns(self.part, &self.gathering)
    }

    /// Number type of the items; of complex ones, that of their parts.
    #[wasm_bindgen(getter)]
    pub fn numbers(&self) -> String {
        self.gathering.borrow().numbers()
    }
}

/// Reads what was asked for.
#[later]
fn read(
    part: Loaded<Answers>,
    asked: Asked,
    gathering: Rc<RefCell<dyn Gathering>>,
) -> Work<'static, JsValue> {
    Box::pin(async move {
        let (sources, target, options) = asked;
        let plan = target.plan(&sources.array, &options.form)?;
        let cancellation = Cancellation::new(options.signal.clone())?;
        let progress = Progress::new(&plan, options.on_progress.as_ref());
        let context = ReadContext::new(Urgency::Now, sources.admission(&plan));
        let sink = Sink::Reduced(Reduced::new(&plan, gathering, part));
        let work = Execution::new(&sources, &plan, context, options.order, sink, progress).run();
        cancellation.run(async { work.await.map(|_| JsValue::UNDEFINED) }).await
    })
}

/// Opens the reduction of a target.
#[later]
pub(super) fn opened_reduction(
    part: Loaded<Answers>,
    sources: Rc<JoinedSources>,
    target: Result<ReadTarget>,
    options: JsResult<GetOptions>,
    settings: JsValue,
) -> Work<'static, JsValue> {
    Box::pin(async move {
        let (target, options) = (target?, options?);
        sources.array.readable()?;
        let begun = with_parts(sources.part_timeout(), || {
            let plan = target.plan(&sources.array, &options.form)?;
            begun(&plan, &settings)
        });
        let gathering = match begun.await? {
            Begun::Reduction(gathering) => gathering,
            Begun::Zones(part, mut covering) => {
                let spans =
                    Cancellation::new(options.signal.clone())?.run(covered(part, &mut covering)).await?;
                let plan = target.plan(&sources.array, &options.form)?;
                by_zones(part, &plan, spans, &settings)?
            }
        };
        Ok(ReductionRead { gathering, asked: RefCell::new(Some((sources, target, options))), part }.into())
    })
}

/// A step of a reduction: gathering the chunks of a plan, or before it, finding the cells that features share.
enum Begun {
    Reduction(Rc<RefCell<dyn Gathering>>),
    Zones(Loaded<Zones>, Box<Covering>),
}

/// Begins the gathering of what a plan reads.
fn begun(plan: &Plan<'_>, settings: &JsValue) -> Result<Begun> {
    if let Some(zones) = given(settings, "zones") {
        let part = Loaded::get()?;
        return Ok(Begun::Zones(part, covering_of(part, &zones)?));
    }
    let reduction = Reduction::new(parsed(plan, settings), PickedItems::of(plan)?)?;
    Ok(Begun::Reduction(Rc::new(RefCell::new(reduction))))
}

/// Makes the shares of features, with turns of the event loop in between.
async fn covered(part: Loaded<Zones>, covering: &mut Covering) -> JsResult<Spans> {
    let mut slice = TimeSlice::default();
    loop {
        if let Some(spans) = step(part, covering)? {
            return Ok(spans);
        }
        // Each step may have taken as long as a turn: a ring of 10^6 vertices is sorted in one.
        slice.take().await;
    }
}

#[later]
fn step(_: Loaded<Zones>, covering: &mut Covering) -> Result<Option<Spans>> {
    covering.step()
}

/// Begins the gathering by features, whose code only few pages need.
#[later]
fn by_zones(
    _: Loaded<Zones>,
    plan: &Plan<'_>,
    spans: Spans,
    settings: &JsValue,
) -> Result<Rc<RefCell<dyn Gathering>>> {
    let zones = zones_of(plan, spans, &field(settings, "zones"), &names(settings))?;
    Ok(Rc::new(RefCell::new(ZonalReduction::new(zones, PickedItems::of(plan)?)?)))
}

/// Items of a list.
fn list(value: &JsValue) -> Vec<JsValue> {
    value.dyn_ref::<Array>().map(Array::to_vec).unwrap_or_default()
}

fn names(settings: &JsValue) -> Vec<String> {
    list(&field(settings, "names")).iter().filter_map(JsValue::as_string).collect()
}

fn index(value: &JsValue) -> usize {
    value.as_f64().unwrap_or_default() as usize
}

fn flag(value: &JsValue, name: &str) -> bool {
    field(value, name).is_truthy()
}

/// Numbers from their bytes: all typed arrays come as `Uint8Array`.
fn unpacked<const SIZE: usize, T>(value: &JsValue, name: &str, number: fn([u8; SIZE]) -> T) -> Vec<T> {
    let bytes = field(value, name).dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).unwrap_or_default();
    bytes.as_chunks().0.iter().map(|item| number(*item)).collect()
}

fn indices(value: &JsValue, name: &str) -> Vec<usize> {
    unpacked(value, name, |item| u32::from_le_bytes(item) as usize)
}

/// Begins to lay features over cells.
#[later]
fn covering_of(_: Loaded<Zones>, zones: &JsValue) -> Result<Box<Covering>> {
    let numbers = unpacked(zones, "numbers", f64::from_le_bytes);
    let [rings, polygons, features] = ["rings", "polygons", "features"].map(|name| indices(zones, name));
    let features = Features::checked(&numbers, &rings, &polygons, &features)?;
    Ok(Box::new(Covering::new(cells_of(zones)?, features)))
}

/// The statistics that are asked of features with these shares.
fn zones_of(plan: &Plan<'_>, spans: Spans, zones: &JsValue, names: &[String]) -> Result<ZoneReduction> {
    let place = |name: &str| {
        given(zones, name).map(|place| (index(&field(&place, "axis")), index(&field(&place, "first")) as u64))
    };
    let (rows, columns) = (place("rowAxis"), place("columnAxis").unwrap_or_default());
    let weights = given(zones, "weights").map(|weights| {
        let steps = list(&field(&weights, "steps"));
        let step = |nth: usize| steps.get(nth).map_or(0, index);
        (unpacked(&weights, "of", f64::from_le_bytes), [step(0), step(1)])
    });
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    ZoneReduction::new(ZonePlaces { lengths: plan.shape(), rows, columns }, spans, &names, weights)
}

/// Cells of HEALPix, cells with corners of their own, or those between edges.
fn cells_of(zones: &JsValue) -> Result<ZoneCells> {
    let (is_degrees, unwraps) = (flag(zones, "isDegrees"), flag(zones, "unwraps"));
    let floats = |name: &str| unpacked(zones, name, f64::from_le_bytes);
    if let Some(level) = given(zones, "level") {
        let ids: Option<Vec<u64>> =
            given(zones, "ids").map(|_| floats("ids").into_iter().map(|id| id as u64).collect());
        let cells = HealpixCells::checked(index(&level) as u32, ids.as_deref(), unwraps)?;
        return Ok(ZoneCells::Healpix(cells));
    }
    if let Some(width) = given(zones, "width") {
        let corners = floats("corners");
        let quads = corners.as_chunks().0.as_chunks().0;
        return Ok(ZoneCells::Quads(Quads::checked(quads, index(&width) as u32, is_degrees, unwraps)?));
    }
    Ok(ZoneCells::Grid(ZoneGrid {
        rows: CellEdges::checked("y", floats("rows"))?,
        columns: CellEdges::checked("x", floats("columns"))?,
        is_degrees,
        unwraps,
    }))
}

/// The settings of a reduction, which the package's own JavaScript makes; what is missing counts as absent.
fn parsed(plan: &Plan<'_>, settings: &JsValue) -> ReductionSettings {
    let list =
        |value: &JsValue| -> Vec<JsValue> { value.dyn_ref::<Array>().map(Array::to_vec).unwrap_or_default() };
    let floats = |value: &JsValue| -> Vec<f64> { list(value).iter().filter_map(JsValue::as_f64).collect() };
    let strides = |value: &JsValue| list(&field(value, "strides")).iter().map(index).collect();
    let names: Vec<String> = list(&field(settings, "names")).iter().filter_map(JsValue::as_string).collect();
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    let quantiles = floats(&field(settings, "quantiles"));
    let counting = given(settings, "counting").map(|counting| Counting {
        known: index(&field(&counting, "known")) as u32,
        bits: index(&field(&counting, "bits")) as u32,
        prefixes: list(&field(&counting, "prefixes"))
            .iter()
            .map(|prefixes| floats(prefixes).into_iter().map(|prefix| prefix as u64).collect())
            .collect(),
    });
    ReductionSettings {
        cells: Cells {
            lengths: plan.shape(),
            kept: list(&field(settings, "kept")).iter().map(JsValue::is_truthy).collect(),
            groups: given(settings, "groups").map(|groups| Groups {
                strides: strides(&groups),
                of: unpacked(&groups, "of", u32::from_le_bytes),
                count: index(&field(&groups, "count")),
            }),
            weights: given(settings, "weights").map(|weights| Weights {
                strides: strides(&weights),
                of: unpacked(&weights, "of", f64::from_le_bytes),
            }),
        },
        statistics: Statistics {
            sums: has(&["sum", "mean"]),
            moments: has(&["var"]),
            least: has(&["min", "argmin"]),
            greatest: has(&["max", "argmax"]),
            edges: floats(&field(settings, "edges")),
            values: !quantiles.is_empty(),
            counting,
            skips: flag(settings, "skips"),
            skips_times: flag(settings, "skipsTimes"),
            are_times: false,
            are_complex: false,
        },
        names,
        quantiles,
        ddof: field(settings, "ddof").as_f64().unwrap_or_default(),
        axes_before_groups: index(&field(settings, "axesBeforeGroups")),
    }
}

#[later]
fn columns(_: Loaded<Answers>, gathering: &Rc<RefCell<dyn Gathering>>) -> JsResult<Array> {
    let mut gathering = gathering.borrow_mut();
    let integers = if gathering.is_unsigned() { Numeric::UInt(64) } else { Numeric::Int(64) };
    let found = Array::new();
    for column in gathering.columns() {
        let (bytes, numbers): (Vec<u8>, _) = match column {
            AnswerColumn::Floats(floats) => {
                (floats.into_iter().flat_map(f64::to_le_bytes).collect(), Numeric::Float(64))
            }
            AnswerColumn::Integers(items) => {
                (items.into_iter().flat_map(i64::to_le_bytes).collect(), integers)
            }
        };
        found.push(&typed(&bytes, numbers)?);
    }
    Ok(found)
}
