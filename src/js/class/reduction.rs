//! The class `ReductionRead`: a read whose chunks become statistics, which can be asked for at any time.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, BigInt64Array, BigUint64Array, Float64Array, Promise, Uint32Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::read::ReadTarget;
use crate::answers::{
    AnswerColumn, Cells, Counting, Groups, Reduction, ReductionSettings, Statistics, Weights,
};
use crate::error::Result;
use crate::grid::ChunkSelection;
use crate::js::JsResult;
use crate::js::chunks::in_flight::ReadContext;
use crate::js::chunks::sources::JoinedSources;
use crate::js::convert::value::{field, given};
use crate::js::options::read_options::GetOptions;
use crate::js::output::reduced::Reduced;
use crate::js::output::sink::Sink;
use crate::js::run::{Execution, Progress};
use crate::js::support::loading::with_parts;
use crate::js::support::work::{Cancellation, Work, promise};
use crate::network::Urgency;
use crate::parts::{Answers, Loaded, later};
use crate::read::Plan;

/// A read whose chunks become statistics.
#[wasm_bindgen(skip_typescript)]
pub struct ReductionRead {
    reduction: Rc<RefCell<Reduction>>,
    /// What the read needs; taken when it begins.
    work: RefCell<Option<(Rc<JoinedSources>, ReadTarget, GetOptions)>>,
    part: Loaded<Answers>,
}

#[wasm_bindgen]
impl ReductionRead {
    /// Reads all chunks; the promise is settled when the statistics are complete.
    pub fn read(&self) -> Promise {
        let (reduction, part, work) = (Rc::clone(&self.reduction), self.part, self.work.take());
        promise(async move {
            let Some((sources, target, options)) = work else { return Ok(JsValue::UNDEFINED) };
            let plan = target.plan(&sources.array, &options.form)?;
            let cancellation = Cancellation::new(options.signal.clone())?;
            let progress = Progress::new(&plan, options.on_progress.as_ref());
            let context = ReadContext::new(Urgency::Now, sources.admission(&plan));
            let sink = Sink::Reduced(Reduced::new(&plan, reduction, part));
            let work = Execution::new(&sources, &plan, context, options.order, sink, progress).run();
            cancellation.run(async { work.await.map(|_| JsValue::UNDEFINED) }).await
        })
    }

    /// The statistics of the items so far, one typed array for each name, and one for the quantiles after these.
    pub fn columns(&self) -> Array {
        columns(self.part, &self.reduction)
    }

    /// Number type of the items; of complex ones, that of their parts.
    #[wasm_bindgen(getter)]
    pub fn numbers(&self) -> String {
        numbers(self.part, &self.reduction)
    }
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
        let reduction = with_parts(sources.part_timeout(), || {
            let plan = target.plan(&sources.array, &options.form)?;
            begun(&plan, &settings)
        });
        let reduction = Rc::new(RefCell::new(reduction.await?));
        Ok(ReductionRead { reduction, work: RefCell::new(Some((sources, target, options))), part }.into())
    })
}

/// Begins the reduction of what a plan reads.
fn begun(plan: &Plan<'_>, settings: &JsValue) -> Result<Reduction> {
    let (ChunkSelection::Axes(picks), [column]) = (plan.selection(), plan.columns()) else {
        return Err(crate::Error::Unsupported {
            feature: "statistics of several fields".to_owned(),
            reason: "name one field in the option fields".to_owned(),
        });
    };
    let array = plan.array();
    let converted = column.cast.as_ref().map(|cast| cast.target());
    Reduction::new(
        parsed(plan, settings),
        (&column.data_type, converted),
        picks,
        [array.read_grid(), &array.metadata.chunk_grid],
        plan.lengths(),
    )
}

/// The settings of a reduction, which the package's own JavaScript makes; what is missing counts as absent.
fn parsed(plan: &Plan<'_>, settings: &JsValue) -> ReductionSettings {
    let list =
        |value: &JsValue| -> Vec<JsValue> { value.dyn_ref::<Array>().map(Array::to_vec).unwrap_or_default() };
    let floats = |value: &JsValue| -> Vec<f64> { list(value).iter().filter_map(JsValue::as_f64).collect() };
    let index = |value: &JsValue| value.as_f64().unwrap_or_default() as usize;
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
                of: field(&groups, "of")
                    .dyn_ref::<Uint32Array>()
                    .map(Uint32Array::to_vec)
                    .unwrap_or_default(),
                count: index(&field(&groups, "count")),
            }),
            weights: given(settings, "weights").map(|weights| Weights {
                strides: strides(&weights),
                of: field(&weights, "of")
                    .dyn_ref::<Float64Array>()
                    .map(Float64Array::to_vec)
                    .unwrap_or_default(),
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
            skips: field(settings, "skips").is_truthy(),
            are_times: false,
        },
        names,
        quantiles,
        ddof: field(settings, "ddof").as_f64().unwrap_or_default(),
        axes_before_groups: index(&field(settings, "axesBeforeGroups")),
    }
}

#[later]
fn columns(_: Loaded<Answers>, reduction: &Rc<RefCell<Reduction>>) -> Array {
    let reduction = reduction.borrow();
    let is_unsigned = reduction.is_unsigned();
    let typed = |column: AnswerColumn| -> JsValue {
        match column {
            AnswerColumn::Floats(floats) => Float64Array::from(floats.as_slice()).into(),
            AnswerColumn::Integers(integers) => {
                let integers = BigInt64Array::from(integers.as_slice());
                if is_unsigned { BigUint64Array::new(&integers.buffer()).into() } else { integers.into() }
            }
        }
    };
    reduction.columns().into_iter().map(typed).collect()
}

#[later]
fn numbers(_: Loaded<Answers>, reduction: &Rc<RefCell<Reduction>>) -> String {
    reduction.borrow().numeric().to_string()
}
