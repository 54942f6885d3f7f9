//! Arrays end to end: the grids that they have together, the exact requests of each, and values beside a slow twin.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use crate::support::{document, document_with, little, selection};
use rectilinear_zarr::grid::{Axis, AxisIndexer, AxisSelection, ChunkGrid, ChunkSelection};
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, MAX_PARTS, Output, Plan};
use serde_json::{Value, json};

fn parse(document: &[u8], path: &str) -> Rc<Array> {
    Rc::new(Array::parse(document, path, DEFAULT_MAX_CHUNK_BYTES).unwrap())
}

fn array(path: &str, shape: &[u64], chunk_shapes: &Value) -> Rc<Array> {
    parse(&document(shape, chunk_shapes), path)
}

fn joined(arrays: &[&Rc<Array>], axis: usize) -> Rc<Array> {
    Array::end_to_end(&arrays.iter().map(|array| Rc::clone(array)).collect::<Vec<_>>(), axis).unwrap()
}

/// The clipped edges along each axis.
fn sizes(grid: &ChunkGrid) -> Vec<Vec<u64>> {
    fn edges(axis: &Axis) -> impl Iterator<Item = u64> {
        (0..axis.chunks()).map(|chunk| axis.span(chunk).unwrap()).map(|span| span.stop - span.start)
    }
    grid.axes().iter().map(|axis| edges(axis).collect()).collect()
}

/// The number of its array and the key of each task.
fn requests(plan: &Plan<'_>) -> Vec<(usize, String)> {
    plan.tasks().map(Result::unwrap).map(|task| (task.array, task.key().to_owned())).collect()
}

fn runs(axis: &Axis) -> Vec<(u64, u64, u64)> {
    axis.runs().iter().map(|run| (run.edge, run.encoded, run.count)).collect()
}

#[test]
fn edges_are_laid_end_to_end() {
    let regular = |extent, edge| Axis::regular(extent, edge).unwrap();
    let edges = |extent, edges: &[(u64, u64)]| Axis::from_edges(extent, edges.iter().copied()).unwrap();
    type Runs<'a> = &'a [(u64, u64, u64)];
    let rows: [(&[Axis], Runs<'_>); 9] = [
        (&[regular(100, 100), regular(100, 50)], &[(100, 100, 1), (50, 50, 2)]),
        // Equal neighbours are one run.
        (&[regular(100, 50), regular(150, 50)], &[(50, 50, 5)]),
        // A chunk that its extent cuts decodes to what it did; the last one of all stays as it is declared.
        (&[regular(70, 50), regular(70, 50)], &[(50, 50, 1), (20, 50, 1), (50, 50, 2)]),
        (&[regular(7, 100), regular(100, 100)], &[(7, 100, 1), (100, 100, 1)]),
        // What lies past an extent is left out, but past the last one.
        (&[edges(5, &[(3, 2), (9, 4)]), edges(3, &[(3, 2)])], &[(3, 3, 1), (2, 3, 1), (3, 3, 2)]),
        // Nothing before, between and behind.
        (&[regular(0, 4), regular(8, 4), regular(0, 9), regular(3, 4), edges(0, &[(2, 2)])], &[(4, 4, 3)]),
        (&[regular(0, 4), regular(0, 5)], &[(4, 4, 0)]),
        // Months, and a billion days.
        (
            &[edges(60, &[(31, 1), (29, 1)]), edges(1_000_000_000, &[(1, 1_000_000_000)])],
            &[(31, 31, 1), (29, 29, 1), (1, 1, 1_000_000_000)],
        ),
        // Of arrays that were joined before.
        (
            &[Axis::end_to_end(&[&regular(70, 50), &regular(70, 50)]).unwrap(), regular(50, 50)],
            &[(50, 50, 1), (20, 50, 1), (50, 50, 1), (20, 50, 1), (50, 50, 1)],
        ),
    ];
    for (axes, expected) in rows {
        let found = Axis::end_to_end(&axes.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(runs(&found), expected);
        assert_eq!(found.extent(), axes.iter().map(Axis::extent).sum::<u64>());
        assert_eq!(found.chunks(), axes.iter().map(Axis::chunks).sum::<u64>());
    }
}

#[test]
fn grids_are_told_apart_by_their_cuts() {
    let regular = |extent, edge| Axis::regular(extent, edge).unwrap();
    let edges = |extent, edges: &[(u64, u64)]| Axis::from_edges(extent, edges.iter().copied()).unwrap();
    let rows = [
        (regular(10, 5), edges(10, &[(5, 3)]), true),
        (regular(10, 20), edges(10, &[(10, 1)]), true),
        (regular(10, 4), edges(10, &[(4, 2), (7, 1)]), true),
        (regular(10, 4), edges(10, &[(4, 2), (2, 1)]), true),
        (regular(0, 4), regular(0, 5), true),
        (regular(10, 4), regular(10, 5), false),
        (regular(10, 5), regular(11, 5), false),
        (regular(10, 20), regular(10, 9), false),
        (edges(9, &[(4, 1), (5, 1)]), edges(9, &[(5, 1), (4, 1)]), false),
    ];
    for (one, other, expected) in rows {
        assert_eq!(one.is_cut_like(&other), expected, "{one:?} {other:?}");
        assert_eq!(other.is_cut_like(&one), expected);
    }
}

#[test]
fn each_array_is_asked_for_its_own_chunks() {
    let months = [
        array("jan/t2m", &[31, 10, 6], &json!([31, [3, 7], 4])),
        array("feb/t2m", &[29, 10, 6], &json!([[10, 10, 10], [3, 7], 4])),
        array("mar/t2m", &[31, 10, 6], &json!([[31], [3, 7], [4, 4]])),
    ];
    let year = joined(&months.each_ref(), 0);
    assert_eq!(year.metadata.shape, [91, 10, 6]);
    assert_eq!(sizes(&year.metadata.chunk_grid), [vec![31, 10, 10, 9, 31], vec![3, 7], vec![4, 2]]);
    let rows: [(Value, &[(usize, &str)]); 5] = [
        (json!([30, 0, 0]), &[(0, "jan/t2m/c/0/0/0")]),
        (json!([31, -1, -1]), &[(1, "feb/t2m/c/0/1/1")]),
        (
            json!([{ "slice": [40, 61] }, 2, 0]),
            &[(1, "feb/t2m/c/0/0/0"), (1, "feb/t2m/c/1/0/0"), (1, "feb/t2m/c/2/0/0"), (2, "mar/t2m/c/0/0/0")],
        ),
        (json!([[-1, 0], 0, 0]), &[(0, "jan/t2m/c/0/0/0"), (2, "mar/t2m/c/0/0/0")]),
        (json!([{ "slice": [5, 5] }]), &[]),
    ];
    for (asked, expected) in rows {
        let plan = year.plan(&selection(&asked)).unwrap();
        let expected: Vec<_> = expected.iter().map(|(array, key)| (*array, (*key).to_owned())).collect();
        assert_eq!(requests(&plan), expected, "{asked}");
        assert_eq!((plan.chunks(), plan.stored_chunks()), (expected.len() as u64, expected.len() as u64));
    }
    let chunk = year.plan_chunk(&[3, 1, 0]).unwrap();
    assert_eq!(requests(&chunk), [(1, "feb/t2m/c/2/1/0".to_owned())]);
    assert_eq!(chunk.shape(), [9, 7, 4]);
}

#[test]
fn tasks_say_where_they_go_in_the_whole() {
    let year = joined(&[&array("a", &[31], &json!([31])), &array("b", &[29], &json!([15]))], 0);
    // Every tenth day downwards from the 50th: 50, 40, 30.
    let plan = year.plan(&selection(&json!([{ "slice": [50, 21, -10] }]))).unwrap();
    let tasks: Vec<_> = plan.tasks().map(Result::unwrap).collect();
    let run = |first, step, count, output| {
        ChunkSelection::Axes(vec![AxisIndexer::Run { first, step, count, output, reversed: true }])
    };
    assert_eq!(tasks[0].selection, run(30, 10, 1, 2));
    assert_eq!(tasks[1].selection, run(9, 10, 1, 1));
    assert_eq!(tasks[2].selection, run(4, 10, 1, 0));
    assert_eq!(tasks.iter().map(|task| task.array).collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!(tasks.iter().map(|task| year.read_coords(task)).collect::<Vec<_>>(), [[0], [1], [2]]);
    // Two points of one array and one of the other.
    let plan = year.plan_points(3, &[31, 0, -1]).unwrap();
    assert_eq!(
        requests(&plan).iter().map(|(array, key)| format!("{array} {key}")).collect::<Vec<_>>(),
        ["0 a/c/0", "1 b/c/0", "1 b/c/1"]
    );
}

/// Stored arrays of float32, whose items say where they are, and what is read of them.
struct Stores(Vec<Rc<Array>>);

impl Stores {
    fn item(&self, array: usize, at: &[u64]) -> f32 {
        at.iter()
            .zip(&self.0[array].metadata.shape)
            .fold(array as f32 + 1.0, |item, (at, extent)| item * (*extent as f32) + *at as f32)
    }

    /// A chunk as it is stored: with something else past the extent.
    fn chunk(&self, number: usize, coords: &[u64], chunk_shape: &[u64]) -> Vec<u8> {
        let grid = &self.0[number].metadata.chunk_grid;
        let start: Vec<u64> = grid.bounds(coords).unwrap().iter().map(|span| span.start).collect();
        let item = |within: Vec<u64>| {
            let at: Vec<u64> = start.iter().zip(within).map(|(start, within)| start + within).collect();
            let is_inside = at.iter().zip(&self.0[number].metadata.shape).all(|(at, extent)| at < extent);
            if is_inside { self.item(number, &at) } else { -1.0 }
        };
        places(chunk_shape).into_iter().flat_map(|within| item(within).to_le_bytes()).collect()
    }

    fn read(&self, plan: &Plan<'_>) -> Vec<f32> {
        let mut output = Output::in_buffers(plan, 64).unwrap();
        for task in plan.tasks().map(Result::unwrap) {
            let bytes = self.chunk(task.array, &task.coords, &task.chunk_shape);
            let chunk = self.0[task.array].decode(&task, Some(Cow::Owned(bytes))).unwrap();
            output.put(&task, chunk.as_ref()).unwrap();
        }
        output
            .finish()
            .bytes
            .chunks_exact(4)
            .map(|item| f32::from_le_bytes(item.try_into().unwrap()))
            .collect()
    }
}

/// Every place of a box, in C order.
fn places(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![Vec::new()], |heads, &extent| {
        let longer =
            |head: &Vec<u64>| (0..extent).map(|at| [head.as_slice(), &[at]].concat()).collect::<Vec<_>>();
        heads.iter().flat_map(longer).collect()
    })
}

/// The coordinates that a selection picks along an axis, one by one.
fn picked(asked: &AxisSelection, extent: u64) -> Vec<u64> {
    let extent = i64::try_from(extent).unwrap();
    let wrapped = |at: &i64| u64::try_from(if *at < 0 { at + extent } else { *at }).unwrap();
    match asked {
        AxisSelection::All => (0..extent).map(|at| wrapped(&at)).collect(),
        AxisSelection::Index(at) => vec![wrapped(at)],
        AxisSelection::List(list) => list.iter().map(wrapped).collect(),
        AxisSelection::Mask(mask) => {
            (0..).zip(mask).filter(|(_, is_picked)| **is_picked).map(|(at, _)| at).collect()
        }
        AxisSelection::Slice { start, stop, step } => {
            let mut at = start.unwrap_or(if *step > 0 { 0 } else { extent - 1 });
            let mut picked = Vec::new();
            while (0..extent).contains(&at)
                && stop.is_none_or(|stop| if *step > 0 { at < stop } else { at > stop })
            {
                picked.push(wrapped(&at));
                at += step;
            }
            picked
        }
    }
}

#[test]
fn a_mosaic_reads_as_if_it_were_one_array() {
    // Two rows of arrays of other widths and grids, whose chunks are cut at the same places all the same.
    let tiles = [
        array("a", &[5, 4], &json!([[2, 2, 2], [3, 3]])),
        array("b", &[5, 0], &json!([2, 9])),
        array("c", &[5, 7], &json!([2, [2, 5, 5]])),
        array("d", &[3, 6], &json!([[1, 2], [3, 1, 2]])),
        array("e", &[3, 5], &json!([[1, 2, 8], [5]])),
    ];
    let north = joined(&[&tiles[0], &tiles[1], &tiles[2]], 1);
    let south = joined(&[&joined(&[&tiles[3]], 1), &tiles[4]], 1);
    assert_eq!(sizes(&north.metadata.chunk_grid), [vec![2, 2, 1], vec![3, 1, 2, 5]]);
    let mosaic = joined(&[&north, &south], 0);
    assert_eq!(sizes(&mosaic.metadata.chunk_grid), [vec![2, 2, 1, 1, 2], vec![3, 1, 2, 5]]);
    let stores = Stores(tiles.to_vec());
    // Where each place of the whole lies.
    let mut owners = HashMap::new();
    for (number, (top, left)) in [(0, 0), (0, 4), (0, 4), (5, 0), (5, 6)].into_iter().enumerate() {
        for at in places(&tiles[number].metadata.shape) {
            owners.insert(vec![at[0] + top, at[1] + left], stores.item(number, &at));
        }
    }
    assert_eq!(owners.len(), 8 * 11);
    let along_rows = json!([null, 4, -4, { "slice": [null, null, 3] }, { "slice": [6, 1, -2] }, [7, 0, 5, 5], [true, false, false, false, true, true, false, true], { "slice": [3, 3] }]);
    let along_columns = json!([null, 0, -1, { "slice": [1, null, 4] }, { "slice": [null, null, -1] }, [3, 10, 3], { "slice": [4, 6] }]);
    let rows = selection(&along_rows);
    for row in &rows {
        for column in &selection(&along_columns) {
            let plan = mosaic.plan(&[row.clone(), column.clone()]).unwrap();
            let expected: Vec<f32> = picked(row, 8)
                .into_iter()
                .flat_map(|top| picked(column, 11).into_iter().map(move |left| vec![top, left]))
                .map(|at| owners[&at])
                .collect();
            assert_eq!(stores.read(&plan), expected, "{row:?} {column:?}");
            let coords: Vec<_> = plan.tasks().map(|task| mosaic.read_coords(&task.unwrap())).collect();
            assert_eq!(coords.len() as u64, plan.chunks());
            assert!(coords.iter().all(|coords| mosaic.metadata.chunk_grid.bounds(coords).is_some()));
        }
    }
    let points: Vec<i64> = vec![7, 10, 0, 0, -1, 0, 2, 5, 0, 0, 5, -5];
    let plan = mosaic.plan_points(6, &points).unwrap();
    let expected: Vec<f32> =
        [[7, 10], [0, 0], [7, 0], [2, 5], [0, 0], [5, 6]].iter().map(|at| owners[&at.to_vec()]).collect();
    assert_eq!(stores.read(&plan), expected);
}

#[test]
fn what_was_joined_before_is_joined_as_if_at_once() {
    let day = |nth: u64| array(&format!("{nth}"), &[1], &json!([1]));
    let days: Vec<_> = (0..500).map(day).collect();
    let grown = days.iter().skip(1).fold(Rc::clone(&days[0]), |grown, day| joined(&[&grown, day], 0));
    let at_once = Array::end_to_end(&days, 0).unwrap();
    assert_eq!(grown.metadata, at_once.metadata);
    let last = [AxisSelection::Index(-1)];
    assert_eq!(requests(&grown.plan(&last).unwrap()), [(499, "499/c/0".to_owned())]);
    // The same of other stored arrays.
    let longer = array("0", &[3], &json!([2]));
    let others: Vec<_> = std::iter::once(longer).chain(days.into_iter().skip(1)).collect();
    let remade = grown.remade(&mut others.iter()).unwrap();
    assert_eq!(remade.metadata.shape, [502]);
    assert_eq!(sizes(&remade.metadata.chunk_grid)[0][..4], [2, 1, 1, 1]);
    assert!(Rc::ptr_eq(&joined(&[&remade], 0), &remade), "one alone is itself");
}

/// A sharded array: shards of one shape, inner chunks of another.
fn sharded(path: &str, shape: &[u64], shard: &Value, inner: &[u64]) -> Rc<Array> {
    let codecs = json!([{
        "name": "sharding_indexed",
        "configuration": {
            "chunk_shape": inner, "codecs": [little()], "index_codecs": [little(), { "name": "crc32c" }],
        },
    }]);
    parse(&document_with(shape, shard, "float32", &codecs), path)
}

#[test]
fn shards_beside_chunks_have_grids_as_far_as_there_are_any() {
    let plain = array("plain", &[6, 8], &json!([3, 4]));
    let coarse = array("coarse", &[6, 8], &json!([6, 8]));
    type Sizes = Vec<Vec<u64>>;
    type Row<'a> = (&'a Rc<Array>, Rc<Array>, Sizes, Option<Sizes>);
    let rows: [Row<'_>; 4] = [
        // Both cut the columns alike: the chunks of the plain one are their own inner chunks.
        (
            &plain,
            sharded("s", &[4, 8], &json!([4, 4]), &[2, 4]),
            vec![vec![3, 3, 4], vec![4, 4]],
            Some(vec![vec![3, 3, 2, 2], vec![4, 4]]),
        ),
        // Stored chunks do, inner ones do not.
        (&coarse, sharded("s", &[4, 8], &json!([4, 8]), &[2, 4]), vec![vec![6, 4], vec![8]], None),
        // Inner ones do, stored ones do not: as if there were no shards.
        (&plain, sharded("s", &[4, 8], &json!([4, 8]), &[2, 4]), vec![vec![3, 3, 2, 2], vec![4, 4]], None),
        (
            &sharded("t", &[2, 8], &json!([2, 8]), &[1, 8]),
            sharded("s", &[4, 8], &json!([4, 8]), &[2, 8]),
            vec![vec![2, 4], vec![8]],
            Some(vec![vec![1, 1, 2, 2], vec![8]]),
        ),
    ];
    for (first, second, stored, inner) in rows {
        let both = joined(&[first, &second], 0);
        assert_eq!(sizes(&both.metadata.chunk_grid), stored);
        assert_eq!(both.inner_grid.as_ref().map(sizes), inner);
        let plan = both.plan(&[]).unwrap();
        let chunks = |array: &Rc<Array>| array.plan(&[]).unwrap().chunks();
        assert_eq!(plan.chunks(), chunks(first) + chunks(&second));
        for task in plan.tasks().map(Result::unwrap) {
            let coords = both.read_coords(&task);
            let bounds = both.read_grid().bounds(&coords).unwrap();
            let alone = both.plan_inner_chunk(&coords).unwrap();
            assert_eq!(alone.shape(), bounds.iter().map(|span| span.stop - span.start).collect::<Vec<_>>());
            assert!(inner.is_none() || alone.chunks() == 1, "{coords:?}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let with = |field: &str, value: Value| {
        let mut found: Value = serde_json::from_slice(&document(&[4, 8], &json!([2, 4]))).unwrap();
        found[field] = value;
        parse(found.to_string().as_bytes(), "model/t2m")
    };
    let first = array("", &[4, 8], &json!([2, 4]));
    let rows: [(Rc<Array>, &[&str]); 6] = [
        (
            array("b", &[4, 9], &json!([2, 4])),
            &["different shapes", r#"array 1 (path "b") has [4, 9], array 0 has [4, 8]"#, "equal lengths"],
        ),
        (array("", &[4], &json!([2])), &["different shapes", "has [4], array 0", "same axes"]),
        (
            with("data_type", json!("int32")),
            &["different data types", r#""model/t2m") has "int32", array 0 has "float32""#, "option as"],
        ),
        (
            with("fill_value", json!("NaN")),
            &["different fill values", "has NaN, array 0 has 7", "one by one"],
        ),
        (with("fill_value", json!(-0.5)), &["different fill values", "has -0.5"]),
        (
            array("b", &[4, 8], &json!([2, [4, 1, 3]])),
            &[
                "different chunk grids",
                "has [4, 1, 3], array 0 has [4, 4]",
                "edges along axis 1",
                "one by one",
            ],
        ),
    ];
    for (second, said) in rows {
        let error = Array::end_to_end(&[Rc::clone(&first), second], 0).unwrap_err();
        assert_eq!(error.name(), "UnsupportedError");
        for words in said {
            assert!(error.to_string().contains(words), "{words} in {error}");
        }
    }
    for (arrays, axis) in [(vec![], 0), (vec![Rc::clone(&first)], 2), (vec![array("", &[], &json!([]))], 0)] {
        assert_eq!(Array::end_to_end(&arrays, axis).unwrap_err().name(), "SelectionError");
    }
    let long = array("", &[1 << 52, 8], &json!([1_u64 << 40, 4]));
    let error = Array::end_to_end(&[Rc::clone(&long), long], 0).unwrap_err();
    assert!(error.to_string().contains("too long together"), "{error}");
}

#[test]
fn how_many_are_read_as_one_is_bounded() {
    let first = array("", &[1, 1], &json!([1, 1]));
    let most = Array::end_to_end(&vec![Rc::clone(&first); MAX_PARTS], 0).unwrap();
    assert_eq!(runs(&most.metadata.chunk_grid.axes()[0]), [(1, 1, MAX_PARTS as u64)]);
    let error = Array::end_to_end(&[most, first], 0).unwrap_err();
    assert!(error.to_string().contains("65537"), "{error}");
    // A row beneath, a column beside, and again: each is a step down.
    let mut grown = array("", &[1, 1], &json!([1, 1]));
    for turn in 0_usize.. {
        let mut shape = grown.metadata.shape.clone();
        shape[turn % 2] = 1;
        let strip = array("", &shape, &json!([1, 1]));
        match Array::end_to_end(&[Rc::clone(&grown), strip], turn % 2) {
            Ok(more) => grown = more,
            Err(error) => {
                assert!(turn >= 64 && error.to_string().contains("levels"), "{turn} {error}");
                break;
            }
        }
    }
}

#[test]
fn nan_is_nan_whatever_its_bits() {
    let with = |data_type: Value, fill_value: &Value| {
        let mut found: Value = serde_json::from_slice(&document(&[2], &json!([2]))).unwrap();
        (found["data_type"], found["fill_value"]) = (data_type, fill_value.clone());
        parse(found.to_string().as_bytes(), "")
    };
    let rows = [
        ("float16", json!("NaN"), json!("0xfe01"), true),
        ("float32", json!("NaN"), json!("0x7fc00001"), true),
        ("float32", json!("0xffffffff"), json!("NaN"), true),
        ("float64", json!("NaN"), json!("0xfff0000000000001"), true),
        ("bfloat16", json!("NaN"), json!("0xffff"), true),
        ("complex64", json!(["NaN", 1]), json!(["0xffc00000", 1]), true),
        ("complex64", json!(["NaN", 1]), json!(["NaN", 2]), false),
        ("float32", json!("NaN"), json!("Infinity"), false),
        ("float32", json!("-Infinity"), json!("NaN"), false),
        ("float64", json!("NaN"), json!(0), false),
        ("int32", json!(-1), json!(-1), true),
    ];
    for (data_type, one, other, expected) in rows {
        let arrays = [with(json!(data_type), &one), with(json!(data_type), &other)];
        assert_eq!(Array::end_to_end(&arrays, 0).is_ok(), expected, "{data_type} {one} {other}");
    }
    let (raw, bits) = (json!({ "name": "raw_bytes", "configuration": { "length_bytes": 2 } }), json!("r16"));
    let arrays = [with(raw, &json!([0, 1])), with(bits, &json!([0, 1]))];
    assert!(Array::end_to_end(&arrays, 0).is_ok(), "two names of one type");
}
