//! The search for the documents of an array or a group: which are asked for, in which order, and what is said in vain.

use rectilinear_zarr::Error;
use rectilinear_zarr::metadata::ScannedJson;
use rectilinear_zarr::source::{
    DocumentAnswer, DocumentSearch, FoundDocuments, NodeKind, SearchStep, path_in,
};

const V3_ARRAY: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "fill_value": 0,
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}}, "chunk_key_encoding": {"name": "default"},
    "codecs": [{"name": "bytes"}]}"#;
const V3_GROUP: &str = r#"{"zarr_format": 3, "node_type": "group", "attributes": {"is": 3}}"#;
const ZARRAY: &str = r#"{"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "|u1", "compressor": null, "fill_value": 0,
    "order": "C", "filters": null}"#;
const ZGROUP: &str = r#"{"zarr_format": 2}"#;
const ZATTRS: &str = r#"{"is": 2}"#;
const ZMETADATA: &str =
    r#"{"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, "a/.zarray": {}}}"#;
const ROOTLESS: &str = r#"{"zarr_consolidated_format": 1, "metadata": {"a/.zarray": {}}}"#;
const PAGE: &str = "<!doctype html><title>Not found</title>";

/// A text in place of a document for which the host fails.
const FAILS: &str = "fails";

/// A text in place of a document for which the host fails as it may for what is missing.
const DOUBT: &str = "doubt";

type Files<'a> = &'a [(&'a str, &'a str)];

/// The rounds of documents that were asked for, and the result.
fn search(kind: NodeKind, format: Option<u8>, files: Files<'_>) -> (String, Result<FoundDocuments, Error>) {
    searched(kind, format, true, files)
}

/// As `search`, with or without attributes that are a document of their own.
fn searched(
    kind: NodeKind,
    format: Option<u8>,
    attributes_wanted: bool,
    files: Files<'_>,
) -> (String, Result<FoundDocuments, Error>) {
    let describe = |key: &str| format!("https://host/{key}");
    let mut search = DocumentSearch::new(kind, "x", format, attributes_wanted, &["near"], &describe);
    let answer = |name: &str| match files.iter().find(|(file, _)| *file == name) {
        Some((_, text)) if *text == FAILS => {
            DocumentAnswer::Failed(Error::Range { reason: format!("{name} failed") })
        }
        Some((_, text)) if *text == DOUBT => {
            DocumentAnswer::Doubtful(Error::Range { reason: format!("{name} is in doubt") })
        }
        Some((_, text)) => {
            let mut document = ScannedJson::new(text.as_bytes().to_vec(), path_in(name));
            while !document.step() {}
            DocumentAnswer::Found(document.into())
        }
        None => DocumentAnswer::Missing,
    };
    let mut names = search.first();
    let mut rounds = Vec::new();
    loop {
        rounds.push(names.join("+"));
        let second = names.get(1).map_or(DocumentAnswer::Missing, |name| answer(name));
        match search.next([answer(names[0]), second]) {
            SearchStep::Ask(next) => names = next,
            SearchStep::Found(found) => return (rounds.join(" "), Ok(found)),
            SearchStep::Failed(error) => return (rounds.join(" "), Err(error)),
        }
    }
}

fn array(format: Option<u8>, files: Files<'_>) -> (String, Result<(u8, String), Error>) {
    let (rounds, found) = search(NodeKind::Array, format, files);
    let read = found.and_then(|found| found.array());
    (rounds, read.map(|(metadata, key)| (metadata.zarr_format, key)))
}

fn group(format: Option<u8>, files: Files<'_>) -> (String, Result<(u8, bool, String), Error>) {
    let (rounds, found) = search(NodeKind::Group, format, files);
    let read = found.and_then(|mut found| found.group());
    (rounds, read.map(|(metadata, key)| (metadata.zarr_format, metadata.consolidated.is_some(), key)))
}

#[test]
fn an_array_is_found_in_either_format() {
    for (format, files, rounds, found) in [
        (None, &[("zarr.json", V3_ARRAY), (".zarray", ZARRAY)] as Files<'_>, "zarr.json", (3, "x/zarr.json")),
        (Some(3), &[("zarr.json", V3_ARRAY)], "zarr.json", (3, "x/zarr.json")),
        (None, &[(".zarray", ZARRAY)], "zarr.json .zarray+.zattrs", (2, "x/.zarray")),
        (
            Some(2),
            &[("zarr.json", V3_ARRAY), (".zarray", ZARRAY), (".zattrs", ZATTRS)],
            ".zarray+.zattrs",
            (2, "x/.zarray"),
        ),
        // A page for whatever does not exist hides no v2 store.
        (
            None,
            &[("zarr.json", PAGE), (".zarray", ZARRAY), (".zattrs", PAGE)],
            "zarr.json .zarray+.zattrs",
            (2, "x/.zarray"),
        ),
    ] {
        let (asked, read) = array(format, files);
        assert_eq!(asked, rounds);
        assert_eq!(read, Ok((found.0, found.1.to_owned())));
    }
}

#[test]
fn a_group_is_found_in_either_format() {
    let all = "zarr.json .zmetadata .zgroup+.zattrs";
    for (format, files, rounds, found) in [
        (None, &[("zarr.json", V3_GROUP)] as Files<'_>, "zarr.json", (3, false, "x/zarr.json")),
        (None, &[(".zmetadata", ZMETADATA)], "zarr.json .zmetadata", (2, true, "x/.zmetadata")),
        (Some(2), &[(".zmetadata", ZMETADATA)], ".zmetadata", (2, true, "x/.zmetadata")),
        (None, &[(".zgroup", ZGROUP), (".zattrs", ZATTRS)], all, (2, false, "")),
        // Members are consolidated, and the group is not.
        (None, &[(".zmetadata", ROOTLESS), (".zgroup", ZGROUP)], all, (2, true, "x/.zmetadata")),
        (None, &[(".zmetadata", "{"), (".zgroup", ZGROUP)], all, (2, false, "")),
        (None, &[(".zmetadata", PAGE), (".zgroup", ZGROUP)], all, (2, false, "")),
    ] {
        let (asked, read) = group(format, files);
        assert_eq!(asked, rounds);
        assert_eq!(read, Ok((found.0, found.1, found.2.to_owned())), "{files:?}");
    }
}

#[test]
fn attributes_of_v2_are_the_nodes() {
    let found = search(NodeKind::Group, None, &[(".zgroup", ZGROUP), (".zattrs", ZATTRS)]).1;
    assert_eq!(found.unwrap().group().unwrap().0.attributes["is"], 2);
    let found = search(NodeKind::Array, None, &[(".zarray", ZARRAY), (".zattrs", "[]")]).1;
    let error = found.unwrap().array().unwrap_err();
    assert!(matches!(&error, Error::InvalidMetadata { document, .. } if document == "x/.zattrs"), "{error}");
}

#[test]
fn attributes_that_nobody_wants_are_not_asked_for() {
    let files = [(".zgroup", ZGROUP), (".zarray", ZARRAY), (".zattrs", "[]")];
    let (asked, found) = searched(NodeKind::Array, None, false, &files);
    assert_eq!(asked, "zarr.json .zarray");
    let (metadata, key) = found.unwrap().array().unwrap();
    assert_eq!((metadata.attributes.len(), &*key), (0, "x/.zarray"));
    let (asked, found) = searched(NodeKind::Group, Some(2), false, &files);
    assert_eq!(asked, ".zmetadata .zgroup");
    assert_eq!(found.unwrap().group().unwrap().0.attributes.len(), 0);
    // Those of Zarr v3, and of consolidated metadata, are there without a request.
    let (asked, found) = searched(NodeKind::Group, None, false, &[("zarr.json", V3_GROUP)]);
    assert_eq!((asked.as_str(), found.unwrap().group().unwrap().0.attributes.len()), ("zarr.json", 1));
    // A search in vain, and one whose host leaves doubt about what is there, do without them too.
    let (asked, found) = searched(NodeKind::Array, None, false, &[(".zgroup", ZGROUP), (".zattrs", DOUBT)]);
    assert_eq!(asked, "zarr.json .zarray .zgroup+.zmetadata");
    assert_eq!(in_vain(found, "Zarr array").0, "zarr.json .zarray .zmetadata");
    let (asked, found) = searched(NodeKind::Array, None, false, &[("zarr.json", DOUBT), (".zarray", ZARRAY)]);
    assert_eq!(asked, "zarr.json .zarray");
    assert!(found.is_ok());
}

/// The addresses that were tried, and the hint.
fn in_vain<T: std::fmt::Debug>(found: Result<T, Error>, kind: &str) -> (String, String) {
    match found {
        Err(Error::NotFound { wanted, path, tried, hint }) => {
            assert_eq!((&*wanted, path.as_str()), (kind, "https://host/x"));
            let names: Vec<&str> =
                tried.iter().map(|tried| tried.trim_start_matches("https://host/x/")).collect();
            (names.join(" "), hint)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_search_in_vain_says_what_it_tried_and_what_is_there() {
    let (rounds, found) = array(None, &[]);
    assert_eq!(rounds, "zarr.json .zarray+.zattrs .zgroup+.zmetadata");
    let (tried, hint) = in_vain(found, "Zarr array");
    assert_eq!(tried, "zarr.json .zarray .zattrs .zgroup .zmetadata");
    assert_eq!(hint, "check the path; the group has \"near\"");
    let (rounds, found) = group(None, &[]);
    assert_eq!(rounds, "zarr.json .zmetadata .zgroup+.zattrs .zarray");
    assert_eq!(in_vain(found, "Zarr group").0, "zarr.json .zmetadata .zgroup .zattrs .zarray");
    for (rounds, hint) in [
        (array(Some(3), &[(".zarray", ZARRAY)]).0, in_vain(array(Some(3), &[]).1, "Zarr array").1),
        (group(Some(3), &[(".zgroup", ZGROUP)]).0, in_vain(group(Some(3), &[]).1, "Zarr group").1),
    ] {
        assert_eq!(rounds, "zarr.json", "the other format is not asked for");
        assert!(hint.contains("only Zarr format 3 was looked for"), "{hint}");
    }
    let (_, found) = array(None, &[(".zgroup", ZGROUP), (".zmetadata", ZMETADATA)]);
    let hint = in_vain(found, "Zarr array").1;
    assert!(hint.starts_with("https://host/x/.zgroup describes a group") && hint.contains("\"a\""), "{hint}");
    let hint = in_vain(group(None, &[(".zarray", ZARRAY)]).1, "Zarr group").1;
    assert_eq!(hint, "https://host/x/.zarray describes an array; open it as an array");
}

#[test]
fn a_page_is_the_error_where_nothing_else_is_found() {
    for error in [
        array(None, &[("zarr.json", PAGE)]).1.unwrap_err(),
        group(None, &[("zarr.json", PAGE)]).1.unwrap_err(),
    ] {
        assert!(error.to_string().contains("HTML page"), "{error}");
        assert!(
            matches!(&error, Error::InvalidMetadata { document, .. } if document == "x/zarr.json"),
            "{error}"
        );
    }
}

#[test]
fn a_failure_ends_the_search_unless_it_is_for_a_hint() {
    let failed = |error: Error| matches!(error, Error::Range { .. });
    assert!(failed(array(None, &[("zarr.json", FAILS), (".zarray", ZARRAY)]).1.unwrap_err()));
    assert!(failed(array(None, &[(".zarray", FAILS)]).1.unwrap_err()));
    assert!(failed(array(None, &[(".zarray", ZARRAY), (".zattrs", FAILS)]).1.unwrap_err()));
    assert!(failed(group(None, &[(".zmetadata", FAILS), (".zgroup", ZGROUP)]).1.unwrap_err()));
    assert!(failed(group(None, &[(".zgroup", ZGROUP), (".zattrs", FAILS)]).1.unwrap_err()));
    in_vain(array(None, &[(".zattrs", FAILS)]).1, "Zarr array");
    in_vain(array(None, &[(".zgroup", FAILS), (".zmetadata", FAILS)]).1, "Zarr array");
    in_vain(group(None, &[(".zarray", FAILS)]).1, "Zarr group");
}

#[test]
fn a_document_that_is_there_decides_what_a_doubt_means() {
    let doubts = [("zarr.json", DOUBT), (".zarray", ZARRAY)];
    assert_eq!(
        array(None, &doubts),
        ("zarr.json .zarray+.zattrs".to_owned(), Ok((2, "x/.zarray".to_owned())))
    );
    let (rounds, found) = group(None, &[("zarr.json", DOUBT), (".zmetadata", DOUBT), (".zgroup", ZGROUP)]);
    assert_eq!((rounds.as_str(), found.is_ok()), ("zarr.json .zmetadata .zgroup+.zattrs", true));
    // Attributes are asked for again, when the host can be asked about them.
    let (rounds, found) = array(None, &[(".zarray", ZARRAY), (".zattrs", DOUBT)]);
    assert_eq!(rounds, "zarr.json .zarray+.zattrs .zattrs");
    assert!(found.unwrap_err().to_string().contains(".zattrs is in doubt"), "the doubt stays");
    // Where nothing is there, the first doubt is the error; a hint is worth more.
    let all = [("zarr.json", DOUBT), (".zarray", DOUBT), (".zattrs", DOUBT)];
    let error = array(None, &all).1.unwrap_err();
    assert!(error.to_string().contains("zarr.json is in doubt"), "{error}");
    let hint = in_vain(array(None, &[("zarr.json", DOUBT), (".zgroup", ZGROUP)]).1, "Zarr array").1;
    assert!(hint.contains("describes a group"), "{hint}");
}

#[test]
fn a_document_of_the_other_kind_says_so() {
    let error = array(None, &[("zarr.json", V3_GROUP)]).1.unwrap_err();
    assert!(error.to_string().contains("group"), "{error}");
    let error = group(None, &[("zarr.json", V3_ARRAY)]).1.unwrap_err();
    assert!(error.to_string().contains("this is an array, not a group"), "{error}");
}

/// What an entry says: whether it is an array, the attribute `is`, and whether documents below it are consolidated.
type Told = (bool, i64, bool);

/// The rounds of a search for a node of either kind, and what its entry says.
fn either(format: Option<u8>, files: Files<'_>) -> (String, Result<Option<Told>, Error>) {
    let (rounds, found) = search(NodeKind::Either, format, files);
    let read = found.and_then(|found| found.entry("shown"));
    let told = read.map(|found| {
        found.map(|(entry, documents)| {
            assert_eq!(entry.path, "shown");
            let is = entry.attributes.get("is").map_or(0, |is| is.as_i64().unwrap());
            (entry.array.is_some(), is, documents.is_some())
        })
    });
    (rounds, told)
}

#[test]
fn a_node_of_either_kind_is_found_with_each_document_asked_for_once() {
    const CONSOLIDATED: &str = r#"{"zarr_format": 3, "node_type": "group",
        "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {}}}"#;
    let alone = ".zarray+.zattrs .zgroup";
    for (format, files, rounds, found) in [
        (Some(3), &[("zarr.json", V3_ARRAY)] as Files<'_>, "zarr.json", Some((true, 0, false))),
        (Some(3), &[("zarr.json", V3_GROUP)], "zarr.json", Some((false, 3, false))),
        (Some(3), &[("zarr.json", CONSOLIDATED)], "zarr.json", Some((false, 0, true))),
        (Some(3), &[("zarr.json", "{"), (".zarray", ZARRAY)], "zarr.json", None),
        (Some(3), &[("zarr.json", "[1]")], "zarr.json", None),
        (Some(3), &[("zarr.json", r#"{"zarr_format": 3, "node_type": "table"}"#)], "zarr.json", None),
        (Some(2), &[(".zarray", ZARRAY), (".zattrs", ZATTRS)], ".zarray+.zattrs", Some((true, 2, false))),
        (Some(2), &[(".zgroup", ZGROUP), (".zattrs", ZATTRS)], alone, Some((false, 2, false))),
        (Some(2), &[(".zgroup", ZGROUP)], alone, Some((false, 0, false))),
        (Some(2), &[(".zgroup", ZGROUP), (".zattrs", "[")], alone, Some((false, 0, false))),
        (
            Some(2),
            &[(".zarray", DOUBT), (".zgroup", ZGROUP), (".zattrs", ZATTRS)],
            alone,
            Some((false, 2, false)),
        ),
        (None, &[(".zgroup", ZGROUP)], "zarr.json .zarray+.zattrs .zgroup", Some((false, 0, false))),
        (
            None,
            &[("zarr.json", PAGE), (".zarray", ZARRAY)],
            "zarr.json .zarray+.zattrs",
            Some((true, 0, false)),
        ),
    ] {
        assert_eq!(either(format, files), (rounds.to_owned(), Ok(found)), "{files:?}");
    }
}

#[test]
fn a_node_of_either_kind_is_missed_and_fails_as_others_do() {
    assert_eq!(in_vain(either(Some(3), &[(".zarray", ZARRAY)]).1, "Zarr array or group").0, "zarr.json");
    let (rounds, found) = either(Some(2), &[("zarr.json", V3_ARRAY)]);
    assert_eq!(rounds, ".zarray+.zattrs .zgroup");
    assert_eq!(in_vain(found, "Zarr array or group").0, ".zarray .zattrs .zgroup");
    // Attributes that were in doubt, or failed, are asked for again where a group has them.
    for (fault, told) in [(DOUBT, ".zattrs is in doubt"), (FAILS, ".zattrs failed")] {
        let (rounds, found) = either(Some(2), &[(".zgroup", ZGROUP), (".zattrs", fault)]);
        assert_eq!(rounds, ".zarray+.zattrs .zgroup .zattrs");
        assert!(found.unwrap_err().to_string().contains(told));
        in_vain(either(Some(3), &[(".zattrs", fault)]).1, "Zarr array or group");
    }
    for files in [&[("zarr.json", FAILS)] as Files<'_>, &[(".zarray", FAILS)], &[(".zgroup", FAILS)]] {
        assert!(matches!(either(None, files).1, Err(Error::Range { .. })), "{files:?}");
    }
    let error = either(Some(2), &[(".zgroup", DOUBT)]).1.unwrap_err();
    assert!(error.to_string().contains(".zgroup is in doubt"), "{error}");
}
