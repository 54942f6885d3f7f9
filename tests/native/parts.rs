//! A result in boxes, chunk by chunk: together they are what the whole read gives.

use std::borrow::Cow;

use crate::support::{document_with, little};
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::output::OutputBox;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Output};
use serde_json::json;

fn selection(extent: u64) -> AxisSelection {
    let inside = || i64::try_from(fastrand::u64(0..extent)).unwrap();
    match fastrand::u8(0..5) {
        0 => AxisSelection::All,
        1 => AxisSelection::Index(inside()),
        2 => AxisSelection::List((0..fastrand::usize(0..9)).map(|_| inside()).collect()),
        _ => AxisSelection::Slice {
            start: Some(fastrand::i64(-20..20)),
            stop: Some(fastrand::i64(-20..20)),
            step: [1, 2, -1, -3][fastrand::usize(0..4)],
        },
    }
}

/// Copies a box of two-byte items into a whole of this shape, and counts how often each item is written.
fn paste(whole: &mut [u8], written: &mut [u8], shape: &[u64], part: &OutputBox) {
    let lengths: Vec<u64> = part.bounds.iter().map(|(start, stop)| stop - start).collect();
    for nth in 0..lengths.iter().product::<u64>() {
        let (mut rest, mut at, mut stride) = (nth, 0, 1);
        for axis in (0..shape.len()).rev() {
            at += (part.bounds[axis].0 + rest % lengths[axis]) * stride;
            rest /= lengths[axis];
            stride *= shape[axis];
        }
        let (at, from) = (usize::try_from(at).unwrap(), 2 * usize::try_from(nth).unwrap());
        whole[2 * at..2 * at + 2].copy_from_slice(&part.columns[0].bytes[from..from + 2]);
        written[at] += 1;
    }
}

#[test]
fn the_parts_of_a_result_make_the_whole() {
    fastrand::seed(5);
    for round in 0..500 {
        let rank = fastrand::usize(0..4);
        let shape: Vec<u64> = (0..rank).map(|_| fastrand::u64(1..12)).collect();
        let chunks: Vec<u64> = shape.iter().map(|extent| fastrand::u64(1..=extent + 2)).collect();
        let document = document_with(&shape, &json!(chunks), "uint16", &json!([little()]));
        let array = Array::parse(&document, "a", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        let wanted: Vec<AxisSelection> = shape.iter().map(|&extent| selection(extent)).collect();
        let plan = array.plan(&wanted).unwrap();
        let mut output = Output::new(&plan).unwrap();
        let items = usize::try_from(plan.shape().iter().product::<u64>()).unwrap();
        let (mut whole, mut written) = (vec![0; 2 * items], vec![0; items]);
        for task in plan.tasks().map(Result::unwrap) {
            let length: u64 = 2 * task.chunk_shape.iter().product::<u64>();
            let stored: Vec<u8> = (0..length).map(|_| fastrand::u8(..)).collect();
            let is_missing = fastrand::u8(0..5) == 0;
            let chunk = array.decode(&task, (!is_missing).then_some(Cow::Borrowed(&stored))).unwrap();
            output.put(&task, chunk.as_ref()).unwrap();
            assert_eq!(array.read_coords(&task), task.coords);
            for part in plan.boxes(&task, chunk.as_ref()).unwrap() {
                paste(&mut whole, &mut written, &plan.shape(), &part);
            }
        }
        assert_eq!(output.finish().bytes, whole, "round {round}: {wanted:?}");
        assert!(written.iter().all(|count| *count == 1), "round {round}: {wanted:?}");
    }
}

#[test]
fn inner_chunks_are_counted_across_the_array() {
    let within = json!({ "name": "sharding_indexed", "configuration": {
        "chunk_shape": [2, 3], "codecs": [little()], "index_codecs": [little()] } });
    let document = document_with(&[12, 12], &json!([[4, 8], 12]), "uint16", &json!([within]));
    let array = Array::parse(&document, "a", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let shards: Vec<_> = array.plan(&[]).unwrap().tasks().map(Result::unwrap).collect();
    let entries: Vec<u8> = (0..16_u64).flat_map(|nth| [12 * nth, 12]).flat_map(u64::to_le_bytes).collect();
    let index = array.decode_index(&shards[1], &entries).unwrap();
    let inner = array.inner_tasks(&shards[1], &index).unwrap();
    let coords: Vec<_> = inner.iter().map(|task| array.read_coords(task)).collect();
    assert_eq!((coords[0].as_slice(), coords[15].as_slice()), ([2, 0].as_slice(), [5, 3].as_slice()));
    assert_eq!((array.chunks_of(&shards[1]), array.read_coords(&shards[1])), (16, vec![2, 0]));
}
