//! Times of every calendar and unit are what cftime and numpy make of them, and texts of dates are the spans that they name.

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
    let text = include_str!("../neighbours/fixtures/cf/times.json");
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

/// Spellings that xarray reads by dropping a part, or by taking one part for another: these are refused here.
fn is_dropped_by_xarray(units: &str) -> bool {
    let (_, since) = units.split_once("since").unwrap_or((units, ""));
    let words = [
        " EST",
        " CET",
        "America/",
        "UTC+",
        "GMT+",
        "Z+1",
        "(UTC)",
        "local",
        "Universal",
        "Zulu",
        " A",
        "UTC Z",
        ":00 UTC",
        " x",
        ", 12:00",
        "foo",
        "since",
        "PM",
        "1pm",
        "12h",
        "00h",
        "Monday",
        " of ",
    ];
    let ends = [
        " 0", " 00", " +", " -", " 000", " .0", " 0.0", ".0.0", " 12.5", "00:", " 5:30", " 05:30", "+5:",
        "+12345", " 1230", ",5",
    ];
    words.iter().any(|word| since.contains(word))
        || ends.iter().any(|end| since.ends_with(end))
        || since.ends_with("00:00:00") && since.contains('+')
        || since.contains("-01 T12")
        || since.contains(" Jan 99")
        || since.starts_with(" 30-02-2000")
}

#[test]
fn reference_dates_are_what_xarray_reads_in_them() {
    let rows: Vec<(String, Option<String>, Option<String>)> =
        serde_json::from_str(include_str!("../neighbours/fixtures/cf/dates.json")).unwrap();
    assert!(rows.len() > 290, "the table is whole");
    let (mut wrong, mut read) = (Vec::new(), 0);
    for (units, standard, noleap) in rows {
        for (calendar, expected) in [("standard", &standard), ("noleap", &noleap)] {
            let found = cf(&units, calendar).ok().and_then(|times| {
                let label = times.of_integer(0)?.label(times.calendar);
                Some(if label.contains('.') { label } else { format!("{label}.000") })
            });
            // cftime drops zones whose hours have one digit, and hours after `0:00`.
            let is_zone = units.contains(" 0:0")
                || units.contains(" 00:00")
                || units.contains(" -6")
                || units.contains(" -0:30")
                || units.contains(" +1:2");
            let is_right = found == *expected
                // cftime refuses dates without a day, and drops an hour without minutes.
                || calendar == "noleap" && found == standard
                || found.is_none() && (is_dropped_by_xarray(&units) || calendar == "noleap")
                || is_zone && found.is_some();
            read += usize::from(found.is_some());
            if !is_right {
                wrong.push(format!("{calendar}: {units:?} is {found:?} and not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 250, "{read}");
}

#[test]
fn nothing_of_a_reference_date_is_dropped() {
    let at = |since: &str| {
        let times = cf(&format!("seconds since {since}"), "standard").ok()?;
        Some(times.of_integer(0)?.label(times.calendar))
    };
    for (since, label) in [
        ("2019-01-01 06:00:00 0:00", "2019-01-01T06:00:00"),
        ("2019-01-01 06:00:00 00:00", "2019-01-01T06:00:00"),
        ("2019-01-01 06:00 -6:00", "2019-01-01T12:00:00"),
        ("20190101 063000", "2019-01-01T06:30:00"),
        ("01-02-2000", "2000-01-02T00:00:00"),
        ("13-02-2000", "2000-02-13T00:00:00"),
        ("31-DEC-1999 06:30", "1999-12-31T06:30:00"),
        ("2000/1/1T06:30Z", "2000-01-01T06:30:00"),
    ] {
        assert_eq!(at(since).as_deref(), Some(label), "{since}");
    }
    for since in [
        "2019-01-01 06:00:00 5:30",
        "2019-01-01 EST",
        "2019-01-01 06:00 America/New_York",
        "2019-01-01 x",
        "1 Jan 99",
        "+5:",
        "30-02-2000",
        "Jan Feb 2000",
        "1/2",
        "ß January 2000",
        "2000-01-01 06:00 +5:",
    ] {
        assert_eq!(at(since), None, "{since}");
    }
    let error = cf("days since 2000-01-01 EST", "standard").unwrap_err().to_string();
    assert!(error.contains("expected a date such as") && error.contains("/attributes/units"), "{error}");
}
