//! Plans are data: the exact requests of a selection, and what each one's answer is for.

use crate::support::{document, document_with};
use rectilinear_zarr::Error;
use rectilinear_zarr::grid::{AxisIndexer, AxisSelection, ChunkSelection};
use rectilinear_zarr::network::{ByteRange, Request};
use rectilinear_zarr::read::{Array, ChunkLocation, DEFAULT_MAX_CHUNK_BYTES, Output, Plan, Task};
use serde_json::{Value, json};

const ALL: AxisSelection = AxisSelection::All;

fn slice(start: i64, stop: i64, step: i64) -> AxisSelection {
    AxisSelection::Slice { start: Some(start), stop: Some(stop), step }
}

fn array(shape: &[u64], chunk_shapes: &Value) -> Array {
    Array::parse(&document(shape, chunk_shapes), "model/t2m", DEFAULT_MAX_CHUNK_BYTES).unwrap()
}

/// The months of 2024 on a small grid of unequal bands.
fn months() -> Array {
    array(&[366, 10, 6], &json!([[31, 29, 31, 30, 31, 30, [31, 2], 30, 31, 30, 31], [3, 7], 4]))
}

fn keys(plan: &Plan<'_>) -> Vec<String> {
    plan.tasks().map(|task| task.unwrap().key().to_owned()).collect()
}

#[test]
fn a_selection_asks_for_the_chunks_that_it_meets_in_grid_order() {
    let array = months();
    let plan = array.plan(&[slice(59, 61, 1), AxisSelection::Index(-1)]).unwrap();
    assert_eq!(plan.shape(), [2, 6]);
    assert_eq!(plan.output_size(), 2 * 6 * 4);
    assert_eq!(plan.chunks(), 4);
    let prefix = |key: &str| format!("model/t2m/c/{key}");
    assert_eq!(keys(&plan), ["1/1/0", "1/1/1", "2/1/0", "2/1/1"].map(prefix));
}

#[test]
fn each_task_says_which_part_goes_where() {
    let array = months();
    // Every second day downwards from 2 March to 27 February: 61, 59, 57.
    let plan = array.plan(&[slice(61, 56, -2), AxisSelection::Index(4), slice(1, 6, 3)]).unwrap();
    let tasks: Vec<_> = plan.tasks().map(Result::unwrap).collect();
    assert_eq!(tasks.len(), 4);
    let march = tasks.iter().find(|task| task.coords == [2, 1, 1]).unwrap();
    assert_eq!(march.chunk_shape, [31, 7, 4]);
    let time = AxisIndexer::Run { first: 1, step: 2, count: 1, output: 0, reversed: true };
    let row = AxisIndexer::Run { first: 1, step: 1, count: 1, output: 0, reversed: false };
    let column = AxisIndexer::Run { first: 0, step: 3, count: 1, output: 1, reversed: false };
    assert_eq!(march.selection, ChunkSelection::Axes(vec![time, row, column]));
    let february = tasks.iter().find(|task| task.coords == [1, 1, 0]).unwrap();
    let ChunkSelection::Axes(wanted) = &february.selection else { unreachable!() };
    assert_eq!(wanted[0], AxisIndexer::Run { first: 26, step: 2, count: 2, output: 2, reversed: true });
}

#[test]
fn chunks_past_the_extent_are_never_asked_for() {
    let shrunk = array(&[8], &json!([[5, 5, 5, [4, 1_000_000]]]));
    assert_eq!(keys(&shrunk.plan(&[]).unwrap()), ["model/t2m/c/0", "model/t2m/c/1"]);
    assert!(matches!(shrunk.plan_chunk(&[2]), Err(Error::Selection { .. })));
}

#[test]
fn empty_selections_ask_for_nothing_and_scalars_for_one_chunk() {
    let array_3d = months();
    let empty = array_3d.plan(&[ALL, slice(4, 4, 1)]).unwrap();
    assert_eq!((empty.shape(), empty.chunks(), keys(&empty).len()), (vec![366, 0, 6], 0, 0));
    assert_eq!(Output::new(&empty).unwrap().finish().bytes.len(), 0);
    let scalar = Array::parse(&document(&[], &json!([])), "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    assert_eq!(keys(&scalar.plan(&[]).unwrap()), ["c"]);
}

#[test]
fn a_billion_chunks_are_planned_without_being_listed() {
    let array = array(&[1_000_000_365, 2], &json!([[365, [1, 1_000_000_000]], 2]));
    let everything = array.plan(&[]).unwrap();
    assert_eq!(everything.chunks(), 1_000_000_001);
    let last = array.plan(&[AxisSelection::Index(-1)]).unwrap();
    assert_eq!(keys(&last), ["model/t2m/c/1000000000/0"]);
    let sparse = array.plan(&[slice(0, i64::MAX, 500_000_000)]).unwrap();
    assert_eq!(keys(&sparse).len(), 3);
    assert_eq!(everything.tasks().nth(1000).unwrap().unwrap().coords, [1000, 0]);
}

#[test]
fn staging_buffers_of_a_billion_chunks_are_cut_without_walking_the_chunks() {
    let array = array(&[1 << 40], &json!([1]));
    let plan = array.plan(&[ALL]).unwrap();
    let staging = plan.staging(1 << 30).unwrap();
    let rows = 1 << 28; // of four bytes
    assert_eq!(staging.count(), 1 << 12);
    for (nth, start) in [(0, 0), (1, rows), (4095, 4095 * rows)] {
        assert_eq!(staging.rows(nth), start..start + rows);
    }
    // Buffers end where chunks do, and the last one has what is left.
    let array = months();
    let plan = array.plan(&[slice(2, 366, 3), slice(0, 3, 1), ALL]).unwrap();
    let staging = plan.staging(20 * 3 * 6 * 4).unwrap();
    let rows: Vec<_> = (0..staging.count()).map(|nth| staging.rows(nth)).collect();
    assert_eq!(rows, [0..20, 20..40, 40..60, 60..81, 81..101, 101..122]);
    let plan = array.plan(&[slice(364, 1, -3), slice(0, 3, 1), ALL]).unwrap();
    let staging = plan.staging(20 * 3 * 6 * 4).unwrap();
    let rows: Vec<_> = (0..staging.count()).map(|nth| staging.rows(nth)).collect();
    assert_eq!(rows, [0..10, 10..31, 31..51, 51..71, 71..92, 92..121]);
}

#[test]
fn of_a_chunk_beyond_the_limit_two_bytes_are_asked_for_and_refused() {
    let bytes = document(&[10, 10], &json!([[5, 5], 10]));
    let array = Array::parse(&bytes, "", 199).unwrap();
    let plan = array.plan(&[]).unwrap();
    for task in plan.tasks().chain(plan.rows(1 << 16)).map(Result::unwrap) {
        let ChunkLocation::Stored(request) = &task.location else { panic!("{task:?}") };
        assert_eq!((task.chunks, &request.range), (1, &ByteRange::UpTo(0..2)));
        let refusals = [
            array.check_answer(&task, 1).unwrap_err(),
            array.decode(&task, Some(vec![0; 200].into())).unwrap_err(),
            array.decode_part(&task, vec![0; 200].into()).unwrap_err(),
        ];
        for refused in refusals {
            assert_eq!(refused.name(), "UnsupportedError");
            let message = refused.to_string();
            assert!(message.contains("200 bytes") && message.contains("maxChunkBytes, 199"), "{message}");
        }
        assert_eq!(array.decode(&task, None), Ok(None));
    }
    let array = Array::parse(&bytes, "", 200).unwrap();
    let all =
        |task: Task| matches!(task.location, ChunkLocation::Stored(Request { range: ByteRange::All, .. }));
    assert!(array.plan(&[]).unwrap().tasks().map(Result::unwrap).all(all));
}

#[test]
fn chunks_of_a_shard_beyond_the_limit_are_refused_by_its_index_unless_they_are_missing() {
    let inner = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let settings = json!({ "chunk_shape": [1_u64 << 40], "codecs": inner, "index_codecs": inner });
    let codecs = json!([{ "name": "sharding_indexed", "configuration": settings }]);
    let document = document_with(&[1 << 41], &json!([1_u64 << 41]), "int32", &codecs);
    let array = Array::parse(&document, "", 1 << 30).unwrap();
    let plan = array.plan(&[slice(5, i64::MAX, 1 << 40)]).unwrap();
    let shard = plan.tasks().next().unwrap().unwrap();
    assert_eq!(array.index_request(&shard).unwrap().range, ByteRange::Suffix(32));
    let tasks = |second: u64| {
        let index: Vec<u8> = [u64::MAX, u64::MAX, second, second].map(u64::to_le_bytes).concat();
        array.inner_tasks(&shard, &array.decode_index(&shard, &index).unwrap())
    };
    assert!(tasks(u64::MAX).unwrap().iter().all(|task| task.location == ChunkLocation::Missing));
    assert!(tasks(100).unwrap_err().to_string().contains("maxChunkBytes"));

    // A shard of 2^40 inner chunks, whose index alone is beyond its limit.
    let settings = json!({ "chunk_shape": [2], "codecs": inner, "index_codecs": inner });
    let codecs = json!([{ "name": "sharding_indexed", "configuration": settings }]);
    let array =
        Array::parse(&document_with(&[1 << 41], &json!([1_u64 << 41]), "int32", &codecs), "", 1 << 30)
            .unwrap();
    let plan = array.plan(&[slice(5, 7, 1)]).unwrap();
    let shard = plan.tasks().next().unwrap().unwrap();
    assert_eq!(array.index_request(&shard), None);
    assert_eq!(array.decode(&shard, None), Ok(None));
    let refused = array.check_answer(&shard, 1).unwrap_err();
    assert!(
        refused.name() == "UnsupportedError" && refused.to_string().contains("the index of"),
        "{refused}"
    );
}

#[test]
fn a_result_beyond_memory_is_refused() {
    let array = array(&[1 << 50, 1 << 50], &json!([1, 1]));
    let error = Output::new(&array.plan(&[]).unwrap()).unwrap_err();
    assert_eq!(error.name(), "SelectionError");
    assert!(error.to_string().contains("select less"), "{error}");
}
