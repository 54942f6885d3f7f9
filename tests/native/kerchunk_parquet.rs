//! Kerchunk's references in Parquet: what they say of chunks, and what is wrong with damaged ones.

use std::path::PathBuf;

use fastrand::Rng;
use rectilinear_zarr::Error;
use rectilinear_zarr::metadata::Value;
use rectilinear_zarr::source::{ByteLocation, Resolution, VirtualStore, system};

fn sets() -> PathBuf {
    crate::support::neighbours("parquet")
}

fn file(path: &str) -> Vec<u8> {
    std::fs::read(sets().join(path)).expect(path)
}

/// A folder whose document was provided.
fn opened(document: &[u8]) -> Box<dyn VirtualStore> {
    let mut folder = system("kerchunk-folder", &Value::Null).unwrap();
    let needs = folder.needs().unwrap();
    assert_eq!(needs.iter().map(|need| need.url.as_str()).collect::<Vec<_>>(), [".zmetadata"]);
    folder.tell(needs[0].number, Some(document)).unwrap();
    assert!(folder.needs().unwrap().is_empty());
    folder
}

/// Place of a key, with the files that it took.
fn place(folder: &mut dyn VirtualStore, set: &str, key: &str) -> (ByteLocation, Vec<String>) {
    let mut asked = Vec::new();
    loop {
        match folder.find(key).expect(key) {
            Resolution::Place(place) => return (place, asked),
            Resolution::Needs(needs) => {
                for need in needs {
                    let bytes = std::fs::read(sets().join(set).join(&need.url)).ok();
                    folder.tell(need.number, bytes.as_deref()).expect(&need.url);
                    asked.push(need.url);
                }
            }
        }
    }
}

fn part(url: &str, start: u64, end: u64) -> ByteLocation {
    ByteLocation::File { url: url.to_owned(), span: Some(start..end) }
}

#[test]
fn every_form_of_a_reference() {
    for set in ["fastparquet", "pyarrow", "snappy", "plain"] {
        let mut folder = opened(&file(&format!("{set}/.zmetadata")));
        let mut at = |key: &str| place(&mut *folder, set, key);
        assert_eq!(at("v/0"), (part("../files/b0", 0, 16), vec!["v/refs.0.parq".to_owned()]), "{set}");
        for i in 1_u64..25 {
            let expected = match i {
                i if i % 7 == 3 => ByteLocation::Missing,
                i if i % 5 == 4 => ByteLocation::Inline(
                    [0_i32, 1, 2, 3].iter().flat_map(|item| item.to_le_bytes()).collect(),
                ),
                i if i % 5 == 2 => ByteLocation::File { url: format!("../files/w{}", i % 3), span: None },
                i => part(&format!("../files/b{}", i / 3 % 3), 16 * i, 16 * i + 16),
            };
            let (found, asked) = at(&format!("v/{i}"));
            assert_eq!(found, expected, "{set}, chunk {i}");
            let new = (i % 10 == 0).then(|| format!("v/refs.{}.parq", i / 10));
            assert_eq!(asked, Vec::from_iter(new), "one file for ten chunks");
        }
        assert_eq!(at("scalar/0").0, ByteLocation::Inline(vec![7, 0, 0, 0]));
        assert_eq!(at("deep/a b/1.2").0, part("../files/b1", 120, 144));
        assert_eq!(at("deep/a b/1/2").0, part("../files/b1", 120, 144), "whatever separates the coordinates");
        for key in ["v/25", "v/0.0", "v/x", "v/-1", "deep/a b/3.0", "scalar/1", "nothing/0", "0", "zarr.json"]
        {
            assert_eq!(at(key), (ByteLocation::Missing, Vec::new()), "{set}, {key}");
        }
    }
}

#[test]
fn names_of_files_are_a_dictionary() {
    for set in ["many-fastparquet", "many-pyarrow"] {
        let mut folder = opened(&file(&format!("{set}/.zmetadata")));
        for i in (0..250).rev() {
            let (found, asked) = place(&mut *folder, set, &format!("v/{i}"));
            assert_eq!(
                found,
                part(&format!("../files/b{}", i / 125), 16 * i, 16 * i + 16),
                "{set}, chunk {i}"
            );
            assert_eq!(asked.len(), usize::from([249, 199, 99].contains(&i)));
        }
    }
}

#[test]
fn documents_stand_together_in_one() {
    let mut folder = opened(
        br#"{"metadata": {".zgroup": {"zarr_format": 2}, "a/.zarray": "{\"x\": NaN}"}, "record_size": 3}"#,
    );
    let Resolution::Place(ByteLocation::Inline(document)) = folder.find(".zmetadata").unwrap() else {
        panic!("inline")
    };
    let expected = r#"{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format": 2},"a/.zarray":{"x": "\u0000NaN"}}}"#;
    assert_eq!(String::from_utf8(document).unwrap(), expected);
}

#[test]
fn a_file_that_is_missing_has_no_chunks() {
    let mut folder = opened(&file("virtualizarr/.zmetadata"));
    let Resolution::Needs(needs) = folder.find("v/3.0").unwrap() else { panic!("needs") };
    folder.tell(needs[0].number, None).unwrap();
    assert_eq!(folder.find("v/3.0").unwrap(), Resolution::Place(ByteLocation::Missing));
    assert_eq!(folder.anew().needs().unwrap().len(), 1, "all is read again");
}

/// Error of a folder's document.
fn refused(document: &str) -> Error {
    system("kerchunk-folder", &Value::Null).unwrap().tell(0, Some(document.as_bytes())).expect_err(document)
}

#[test]
fn damaged_documents_are_errors_that_say_where() {
    for (document, words) in [
        ("[]", "expected an object"),
        ("{\"record_size\": 1,}", "line 1"),
        (r#"{"record_size": 0, "metadata": {}}"#, "/record_size"),
        (r#"{"record_size": "10", "metadata": {}}"#, "/record_size"),
        (r#"{"metadata": {".zgroup": {"zarr_format": 2}}}"#, "/record_size: the number of references"),
        (r#"{"record_size": 10}"#, "/metadata"),
        (r#"{"record_size": 10, "metadata": []}"#, "/metadata"),
    ] {
        let error = refused(document);
        assert!(matches!(error, Error::InvalidMetadata { .. }), "{error}");
        assert!(error.to_string().contains(words), "{document}: {error}");
    }
    let error = refused(r#"{"record_size": 9999999, "metadata": {}}"#);
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    // Consolidated metadata of plain Zarr, and what has no documents at all.
    for document in [r#"{"zarr_consolidated_format": 1, "metadata": {}}"#, "{}"] {
        let error = refused(document);
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
    }
    for (zarray, words) in [
        ("{}", "/shape"),
        (r#"{"shape": [4], "chunks": [0]}"#, "/chunks/0"),
        (r#"{"shape": [4], "chunks": []}"#, "/chunks"),
    ] {
        let mut folder =
            opened(format!(r#"{{"record_size": 1, "metadata": {{"a/.zarray": {zarray}}}}}"#).as_bytes());
        let error = folder.find("a/0").expect_err(zarray).to_string();
        assert!(error.contains("a/.zarray") && error.contains(words), "{error}");
    }
}

/// Provides a file of references in place of the right one.
fn provided(bytes: &[u8]) -> Result<Box<dyn VirtualStore>, Error> {
    let mut folder = opened(&file("plain/.zmetadata"));
    let Resolution::Needs(needs) = folder.find("v/0").unwrap() else { panic!("needs") };
    folder.tell(needs[0].number, Some(bytes))?;
    Ok(folder)
}

#[test]
fn other_encodings_and_compressions_are_named() {
    for (set, name) in [("delta", "DELTA_BINARY_PACKED"), ("gzip", "gzip")] {
        let error = provided(&file(&format!("{set}/v/refs.0.parq"))).expect_err("no reader");
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn rows_without_a_path_are_missing_chunks() {
    let mut folder = provided(&file("virtualizarr/v/refs.1.parq")).unwrap();
    assert!(matches!(folder.find("v/0"), Ok(Resolution::Place(ByteLocation::File { .. }))));
    for key in ["v/1", "v/2"] {
        assert_eq!(folder.find(key).unwrap(), Resolution::Place(ByteLocation::Missing), "{key}");
    }
}

#[test]
fn the_number_of_rows_is_bounded() {
    // A footer with nothing but the number of rows, 2^21.
    let footer = [0x36, 0x80, 0x80, 0x80, 0x02, 0];
    let bytes = [b"PAR1", &footer[..], &6_u32.to_le_bytes(), b"PAR1"].concat();
    let error = provided(&bytes).expect_err("too many rows").to_string();
    assert!(error.contains("2097152 rows") && error.contains("1048576"), "{error}");
}

#[test]
fn no_page_is_longer_than_all_pages_may_be() {
    let mut bytes = file("fastparquet/v/refs.0.parq");
    // The header of the column raw: a page of one value, 2^31 - 1 bytes once decompressed, of which none is stored.
    let bomb = [
        0x15, 0, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x15, 0, 0x2c, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0,
    ];
    assert_eq!(bytes[180..183], [0x15, 0, 0x15]);
    bytes[180..180 + bomb.len()].copy_from_slice(&bomb);
    let error = provided(&bytes).expect_err("a page of 2 GiB").to_string();
    assert!(error.contains("pages are too long"), "{error}");
}

#[test]
fn a_record_size_below_the_rows_of_a_file_is_an_error() {
    let document = String::from_utf8(file("fastparquet/.zmetadata")).unwrap();
    let other = document
        .replace("\"record_size\": 10", "\"record_size\": 5")
        .replace("\"record_size\":10", "\"record_size\":5");
    assert_ne!(other, document);
    let mut folder = opened(other.as_bytes());
    let Resolution::Needs(needs) = folder.find("v/4").unwrap() else { panic!("the file is not there yet") };
    folder.tell(needs[0].number, Some(&file("fastparquet/v/refs.0.parq"))).unwrap();
    let error = folder.find("v/4").unwrap_err().to_string();
    assert!(
        error.contains("v/refs.0.parq") && error.contains("10 rows") && error.contains("record_size 5"),
        "{error}"
    );
}

#[test]
fn a_file_with_too_few_rows_is_an_error() {
    let mut folder = provided(&file("virtualizarr/v/refs.0.parq")).unwrap();
    assert!(matches!(folder.find("v/2"), Ok(Resolution::Place(ByteLocation::File { .. }))));
    let error = folder.find("v/3").expect_err("three rows").to_string();
    assert!(
        error.contains("v/refs.0.parq") && error.contains("3 rows") && error.contains("row 3"),
        "{error}"
    );
}

/// Damage never panics, takes no more memory than a file and its rows may, and is an error or another table.
#[test]
fn damaged_files_are_errors() {
    let mut rng = Rng::with_seed(20);
    let mut errors = 0;
    for set in ["fastparquet", "pyarrow", "plain", "snappy", "many-fastparquet"] {
        let whole = file(&format!("{set}/v/refs.0.parq"));
        for length in 0..whole.len() {
            let error = provided(&whole[..length]).map(drop).expect_err("a part of a file");
            assert!(matches!(error, Error::InvalidMetadata { .. }), "{set}, {length} bytes: {error}");
        }
        for _ in 0..800 {
            let mut damaged = whole.clone();
            for _ in 0..rng.usize(1..5) {
                let at = rng.usize(4..damaged.len() - 8);
                damaged[at] = [rng.u8(..), 0xff, 0x7f, 0x80, 0][rng.usize(..5)];
            }
            match provided(&damaged) {
                Ok(mut folder) => (0..10).for_each(|i| drop(folder.find(&format!("v/{i}")))),
                Err(Error::InvalidMetadata { .. } | Error::Unsupported { .. }) => errors += 1,
                Err(error) => panic!("{set}: {error}"),
            }
        }
    }
    assert!(errors > 1_000, "{errors}");
}

/// Provides a file of references in steps; returns how many they were.
fn steps(folder: &mut dyn VirtualStore, number: u64, bytes: &[u8]) -> usize {
    folder.provide(number, Some(bytes.to_vec())).unwrap();
    (0..).find(|_| folder.work(number).unwrap()).unwrap()
}

#[test]
fn a_million_references_are_read_in_steps() {
    let mut folder = opened(&file("long/.zmetadata"));
    let Resolution::Needs(needs) = folder.find("v/0").unwrap() else { panic!("needs") };
    let taken = steps(&mut *folder, needs[0].number, &file("long/v/refs.0.parq"));
    // Three columns of 2^20 rows, in a page each, 2^15 rows a step.
    assert!((96..140).contains(&taken), "{taken} steps");
    for row in [0, 5, 1023, 1024, 500_000, (1 << 20) - 1] {
        let found = place(&mut *folder, "long", &format!("v/{row}"));
        let expected = part(&format!("b{}", row >> 10 & 3), row % 64, row % 64 + 16);
        assert_eq!(found, (if row % 7 == 6 { ByteLocation::Missing } else { expected }, Vec::new()), "{row}");
    }
    // Half a megabyte of names in one page of snappy.
    let taken = steps(&mut *folder, needs[0].number, &file("long/snappy/refs.0.parq"));
    assert!((4..20).contains(&taken), "{taken} steps");
    let whole = ByteLocation::File { url: "file-39999".to_owned(), span: None };
    assert_eq!(place(&mut *folder, "long", "v/39999").0, whole);
}
