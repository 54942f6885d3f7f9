//! HDF5 and netCDF-4 files: what is read of them is what h5py and netCDF4 read, in few rounds, and damage has a name.

use std::io::Read;

use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use rectilinear_zarr::source::{ByteLocation, Resolution, answered, system};
use serde_json::Value;

use crate::support::hdf5::{self as support, File, differences, read_all};
use crate::support::{items, text};

/// The set of files.
const SET: &str = "hdf5";

/// Bytes of a file of the set.
fn stored(name: &str) -> Vec<u8> {
    support::stored(SET, name)
}

/// Entries of the set's index.
fn entries() -> Vec<Value> {
    support::entries(SET)
}

#[test]
fn every_file_is_as_its_own_package_reads_it() {
    let entries = entries();
    assert!(entries.len() > 200, "{} files", entries.len());
    let found: Vec<String> = entries.iter().flat_map(|entry| differences(SET, entry)).collect();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found[..found.len().min(40)].join("\n"));
}

#[test]
fn what_is_not_read_says_so_by_its_name() {
    for name in ["links-earliest.h5", "links-latest.h5"] {
        let mut file = File::open(SET, name);
        for (path, feature) in [
            ("elsewhere", "an HDF5 link to another file"),
            ("external", "HDF5 data in external files"),
            ("virtual", "HDF5 virtual datasets"),
            #[cfg(not(feature = "hdf5filters"))]
            ("szip-like", "hdf5.lzf"),
        ] {
            let error = file.array(path).expect_err(path);
            assert_eq!(error.name(), "UnsupportedError", "{name}: {path}: {error}");
            assert!(error.to_string().contains(feature), "{name}: {path}: {error}");
        }
        // A group that lies in itself is listed once, links that lead nowhere are not, and others lead where they say.
        let root = file.json("").unwrap();
        let members = root["consolidated_metadata"]["metadata"].as_object().unwrap();
        for path in ["a/values", "a/soft", "relative", "group", "group/values", "group/soft", "through"] {
            assert!(members.contains_key(path), "{name}: {path}");
        }
        for path in ["a/self", "a/up", "nowhere", "group/self"] {
            assert!(!members.contains_key(path), "{name}: {path}");
        }
        for path in ["a/self", "group/self/values"] {
            let error = file.array(path).expect_err(path);
            assert_eq!(error.name(), "UnsupportedError", "{name}: {path}: {error}");
            assert!(
                error.to_string().contains("an HDF5 link to a group that it lies in"),
                "{name}: {path}: {error}"
            );
        }
        for path in ["a/values", "a/soft", "relative", "group/values", "through"] {
            let array = file.array(path).unwrap();
            assert_eq!(file.read(&array).unwrap(), [0, 0, 1, 0, 2, 0, 3, 0, 4, 0], "{name}: {path}");
        }
    }
}

#[test]
fn enumerations_and_groups_have_their_documents() {
    let mut file = File::open(SET, "types-latest.h5");
    let document = file.json("enum").unwrap();
    assert_eq!(document["attributes"]["flag_values"], serde_json::json!([-7, 1, 5]));
    assert_eq!(document["attributes"]["flag_meanings"], "HIGH LOW MIDDLE");
    let group = file.json("many").unwrap();
    assert_eq!(group["node_type"], "group");
    assert_eq!(group["consolidated_metadata"]["metadata"], serde_json::json!({}));
    for key in [
        "not/there/zarr.json",
        "enum/.zarray",
        "enum/c/7/7",
        "enum/c/0",
        "enum/c/x/0",
        "many/c/0",
        ".zgroup",
        "c",
    ] {
        assert_eq!(file.bytes(key).unwrap(), None, "{key}");
    }
}

#[test]
fn a_file_of_twenty_variables_opens_in_few_rounds() {
    let mut file = File::open(SET, "twenty.nc.gz");
    file.json("").unwrap();
    assert!(
        file.rounds.len() <= 5 && file.asked() <= 1 << 20,
        "{} rounds, {} bytes",
        file.rounds.len(),
        file.asked()
    );
    let opened = file.rounds.len();
    let array = file.array("var13").unwrap();
    let step = [AxisSelection::Index(3)];
    let plan = array.plan(&step).unwrap();
    let plane = file.run(&plan).unwrap();
    assert_eq!(plane, 3f32.to_le_bytes().repeat(2000));
    assert!(file.rounds.len() - opened <= 4, "{} rounds", file.rounds.len() - opened);
}

#[test]
fn a_plane_of_many_chunks_takes_few_rounds() {
    for name in ["index-earliest.h5.gz", "index-latest.h5.gz"] {
        for path in ["fixed", "one", "second", "two"] {
            let mut file = File::open(SET, name);
            file.json("").unwrap();
            let opened = file.rounds.len();
            let array = file.array(path).unwrap();
            let keys: Vec<String> = (0..60).map(|chunk| format!("{path}/c/31/{chunk}")).collect();
            let places = file.places(&keys).unwrap();
            assert!(places.iter().all(|place| matches!(place, ByteLocation::File { .. })), "{name}: {path}");
            let rounds = file.rounds.len() - opened;
            assert!(opened <= 3 && rounds <= 4, "{name}: {path}: {opened} and {rounds} rounds");
            drop(array);
        }
    }
}

#[test]
fn other_files_are_no_hdf5_files() {
    for bytes in [b"CDF\x01 and more".to_vec(), vec![0; 5000], Vec::new()] {
        let error = File::of(bytes).bytes("zarr.json").expect_err("no HDF5");
        assert_eq!(error.name(), "NotFoundError", "{error}");
        assert!(error.to_string().contains("no HDF5 signature"), "{error}");
    }
    let mut store = system("hdf5", &Default::default()).unwrap();
    let first = store.needs().unwrap();
    assert_eq!(store.tell(first[0].number, None).expect_err("nothing").name(), "NotFoundError");
}

/// Short files of both kinds of headers, and each of the other structures in one of them.
const DAMAGED: [&str; 4] = ["random-020.h5", "random-072.h5", "random-103.h5", "links-latest.h5"];

/// Longer files, of which fewer copies are damaged.
const LONG_DAMAGED: [&str; 3] = ["masks-latest.h5", "types-earliest.h5.gz", "netcdf-00.nc"];

#[test]
fn each_byte_may_be_another() {
    let entries = entries();
    let shortest = entries.iter().map(|entry| text(entry, "path")).filter(|path| !path.ends_with(".gz"));
    let (_, name) = shortest.map(|path| (stored(path).len(), path)).min().unwrap();
    let whole = stored(name);
    let mut read = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        read += usize::from(read_all(bytes) > 0);
        if at % 8 == 0 {
            read_all(whole[..at].to_vec());
        }
    }
    assert!(read > whole.len() / 4, "{read} of {} were read", whole.len());
}

#[test]
fn no_damage_is_the_end_of_the_world() {
    let mut random = fastrand::Rng::with_seed(13);
    let [files, mut long] =
        [&DAMAGED[..], &LONG_DAMAGED].map(|names| names.iter().map(|name| stored(name)).collect::<Vec<_>>());
    long.push(unpacked(include_bytes!("../neighbours/fixtures/narrow-44-latest.h5.gz")));
    long.push(unpacked(include_bytes!("../neighbours/fixtures/behind.h5.gz")));
    let mut read = 0;
    for nth in 0..10_000 {
        let files = if nth % 20 == 0 { &long } else { &files };
        let mut bytes = files[random.usize(0..files.len())].clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(0..bytes.len());
            // Half of the damage is to the first bytes, where structures are dense.
            let at = if random.bool() { at } else { at % 4096.min(bytes.len()) };
            bytes[at] = [0, 1, 0xff, 0x80, random.u8(..)][random.usize(0..5)];
        }
        if random.u8(0..4) == 0 {
            bytes.truncate(random.usize(0..bytes.len()));
        }
        read += usize::from(read_all(bytes) > 0);
    }
    assert!(read > 1000, "{read} were read");
}

/// A file of `hdf5_later.py`.
fn later(packed: &[u8]) -> File {
    File::of(unpacked(packed))
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).expect("gzip");
    bytes
}

#[test]
fn a_variable_is_as_long_as_its_unlimited_dimension() {
    let mut file = later(include_bytes!("../neighbours/fixtures/shorter.nc.gz"));
    let array = file.array("v").expect("v");
    assert_eq!(array.metadata.shape, [6, 2]);
    let found = file.read(&array).expect("items");
    let items: Vec<i16> = found.chunks_exact(2).map(|item| i16::from_le_bytes([item[0], item[1]])).collect();
    assert_eq!(items, [1, 2, 3, 4, 5, 6, -9, -9, -9, -9, -9, -9]);
    assert_eq!(file.array("time").expect("time").metadata.shape, [6]);
    assert_eq!(file.array("fixed").expect("fixed").metadata.shape, [2]);
}

#[test]
fn texts_beside_each_other_count_once() {
    let mut file = later(include_bytes!("../neighbours/fixtures/texts.h5.gz"));
    let document = file.json("names").expect("a document");
    assert_eq!(document["attributes"]["list"].as_array().expect("a list").len(), 900);
    let array = file.array("names").expect("names");
    assert_eq!(array.metadata.shape, [4000]);
    let key = "names/c/0".to_owned();
    let bytes = file.bytes(&key).expect("a chunk").expect("stored");
    assert_eq!(bytes[..4], 4000_u32.to_le_bytes());
    assert!(bytes.ends_with(b"station number 3999"));
}

#[test]
fn texts_end_with_a_zero_and_may_be_latin() {
    let mut bytes = unpacked(include_bytes!("../neighbours/fixtures/texts.h5.gz"));
    let mut put = |text: &[u8], nth: usize, byte: u8| {
        let at = bytes.windows(text.len()).position(|window| window == text).expect("a text");
        bytes[at + nth] = byte;
    };
    // As h5py reads them: "station", and a text that is no UTF-8.
    put(b"station number 3998", 7, 0);
    put(b"station number 3999", 7, 0xe9);
    let mut file = File::of(bytes);
    let bytes = file.bytes("names/c/0").expect("a chunk").expect("stored");
    let ends =
        [&7_u32.to_le_bytes()[..], b"station", &20_u32.to_le_bytes(), "station\u{e9}number 3999".as_bytes()];
    assert!(bytes.ends_with(&ends.concat()));
}

#[test]
fn groups_too_deep_are_listed_with_the_reason() {
    let mut file = later(include_bytes!("../neighbours/fixtures/deep.h5.gz"));
    let root = file.json("").expect("a root");
    let members = root["consolidated_metadata"]["metadata"].as_object().expect("members");
    let path = |depth: usize| vec!["g"; depth].join("/");
    assert_eq!(members[&path(64)]["node_type"], "group");
    let kind = members[&path(65)]["data_type"]["name"].as_str().expect("a reason");
    assert!(kind.contains("HDF5 groups more than 64 deep"), "{kind}");
    assert!(!members.contains_key(&path(66)));
    let document = members[&path(65)].to_string();
    let error = Array::parse(document.as_bytes(), "g", DEFAULT_MAX_CHUNK_BYTES).expect_err("too deep");
    assert_eq!(error.name(), "UnsupportedError", "{error}");
    assert!(error.to_string().contains("groups that are less deep open"), "{error}");
    let array = file.array(&format!("{}/values", path(64))).expect("an array");
    assert_eq!(file.read(&array).expect("items"), [0, 0, 1, 0, 2, 0]);
    let error = file.array("g/g/up/values").expect_err("a circle").to_string();
    assert!(error.contains(r#""g/g/up" is the group "/g""#), "{error}");
}

#[test]
fn letters_of_netcdf_are_texts() {
    let mut file = later(include_bytes!("../neighbours/fixtures/letters.nc.gz"));
    let words: Vec<u8> = ["Aix", "Ulm", "Gr\u{e0}z", "", "Bergen!"]
        .iter()
        .flat_map(|word| {
            let mut letters = word.as_bytes().to_vec();
            letters.resize(7, 0);
            letters
        })
        .collect();
    for (path, shape, names) in [
        ("contiguous", vec![5], serde_json::json!(["station"])),
        ("chunked", vec![5], serde_json::json!(["station"])),
        ("one", vec![], serde_json::json!([])),
        // A chunk of these has a part of the letters, and more can be written to those.
        ("cut", vec![5, 7], serde_json::json!(["station", "length"])),
        ("growing", vec![5, 7], serde_json::json!(["station", "time"])),
    ] {
        let document = file.json(path).expect(path);
        let letters = if shape.len() == 2 { 1 } else { 7 };
        assert_eq!(document["shape"], serde_json::json!(shape), "{path}");
        assert_eq!(document["dimension_names"], names, "{path}");
        assert_eq!(document["data_type"]["configuration"]["length_bytes"], letters, "{path}");
        let array = file.array(path).expect(path);
        let wanted = if path == "one" { &words[28..] } else { &words[..] };
        assert_eq!(file.read(&array).expect(path), wanted, "{path}");
    }
    let array = file.array("filled").expect("filled");
    assert_eq!(array.metadata.shape, [5]);
    let found = file.read(&array).expect("items");
    assert_eq!((&found[..14], &found[14..]), (&words[..14], &[b'x'; 21][..]));
}

#[test]
fn a_file_that_is_cut_short_says_so() {
    let (mut said, mut read) = (0, 0);
    for name in ["netcdf-00.nc", "netcdf-07.nc", "types-latest.h5", "random-003.h5"] {
        let whole = stored(name);
        let root = File::of(whole.clone()).json("").unwrap();
        let paths: Vec<String> =
            root["consolidated_metadata"]["metadata"].as_object().unwrap().keys().cloned().collect();
        for part in 1..20 {
            let mut file = File::of(whole[..whole.len() * part / 20].to_vec());
            let root = match file.json("") {
                Ok(root) => root,
                Err(error) => {
                    assert_eq!(error.name(), "InvalidMetadataError", "{error}");
                    said += usize::from(error.to_string().contains("cut short"));
                    continue;
                }
            };
            for path in &paths {
                let listed = &root["consolidated_metadata"]["metadata"][path];
                if listed["node_type"] != "array" {
                    continue;
                }
                // What is listed tells what opening it does.
                let listed = Array::parse(listed.to_string().as_bytes(), path, DEFAULT_MAX_CHUNK_BYTES);
                let error = match listed {
                    Err(error) => error,
                    Ok(array) if array.readable().is_err() => continue,
                    Ok(array) => match file.read(&array) {
                        Ok(_) => {
                            read += 1;
                            continue;
                        }
                        Err(error) => error,
                    },
                };
                assert!(["InvalidMetadataError", "StoreError"].contains(&error.name()), "{path}: {error}");
                said += usize::from(error.to_string().contains("cut short"));
            }
        }
    }
    assert!(said > 30 && read > 5, "{said} said so, {read} were read");
}

/// The answer to a question about these keys, and the rounds that it took.
fn located(file: &mut File, keys: &[String]) -> (Vec<Value>, usize) {
    let before = file.rounds.len();
    loop {
        match answered(&mut *file.store, &format!("locate\n{}", keys.join("\n"))).expect("locations") {
            Resolution::Needs(needs) => file.provide(needs).expect("bytes"),
            Resolution::Place(ByteLocation::Inline(answer)) => {
                return (serde_json::from_slice(&answer).expect("JSON"), file.rounds.len() - before);
            }
            Resolution::Place(place) => panic!("{place:?}"),
        }
    }
}

#[test]
fn many_keys_are_located_at_once_as_each_is_alone() {
    let (mut ranges, mut texts, mut missing) = (0, 0, 0);
    for entry in entries().iter().step_by(7) {
        let name = text(entry, "path");
        let mut file = File::open(SET, name);
        let mut keys: Vec<String> = vec!["zarr.json".to_owned(), "nothing/c/0".to_owned()];
        for wanted in entry["arrays"].as_array().unwrap() {
            let path = text(wanted, "path");
            keys.push(format!("{path}/zarr.json"));
            let Ok(array) = file.array(path) else { continue };
            let plan = array.plan(&[]).unwrap();
            keys.extend(plan.tasks().take(40).map(|task| task.unwrap().key().to_owned()));
        }
        let (found, rounds) = located(&mut file, &keys);
        assert_eq!(found.len(), keys.len(), "{name}");
        assert!(rounds < 12, "{name}: {rounds} rounds");
        let places = File::open(SET, name).places(&keys).unwrap();
        for ((key, found), place) in keys.iter().zip(&found).zip(places) {
            let wanted = match place {
                ByteLocation::Missing => Value::Null,
                ByteLocation::File { url, span } => {
                    let span = span.unwrap();
                    serde_json::json!([url, span.start, span.end])
                }
                ByteLocation::Inline(bytes) => {
                    use base64::Engine;
                    let digits = base64::engine::general_purpose::STANDARD.encode(bytes);
                    format!("base64:{digits}").into()
                }
                place @ ByteLocation::Object { .. } => panic!("{place:?}"),
            };
            assert_eq!(*found, wanted, "{name}: {key}");
            let count = match found {
                Value::Null => &mut missing,
                Value::Array(_) => &mut ranges,
                _ => &mut texts,
            };
            *count += 1;
        }
    }
    assert!(ranges > 300 && texts > 100 && missing > 30, "{ranges} {texts} {missing}");
}

#[test]
fn long_values_are_told_in_several_answers() {
    // Chunks of text of about a MiB each are no ranges of the file.
    let mut file = later(include_bytes!("../neighbours/fixtures/texts.h5.gz"));
    let keys = vec!["names/c/0".to_owned(); 400];
    let (found, _) = located(&mut file, &keys);
    assert!(!found.is_empty() && found.len() < keys.len(), "{} places", found.len());
    assert!(found.iter().all(|place| *place == found[0]));
}

#[test]
fn texts_and_lists_are_read_behind_every_filter() {
    let mut file = later(include_bytes!("../neighbours/fixtures/behind.h5.gz"));
    for kind in ["texts", "lists"] {
        let plain = file.array(&format!("{kind}/plain")).expect(kind);
        let wanted = file.read(&plain).expect(kind);
        for filter in ["deflate", "zstd", "blosc", "blosclz", "bzip2"] {
            let path = format!("{kind}/{filter}");
            let array = file.array(&path).expect(&path);
            assert_eq!(items(&array, &file.read(&array).expect(&path)), items(&plain, &wanted));
            let keys: Vec<String> = (0..3).map(|chunk| format!("{path}/c/{chunk}")).collect();
            let (found, rounds) = located(&mut file, &keys);
            assert!(found.iter().all(serde_json::Value::is_string), "{path}: {found:?}");
            assert!(rounds <= 2, "{path}: {rounds} rounds");
        }
        // This one found nothing to do, and its chunks skip it.
        let array = file.array(&format!("{kind}/bitshuffle")).expect("listed");
        assert_eq!(items(&array, &file.read(&array).expect("bitshuffle")), items(&plain, &wanted));
        for filter in ["lzf", "lz4"] {
            let path = format!("{kind}/{filter}");
            let array = file.array(&path).expect(&path);
            let read = file.read(&array);
            #[cfg(feature = "hdf5filters")]
            assert_eq!(items(&array, &read.expect(&path)), items(&plain, &wanted));
            #[cfg(not(feature = "hdf5filters"))]
            assert!(read.expect_err(&path).to_string().contains(&format!("hdf5.{filter}")));
        }
        let array = file.array(&format!("{kind}/blosc2")).expect("listed");
        let error = file.read(&array).expect_err("blosc2");
        assert_eq!(error.name(), "UnsupportedError", "{error}");
        assert!(error.to_string().contains("hdf5.blosc2"), "{error}");
    }
}

#[test]
fn filters_before_one_that_is_applied_may_be_skipped() {
    let mut file = later(include_bytes!("../neighbours/fixtures/behind.h5.gz"));
    for path in ["zipped", "idle"] {
        let array = file.array(path).expect(path);
        let found = file.read(&array).expect(path);
        assert!(found == (0..64_i32).flat_map(i32::to_le_bytes).collect::<Vec<_>>(), "{path}");
    }
    assert_eq!(file.json("").expect("a root")["attributes"]["latin"], "Gr\u{e0}z");
}

/// The texts of an array.
fn texts(file: &mut File, path: &str) -> Vec<String> {
    let array = file.array(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let bytes = file.read(&array).unwrap_or_else(|error| panic!("{path}: {error}"));
    let texts = items(&array, &bytes).into_iter().map(|text| String::from_utf8(text[4..].to_vec()).unwrap());
    texts.collect()
}

#[test]
fn references_are_the_paths_of_objects() {
    let mut file = later(include_bytes!("../neighbours/fixtures/references.h5.gz"));
    assert_eq!(texts(&mut file, "plain"), ["/series/one", "", "/series", "/", "/time"]);
    assert_eq!(texts(&mut file, "zipped"), ["/series/one", "", "/series", "", ""]);
    let mut objects = |path: &str| -> Value {
        let bytes = file.bytes(&format!("{path}/c/0")).expect(path).expect(path);
        let mut list: Vec<Value> = serde_json::from_slice(&bytes).expect("JSON");
        // A type and the shape follow the items.
        list.truncate(list.len() - 2);
        list.into()
    };
    assert_eq!(
        objects("parts"),
        serde_json::json!([
            { "start": 0, "count": 3, "series": "/series/one" },
            { "start": 1, "count": 2, "series": "/series" },
            { "start": 0, "count": 0, "series": "" },
        ])
    );
    assert_eq!(objects("lists"), serde_json::json!([["/series/one", "", "/series"], [], []]));
    assert_eq!(
        objects("opaque"),
        serde_json::json!([{ "name": "a", "raw": "eHl6" }, { "name": "bc", "raw": "AAEC" }])
    );
    let root = file.json("").expect("a root");
    assert_eq!(
        root["attributes"],
        serde_json::json!({
            "to": "/series",
            "all": ["/series/one", "", "/series"],
            "bytes": "MTIzNA==",
            "one": { "a": 1, "b": [2] },
            "list": [5],
        })
    );
    // References to regions are refused, and bytes beside other fields.
    let error = file.array("region").expect_err("regions").to_string();
    assert!(error.contains("HDF5 region references"), "{error}");
    let fields = file.json("regions").expect("a struct")["data_type"]["configuration"]["fields"].clone();
    assert_eq!(fields[0], serde_json::json!({ "name": "n", "data_type": "int32" }));
    assert_eq!(fields[1]["data_type"]["name"], "raw_bytes");
    let array = file.array("regions").expect("a struct");
    assert_eq!(file.read(&array).expect("items")[..4], [7, 0, 0, 0]);
}

#[test]
fn compounds_of_both_byte_orders_become_little_endian() {
    let mut file = later(include_bytes!("../neighbours/fixtures/orders.h5.gz"));
    let wanted: Vec<u8> = (0..7_i32)
        .flat_map(|nth| {
            let mut item = nth.to_le_bytes().to_vec();
            item.extend((f64::from(nth) / 4.0).to_le_bytes());
            item.extend(b"ab\0");
            for (real, imaginary, code) in [(nth, 1, 1_i16), (2, -nth, 300)] {
                item.extend((real as f32).to_le_bytes());
                item.extend((imaginary as f32).to_le_bytes());
                item.extend(code.to_le_bytes());
            }
            for number in [nth as u16, 2, 3, 4] {
                item.extend(number.to_le_bytes());
            }
            item.push(u8::from(nth % 2 == 1));
            item
        })
        .collect();
    for path in ["plain", "zipped"] {
        let array = file.array(path).expect(path);
        let read = file.read(&array).expect(path);
        assert_eq!(read[..wanted.len()], wanted, "{path}");
        // Two items were never written.
        let rest = if path == "plain" { Vec::new() } else { wanted[3 * 44..4 * 44].repeat(2) };
        assert_eq!(read[wanted.len()..], rest, "{path}");
    }
}

#[test]
fn names_of_groups_may_sort_before_a_slash() {
    let mut file = later(include_bytes!("../neighbours/fixtures/groups.h5.gz"));
    let members = file.json("").expect("a root")["consolidated_metadata"]["metadata"].clone();
    let names: Vec<&str> = ["a/b/c", "a/b", "a/b-1", "a", "a b", "a!", "a-1", "a.c", "a0"].to_vec();
    for (nth, group) in names.into_iter().enumerate() {
        for variable in 0..6 {
            let wanted = format!("phony_dim_{}", 6 * nth + variable);
            assert_eq!(
                members[format!("{group}/v{variable}")]["dimension_names"],
                serde_json::json!([wanted]),
                "{group}"
            );
        }
    }
}

#[test]
fn addresses_and_lengths_may_have_four_bytes() {
    let numbers: Vec<u8> = (0..600_i32).flat_map(i32::to_le_bytes).collect();
    let mut read = 0;
    for entry in std::fs::read_dir("tests/neighbours/fixtures").expect("fixtures") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("narrow-") {
            continue;
        }
        let mut file = later(&std::fs::read(&path).expect("bytes"));
        for path in ["plain", "single", "fixed", "fixedplain", "growing", "growingplain", "both"] {
            let array = file.array(path).unwrap_or_else(|error| panic!("{name}: {path}: {error}"));
            assert!(file.read(&array).expect(path) == numbers, "{name}: {path}");
        }
        let root = file.json("").expect("a root");
        assert_eq!(root["attributes"]["texts"], serde_json::json!(["a", "bc"]), "{name}");
        let many = &root["consolidated_metadata"]["metadata"]["many"]["attributes"];
        for item in 0..40_u8 {
            assert_eq!(many[format!("attribute{item}")], item, "{name}");
            let array = file.array(&format!("many/item{item}")).expect("an item");
            assert_eq!(file.read(&array).expect("an item"), [item, 0], "{name}");
        }
        let array = file.array("texts").expect("texts");
        let texts = file.read(&array).expect("texts");
        let texts: Vec<&[u8]> = items(&array, &texts).into_iter().map(|text| &text[4..]).collect();
        assert_eq!(texts, [&b"one"[..], b"", b"three"], "{name}");
        read += 1;
    }
    assert_eq!(read, 6);
}
