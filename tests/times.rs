//! Times of every calendar and unit are what cftime and numpy make of them, and texts of dates are the spans that they name.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fastrand::Rng;
use rectilinear_zarr::metadata::{ArrayMetadata, BoundsOf, Calendar, CfTime, TimeEncoding};
use rectilinear_zarr::{Error, Result};
use serde_json::{Value, json};

fn metadata(data_type: &Value, attributes: &Value) -> ArrayMetadata {
    let document = json!({
        "zarr_format": 3, "node_type": "array", "shape": [1], "data_type": data_type, "fill_value": 0,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [1] } },
        "chunk_key_encoding": { "name": "default" }, "attributes": attributes,
        "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }],
    });
    ArrayMetadata::parse(document.to_string().as_bytes()).unwrap()
}

fn of(metadata: &ArrayMetadata) -> Result<TimeEncoding> {
    TimeEncoding::of(metadata, &BoundsOf::default())
}

fn cf(units: &str, calendar: &str) -> Result<TimeEncoding> {
    of(&metadata(&json!("int64"), &json!({ "units": units, "calendar": calendar })))
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-6_f64.max(expected.abs() * 1e-15)
}

#[test]
fn bounds_have_the_attributes_that_they_lack() {
    let bounds_of = |units: Option<&str>, calendar: Option<&str>| BoundsOf {
        units: units.map(str::to_owned),
        calendar: calendar.map(str::to_owned),
    };
    let of = |attributes: &Value, bounds_of: &BoundsOf| {
        TimeEncoding::of(&metadata(&json!("int64"), attributes), bounds_of)
    };
    let (units, others) = ("days since 2000-01-01", "hours since 1990-01-01");
    let time = bounds_of(Some(units), Some("noleap"));
    assert_eq!(of(&json!({}), &time), cf(units, "noleap"));
    assert_eq!(of(&json!({ "units": others }), &time), cf(others, "noleap"));
    assert_eq!(of(&json!({ "calendar": "julian" }), &time), cf(units, "julian"));
    assert_eq!(of(&json!({ "units": null, "calendar": null }), &time), cf(units, "noleap"));
    assert_eq!(of(&json!({ "units": others, "calendar": "julian" }), &time), cf(others, "julian"));
    // An attribute that says something else is an error, whatever the variable says.
    let Err(Error::InvalidMetadata { path, .. }) = of(&json!({ "units": 3 }), &time) else { panic!("3") };
    assert_eq!(path, "/attributes/units");
    assert!(of(&json!({ "calendar": 3 }), &time).is_err());
    assert!(of(&json!({}), &bounds_of(Some("K"), None)).is_err());
    assert!(of(&json!({}), &bounds_of(None, Some("noleap"))).is_err());
}

#[test]
fn times_are_those_of_cftime_and_numpy() {
    let text = include_str!("neighbours/fixtures/cf/times.json");
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert!(cases.len() > 150, "the list is whole");
    for case in cases {
        let is_numpy = case.get("unit").is_some();
        let times = if is_numpy {
            let configuration = json!({ "unit": case["unit"], "scale_factor": case["scale"] });
            let data_type = json!({ "name": "numpy.datetime64", "configuration": configuration });
            of(&metadata(&data_type, &json!({})))
        } else {
            of(&metadata(&json!("float64"), &case["attributes"]))
        };
        if case.get("refused").is_some() {
            times.expect_err(&case.to_string());
            continue;
        }
        let times = times.unwrap();
        let [values, labels, millis] =
            ["values", "labels", "millis"].map(|name| case[name].as_array().unwrap());
        for ((value, label), millis) in values.iter().zip(labels).zip(millis) {
            let said = format!("{value} of {} {}", case["attributes"], case["unit"]);
            let moment = match value {
                Value::String(value) => match value.parse().unwrap() {
                    // "Not a time" is for those to see who know that there may be one.
                    i64::MIN => continue,
                    value => times.of_integer(value),
                },
                value => {
                    let float = times.of_float(value.as_f64().unwrap());
                    assert!(value.as_i64().is_none_or(|whole| times.of_integer(whole) == float), "{said}");
                    float
                }
            };
            let moment = moment.expect(&said);
            assert_eq!(moment.label(times.calendar), label.as_str().unwrap(), "{said}");
            let found = moment.epoch_millis(times.calendar);
            match millis.as_f64() {
                Some(expected) => assert!(is_near(found, expected), "{said}: {found} and not {expected}"),
                None => assert!(found.is_nan(), "{said}: {found}"),
            }
        }
    }
}

#[test]
fn each_day_has_one_date_and_each_label_is_read_again() {
    let mut rng = Rng::with_seed(7);
    for (_, calendar) in Calendar::NAMES {
        for _ in 0..2_000 {
            let day = rng.i64(-2_000_000..2_000_000);
            let date = calendar.date(day);
            assert_eq!(calendar.day(date), Some(day), "{calendar:?} {date:?}");
            let (next, (year, month, first)) = (calendar.date(day + 1), date);
            let follows = next == (year, month, first + 1)
                || next == (year, month + 1, 1)
                || next == (year + 1, 1, 1)
                || (date, next) == ((1582, 10, 4), (1582, 10, 15));
            assert!(follows, "{calendar:?} {date:?} {next:?}");
            let moment =
                CfTime::after(i128::from(day) * 86_400_000_000_000 + i128::from(rng.u32(..))).unwrap();
            let label = moment.label(calendar);
            assert_eq!(CfTime::span(&label, calendar).expect(&label).0, moment, "{calendar:?} {label}");
        }
    }
}

#[test]
fn a_text_is_the_span_that_it_names() {
    let labels = |text: &str, calendar: Calendar| {
        CfTime::span(text, calendar).map(|(from, to)| [from, to].map(|moment| moment.label(calendar)))
    };
    let standard = |text| labels(text, Calendar::Standard);
    for (text, from, to) in [
        ("2024", "2024-01-01T00:00:00", "2025-01-01T00:00:00"),
        ("2024-02", "2024-02-01T00:00:00", "2024-03-01T00:00:00"),
        ("2024-12", "2024-12-01T00:00:00", "2025-01-01T00:00:00"),
        ("2024-2-3", "2024-02-03T00:00:00", "2024-02-04T00:00:00"),
        ("2024-02-03T12", "2024-02-03T12:00:00", "2024-02-03T13:00:00"),
        ("2024-02-03 12:30Z", "2024-02-03T12:30:00", "2024-02-03T12:31:00"),
        ("2024-02-03t12:30:15.5 utc", "2024-02-03T12:30:15.500", "2024-02-03T12:30:15.501"),
        ("2024-02-03T00:00+01:30", "2024-02-02T22:30:00", "2024-02-02T22:31:00"),
        ("1582-10", "1582-10-01T00:00:00", "1582-11-01T00:00:00"),
        ("-0001-03-01", "-0001-03-01T00:00:00", "-0001-03-02T00:00:00"),
    ] {
        assert_eq!(standard(text), Some([from.to_owned(), to.to_owned()]), "{text}");
    }
    let february = labels("2023-02", Calendar::Days360).unwrap();
    assert_eq!(february, ["2023-02-01T00:00:00", "2023-03-01T00:00:00"]);
    let days = |(from, to): (CfTime, CfTime)| (to.millis() - from.millis()) / 864e5;
    assert!((days(CfTime::span("2023-02", Calendar::Days360).unwrap()) - 30.0).abs() < 1e-9);
    assert!((days(CfTime::span("1582-10", Calendar::Standard).unwrap()) - 21.0).abs() < 1e-9);
    for text in [
        "",
        "-",
        "T12",
        "2024-",
        "2024-00",
        "2024-13",
        "2023-02-29",
        "1582-10-10",
        "20240203",
        "2024-02-03T24",
        "2024-02-03T12:60",
        "2024-02-03T12:30:15.",
        "2024-02-03T12:30 CET",
        "2024-02-03T12:30+",
        "2024-02-03x",
        "yesterday",
        "2024-02-03T12:30:15.5.5",
    ] {
        assert_eq!(standard(text), None, "{text}");
    }
}

#[test]
fn what_is_no_time_is_refused_at_its_place() {
    let place = |attributes: Value| match of(&metadata(&json!("int64"), &attributes)) {
        Err(Error::InvalidMetadata { path, .. }) => path,
        other => panic!("{other:?}"),
    };
    assert_eq!(place(json!({})), "/attributes/units");
    assert_eq!(place(json!({ "units": "K" })), "/attributes/units");
    assert_eq!(place(json!({ "units": 3 })), "/attributes/units");
    assert_eq!(
        place(json!({ "units": "days since 2000-01-01", "calendar": "lunar" })),
        "/attributes/calendar"
    );
    assert!(matches!(cf("years since 2000-01-01", "noleap"), Err(Error::Unsupported { .. })));
    let span = json!({ "name": "numpy.timedelta64", "configuration": { "unit": "s", "scale_factor": 1 } });
    assert!(matches!(of(&metadata(&span, &json!({}))), Err(Error::Unsupported { .. })));
}

#[test]
fn what_is_too_far_away_is_no_moment() {
    let times = cf("days since 2000-01-01", "standard").unwrap();
    for units in [f64::NAN, f64::INFINITY, -1e36, 9.96921e36, 1e300] {
        assert!(times.of_float(units).is_none_or(|_| units.is_nan()), "{units}");
    }
    assert_eq!(times.of_integer(i64::MAX), None);
    for (unit, scale) in [("Y", 1), ("W", u64::from(u32::MAX >> 1)), ("as", 1), ("M", 1 << 30)] {
        let configuration = json!({ "unit": unit, "scale_factor": scale });
        let data_type = json!({ "name": "numpy.datetime64", "configuration": configuration });
        let times = of(&metadata(&data_type, &json!({}))).unwrap();
        assert_eq!(times.of_integer(i64::MAX).is_some(), unit == "as", "{unit}");
    }
}
