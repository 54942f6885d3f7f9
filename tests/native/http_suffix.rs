//! The end of a value: on hosts with suffixes, on those that misread, refuse or hide them, and across origins.

use crate::support::http_driver::{Reply, head, part, policy, run, status, told};
use rectilinear_zarr::network::ByteRange::{Span, Suffix};
use rectilinear_zarr::network::http::{
    HttpHost, HttpPolicy, HttpResult, Method, ReceivedBytes, RequestHead, ResponseHead,
};

/// A host on another origin.
fn foreign() -> HttpHost {
    HttpHost::new(HttpPolicy { has_preflights: true, retries: 0, ..policy() })
}

fn near() -> HttpHost {
    HttpHost::new(HttpPolicy { retries: 0, ..policy() })
}

fn tail(skip: u64, length: u64) -> HttpResult {
    Ok(Some(ReceivedBytes::Part { skip, length }))
}

fn length(length: u64) -> Reply {
    Reply::Answer(ResponseHead { content_length: Some(length), ..head(200) }, 0)
}

/// A host of values of so many bytes that heeds ranges with a start, and HEAD.
fn good(total: u64) -> impl FnMut(&RequestHead) -> Reply {
    move |sent| {
        if sent.method == Method::Head {
            return length(total);
        }
        let Some(range) = sent.range.as_deref().map(|range| range.trim_start_matches("bytes=")) else {
            return Reply::Answer(head(200), total);
        };
        let (first, last) = range.split_once('-').unwrap();
        let number = |text: &str| text.parse::<u64>().ok();
        let (start, end) = match (number(first), number(last)) {
            (Some(start), last) => (start, last.map_or(total, |last| (last + 1).min(total))),
            (None, bytes) => (total - bytes.unwrap(), total),
        };
        if start < total { part(start, end, total) } else { status(416) }
    }
}

/// The requests among what was done.
fn requests(lines: &[String]) -> String {
    let requests: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with(['G', 'H']))
        .map(|line| line.trim_end_matches(" no-store"))
        .collect();
    requests.join(", ")
}

#[test]
fn a_host_of_this_origin_is_asked_for_the_suffix() {
    let (lines, result) = run(&mut near(), Suffix(4), good(10));
    // The driver's host does read suffixes.
    assert_eq!((requests(&lines), result), ("GET bytes=-4".to_owned(), tail(0, 4)));
}

#[test]
fn a_misread_suffix_is_asked_for_by_its_place() {
    let mut host = near();
    let mut misreading = |sent: &RequestHead| match sent.range.as_deref() {
        Some("bytes=-4") => part(0, 5, 10),
        _ => good(10)(sent),
    };
    let (lines, result) = run(&mut host, Suffix(4), &mut misreading);
    assert_eq!((requests(&lines), result), ("GET bytes=-4, GET bytes=6-9".to_owned(), tail(0, 4)));
    let (lines, result) = run(&mut host, Suffix(4), &mut misreading);
    assert_eq!((requests(&lines), result), ("HEAD, GET bytes=6-10".to_owned(), tail(0, 4)));
    let (lines, result) = run(&mut host, Suffix(4), &mut misreading);
    assert_eq!(
        (requests(&lines), result),
        ("GET bytes=6-".to_owned(), tail(0, 4)),
        "the third of one length"
    );
}

#[test]
fn a_misread_suffix_without_a_place_shows_in_its_length() {
    for announced in [None, Some(5)] {
        let mut host = near();
        let reply = |sent: &RequestHead| match sent.range.as_deref() {
            Some("bytes=-4") => Reply::Answer(ResponseHead { content_length: announced, ..head(206) }, 3),
            _ => good(10)(sent),
        };
        let (lines, result) = run(&mut host, Suffix(4), reply);
        assert_eq!((requests(&lines), result), ("GET bytes=-4, HEAD, GET bytes=6-10".to_owned(), tail(0, 4)));
        assert!(host.capabilities.refuses_suffixes());
    }
    let mut host = near();
    let long = |sent: &RequestHead| match sent.range.as_deref() {
        Some("bytes=-4") => Reply::Answer(ResponseHead { content_length: Some(5), ..head(206) }, 5),
        _ => good(10)(sent),
    };
    assert_eq!(requests(&run(&mut host, Suffix(4), long).0), "GET bytes=-4, HEAD, GET bytes=6-10");
    // A body without end is no other part of the value.
    let endless = |_: &RequestHead| Reply::Answer(head(206), u64::MAX);
    let mut host = near();
    assert_eq!(told(run(&mut host, Suffix(4), endless).1).1, "more than 4");
    assert!(!host.capabilities.misreads_suffixes());
}

#[test]
fn across_origins_lengths_are_asked_for_and_then_guessed() {
    let mut host = foreign();
    for expected in ["HEAD, GET bytes=6-10", "HEAD, GET bytes=6-10", "GET bytes=6-"] {
        let (lines, result) = run(&mut host, Suffix(4), good(10));
        assert_eq!((requests(&lines).as_str(), result), (expected, tail(0, 4)));
    }
    let (lines, result) = run(&mut host, Suffix(4), good(12));
    assert_eq!((requests(&lines), result), ("GET bytes=6-".to_owned(), tail(2, 4)), "a longer value is cut");
    run(&mut host, Suffix(4), good(12)).1.unwrap();
    let (lines, result) = run(&mut host, Suffix(4), good(9));
    assert_eq!(
        (requests(&lines), result),
        ("GET bytes=8-, GET bytes=5-8".to_owned(), tail(0, 4)),
        "a shorter one"
    );
    run(&mut host, Suffix(4), good(9)).1.unwrap();
    let (lines, result) = run(&mut host, Suffix(4), good(5));
    assert_eq!((requests(&lines), result), ("GET bytes=5-, HEAD, GET bytes=1-5".to_owned(), tail(0, 4)));
    assert_eq!(
        run(&mut foreign(), Suffix(4), |_| status(500)).0.len(),
        3 * 3 - 1,
        "HEAD, the suffix, the value"
    );
}

#[test]
fn head_is_not_believed_that_nothing_is_stored_until_it_was_right() {
    let denies = |sent: &RequestHead| if sent.method == Method::Head { status(404) } else { good(10)(sent) };
    let mut host = foreign();
    let (lines, result) = run(&mut host, Suffix(4), denies);
    assert_eq!((requests(&lines), result), ("HEAD, GET bytes=0-0, GET bytes=-4".to_owned(), tail(0, 4)));
    assert_eq!(requests(&run(&mut host, Suffix(4), denies).0), "GET bytes=-4", "it is not asked again");
    let mut host = foreign();
    let (lines, result) = run(&mut host, Suffix(4), |_| status(404));
    assert_eq!((requests(&lines), result), ("HEAD, GET bytes=0-0".to_owned(), Ok(None)));
    let (lines, result) = run(&mut host, Suffix(4), |_| status(404));
    assert_eq!((requests(&lines), result), ("HEAD".to_owned(), Ok(None)), "it was right before");
}

#[test]
fn a_host_that_hides_lengths_is_asked_for_the_suffix_with_its_preflight() {
    let hides = |sent: &RequestHead| if sent.method == Method::Head { status(200) } else { good(10)(sent) };
    let refuses = |sent: &RequestHead| if sent.method == Method::Head { status(405) } else { good(10)(sent) };
    for (first, second) in [
        (run(&mut foreign(), Suffix(4), hides), hides as fn(&_) -> _),
        (run(&mut foreign(), Suffix(4), refuses), refuses),
    ] {
        assert_eq!((requests(&first.0), first.1), ("HEAD, GET bytes=-4".to_owned(), tail(0, 4)));
        let mut host = foreign();
        run(&mut host, Suffix(4), second).1.unwrap();
        assert_eq!(requests(&run(&mut host, Suffix(4), second).0), "GET bytes=-4");
    }
}

#[test]
fn the_whole_value_stands_in_for_a_suffix_that_is_refused() {
    let refusing = |sent: &RequestHead| match (sent.method, sent.range.as_deref()) {
        (Method::Head, _) => Reply::Down,
        (_, Some(_)) => Reply::Down,
        _ => Reply::Answer(head(200), 10),
    };
    let mut host = foreign();
    let (lines, result) = run(&mut host, Suffix(4), refusing);
    assert_eq!(
        (requests(&lines), result),
        ("HEAD, GET bytes=-4, GET".to_owned(), Ok(Some(ReceivedBytes::Whole(10))))
    );
    let (lines, result) = run(&mut host, Suffix(4), refusing);
    assert_eq!((requests(&lines), result), ("GET".to_owned(), Ok(Some(ReceivedBytes::Whole(10)))));
    // A network that is down says nothing of the host.
    let mut host = foreign();
    let (lines, result) = run(&mut host, Suffix(4), |_| Reply::Down);
    assert_eq!(requests(&lines), "HEAD, GET bytes=-4, GET");
    assert!(told(result).1.starts_with("no answer"));
    assert!(!host.capabilities.refuses_suffixes() && !host.capabilities.skips_head());
    let (lines, result) = run(&mut host, Suffix(4), good(10));
    assert_eq!((requests(&lines), result), ("HEAD, GET bytes=6-10".to_owned(), tail(0, 4)));
}

#[test]
fn an_answer_to_the_suffix_that_cannot_be_read_is_no_refusal() {
    let mut host = foreign();
    let broken = |sent: &RequestHead| match sent.method {
        Method::Head => status(405),
        Method::Get => Reply::Broken(head(206)),
    };
    let (lines, result) = run(&mut host, Suffix(4), broken);
    assert_eq!(requests(&lines), "HEAD, GET bytes=-4");
    assert_eq!(told(result).0, Some(206));
    assert!(!host.capabilities.refuses_suffixes());
}

#[test]
fn a_length_that_head_tells_is_confirmed_by_the_end_of_the_value() {
    // The lengths of a compressed body, of nothing, and of more than there is.
    for told in [7, 9, 0, 2, 12, 5000] {
        let lies =
            |sent: &RequestHead| if sent.method == Method::Head { length(told) } else { good(10)(sent) };
        for (mut host, end) in [(foreign(), "GET bytes=-4"), (misreading(), "GET")] {
            let (lines, result) = run(&mut host, Suffix(4), lies);
            assert!(requests(&lines).ends_with(end), "{told}: {lines:?}");
            let expected = if end == "GET" { Ok(Some(ReceivedBytes::Whole(10))) } else { tail(0, 4) };
            assert_eq!(result, expected, "{told}: {lines:?}");
            assert!(host.capabilities.skips_head());
            assert_eq!(host.capabilities.usual_start(4), None, "a wrong length is not noted");
        }
    }
    // A part of a compressed body cannot be read.
    let encoded = |sent: &RequestHead| match (sent.method, sent.range.as_deref()) {
        (Method::Head, _) => length(7),
        (_, Some(_)) => Reply::Broken(head(206)),
        _ => Reply::Answer(head(200), 10),
    };
    let (_, result) = run(&mut misreading(), Suffix(4), encoded);
    assert_eq!(result, Ok(Some(ReceivedBytes::Whole(10))));
}

/// A host that is known to misread suffixes and to give no lengths with them.
fn misreading() -> HttpHost {
    let mut host = near();
    host.capabilities.note_misread_suffix(None);
    host
}

#[test]
fn a_suffix_that_is_refused_with_a_status_is_asked_for_by_its_place() {
    for code in [400, 403, 405, 406, 409, 413, 416, 422, 431, 500, 501] {
        let mut host = HttpHost::new(HttpPolicy { retries: 3, ..policy() });
        let refusing = |sent: &RequestHead| match sent.range.as_deref() {
            Some("bytes=-4") => status(code),
            _ => good(10)(sent),
        };
        let (lines, result) = run(&mut host, Suffix(4), refusing);
        assert_eq!((requests(&lines).as_str(), result), ("GET bytes=-4, HEAD, GET bytes=6-10", tail(0, 4)));
        let (lines, result) = run(&mut host, Suffix(4), refusing);
        assert_eq!((requests(&lines).as_str(), result), ("HEAD, GET bytes=6-10", tail(0, 4)), "{code}");
        let (lines, result) = run(&mut host, Suffix(4), refusing);
        assert_eq!((requests(&lines).as_str(), result), ("GET bytes=6-", tail(0, 4)), "{code}");
        // Without HEAD the value comes whole.
        let bare =
            |sent: &RequestHead| if sent.method == Method::Head { status(405) } else { refusing(sent) };
        let (_, result) = run(&mut near(), Suffix(4), bare);
        assert_eq!(result, Ok(Some(ReceivedBytes::Whole(10))), "{code}");
    }
}

#[test]
fn a_status_that_refuses_no_range_is_the_failure() {
    for code in [401, 410, 429, 502, 503, 504] {
        let (lines, result) = run(&mut near(), Suffix(4), |_| status(code));
        assert_eq!((requests(&lines).as_str(), told(result).0), ("GET bytes=-4", Some(code)));
    }
    // The host fails for everything.
    let mut host = HttpHost::new(HttpPolicy { retries: 1, ..policy() });
    let (lines, result) = run(&mut host, Suffix(4), |_| status(500));
    assert_eq!((requests(&lines).as_str(), told(result).0), ("GET bytes=-4, HEAD, HEAD", Some(500)));
    assert!(!host.capabilities.refuses_suffixes());
    // A host that read a suffix before refuses none.
    let mut host = near();
    run(&mut host, Suffix(4), good(10)).1.unwrap();
    let (lines, result) = run(&mut host, Suffix(4), |_| status(416));
    assert_eq!((requests(&lines).as_str(), told(result).0), ("GET bytes=-4", Some(416)));
}

#[test]
fn a_status_for_missing_values_is_not_believed_of_the_first_suffix() {
    let denying = |sent: &RequestHead| match sent.range.as_deref() {
        Some("bytes=-4") => status(403),
        _ => good(10)(sent),
    };
    let policy = HttpPolicy { missing_statuses: vec![403, 404], retries: 0, ..HttpPolicy::default() };
    let mut host = HttpHost::new(policy.clone());
    let (lines, result) = run(&mut host, Suffix(4), denying);
    let expected = "GET bytes=-4, GET bytes=0-0, HEAD, GET bytes=6-10";
    assert_eq!((requests(&lines).as_str(), result), (expected, tail(0, 4)));
    let (lines, result) = run(&mut HttpHost::new(policy), Suffix(4), |_| status(403));
    assert_eq!((requests(&lines).as_str(), result), ("GET bytes=-4, GET bytes=0-0", Ok(None)));
}

#[test]
fn hosts_that_ignore_ranges_are_asked_for_whole_values() {
    let whole = |_: &RequestHead| Reply::Answer(head(200), 10);
    let mut host = foreign();
    assert_eq!(run(&mut host, Span(0..2), whole).1, Ok(Some(ReceivedBytes::Whole(10))));
    let (lines, result) = run(&mut host, Suffix(4), whole);
    assert_eq!((requests(&lines), result), ("GET".to_owned(), Ok(Some(ReceivedBytes::Whole(10)))));
    let mut host = near();
    let (lines, result) = run(&mut host, Suffix(4), whole);
    assert_eq!((requests(&lines), result), ("GET bytes=-4".to_owned(), Ok(Some(ReceivedBytes::Whole(10)))));
}

#[test]
fn each_question_has_its_own_repetitions() {
    let mut host = HttpHost::new(HttpPolicy { has_preflights: true, retries: 1, ..policy() });
    let (lines, result) = run(&mut host, Suffix(4), |_| Reply::Down);
    assert!(told(result).0.is_none());
    assert_eq!(requests(&lines), "HEAD, HEAD, GET bytes=-4, GET bytes=-4, GET, GET");
    assert_eq!(
        lines.iter().filter(|line| *line == "wait 200").count(),
        3,
        "each begins with the shortest wait"
    );
}
