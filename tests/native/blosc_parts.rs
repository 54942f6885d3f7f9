//! Of a blosc frame only the blocks that a selection needs are decoded.
#![cfg(feature = "blosc")]

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::support::{document_with, little, travelled};
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Output};
use serde_json::json;

const ROWS: u64 = 512;
const COLUMNS: u64 = 1024;
const BLOCK: usize = 1 << 16;

fn at(index: i64) -> AxisSelection {
    AxisSelection::Index(index)
}

/// One chunk of 16 blocks of 32 rows each, compressed by blosc, with a checksum around it.
fn array(order: [u64; 2]) -> Array {
    let transpose = json!({ "name": "transpose", "configuration": { "order": order } });
    let settings = json!({ "cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "blocksize": 0 });
    let blosc = json!({ "name": "blosc", "configuration": settings });
    let codecs = json!([transpose, little(), blosc, "crc32c"]);
    let document = document_with(&[ROWS, COLUMNS], &json!([ROWS, COLUMNS]), "uint16", &codecs);
    Array::parse(&document, "a", DEFAULT_MAX_CHUNK_BYTES).unwrap()
}

/// A frame whose blocks are streams that did not get shorter; those that are not `whole` begin outside of the frame.
fn frame(content: &[u8], whole: &BTreeSet<usize>) -> Vec<u8> {
    let blocks = content.len().div_ceil(BLOCK);
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut body = Vec::new();
    let mut starts = Vec::new();
    for (nth, block) in content.chunks(BLOCK).enumerate() {
        let start = 16 + 4 * blocks + body.len();
        starts.extend(if whole.contains(&nth) { word(start) } else { [0xff; 4] });
        body.extend(word(block.len()));
        body.extend(block);
    }
    let size = 16 + starts.len() + body.len();
    // Version 2, lz4 of version 1, not split, items of two bytes.
    let head = [&[2, 1, 0x30, 2], word(content.len()).as_slice(), &word(BLOCK), &word(size)].concat();
    let frame = [head, starts, body].concat();
    let checksum = crc32c::crc32c(&frame);
    [frame.as_slice(), &checksum.to_le_bytes()].concat()
}

fn content() -> Vec<u8> {
    (0..ROWS * COLUMNS).flat_map(|nth| u16::try_from(nth * 7 % 65_521).unwrap().to_le_bytes()).collect()
}

/// The values of a selection, decoded in part.
fn in_part(
    array: &Array,
    selection: &[AxisSelection],
    frame: &[u8],
) -> rectilinear_zarr::Result<(Vec<u8>, bool)> {
    let plan = array.plan(selection)?;
    let mut output = Output::new(&plan)?;
    let task = plan.tasks().next().unwrap()?;
    assert!(array.reads_part(&task), "{selection:?}");
    let decoded = array.decode_part(&task, Cow::Borrowed(frame));
    let elsewhere = travelled(array, &[(task.part_job(), frame)]).remove(0);
    assert_eq!(elsewhere.map_err(|error| task.blame(error)), decoded, "{selection:?}");
    let (decoded, is_whole) = decoded?;
    output.put(&task, Some(&decoded))?;
    Ok((output.finish().bytes.into_owned(), is_whole))
}

#[test]
fn blocks_that_are_not_needed_are_not_looked_at() {
    let (array, content) = (array([0, 1]), content());
    // Row 100 lies in block 3; rows 0, 256 and 511 in blocks 0, 8 and 15.
    let row = frame(&content, &BTreeSet::from([3]));
    let (found, is_whole) = in_part(&array, &[at(100)], &row).unwrap();
    assert_eq!((found.as_slice(), is_whole), (&content[100 * 2048..101 * 2048], false));
    let rows = AxisSelection::List(vec![511, 0, 256]);
    let (found, _) = in_part(&array, &[rows.clone(), at(7)], &frame(&content, &[0, 8, 15].into())).unwrap();
    let expected: Vec<u8> =
        [511, 0, 256].iter().flat_map(|row| &content[row * 2048 + 14..row * 2048 + 16]).copied().collect();
    assert_eq!(found, expected);
    let error = in_part(&array, &[rows], &frame(&content, &[0, 8].into())).unwrap_err();
    assert!(error.to_string().contains("block 15"), "{error}");
    // What is stored column by column is read column by column.
    let turned = self::array([1, 0]);
    let (found, _) = in_part(&turned, &[at(3), at(64)], &frame(&content, &BTreeSet::from([1]))).unwrap();
    assert_eq!(found, content[2 * (64 * 512 + 3)..][..2]);
}

#[test]
fn a_selection_that_meets_most_blocks_decodes_all_of_them() {
    let (array, content) = (array([0, 1]), content());
    let all = frame(&content, &(0..16).collect());
    let (found, is_whole) = in_part(&array, &[AxisSelection::All, at(5)], &all).unwrap();
    assert!(is_whole && found.len() == 1024);
}

#[test]
fn little_chunks_and_most_of_a_chunk_are_read_whole() {
    let array = array([0, 1]);
    let most = AxisSelection::Slice { start: Some(0), stop: Some(300), step: 1 };
    let task = array.plan(&[most]).unwrap().tasks().next().unwrap().unwrap();
    assert!(!array.reads_part(&task));
}

#[test]
fn parts_are_what_the_whole_has() {
    fastrand::seed(3);
    let content = content();
    let all = frame(&content, &(0..16).collect());
    for round in 0..40 {
        let array = array(if fastrand::bool() { [0, 1] } else { [1, 0] });
        let pick = |extent: u64| match fastrand::u8(0..4) {
            0 => at(i64::try_from(fastrand::u64(0..extent)).unwrap()),
            1 => AxisSelection::List(
                (0..5).map(|_| i64::try_from(fastrand::u64(0..extent)).unwrap()).collect(),
            ),
            _ => AxisSelection::Slice {
                start: Some(fastrand::i64(0..200)),
                stop: Some(fastrand::i64(0..450)),
                step: fastrand::i64(1..90),
            },
        };
        let selection = [pick(ROWS), pick(COLUMNS)];
        let plan = array.plan(&selection).unwrap();
        let Some(task) = plan.tasks().next().map(Result::unwrap).filter(|task| array.reads_part(task)) else {
            continue;
        };
        let mut output = Output::new(&plan).unwrap();
        output.put(&task, array.decode(&task, Some(Cow::Borrowed(&all))).unwrap().as_ref()).unwrap();
        let (found, _) = in_part(&array, &selection, &all).unwrap();
        assert!(found == output.finish().bytes.as_ref(), "round {round}: {selection:?}");
    }
}
