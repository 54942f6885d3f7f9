//! Bytes that the `Content-Range` of an answer names, for good hosts and for those that misread ranges.

use rectilinear_zarr::network::ByteRange;
use rectilinear_zarr::network::http::{ContentRange, Served};

#[test]
fn headers_are_parsed_as_rfc_9110_has_them() {
    let told = |start, end, total| Some(ContentRange { start, end, total });
    for (header, expected) in [
        ("bytes 0-99/1000", told(0, 100, Some(1000))),
        ("bytes 900-999/1000", told(900, 1000, Some(1000))),
        ("Bytes 5-5/*", told(5, 6, None)),
        (" bytes 0-0/1 ", told(0, 1, Some(1))),
        ("bytes */1000", None),
        ("bytes 0-99", None),
        ("bytes 9-8/10", None),
        ("bytes 0-10/10", None),
        ("bytes -5/10", None),
        ("bytes 0-18446744073709551615/*", None),
        ("items 0-9/10", None),
        ("", None),
    ] {
        assert_eq!(ContentRange::parse(header), expected, "{header:?}");
    }
}

#[test]
fn answers_are_told_from_what_was_asked_for() {
    use ByteRange::{All, From, Span, Suffix, UpTo};
    use Served::{Asked, Other, Whole};
    for (asked, header, expected) in [
        // A 206 that nobody asked for is the value where it says that it is all of it.
        (All, "bytes 0-9/10", Asked),
        (All, "bytes 0-9/*", Other),
        (All, "bytes 8-9/10", Other),
        (All, "bytes 0-8/10", Other),
        (Span(2..5), "bytes 2-4/10", Asked),
        (Span(2..5), "bytes 2-4/*", Asked),
        // The value ends before the range does, which its length tells.
        (Span(2..50), "bytes 2-9/10", Asked),
        (Span(0..50), "bytes 0-9/10", Asked),
        (Span(2..5), "bytes 2-5/10", Other),
        (Span(2..5), "bytes 1-4/10", Other),
        (Span(2..5), "bytes 0-9/10", Whole),
        // sirv, and so vite preview, answers bytes=0-0 with everything.
        (Span(0..1), "bytes 0-9/10", Whole),
        (Span(0..1), "bytes 0-9/*", Other),
        (UpTo(2..50), "bytes 2-9/10", Asked),
        (UpTo(2..5), "bytes 3-4/10", Other),
        (From(4), "bytes 4-9/10", Asked),
        (From(4), "bytes 4-8/10", Other),
        (From(4), "bytes 5-9/10", Other),
        (From(4), "bytes 0-9/10", Whole),
        (Suffix(4), "bytes 6-9/10", Asked),
        (Suffix(4), "bytes 6-9/*", Asked),
        // vite preview takes bytes=-4 for bytes=0-4.
        (Suffix(4), "bytes 0-4/10", Other),
        (Suffix(4), "bytes 0-3/10", Other),
        (Suffix(4), "bytes 0-9/10", Whole),
        (Suffix(40), "bytes 0-9/10", Asked),
    ] {
        let told = ContentRange::parse(header).unwrap();
        assert_eq!(told.served(&asked), expected, "{asked:?} answered with {header}");
    }
}
