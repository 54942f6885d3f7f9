//! HDF5 files of kinds that few programs write, by `tests/neighbours/hdf5_kinds.py`: what is read of them is what was
//! written.

use std::io::Read;

use rectilinear_zarr::metadata::{DataType, Kind};
use serde_json::{Value, json};

use crate::support::hdf5::{File, read_all};
use crate::support::items;

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).expect("gzip");
    bytes
}

fn compounds() -> File {
    File::of(unpacked(include_bytes!("../neighbours/fixtures/compounds.h5.gz")))
}

/// Items of an array of objects, as the JSON that they are.
fn objects(file: &mut File, path: &str) -> Value {
    let array = file.array(path).expect(path);
    assert_eq!(array.metadata.data_type.name(), "v2:object", "{path}");
    let bytes = file.read(&array).expect(path);
    items(&array, &bytes)
        .into_iter()
        .map(|item| serde_json::from_slice::<Value>(&item[4..]).expect(path))
        .collect()
}

#[test]
#[cfg(feature = "rare")]
fn compounds_with_texts_and_lists_are_objects() {
    let mut file = compounds();
    let port = |nth: usize| {
        let grid: Vec<Vec<usize>> =
            (0..2).map(|row| (0..3).map(|column| 3 * row + column + nth).collect()).collect();
        let lat = if nth == 3 { json!("\0NaN") } else { json!(nth as f64 / 2.0) };
        json!({
            "name": format!("port {nth}"),
            "lat": lat,
            "tags": ["a", "bc"],
            "grid": grid,
            "sizes": (0..nth).collect::<Vec<_>>(),
        })
    };
    assert_eq!(objects(&mut file, "ports"), (0..5).map(port).collect::<Value>());
    let named =
        |row: u64, column: u64| json!({ "name": format!("{row}{column}"), "n": row * (1 << 60) + column });
    let table = [0, 1].into_iter().flat_map(|row| (0..3).map(move |column| named(row, column)));
    assert_eq!(objects(&mut file, "table"), table.collect::<Value>());
    assert_eq!(file.array("table").expect("table").metadata.shape, [2, 3]);
    assert_eq!(objects(&mut file, "scalar"), json!([named(1, 2)]));
    // Items that were never written are those of zeros.
    let nothing = json!({ "name": "", "n": 0 });
    assert_eq!(objects(&mut file, "unwritten"), json!([named(0, 0), nothing, nothing, nothing]));
    assert_eq!(objects(&mut file, "words"), json!([[], ["w0"], ["w0", "w1"]]));
    assert_eq!(objects(&mut file, "references"), json!([{ "name": "", "to": "" }, { "name": "", "to": "" }]));
}

#[test]
fn arrays_within_compounds_are_arrays_of_numbers_or_fields() {
    let mut file = compounds();
    let array = file.array("arrays").expect("arrays");
    let Kind::Struct(fields) = array.metadata.data_type.kind() else { panic!("no struct") };
    let shape =
        |data_type: &DataType| data_type.item_shape().map(|shape| shape.into_iter().flatten().collect());
    let found: Vec<(&str, Option<Vec<u64>>)> =
        fields.iter().map(|field| (field.name.as_str(), shape(&field.data_type))).collect();
    let wanted = [
        ("matrix", Some(vec![2, 2])),
        ("words", None),
        ("flags", Some(vec![3])),
        ("parts", None),
        ("z", Some(vec![2])),
    ];
    assert_eq!(found, wanted);
    let item = |nth: u8| {
        let floats = [f32::from(nth), 1.0, 2.0, 3.0].map(f32::to_le_bytes).concat();
        let parts =
            [vec![nth], 300_i16.to_le_bytes().to_vec(), vec![255], (-i16::from(nth)).to_le_bytes().to_vec()];
        let complex = [1.0, 2.0, f32::from(nth), 0.0].map(f32::to_le_bytes).concat();
        [floats, b"x\0\0yz\0".to_vec(), vec![1, 0, nth % 2], parts.concat(), complex].concat()
    };
    assert_eq!(file.read(&array).expect("items"), (0..4).flat_map(item).collect::<Vec<u8>>());
    let (offset, word) = array.metadata.data_type.field("words.1").expect("a field");
    assert_eq!((offset, word.name()), (19, "null_terminated_bytes"));

    let array = file.array("big").expect("big");
    let item = |numbers: [f64; 3], id: i32| {
        [numbers.map(f64::to_le_bytes).concat(), id.to_le_bytes().to_vec()].concat()
    };
    let fill = item([1.0, 2.0, 0.5], -1);
    let rows = (0..3).flat_map(|nth| item([1.0, 2.0, f64::from(nth)], nth));
    assert_eq!(file.read(&array).expect("items"), rows.chain(fill.repeat(2)).collect::<Vec<u8>>());

    // Letters are texts, and so they are in attributes.
    let array = file.array("letters").expect("letters");
    let items = [&b"Aix"[..], &1_f32.to_le_bytes(), b"Ulm", &2_f32.to_le_bytes()].concat();
    assert_eq!(file.read(&array).expect("items"), items);
    let root = file.json("").expect("a root");
    assert_eq!(root["attributes"]["letters"], json!({ "name": "Ulm", "x": 2.0 }));

    let array = file.array("complexes").expect("complexes");
    let complexes = [1.0_f32, 2.0, 3.0, -4.0].map(f32::to_le_bytes).concat();
    assert_eq!(file.read(&array).expect("items"), [&[0; 4][..], &[16, 0, 0, 0], &complexes].concat());
}

#[test]
fn integers_of_some_bits_are_those_that_they_mean() {
    let mut file = File::of(unpacked(include_bytes!("../neighbours/fixtures/narrowints.h5.gz")));
    for (name, size) in [("signed", 4), ("unsigned", 2), ("big", 8), ("byte", 1)] {
        let wanted = (-12_i64..12).flat_map(|value| {
            let value = match name {
                "byte" => value.clamp(-4, 3),
                "unsigned" => value.abs(),
                _ => value,
            };
            value.to_le_bytes()[..size].to_vec()
        });
        let wanted: Vec<u8> = wanted.collect();
        for way in ["plain", "gzip", "nbit"] {
            let path = format!("{name}-{way}");
            if way == "nbit" && !cfg!(feature = "hdf5filters") {
                continue;
            }
            let array = file.array(&path).expect(&path);
            assert_eq!(array.metadata.shape, [4, 6], "{path}");
            assert_eq!(file.read(&array).expect(&path), wanted, "{path}");
        }
    }
    let array = file.array("unwritten").expect("unwritten");
    assert_eq!(file.read(&array).expect("items"), (-7_i32).to_le_bytes().repeat(24));
    let array = file.array("pairs").expect("pairs");
    let row = |a: i32, b: [u16; 2], c: i32| {
        [&a.to_le_bytes()[..], &b[0].to_le_bytes(), &b[1].to_le_bytes(), &c.to_le_bytes()].concat()
    };
    let wanted = [row(-3, [4, 5], 6), row(7, [8, 9], -10)].concat();
    assert_eq!(file.read(&array).expect("pairs"), wanted);
    let root = file.json("").expect("a root");
    assert_eq!(root["attributes"]["signed"], json!([-5, 6]));
}

#[test]
fn messages_that_objects_share_are_read_from_their_heaps() {
    let [earliest, latest] = [
        &include_bytes!("../neighbours/fixtures/shared-earliest.h5.gz")[..],
        include_bytes!("../neighbours/fixtures/shared-latest.h5.gz"),
    ];
    for packed in [earliest, latest] {
        let whole = unpacked(packed);
        assert!(whole.windows(4).any(|bytes| bytes == b"SMTB"));
        let mut file = File::of(whole);
        let long = "a text that all of these have in common, so that it is shared ".repeat(3);
        let row = |nth: i16| {
            let flag = i8::try_from(-nth).unwrap().to_le_bytes();
            [&i32::from(nth).to_le_bytes()[..], &(f32::from(nth) / 2.0).to_le_bytes(), &flag].concat()
        };
        let rows: Vec<u8> = (0..12).flat_map(row).collect();
        for nth in 0..10_i16 {
            let path = format!("d{nth}");
            let document = file.json(&path).expect(&path);
            assert_eq!(document["attributes"]["long"], long, "{path}");
            let kind = json!({ "station": nth, "temperature": f64::from(nth) / 2.0, "flag": -nth });
            let found = &document["attributes"]["kind"];
            assert_eq!(found["station"], kind["station"], "{path}");
            assert_eq!(found["temperature"].as_f64(), kind["temperature"].as_f64(), "{path}");
            assert_eq!(found["flag"], kind["flag"], "{path}");
            let array = file.array(&path).expect(&path);
            assert_eq!(file.read(&array).expect(&path), rows, "{path}");
            assert_eq!(&array.metadata.fill_value[..], row(7), "{path}");
        }
        let document = file.json("unwritten").expect("unwritten");
        let attributes = document["attributes"].as_object().expect("attributes");
        assert_eq!(attributes.len(), 20);
        let text = "of which so many are there that they are in a heap of their own ".repeat(2);
        assert!(attributes.values().all(|value| *value == text.as_str()));
        let array = file.array("unwritten").expect("unwritten");
        assert_eq!(file.read(&array).expect("unwritten"), 77_i16.to_le_bytes().repeat(60));
        let array = file.array("committed").expect("committed");
        assert_eq!(file.read(&array).expect("committed"), rows);
        assert_eq!(file.json("").expect("a root")["attributes"]["long"], long);
    }
}

#[test]
fn structures_are_those_of_the_image_of_a_cache() {
    let mut file = File::of(unpacked(include_bytes!("../neighbours/fixtures/image.h5.gz")));
    let root = file.json("").expect("a root");
    let members = root["consolidated_metadata"]["metadata"].as_object().expect("members");
    assert_eq!(members.len(), 82);
    for nth in 0..40_i32 {
        assert_eq!(members[&format!("group{nth}")]["attributes"]["number"], nth);
        let path = format!("group{nth}/values");
        let array = file.array(&path).expect(&path);
        let wanted: Vec<u8> = (0..600).flat_map(|value: i32| (value + nth).to_le_bytes()).collect();
        assert_eq!(file.read(&array).expect(&path), wanted, "{path}");
    }
    let array = file.array("texts").expect("texts");
    let texts = file.read(&array).expect("texts");
    assert_eq!(texts, [&[3, 0, 0, 0][..], b"one", &[0; 4], &[5, 0, 0, 0], b"three"].concat());
    assert_eq!(members["before"]["attributes"]["after"], "text");
    let array = file.array("before").expect("before");
    assert_eq!(file.read(&array).expect("before"), [0, 0, 1, 0, 2, 0, 3, 0, 4, 0]);
}

#[test]
fn damage_to_these_kinds_has_a_name() {
    let mut random = fastrand::Rng::with_seed(29);
    let [compounds, narrow, earliest, latest, image] = [
        &include_bytes!("../neighbours/fixtures/compounds.h5.gz")[..],
        include_bytes!("../neighbours/fixtures/narrowints.h5.gz"),
        include_bytes!("../neighbours/fixtures/shared-earliest.h5.gz"),
        include_bytes!("../neighbours/fixtures/shared-latest.h5.gz"),
        include_bytes!("../neighbours/fixtures/image.h5.gz"),
    ];
    let mut read = 0;
    for packed in [compounds, narrow, earliest, latest, image] {
        let whole = unpacked(packed);
        for _ in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(0..bytes.len());
                bytes[at] = [0, 1, 0xff, 0x80, random.u8(..)][random.usize(0..5)];
            }
            if random.u8(0..4) == 0 {
                bytes.truncate(random.usize(0..bytes.len()));
            }
            read += usize::from(read_all(bytes) > 0);
        }
    }
    assert!(read > 200, "{read} were read");
}
