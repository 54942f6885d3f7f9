//! Decode jobs that travel come to what the array itself makes of the bytes: chunks, parts of chunks, and errors.

use std::borrow::Cow;

use crate::support::{Done, Stored, cases, text, travelled};
use rectilinear_zarr::codec::unpack_answers;
use rectilinear_zarr::read::{Decoder, JobBatch, Plan, parcel};

const INDEXES: [&str; 8] = [
    "index.json",
    "index-dtypes.json",
    "index-filters.json",
    "index-v2.json",
    "index-objects.json",
    "index-grids.json",
    "index-tensorstore.json",
    "broken.json",
];

/// Compares every chunk that a plan meets; how many, and how many of them are errors.
fn compare(name: &str, stored: &Stored, plan: &Plan<'_>) -> (usize, usize) {
    let (mut seen, mut failed) = (0, 0);
    for task in plan.tasks() {
        let Ok(task) = task else { continue };
        let compared = stored.each(&task, &mut |task, bytes| {
            let Some(bytes) = bytes else { return Ok(()) };
            let (array, encoded) = (&stored.array, Cow::Borrowed(bytes.as_slice()));
            let mut jobs = vec![(task.job(), bytes.as_slice())];
            let whole = array.decode(task, Some(encoded.clone()));
            let mut expected = vec![whole.map(|chunk| (chunk.expect("there are bytes"), true))];
            if array.reads_part(task) {
                jobs.push((task.part_job(), bytes.as_slice()));
                expected.push(array.decode_part(task, encoded));
            }
            let got = travelled(array, &jobs).into_iter();
            // What is sent is little endian, as memory is; what stays is turned later.
            let expected: Vec<_> = expected
                .into_iter()
                .map(|done| done.map(|(chunk, is_whole)| (chunk.into_little_endian(), is_whole)))
                .collect();
            let got: Vec<Done> = got.map(|done| done.map_err(|error| task.blame(error))).collect();
            assert_eq!(got, expected, "{name} {:?}", task.coords);
            seen += got.len();
            failed += got.iter().filter(|done| done.is_err()).count();
            Ok(())
        });
        // A shard whose index is broken has no chunks to compare.
        drop(compared);
    }
    (seen, failed)
}

#[test]
fn every_chunk_of_the_fixtures_comes_back_as_the_array_decodes_it() {
    let (mut seen, mut failed) = (0, 0);
    for case in INDEXES.into_iter().flat_map(cases) {
        let Ok(stored) = Stored::case(&case) else { continue };
        let Ok(plan) = stored.array.plan(&[]) else { continue };
        let (more, errors) = compare(text(&case, "name"), &stored, &plan);
        (seen, failed) = (seen + more, failed + errors);
    }
    assert!(seen > 1000 && failed > 20, "{seen} chunks, {failed} errors");
}

#[test]
fn what_is_cut_short_or_no_parcel_is_nothing() {
    let stored = Stored::case(&cases("index.json")[0]).unwrap();
    let plan = stored.array.plan(&[]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let packed = task.job().packed(0);
    let sent = parcel(&stored.array.description(), std::iter::once(packed.as_slice()));
    assert!(JobBatch::unpacked(&sent).is_some());
    for length in 0..sent.len() {
        assert!(JobBatch::unpacked(&sent[..length]).is_none(), "{length}");
        assert!(Decoder::new(&sent[..length]).is_err(), "{length}");
        assert!(unpack_answers(&sent[..length.min(7)]).is_none(), "{length}");
    }
    assert!(unpack_answers(&[0xff; 64]).is_none());
}
