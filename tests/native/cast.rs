//! Items read as numbers of another type equal what an item-by-item walk makes of the items as they are stored.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]

use std::borrow::Cow;

use crate::support::{document_with, little};
use fastrand::Rng;
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::metadata::{ArrayMetadata, DataType};
use rectilinear_zarr::output::{Cast, Numeric, Scalar};
use rectilinear_zarr::read::{
    Array, Conversion, DEFAULT_MAX_CHUNK_BYTES, Mask, Output, Plan, Scaling, Target,
};
use rectilinear_zarr::{Error, Result};
use serde_json::{Value, json};

const STORED: [&str; 11] =
    ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"];
const WANTED: [&str; 9] =
    ["float32", "float64", "float16", "int8", "int16", "int32", "uint8", "uint16", "uint32"];

fn number(name: &str) -> Numeric {
    DataType::scalar(name).unwrap().numeric().unwrap()
}

/// An array of 11 by 9 items in uneven chunks, some of which are missing, transposed or not.
struct Stored {
    array: Array,
    chunks: Vec<Option<Vec<u8>>>,
    data_type: &'static str,
}

impl Stored {
    fn random(rng: &mut Rng, data_type: &'static str, fill: Value, attributes: Value) -> Self {
        let transpose = json!({ "name": "transpose", "configuration": { "order": [1, 0] } });
        let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
        let is_big = rng.bool();
        let bytes = if is_big { big } else { little() };
        let codecs = if rng.bool() { json!([transpose, bytes]) } else { json!([bytes]) };
        let text = document_with(&[11, 9], &json!([[4, 7], [2, 3, 4]]), data_type, &codecs);
        let mut document: Value = serde_json::from_slice(&text).unwrap();
        document["fill_value"] = fill;
        document["attributes"] = attributes;
        let array = Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        let plan = array.plan(&[]).unwrap();
        let chunks = plan.tasks().map(|task| {
            let items = task.unwrap().chunk_shape.iter().product::<u64>();
            let stored = |rng: &mut Rng| {
                let mut item = item(rng, data_type);
                if is_big {
                    item.reverse();
                }
                item
            };
            (rng.u8(0..6) > 0).then(|| (0..items).flat_map(|_| stored(rng)).collect())
        });
        let chunks = chunks.collect();
        Self { array, chunks, data_type }
    }

    fn output(&self, plan: &Plan<'_>, bytes: u64) -> Result<Vec<u8>> {
        let mut output = Output::in_buffers(plan, bytes)?;
        for task in plan.tasks() {
            let task = task?;
            let nth = task.coords[0] * 3 + task.coords[1];
            let chunk = self.chunks[usize::try_from(nth).unwrap()].as_deref().map(Cow::Borrowed);
            output.put(&task, self.array.decode(&task, chunk)?.as_ref())?;
        }
        Ok(output.finish().bytes.into_owned())
    }
}

/// A number that is small, often one of those that tests call missing, and sometimes no number.
fn item(rng: &mut Rng, data_type: &str) -> Vec<u8> {
    let small = rng.i64(-3..100);
    let unsigned = small.unsigned_abs();
    match data_type {
        "bool" => vec![rng.u8(0..2)],
        "int8" | "uint8" => vec![unsigned as u8],
        "int16" => (small as i16).to_le_bytes().to_vec(),
        "uint16" => (unsigned as u16).to_le_bytes().to_vec(),
        "int32" => (small as i32).to_le_bytes().to_vec(),
        "uint32" => (if rng.u8(0..9) == 0 { rng.u32(..) } else { unsigned as u32 }).to_le_bytes().to_vec(),
        "int64" => (if rng.u8(0..9) == 0 { rng.i64(..) } else { small }).to_le_bytes().to_vec(),
        "uint64" => unsigned.to_le_bytes().to_vec(),
        "float32" if small == 5 => f32::NEG_INFINITY.to_le_bytes().to_vec(),
        "float32" if small == 1 => f32::NAN.to_le_bytes().to_vec(),
        "float32" => (small as f32 / 4.0).to_le_bytes().to_vec(),
        _ if small == 1 => f64::NAN.to_le_bytes().to_vec(),
        _ => (small as f64 / 4.0).to_le_bytes().to_vec(),
    }
}

/// One item as a float, and as an integer where it is one of 64 bits.
fn value(item: &[u8], data_type: &str) -> (f64, Option<i128>) {
    let wide = |value: i128| (value as f64, Some(value));
    match data_type {
        "bool" | "uint8" => (item[0].into(), None),
        "int8" => (i8::from_le_bytes([item[0]]).into(), None),
        "int16" => (i16::from_le_bytes(item.try_into().unwrap()).into(), None),
        "uint16" => (u16::from_le_bytes(item.try_into().unwrap()).into(), None),
        "int32" => (i32::from_le_bytes(item.try_into().unwrap()).into(), None),
        "uint32" => (u32::from_le_bytes(item.try_into().unwrap()).into(), None),
        "int64" => wide(i64::from_le_bytes(item.try_into().unwrap()).into()),
        "uint64" => wide(u64::from_le_bytes(item.try_into().unwrap()).into()),
        "float32" => (f32::from_le_bytes(item.try_into().unwrap()).into(), None),
        _ => (f64::from_le_bytes(item.try_into().unwrap()), None),
    }
}

/// Cast of one item; nothing where the target cannot hold it.
fn cast(
    item: &[u8],
    stored: &str,
    wanted: &str,
    missing: &[f64],
    scaling: Option<(f64, f64)>,
) -> Option<Vec<u8>> {
    let (mut float, integer) = value(item, stored);
    if missing.contains(&float) {
        float = f64::NAN;
    }
    if let Some((by, plus)) = scaling {
        float = float * by + plus;
    }
    let within =
        |least: f64, most: f64| (least..=most).contains(&float.trunc()).then(|| float.trunc() as i64);
    let bytes = |value: Option<i64>, size: usize| value.map(|value| value.to_le_bytes()[..size].to_vec());
    match wanted {
        "float64" => Some(float.to_le_bytes().to_vec()),
        // Rounded once, whatever is stored.
        "float32" => Some(match integer.filter(|_| scaling.is_none() && !float.is_nan()) {
            Some(integer) => (integer as f32).to_le_bytes().to_vec(),
            None => (float as f32).to_le_bytes().to_vec(),
        }),
        "float16" => Some(half::f16::from_f64(float).to_le_bytes().to_vec()),
        "int8" => bytes(within(-128.0, 127.0), 1),
        "uint8" => bytes(within(0.0, 255.0), 1),
        "int16" => bytes(within(-32768.0, 32767.0), 2),
        "uint16" => bytes(within(0.0, 65535.0), 2),
        "int32" => bytes(within(-2_147_483_648.0, 2_147_483_647.0), 4),
        _ => bytes(within(0.0, 4_294_967_295.0), 4),
    }
}

/// Whether items have the same bytes, but for the bits of NaNs.
fn same(got: &[u8], expected: &[u8], wanted: &str) -> bool {
    let size = number(wanted).size();
    let is_nan = |item: &[u8]| match wanted {
        "float16" => half::f16::from_le_bytes(item.try_into().unwrap()).is_nan(),
        "float32" => f32::from_le_bytes(item.try_into().unwrap()).is_nan(),
        "float64" => f64::from_le_bytes(item.try_into().unwrap()).is_nan(),
        _ => false,
    };
    let mut pairs = got.chunks(size).zip(expected.chunks(size));
    got.len() == expected.len() && pairs.all(|(a, b)| a == b || is_nan(a) && is_nan(b))
}

#[test]
fn random_casts_equal_an_item_by_item_walk() {
    let mut rng = Rng::with_seed(5);
    let (mut refused, mut read) = (0, 0);
    for round in 0..3000 {
        let (stored, wanted) = (STORED[round % STORED.len()], *rng.choice(&WANTED).unwrap());
        let is_float = wanted.starts_with("float");
        let fill = if stored == "bool" { json!(false) } else { json!(2) };
        let attributes = match rng.u8(0..3) {
            0 => json!({}),
            1 => json!({ "_FillValue": 3, "missing_value": [5, 7.0], "scale_factor": 0.5 }),
            _ => json!({ "missing_value": 4, "scale_factor": [0.25], "add_offset": -3 }),
        };
        let said: &[f64] = match (&attributes["_FillValue"], &attributes["add_offset"]) {
            (Value::Null, Value::Null) => &[],
            (_, Value::Null) => &[3.0, 5.0, 7.0],
            _ => &[4.0],
        };
        let packed = match (&attributes["_FillValue"], &attributes["add_offset"]) {
            (Value::Null, Value::Null) => None,
            (_, Value::Null) => Some((0.5, 0.0)),
            _ => Some((0.25, -3.0)),
        };
        let (mask, missing) = match rng.u8(0..4) {
            _ if !is_float => (None, Vec::new()),
            0 => (None, Vec::new()),
            1 => (Some(Mask::Attributes), said.to_vec()),
            2 => (Some(Mask::Values(vec![Scalar::Integer(6), Scalar::Float(2.5)])), vec![6.0, 2.5]),
            _ if stored == "bool" => (Some(Mask::Fill), said.to_vec()),
            _ => (Some(Mask::Fill), [said, &[2.0]].concat()),
        };
        let (scaling, factors) = match rng.u8(0..3) {
            0 => (None, None),
            1 => (Some(Scaling::Attributes), packed),
            _ => (Some(Scaling::By(2.0, 0.5)), Some((2.0, 0.5))),
        };
        let array = Stored::random(&mut rng, stored, fill, attributes);
        let selection =
            [AxisSelection::Slice { start: None, stop: None, step: *rng.choice(&[1, 2, -1]).unwrap() }];
        let selection =
            if rng.bool() { selection.to_vec() } else { vec![AxisSelection::List(vec![9, 0, 3, 3])] };
        let plan = array.array.plan(&selection).unwrap();
        let size = DataType::scalar(array.data_type).unwrap().item_size();
        let plain = array.output(&plan, 1 << 20).unwrap();
        let expected: Option<Vec<Vec<u8>>> =
            plain.chunks(size).map(|item| cast(item, stored, wanted, &missing, factors)).collect();
        let conversion = Conversion { target: Target::Number(number(wanted)), mask, scaling, levels: None };
        let plan = plan.with_casts(|metadata, column| conversion.cast(metadata, column)).unwrap();
        match (array.output(&plan, rng.u64(1..100)), expected) {
            (Ok(got), Some(expected)) => {
                assert!(same(&got, &expected.concat(), wanted), "{stored} as {wanted}: {conversion:?}");
                read += 1;
            }
            (Err(Error::Range { reason }), None) => {
                // It names an item that indeed does not fit.
                let nth: usize = reason.split(' ').nth(1).unwrap().parse().unwrap();
                let item = &plain[nth * size..(nth + 1) * size];
                assert_eq!(cast(item, stored, wanted, &missing, factors), None, "{reason}");
                refused += 1;
            }
            (got, expected) => panic!("{stored} as {wanted}: {got:?}, {expected:?}"),
        }
    }
    assert!(refused > 100 && read > 1000, "{refused} refused, {read} read");
}

#[test]
fn the_range_is_that_of_the_numbers() {
    let mut rng = Rng::with_seed(8);
    for stored in STORED {
        let fill = if stored == "bool" { json!(false) } else { json!(2) };
        let array = Stored::random(&mut rng, stored, fill, json!({}));
        let conversion = Conversion {
            target: Target::Number(number("float32")),
            mask: Some(Mask::Fill),
            scaling: None,
            levels: None,
        };
        let plan = array.array.plan(&[]).unwrap();
        let cast = |metadata: &ArrayMetadata, column: &_| {
            Ok(conversion.cast(metadata, column)?.map(Cast::seeing_range))
        };
        let plan = plan.with_casts(cast).unwrap();
        let items = array.output(&plan, 50).unwrap();
        let floats: Vec<f32> = items.as_chunks().0.iter().map(|item| f32::from_le_bytes(*item)).collect();
        let expected = (
            floats.iter().copied().fold(f32::NAN, f32::min),
            floats.iter().copied().fold(f32::NAN, f32::max),
        );
        let mut staging = plan.staging(50).unwrap();
        let mut range: Option<(f64, f64)> = None;
        for task in plan.tasks().map(Result::unwrap) {
            let nth = usize::try_from(task.coords[0] * 3 + task.coords[1]).unwrap();
            let chunk = array.array.decode(&task, array.chunks[nth].as_deref().map(Cow::Borrowed)).unwrap();
            for nth in staging.of(&task.selection) {
                let Some(buffer) = staging.put(nth, task.place(), chunk.as_ref()).unwrap() else { continue };
                let Some((least, most)) = buffer.columns[0].range() else { continue };
                range = Some(range.map_or((least, most), |old| (old.0.min(least), old.1.max(most))));
            }
        }
        assert_eq!(range, Some((expected.0.into(), expected.1.into())), "{stored}");
    }
}

#[test]
fn what_is_no_number_is_refused_by_name() {
    let text = document_with(&[2], &json!([[2]]), "int16", &json!([little()]));
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    let conversion = Conversion {
        target: Target::Number(number("float32")),
        mask: Some(Mask::Fill),
        scaling: Some(Scaling::Attributes),
        levels: None,
    };
    let refused = |document: &Value| {
        let array = Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        let plan = array.plan(&[]).unwrap();
        plan.with_casts(|metadata, column| conversion.cast(metadata, column)).unwrap_err()
    };
    for (name, value) in [
        ("_FillValue", json!("none")),
        ("scale_factor", json!([1, 2])),
        ("add_offset", json!({})),
        ("missing_value", json!([true])),
    ] {
        document["attributes"] = json!({ name: value });
        let Error::InvalidMetadata { path, .. } = refused(&document) else { panic!("{name}") };
        assert_eq!(path, format!("/attributes/{name}"));
    }
    document["attributes"] = json!({});
    document["data_type"] = json!("complex64");
    document["fill_value"] = json!([0, 0]);
    assert_eq!(refused(&document).to_string().split(" is").next(), Some("complex64 as float32"));
}

#[test]
fn whether_integers_are_unsigned_is_said_in_text_or_by_a_boolean() {
    let read = |data_type: &str, said: Value| {
        let document = document_with(&[2], &json!([2]), data_type, &json!([little()]));
        let mut document: Value = serde_json::from_slice(&document).unwrap();
        document["attributes"] = json!({ "_Unsigned": said });
        let array = Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES)?;
        let conversion = Conversion {
            target: Target::Decoded(number("float32")),
            mask: None,
            scaling: None,
            levels: None,
        };
        let plan = array.plan(&[])?.with_casts(|metadata, column| conversion.cast(metadata, column))?;
        let mut output = Output::new(&plan)?;
        let task = plan.tasks().next().unwrap()?;
        output.put(&task, array.decode(&task, Some(Cow::Borrowed(&[255, 1])))?.as_ref())?;
        let items = output.finish().bytes.into_owned();
        Ok::<_, Error>(
            items.chunks(4).map(|item| f32::from_le_bytes(item.try_into().unwrap())).collect::<Vec<_>>(),
        )
    };
    for said in [json!("true"), json!(true)] {
        assert_eq!(read("int8", said).unwrap(), [255.0, 1.0]);
    }
    for said in [json!("false"), json!(false)] {
        assert_eq!(read("uint8", said).unwrap(), [-1.0, 1.0]);
    }
    for other in [json!("yes"), json!(1), json!({})] {
        let error = read("int8", other).unwrap_err();
        assert!(error.to_string().contains("_Unsigned"), "{error}");
    }
}
