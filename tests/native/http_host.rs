//! Host capabilities, versions and retries: facts of answers in, decisions out.

use rectilinear_zarr::network::http::VersionMatch::{Changed, OtherTag, Same};
use rectilinear_zarr::network::http::{
    HostCapabilities, MAX_VERSIONS, RetryAfter, ValueVersion, VersionTable, requested_delay,
};

#[test]
fn a_length_is_usual_once_two_values_in_a_row_had_it() {
    let mut host = HostCapabilities::default();
    let mut starts = Vec::new();
    for length in [100, 100, 100, 90, 100, 100] {
        host.note_length(length);
        starts.push(host.usual_start(20));
    }
    assert_eq!(starts, [None, Some(80), Some(80), None, None, Some(80)]);
    assert_eq!(host.usual_start(101), None, "a value is not longer than it is");
    host.forget_usual_length();
    assert_eq!(host.usual_start(20), None);
    host.note_length(100);
    assert_eq!(host.usual_start(20), Some(80), "one that was forgotten is usual again at its next value");
}

#[test]
fn an_end_of_guessed_length_is_bounded() {
    let mut host = HostCapabilities::default();
    assert_eq!(host.longest_end(70), 65_536);
    host.note_length(1_000_000);
    host.note_length(1_000_000);
    assert_eq!(host.longest_end(900_000), 200_000 + 65_536);
    assert_eq!(host.longest_end(2_000_000), 65_536);
    host.note_length(u64::MAX);
    host.note_length(u64::MAX);
    assert_eq!(host.longest_end(0), u64::MAX, "nothing overflows");
}

#[test]
fn the_last_range_tells_whether_ranges_are_ignored() {
    let mut host = HostCapabilities::default();
    assert!(!host.knows_ranges() && !host.ignores_ranges());
    host.note_range(true);
    assert!(host.knows_ranges() && host.ignores_ranges());
    host.note_range(false);
    assert!(host.knows_ranges() && !host.ignores_ranges());
}

#[test]
fn suffixes_are_refused_where_a_misread_one_tells_no_length() {
    let mut host = HostCapabilities::default();
    host.note_misread_suffix(Some(50));
    host.note_misread_suffix(Some(50));
    assert!(host.misreads_suffixes() && !host.refuses_suffixes());
    assert_eq!(host.usual_start(8), Some(42), "the length that came along counts as seen");
    host.note_misread_suffix(None);
    assert!(host.misreads_suffixes() && host.refuses_suffixes());
    let mut refusing = HostCapabilities::default();
    refusing.note_refused_suffix();
    assert!(refusing.refuses_suffixes() && !refusing.misreads_suffixes());
}

#[test]
fn head_is_believed_once_it_was_right_and_skipped_once_it_was_useless() {
    let mut host = HostCapabilities::default();
    assert!(!host.trusts_head() && !host.skips_head());
    host.note_trusted_head();
    assert!(host.trusts_head() && !host.skips_head());
    host.note_useless_head();
    assert!(!host.trusts_head() && host.skips_head());
}

fn version(tag: &str, date: &str, length: Option<u64>) -> ValueVersion {
    let told = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    ValueVersion { tag: told(tag), date: told(date), length }
}

#[test]
fn another_version_of_a_value_is_found_and_forgotten() {
    let mut table = VersionTable::default();
    let mut accept = |key: &str, tag: &str| (table.accept(key, version(tag, "", None)), table.epoch());
    assert_eq!(accept("c/0", "\"a\""), (Same, 0));
    assert_eq!(accept("c/1", "\"b\""), (Same, 0));
    assert_eq!(accept("c/0", "\"a\""), (Same, 0));
    assert_eq!(accept("c/0", "\"c\""), (Changed, 1));
    assert_eq!(accept("c/0", "\"c\""), (Same, 1), "the next read begins anew");
    table.forget("c/0");
    table.forget("c/9");
    assert_eq!(table.epoch(), 2);
    table.clear();
    assert_eq!(table.epoch(), 3);
}

#[test]
fn what_is_told_of_both_versions_is_compared() {
    for (known, next, expected) in [
        (("\"a\"", "1", None), ("\"a\"", "1", None), Same),
        // An ETag is worth more than a date.
        (("\"a\"", "1", None), ("\"a\"", "2", None), Same),
        (("\"a\"", "1", None), ("\"b\"", "2", None), Changed),
        (("\"a\"", "", None), ("\"b\"", "", None), Changed),
        (("\"a\"", "1", None), ("\"b\"", "", None), Changed),
        (("\"a\"", "1", Some(5)), ("\"b\"", "1", Some(6)), Changed),
        (("\"a\"", "1", Some(5)), ("\"b\"", "1", Some(5)), OtherTag),
        (("\"a\"", "1", None), ("\"b\"", "1", Some(5)), OtherTag),
        (("", "1", None), ("", "2", None), Changed),
        (("", "1", None), ("\"a\"", "1", None), Same),
        (("", "1", None), ("\"a\"", "2", None), Changed),
        (("\"a\"", "1", None), ("", "", None), Same),
    ] {
        let mut table = VersionTable::default();
        let make = |(tag, date, length)| version(tag, date, length);
        assert_eq!(table.accept("c/0", make(known)), Same);
        assert_eq!(table.accept("c/0", make(next)), expected, "{known:?} {next:?}");
    }
}

#[test]
fn machines_have_an_etag_each_once_the_first_one_came_again() {
    let mut table = VersionTable::default();
    assert_eq!(table.accept("c/0", version("\"a\"", "1", Some(5))), Same);
    assert_eq!(table.accept("c/0", version("\"b\"", "1", Some(5))), OtherTag);
    for tag in [Some("\"b\""), None] {
        table.note_again("c/0", tag);
        assert_eq!(table.accept("c/0", version("\"b\"", "1", Some(5))), OtherTag, "{tag:?} proves nothing");
    }
    table.note_again("c/0", Some("\"a\""));
    assert_eq!(table.accept("c/0", version("\"b\"", "1", Some(5))), Same);
    // Another date or another length is another version still.
    assert_eq!(table.accept("c/0", version("\"b\"", "1", Some(6))), Changed);
    assert_eq!(table.accept("c/0", version("\"b\"", "1", Some(6))), Same);
    assert_eq!(table.accept("c/0", version("\"c\"", "2", Some(6))), Changed);
}

#[test]
fn a_full_table_forgets_everything_and_says_so() {
    let mut table = VersionTable::default();
    for key in 0..MAX_VERSIONS {
        assert_eq!(table.accept(&key.to_string(), version("\"a\"", "", None)), Same);
    }
    assert_eq!(table.epoch(), 0);
    assert_eq!(table.accept("one more", version("\"a\"", "", None)), Same);
    assert_eq!(table.epoch(), 1);
    assert_eq!(table.accept("0", version("\"b\"", "", None)), Same, "forgotten");
}

#[test]
fn statuses_that_may_pass_are_asked_for_again() {
    for status in 0..=999 {
        let expected = status == 429 || (500..600).contains(&status);
        assert_eq!(RetryAfter::of_status(status, 0.0).is_some(), expected, "{status}");
    }
    assert!(RetryAfter::of_status(503, 60_000.0).is_some());
    assert!(RetryAfter::of_status(503, 60_001.0).is_none(), "nobody waits for longer than a minute");
}

#[test]
fn waits_double_up_to_ten_seconds_and_heed_the_host() {
    let waits =
        |again: RetryAfter, chance| [0, 1, 2, 5, 6, 400].map(|repetition| again.wait(repetition, chance));
    assert_eq!(waits(RetryAfter::SOON, 0.5), [200.0, 400.0, 800.0, 6400.0, 10_000.0, 10_000.0]);
    assert_eq!(waits(RetryAfter::SOON, 0.0), [100.0, 200.0, 400.0, 3200.0, 5000.0, 5000.0]);
    let asked = RetryAfter::of_status(429, 3000.0);
    assert_eq!(asked.map(|again| waits(again, 0.0)), Some([3000.0, 3000.0, 3000.0, 3200.0, 5000.0, 5000.0]));
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let clock = |date: &str| {
        if date == "a date" {
            1500.0
        } else if date == "the past" {
            -9.0
        } else {
            f64::NAN
        }
    };
    for (header, expected) in [
        ("0", 0.0),
        ("2", 2000.0),
        (" 3 ", 3000.0),
        ("a date", 1500.0),
        ("the past", 0.0),
        ("-1", 0.0),
        ("1.5", 0.0),
        ("99999999999", 0.0),
        ("", 0.0),
    ] {
        assert!((requested_delay(header, clock) - expected).abs() < f64::EPSILON, "{header:?}");
    }
    assert!(requested_delay("never", |_| f64::INFINITY) < 1.0);
}
