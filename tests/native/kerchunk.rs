//! Kerchunk's references: what they say of keys, and what is wrong with damaged ones.

use rectilinear_zarr::Error;
use rectilinear_zarr::network::{ByteRange, Request, web_address};
use rectilinear_zarr::source::kerchunk::References;
use rectilinear_zarr::source::{ByteLocation, Format, InputRequest, Resolution, system};

fn references(document: &str) -> References {
    References::parse(document.into()).expect("a document").expect("references")
}

fn file(url: &str, span: Option<std::ops::Range<u64>>) -> ByteLocation {
    ByteLocation::File { url: url.to_owned(), span }
}

/// A Zstandard frame whose blocks are stored as they are.
fn zstd_frame(content: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 128 << 10;
    let length = u32::try_from(content.len()).expect("a length");
    let mut frame = [b"\x28\xb5\x2f\xfd\xa0".as_slice(), &length.to_le_bytes()].concat();
    let blocks = content.len().div_ceil(BLOCK);
    for (nth, block) in content.chunks(BLOCK).enumerate() {
        let head = u32::try_from(block.len() << 3 | usize::from(nth + 1 == blocks)).expect("a head");
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
    }
    frame
}

#[test]
fn every_form_of_an_entry() {
    let found = references(
        r#"{"version": 1, "templates": {"dir": "s3://b/a", "u": "{{dir}}/f.nc"}, "refs": {
            ".zgroup": "{\"zarr_format\":2}", "attrs/.zattrs": {"a": NaN}, "n": 5,
            "x/0": ["{{u}}", 10, 5], "x/1": ["{{ dir }}/g.nc"], "x/2": [null, 1, 2], "x/3": "base64:AAH/", "x/4": "text é"}}"#,
    );
    let place = |key: &str| found.place(key).expect(key);
    assert_eq!(place(".zgroup"), ByteLocation::Inline(br#"{"zarr_format":2}"#.to_vec()));
    assert_eq!(place("attrs/.zattrs"), ByteLocation::Inline(br#"{"a": NaN}"#.to_vec()));
    assert_eq!(place("n"), ByteLocation::Inline(b"5".to_vec()));
    assert_eq!(place("x/0"), file("s3://b/a/f.nc", Some(10..15)));
    assert_eq!(place("x/1"), file("s3://b/a/g.nc", None));
    assert_eq!(place("x/2"), file("", Some(1..3)));
    assert_eq!(place("x/3"), ByteLocation::Inline(vec![0, 1, 255]));
    assert_eq!(place("x/4"), ByteLocation::Inline("text é".as_bytes().to_vec()));
    assert_eq!(place("x/5"), ByteLocation::Missing);
}

#[test]
fn version_0_is_known_by_its_documents() {
    let found = references(r#"{"a/.zarray": "{}", "a/0": ["f", 0, 1]}"#);
    assert_eq!(found.place("a/0").expect("a place"), file("f", Some(0..1)));
    // Without templates, braces are what they are.
    let found = references(r#"{"zarr.json": "{}", "a/0": ["{{u}}"]}"#);
    assert_eq!(found.place("a/0").expect("a place"), file("{{u}}", None));
    for other in ["{}", r#"{"type": "FeatureCollection"}"#] {
        assert!(References::parse(other.into()).expect("JSON").is_none(), "{other}");
    }
}

#[test]
fn documents_stand_together_in_one() {
    let v2 = references(
        r#"{".zgroup": "{\"zarr_format\": 2}", "a/.zarray": {"shape": []}, "a/.zattrs": "{\"x\": NaN}", "a/0": ""}"#,
    );
    let ByteLocation::Inline(document) = v2.place(".zmetadata").expect("a place") else { panic!("inline") };
    let expected = r#"{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format": 2},"a/.zarray":{"shape": []},"a/.zattrs":{"x": "\u0000NaN"}}}"#;
    assert_eq!(String::from_utf8(document).expect("text"), expected);
    // What somebody wrote stays.
    let written = references(r#"{".zmetadata": "{}", "a/.zarray": "{}"}"#);
    assert_eq!(written.place(".zmetadata").expect("a place"), ByteLocation::Inline(b"{}".to_vec()));

    let v3 = references(
        r#"{"zarr.json": "{\"node_type\": \"group\"}", "a/b/zarr.json": "{\"node_type\": \"array\"}"}"#,
    );
    let ByteLocation::Inline(document) = v3.place("zarr.json").expect("a place") else { panic!("inline") };
    let expected = r#"{"node_type":"group","consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{"a/b":{"node_type": "array"}}}}"#;
    assert_eq!(String::from_utf8(document).expect("text"), expected);
    let array = references(r#"{"zarr.json": "{\"node_type\": \"array\"}"}"#);
    assert_eq!(
        array.place("zarr.json").expect("a place"),
        ByteLocation::Inline(br#"{"node_type": "array"}"#.to_vec())
    );
}

/// Error with which a document, or its key `x/0`, is refused.
fn refusal(document: &str) -> String {
    match References::parse(document.into()) {
        Err(error) => error.to_string(),
        Ok(found) => found.expect("references").place("x/0").expect_err(document).to_string(),
    }
}

#[test]
fn what_is_damaged_or_lacking_is_named() {
    let with = |entry: &str| format!(r#"{{"version": 1, "refs": {{"x/0": {entry}}}}}"#);
    let cases = [
        ("<!doctype html>", "HTML"),
        ("[1]", "an object"),
        (r#"{"version": 2, "refs": {}}"#, "version 2"),
        (r#"{"refs": {}}"#, "version null"),
        (r#"{"version": 1, "refs": []}"#, "/refs"),
        (r#"{"version": 1, "refs": {}, "gen": [{"key": "x"}]}"#, "gen"),
        (r#"{"version": 1, "refs": {}, "templates": {"a": 1}}"#, "/templates/a"),
        (
            r#"{"version": 1, "refs": {"x/0": ["{{u}}"]}, "templates": {"u": "{{v}}", "v": "{{u}}"}}"#,
            "circle",
        ),
        (
            r#"{"version": 1, "refs": {"x/0": ["{{c(i=1)}}"]}, "templates": {"c": "x"}}"#,
            "the template {{c(i=1)}}",
        ),
        (r#"{"version": 1, "refs": {"x/0": ["{{c"]}, "templates": {"c": "x"}}"#, "no closing }}"),
    ];
    for (document, word) in cases {
        assert!(refusal(document).contains(word), "{document}: {}", refusal(document));
    }
    for (entry, word) in [
        (r#""base64:%%""#, "base64"),
        (r#"["f", -1, 2]"#, "/refs/x~10/1"),
        (r#"["f", 1, 1e300]"#, "/refs/x~10/2"),
        (r#"["f", 1]"#, "[url, offset, length]"),
        ("[5]", "a URL or null"),
        ("null", "a string, a JSON object"),
        ("true", "a string, a JSON object"),
    ] {
        assert!(refusal(&with(entry)).contains(word), "{entry}: {}", refusal(&with(entry)));
    }
}

#[test]
fn templates_that_multiply_end() {
    for (innermost, word) in [("", "one URL uses more than"), ("0123456789", "URL of more than")] {
        let mut templates = vec![format!(r#""t0": "{innermost}""#)];
        for nth in 1..16 {
            let before = format!("{{{{t{}}}}}", nth - 1);
            templates.push(format!(r#""t{nth}": "{}""#, before.repeat(10)));
        }
        let document = format!(
            r#"{{"version": 1, "templates": {{{}}}, "refs": {{"x/0": ["{{{{t15}}}}"]}}}}"#,
            templates.join(",")
        );
        assert!(refusal(&document).contains(word), "{innermost:?}");
    }
}

#[test]
fn a_part_of_a_place_is_a_part_of_its_file() {
    let part = |span: Option<std::ops::Range<u64>>, part: ByteRange| {
        ByteLocation::part("u".to_owned(), span.as_ref(), &part)
    };
    let request = |range| Some(Request { key: "u".to_owned(), range });
    assert_eq!(part(None, ByteRange::Suffix(4)), request(ByteRange::Suffix(4)));
    assert_eq!(part(Some(10..30), ByteRange::All), request(ByteRange::Span(10..30)));
    assert_eq!(part(Some(10..30), ByteRange::Span(5..20)), request(ByteRange::Span(15..30)));
    assert_eq!(part(Some(10..30), ByteRange::Suffix(4)), request(ByteRange::Span(26..30)));
    assert_eq!(part(Some(10..30), ByteRange::From(4)), request(ByteRange::Span(14..30)));
    assert_eq!(part(Some(10..30), ByteRange::Span(5..21)), None);
    assert_eq!(part(Some(10..30), ByteRange::Suffix(21)), None);
}

#[test]
fn addresses_of_buckets_become_those_of_the_web() {
    let cases = [
        ("https://h/a b", Some("https://h/a b")),
        ("jan 2024#1.nc", Some("jan%202024%231.nc")),
        ("s3://bucket/a/b c.nc", Some("https://bucket.s3.amazonaws.com/a/b%20c.nc")),
        ("s3://my.bucket/a", Some("https://s3.amazonaws.com/my.bucket/a")),
        ("gs://bucket/a?b", Some("https://storage.googleapis.com/bucket/a%3Fb")),
        ("gcs://bucket", Some("https://storage.googleapis.com/bucket/")),
        ("az://cells@acc/a b/x", Some("https://acc.blob.core.windows.net/cells/a%20b/x")),
        (
            "abfs://cells@acc.dfs.core.windows.net/x.zarr",
            Some("https://acc.blob.core.windows.net/cells/x.zarr"),
        ),
        ("abfss://cells@acc.dfs.core.windows.net", Some("https://acc.blob.core.windows.net/cells/")),
        // Schemes may be written in capital letters; buckets of such names are no parts of a host.
        ("S3://Bucket/Key", Some("https://s3.amazonaws.com/Bucket/Key")),
        ("GS://Bucket/a", Some("https://storage.googleapis.com/Bucket/a")),
        ("HTTPS://h/x", Some("HTTPS://h/x")),
        // There is no bucket.
        ("s3://", None),
        ("s3:///a", None),
        ("gs:///a", None),
        // Nothing says of which account it is.
        ("az://cells/x.zarr", None),
        ("abfs://@acc/x.zarr", None),
        ("abfs://cells@/x.zarr", None),
        ("file:///data/jan.nc", None),
        ("hdfs://x/y", None),
        ("simplecache::s3://bucket/a", None),
    ];
    for (listed, address) in cases {
        assert_eq!(web_address(listed).as_deref(), address, "{listed}");
    }
}

#[test]
fn errors_are_those_of_whoever_must_act() {
    let error = References::parse(br#"{"version": 3, "refs": {}}"#.to_vec()).expect_err("a version");
    assert!(matches!(error, Error::Unsupported { .. }));
}

#[test]
fn a_system_asks_for_its_document_and_then_knows() {
    let mut found = system("kerchunk", &Default::default()).expect("a system");
    let document = InputRequest::plain(0, String::new(), ByteRange::All);
    assert_eq!(found.needs(), Ok(vec![document.clone()]));
    assert_eq!(found.find("x/0"), Ok(Resolution::Needs(vec![document])));
    assert!(matches!(found.tell(0, None), Err(Error::NotFound { .. })));
    assert!(matches!(found.tell(0, Some(b"{}")), Err(Error::NotFound { .. })));
    found.tell(0, Some(br#"{"version": 1, "refs": {"x/0": ["f", 1, 2]}}"#)).expect("references");
    assert_eq!(found.needs(), Ok(Vec::new()));
    assert_eq!(found.find("x/0"), Ok(Resolution::Place(file("f", Some(1..3)))));
    assert!(matches!(system("zarr", &Default::default()), Err(Error::Unsupported { .. })));
}

#[test]
fn findings_travel() {
    let needs = [ByteRange::All, ByteRange::Span(1..2), ByteRange::From(3), ByteRange::Suffix(4)];
    let needs =
        needs.into_iter().zip(7..).map(|(range, number)| InputRequest::plain(number, "f".to_owned(), range));
    let quantity = || 5_u64;
    let not_found = |tried: Vec<String>| Error::NotFound {
        wanted: "branch".into(),
        path: "p".to_owned(),
        tried,
        hint: "h".to_owned(),
    };
    let store = |status, range| Error::Store { key: "k".to_owned(), status, range, reason: "r".to_owned() };
    for found in [
        Ok(Resolution::Place(ByteLocation::Missing)),
        Ok(Resolution::Place(ByteLocation::Inline(vec![1, 2]))),
        Ok(Resolution::Place(file("u", None))),
        Ok(Resolution::Place(file("u", Some(1..9)))),
        Ok(Resolution::Needs(Vec::new())),
        Ok(Resolution::Needs(needs.collect())),
        Err(Error::metadata("/a", "b").in_document("c")),
        Err(Error::codec("zstd", quantity(), "words").in_chunk("k", &[1, 2])),
        Err(not_found(Vec::new())),
        Err(not_found(vec!["a".to_owned(), "b".to_owned()])),
        Err(store(None, None)),
        Err(store(Some(503), None)),
        Err(store(None, Some((0, 9)))),
        Err(store(Some(206), Some((1 << 40, 1 << 41)))),
        Err(Error::Unsupported { feature: "f".to_owned(), reason: "r".to_owned() }),
    ] {
        let packed = Resolution::packed(&found);
        assert_eq!(Resolution::unpacked(&packed), Some(found));
        for length in 0..packed.len() {
            let cut = Resolution::unpacked(&packed[..length]);
            assert_eq!(cut, None, "{packed:?} cut to {length}");
        }
    }
}

#[test]
fn an_address_may_hold_its_bytes() {
    let found = references(
        r#"{"version": 1, "templates": {"d": "data:;base64,AAEC"}, "refs": {"a/.zarray": "{}",
            "a/0": ["data:application/octet-stream;base64,AAECAw=="], "a/1": ["data:;base64,AAECAw", 1, 2],
            "a/2": ["DATA:text/plain;charset=utf-8,a%20b%zz%C3%A9"], "a/3": ["data:,", 0, 0], "a/4": ["{{d}}Aw=="],
            "a/5": ["data:;BASE64 ,AA EC%0AAw=="], "a/6": ["data:,a#b"], "a/7": ["database/file", 1, 2]}}"#,
    );
    for (key, bytes) in [
        ("a/0", [0, 1, 2, 3].as_slice()),
        ("a/1", &[1, 2]),
        ("a/2", "a b%zzé".as_bytes()),
        ("a/3", b""),
        ("a/4", &[0, 1, 2, 3]),
        ("a/5", &[0, 1, 2, 3]),
        ("a/6", b"a#b"),
    ] {
        assert_eq!(found.place(key).expect(key), ByteLocation::Inline(bytes.to_vec()), "{key}");
    }
    assert_eq!(found.place("a/7").expect("a place"), file("database/file", Some(1..3)));
    for (entry, words) in [
        (r#"["data:base64"]"#, "no comma"),
        (r#"["data:;base64,A*"]"#, "invalid base64"),
        (r#"["data:,abc", 1, 3]"#, "has 3 bytes"),
        (r#"["data:,abc", 9007199254740991, 1]"#, "has 3 bytes"),
    ] {
        let found = references(&format!(r#"{{"a/.zarray": "{{}}", "a/0": {entry}}}"#));
        let error = found.place("a/0").expect_err(entry);
        assert!(matches!(&error, Error::InvalidMetadata { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_document_that_zstd_compressed_opens_as_a_plain_one() {
    let document = br#"{"version": 1, "refs": {"a/.zarray": "{}", "x/0": ["f", 1, 2]}}"#;
    let compressed = zstd_frame(document);
    let mut found = system("kerchunk", &Default::default()).expect("a system");
    found.tell(0, Some(&compressed)).expect("references");
    assert_eq!(found.find("x/0"), Ok(Resolution::Place(file("f", Some(1..3)))));
    // Two frames are one document.
    let halves = [&document[..20], &document[20..]].map(zstd_frame);
    found.tell(0, Some(&halves.concat())).expect("references");
    assert_eq!(found.find("x/0"), Ok(Resolution::Place(file("f", Some(1..3)))));
    // A frame that is cut short, and one that says that it has a gibibyte.
    for damaged in [&compressed[..compressed.len() - 5], b"\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x40\x01\x00\x00"]
    {
        let error = found.tell(0, Some(damaged)).expect_err("damage");
        assert!(matches!(&error, Error::InvalidMetadata { .. }), "{error}");
    }
    for (address, format) in [
        ("/a.json.zst", Some(Format::Kerchunk)),
        ("/a.json.zstd", Some(Format::Kerchunk)),
        ("/a.zst", None),
        ("/a.json.zst/", None),
    ] {
        assert_eq!(Format::likely_at(address), format, "{address}");
    }
}

#[test]
fn a_long_document_is_read_in_steps() {
    let entries: Vec<_> =
        (0..50_000).map(|n| format!(r#""x/{n}":["s3://bucket/file-{n}.nc",{n},100]"#)).collect();
    let document = format!(r#"{{"version":1,"refs":{{"x/.zarray":"{{}}",{}}}}}"#, entries.join(","));
    let compressed = zstd_frame(document.as_bytes());
    for input in [document.as_bytes(), &compressed] {
        let mut found = system("kerchunk", &Default::default()).expect("a system");
        found.provide(0, Some(input.to_vec())).expect("a document");
        let mut steps = 0;
        while !found.work(0).expect("references") {
            steps += 1;
        }
        // 256 KiB of text, or 4,096 references, a step.
        let least = document.len() / (256 << 10) + 2 * (50_000 / 4096);
        assert!(steps >= least && steps < 3 * least + 10, "{steps} steps for {least}");
        assert_eq!(
            found.find("x/49999"),
            Ok(Resolution::Place(file("s3://bucket/file-49999.nc", Some(49_999..50_099))))
        );
    }
}
