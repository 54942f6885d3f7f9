//! Shards are read in part: the exact requests for an index and for the inner chunks that a selection meets.

use crate::support::{document_with, little};
use rectilinear_zarr::Error;
use rectilinear_zarr::grid::{AxisIndexer, AxisSelection, ChunkSelection};
use rectilinear_zarr::metadata::{ArrayMetadata, Proposal};
use rectilinear_zarr::network::{ByteRange, Request};
use rectilinear_zarr::read::{Array, ChunkLocation, DEFAULT_MAX_CHUNK_BYTES, Plan, Task};
use serde_json::{Value, json};

const ALL: AxisSelection = AxisSelection::All;

fn slice(start: i64, stop: i64, step: i64) -> AxisSelection {
    AxisSelection::Slice { start: Some(start), stop: Some(stop), step }
}

fn sharding(inner: &[u64], codecs: &Value, location: &str) -> Value {
    json!({ "name": "sharding_indexed", "configuration": {
        "chunk_shape": inner,
        "codecs": codecs,
        "index_codecs": [little(), "crc32c"],
        "index_location": location,
    } })
}

/// An index with its checksum, from the offset and the length of each inner chunk.
fn index(entries: &[Option<(u64, u64)>]) -> Vec<u8> {
    let numbers = entries.iter().flat_map(|entry| {
        let (offset, length) = entry.unwrap_or((u64::MAX, u64::MAX));
        [offset.to_le_bytes(), length.to_le_bytes()].concat()
    });
    let bytes: Vec<u8> = numbers.collect();
    let checksum = crc32c(&bytes);
    [bytes.as_slice(), &checksum.to_le_bytes()].concat()
}

fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| sum >> 1 ^ (0x82F6_3B78 & (sum & 1).wrapping_neg()))
    })
}

fn array(chunk_shapes: &Value, codecs: &Value) -> Array {
    let document = document_with(&[10, 12], chunk_shapes, "float32", codecs);
    Array::parse(&document, "a", DEFAULT_MAX_CHUNK_BYTES).unwrap()
}

/// Shards of 2, 6 and 2 rows by 3 and 9 columns, of inner chunks of 2 by 3.
fn unequal(location: &str) -> Array {
    array(&json!([[2, 6, 2], [3, 9]]), &json!([sharding(&[2, 3], &json!([little()]), location)]))
}

fn tasks(plan: &Plan<'_>) -> Vec<Task> {
    plan.tasks().map(Result::unwrap).collect()
}

fn asked(key: &str, range: ByteRange) -> Request {
    Request { key: key.to_owned(), range }
}

/// The inner chunks' coordinates and bytes.
fn spans(tasks: &[Task]) -> Vec<(Vec<u64>, Option<Request>)> {
    let request = |task: &Task| match &task.location {
        ChunkLocation::Missing => None,
        ChunkLocation::Stored(request) => Some(request.clone()),
    };
    tasks.iter().map(|task| (task.coords.clone(), request(task))).collect()
}

#[test]
fn the_index_is_asked_for_where_it_is_and_as_long_as_its_shard_makes_it() {
    let array = unequal("end");
    let plan = array.plan(&[]).unwrap();
    let requests: Vec<Request> = tasks(&plan).iter().map(|task| array.index_request(task).unwrap()).collect();
    let sizes =
        [("a/c/0/0", 1), ("a/c/0/1", 3), ("a/c/1/0", 3), ("a/c/1/1", 9), ("a/c/2/0", 1), ("a/c/2/1", 3)];
    assert_eq!(requests, sizes.map(|(key, chunks)| asked(key, ByteRange::Suffix(16 * chunks + 4))));

    let array = unequal("start");
    let plan = array.plan(&[AxisSelection::Index(2), AxisSelection::Index(3)]).unwrap();
    let task = tasks(&plan).remove(0);
    assert_eq!(array.index_request(&task), Some(asked("a/c/1/1", ByteRange::Span(0..148))));
}

#[test]
fn only_the_inner_chunks_that_a_selection_meets_are_asked_for() {
    let array = unequal("end");
    // Rows 5 and 7 are the last two of the middle shards' three; columns 4 and 11 the first and the last of three.
    let plan = array.plan(&[slice(5, 8, 2), slice(4, 12, 7)]).unwrap();
    assert_eq!((plan.shape(), plan.chunks()), (vec![2, 2], 4));
    let shards = tasks(&plan);
    assert_eq!(shards.len(), 1);
    let entries: Vec<_> = (0..9).map(|nth| (nth != 5).then_some((1000 - 24 * nth, 24))).collect();
    let index = array.decode_index(&shards[0], &index(&entries)).unwrap();
    let inner = array.inner_tasks(&shards[0], &index).unwrap();
    let span = |start: u64| Some(asked("a/c/1/1", ByteRange::Span(start..start + 24)));
    let expected = [
        (vec![1, 1, 1, 0], span(1000 - 24 * 3)),
        (vec![1, 1, 1, 2], None),
        (vec![1, 1, 2, 0], span(1000 - 24 * 6)),
        (vec![1, 1, 2, 2], span(1000 - 24 * 8)),
    ];
    assert_eq!(spans(&inner), expected);
    assert!(inner.iter().all(|task| task.chunk_shape == [2, 3] && array.index_request(task).is_none()));
    let one = |first, step| AxisIndexer::Run { first, step, count: 1, output: 1, reversed: false };
    assert_eq!(inner[3].selection, ChunkSelection::Axes(vec![one(1, 2), one(2, 7)]));
}

#[test]
fn inner_chunks_past_the_extent_are_never_asked_for() {
    let array = array(&json!([[4, 12], 12]), &json!([sharding(&[2, 12], &json!([little()]), "end")]));
    let plan = array.plan(&[slice(8, 10, 1), ALL]).unwrap();
    let shards = tasks(&plan);
    let index = array
        .decode_index(&shards[0], &index(&[0, 96, 192, 288, 384, 480].map(|offset| Some((offset, 96)))))
        .unwrap();
    let inner = array.inner_tasks(&shards[0], &index).unwrap();
    assert_eq!(inner.iter().map(|task| task.coords.clone()).collect::<Vec<_>>(), [[1, 0, 2, 0]]);
}

#[test]
fn an_index_within_a_shard_is_asked_for_within_its_span() {
    // An inner chunk of 24 bytes ends where the shard does, or where its index begins.
    for (location, index_at, last) in [("end", 500 + 300 - 36..800, 240), ("start", 500..536, 276)] {
        let within = sharding(&[2, 3], &json!([little()]), location);
        let array = array(&json!([[4, 8], 12]), &json!([sharding(&[4, 3], &json!([within]), "end")]));
        let plan = array.plan(&[AxisSelection::Index(9), AxisSelection::Index(4)]).unwrap();
        let outer = tasks(&plan).remove(0);
        assert_eq!(array.index_request(&outer), Some(asked("a/c/1/0", ByteRange::Suffix(16 * 8 + 4))));
        let entries: Vec<_> = (0..8).map(|nth| (nth == 5).then_some((500, 300))).collect();
        let outer_index = array.decode_index(&outer, &index(&entries)).unwrap();
        let shards = array.inner_tasks(&outer, &outer_index).unwrap();
        assert_eq!(spans(&shards), [(vec![1, 0, 1, 1], Some(asked("a/c/1/0", ByteRange::Span(500..800))))]);
        assert_eq!(array.index_request(&shards[0]), Some(asked("a/c/1/0", ByteRange::Span(index_at))));

        // Offsets within a shard count from its start, and may not leave it.
        let found = array.decode_index(&shards[0], &index(&[Some((last, 24)), None])).unwrap();
        let inner = array.inner_tasks(&shards[0], &found).unwrap();
        let span = Some(asked("a/c/1/0", ByteRange::Span(500 + last..524 + last)));
        assert_eq!(spans(&inner), [(vec![1, 0, 1, 1, 0, 0], span)]);
        let leaving = array.decode_index(&shards[0], &index(&[Some((last + 1, 24)), None])).unwrap();
        let error = array.inner_tasks(&shards[0], &leaving).unwrap_err();
        assert!(matches!(error, Error::Codec(_)) && error.to_string().contains("300 bytes"), "{error}");
    }
}

#[test]
fn a_shard_that_is_encoded_further_is_asked_for_whole() {
    let shards = sharding(&[2, 3], &json!([little()]), "end");
    let order = json!({ "name": "transpose", "configuration": { "order": [1, 0] } });
    let turned = sharding(&[3, 2], &json!([little()]), "end");
    for codecs in [json!([shards, "crc32c"]), json!([order, turned])] {
        let array = array(&json!([[2, 6, 2], [3, 9]]), &codecs);
        let plan = array.plan(&[AxisSelection::Index(3)]).unwrap();
        let tasks = tasks(&plan);
        assert_eq!(plan.chunks(), tasks.len() as u64);
        assert!(tasks.iter().all(|task| array.index_request(task).is_none()));
        assert_eq!(tasks[0].location, ChunkLocation::Stored(asked("a/c/1/0", ByteRange::All)));
    }
}

#[test]
fn the_limit_is_on_what_is_decoded_at_once() {
    let within = sharding(&[2, 3], &json!([little()]), "end");
    let codecs = json!([sharding(&[4, 3], &json!([within]), "end")]);
    let document = document_with(&[8, 12], &json!([8, 12]), "float32", &codecs);
    let entries: Vec<_> = (0..8).map(|nth| Some((200 * nth, 200))).collect();
    for (limit, fits) in [(24, true), (23, false)] {
        let array = Array::parse(&document, "", limit).unwrap();
        let plan = array.plan(&[]).unwrap();
        let outer = tasks(&plan).remove(0);
        let outer_index = array.decode_index(&outer, &index(&entries)).unwrap();
        let shards = array.inner_tasks(&outer, &outer_index).unwrap();
        let found = array.decode_index(&shards[0], &index(&[Some((0, 24)), Some((24, 24))])).unwrap();
        assert_eq!(array.inner_tasks(&shards[0], &found).is_ok(), fits);
    }
}

#[test]
fn inner_chunks_that_overlap_in_part_are_named_when_the_index_is_read() {
    let refused = |location: &str, entries: &[(u64, u64)]| {
        let array = array(&json!([10, 12]), &json!([sharding(&[5, 4], &json!([little()]), location)]));
        let plan = array.plan(&[]).unwrap();
        let entries: Vec<_> = entries.iter().map(|&entry| Some(entry)).collect();
        array.decode_index(&tasks(&plan)[0], &index(&entries)).err().map(|error| error.to_string())
    };
    let apart = [(580, 80), (180, 80), (260, 80), (340, 80), (100, 80), (500, 80)];
    for location in ["end", "start"] {
        assert_eq!(refused(location, &apart), None);
    }
    let changed = |nth: usize, entry| {
        let mut entries = apart;
        entries[nth] = entry;
        entries
    };
    // Two or all at one place, which a writer stored once.
    let mut shared = changed(3, apart[1]);
    assert_eq!(refused("end", &shared), None);
    shared[0] = apart[1];
    assert_eq!(refused("end", &shared), None);
    assert_eq!(refused("start", &[apart[0]; 6]), None);
    // One that others share, and a byte too many in one of them or before them.
    shared[5] = (180, 81);
    let message = refused("end", &shared).unwrap();
    assert!(message.contains("at byte 180 with 80") && message.contains("at byte 180 with 81"), "{message}");
    shared[5] = (101, 80);
    assert!(refused("end", &shared).unwrap().contains("[1, 2] at byte 101"));
    // Two of one start, a byte too many, one within another, and one that leaves 64 bits.
    for (entries, one, other) in [
        (changed(3, (180, 79)), "[1, 0] at byte 180", "[0, 1] at byte 180"),
        (changed(2, (260, 81)), "[0, 2] at byte 260", "[1, 0] at byte 340"),
        (changed(5, (110, 8)), "[1, 1] at byte 100", "[1, 2] at byte 110"),
        (changed(4, (100, u64::MAX - 8)), "[1, 1] at byte 100", "[0, 1] at byte 180"),
    ] {
        let message = refused("end", &entries).unwrap();
        assert!(message.contains(one) && message.contains(other) && message.contains("overlap"), "{message}");
    }
    // The index takes 100 bytes; what has no bytes overlaps nothing.
    let message = refused("start", &changed(4, (99, 80))).unwrap();
    assert!(message.contains("[1, 1] at byte 99") && message.contains("index of 100 bytes"), "{message}");
    assert_eq!(refused("start", &changed(4, (0, 0))), None);
}

#[test]
fn the_last_inner_chunk_is_smaller_where_remainders_are_accepted() {
    let codecs = json!([sharding(&[8], &json!([little()]), "end")]);
    let document = document_with(&[23], &json!([[10, 10, 7]]), "uint16", &codecs);
    let opened = |accepted: &[Proposal]| {
        let metadata = ArrayMetadata::parse(&document).unwrap().accepting(accepted);
        Array::new(metadata, "", DEFAULT_MAX_CHUNK_BYTES)
    };
    let Err(Error::InvalidMetadata { path, reason, .. }) = opened(&[]) else { panic!("it is read unasked") };
    assert_eq!(path, "/codecs/0/configuration/chunk_shape");
    assert!(reason.contains("axis 0") && reason.contains("sharding_remainder"), "{reason}");

    let array = opened(&[Proposal::ShardingRemainder]).unwrap();
    let edges: Vec<u64> =
        (0..5).filter_map(|chunk| array.read_grid().axes()[0].span(chunk)).map(|span| span.encoded).collect();
    assert_eq!(edges, [8, 2, 8, 2, 7], "the inner chunks");
    // One item of the second shard's last inner chunk: its index of two entries, then two items of 2 bytes.
    let plan = array.plan(&[slice(19, 20, 1)]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let request = array.index_request(&task).unwrap();
    assert_eq!(request.range, ByteRange::Suffix(36));
    let index = array.decode_index(&task, &index(&[Some((0, 16)), Some((16, 4))])).unwrap();
    let inner = array.inner_tasks(&task, &index).unwrap();
    let [inner] = inner.as_slice() else { panic!("{inner:?}") };
    assert_eq!(inner.chunk_shape, [2]);
    let ChunkLocation::Stored(Request { range, .. }) = &inner.location else { panic!("{inner:?}") };
    assert_eq!(*range, ByteRange::Span(16..20));
    assert_eq!(array.read_coords(inner), [3]);
}
