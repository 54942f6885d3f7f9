//! One HTTP request from its first command to its result: repetitions, redirects, bodies, reports.

use crate::support::http_driver::{Reply, head, part, policy, run, run_key, status, told};
use rectilinear_zarr::network::ByteRange::{self, All, From, Span, Suffix, UpTo};
use rectilinear_zarr::network::Request;
use rectilinear_zarr::network::http::{
    HttpCommand, HttpEvent, HttpFailure, HttpHost, HttpPolicy, HttpRequest, Method, ReceivedBytes,
    RequestHead, ResponseHead, range_header,
};

fn received(length: u64) -> Result<Option<ReceivedBytes>, HttpFailure> {
    Ok(Some(ReceivedBytes::Part { skip: 0, length }))
}

#[test]
fn ranges_have_their_headers() {
    for (range, header) in [
        (All, None),
        (Span(0..1), Some("bytes=0-0")),
        (Span(5..10), Some("bytes=5-9")),
        (UpTo(5..10), Some("bytes=5-9")),
        (From(7), Some("bytes=7-")),
        (Suffix(8), Some("bytes=-8")),
    ] {
        assert_eq!(range_header(&range).as_deref(), header);
    }
}

#[test]
fn a_key_is_shown_without_the_query_of_its_url() {
    for (key, shown) in [
        ("a/c/0", "a/c/0"),
        ("a/what?/c/0", "a/what?/c/0"),
        ("https://host/a.nc", "https://host/a.nc"),
        ("https://host/a.nc?X-Amz-Signature=1&b=2", "https://host/a.nc"),
        ("https://host/a%3Fb.nc?sig=1#part", "https://host/a%3Fb.nc"),
    ] {
        assert_eq!(Request { key: key.to_owned(), range: All }.public_key(), shown);
    }
}

#[test]
fn a_value_takes_one_request() {
    let mut host = HttpHost::new(policy());
    let (lines, result) = run(&mut host, All, |_| Reply::Answer(head(200), 10));
    assert_eq!((lines, result), (vec!["GET".to_owned(), "report 200 10".to_owned()], received(10)));
    let (lines, result) = run(&mut host, All, |_| status(404));
    assert_eq!((lines.join(", "), result), ("GET, leave, report 404 -".to_owned(), Ok(None)));
    let (lines, result) = run(&mut host, Span(2..5), |_| part(2, 5, 10));
    assert_eq!((lines.join(", "), result), ("GET bytes=2-4 no-store, report 206 3".to_owned(), received(3)));
    let (lines, result) = run(&mut host, Span(2..5), |_| Reply::Answer(head(200), 10));
    assert_eq!(lines.join(", "), "GET bytes=2-4 no-store, report 200 10");
    assert_eq!(result, Ok(Some(ReceivedBytes::Whole(10))));
    host.refresh();
    assert_eq!(
        run(&mut host, All, |_| status(404)).0[0],
        "GET no-cache",
        "what the browser kept is revalidated"
    );
    assert_eq!(run(&mut host, Span(0..1), |_| status(404)).0[0], "GET bytes=0-0 no-store");
}

/// The first part of a value, with an ETag and a date.
fn tagged(tag: &str, date: &str) -> Reply {
    let Reply::Answer(head, length) = part(0, 4, 10) else { unreachable!() };
    Reply::Answer(ResponseHead { tag: Some(tag.to_owned()), date: Some(date.to_owned()), ..head }, length)
}

fn gets(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("GET")).count()
}

#[test]
fn machines_with_an_etag_each_are_asked_until_the_first_one_comes_again() {
    let mut host = HttpHost::new(policy());
    let mut round = 0;
    let mut turn = |_: &_| {
        round += 1;
        tagged(if round % 2 == 1 { "\"a\"" } else { "\"b\"" }, "1")
    };
    let asked: Vec<usize> = (0..4).map(|_| gets(&run(&mut host, Span(0..4), &mut turn).0)).collect();
    assert_eq!(asked, [1, 2, 1, 1], "once the host is known, one request each");
    assert_eq!(host.versions.epoch(), 0);
    // A file that did change has another date, and never its first ETag again.
    assert!(told(run(&mut host, Span(0..4), |_| tagged("\"c\"", "2")).1).1.contains("changed"));
    let mut host = HttpHost::new(policy());
    run(&mut host, Span(0..4), |_| tagged("\"a\"", "1")).1.unwrap();
    let (lines, result) = run(&mut host, Span(0..4), |_| tagged("\"b\"", "1"));
    assert_eq!(gets(&lines), 7);
    assert!(told(result).1.contains("changed"));
    assert_eq!(host.versions.epoch(), 1);
    assert_eq!(run(&mut host, Span(0..4), |_| tagged("\"b\"", "1")).1, received(4), "the next read");
}

/// A host of which a page may read only answers with CORS headers.
fn hiding() -> HttpHost {
    HttpHost::new(HttpPolicy { hides_answers: true, has_preflights: true, retries: 1, ..policy() })
}

#[test]
fn a_host_without_cors_is_told_from_no_host() {
    let mut host = hiding();
    let blind = |sent: &RequestHead| if sent.is_blind { status(0) } else { Reply::Down };
    let (lines, result) = run(&mut host, All, blind);
    let expected = "GET, report - -, HEAD blind no-store, leave, report - 0, wait 200, GET, report - -";
    assert_eq!(lines.join(", "), expected, "one retry, as the first answer may have been lost");
    assert!(told(result).1.contains("does not allow this page to read it (CORS)"));
    let (lines, _) = run(&mut host, All, blind);
    assert_eq!(lines.join(", "), "GET, report - -", "it is not asked again");
    let (lines, result) = run(&mut hiding(), All, |_| Reply::Down);
    let expected = "GET, report - -, HEAD blind no-store, report - -, wait 200, GET, report - -";
    assert_eq!(lines.join(", "), expected, "a network that is down may come up");
    assert!(told(result).1.starts_with("no answer (down)"));
}

/// A host that gives some keys, and for all others this reply; a blind request has an answer.
fn replies<'a>(others: impl Fn() -> Reply + 'a) -> impl FnMut(&str, &RequestHead) -> Reply + 'a {
    move |key: &str, sent: &RequestHead| match key {
        _ if sent.is_blind => status(0),
        "zarr.json" if sent.range.is_some() => part(0, 1, 10),
        "zarr.json" => Reply::Answer(head(200), 10),
        _ => others(),
    }
}

#[test]
fn a_failure_means_missing_where_the_host_gives_it_for_what_cannot_exist() {
    for (what, failure) in [("403", (|| status(403)) as fn() -> Reply), ("no CORS headers", || Reply::Down)] {
        let mut host = hiding();
        let mut reply = replies(failure);
        assert!(
            run_key(&mut host, ("c/0", Span(0..4)), &mut reply).1.is_err(),
            "{what}: nothing else is known"
        );
        run_key(&mut host, ("zarr.json", All), &mut reply).1.unwrap();
        let (lines, result) = run_key(&mut host, ("c/0", Span(0..4)), &mut reply);
        assert_eq!(result, Ok(None), "{what}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("GET bytes=0-0")), "{lines:?}");
        let (again, result) = run_key(&mut host, ("c/1", All), &mut reply);
        assert_eq!(result, Ok(None));
        assert!(gets(&again) < gets(&lines), "what cannot exist is asked for once: {again:?}");
        assert_eq!(run_key(&mut host, ("c/1", Suffix(4)), &mut reply).1, Ok(None), "{what}: a shard");
    }
}

#[test]
fn a_failure_of_one_value_stays_a_failure() {
    for failure in [(|| status(403)) as fn() -> Reply, || Reply::Down] {
        // The host says 404 for what cannot exist.
        let mut host = hiding();
        let mut honest = |key: &str, sent: &RequestHead| match key {
            "c/0" if !sent.is_blind => failure(),
            key if key.contains("nothing-here") => status(404),
            key => replies(failure)(key, sent),
        };
        run_key(&mut host, ("zarr.json", All), &mut honest).1.unwrap();
        assert!(run_key(&mut host, ("c/0", All), &mut honest).1.is_err());
        // The host gives nothing any more: a token that is over, a network that is down.
        let mut host = hiding();
        run_key(&mut host, ("zarr.json", All), &mut replies(failure)).1.unwrap();
        let mut over = |_: &str, sent: &RequestHead| if sent.is_blind { status(0) } else { failure() };
        assert!(run_key(&mut host, ("c/0", All), &mut over).1.is_err());
    }
    // An answer that was lost came after all: the network is bad, and nothing that is lost is missing.
    let mut host = hiding();
    let mut lost = 1;
    let mut flaky = |key: &str, sent: &RequestHead| match key {
        "c/9" if !sent.is_blind && lost > 0 => {
            lost -= 1;
            Reply::Down
        }
        "c/9" if !sent.is_blind => Reply::Answer(head(200), 4),
        key => replies(|| Reply::Down)(key, sent),
    };
    run_key(&mut host, ("zarr.json", All), &mut flaky).1.unwrap();
    run_key(&mut host, ("c/9", All), &mut flaky).1.unwrap();
    assert!(run_key(&mut host, ("c/0", All), &mut flaky).1.is_err());
    // A host that is silent for too long answers nothing.
    let mut host = hiding();
    let mut late = |key: &str, sent: &RequestHead| match key {
        "c/0" if !sent.is_blind => Reply::Late,
        key => replies(|| Reply::Down)(key, sent),
    };
    run_key(&mut host, ("zarr.json", All), &mut late).1.unwrap();
    assert!(run_key(&mut host, ("c/0", All), &mut late).1.is_err());
}

#[test]
fn a_failure_that_passes_is_never_taken_for_missing() {
    for (failure, has_retries) in [((|| status(403)) as fn() -> Reply, 0), (|| Reply::Down, 1)] {
        // As many failures as a request and its retries have, also without retries: the value comes to the last request.
        for retries in [0, 1] {
            let mut host = HttpHost::new(HttpPolicy { retries, ..hiding().policy });
            let mut left = 1 + retries * has_retries;
            let mut passing = |key: &str, sent: &RequestHead| match key {
                "c/0" if !sent.is_blind && left > 0 => {
                    left -= 1;
                    failure()
                }
                "c/0" if !sent.is_blind => part(0, 4, 10),
                key => replies(failure)(key, sent),
            };
            run_key(&mut host, ("zarr.json", All), &mut passing).1.unwrap();
            assert_eq!(run_key(&mut host, ("c/0", Span(0..4)), &mut passing).1, received(4));
            assert_eq!(run_key(&mut host, ("c/0", Span(0..4)), &mut passing).1, received(4));
        }
        // A value of which a part was read, or whose length is known, is there.
        let mut host = hiding();
        let versioned = || tagged("\"a\"", "1");
        let mut is_there = true;
        let mut once = |key: &str, sent: &RequestHead| match key {
            "c/0" if !sent.is_blind && std::mem::take(&mut is_there) => versioned(),
            key => replies(failure)(key, sent),
        };
        run_key(&mut host, ("zarr.json", All), &mut once).1.unwrap();
        run_key(&mut host, ("c/0", Span(0..4)), &mut once).1.unwrap();
        assert!(run_key(&mut host, ("c/0", Span(0..4)), &mut once).1.is_err());
        let mut host = hiding();
        let measured = ResponseHead { content_length: Some(10), ..head(200) };
        let mut lengths = |key: &str, sent: &RequestHead| match (key, sent.method) {
            ("c/0", Method::Head) if !sent.is_blind => Reply::Answer(measured.clone(), 0),
            (key, _) => replies(failure)(key, sent),
        };
        run_key(&mut host, ("zarr.json", All), &mut lengths).1.unwrap();
        assert!(run_key(&mut host, ("c/0", Suffix(4)), &mut lengths).1.is_err());
    }
}

#[test]
fn failures_of_two_kinds_are_not_taken_for_missing() {
    for failures in [[true, false], [false, true]] {
        let mut host = HttpHost::new(HttpPolicy { retries: 0, ..hiding().policy });
        let fail = |is_forbidden| if is_forbidden { status(403) } else { Reply::Down };
        let mut left = failures.into_iter();
        // What cannot exist fails as the first answer does.
        let mut mixed = |key: &str, sent: &RequestHead| match key {
            "c/0" if !sent.is_blind => fail(left.next().unwrap_or(failures[1])),
            key => replies(|| fail(failures[0]))(key, sent),
        };
        run_key(&mut host, ("zarr.json", All), &mut mixed).1.unwrap();
        assert!(run_key(&mut host, ("c/0", All), &mut mixed).1.is_err(), "{failures:?}");
    }
}

#[test]
fn an_answer_that_is_lost_once_is_asked_for_again_where_nothing_is_known() {
    let mut lost = 1;
    let mut first = |sent: &RequestHead| match sent.is_blind {
        true => status(0),
        false if std::mem::take(&mut lost) > 0 => Reply::Down,
        false => Reply::Answer(head(200), 4),
    };
    let mut host = hiding();
    assert_eq!(run(&mut host, All, &mut first).1, received(4));
    // A host that sends an error with CORS headers hides none.
    assert!(host.is_bare());
    run(&mut host, All, |_| status(404)).1.unwrap();
    assert!(!host.is_bare());
}

#[test]
fn an_etag_that_was_noted_anew_proves_nothing() {
    let mut host = HttpHost::new(policy());
    run(&mut host, Span(0..4), |_| tagged("\"a\"", "1")).1.unwrap();
    // While one request asks again, the value is forgotten and noted anew, with the second ETag.
    let mut round = 0;
    let mut request = HttpRequest::new(Request { key: "c/0".to_owned(), range: Span(0..4) }, 1000, &host);
    let mut event = HttpEvent::Ready;
    let result = loop {
        event = match request.next(event, &mut host, || 0.5) {
            HttpCommand::Send(_) => {
                round += 1;
                if round == 3 {
                    host.versions.forget("c/0");
                    run(&mut host, Span(0..4), |_| tagged("\"b\"", "1")).1.unwrap();
                }
                let Reply::Answer(head, _) = tagged("\"b\"", "1") else { panic!() };
                HttpEvent::Head(head)
            }
            HttpCommand::Read(_) => HttpEvent::Body(4),
            HttpCommand::Done(result) => break result,
            _ => HttpEvent::Ready,
        };
    };
    result.unwrap();
    // Another replacement is still seen.
    assert!(told(run(&mut host, Span(0..4), |_| tagged("\"c\"", "1")).1).1.contains("changed"));
}

#[test]
fn failures_that_may_pass_are_repeated() {
    let slow = || Reply::Answer(ResponseHead { delay: 900.0, ..head(429) }, 0);
    let never = || Reply::Answer(ResponseHead { delay: 90_000.0, ..head(503) }, 0);
    let broken = || Reply::Broken(head(200));
    type Case = (fn() -> Reply, &'static str, (Option<u16>, &'static str));
    let cases: [Case; 5] = [
        (
            || Reply::Down,
            "GET, report - -, wait 200, GET, report - -, wait 400, GET, report - -",
            (None, "no answer (down)"),
        ),
        (
            || status(500),
            "GET, leave, report 500 -, wait 200, GET, leave, report 500 -, wait 400, GET, leave, report 500 -",
            (Some(500), "the host failed"),
        ),
        (
            slow,
            "GET, leave, report 429 -, wait 900, GET, leave, report 429 -, wait 900, GET, leave, report 429 -",
            (Some(429), "the host limits the rate of requests"),
        ),
        (never, "GET, leave, report 503 -", (Some(503), "the host failed")),
        (
            broken,
            "GET, report 200 -, wait 200, GET, report 200 -, wait 400, GET, report 200 -",
            (Some(200), "the response broke off (cut)"),
        ),
    ];
    for (answer, expected, (status, reason)) in cases {
        let (lines, result) = run(&mut HttpHost::new(policy()), All, |_| answer());
        assert_eq!(lines.join(", "), expected);
        let told = told(result);
        assert_eq!(told.0, status);
        assert!(told.1.starts_with(reason), "{told:?}");
    }
    let mut answers = [Reply::Down, Reply::Answer(head(200), 3)].into_iter();
    let (lines, result) = run(&mut HttpHost::new(policy()), All, |_| answers.next().unwrap());
    assert_eq!((lines.len(), result), (5, received(3)), "it stops as soon as one succeeds");
}

#[test]
fn failures_that_would_come_again_are_not_repeated() {
    for (reply, status) in [(400, 400), (401, 401), (403, 403), (410, 410), (416, 416)] {
        let (lines, result) =
            run(&mut HttpHost::new(policy()), Span(0..4), |_| crate::support::http_driver::status(reply));
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(told(result).0, Some(status));
    }
    let (lines, result) = run(&mut HttpHost::new(policy()), All, |_| Reply::Strange);
    assert_eq!((lines.join(", "), result), ("GET, report - -".to_owned(), Err(HttpFailure::Thrown)));
    let (lines, result) = run(&mut HttpHost::new(policy()), All, |_| Reply::Abort);
    assert_eq!((lines.join(", "), result), ("GET".to_owned(), Err(HttpFailure::Thrown)), "it ends at once");
}

#[test]
fn lengths_are_checked() {
    let lengths = |range: ByteRange, length| {
        run(&mut HttpHost::new(policy()), range, |_| Reply::Answer(head(206), length))
    };
    for (range, length) in [(Span(2..6), 3), (Span(2..6), 0)] {
        let (lines, result) = lengths(range, length);
        assert_eq!(lines.len(), 2, "a value that is too short stays so");
        let (status, reason) = told(result);
        assert_eq!(status, Some(206));
        assert!(reason.starts_with(&format!("{length} bytes came instead")), "{reason}");
    }
    assert_eq!(lengths(UpTo(2..6), 3).1, received(3), "a guess may bring less");
    assert_eq!(lengths(UpTo(2..6), 0).1, received(0));
    assert_eq!(lengths(Span(2..6), 4).1, received(4));
    assert_eq!(told(lengths(Span(2..6), 5).1).1, "more than 4");
    assert_eq!(told(lengths(From(2), 70_000).1).1, "more than 65536", "of a value of unknown length");
    let whole =
        |length| run(&mut HttpHost::new(policy()), Span(2..6), |_| Reply::Answer(head(200), length)).1;
    assert_eq!(whole(1000), Ok(Some(ReceivedBytes::Whole(1000))));
    assert_eq!(told(whole(1001)), (Some(200), "more than 1000".to_owned()));
}

#[test]
fn more_bytes_than_a_range_has_are_asked_for_again_where_they_were_announced() {
    let long = |content_length| {
        let reply = move |_: &_| Reply::Answer(ResponseHead { content_length, ..head(206) }, 5);
        run(&mut HttpHost::new(policy()), Span(2..6), reply).0.len()
    };
    assert_eq!(long(None), 2);
    assert_eq!(long(Some(4)), 2);
    assert_eq!(long(Some(5)), 8, "a host that lost its connection may announce another answer's length");
}

#[test]
fn redirects_are_followed_with_the_headers_that_may_go_along() {
    let following = HttpPolicy { follows_redirects: true, ..policy() };
    let to =
        |location: &str| Reply::Answer(ResponseHead { location: Some(location.to_owned()), ..head(302) }, 0);
    let mut answers =
        [to("/on"), to("https://elsewhere/"), to("/back"), Reply::Answer(head(200), 3)].into_iter();
    let (lines, result) = run(&mut HttpHost::new(following.clone()), All, |_| answers.next().unwrap());
    assert_eq!(result, received(3));
    assert_eq!(lines.join(", "), "GET, leave, GET, leave, GET bare, leave, GET bare, report 200 3");
    let (lines, result) = run(&mut HttpHost::new(following.clone()), All, |_| to("/on"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("GET")).count(), 21);
    assert_eq!(told(result), (Some(302), "the host redirects more than 20 times".to_owned()));
    let (lines, result) = run(&mut HttpHost::new(following.clone()), All, |_| to("ftp://elsewhere/"));
    assert_eq!(lines.join(", "), "GET, leave, report - -");
    assert_eq!(told(result).1, "the host redirects to an address that is not http: or https:");
    let forbidding = HttpPolicy { forbids_redirects: true, ..policy() };
    let opaque = |_: &_| Reply::Answer(ResponseHead { is_opaque_redirect: true, ..head(0) }, 0);
    let (lines, result) = run(&mut HttpHost::new(forbidding), All, opaque);
    assert_eq!((lines.join(", "), told(result).0), ("GET, leave, report - -".to_owned(), None));
    // A repetition begins at the first address again, with all headers.
    let mut answers = [to("https://elsewhere/"), Reply::Down, Reply::Answer(head(200), 3)].into_iter();
    let (lines, _) = run(&mut HttpHost::new(following), All, |_| answers.next().unwrap());
    assert_eq!(lines.join(", "), "GET, leave, GET bare, report - -, wait 200, GET, report 200 3");
}

#[test]
fn a_whole_value_that_nobody_reads_is_left() {
    let mut host = HttpHost::new(policy());
    let mut request = HttpRequest::new(Request { key: "c/0".to_owned(), range: Span(0..2) }, 0, &host);
    assert!(matches!(request.next(HttpEvent::Ready, &mut host, || 0.5), HttpCommand::Send(_)));
    assert_eq!(request.next(HttpEvent::Head(head(200)), &mut host, || 0.5), HttpCommand::Leave);
    let report = HttpCommand::Report { status: Some(200), bytes: Some(2) };
    assert_eq!(request.next(HttpEvent::Ready, &mut host, || 0.5), report);
    let done = HttpCommand::Done(Ok(Some(ReceivedBytes::Unread)));
    assert_eq!(request.next(HttpEvent::Ready, &mut host, || 0.5), done);
}

#[test]
fn an_event_out_of_order_ends_the_request() {
    let mut host = HttpHost::new(policy());
    for event in [HttpEvent::Body(3), HttpEvent::Head(head(200)), HttpEvent::TooLong(String::new())] {
        let mut request = HttpRequest::new(Request { key: "c/0".to_owned(), range: All }, 9, &host);
        assert_eq!(request.next(event, &mut host, || 0.5), HttpCommand::Done(Err(HttpFailure::Thrown)));
    }
}
