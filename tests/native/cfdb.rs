//! Cfdb's files: what is read of them is what cfdb reads, in as few requests as they take, and damage has a name.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;
use std::path::PathBuf;

use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::network::ByteRange;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Output, Plan};
use rectilinear_zarr::source::{ByteLocation, InputRequest, Resolution, VirtualStore, system};
use rectilinear_zarr::{Error, Result};
use serde_json::{Value, json};

use crate::support::{contents, items, served, text};

/// More rounds than any key of these files takes.
const MANY: usize = 600;

fn sets() -> PathBuf {
    crate::support::neighbours("cfdb")
}

fn entries() -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(sets().join("index.json")).expect("an index")).expect("JSON")
}

/// A file, the system that it is, and what that had to be told.
struct File {
    bytes: Vec<u8>,
    system: Box<dyn VirtualStore>,
    rounds: Vec<Vec<ByteRange>>,
}

impl File {
    fn open(name: &str) -> Self {
        Self::of(std::fs::read(sets().join(name)).expect(name))
    }

    fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, system: system("cfdb", &Default::default()).expect("a system"), rounds: Vec::new() }
    }

    /// Where a key is, once the system was told what it needs.
    fn place(&mut self, key: &str) -> Result<ByteLocation> {
        for _ in 0..MANY {
            match self.system.find(key)? {
                Resolution::Place(place) => return Ok(place),
                Resolution::Needs(needs) => self.provide(needs)?,
            }
        }
        panic!("no end of rounds for {key}");
    }

    fn provide(&mut self, needs: Vec<InputRequest>) -> Result<()> {
        self.rounds.push(needs.iter().map(|need| need.range.clone()).collect());
        for need in needs {
            assert_eq!(need.url, "");
            assert!(need.number < 1 << 53);
            let bytes = served(&self.bytes, &need.range)?;
            self.system.tell(need.number, Some(&bytes))?;
        }
        Ok(())
    }

    fn bytes(&mut self, key: &str) -> Result<Option<Vec<u8>>> {
        match self.place(key)? {
            ByteLocation::Missing => Ok(None),
            ByteLocation::Inline(bytes) => Ok(Some(bytes)),
            ByteLocation::File { url, span } => {
                assert_eq!(url, "");
                served(&self.bytes, &ByteRange::Span(span.expect("a part of the file"))).map(Some)
            }
            object @ ByteLocation::Object { .. } => panic!("{object:?} is no part of a cfdb file"),
        }
    }

    fn array(&mut self, path: &str) -> Result<Array> {
        let document =
            self.bytes(&format!("{path}/zarr.json"))?.ok_or_else(|| Error::metadata("", "nothing"))?;
        Array::parse(&document, path, DEFAULT_MAX_CHUNK_BYTES)
    }

    fn run(&mut self, plan: &Plan<'_>) -> Result<Vec<u8>> {
        let mut output = Output::in_buffers(plan, 256)?;
        for task in plan.tasks() {
            let task = task?;
            let bytes = self.bytes(task.key())?;
            let chunk = plan.array().decode(&task, bytes.map(Cow::Owned))?;
            output.put(&task, chunk.as_ref())?;
        }
        Ok(contents(&plan.columns()[0].data_type, &output.finish()))
    }
}

/// Items that cfdb read of a variable, one after the other.
fn expected(array: &Array, entry: &Value) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(sets().join(text(entry, "expected"))).expect("what cfdb read");
    if array.metadata.data_type.is_variable() {
        let texts: Vec<String> = serde_json::from_slice(&bytes).expect("a list of text");
        let length = |text: &String| u32::try_from(text.len()).unwrap().to_le_bytes();
        return texts.iter().map(|text| [&length(text), text.as_bytes()].concat()).collect();
    }
    items(array, &bytes).into_iter().map(<[u8]>::to_vec).collect()
}

/// Places in C order along these picks of an array of a shape.
fn picked(shape: &[u64], picks: &[Vec<u64>]) -> Vec<usize> {
    let mut places = vec![0];
    for (extent, picks) in shape.iter().zip(picks) {
        places =
            places.iter().flat_map(|place| picks.iter().map(move |pick| place * extent + pick)).collect();
    }
    places.into_iter().map(|place| usize::try_from(place).unwrap()).collect()
}

#[test]
fn every_variable_is_as_cfdb_reads_it() {
    for entry in entries() {
        let (document, path) = (text(&entry, "document"), text(&entry, "path"));
        let name = format!("{document}: {path}");
        let mut file = File::open(document);
        let array = file.array(path).expect(&name);
        assert_eq!(json!(array.metadata.shape), entry["shape"], "{name}");
        let names: Vec<_> =
            array.metadata.dimension_names.clone().expect("names").into_iter().flatten().collect();
        assert_eq!(json!(names), entry["dimensions"], "{name}");
        let dtype = match array.metadata.data_type.name() {
            "numpy.datetime64" => text(&entry, "dtype").to_owned(),
            name => name.to_owned(),
        };
        assert_eq!(dtype, entry["dtype"], "{name}");
        for (attribute, value) in entry["attributes"].as_object().expect("attributes") {
            assert_eq!(
                array.metadata.attributes.get(attribute),
                Some(&crate::support::ours(value)),
                "{name}: {attribute}"
            );
        }

        let wanted = expected(&array, &entry);
        let whole = file.run(&array.plan(&[]).expect("a plan")).expect(&name);
        assert!(whole == wanted.concat(), "{name}: the whole array differs");

        // Every other one from the end, and a list in no order.
        let shape = &array.metadata.shape;
        let backwards = vec![AxisSelection::Slice { start: None, stop: None, step: -2 }; shape.len()];
        let lists: Vec<Vec<u64>> = shape.iter().map(|&extent| vec![extent - 1, 0, extent / 2, 0]).collect();
        let listed =
            lists.iter().map(|list| AxisSelection::List(list.iter().map(|at| at.cast_signed()).collect()));
        let every: Vec<Vec<u64>> =
            shape.iter().map(|&extent| (0..extent).rev().step_by(2).collect()).collect();
        for (selection, picks) in [(backwards, every), (listed.collect(), lists)] {
            let found = file.run(&array.plan(&selection).expect("a plan")).expect(&name);
            let wanted: Vec<_> =
                picked(shape, &picks).into_iter().map(|place| wanted[place].clone()).collect();
            assert!(found == wanted.concat(), "{name}: {selection:?} differs");
        }

        // Points, of which each is the last one along every axis but one.
        let points: Vec<Vec<u64>> = (0..shape.len())
            .flat_map(|axis| (0..shape[axis]).map(move |at| (axis, at)))
            .map(|(axis, at)| {
                (0..shape.len()).map(|other| if other == axis { at } else { shape[other] - 1 }).collect()
            })
            .collect();
        let flat: Vec<i64> = points.iter().flatten().map(|at| at.cast_signed()).collect();
        let found = file.run(&array.plan_points(points.len(), &flat).expect("a plan")).expect(&name);
        let places = points
            .iter()
            .map(|point| picked(shape, &point.iter().map(|at| vec![*at]).collect::<Vec<_>>())[0]);
        assert!(
            found == places.map(|place| wanted[place].clone()).collect::<Vec<_>>().concat(),
            "{name}: points differ"
        );

        // Each chunk alone is its part of the array.
        let grid = &array.metadata.chunk_grid;
        let along: Vec<Vec<u64>> = grid.shape().iter().map(|&chunks| (0..chunks).collect()).collect();
        for place in 0..picked(&grid.shape(), &along).len() {
            let mut rest = place as u64;
            let mut coords: Vec<u64> = grid
                .shape()
                .iter()
                .rev()
                .map(|count| {
                    let at = rest % count;
                    rest /= count;
                    at
                })
                .collect();
            coords.reverse();
            let bounds = grid.bounds(&coords).expect("a chunk");
            let found = file.run(&array.plan_chunk(&coords).expect("a plan")).expect(&name);
            let picks: Vec<Vec<u64>> = bounds.iter().map(|span| (span.start..span.stop).collect()).collect();
            let wanted: Vec<_> =
                picked(shape, &picks).into_iter().map(|place| wanted[place].clone()).collect();
            assert!(found == wanted.concat(), "{name}: chunk {coords:?} differs");
        }
    }
}

/// How many bytes each round asked for, request by request.
fn asked(rounds: &[Vec<ByteRange>]) -> Vec<Vec<u64>> {
    let length = |range: &ByteRange| match range {
        ByteRange::Span(span) | ByteRange::UpTo(span) => span.end - span.start,
        _ => panic!("{range:?}"),
    };
    rounds.iter().map(|round| round.iter().map(length).collect()).collect()
}

/// Where the bytes begin that a round asked for.
fn start(range: &ByteRange) -> u64 {
    match range {
        ByteRange::Span(span) | ByteRange::UpTo(span) => span.start,
        _ => panic!("{range:?}"),
    }
}

#[test]
fn a_large_index_is_looked_at_singly_until_that_costs_as_much_as_all_of_it() {
    let mut file = File::open("reindexed.cfdb");
    file.array("series").expect("an array");
    // The head; the buckets of the data set's document and of the attributes; the document, as there are no attributes.
    assert_eq!(asked(&file.rounds), [vec![200], vec![6, 6], vec![16_439]]);
    let mut rounds = |chunks: std::ops::Range<u64>| {
        file.rounds.clear();
        for chunk in chunks {
            assert!(matches!(file.place(&format!("series/c/{chunk}")), Ok(ByteLocation::File { .. })));
        }
        asked(&file.rounds)
    };
    // A bucket, then the block with all that its value may have, and after that with what the one before had.
    assert_eq!(rounds(0..2), [[6], [1194], [6], [210]]);
    // From the fifth lookup on, the whole index, and one request for each chunk: up to where the next block begins.
    assert_eq!(rounds(2..6), [[72_042], [192], [192], [193], [193]]);
    assert_eq!(rounds(0..1), [[]; 0] as [[u64; 0]; 0]);
}

/// The file with other bytes at some places.
fn changed(name: &str, changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = std::fs::read(sets().join(name)).expect(name);
    for (at, new) in changes {
        bytes[*at..*at + new.len()].copy_from_slice(new);
    }
    bytes
}

/// Where a text is in a file, the first time.
fn place_of(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect(text)
}

/// Result of opening a variable of a file.
fn refusal(bytes: Vec<u8>, path: &str) -> Error {
    File::of(bytes).array(path).expect_err("an error")
}

#[test]
fn what_is_no_file_or_another_one_is_named() {
    let mut found = system("cfdb", &Default::default()).expect("a system");
    assert!(matches!(found.tell(0, None), Err(Error::NotFound { .. })));
    let refused = |bytes: &[u8]| {
        system("cfdb", &Default::default()).unwrap().tell(0, Some(bytes)).expect_err("an error")
    };
    let head = |changes: &[(usize, &[u8])]| changed("pruned.cfdb", changes)[..200].to_vec();
    assert!(matches!(refused(b""), Error::NotFound { .. }));
    assert!(matches!(refused(&[7; 200]), Error::NotFound { .. }));
    let fixed = b"\x04\xd3\xb2\x94\xf2\x10Ab\x95\x8d\x04\x00s\x8c\x9e\n";
    let whole = |bytes: &[u8]| refused(bytes).to_string();
    assert!(whole(&head(&[(0, fixed)])).contains("values of a fixed length"));
    for length in [16, 42, 199] {
        assert!(whole(&head(&[])[..length]).contains(&format!("ends after {length} bytes")));
    }
    assert!(whole(&head(&[(16, &[6])])).contains("version 6 of Booklet"));
    assert!(whole(&head(&[(16, &[2])])).contains("version 2 of Booklet"));
    assert!(whole(&head(&[(18, &[4])])).contains("numbers"));
    assert!(whole(&head(&[(33, &[255; 4])])).contains("a writer has open"));
    assert!(whole(&head(&[(21, &[0; 4])])).contains("0 buckets"));
    assert!(whole(&head(&[(65, &[1, 0, 0, 0, 0, 0])])).contains("at byte 1 "));
    assert!(whole(&head(&[(65, &[255; 6])])).contains("does not fit the file"));
}

#[test]
fn older_heads_are_read() {
    // Version 4 left zeros, as numbers or as text, where the fifth says where its index is.
    let expected = File::open("types-zstd.cfdb").array("int16").expect("an array");
    for unset in [[0; 6], *b"000000"] {
        let bytes = changed("types-zstd.cfdb", &[(16, &[4]), (65, &unset), (71, &unset)]);
        assert_eq!(File::of(bytes).array("int16").expect("an array").metadata, expected.metadata);
    }
}

#[test]
fn what_the_document_says_is_checked() {
    let plain = std::fs::read(sets().join("origins.cfdb")).unwrap();
    let with = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        // The document that counts is the last that was written.
        let at = plain.windows(from.len()).rposition(|window| window == from.as_bytes()).expect(from);
        refusal(changed("origins.cfdb", &[(at, to.as_bytes())]), "field")
    };
    let cases = [
        (r#""format_version":1"#, r#""format_version":2"#, "UnsupportedError", "version 2 of cfdb"),
        (r#""remote":false"#, r#""remote":true "#, "UnsupportedError", "remote"),
        (
            r#""compression":"zstd_shuffle""#,
            r#""compression":"brotli_bytes""#,
            "UnsupportedError",
            "brotli_bytes",
        ),
        (r#""compression":"#, r#""compressXon":"#, "InvalidMetadataError", "/compression"),
        (r#""variables":"#, r#""variXbles":"#, "InvalidMetadataError", "/variables"),
        (r#"{"dataset_type""#, r#"{"dataset_type("#, "InvalidMetadataError", "JSON"),
        (r#""type":"data_var""#, r#""type":"data_vXr""#, "InvalidMetadataError", "/variables/cube/type"),
        (r#""coords":["time","y","x"]"#, r#""coords":["time","y","z"]"#, "InvalidMetadataError", "\"z\""),
        (r#""chunk_shape":[2,8,16]"#, r#""chunk_shape":[2,8,-1]"#, "InvalidMetadataError", "/chunk_shape/2"),
        (r#""chunk_shape":[2,8,16]"#, r#""chunk_shape":[2,8000]"#, "InvalidMetadataError", "3 integers"),
        (r#""name":"int32""#, r#""name":"int99""#, "UnsupportedError", "int99"),
        (r#""precision":2"#, r#""precision":[]"#.get(..13).unwrap(), "InvalidMetadataError", "JSON"),
        (r#""origin":-24"#, r#""origin":2.5"#, "InvalidMetadataError", "/variables/x/origin"),
    ];
    for (from, to, name, words) in cases {
        let error = with(from, to);
        assert_eq!(error.name(), name, "{to}: {error}");
        assert!(error.to_string().contains(words), "{to}: {error}");
    }
}

#[test]
fn damage_to_the_index_has_a_name_and_an_end() {
    // A table of 200 buckets follows the head.
    let types = std::fs::read(sets().join("types-zstd.cfdb")).unwrap();
    let all = |place: u64| {
        let bucket = &place.to_le_bytes()[..6];
        refusal(changed("types-zstd.cfdb", &[(200, &bucket.repeat(200))]), "int16")
    };
    let said = |error: &Error| (error.name(), error.to_string());
    assert_eq!(all(0).name(), "NotFoundError");
    assert_eq!(all(1).name(), "NotFoundError");
    assert!(all(100).to_string().contains("in the header or the index"), "{:?}", said(&all(100)));
    assert!(all(300).to_string().contains("in the header or the index"));
    assert_eq!(all(1 << 40).name(), "StoreError");
    let end = types.len() as u64;
    assert_eq!(all(end + 1).name(), "StoreError");
    assert!(all(end).to_string().contains("the file ends there"), "{:?}", said(&all(end)));
    assert!(all(end - 10).to_string().contains("the file ends there"));

    // A chain of one block that is its own next one, and of another key.
    let hash_at = place_of(&types, "int8!0.0") - 32;
    let place = (hash_at as u64).to_le_bytes();
    let circle: &[(usize, &[u8])] = &[(200, &place[..6].repeat(200)), (hash_at + 13, &place[..6])];
    let error = refusal(changed("types-zstd.cfdb", circle), "int16");
    assert!(error.to_string().contains("circle"), "{error}");

    // A deleted block ends its chain, and a value that is longer than the file is the host's to refuse.
    let mut file = File::of(changed("types-zstd.cfdb", &[(hash_at + 13, &[0; 6])]));
    assert_eq!(file.place("int8/c/0/0"), Ok(ByteLocation::Missing));
    let mut file = File::of(changed("types-zstd.cfdb", &[(hash_at + 21, &[255; 4])]));
    let Ok(ByteLocation::File { span: Some(span), .. }) = file.place("int8/c/0/0") else { panic!("a place") };
    assert!(span.end > 1 << 31 && file.bytes("int8/c/0/0").is_err());

    // Of the data set's document there is no more than documents may have.
    let at = types.windows(23).rposition(|window| window == b"adb01ebc1ba3433eb043527").unwrap();
    let error = refusal(changed("types-zstd.cfdb", &[(at - 11, &[255; 4])]), "int16");
    assert!(error.to_string().contains("a document has more than"), "{error}");
}

#[test]
fn no_damage_is_the_end_of_the_world() {
    let mut random = fastrand::Rng::with_seed(11);
    let whole = std::fs::read(sets().join("stations.cfdb")).unwrap();
    let mut opened = 0;
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..bytes.len());
            bytes[at] = random.u8(..);
        }
        if random.bool() {
            bytes.truncate(random.usize(0..bytes.len()));
        }
        let mut file = File::of(bytes);
        // Errors are what they are; panics, loops and endless memory would show.
        let _ = file.bytes("zarr.json");
        for path in ["flow", "name", "point"] {
            if let Ok(array) = file.array(path)
                && array.plan(&[]).is_ok_and(|plan| plan.output_size() < 1 << 20)
            {
                opened += usize::from(file.run(&array.plan(&[]).unwrap()).is_ok());
            }
        }
    }
    assert!(opened > 500, "{opened} were whole");
}

#[test]
fn keys_of_other_things_are_nowhere() {
    let mut file = File::open("stations.cfdb");
    for key in [
        ".zgroup",
        ".zmetadata",
        "a/.zarray",
        "x/zarr.json",
        "flow/c/9223372036854775807/0",
        "flow/c/-1/0",
        "flow/c/0",
        "flow/c/a/b",
        "x/c/0",
        "flow/c/",
    ] {
        assert_eq!(file.place(key), Ok(ByteLocation::Missing), "{key}");
    }
}

#[test]
fn the_root_says_where_on_the_earth() {
    let root = |name: &str| -> Value {
        let document = File::open(name).bytes("zarr.json").unwrap().unwrap();
        serde_json::from_slice(&document).unwrap()
    };
    let stations = root("stations.cfdb");
    assert_eq!(
        stations["attributes"],
        json!({ "crs": "EPSG:2193", "featureType": "timeSeries", "proj:code": "EPSG:2193" })
    );
    let point = &stations["consolidated_metadata"]["metadata"]["point"]["attributes"];
    assert_eq!(*point, json!({ "axis": "XY", "encoding": "WKT", "geometry_type": "point" }));
    let members = stations["consolidated_metadata"]["metadata"].as_object().unwrap();
    assert_eq!(members.keys().collect::<Vec<_>>(), ["basin", "flow", "name", "point", "reach", "time"]);
    assert_eq!(root("reindexed.cfdb")["attributes"], json!({}));
}

#[test]
fn the_grid_is_checked_and_shards_are_not_cut_from_before_the_array() {
    let read = |origin: Value, codecs: Value| {
        let document = json!({
            "zarr_format": 3, "node_type": "array", "shape": [20, 9], "data_type": "int16", "fill_value": 0,
            "chunk_grid": { "name": "cfdb", "configuration": { "chunk_shape": [8, 4], "origin": origin } },
            "chunk_key_encoding": { "name": "default" }, "codecs": codecs,
        });
        Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES)
    };
    let plain = || json!([crate::support::little()]);
    let array = read(json!([-3, 4]), plain()).expect("an array");
    let grid = &array.metadata.chunk_grid;
    assert_eq!((grid.shape(), grid.is_regular()), (vec![4, 3], false));
    for (origin, place) in [
        (json!([-3]), "/chunk_grid/configuration/origin"),
        (json!(["a", 0]), "/chunk_grid/configuration/origin/0"),
        (json!([0, 1.5]), "/chunk_grid/configuration/origin/1"),
        (json!([0, -9_007_199_254_740_992_i64]), "/chunk_grid/configuration/origin/1"),
    ] {
        let Err(Error::InvalidMetadata { path, .. }) = read(origin.clone(), plain()) else {
            panic!("{origin}")
        };
        assert_eq!(path, place);
    }
    let shards = json!([{ "name": "sharding_indexed", "configuration": {
        "chunk_shape": [4, 4], "codecs": plain(), "index_codecs": plain(), "index_location": "end",
    } }]);
    assert!(read(json!([-8, 4]), shards.clone()).is_ok());
    assert!(matches!(read(json!([-3, 4]), shards), Err(Error::Unsupported { .. })));
}

/// A file whose document names only the first `count` variables; the rest of the document is blanks.
fn narrowed(file: &[u8], count: usize) -> Vec<u8> {
    let start = file.windows(15).rposition(|window| window == br#"{"dataset_type""#).unwrap();
    let end = start + place_of(&file[start..], r#""format_version":1}"#) + 19;
    let mut document: Value = serde_json::from_slice(&file[start..end]).unwrap();
    let variables = document["variables"].as_object_mut().unwrap();
    let names: Vec<String> = variables.keys().skip(count).cloned().collect();
    names.iter().for_each(|name| drop(variables.remove(name)));
    let mut copy = file.to_vec();
    copy[start..end].fill(b' ');
    let text = document.to_string();
    copy[start..start + text.len()].copy_from_slice(text.as_bytes());
    copy
}

#[test]
fn a_round_asks_for_each_thing_once_however_many_variables_there_are() {
    // Bytes of all buckets: the table is taken with the sixth of 12,007 and with the 54th of 144,013.
    for (name, table) in [("default", 864_078), ("12007", 72_042), ("reindexed", 72_042)] {
        let packed = std::fs::read(sets().join(format!("wide-{name}.cfdb.gz"))).unwrap();
        let mut whole = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut whole).unwrap();
        for count in 4..=121 {
            let mut file = File::of(narrowed(&whole, count));
            let root: Value = serde_json::from_slice(&file.bytes("zarr.json").unwrap().unwrap()).unwrap();
            let members = root["consolidated_metadata"]["metadata"].as_object().unwrap();
            assert_eq!(members.len(), count);
            for (nth, member) in (0..count - 1).map(|nth| (nth, &members[&format!("v{nth:03}")])) {
                let attributes = if nth % 2 == 1 { json!({ "number": nth }) } else { json!({}) };
                assert_eq!(member["attributes"], attributes, "{name}, {count} variables");
            }
            let rounds = asked(&file.rounds);
            for (round, lengths) in file.rounds.iter().zip(&rounds) {
                let starts: HashSet<u64> = round.iter().map(start).collect();
                assert_eq!(starts.len(), round.len(), "{name}, {count} variables: {round:?}");
                assert!(!lengths.contains(&table) || lengths.len() == 1, "{name}: {round:?}");
            }
            assert!(rounds.concat().iter().filter(|length| **length == table).count() <= 1);
        }
    }
}
