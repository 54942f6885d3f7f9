//! One HTTP request from its first command to its result: repetitions, redirects, bodies, reports.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use rectilinear_zarr::source::ByteRange::{self, All, From, Span, Suffix, UpTo};
use rectilinear_zarr::source::Request;
use rectilinear_zarr::source::http::{
    HttpCommand, HttpEvent, HttpFailure, HttpHost, HttpPolicy, HttpRequest, ReceivedBytes, ResponseHead,
    range_header,
};
use support::http_driver::{Reply, head, part, policy, run, status, told};

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

#[test]
fn ranges_are_conditional_on_the_version_that_was_read() {
    let versioned = |_: &_| match part(0, 4, 10) {
        Reply::Answer(head, length) => {
            Reply::Answer(ResponseHead { version: Some("\"a\"".to_owned()), ..head }, length)
        }
        _ => unreachable!(),
    };
    let mut host = HttpHost::new(policy());
    assert_eq!(run(&mut host, Span(0..4), versioned).0[0], "GET bytes=0-3 no-store");
    assert_eq!(run(&mut host, Span(0..4), versioned).0[0], "GET bytes=0-3 if \"a\" no-store");
    assert_eq!(run(&mut host, All, |_| status(404)).0[0], "GET", "a whole value is of one version");
    // Another header would cost a preflight.
    let mut foreign = HttpHost::new(HttpPolicy { has_preflights: true, ..policy() });
    run(&mut foreign, Span(0..4), versioned).1.unwrap();
    assert_eq!(run(&mut foreign, Span(0..4), versioned).0[0], "GET bytes=0-3 no-store");
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
            run(&mut HttpHost::new(policy()), Span(0..4), |_| support::http_driver::status(reply));
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
