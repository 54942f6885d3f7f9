//! Reductions in workers: what is made of a chunk where it is decoded is, to the bit, what is made of it here.

use crate::support::{document_with, little};
use fastrand::Rng;
use rectilinear_zarr::answers::{
    AnswerColumn, BoxItems, Cells, ChunkBox, Groups, PickedItems, Reduction, ReductionSettings, Statistics,
    Weights, reduced_apart,
};
use rectilinear_zarr::grid::{AxisIndexer, AxisSelection, ChunkSelection};
use rectilinear_zarr::output::{Cast, Decoded, Numeric, Scalar};
use rectilinear_zarr::parts::Loaded;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Plan, Task};
use serde_json::{Value, json};

/// Types of items, and those that are cast to float64 with a missing value and a scale.
fn types() -> Vec<(Value, bool)> {
    let time = json!({ "name": "numpy.datetime64", "configuration": { "unit": "s", "scale_factor": 1 } });
    let plain = ["float64", "float32", "float16", "int16", "uint8", "int64", "uint64", "bool", "complex64"];
    let cast = ["int16", "float32", "uint64", "float64"];
    let plain = plain.into_iter().map(Value::from).chain([time]).map(|name| (name, false));
    plain.chain(cast.into_iter().map(|name| (Value::from(name), true))).collect()
}

fn array(rng: &mut Rng, data_type: &Value) -> Array {
    let rank = rng.usize(1..4);
    let edges: Vec<Vec<u64>> =
        (0..rank).map(|_| (0..rng.usize(1..4)).map(|_| rng.u64(1..24)).collect()).collect();
    let shape: Vec<u64> = edges.iter().map(|edges| rng.u64(1..=edges.iter().sum())).collect();
    let text = document_with(&shape, &json!(edges), "float64", &json!([little()]));
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    document["data_type"] = data_type.clone();
    document["fill_value"] = match data_type.as_str() {
        Some("bool") => json!(false),
        Some(name) if name.starts_with("complex") => json!([0.0, 0.0]),
        _ => json!(0),
    };
    Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES).unwrap()
}

/// A chunk of few different items, some of which are missing.
fn chunk(rng: &mut Rng, array: &Array, task: &Task) -> Decoded<'static> {
    let data_type = &array.metadata.data_type;
    let size = data_type.item_size();
    let mut strides = vec![0; task.chunk_shape.len()];
    let mut step = size;
    for axis in (0..strides.len()).rev() {
        strides[axis] = step;
        step *= task.chunk_shape[axis] as usize;
    }
    let mut bytes = vec![0; step];
    let (numeric, part) = match data_type.name() {
        "complex64" => (Numeric::Float(32), 4),
        "numpy.datetime64" => (Numeric::Int(64), 8),
        _ => (data_type.numeric().unwrap(), size),
    };
    for item in bytes.chunks_exact_mut(part) {
        let is_missing = rng.u8(0..6) == 0;
        if numeric == Numeric::Bool {
            item[0] = u8::from(rng.bool());
        } else if numeric.is_float() {
            let float = if is_missing { f64::NAN } else { f64::from(rng.i16(-2000..2400)) / 7.0 };
            numeric.put_floats(&[float], item);
        } else if is_missing && data_type.name() == "numpy.datetime64" {
            item.copy_from_slice(&i64::MIN.to_le_bytes());
        } else {
            numeric.put_floats(&[f64::from(rng.u8(0..100))], item);
        }
    }
    Decoded { bytes: bytes.into(), strides, heap: (&[][..]).into(), reversed: None }
}

fn settings(rng: &mut Rng, lengths: &[u64], [is_complex, is_time]: [bool; 2]) -> ReductionSettings {
    let kept: Vec<bool> = lengths.iter().map(|_| rng.u8(0..3) == 0).collect();
    let along = |rng: &mut Rng, may: &dyn Fn(usize) -> bool| {
        let mut step = 1;
        let mut strides: Vec<usize> = vec![0; lengths.len()];
        for axis in (0..lengths.len()).rev().filter(|axis| may(*axis)).collect::<Vec<_>>() {
            if rng.bool() {
                strides[axis] = step;
                step *= lengths[axis] as usize;
            }
        }
        (strides, step)
    };
    let groups = rng.bool().then(|| {
        let (strides, places) = along(rng, &|axis| !kept[axis]);
        let of = (0..places).map(|_| if rng.u8(0..5) == 0 { u32::MAX } else { rng.u32(0..3) }).collect();
        Groups { strides, of, count: 3 }
    });
    let weights = rng.bool().then(|| {
        let (strides, places) = along(rng, &|_| true);
        Weights { strides, of: (0..places).map(|_| f64::from(rng.u8(0..9)) / 7.0).collect() }
    });
    let names: &[&str] = match (is_complex, is_time) {
        (true, _) => &["count", "sum", "mean", "var"],
        (false, true) => &["count", "sum", "mean", "min", "max", "argmin", "argmax", "histogram"],
        (false, false) => &["count", "sum", "mean", "var", "min", "max", "argmin", "argmax", "histogram"],
    };
    ReductionSettings {
        cells: Cells { lengths: lengths.to_vec(), kept, groups, weights },
        statistics: Statistics {
            sums: true,
            moments: !is_time,
            least: !is_complex,
            greatest: !is_complex,
            edges: if is_complex { Vec::new() } else { vec![-40.0, 0.0, 1.0, 20.0, 90.0] },
            values: false,
            counting: None,
            skips: rng.bool(),
            skips_times: rng.bool(),
            are_times: false,
            are_complex: false,
        },
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        quantiles: Vec::new(),
        ddof: 1.0,
        axes_before_groups: 0,
    }
}

fn select(rng: &mut Rng, length: u64) -> AxisSelection {
    match rng.u8(0..6) {
        0 => AxisSelection::Index(rng.u64(0..length).cast_signed()),
        1 => AxisSelection::List((0..5).map(|_| rng.u64(0..length).cast_signed()).collect()),
        2 => AxisSelection::Slice { start: None, stop: None, step: -1 },
        3 => AxisSelection::Slice { start: None, stop: None, step: 2 },
        _ => AxisSelection::All,
    }
}

/// Bounds of a chunk's items in the result, along each axis of it.
type Bounds = Vec<(u64, u64)>;

/// The job of a task, as a read asks for it.
fn job(reduction: &Reduction, plan: &Plan<'_>, task: &Task, chunk_bytes: u64) -> Option<(Bounds, Vec<u8>)> {
    let ChunkSelection::Axes(axes) = &task.selection else { panic!("points") };
    let stretches: Vec<_> = axes.iter().map(AxisIndexer::stretches).collect();
    if stretches.iter().any(|along| along.len() != 1) {
        return None;
    }
    let picks: Vec<_> = stretches.iter().map(|along| along[0].1.clone()).collect();
    let bounds: Bounds = stretches
        .iter()
        .zip(plan.lengths())
        .filter(|(_, length)| length.is_some())
        .map(|(along, _)| (along[0].0, along[0].0 + along[0].1.count()))
        .collect();
    let column = &plan.column_of(task.array);
    let lengths = plan.lengths();
    let job = reduction.job(ChunkBox { bounds: &bounds, picks: &picks, lengths, column, chunk_bytes })?;
    Some((bounds, job))
}

/// The answer, some chunks of which are reduced by jobs; counts these.
fn reduced(
    plan: &Plan<'_>,
    settings: &ReductionSettings,
    chunks: &[(Task, Decoded<'_>)],
    order: &[usize],
    away: Option<&mut usize>,
) -> Vec<AnswerColumn> {
    let mut reduction = Reduction::new(settings.clone(), PickedItems::of(plan).unwrap()).unwrap();
    let mut count = 0;
    for nth in order {
        let (task, chunk) = &chunks[*nth];
        if away.is_some()
            && nth % 4 != 3
            && let Some((bounds, job)) = job(&reduction, plan, task, u64::MAX)
        {
            reduction.put_reduced(&bounds, &reduced_apart(&job, chunk).unwrap()).unwrap();
            count += 1;
            continue;
        }
        for part in plan.boxes(task, Some(chunk)).unwrap() {
            reduction.put(&part.bounds, BoxItems::Stored(&part.columns[0].bytes));
        }
    }
    if let Some(away) = away {
        *away += count;
    }
    reduction.columns()
}

fn bits(columns: &[AnswerColumn]) -> Vec<Vec<u64>> {
    let bits = |column: &AnswerColumn| match column {
        AnswerColumn::Floats(floats) => floats.iter().map(|float| float.to_bits()).collect(),
        AnswerColumn::Integers(integers) => integers.iter().map(|integer| integer.cast_unsigned()).collect(),
    };
    columns.iter().map(bits).collect()
}

#[test]
fn what_workers_make_of_chunks_is_the_same_to_the_bit() {
    let mut rng = Rng::with_seed(11);
    for (data_type, is_cast) in types() {
        let mut away = 0;
        for case in 0..150 {
            let array = array(&mut rng, &data_type);
            let selection: Vec<_> =
                array.metadata.shape.iter().map(|length| select(&mut rng, *length)).collect();
            let mut plan = array.plan(&selection).unwrap();
            if is_cast {
                let cast = |_: &_, column: &rectilinear_zarr::output::OutputField| {
                    let cast =
                        Cast::new(Loaded::get().unwrap(), &column.data_type, Numeric::Float(64)).unwrap();
                    Ok(Some(cast.without(Scalar::Integer(7)).scaled(0.1, 3.0, Numeric::Float(64))))
                };
                plan = plan.with_casts(cast).unwrap();
            }
            let settings =
                settings(&mut rng, &plan.shape(), [data_type == "complex64", data_type.is_object()]);
            let chunks: Vec<_> = plan
                .tasks()
                .map(|task| {
                    let task = task.unwrap();
                    let chunk = chunk(&mut rng, &array, &task);
                    (task, chunk)
                })
                .collect();
            let mut order: Vec<usize> = (0..chunks.len()).collect();
            let here = reduced(&plan, &settings, &chunks, &order, None);
            rng.shuffle(&mut order);
            let there = reduced(&plan, &settings, &chunks, &order, Some(&mut away));
            assert_eq!(bits(&here), bits(&there), "{data_type} {is_cast}, case {case}: {settings:?}");
        }
        assert!(away > 15, "{data_type}: {away} chunks went to a worker");
    }
}

#[test]
fn jobs_and_results_are_few_bytes_or_the_chunk_comes() {
    let mut rng = Rng::with_seed(5);
    let shape = [64, 64];
    let document = document_with(&shape, &json!([[64], [64]]), "float32", &json!([little()]));
    let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let plan = array.plan(&[]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let chunk = chunk(&mut rng, &array, &task);
    let bytes = array.decoded_bytes(&task);
    let begun = |kept: [bool; 2], weights: Option<Weights>| {
        let cells = Cells { lengths: shape.to_vec(), kept: kept.to_vec(), groups: None, weights };
        let settings = ReductionSettings {
            cells,
            statistics: Statistics { sums: true, ..Statistics::default() },
            names: vec!["mean".to_owned()],
            quantiles: Vec::new(),
            ddof: 0.0,
            axes_before_groups: 0,
        };
        Reduction::new(settings, PickedItems::of(&plan).unwrap()).unwrap()
    };
    let (_, mean) = job(&begun([false; 2], None), &plan, &task, bytes).unwrap();
    let answer = reduced_apart(&mean, &chunk).unwrap();
    assert!(mean.len() < 1000 && answer.len() == 24, "{} and {}", mean.len(), answer.len());
    let rows = Weights { strides: vec![1, 0], of: vec![0.5; 64] };
    let (_, weighted) = job(&begun([false; 2], Some(rows)), &plan, &task, bytes).unwrap();
    assert!(weighted.len() < 1600, "{}", weighted.len());
    // A weight for each item is as much as the items.
    let all = Weights { strides: vec![64, 1], of: vec![0.5; 64 * 64] };
    assert!(job(&begun([false; 2], Some(all)), &plan, &task, bytes).is_none());
    assert!(job(&begun([true; 2], None), &plan, &task, bytes).is_none(), "every item is a cell");

    // What is cut short is an error, and changes nothing.
    for length in 0..mean.len() {
        let error = reduced_apart(&mean[..length], &chunk).unwrap_err().to_string();
        assert!(error.contains("different versions"), "{length}: {error}");
    }
    let mut reduction = begun([false; 2], None);
    for length in 0..answer.len() {
        reduction.put_reduced(&[(0, 64), (0, 64)], &answer[..length]).unwrap_err();
    }
    reduction.put_reduced(&[(0, 64), (0, 64)], &answer).unwrap();
    assert_eq!(bits(&reduction.columns())[0].len(), 1);
}
