//! GRIB2 messages, made with ecCodes and by the rules of its tables, beside the values that ecCodes reads of them.
#![cfg(feature = "grib")]

use std::borrow::Cow;
use std::path::PathBuf;

use crate::support::{document_with, little, ours, text};
use rectilinear_zarr::Error;
use rectilinear_zarr::metadata::{ArrayMetadata, Json};
use rectilinear_zarr::read::Array;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    crate::support::neighbours("grib")
}

fn index() -> Value {
    serde_json::from_slice(&std::fs::read(folder().join("index.json")).unwrap()).unwrap()
}

fn message(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(format!("{name}.grib2"))).unwrap()
}

/// An array of one chunk of this shape, of these codecs.
fn array_of(shape: &[u64], data_type: &str, codecs: &Value) -> Array {
    let edges: Vec<Vec<u64>> = shape.iter().map(|&edge| vec![edge]).collect();
    let text = document_with(shape, &json!(edges), data_type, codecs);
    Array::parse(&text, "", 1 << 30).unwrap()
}

fn gribberish(configuration: &Value) -> Value {
    json!([{ "name": "gribberish", "configuration": configuration }])
}

/// The items of the array's one chunk, as bytes.
fn decoded(array: &Array, chunk: &[u8]) -> Result<Vec<u8>, Error> {
    let plan = array.plan(&[]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    array.check_answer(&task, chunk.len())?;
    Ok(array.decode(&task, Some(Cow::Borrowed(chunk)))?.unwrap().bytes.to_vec())
}

/// Float64 items, as numbers.
fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|item| f64::from_le_bytes(*item)).collect()
}

#[test]
fn every_packing_has_the_values_that_ec_codes_reads() {
    let index = index();
    let shape: Vec<u64> = serde_json::from_value(index["shape"].clone()).unwrap();
    let messages = index["messages"].as_array().unwrap();
    assert!(messages.len() > 50, "{}", messages.len());
    let is_here = |case: &&Value| cfg!(feature = "jpeg2000") || !text(case, "name").starts_with("jpeg2000");
    for case in messages.iter().filter(is_here) {
        let name = text(case, "name");
        let array = array_of(&shape, "float64", &gribberish(&case["configuration"]));
        let found = numbers(&decoded(&array, &message(name)).unwrap());
        let wanted = numbers(&std::fs::read(folder().join(format!("{name}.bin"))).unwrap());
        assert_eq!(found.len(), wanted.len(), "{name}");
        for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let is_same = found == wanted || found.is_nan() && wanted.is_nan();
            assert!(is_same, "{name}, point {at}: {found} and {wanted}");
        }
    }
}

#[test]
fn items_of_32_bits_are_the_nearest_and_scales_come_after_the_message() {
    let points = index()["points"].as_u64().unwrap();
    let grib = message("simple-wave-16");
    let wanted = numbers(&std::fs::read(folder().join("simple-wave-16.bin")).unwrap());
    let single =
        decoded(&array_of(&[points], "float32", &gribberish(&json!({ "var": "TMP" }))), &grib).unwrap();
    let single: Vec<f32> = single.as_chunks().0.iter().map(|item| f32::from_le_bytes(*item)).collect();
    assert_eq!(single, wanted.iter().map(|value| *value as f32).collect::<Vec<_>>());
    let codecs = json!([
        { "name": "scale_offset", "configuration": { "offset": -273.15 } },
        { "name": "gribberish", "configuration": {} },
    ]);
    let scaled = numbers(&decoded(&array_of(&[points], "float64", &codecs), &grib).unwrap());
    assert_eq!(scaled, wanted.iter().map(|value| value - 273.15).collect::<Vec<_>>());
}

#[test]
fn zarr_v2_has_the_message_as_a_filter() {
    let points = index()["points"].as_u64().unwrap();
    let wanted = std::fs::read(folder().join("ccsds-bitmap.bin")).unwrap();
    for filter in [
        json!({ "id": "grib", "var": "t2m", "dtype": "float64" }),
        json!({ "id": "gribscan.rawgrib" }),
        json!({ "id": "rawgrib" }),
    ] {
        let document = json!({
            "zarr_format": 2, "shape": [points], "chunks": [points], "dtype": "<f8", "order": "C",
            "fill_value": null, "filters": [filter], "compressor": null,
        });
        let metadata = ArrayMetadata::from_v2(Json::root(&ours(&document)), None).unwrap();
        let array = Array::new(metadata, "", 1 << 30).unwrap();
        assert!(
            numbers(&decoded(&array, &message("ccsds-bitmap")).unwrap())
                .iter()
                .zip(numbers(&wanted))
                .all(|(found, wanted)| *found == wanted || found.is_nan() && wanted.is_nan())
        );
    }
}

/// That a chunk is refused, in words that hold this.
fn refused(array: &Array, chunk: &[u8], words: &str) {
    let error = decoded(array, chunk).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn other_messages_are_refused_by_name() {
    let points = index()["points"].as_u64().unwrap();
    let array = array_of(&[points], "float64", &gribberish(&json!({})));
    let grib = message("simple-wave-16");
    refused(&array_of(&[points + 1], "float64", &gribberish(&json!({}))), &grib, "684 points");
    refused(&array, &grib[..grib.len() / 2], "cut short");
    refused(&array, &[b"BRIG", &grib[4..]].concat(), "\"GRIB\"");
    let mut first_edition = grib.clone();
    first_edition[7] = 1;
    refused(&array, &first_edition, "GRIB edition 1");
    // Section 5 begins after those before it, with its template in octets 10 and 11.
    let packing = grib.windows(5).position(|window| window == [0, 0, 0, 21, 5]).unwrap();
    let jpeg2000 = if cfg!(feature = "jpeg2000") { "no JPEG 2000 image" } else { "5.40 (JPEG 2000)" };
    for (template, words) in [(40, jpeg2000), (61, "5.61")] {
        let mut other = grib.clone();
        other[packing + 10] = template;
        refused(&array, &other, words);
    }
    let upwards = array_of(&[points], "float64", &gribberish(&json!({ "north_up": true })));
    let mut gaussian = grib.clone();
    let grid = grib.windows(5).position(|window| window == [0, 0, 0, 72, 3]).unwrap();
    gaussian[grid + 13] = 40;
    refused(&upwards, &gaussian, "3.40");
    assert!(decoded(&array, &gaussian).is_ok(), "the grid counts only where it is asked for");
    for (data_type, codecs, words) in [
        ("int16", gribberish(&json!({})), "float32 and float64"),
        ("float64", gribberish(&json!({ "level": 2 })), "\"level\""),
        ("float64", json!([little(), { "name": "gribberish", "configuration": {} }]), "out of order"),
    ] {
        let document = document_with(&[points], &json!([[points]]), data_type, &codecs);
        let error = Array::parse(&document, "", 1 << 30).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// The latitudes or longitudes of a message, for a chunk of this shape.
fn coordinates(name: &str, shape: &[u64], configuration: &Value) -> Result<Vec<f64>, Error> {
    decoded(&array_of(shape, "float64", &gribberish(configuration)), &message(name))
        .map(|bytes| numbers(&bytes))
}

#[test]
fn latitudes_and_longitudes_are_those_of_ec_codes_for_each_point_and_for_each_line() {
    let index = index();
    let (rows, columns) = (index["shape"][0].as_u64().unwrap(), index["shape"][1].as_u64().unwrap());
    let grids = index["grids"].as_array().unwrap();
    assert_eq!(grids.len(), 5);
    for name in grids.iter().map(|name| name.as_str().unwrap()) {
        for (var, count) in [("latitude", rows), ("longitude", columns)] {
            let asked = json!({ "var": var });
            let found = coordinates(name, &[rows, columns], &asked).unwrap();
            let wanted = numbers(&std::fs::read(folder().join(format!("{name}-{var}.bin"))).unwrap());
            assert_eq!(found.len(), wanted.len());
            for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                // ecCodes adds steps one by one, some of them as they are rounded in the message.
                assert!((found - wanted).abs() < 1e-6, "{name}, {var} {at}: {found} and {wanted}");
            }
            let mut line = found.clone();
            line.sort_by(f64::total_cmp);
            line.dedup();
            let mut lines = coordinates(name, &[count], &asked).unwrap();
            lines.sort_by(f64::total_cmp);
            assert_eq!(lines, line, "{name}, {var}");
        }
    }
}

#[test]
fn latitudes_and_longitudes_follow_the_order_of_the_values() {
    let line = |name, count, var| {
        let flags = json!({ "var": var, "north_up": true, "adjust_longitude_range": true });
        coordinates(name, &[count], &flags).unwrap()
    };
    for name in ["grid-plain", "grid-upwards"] {
        let (latitudes, longitudes) = (line(name, 19, "latitude"), line(name, 36, "longitude"));
        assert_eq!((latitudes[0], latitudes[1], latitudes[18]), (90.0, 80.0, -90.0), "{name}");
        assert_eq!((longitudes[0], longitudes[18], longitudes[35]), (-180.0, 0.0, 170.0), "{name}");
    }
    // Neither around the globe, nor with rows.
    assert_eq!(line("grid-across", 36, "longitude")[0], -7.0);
    let words = |name, shape: &[u64]| {
        coordinates(name, shape, &json!({ "var": "latitude", "north_up": true })).unwrap_err().to_string()
    };
    assert!(words("grid-columns", &[19]).contains("points in columns"));
    assert!(words("grid-plain", &[20]).contains("684 points"));
    assert!(words("grid-plain", &[36]).contains("684 points"));
    let mut mercator = message("grid-plain");
    let grid = mercator.windows(5).position(|window| window == [0, 0, 0, 72, 3]).unwrap();
    mercator[grid + 13] = 10;
    let array = array_of(&[19], "float64", &gribberish(&json!({ "var": "latitude" })));
    refused(&array, &mercator, "grid definition template 3.10");
}

#[test]
fn damaged_messages_are_errors_or_values_and_never_more() {
    let index = index();
    let points = index["points"].as_u64().unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let flags = json!({ "adjust_longitude_range": true, "north_up": true });
    let array = array_of(&[points], "float64", &gribberish(&flags));
    let mut refusals = 0;
    for case in index["messages"].as_array().unwrap() {
        let grib = message(text(case, "name"));
        for _ in 0..200 {
            let mut damaged = grib.clone();
            for _ in 0..random.usize(1..4) {
                // Most of the damage is in the headers, where it does most.
                let most = if random.bool() { 230.min(damaged.len()) } else { damaged.len() };
                damaged[random.usize(..most)] = random.u8(..);
            }
            if random.u8(..8) == 0 {
                damaged.truncate(random.usize(..damaged.len()));
            }
            match decoded(&array, &damaged) {
                Ok(bytes) => assert_eq!(bytes.len() as u64, points * 8),
                Err(Error::Codec(_) | Error::Unsupported { .. }) => refusals += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(refusals > 2000, "{refusals}");
    for var in ["latitude", "longitude"] {
        let flags = json!({ "var": var, "adjust_longitude_range": true, "north_up": true });
        let array = array_of(&[points], "float64", &gribberish(&flags));
        let grib = message("grid-plain");
        for _ in 0..2000 {
            let mut damaged = grib.clone();
            (0..random.usize(1..4)).for_each(|_| damaged[random.usize(37..120)] = random.u8(..));
            match decoded(&array, &damaged) {
                Ok(bytes) => assert_eq!(bytes.len() as u64, points * 8),
                Err(Error::Codec(_) | Error::Unsupported { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
    }
}
