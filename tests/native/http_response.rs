//! Verdicts on responses: every class of statuses, `Content-Range` in its forms, versions and redirects.

use rectilinear_zarr::network::ByteRange::{self, All, From, Span, Suffix, UpTo};
use rectilinear_zarr::network::http::{
    HttpHost, HttpPolicy, MAX_REDIRECTS, Redirect, RedirectTarget, RedirectTrail, ResponseHead, RetryAfter,
    Verdict,
};

fn policy() -> HttpPolicy {
    HttpPolicy { missing_statuses: vec![404], retries: 3, ..HttpPolicy::default() }
}

fn head(status: u16) -> ResponseHead {
    ResponseHead { status, ..ResponseHead::default() }
}

fn ranged(status: u16, content_range: &str) -> ResponseHead {
    ResponseHead { content_range: Some(content_range.to_owned()), ..head(status) }
}

/// The verdict of a host of which nothing is known.
fn verdict(asked: &ByteRange, head: &ResponseHead) -> Verdict {
    HttpHost::new(policy()).verdict("c/0", asked, head)
}

#[test]
fn lines_are_parsed_as_a_head() {
    let lines = "206\ncors\n/on\nbytes 0-1/2\n2\ntext/html; charset=utf-8\n\"a\"\na date\n3";
    let expected = ResponseHead {
        status: 206,
        is_opaque_redirect: false,
        location: Some("/on".to_owned()),
        content_range: Some("bytes 0-1/2".to_owned()),
        content_length: Some(2),
        is_html: true,
        tag: Some("\"a\"".to_owned()),
        date: Some("a date".to_owned()),
        delay: 3000.0,
    };
    assert_eq!(ResponseHead::parse(lines, |_| f64::NAN), expected);
    assert_eq!(ResponseHead::parse("200\nbasic\n\n\n\n\n\n\n", |_| 1.0), head(200));
    let dated = ResponseHead::parse("503\nbasic\n\n\n\n\n\nyesterday\ntomorrow", |date| {
        if date == "tomorrow" { 5.0 } else { f64::NAN }
    });
    assert_eq!((dated.date.as_deref(), dated.delay), (Some("yesterday"), 5.0));
    for (lines, length) in [("200\n\n\n\n12", Some(12)), ("200\n\n\n\n1e3", None), ("200\n\n\n\n-1", None)] {
        assert_eq!(ResponseHead::parse(lines, |_| 0.0).content_length, length, "{lines:?}");
    }
    let hidden = ResponseHead::parse("0\nopaqueredirect", |_| 0.0);
    assert_eq!((hidden.status, hidden.is_opaque_redirect), (0, true));
    for lines in ["", "\n\n\n\n\n\n\n\n\n\n", "-1\nbasic", "70000", "many"] {
        assert_eq!(ResponseHead::parse(lines, |_| 0.0), ResponseHead::default(), "{lines:?}");
    }
}

#[test]
fn statuses_are_missing_refused_or_a_success() {
    let host = HttpHost::new(HttpPolicy { missing_statuses: vec![403, 404], ..policy() });
    for status in 0..=999 {
        let expected = match status {
            403 | 404 => "missing",
            200..=299 => "success",
            _ => "refused",
        };
        let found = match host.verdict_on_status(status) {
            Some(Verdict::Missing) => "missing",
            Some(Verdict::Refused(reason)) if !reason.is_empty() => "refused",
            None => "success",
            other => unreachable!("{other:?}"),
        };
        assert_eq!(found, expected, "{status}");
    }
    for (status, said) in [
        (401, "requires authentication"),
        (403, "missingStatuses"),
        (404, "missingStatuses"),
        (410, "nothing is there"),
        (416, "shorter"),
        (429, "limits the rate of requests"),
        (500, "failed"),
        (599, "failed"),
        (300, "did not answer"),
        (0, "did not answer"),
    ] {
        let bare = HttpHost::new(HttpPolicy::default());
        let Some(Verdict::Refused(reason)) = bare.verdict_on_status(status) else { unreachable!("{status}") };
        assert!(reason.contains(said), "{status}: {reason}");
    }
}

/// A verdict without its words.
fn name(verdict: Verdict) -> String {
    match verdict {
        Verdict::Refused(reason) if reason.contains("another part") => "other".to_owned(),
        Verdict::Refused(reason) if reason.contains("expected the whole value") => "part".to_owned(),
        Verdict::Refused(reason) if reason.contains("HTML") => "page".to_owned(),
        Verdict::Refused(reason) if reason.contains("changed") => "changed".to_owned(),
        verdict => format!("{verdict:?}").to_lowercase(),
    }
}

#[test]
fn bodies_are_those_asked_for_or_whole_or_others() {
    for (asked, head, expected) in [
        (All, head(200), "asked"),
        (All, head(203), "asked"),
        (All, ranged(200, "bytes 5-9/10"), "asked"),
        (All, ranged(206, "bytes 0-9/10"), "asked"),
        (All, ranged(206, "bytes 0-8/10"), "part"),
        (All, ranged(206, "bytes 0-9/*"), "part"),
        // A part of which nothing is said may be any part.
        (All, head(206), "part"),
        (All, ranged(206, "nonsense"), "part"),
        (Span(2..5), head(200), "whole"),
        (Span(2..5), ranged(200, "bytes 2-4/10"), "whole"),
        (Span(2..5), ranged(206, "bytes 2-4/10"), "asked"),
        (Span(2..5), ranged(206, "bytes 0-9/10"), "whole"),
        (Span(2..5), ranged(206, "bytes 1-3/10"), "other"),
        (Span(2..5), ranged(206, "bytes 2-5/10"), "other"),
        // From another origin the header is hidden, unless the host exposes it: the length decides.
        (Span(2..5), head(206), "asked"),
        (Span(2..5), ranged(206, "bytes */10"), "asked"),
        (UpTo(2..50), ranged(206, "bytes 2-9/10"), "asked"),
        (UpTo(2..50), ranged(206, "bytes 3-9/10"), "other"),
        (From(4), ranged(206, "bytes 4-9/10"), "asked"),
        (From(4), ranged(206, "bytes 4-7/10"), "other"),
        (From(4), head(200), "whole"),
        (Suffix(4), ranged(206, "bytes 6-9/10"), "asked"),
        (Suffix(4), head(206), "asked"),
        (Suffix(4), head(200), "whole"),
        (Suffix(4), ranged(206, "bytes 0-9/10"), "whole"),
        (Suffix(4), ranged(206, "bytes 0-4/10"), "misread(some(10))"),
        (Suffix(4), ranged(206, "bytes 0-4/*"), "misread(none)"),
        (Suffix(4), head(404), "missing"),
    ] {
        assert_eq!(name(verdict(&asked, &head)), expected, "{asked:?} answered with {head:?}");
    }
}

#[test]
fn a_page_is_no_part_of_a_value() {
    let page = |status| ResponseHead { is_html: true, ..head(status) };
    assert_eq!(name(verdict(&Span(0..9), &page(200))), "page");
    assert_eq!(name(verdict(&Span(0..9), &page(206))), "page");
    // Documents are looked into: the parser says what is wrong with them.
    assert_eq!(verdict(&All, &page(200)), Verdict::Asked);
}

#[test]
fn ranges_of_two_versions_are_not_mixed() {
    let told = |version: &str, head: ResponseHead| match version.contains('"') {
        true => ResponseHead { tag: Some(version.to_owned()), ..head },
        false => ResponseHead { date: Some(version.to_owned()), ..head },
    };
    let versioned = |version: &str| told(version, ranged(206, "bytes 0-8/10"));
    for (first, second, expected) in [
        ("\"a\"", "\"a\"", "asked"),
        ("\"a\"", "\"b\"", "changed"),
        ("W/\"a\"", "W/\"a\"", "asked"),
        ("W/\"a\"", "W/\"b\"", "changed"),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", "changed"),
    ] {
        let mut host = HttpHost::new(policy());
        assert_eq!(host.verdict("c/0", &Span(0..9), &versioned(first)), Verdict::Asked);
        assert_eq!(host.verdict("c/1", &Span(0..9), &versioned(second)), Verdict::Asked, "another value");
        assert_eq!(name(host.verdict("c/0", &Span(0..9), &versioned(second))), expected, "{first} {second}");
        assert_eq!(host.versions.epoch(), u64::from(expected == "changed"));
        assert_eq!(host.verdict("c/0", &Span(0..9), &versioned(second)), Verdict::Asked, "it is read anew");
        assert_eq!(host.verdict("c/0", &Span(0..9), &ranged(206, "bytes 0-8/10")), Verdict::Asked, "unnamed");
    }
    let mut host = HttpHost::new(policy());
    for version in ["\"a\"", "\"b\""] {
        assert_eq!(
            host.verdict("c/0", &All, &versioned(version)),
            Verdict::Refused(PART),
            "a range comes alone"
        );
        let whole = told(version, head(200));
        assert_eq!(
            host.verdict("c/0", &All, &whole),
            Verdict::Asked,
            "a value that comes whole is of one version"
        );
    }
}

const PART: &str = "expected the whole value, received a part of it; check caches and proxies on the way, and that \
                    the option headers has no Range";

#[test]
fn verdicts_leave_what_they_show_of_the_host() {
    let mut host = HttpHost::new(policy());
    host.verdict("c/0", &Span(0..4), &head(404));
    host.verdict("c/0", &Span(0..4), &head(500));
    host.verdict("c/0", &All, &head(200));
    assert!(!host.capabilities.knows_ranges(), "none of them answers a range");
    host.verdict("c/0", &Span(0..4), &head(200));
    assert!(host.capabilities.ignores_ranges());
    host.verdict("c/0", &Span(0..4), &ranged(206, "bytes 0-9/10"));
    assert!(!host.capabilities.ignores_ranges(), "206 with everything is no ignored range");
    assert!(!host.avoids_suffixes());
    host.verdict("c/0", &Suffix(4), &ranged(206, "bytes 0-4/10"));
    assert!(host.avoids_suffixes() && !host.capabilities.refuses_suffixes());
    let preflights = HttpHost::new(HttpPolicy { has_preflights: true, ..policy() });
    assert!(preflights.avoids_suffixes());
}

#[test]
fn repetitions_heed_the_head() {
    let asking = |status, delay| ResponseHead { delay, ..head(status) }.retry_after();
    assert_eq!(asking(503, 0.0), Some(RetryAfter::SOON));
    assert_eq!(asking(200, 5.0), None);
    assert_eq!(asking(429, 61_000.0), None);
    assert!(asking(429, 2000.0).is_some_and(|again| (again.wait(0, 0.5) - 2000.0).abs() < 1.0));
}

#[test]
fn refresh_forgets_versions_and_has_answers_revalidated() {
    let mut host = HttpHost::new(policy());
    assert!(!host.revalidates);
    host.refresh();
    assert_eq!((host.versions.epoch(), host.revalidates), (1, true));
}

#[test]
fn redirects_are_left_to_fetch_forbidden_or_followed() {
    let to = |status| ResponseHead { location: Some("/on".to_owned()), ..head(status) };
    let opaque = ResponseHead { is_opaque_redirect: true, ..head(0) };
    let fetching = policy();
    let forbidding = HttpPolicy { forbids_redirects: true, ..policy() };
    let following = HttpPolicy { follows_redirects: true, ..policy() };
    assert!(!fetching.sees_redirects() && forbidding.sees_redirects() && following.sees_redirects());
    let kind = |redirect| match redirect {
        Redirect::No => "no",
        Redirect::Forbidden(reason) if reason.contains("redirect: \"error\"") => "forbidden",
        Redirect::To(location) if location == "/on" => "to",
        other => unreachable!("{other:?}"),
    };
    for (head, expected) in [
        (to(301), ["no", "forbidden", "to"]),
        (to(302), ["no", "forbidden", "to"]),
        (to(303), ["no", "forbidden", "to"]),
        (to(307), ["no", "forbidden", "to"]),
        (to(308), ["no", "forbidden", "to"]),
        // Not modified, several choices, and a success with a location lead nowhere.
        (to(300), ["no", "no", "no"]),
        (to(304), ["no", "no", "no"]),
        (to(201), ["no", "no", "no"]),
        // Without a location it is an answer like others, whose status is refused.
        (head(302), ["no", "forbidden", "no"]),
        (opaque, ["no", "forbidden", "no"]),
    ] {
        let found = [&fetching, &forbidding, &following].map(|policy| kind(policy.redirect(&head)));
        assert_eq!(found, expected, "{head:?}");
    }
    let missing = HttpPolicy { missing_statuses: vec![302], ..following };
    assert_eq!(missing.redirect(&to(302)), Redirect::No, "a status that means missing is that");
}

#[test]
fn headers_stay_with_their_origin_and_redirects_end() {
    let mut trail = RedirectTrail::default();
    assert!(trail.carries_headers);
    assert!(trail.follow(RedirectTarget::SameOrigin).is_ok() && trail.carries_headers);
    assert!(trail.follow(RedirectTarget::OtherOrigin).is_ok() && !trail.carries_headers);
    assert!(trail.follow(RedirectTarget::SameOrigin).is_ok());
    assert!(!trail.carries_headers, "what was left behind does not come back");
    assert!(
        trail.follow(RedirectTarget::Unusable).is_err_and(|reason| reason.contains("not http: or https:"))
    );
    let mut trail = RedirectTrail::default();
    for _ in 0..MAX_REDIRECTS {
        assert!(trail.follow(RedirectTarget::SameOrigin).is_ok());
    }
    assert!(
        trail.follow(RedirectTarget::SameOrigin).is_err_and(|reason| reason.contains("more than 20 times"))
    );
}
