//! TIFF files: what is read of them is what tifffile and GDAL read, and damage ends with an error.
#![cfg(feature = "files")]

use std::path::PathBuf;

use rectilinear_zarr::Error;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use rectilinear_zarr::source::ByteLocation;
use serde_json::{Value, json};

use crate::support::original::Original;
use crate::support::text;

fn sets() -> PathBuf {
    crate::support::neighbours("tiff")
}

fn entries() -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(sets().join("index.json")).expect("an index")).expect("JSON")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(sets().join(name)).expect(name)
}

fn open(name: &str) -> Original {
    Original::of("tiff", bytes(name))
}

/// Whether two attributes are equal, as the numbers that they are.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || (one.is_number() && one.as_f64() == other.as_f64())
}

/// Codecs of modules that this build may lack.
fn is_lacking(error: &Error) -> bool {
    let codecs = ["imagecodecs_jpeg2k", "imagecodecs_lzma"];
    matches!(error, Error::Unsupported { feature, .. } if codecs.iter().any(|codec| feature.contains(codec)))
}

#[test]
fn every_image_is_as_tifffile_and_gdal_read_it() {
    let (mut files, mut lacking, mut levels) = (0, 0, 0);
    for entry in entries() {
        let document = text(&entry, "document");
        let all = bytes(text(&entry, "values"));
        let mut file = open(document);
        file.begin().expect(document);
        let root = file.root().expect(document);
        let listed = root["consolidated_metadata"]["metadata"].as_object().expect("members");
        for (key, value) in entry["attributes"].as_object().expect("attributes") {
            if key == "transform" {
                let found = &root["attributes"]["multiscales"]["layout"][0]["spatial:transform"];
                let numbers = |list: &Value| -> Vec<f64> {
                    list.as_array().expect(document).iter().map(|one| one.as_f64().unwrap()).collect()
                };
                assert_eq!(numbers(found), numbers(value), "{document}");
            } else {
                assert_eq!(&root["attributes"][key], value, "{document}: {key}");
            }
        }
        let arrays = entry["arrays"].as_object().expect("arrays");
        let own = |path: &&String| listed[*path]["node_type"] == "array";
        assert_eq!(
            listed.keys().filter(own).collect::<Vec<_>>(),
            arrays.keys().collect::<Vec<_>>(),
            "{document}"
        );
        for (path, wanted) in arrays {
            let name = format!("{document}: {path}");
            let array = match file.array(path) {
                Err(error) if is_lacking(&error) => {
                    lacking += 1;
                    continue;
                }
                array => array.expect(&name),
            };
            assert_eq!(json!(array.metadata.shape), wanted["shape"], "{name}");
            assert_eq!(array.metadata.data_type.name(), wanted["dtype"], "{name}");
            assert_eq!(listed[path]["dimension_names"], wanted["dimensions"], "{name}");
            for (key, value) in wanted["attributes"].as_object().expect("attributes") {
                let found = &listed[path]["attributes"][key];
                assert!(is_same(found, value), "{name}: {key} is {found}, wanted {value}");
            }
            let found = file.read(&array).expect(&name);
            let at = |nth: usize| usize::try_from(wanted["values"][nth].as_u64().unwrap()).unwrap();
            assert!(found == all[at(0)..at(0) + at(1)], "{name}: values differ");
            levels += 1;
        }
        files += 1;
    }
    assert!(files >= 190 && levels + lacking > 210, "{files} files, {levels} levels");
    if cfg!(all(feature = "jpeg2000", feature = "lzma")) {
        assert_eq!(lacking, 0);
    }
}

#[test]
fn a_pyramid_says_where_its_levels_lie() {
    let entry = entries().into_iter().find(|entry| {
        let levels = entry["arrays"].as_object().unwrap().len();
        levels > 2 && entry["attributes"]["transform"].is_array()
    });
    let entry = entry.expect("a pyramid on Earth");
    let mut file = open(text(&entry, "document"));
    let root = file.root().expect("a root");
    let layout = root["attributes"]["multiscales"]["layout"].as_array().expect("levels").clone();
    assert_eq!(layout.len(), entry["arrays"].as_object().unwrap().len());
    let number = |level: &Value, nth: usize| level["spatial:transform"][nth].as_f64().expect("a number");
    for level in &layout {
        // All levels cover the same box.
        let [height, width] = [0, 1].map(|nth| level["spatial:shape"][nth].as_f64().expect("a length"));
        assert!(
            (number(level, 0) * width
                - number(&layout[0], 0) * layout[0]["spatial:shape"][1].as_f64().unwrap())
            .abs()
                < 1e-9
        );
        assert!(
            (number(level, 4) * height
                - number(&layout[0], 4) * layout[0]["spatial:shape"][0].as_f64().unwrap())
            .abs()
                < 1e-9
        );
        assert_eq!(number(level, 2), number(&layout[0], 2));
    }
}

#[test]
fn ome_says_axes_units_and_channels() {
    let mut file = open("ome-0.ome.tif");
    let root = file.root().expect("a root");
    let image = &root["attributes"]["multiscales"][0];
    assert_eq!(image["axes"][4], json!({ "name": "x", "type": "space", "unit": "micrometer" }));
    assert_eq!(
        image["datasets"][0]["coordinateTransformations"][0]["scale"],
        json!([1.0, 1.0, 1.0, 0.5, 0.25])
    );
    assert_eq!(root["attributes"]["omero"]["channels"][1]["label"], "channel 1");
    assert_eq!(root["attributes"]["ImageDescription"], Value::Null);
}

#[test]
fn colours_of_ome_are_three_channels() {
    let mut file = open("ome-rgb-0.ome.tif");
    let root = file.root().expect("a root");
    let channels = root["attributes"]["omero"]["channels"].as_array().expect("channels").clone();
    let array = file.array("0").expect("an array");
    assert_eq!(array.metadata.shape[1], channels.len() as u64);
    let colors: Vec<&Value> = channels.iter().map(|channel| &channel["color"]).collect();
    assert_eq!(colors, ["FF0000", "00FF00", "0000FF"]);
}

#[test]
fn strips_are_a_rectilinear_grid_and_one_strip_is_cut() {
    let mut file = open("one-strip.tif");
    let array = file.array("0").expect("an array");
    assert_eq!(array.metadata.chunk_grid.shape(), [1, 1]);
    assert_eq!(file.rounds, [[65_536]], "what is asked for to open a file");
    let mut strips = None;
    for entry in entries() {
        let mut file = open(text(&entry, "document"));
        let root = file.root().expect("a root");
        for array in root["consolidated_metadata"]["metadata"].as_object().unwrap().values() {
            let grid = &array["chunk_grid"];
            if grid["name"] == "rectilinear" && array["shape"].as_array().unwrap().len() == 2 {
                strips = Some(grid["configuration"]["chunk_shapes"][0].clone());
            }
        }
    }
    assert!(strips.expect("strips").is_array());
}

#[test]
fn what_is_not_there_is_missing() {
    let mut file = open("unequal.tif");
    for key in [
        "",
        "1/zarr.json",
        "image1/1/zarr.json",
        "0/c/99/0",
        "0/c/0",
        "0/c/0/0/0",
        "0/c/x/0",
        "0/.zarray",
        "image2/zarr.json",
    ] {
        assert_eq!(file.place(key), Ok(ByteLocation::Missing), "{key}");
    }
    assert!(matches!(file.place("image1/zarr.json"), Ok(ByteLocation::Inline(_))));
}

/// A little-endian file with one directory of these tags, each of one 32-bit number.
fn with_tags(tags: &[(u16, u32)]) -> Vec<u8> {
    let mut file =
        [b"II*\0".as_slice(), &8_u32.to_le_bytes(), &u16::try_from(tags.len()).unwrap().to_le_bytes()]
            .concat();
    for (tag, value) in tags {
        file.extend(tag.to_le_bytes());
        file.extend([4, 0, 1, 0, 0, 0]);
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file.extend([7; 64]);
    file
}

/// An image of 4 by 4 bytes, but for these tags.
fn image_but(changes: &[(u16, u32)]) -> Vec<u8> {
    let mut tags: Vec<(u16, u32)> =
        vec![(256, 4), (257, 4), (258, 8), (259, 1), (262, 1), (273, 150), (277, 1), (278, 4), (279, 16)];
    for (tag, value) in changes {
        tags.retain(|(known, _)| known != tag);
        tags.push((*tag, *value));
    }
    tags.sort_unstable();
    with_tags(&tags)
}

#[test]
fn what_is_not_read_has_a_name_and_the_file_opens() {
    let mut file = Original::of("tiff", image_but(&[]));
    let array = file.array("0").expect("an array");
    assert_eq!(file.read(&array).expect("items"), [7; 16]);
    for (changes, word) in [
        (vec![(258, 1)], "1-bit samples"),
        (vec![(258, 12)], "12-bit samples"),
        (vec![(339, 5), (258, 32)], "complex integers"),
        (vec![(259, 4)], "the TIFF compression 4 (of fax machines)"),
        (vec![(266, 2)], "FillOrder"),
        (vec![(259, 8), (317, 3)], "the TIFF predictor 3 for uint8"),
        (vec![(259, 5), (317, 34892)], "the TIFF predictor 34892"),
        (vec![(262, 6), (277, 3)], "YCbCr"),
        (vec![(259, 5), (262, 6), (277, 3)], "YCbCr"),
        (vec![(32997, 2)], "a depth"),
        (vec![(256, 0)], "expected a width"),
        (vec![(278, 1)], "1 tiles or strips, expected 4"),
        (vec![(259, 7)], "imagecodecs_jpeg"),
        (vec![(259, 34887)], "imagecodecs_lerc"),
    ] {
        let mut file = Original::of("tiff", image_but(&changes));
        file.begin().expect(word);
        file.root().expect(word);
        // The list of members names it, and says why.
        let members = file.root().expect(word)["consolidated_metadata"]["metadata"].clone();
        let listed = &members["0"];
        let said = listed["data_type"]["name"].as_str().unwrap_or(word);
        assert!(said.contains(word) || listed["codecs"].is_array(), "{word}: {listed}");
        if listed["codecs"].is_null() {
            let error = Array::parse(listed.to_string().as_bytes(), "0", DEFAULT_MAX_CHUNK_BYTES);
            assert!(error.expect_err(word).to_string().contains(word), "{word}");
        }
        let error = file.array("0").expect_err(word).to_string();
        assert!(error.contains(word), "{word}: {error}");
    }
}

#[test]
fn the_last_strip_may_have_rows_that_the_image_lacks_and_no_strip_fewer() {
    let mut file = open("filled-packbits-uint8-1-pixel-1.tif");
    let array = file.array("0").expect("an array");
    let strip = file.value("0/c/5/0").expect("a strip").expect("bytes");
    let task = array.plan(&[]).expect("a plan").tasks().last().expect("a task").expect("a task");
    let chunk = array.decode(&task, Some(strip.into())).expect("the strip").expect("items");
    assert_eq!(*chunk.bytes, [7; 3 * 21]);
    // A document that says so of more than is read is refused as chunks of that size are.
    let strip = file.value("0/c/5/0").expect("a strip").expect("bytes");
    let document = file.value("0/zarr.json").expect("a document").expect("bytes");
    let longer =
        String::from_utf8(document).expect("text").replace(r#""bytes":168"#, r#""bytes":1099511627776"#);
    assert!(longer.contains("1099511627776"), "{longer}");
    let refused = Array::parse(longer.as_bytes(), "0", DEFAULT_MAX_CHUNK_BYTES).and_then(|array| {
        let task = array.plan(&[])?.tasks().last().expect("a task")?;
        array.decode(&task, Some(strip.into())).map(drop)
    });
    assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
    // With nine rows a strip, the first ones have too few of them, and the last one has one more than it needs.
    let at = file.bytes.windows(12).position(|entry| entry[..4] == [22, 1, 3, 0]).expect("RowsPerStrip");
    let mut bytes = file.bytes;
    assert_eq!(bytes[at + 8], 8);
    bytes[at + 8] = 9;
    let mut file = Original::of("tiff", bytes);
    let array = file.array("0").expect("an array");
    let mut decoded = |key: &str, nth: usize| {
        let plan = array.plan(&[]).expect("a plan");
        let task = plan.tasks().nth(nth).expect("a task").expect("a task");
        let bytes = file.value(key).expect("a strip").expect("bytes");
        array.decode(&task, Some(bytes.into())).map(|chunk| chunk.expect("items").bytes.to_vec())
    };
    assert!(matches!(decoded("0/c/0/0", 0), Err(Error::Codec { .. })));
    assert_eq!(decoded("0/c/4/0", 4).expect("seven rows"), [7; 7 * 21]);
}

#[test]
fn a_predictor_counts_where_it_can_be_before_a_compression() {
    // GDAL reads both as they are stored.
    let packed = [&[3, 9, 8, 7, 6][..]; 4].concat();
    for (compression, stored) in [(1, [9, 8, 7, 6].repeat(4)), (32773, packed)] {
        for predictor in [2, 3] {
            let count = u32::try_from(stored.len()).unwrap();
            let mut bytes = image_but(&[(259, compression), (317, predictor), (273, 160), (279, count)]);
            bytes[160..160 + stored.len()].copy_from_slice(&stored);
            let mut file = Original::of("tiff", bytes);
            let array = file.array("0").expect("an array");
            assert_eq!(file.read(&array).expect("items"), [9, 8, 7, 6].repeat(4));
        }
    }
}

#[test]
fn tables_of_tiles_may_be_where_strips_have_theirs() {
    let mut bytes = image_but(&[(322, 8), (323, 4), (273, 160), (279, 32)]);
    for (nth, byte) in bytes[160..192].iter_mut().enumerate() {
        *byte = u8::try_from(nth).unwrap();
    }
    let mut file = Original::of("tiff", bytes);
    let array = file.array("0").expect("an array");
    let found = file.read(&array).expect("items");
    assert_eq!(found, [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]);
}

#[test]
fn a_strip_that_is_said_to_be_too_short_is_read_or_an_error_and_never_missing() {
    for count in [0, 3] {
        let mut file = Original::of("tiff", image_but(&[(279, count)]));
        let array = file.array("0").expect("an array");
        assert_eq!(file.read(&array).expect("items"), [7; 16]);
    }
    let mut file = Original::of("tiff", image_but(&[(279, 3), (273, 200)]));
    let array = file.array("0").expect("an array");
    assert!(matches!(file.read(&array), Err(Error::Store { status: Some(416), .. })));
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let refusal = |bytes: &[u8]| Original::of("tiff", bytes.to_vec()).begin().expect_err("an error");
    assert!(matches!(refusal(b""), Error::NotFound { .. }));
    assert!(refusal(b"<!doctype html>").to_string().contains("does not begin as a TIFF file"));
    assert!(refusal(b"II*\0\0\0\0\0").to_string().contains("no directory"));
    assert!(refusal(b"II*\0\xff\xff\0\0").to_string().contains("a directory lies at byte 65535"));
    assert!(refusal(b"II+\0\x04\0\0\0\0\0\0\0\0\0\0\0").to_string().contains("BigTIFF"));
    let mut circle = image_but(&[]);
    let next = 8 + 2 + 9 * 12;
    circle[next..next + 4].copy_from_slice(&8_u32.to_le_bytes());
    assert_eq!(beside(&circle), "lead back to byte 8");
}

/// What the list of members says of an image beside the first one, which is read; a part of it.
fn beside(bytes: &[u8]) -> &'static str {
    let mut file = Original::of("tiff", bytes.to_vec());
    file.begin().expect("a file");
    let array = file.array("0").expect("the first image");
    file.read(&array).expect("the first image");
    let members = file.root().expect("a root")["consolidated_metadata"]["metadata"].clone();
    let Some(said) = members["image1"]["data_type"]["name"].as_str() else { return "" };
    let error = file.array("image1").expect_err("the second image").to_string();
    let parts = ["lead back to byte 8", "a directory lies at byte 7777", "has 65535 entries"];
    parts.into_iter().find(|part| said.contains(part) && error.contains(part)).expect(said)
}

#[test]
fn levels_below_an_image_may_be_a_chain() {
    // One listed level, and those that follow it; the last leads back to the first, as no more are.
    for (listed, links) in [(1_u32, [1, 2, 0]), (1, [1, 2, 1]), (2, [1, 2, 0])] {
        let own = image_but(&[(330, 0)]);
        let level =
            |edge: u32| image_but(&[(254, 1), (256, edge), (257, edge), (278, edge), (279, edge * edge)]);
        let mut file = own.clone();
        let mut places = Vec::new();
        for edge in [2, 1] {
            let start = u32::try_from(file.len()).unwrap();
            places.push(start);
            // A directory without the header before it.
            file.extend_from_slice(&level(edge)[8..]);
        }
        let entry = own.windows(2).position(|tag| tag == 330_u16.to_le_bytes()).expect("the tag");
        file[entry + 4..entry + 8].copy_from_slice(&listed.to_le_bytes());
        let list = if listed == 1 {
            places[0]
        } else {
            let at = u32::try_from(file.len()).unwrap();
            file.extend(places.iter().flat_map(|place| place.to_le_bytes()));
            at
        };
        file[entry + 8..entry + 12].copy_from_slice(&list.to_le_bytes());
        let entries = 10 * 12;
        for (nth, place) in places.iter().enumerate() {
            let next = usize::try_from(*place).unwrap() + 2 + entries;
            let to = match links[nth + 1] {
                0 => 0,
                link => places[link - 1],
            };
            file[next..next + 4].copy_from_slice(&to.to_le_bytes());
        }
        let mut file = Original::of("tiff", file);
        file.begin().expect("a file");
        let members = file.root().expect("a root")["consolidated_metadata"]["metadata"].clone();
        assert_eq!(members.as_object().expect("members").keys().collect::<Vec<_>>(), ["0", "1", "2"]);
        for (path, edge) in [("1", 2), ("2", 1)] {
            let array = file.array(path).expect(path);
            assert_eq!(array.metadata.shape, [edge, edge], "{path}");
            assert_eq!(file.read(&array).expect(path), vec![7; (edge * edge) as usize]);
        }
    }
}

#[test]
fn an_image_opens_beside_damaged_ones_and_without_texts_that_are_not_there() {
    let next = 8 + 2 + 9 * 12;
    let with_next = |offset: u32| {
        let mut bytes = image_but(&[]);
        bytes[next..next + 4].copy_from_slice(&offset.to_le_bytes());
        bytes
    };
    assert_eq!(beside(&with_next(0)), "");
    assert_eq!(beside(&with_next(7777)), "a directory lies at byte 7777");
    let mut bytes = with_next(0);
    let end = u32::try_from(bytes.len()).expect("short");
    bytes[next..next + 4].copy_from_slice(&end.to_le_bytes());
    bytes.extend([0xff, 0xff]);
    assert_eq!(beside(&bytes), "has 65535 entries");
    // A description that lies beyond the end, in place of a tag that has a default.
    for (count, offset) in [(10, 0xffff_0000_u32), (u32::MAX, 8)] {
        let mut bytes = with_next(0);
        let entry = (0..9).map(|nth| 10 + nth * 12).find(|at| bytes[*at..*at + 2] == [22, 1]);
        let entry = entry.expect("the rows of a strip");
        bytes[entry..entry + 4].copy_from_slice(&[14, 1, 2, 0]);
        bytes[entry + 4..entry + 8].copy_from_slice(&count.to_le_bytes());
        bytes[entry + 8..entry + 12].copy_from_slice(&offset.to_le_bytes());
        assert_eq!(beside(&bytes), "");
    }
}

/// Reads all that a damaged file still shows; its bounds hold, and nothing panics.
fn everything(bytes: Vec<u8>) -> usize {
    let mut file = Original::of("tiff", bytes);
    let Ok(root) = file.begin().and_then(|()| file.root()) else { return 1 };
    let mut failures = 0;
    for (path, document) in root["consolidated_metadata"]["metadata"].as_object().expect("members") {
        if document["node_type"] != "array" {
            continue;
        }
        match file.array(path) {
            Ok(array) => {
                let items = array.metadata.shape.iter().try_fold(16_u64, |all, edge| all.checked_mul(*edge));
                // What is large is not read here.
                if items.is_some_and(|bytes| bytes < 1 << 19) {
                    failures += usize::from(file.read(&array).is_err());
                }
            }
            Err(_) => failures += 1,
        }
    }
    failures
}

#[test]
fn any_byte_may_be_another_and_a_file_may_end_anywhere() {
    let mut failures = 0;
    for name in ["tifffile-000.tif", "pyramid-0.tif", "ome-1.ome.tif", "gdal-001.tif"] {
        let whole = bytes(name);
        // Directories lie at the start, or at the end.
        let ends = (0..whole.len().min(300)).chain(whole.len().saturating_sub(500).max(300)..whole.len());
        for at in ends.step_by(3) {
            for byte in [1, 0x7f, 0xff] {
                let mut changed = whole.clone();
                changed[at] = byte;
                failures += everything(changed);
            }
            if at % 2 == 0 {
                failures += everything(whole[..at].to_vec());
            }
        }
    }
    assert!(failures > 300, "{failures}");
}

#[test]
fn ten_thousand_damaged_files_are_errors_or_values() {
    let mut random = fastrand::Rng::with_seed(41);
    let files: Vec<Vec<u8>> = std::fs::read_dir(sets())
        .expect("fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tif"))
        .map(|path| std::fs::read(path).expect("bytes"))
        .filter(|bytes| bytes.len() < 2500)
        .collect();
    assert!(files.len() > 20, "{} short files", files.len());
    let mut failures = 0;
    for _ in 0..10_000 {
        let mut bytes = files[random.usize(0..files.len())].clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(0..bytes.len());
            bytes[at] = [0, 1, 0xff, 0x80, random.u8(..)][random.usize(0..5)];
        }
        if random.u8(0..8) == 0 {
            bytes.truncate(random.usize(0..bytes.len()));
        }
        failures += everything(bytes);
    }
    assert!(failures > 1000, "{failures}");
}
