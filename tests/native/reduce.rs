//! Reductions against a slow twin: random grids, selections, groups and weights, chunks in any order.

use crate::support::{document_with, little};
use fastrand::Rng;
use rectilinear_zarr::answers::{
    AnswerColumn, BoxItems, Cells, Counting, Groups, PickedItems, Reduction, ReductionSettings, Statistics,
    Weights,
};
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::output::{Decoded, Numeric};
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Plan, Task};
use serde_json::json;

const NAMES: [&str; 9] = ["count", "sum", "mean", "var", "min", "max", "argmin", "argmax", "histogram"];
const EDGES: [f64; 6] = [-4.0, -2.0, 0.0, 1.0, 1.5, 6.0];
const QUANTILES: [f64; 4] = [0.0, 0.25, 0.6, 1.0];

/// An array of float64 whose chunks are in memory, and a selection from it.
struct Twin {
    array: Array,
    shape: Vec<u64>,
    items: Vec<f64>,
    selection: Vec<AxisSelection>,
    /// Picked coordinates along each axis, and whether the axis is dropped.
    picked: Vec<(Vec<u64>, bool)>,
}

fn product(lengths: &[u64]) -> Vec<Vec<u64>> {
    lengths.iter().fold(vec![vec![]], |heads, &length| {
        heads.iter().flat_map(|head| (0..length).map(move |at| [head.as_slice(), &[at]].concat())).collect()
    })
}

fn flat(index: &[u64], shape: &[u64]) -> usize {
    index.iter().zip(shape).fold(0, |flat, (at, length)| flat * length + at) as usize
}

impl Twin {
    fn random(rng: &mut Rng) -> Self {
        let rank = rng.usize(0..4);
        let edges: Vec<Vec<u64>> =
            (0..rank).map(|_| (0..rng.usize(1..4)).map(|_| rng.u64(1..8)).collect()).collect();
        let shape: Vec<u64> = edges.iter().map(|edges| rng.u64(1..=edges.iter().sum())).collect();
        let document = document_with(&shape, &json!(edges), "float64", &json!([little()]));
        let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        // Few values, so that many are equal; some are missing.
        let item = |_| if rng.u8(0..6) == 0 { f64::NAN } else { f64::from(rng.i8(-20..24)) / 4.0 };
        let items = (0..shape.iter().product()).map(item).collect();
        let (selection, picked) = shape.iter().map(|&length| select(rng, length)).unzip();
        Self { array, shape, items, selection, picked }
    }

    fn plan(&self) -> Plan<'_> {
        self.array.plan(&self.selection).unwrap()
    }

    /// The decoded chunk of a task; what lies outside of the array is rubbish.
    fn chunk(&self, task: &Task) -> Decoded<'static> {
        let bounds = self.array.metadata.chunk_grid.bounds(&task.coords).unwrap();
        let mut strides = vec![0; self.shape.len()];
        let mut step = 8;
        for axis in (0..strides.len()).rev() {
            strides[axis] = step;
            step *= task.chunk_shape[axis] as usize;
        }
        let item = |at: Vec<u64>| {
            let index: Vec<u64> = at.iter().zip(&bounds).map(|(at, span)| at + span.start).collect();
            let is_inside = index.iter().zip(&self.shape).all(|(at, length)| at < length);
            if is_inside { self.items[flat(&index, &self.shape)] } else { 1e300 }
        };
        let bytes: Vec<u8> =
            product(&task.chunk_shape).into_iter().flat_map(|at| item(at).to_le_bytes()).collect();
        Decoded { bytes: bytes.into(), strides, heap: (&[][..]).into(), reversed: None }
    }

    /// The item at a position of the result.
    fn item(&self, position: &[u64]) -> f64 {
        let mut position = position.iter();
        let index: Vec<u64> = self
            .picked
            .iter()
            .map(|(picked, is_dropped)| {
                picked[if *is_dropped { 0 } else { *position.next().unwrap() as usize }]
            })
            .collect();
        self.items[flat(&index, &self.shape)]
    }
}

fn select(rng: &mut Rng, length: u64) -> (AxisSelection, (Vec<u64>, bool)) {
    match rng.u8(0..5) {
        0 => {
            let at = rng.u64(0..length);
            (AxisSelection::Index(at.cast_signed()), (vec![at], true))
        }
        1 => {
            let list: Vec<u64> = (0..rng.usize(1..6)).map(|_| rng.u64(0..length)).collect();
            (AxisSelection::List(list.iter().map(|at| at.cast_signed()).collect()), (list, false))
        }
        2 => {
            let step = rng.u64(1..3);
            let slice = AxisSelection::Slice { start: None, stop: None, step: -step.cast_signed() };
            (slice, ((0..length).rev().step_by(step as usize).collect(), false))
        }
        _ => (AxisSelection::All, ((0..length).collect(), false)),
    }
}

/// Settings of a random reduction.
fn settings(rng: &mut Rng, lengths: &[u64]) -> ReductionSettings {
    let kept: Vec<bool> = lengths.iter().map(|_| rng.bool()).collect();
    let strides = |along: &[bool]| {
        let mut step = 1;
        let mut strides: Vec<usize> = vec![0; lengths.len()];
        for axis in (0..lengths.len()).rev().filter(|axis| along[*axis]) {
            strides[axis] = step;
            step *= lengths[axis] as usize;
        }
        (strides, step)
    };
    let groups = rng.bool().then(|| {
        let along: Vec<bool> = kept.iter().map(|kept| !kept && rng.bool()).collect();
        let (strides, places) = strides(&along);
        let of = (0..places).map(|_| if rng.u8(0..5) == 0 { u32::MAX } else { rng.u32(0..3) }).collect();
        Groups { strides, of, count: 3 }
    });
    let weights = rng.bool().then(|| {
        let along: Vec<bool> = lengths.iter().map(|_| rng.bool()).collect();
        let (strides, places) = strides(&along);
        Weights { strides, of: (0..places).map(|_| f64::from(rng.u8(0..9)) / 4.0).collect() }
    });
    let axes_before_groups = rng.usize(0..=kept.iter().filter(|kept| **kept).count());
    let statistics = Statistics {
        sums: true,
        moments: true,
        least: true,
        greatest: true,
        edges: EDGES.to_vec(),
        values: true,
        counting: None,
        skips: rng.bool(),
        skips_times: false,
        are_times: false,
        are_complex: false,
    };
    ReductionSettings {
        cells: Cells { lengths: lengths.to_vec(), kept, groups, weights },
        statistics,
        names: NAMES.map(str::to_owned).to_vec(),
        quantiles: QUANTILES.to_vec(),
        ddof: f64::from(rng.u8(0..2)),
        axes_before_groups,
    }
}

fn begun(settings: &ReductionSettings, plan: &Plan<'_>) -> Reduction {
    Reduction::new(settings.clone(), PickedItems::of(plan).unwrap()).unwrap()
}

/// The answer when chunks arrive in a random order.
fn reduced(twin: &Twin, settings: &ReductionSettings, rng: &mut Rng) -> Vec<Vec<f64>> {
    let plan = twin.plan();
    let mut reduction = begun(settings, &plan);
    let mut tasks: Vec<Task> = plan.tasks().map(|task| task.unwrap()).collect();
    rng.shuffle(&mut tasks);
    for task in tasks {
        for part in plan.boxes(&task, Some(&twin.chunk(&task))).unwrap() {
            reduction.put(&part.bounds, BoxItems::Stored(&part.columns[0].bytes));
        }
    }
    let floats = |column| match column {
        AnswerColumn::Floats(floats) => floats,
        AnswerColumn::Integers(_) => panic!("integers"),
    };
    reduction.columns().into_iter().map(floats).collect()
}

/// What a cell's items give, by the definitions.
fn expected(items: &[(f64, f64, u64)], settings: &ReductionSettings) -> Vec<Vec<f64>> {
    let skips = settings.statistics.skips;
    let valid: Vec<_> = items.iter().copied().filter(|(item, ..)| !item.is_nan()).collect();
    let used = if skips { &valid } else { items };
    let is_weighted = settings.cells.weights.is_some();
    let weight = |weight: f64| if is_weighted { weight } else { 1.0 };
    let sum: f64 = used.iter().map(|(item, own, _)| item * weight(*own)).sum();
    let total: f64 = valid.iter().map(|(_, own, _)| weight(*own)).sum();
    let has_nan = valid.len() < items.len() && !skips;
    let mean = if total == 0.0 || has_nan { f64::NAN } else { sum / total };
    let weighed: Vec<_> = used.iter().filter(|(_, own, _)| weight(*own) != 0.0).collect();
    let squares: f64 = weighed.iter().map(|(item, own, _)| weight(*own) * (item - mean).powi(2)).sum();
    let variance = if total > settings.ddof && !weighed.is_empty() {
        squares / (total - settings.ddof)
    } else {
        f64::NAN
    };
    let extreme = |is_better: fn(f64, f64) -> bool| {
        let mut best: Option<(f64, u64)> = None;
        for (item, _, number) in used {
            let is_taken =
                best.is_none_or(|(own, _)| !own.is_nan() && (item.is_nan() || is_better(*item, own)));
            if is_taken {
                best = Some((*item, *number));
            }
        }
        best.map_or((f64::NAN, f64::NAN), |(item, number)| (item, number as f64))
    };
    let (least, greatest) = (extreme(|item, own| item < own), extreme(|item, own| item > own));
    let bin = |nth: usize| {
        let is_last = nth == EDGES.len() - 2;
        let own = valid.iter().filter(|(item, ..)| {
            *item >= EDGES[nth] && (*item < EDGES[nth + 1] || is_last && *item == EDGES[nth + 1])
        });
        own.map(|(_, own, _)| weight(*own)).sum::<f64>()
    };
    let mut sorted: Vec<f64> = valid.iter().map(|(item, ..)| *item).collect();
    sorted.sort_by(f64::total_cmp);
    let quantile = |q: &f64| {
        if sorted.is_empty() || has_nan {
            return f64::NAN;
        }
        let at = q * (sorted.len() - 1) as f64;
        let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
        low + (high - low) * at.fract()
    };
    vec![
        vec![valid.len() as f64],
        vec![sum],
        vec![mean],
        vec![if has_nan { f64::NAN } else { variance }],
        vec![least.0],
        vec![greatest.0],
        vec![least.1],
        vec![greatest.1],
        (0..EDGES.len() - 1).map(bin).collect(),
        QUANTILES.iter().map(quantile).collect(),
    ]
}

#[test]
fn answers_are_those_of_the_definitions_and_the_same_in_any_order() {
    let mut rng = Rng::with_seed(7);
    for case in 0..1500 {
        let twin = Twin::random(&mut rng);
        let lengths = twin.plan().shape();
        let settings = settings(&mut rng, &lengths);
        let found = reduced(&twin, &settings, &mut rng);
        let again = reduced(&twin, &settings, &mut rng);
        let bits = |columns: &[Vec<f64>]| -> Vec<Vec<u64>> {
            columns.iter().map(|column| column.iter().map(|float| float.to_bits()).collect()).collect()
        };
        assert_eq!(bits(&found), bits(&again), "case {case}: the order of arrival changes the answer");

        let cells = &settings.cells;
        let kept: Vec<usize> = (0..lengths.len()).filter(|axis| cells.kept[*axis]).collect();
        let mut answer_shape: Vec<u64> = kept.iter().map(|axis| lengths[*axis]).collect();
        answer_shape.insert(settings.axes_before_groups, cells.group_count() as u64);
        for place in product(&answer_shape) {
            let group = place[settings.axes_before_groups];
            let mut fixed = place.clone();
            fixed.remove(settings.axes_before_groups);
            let mut items = Vec::new();
            let mut number = 0;
            for position in product(&lengths) {
                if !kept.iter().zip(&fixed).all(|(axis, at)| position[*axis] == *at) {
                    continue;
                }
                let at = |strides: &[usize]| -> usize {
                    position.iter().zip(strides).map(|(at, step)| *at as usize * step).sum()
                };
                let own = cells.groups.as_ref().map_or(0, |groups| groups.of[at(&groups.strides)]);
                let weight = cells.weights.as_ref().map_or(1.0, |weights| weights.of[at(&weights.strides)]);
                if u64::from(own) == group {
                    items.push((twin.item(&position), weight, number));
                }
                number += 1;
            }
            let cell = flat(&place, &answer_shape);
            for (nth, (column, right)) in found.iter().zip(expected(&items, &settings)).enumerate() {
                let own = &column[cell * right.len()..][..right.len()];
                let is_near = own.iter().zip(&right).all(|(own, right)| {
                    own.is_nan() && right.is_nan() || (own - right).abs() <= 1e-12 * right.abs().max(1.0)
                });
                let name = NAMES.get(nth).unwrap_or(&"quantiles");
                assert!(
                    is_near,
                    "case {case}, {name} of {place:?}: {own:?}, not {right:?}, of {items:?} {settings:?}"
                );
            }
        }
    }
}

/// The value of a key, by the definition of keys.
fn value_of(numeric: Numeric, key: u64) -> f64 {
    match numeric {
        Numeric::Float(64) => f64::from_bits(if key >> 63 == 1 { key ^ (1 << 63) } else { !key }),
        Numeric::Float(_) => {
            let key = key as u32;
            f32::from_bits(if key >> 31 == 1 { key ^ (1 << 31) } else { !key }).into()
        }
        Numeric::UInt(64) => key as f64,
        Numeric::Int(64) => (key ^ (1 << 63)).cast_signed() as f64,
        _ => key as f64 - 2f64.powi(31),
    }
}

#[test]
fn an_answer_larger_than_memory_is_refused() {
    let shape = [1 << 20, 1 << 12];
    let document = document_with(&shape, &json!([[1 << 20], [1 << 12]]), "float32", &json!([little()]));
    let array = Array::parse(&document, "", u64::MAX).unwrap();
    let plan = array.plan(&[]).unwrap();
    let cells = Cells { lengths: shape.to_vec(), kept: vec![true, true], groups: None, weights: None };
    let settings = ReductionSettings {
        cells,
        statistics: Statistics { sums: true, ..Statistics::default() },
        names: vec!["mean".to_owned()],
        quantiles: Vec::new(),
        ddof: 0.0,
        axes_before_groups: 0,
    };
    let error = Reduction::new(settings, PickedItems::of(&plan).unwrap()).unwrap_err().to_string();
    assert!(error.contains("an answer of 4294967296 cells takes more than 1 GiB"), "{error}");
}

#[test]
fn leading_bits_lead_to_the_value_of_a_rank() {
    let mut rng = Rng::with_seed(3);
    for data_type in ["float32", "float64", "int16", "uint32", "int64", "uint64"] {
        let length = 5000;
        let document =
            document_with(&[length], &json!([[1000, 1000, 1000, 1000, 1000]]), data_type, &json!([little()]));
        let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        let numeric = array.metadata.data_type.numeric().unwrap();
        let mut floats: Vec<f64> = (0..length).map(|_| (rng.f64() - 0.4) * 3e4).collect();
        if !numeric.is_float() {
            floats.iter_mut().for_each(|float| *float = float.trunc().abs());
        }
        let mut bytes = vec![0; length as usize * numeric.size()];
        for (block, items) in floats.chunks(250).zip(bytes.chunks_mut(250 * numeric.size())) {
            numeric.put_floats(block, items);
        }
        let mut sorted: Vec<f64> = bytes.chunks(numeric.size()).map(|item| numeric.float(item)).collect();
        sorted.sort_by(f64::total_cmp);
        let plan = array.plan(&[]).unwrap();
        for rank in [0, 1, 2499, 4998, 4999] {
            let (mut prefix, mut known, mut left) = (0, 0, rank as f64);
            let width = Counting::key_bits(numeric);
            while known < width {
                let bits = (width - known).min(16);
                let cells = Cells { lengths: vec![length], kept: vec![false], groups: None, weights: None };
                let counting = Counting { known, bits, prefixes: vec![vec![prefix]] };
                let statistics =
                    Statistics { counting: Some(counting), skips: true, ..Statistics::default() };
                let settings = ReductionSettings {
                    cells,
                    statistics,
                    names: vec!["counters".to_owned()],
                    quantiles: Vec::new(),
                    ddof: 0.0,
                    axes_before_groups: 0,
                };
                let mut reduction = begun(&settings, &plan);
                for nth in [3, 0, 4, 1, 2] {
                    let part = 1000 * numeric.size();
                    reduction.put(
                        &[(nth * 1000, nth * 1000 + 1000)],
                        BoxItems::Stored(&bytes[nth as usize * part..][..part]),
                    );
                }
                let [AnswerColumn::Floats(counts)] = &reduction.columns()[..] else { panic!("counters") };
                let mut next = 0;
                while counts[next] <= left {
                    left -= counts[next];
                    next += 1;
                }
                (prefix, known) = ((prefix << bits) | next as u64, known + bits);
            }
            assert_eq!(value_of(numeric, prefix), sorted[rank], "{data_type}, rank {rank}");
        }
    }
}

/// A reduction of an array in one chunk, along all axes that are not kept.
fn whole(array: &Array, kept: &[bool], names: &[&str], statistics: Statistics) -> Reduction {
    let plan = array.plan(&[]).unwrap();
    let cells =
        Cells { lengths: array.metadata.shape.clone(), kept: kept.to_vec(), groups: None, weights: None };
    let settings = ReductionSettings {
        cells,
        statistics,
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        quantiles: Vec::new(),
        ddof: 0.0,
        axes_before_groups: 0,
    };
    Reduction::new(settings, PickedItems::of(&plan).unwrap()).unwrap()
}

fn numbers(column: &AnswerColumn) -> Vec<f64> {
    match column {
        AnswerColumn::Floats(floats) => floats.clone(),
        AnswerColumn::Integers(integers) => integers.iter().map(|integer| *integer as f64).collect(),
    }
}

#[test]
fn items_that_are_not_stored_count_as_if_they_were() {
    let shape = [7, 300];
    let bounds = [(0, 7), (0, 300)];
    for data_type in ["float64", "float32", "int16", "uint64", "int64"] {
        let document = document_with(&shape, &json!([[7], [300]]), data_type, &json!([little()]));
        let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        let numeric = array.metadata.data_type.numeric().unwrap();
        let values: &[f64] = if numeric.is_float() { &[1.5, 0.1, f64::NAN] } else { &[3.0, 0.0] };
        for (value, skips, kept) in
            values.iter().flat_map(|value| [(*value, true), (*value, false)]).flat_map(|(value, skips)| {
                [[false, false], [true, false], [false, true]].map(|kept| (value, skips, kept))
            })
        {
            let mut item = vec![0; numeric.size()];
            numeric.put_floats(&[value], &mut item);
            let statistics = Statistics {
                sums: true,
                moments: true,
                least: true,
                greatest: true,
                edges: vec![-1.0, 0.5, 2.0, 4.0],
                skips,
                ..Statistics::default()
            };
            let both = [BoxItems::Filled(&item), BoxItems::Stored(&item.repeat(2100))].map(|items| {
                let mut reduction = whole(&array, &kept, &NAMES, statistics.clone());
                reduction.put(&bounds, items);
                reduction.columns().iter().map(numbers).collect::<Vec<_>>()
            });
            for (name, (one, other)) in NAMES.iter().zip(both[0].iter().zip(&both[1])) {
                let is_near = |(a, b): (&f64, &f64)| {
                    (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * b.abs().max(1e-3)
                };
                assert!(one.iter().zip(other).all(is_near), "{data_type} {value} {name}: {one:?}, {other:?}");
            }
        }
    }
}

#[test]
fn leading_bits_are_counted_beyond_32_bits() {
    let length = 1 << 40;
    let document = document_with(&[length], &json!([[length]]), "float32", &json!([little()]));
    let array = Array::parse(&document, "", u64::MAX).unwrap();
    let counting = Counting { known: 0, bits: 16, prefixes: vec![vec![0]] };
    let statistics = Statistics { counting: Some(counting), skips: true, ..Statistics::default() };
    let mut reduction = whole(&array, &[false], &["counters"], statistics);
    reduction.put(&[(0, length)], BoxItems::Filled(&1f32.to_le_bytes()));
    let columns = reduction.columns();
    assert_eq!(
        numbers(&columns[0]).into_iter().filter(|count| *count > 0.0).collect::<Vec<_>>(),
        [2f64.powi(40)]
    );
}

/// The least 64-bit integer, which means not-a-time.
const NO_TIME: i64 = i64::MIN;

#[test]
fn not_a_time_is_left_out_or_spreads() {
    let time = json!({ "name": "numpy.timedelta64", "configuration": { "unit": "s", "scale_factor": 1 } });
    let document = document_with(&[2, 4], &json!([[2], [4]]), "a time", &json!([little()]));
    let document = String::from_utf8(document).unwrap().replace("\"a time\"", &time.to_string()).into_bytes();
    let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let items: Vec<u8> =
        [5, NO_TIME, 7, 3, 1, 2, 3, 4].into_iter().flat_map(|time: i64| time.to_le_bytes()).collect();
    let names = ["count", "sum", "mean", "min", "max", "argmin", "argmax"];
    for (skips, skips_times, expected) in [
        // As xarray by default, and where it is told to skip, or not to.
        (true, false, [3, NO_TIME, 5, NO_TIME, NO_TIME, 1, 1]),
        (true, true, [3, 15, 5, 3, 7, 3, 2]),
        (false, false, [3, NO_TIME, NO_TIME, NO_TIME, NO_TIME, 1, 1]),
    ] {
        let statistics = Statistics {
            sums: true,
            least: true,
            greatest: true,
            skips,
            skips_times,
            ..Statistics::default()
        };
        let mut reduction = whole(&array, &[true, false], &names, statistics);
        reduction.put(&[(0, 2), (0, 4)], BoxItems::Stored(&items));
        let found: Vec<f64> = reduction.columns().iter().map(|column| numbers(column)[0]).collect();
        assert_eq!(found, expected.map(|number| number as f64), "{skips} {skips_times}");
        let whole: Vec<f64> = reduction.columns().iter().map(|column| numbers(column)[1]).collect();
        assert_eq!(whole, [4.0, 10.0, 2.0, 1.0, 4.0, 0.0, 3.0], "{skips} {skips_times}");
    }
    let error = Reduction::new(
        ReductionSettings {
            cells: Cells { lengths: vec![2, 4], kept: vec![true, false], groups: None, weights: None },
            statistics: Statistics { moments: true, ..Statistics::default() },
            names: vec!["var".to_owned()],
            quantiles: Vec::new(),
            ddof: 0.0,
            axes_before_groups: 0,
        },
        PickedItems::of(&array.plan(&[]).unwrap()).unwrap(),
    );
    assert!(error.unwrap_err().to_string().contains("a variance of numpy.timedelta64"));
}

#[test]
fn a_complex_number_counts_where_both_its_parts_are_there() {
    let document = document_with(&[4], &json!([[4]]), "complex64", &json!([little()]));
    let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let nan = f32::NAN;
    let items: Vec<u8> =
        [1.0, 2.0, nan, 3.0, 4.0, nan, 5.0, 6.0].into_iter().flat_map(f32::to_le_bytes).collect();
    for skips in [true, false] {
        let statistics = Statistics { sums: true, skips, ..Statistics::default() };
        let mut reduction = whole(&array, &[false], &["count", "sum"], statistics);
        reduction.put(&[(0, 4)], BoxItems::Stored(&items));
        let columns = reduction.columns();
        assert_eq!(numbers(&columns[0]), [2.0, 2.0], "{skips}");
        assert_eq!(numbers(&columns[1])[0].is_nan(), !skips);
    }
}
