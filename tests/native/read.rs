//! Whole reads against a slow twin: random grids, selections, item sizes, transposes, missing and stale chunks.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::support::rows::read_in_rows;
use crate::support::{document_with, little};
use fastrand::Rng;
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::network::ByteRange;
use rectilinear_zarr::read::{Array, ChunkLocation, DEFAULT_MAX_CHUNK_BYTES, Output, Plan, Task};
use serde_json::json;

const DATA_TYPES: [(&str, usize); 4] = [("uint8", 1), ("int16", 2), ("uint32", 4), ("int64", 8)];

/// An array with its edges written out and its chunks in memory.
struct Twin {
    array: Array,
    edges: Vec<Vec<u64>>,
    shape: Vec<u64>,
    item: usize,
    /// Decoded chunks by coordinates, in C order; what is not there was never written.
    chunks: HashMap<Vec<u64>, Vec<u8>>,
    /// Items as the store has them.
    stored: HashMap<String, Vec<u8>>,
}

fn product(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![vec![]], |heads, &edge| {
        heads.iter().flat_map(|head| (0..edge).map(move |at| [head.as_slice(), &[at]].concat())).collect()
    })
}

fn flat(index: &[u64], shape: &[u64], item: usize) -> usize {
    let flat = index.iter().zip(shape).fold(0, |flat, (at, edge)| flat * edge + at);
    usize::try_from(flat).unwrap() * item
}

impl Twin {
    fn random(rng: &mut Rng) -> Self {
        let rank = rng.usize(0..4);
        // Every other axis has chunks of one edge, of which rows are made.
        let edges = |rng: &mut Rng| match rng.bool() {
            true => vec![rng.u64(1..5); rng.usize(1..6)],
            false => (0..rng.usize(1..4)).map(|_| rng.u64(1..5)).collect(),
        };
        let edges: Vec<Vec<u64>> = (0..rank).map(|_| edges(rng)).collect();
        let shape: Vec<u64> = edges.iter().map(|edges| rng.u64(1..=edges.iter().sum())).collect();
        let (data_type, item) = DATA_TYPES[rng.usize(0..4)];
        let mut order: Vec<usize> = (0..rank).collect();
        rng.shuffle(&mut order);
        let is_big = rng.bool();
        let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
        let bytes = if is_big { big } else { little() };
        let codecs = json!([{ "name": "transpose", "configuration": { "order": order } }, bytes]);
        let document = document_with(&shape, &json!(edges), data_type, &codecs);
        let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();

        let mut twin = Self { array, edges, shape, item, chunks: HashMap::new(), stored: HashMap::new() };
        let grid_shape: Vec<u64> = twin.edges.iter().map(|edges| edges.len() as u64).collect();
        for coords in product(&grid_shape) {
            if rng.u8(0..5) == 0 {
                continue;
            }
            let chunk_shape: Vec<u64> = twin.chunk_shape(&coords);
            let size = usize::try_from(chunk_shape.iter().product::<u64>()).unwrap() * item;
            let chunk: Vec<u8> = (0..size).map(|_| rng.u8(..)).collect();
            let mut stored = transposed(&chunk, &chunk_shape, &order, item);
            if is_big {
                stored.chunks_exact_mut(item).for_each(<[u8]>::reverse);
            }
            let key = std::iter::once("c".to_owned()).chain(coords.iter().map(u64::to_string));
            twin.stored.insert(key.collect::<Vec<_>>().join("/"), stored);
            twin.chunks.insert(coords, chunk);
        }
        twin
    }

    fn chunk_shape(&self, coords: &[u64]) -> Vec<u64> {
        coords.iter().zip(&self.edges).map(|(&at, edges)| edges[usize::try_from(at).unwrap()]).collect()
    }

    /// One item, by adding edges up.
    fn item_at(&self, index: &[u64]) -> Vec<u8> {
        let (mut coords, mut within) = (Vec::new(), Vec::new());
        for (&at, edges) in index.iter().zip(&self.edges) {
            let (mut chunk, mut rest) = (0, at);
            while rest >= edges[chunk] {
                rest -= edges[chunk];
                chunk += 1;
            }
            coords.push(chunk as u64);
            within.push(rest);
        }
        let Some(chunk) = self.chunks.get(&coords) else {
            return 7u64.to_le_bytes()[..self.item].to_vec();
        };
        let from = flat(&within, &self.chunk_shape(&coords), self.item);
        chunk[from..from + self.item].to_vec()
    }

    fn read(&self, plan: &Plan<'_>, rng: &mut Rng) -> Vec<u8> {
        let mut tasks: Vec<_> = plan.tasks().map(Result::unwrap).collect();
        // Answers come in any order.
        rng.shuffle(&mut tasks);
        // The staging buffers that it is put together in may be of any size.
        let mut output = Output::in_buffers(plan, rng.u64(1..400)).unwrap();
        for task in tasks {
            let stored = self.stored.get(task.key()).map(|bytes| Cow::Borrowed(bytes.as_slice()));
            let chunk = plan.array().decode(&task, stored).unwrap();
            output.put(&task, chunk.as_ref()).unwrap();
        }
        output.finish().bytes.into_owned()
    }
}

impl Twin {
    /// Reading one staging buffer after the other: of each chunk the stretch that a buffer needs.
    fn read_along(&self, plan: &Plan<'_>, bytes: u64) -> Vec<u8> {
        let mut staging = plan.staging_across_chunks(bytes).unwrap();
        let mut whole = vec![0; usize::try_from(plan.output_size()).unwrap()];
        for nth in 0..staging.count() {
            let mut made = None;
            for task in plan.within(&staging.rows(nth)).tasks().map(Result::unwrap) {
                let task = plan.array().stretch(&task).unwrap_or(task);
                assert_eq!(staging.of(&task.selection), nth..nth + 1, "{task:?}");
                assert!(made.is_none(), "buffer {nth} is whole before {task:?}");
                let stored = self.stored.get(task.key()).map(|bytes| Cow::Borrowed(cut(bytes, &task)));
                let chunk = plan.array().decode(&task, stored).unwrap();
                made = staging.put(nth, task.place(), chunk.as_ref()).unwrap();
            }
            for items in made.unwrap().columns {
                let (items, place) = items.placed();
                whole[place].copy_from_slice(items);
            }
        }
        whole
    }
}

/// The bytes that a task asks for.
fn cut<'a>(bytes: &'a [u8], task: &Task) -> &'a [u8] {
    let ChunkLocation::Stored(request) = &task.location else { panic!("nothing is stored") };
    let place = |at: u64| usize::try_from(at).unwrap();
    match &request.range {
        ByteRange::Span(span) => &bytes[place(span.start)..place(span.end)],
        _ => bytes,
    }
}

/// A chunk as `transpose` stores it: axis `i` of the stored one is axis `order[i]`.
fn transposed(chunk: &[u8], shape: &[u64], order: &[usize], item: usize) -> Vec<u8> {
    let stored_shape: Vec<u64> = order.iter().map(|&axis| shape[axis]).collect();
    let mut stored = vec![0; chunk.len()];
    for index in product(shape) {
        let moved: Vec<u64> = order.iter().map(|&axis| index[axis]).collect();
        let (from, to) = (flat(&index, shape, item), flat(&moved, &stored_shape, item));
        stored[to..to + item].copy_from_slice(&chunk[from..from + item]);
    }
    stored
}

#[test]
fn random_reads_equal_an_item_by_item_walk() {
    let mut rng = Rng::with_seed(6);
    let (mut along, mut rows) = (0, 0);
    for _ in 0..4000 {
        let twin = Twin::random(&mut rng);
        let mut selection = Vec::new();
        let mut picked: Vec<Vec<u64>> = Vec::new();
        for &extent in &twin.shape {
            let all: Vec<u64> = (0..extent).collect();
            let low = rng.u64(0..extent);
            let high = rng.u64(low..=extent);
            let step = rng.usize(1..4);
            let (low_signed, high_signed, step_signed) =
                (low.cast_signed(), high.cast_signed(), step.cast_signed());
            let (asked, takes): (AxisSelection, Vec<u64>) = match rng.u8(0..6) {
                0 => (AxisSelection::All, all),
                1 => (AxisSelection::Index(low_signed - extent.cast_signed()), vec![low]),
                2 => (
                    AxisSelection::Slice {
                        start: Some(low_signed),
                        stop: Some(high_signed),
                        step: step_signed as i64,
                    },
                    (low..high).step_by(step).collect(),
                ),
                3 => {
                    let takes: Vec<u64> = (0..rng.u8(0..6)).map(|_| rng.u64(0..extent)).collect();
                    let wrap =
                        |at: &u64| at.cast_signed() - if rng.bool() { extent.cast_signed() } else { 0 };
                    (AxisSelection::List(takes.iter().map(wrap).collect()), takes)
                }
                4 => {
                    let mask: Vec<bool> = (0..extent).map(|_| rng.bool()).collect();
                    let takes =
                        all.into_iter().zip(&mask).filter_map(|(at, &is_taken)| is_taken.then_some(at));
                    (AxisSelection::Mask(mask.clone()), takes.collect())
                }
                _ => (
                    AxisSelection::Slice { start: None, stop: None, step: -(step_signed as i64) },
                    all.into_iter().rev().step_by(step).collect(),
                ),
            };
            selection.push(asked);
            picked.push(takes);
        }
        let expected: Vec<u8> = picked
            .iter()
            .fold(vec![vec![]], |heads: Vec<Vec<u64>>, takes| {
                heads
                    .iter()
                    .flat_map(|head| takes.iter().map(move |&at| [head.as_slice(), &[at]].concat()))
                    .collect()
            })
            .iter()
            .flat_map(|index| twin.item_at(index))
            .collect();
        let plan = twin.array.plan(&selection).unwrap();
        let got = twin.read(&plan, &mut rng);
        assert_eq!(got, expected, "{selection:?} of {:?} in {:?}", twin.shape, twin.edges);
        if plan.reads_along() {
            along += 1;
            let got = twin.read_along(&plan, rng.u64(1..100));
            assert_eq!(got, expected, "{selection:?} of {:?} in {:?}", twin.shape, twin.edges);
        }
        let (got, put) = read_in_rows(&plan, rng.u64(1..400), |key| twin.stored.get(key).cloned());
        assert_eq!(got, expected, "{selection:?} of {:?} in {:?}", twin.shape, twin.edges);
        rows += put;
        let tasks: Vec<_> = plan.tasks().map(|task| task.unwrap().coords).collect();
        let each_once: HashSet<_> = tasks.iter().collect();
        assert_eq!((tasks.len(), plan.chunks()), (each_once.len(), tasks.len() as u64), "{selection:?}");
    }
    assert!(along > 100 && rows > 100, "{along} reads buffer by buffer, {rows} rows at once");
}

#[test]
fn random_points_equal_an_item_by_item_look_up() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..1500 {
        let twin = Twin::random(&mut rng);
        let count = rng.usize(0..12);
        let points: Vec<Vec<u64>> =
            (0..count).map(|_| twin.shape.iter().map(|&extent| rng.u64(0..extent)).collect()).collect();
        let asked: Vec<i64> = points
            .iter()
            .flat_map(|point| point.iter().zip(&twin.shape))
            .map(|(at, extent)| at.cast_signed() - if rng.bool() { extent.cast_signed() } else { 0 })
            .collect();
        let plan = twin.array.plan_points(count, &asked).unwrap();
        assert_eq!(plan.shape(), [count as u64]);
        let expected: Vec<u8> = points.iter().flat_map(|point| twin.item_at(point)).collect();
        assert_eq!(twin.read(&plan, &mut rng), expected, "{asked:?} of {:?} in {:?}", twin.shape, twin.edges);
        let tasks: Vec<_> = plan.tasks().map(|task| task.unwrap().coords).collect();
        assert!(tasks.is_sorted_by(|one, next| one < next), "each chunk once, in grid order: {tasks:?}");
        assert_eq!(plan.chunks(), tasks.len() as u64);
    }
}

#[test]
fn points_outside_are_refused_by_their_number() {
    let bytes = document_with(&[4, 5], &json!([2, 3]), "int16", &json!([little()]));
    let array = Array::parse(&bytes, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let refused = |count, points: &[i64]| array.plan_points(count, points).unwrap_err().to_string();
    let message = refused(3, &[0, 0, -4, -5, 3, 5]);
    assert!(message.contains("axis 1: point 2: index 5") && message.contains("-5 to 4"), "{message}");
    assert!(refused(2, &[0, 0, 0]).contains("3 coordinates for 2 points"));
}
