//! Uncompressed chunks are read in pieces: the exact ranges, and the same values as whole chunks give. Walks to the
//! places of a result's items give the same.

use std::borrow::Cow;

use crate::support::{document_with, little};
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::network::ByteRange;
use rectilinear_zarr::output::LEAST_ROW;
use rectilinear_zarr::read::{Array, ChunkLocation, DEFAULT_MAX_CHUNK_BYTES, Output, Task};
use serde_json::{Value, json};

const ALL: AxisSelection = AxisSelection::All;

fn at(index: i64) -> AxisSelection {
    AxisSelection::Index(index)
}

fn slice(start: i64, stop: i64, step: i64) -> AxisSelection {
    AxisSelection::Slice { start: Some(start), stop: Some(stop), step }
}

fn array(shape: &[u64], chunk_shapes: &Value, data_type: &str, codecs: &Value) -> Array {
    Array::parse(&document_with(shape, chunk_shapes, data_type, codecs), "a", DEFAULT_MAX_CHUNK_BYTES)
        .unwrap()
}

fn transposed(order: &[u64]) -> Value {
    json!({ "name": "transpose", "configuration": { "order": order } })
}

fn range(task: &Task) -> std::ops::Range<u64> {
    match &task.location {
        ChunkLocation::Stored(request) => match &request.range {
            ByteRange::Span(span) => span.clone(),
            other => panic!("{other:?} is no piece"),
        },
        ChunkLocation::Missing => panic!("a piece is stored"),
    }
}

/// The ranges that a selection within one chunk asks for.
fn ranges(array: &Array, selection: &[AxisSelection], gap: u64) -> Option<Vec<(u64, u64)>> {
    let task = array.plan(selection).unwrap().tasks().next().unwrap().unwrap();
    let pieces = array.pieces(&task, gap)?;
    Some(pieces.iter().map(range).map(|range| (range.start, range.end)).collect())
}

#[test]
fn a_selection_asks_for_the_ranges_that_it_needs() {
    // Rows of 400 bytes, planes of 40,000.
    let array = array(&[100, 100, 100], &json!([100, 100, 100]), "float32", &json!([little()]));
    assert_eq!(ranges(&array, &[at(5)], 1000), Some(vec![(200_000, 240_000)]));
    assert_eq!(ranges(&array, &[at(5), at(7), at(9)], 1000), Some(vec![(202_836, 202_840)]));
    // Columns 10 to 19 of rows 3 and 4 lie near each other, planes do not.
    let near = ranges(&array, &[slice(0, 2, 1), slice(3, 5, 1), slice(10, 20, 1)], 1000);
    assert_eq!(near, Some(vec![(1240, 1680), (41_240, 41_680)]));
    let apart = ranges(&array, &[at(0), slice(3, 5, 1), slice(10, 20, 1)], 0);
    assert_eq!(apart, Some(vec![(1240, 1280), (1640, 1680)]));
    // A row that is continued by the next is one range; the last comes first where the result lists it first.
    assert_eq!(ranges(&array, &[at(0), slice(2, 4, 1)], 0), Some(vec![(800, 1600)]));
    assert_eq!(ranges(&array, &[slice(90, 0, -40), at(0), at(0)], 0).map(|found| found.len()), Some(3));
}

#[test]
fn what_is_best_read_whole_is_read_whole() {
    let shape = [100, 100, 100];
    let plain = array(&shape, &json!([100, 100, 100]), "float32", &json!([little()]));
    assert_eq!(ranges(&plain, &[ALL], 1000), None);
    assert_eq!(ranges(&plain, &[slice(0, 76, 1)], 1000), None);
    assert_eq!(ranges(&plain, &[at(0)], 4_000_000), None);
    for codecs in [json!([little(), "crc32c"]), json!([little(), "zstd"])] {
        let encoded = array(&shape, &json!([100, 100, 100]), "float32", &codecs);
        assert_eq!(ranges(&encoded, &[at(0), at(0), at(0)], 0), None, "{codecs}");
    }
    // A column of a chunk of a million rows: pieces are bounded, by reading more at once.
    let tall = array(&[1_000_000, 100], &json!([1_000_000, 100]), "uint8", &json!(["bytes"]));
    let column = ranges(&tall, &[ALL, at(50)], 64);
    assert_eq!(column, None);
    // Without a gap too the pieces are bounded.
    let cube = array(&[100, 100, 100], &json!([100, 100, 100]), "uint8", &json!(["bytes"]));
    assert_eq!(ranges(&cube, &[ALL, ALL, at(0)], 0), None);
    let wide = array(&[5000, 100_000], &json!([5000, 100_000]), "uint8", &json!(["bytes"]));
    let some = ranges(&wide, &[slice(0, 4096, 1), at(50)], 64).unwrap();
    assert_eq!((some.len(), some[1]), (4096, (100_050, 100_051)));
}

#[test]
fn pieces_of_an_inner_chunk_lie_within_it() {
    let codecs = json!([{ "name": "sharding_indexed", "configuration": {
        "chunk_shape": [10, 100], "codecs": [little()], "index_codecs": [little()] } }]);
    let array = array(&[20, 100], &json!([20, 100]), "float32", &codecs);
    let task = array.plan(&[at(13)]).unwrap().tasks().next().unwrap().unwrap();
    let index: Vec<u8> = [0_u64, 4000, 7000, 4000].iter().flat_map(|number| number.to_le_bytes()).collect();
    let index = array.decode_index(&task, &index).unwrap();
    let inner = array.inner_tasks(&task, &index).unwrap();
    let pieces = array.pieces(&inner[0], 0).unwrap();
    assert_eq!((pieces.len(), range(&pieces[0])), (1, 7000 + 3 * 400..7000 + 4 * 400));
    assert_ne!(pieces[0].identity(), inner[0].identity());
}

#[test]
fn pieces_give_what_whole_chunks_give() {
    fastrand::seed(11);
    let mut scatters = 0;
    for round in 0..600 {
        let rank = fastrand::usize(1..4);
        let shape: Vec<u64> = (0..rank).map(|_| fastrand::u64(1..14)).collect();
        let chunks: Vec<u64> = shape.iter().map(|extent| fastrand::u64(1..=extent + 3)).collect();
        let mut order: Vec<u64> = (0..rank as u64).collect();
        fastrand::shuffle(&mut order);
        let endian = if fastrand::bool() { "big" } else { "little" };
        let bytes = json!({ "name": "bytes", "configuration": { "endian": endian } });
        let array = array(&shape, &json!(chunks), "uint16", &json!([transposed(&order), bytes]));
        let selection: Vec<AxisSelection> = shape
            .iter()
            .map(|&extent| match fastrand::u8(0..5) {
                0 => ALL,
                1 => at(i64::try_from(fastrand::u64(0..extent)).unwrap()),
                2 => AxisSelection::List(
                    (0..fastrand::u8(0..6)).map(|_| fastrand::i64(0..extent.cast_signed())).collect(),
                ),
                _ => slice(
                    fastrand::i64(-20..20),
                    fastrand::i64(-20..20),
                    [1, 2, 3, -1, -2, 5][fastrand::usize(0..6)],
                ),
            })
            .collect();
        let gap = fastrand::u64(0..20);
        let points: Vec<i64> =
            (0..5).flat_map(|_| shape.iter().map(|&extent| fastrand::i64(0..extent.cast_signed()))).collect();
        let plan =
            if fastrand::u8(0..6) == 0 { array.plan_points(5, &points) } else { array.plan(&selection) };
        let plan = plan.unwrap();
        let (mut whole, mut pieced) = (Output::new(&plan).unwrap(), Output::new(&plan).unwrap());
        let scatter = plan.direct_copy([0, LEAST_ROW][fastrand::usize(0..2)]);
        let mut scattered = vec![0; usize::try_from(plan.output_size()).unwrap()];
        for task in plan.tasks().map(Result::unwrap) {
            let length: u64 = 2 * task.chunk_shape.iter().product::<u64>();
            let stored: Vec<u8> = (0..length).map(|_| fastrand::u8(..)).collect();
            let chunk = array.decode(&task, Some(Cow::Borrowed(&stored))).unwrap();
            whole.put(&task, chunk.as_ref()).unwrap();
            if let (Some(scatter), Some(chunk)) = (&scatter, &chunk) {
                take(
                    scatter.word(),
                    &scatter.walk(&task.selection, &chunk.strides),
                    &chunk.in_little_endian().bytes,
                    &mut scattered,
                );
            }
            match array.pieces(&task, gap) {
                None => pieced.put(&task, chunk.as_ref()).unwrap(),
                Some(pieces) => {
                    for piece in pieces {
                        let range = range(&piece);
                        let part = &stored
                            [usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
                        array.check_answer(&piece, part.len()).unwrap();
                        let part = array.decode(&piece, Some(Cow::Borrowed(part))).unwrap();
                        pieced.put(&piece, part.as_ref()).unwrap();
                    }
                }
            }
        }
        let whole = whole.finish().bytes;
        assert_eq!(whole, pieced.finish().bytes, "round {round}: {selection:?} gap {gap}");
        if scatter.is_some() {
            scatters += 1;
            assert_eq!(whole, scattered, "round {round}: {selection:?}");
        }
    }
    assert!(scatters > 100, "{scatters} results were walked to");
}

#[test]
fn what_is_copied_directly_has_long_rows_or_none() {
    let is_scattered = |shape: &[u64], chunks: Value, selection: &[AxisSelection]| {
        let array = array(shape, &chunks, "float32", &json!([little()]));
        array.plan(selection).unwrap().direct_copy(LEAST_ROW).is_some()
    };
    assert!(is_scattered(&[64, 4096], json!([64, 1024]), &[ALL]));
    assert!(!is_scattered(&[64, 4096], json!([64, 512]), &[ALL]));
    // A row that is continued by the next is long.
    assert!(is_scattered(&[512, 64], json!([64, 64]), &[ALL]));
    // One item of each row, or every other one, or a few.
    assert!(is_scattered(&[512, 512], json!([64, 64]), &[ALL, at(7)]));
    assert!(is_scattered(&[512, 512], json!([64, 64]), &[ALL, slice(0, 512, 2)]));
    assert!(is_scattered(&[512, 512], json!([64, 64]), &[ALL, slice(0, 10, 1)]));
    assert!(!is_scattered(&[512, 512], json!([64, 128]), &[AxisSelection::List(vec![3, 1, 7])]));
    // More than one turn of the event loop should copy.
    assert!(!is_scattered(&[2048, 2048], json!([2048, 2048]), &[ALL]));
    assert!(is_scattered(&[2048, 2048], json!([2048, 2048]), &[at(0)]));
}

#[test]
fn staging_buffers_may_hold_a_row_of_chunks_or_all_of_shards() {
    let staged = |shape: &[u64], chunks: Value, codecs: Value, selection: &[AxisSelection]| {
        array(shape, &chunks, "float32", &codecs).plan(selection).unwrap().staged_bytes()
    };
    let shards = |inner: [u64; 2]| {
        let configuration = json!({ "chunk_shape": inner, "codecs": [little()], "index_codecs": [little()] });
        json!([{ "name": "sharding_indexed", "configuration": configuration }])
    };
    let all = [ALL];
    assert_eq!(staged(&[4096, 4096], json!([128, 128]), json!([little()]), &all), 128 * 4096 * 4);
    // All rows of shards.
    assert_eq!(staged(&[4096, 4096], json!([512, 2048]), shards([128, 128]), &all), 4096 * 4096 * 4);
    // The largest edge, and no more than is selected.
    assert_eq!(staged(&[100, 10], json!([[[30, 1], [70, 1]], [10]]), json!([little()]), &all), 70 * 10 * 4);
    assert_eq!(
        staged(&[100, 10], json!([[[30, 1], [70, 1]], [10]]), json!([little()]), &[slice(0, 8, 1)]),
        320
    );
    assert_eq!(staged(&[100, 10], json!([50, 5]), json!([little()]), &[slice(0, 100, 10)]), 5 * 10 * 4);
    // A dropped axis is no row; a list picks from all chunks at once.
    assert_eq!(staged(&[100, 10], json!([50, 5]), json!([little()]), &[at(3)]), 5 * 4);
    assert_eq!(
        staged(&[100, 10], json!([50, 5]), json!([little()]), &[AxisSelection::List(vec![1, 99, 7])]),
        120
    );
}

/// Takes a walk from a chunk's words to a result's.
fn take(word: usize, walk: &[i32], source: &[u8], target: &mut [u8]) {
    let (begin, steps) = walk.split_at(2);
    let places =
        steps.as_chunks::<3>().0.iter().fold(vec![(begin[0], begin[1])], |places, &[times, from, to]| {
            places
                .iter()
                .flat_map(|&(a, b)| (0..times).map(move |nth| (a + nth * from, b + nth * to)))
                .collect()
        });
    for (from, to) in places {
        let [from, to] = [from, to].map(|place| usize::try_from(place).unwrap() * word);
        target[to..to + word].copy_from_slice(&source[from..from + word]);
    }
}
