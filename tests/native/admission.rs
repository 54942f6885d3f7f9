//! Cache admission: which chunks a read caches, and in which form.

use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::read::{Admission, Array, CachedForm, FirstUses};

const MIB: u64 = 1 << 20;

/// An array of 16 chunks of 1 MiB float32 along one axis, with these codecs after `bytes`.
fn array(codecs: &str) -> Array {
    array_of(r#"{"name": "regular", "configuration": {"chunk_shape": [262144]}}"#, codecs)
}

fn array_of(grid: &str, codecs: &str) -> Array {
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4194304], "data_type": "float32",
        "chunk_grid": {grid}, "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0,
        "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}{codecs}]}}"#
    );
    Array::parse(document.as_bytes(), "", 1 << 30).unwrap()
}

const GZIP: &str = r#", {"name": "gzip", "configuration": {"level": 5}}"#;
const LZ4: &str = r#", {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}"#;
const BLOSC_ZSTD: &str = r#", {"name": "blosc", "configuration": {"cname": "zstd", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}"#;

fn slice(start: i64, stop: i64) -> [AxisSelection; 1] {
    [AxisSelection::Slice { start: Some(start), stop: Some(stop), step: 1 }]
}

/// The forms in which the first chunk of a read is cached, at its first use and at its second.
fn forms(codecs: &str, items: i64, limit: u64) -> [CachedForm; 2] {
    let array = array(codecs);
    let plan = array.plan(&slice(0, items)).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let admission = Admission::of_read(&plan, usize::try_from(limit).unwrap(), false);
    [false, true].map(|is_second| admission.form(&array, &task, is_second))
}

#[test]
fn a_read_larger_than_the_cache_caches_nothing_and_one_of_more_than_half_stored_bytes_alone() {
    let all = 4 << 20;
    assert_eq!(forms(GZIP, all, 0), [CachedForm::Not, CachedForm::Not]);
    assert_eq!(forms(GZIP, all, 16 * MIB - 1), [CachedForm::Not, CachedForm::Not]);
    assert_eq!(forms(GZIP, all, 16 * MIB), [CachedForm::Stored, CachedForm::Stored]);
    assert_eq!(forms(GZIP, all, 32 * MIB - 1), [CachedForm::Stored, CachedForm::Stored]);
    assert_eq!(forms(GZIP, all, 32 * MIB), [CachedForm::Stored, CachedForm::Decoded]);
}

#[test]
fn slow_codecs_are_cached_decoded_at_the_second_use_or_where_a_part_is_taken() {
    let chunk = 1 << 18;
    for codecs in [GZIP, BLOSC_ZSTD] {
        assert_eq!(forms(codecs, chunk, 64 * MIB), [CachedForm::Stored, CachedForm::Decoded]);
        assert_eq!(forms(codecs, chunk - 1, 64 * MIB), [CachedForm::Decoded, CachedForm::Decoded]);
    }
    for codecs in [LZ4, ""] {
        assert_eq!(forms(codecs, chunk, 64 * MIB), [CachedForm::Stored, CachedForm::Stored]);
        assert_eq!(forms(codecs, 1, 64 * MIB), [CachedForm::Stored, CachedForm::Stored]);
    }
}

#[test]
fn a_prefetch_is_cached_decoded_at_once_where_the_codec_is_slow() {
    let cached = |codecs: &str| {
        let array = array(codecs);
        let plan = array.plan(&slice(0, 10)).unwrap();
        let task = plan.tasks().next().unwrap().unwrap();
        Admission::Prefetched.form(&array, &task, false)
    };
    assert_eq!([GZIP, LZ4, ""].map(cached), [CachedForm::Decoded, CachedForm::Stored, CachedForm::Stored]);
}

#[test]
fn what_a_read_meets_is_counted_by_its_own_chunks_where_they_differ() {
    // 4,000,000 items in one chunk, then chunks of 1,000.
    let grid = r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[4000000, [1000, 195]]]}}"#;
    let array = array_of(grid, GZIP);
    let met = |start, stop| array.plan(&slice(start, stop)).unwrap().met_bytes();
    assert_eq!(met(0, 1), 16_000_000);
    assert_eq!(met(4_000_000, 4_002_000), 8_000);
    assert_eq!(met(4_000_999, 4_001_001), 8_000);
    assert_eq!(met(3_999_999, 4_000_001), 16_004_000);
    assert_eq!(met(5, 5), 0);
    // Two chunks are met of all that lie between; each is one of the longest at most.
    let list = [AxisSelection::List(vec![4_000_000, 4_190_000])];
    assert_eq!(array.plan(&list).unwrap().met_bytes(), 4 * 191_000);
    assert_eq!(array.plan_points(2, &[0, 4_100_000]).unwrap().met_bytes(), 2 * 16_000_000);
}

#[test]
fn ghosts_tell_a_second_use_from_the_first() {
    let mut first_uses = FirstUses::default();
    assert!(!first_uses.is_second_use(&[1, 2]));
    assert!(!first_uses.is_second_use(&[2, 1]));
    assert!(first_uses.is_second_use(&[1, 2]));
    assert!(first_uses.is_second_use(&[1, 2]));
}
