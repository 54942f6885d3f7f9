//! Tests of JSON values against serde_json.

use fastrand::Rng;
use serde_json::Value as Theirs;

use super::members::members;
use super::parser::MOST_LEVELS;
use super::scan::Scan;
use super::value::Value;

/// Converts a value to one of serde_json.
fn theirs(value: &Value) -> Theirs {
    match value {
        Value::Null => Theirs::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Number(number) => number
            .as_u64()
            .map(Theirs::from)
            .or_else(|| number.as_i64().map(Theirs::from))
            .unwrap_or_else(|| number.as_f64().into()),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(theirs).collect(),
        Value::Object(fields) => {
            Theirs::Object(fields.iter().map(|(name, value)| (name.clone(), theirs(value))).collect())
        }
    }
}

/// Whether both parsers read a text; checks that they agree, and that the value's text is read as the same value.
fn agree(text: &[u8]) -> bool {
    let (one, other) = (Value::parse(text), serde_json::from_slice::<Theirs>(text));
    match (&one, &other) {
        (Ok(one), Ok(other)) => {
            assert_eq!(theirs(one), *other, "{}", String::from_utf8_lossy(text));
            // Duplicate fields survive writing and reading; serde_json keeps only one of them.
            assert_eq!(Value::parse(one.to_string().as_bytes()).as_ref(), Ok(one));
        }
        (Err(error), Err(theirs)) => {
            assert_eq!(error.is_too_deep, theirs.to_string().starts_with("recursion"), "{error:?} {theirs}");
        }
        (Ok(_), Err(error)) => {
            // Beyond serde_json are numbers out of range, and surrogates alone.
            let reason = error.to_string();
            let is_known = ["out of range", "surrogate", "unexpected end of hex escape"]
                .iter()
                .any(|known| reason.contains(known));
            assert!(is_known, "{}: {reason}", String::from_utf8_lossy(text));
        }
        (Err(error), Ok(_)) => unreachable!("{}: {error:?}", String::from_utf8_lossy(text)),
    }
    one.is_ok()
}

#[test]
fn texts_mean_what_they_mean_to_serde_json() {
    let good = [
        "null",
        " true ",
        "false\n",
        "0",
        "-0",
        "-1",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "1.5",
        "1e5",
        "1E+5",
        "-1.25e-7",
        "1e308",
        "-0.0",
        "0e0",
        "0.0e-99999999999999999999",
        "0e99999999999999999999",
        "1e-99999999999999999999",
        "123456789012345678901234567890",
        "\"\"",
        "[]",
        "{}",
        "[[],{}]",
        "[1 , 2]",
        r#"{"a":1,"b":[{"c":null}],"a":2}"#,
        r#""\u0041\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t\u0000""#,
        "\"é€😀\"",
    ];
    let bad = [
        "",
        " ",
        "nul",
        "nulll",
        "tru",
        "+1",
        "01",
        "-",
        "-a",
        "1.",
        ".5",
        "1e",
        "1e+",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\n\"",
        "1 2",
        "[1 2]",
        "{\"a\" 1}",
        "NaN",
        "'a'",
        "[1}",
        "{]",
        "\u{feff}1",
    ];
    for text in good {
        assert!(agree(text.as_bytes()), "{text}");
    }
    for text in bad {
        assert!(!agree(text.as_bytes()), "{text}");
    }
    assert!(!agree(b"\"\xff\"") && !agree(b"\"\xc3\"") && !agree(b"\"\xed\xa0\x80\""));
    for (start, end) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |levels| start.repeat(levels) + "1" + &end.repeat(levels);
        assert!(agree(nested(127).as_bytes()));
        assert!(
            Value::parse(nested(MOST_LEVELS).as_bytes())
                .is_ok_and(|value| value.to_string() == nested(MOST_LEVELS))
        );
        assert!(Value::parse(nested(MOST_LEVELS + 1).as_bytes()).is_err_and(|error| error.is_too_deep));
    }
}

#[test]
fn what_python_and_javascript_read_beyond_serde_json_is_read() {
    let read = |text: &str| Value::parse(text.as_bytes()).unwrap_or_default();
    assert_eq!(read("1e400").as_f64(), Some(f64::INFINITY));
    assert_eq!(read("-1e309").as_f64(), Some(f64::NEG_INFINITY));
    assert_eq!(read(&"9".repeat(400)).as_f64(), Some(f64::INFINITY));
    for (text, expected) in [
        (r#""\ud800""#, "\u{fffd}"),
        (r#""\ud800\u0041""#, "\u{fffd}A"),
        (r#""\udc00x""#, "\u{fffd}x"),
        (r#""\ud800\n""#, "\u{fffd}\n"),
        (r#""\ud800\ud83d\ude00""#, "\u{fffd}😀"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
    assert!(Value::parse(br#""\ud800\u00""#).is_err());
}

#[test]
fn mutants_mean_what_they_mean_to_serde_json() {
    let seed = br#"{"zarr_format":3,"shape":[10,-2.5e3],"a":{"b":["\u00e9\n",true,null,1e-7]},"x":0.1,"c":"\ud83d\ude00"}"#;
    let mut random = Rng::with_seed(3);
    let mut read = 0;
    for _ in 0..10_000 {
        let mut text = seed.to_vec();
        for _ in 0..random.u8(1..4) {
            let at = random.usize(..text.len());
            match random.u8(..4) {
                0 => text[at] = random.u8(..),
                1 => text[at] = b"{}[]\",:\\0123456789.eE+-utfn "[random.usize(..28)],
                2 => drop(text.remove(at)),
                _ => text.insert(at, b"{}[]\",:\\0123456789.eE+-utfn "[random.usize(..28)]),
            }
        }
        let is_read = agree(&text);
        read += u32::from(is_read);
        assert_eq!(members(&text).is_some(), is_read, "{}", String::from_utf8_lossy(&text));
        // In slices of any length, the result is that of the whole.
        let mut whole = Scan::new(&text, &["a", "b"]);
        let expected = whole.step(&text, text.len());
        let mut scan = Scan::new(&text, &["a", "b"]);
        let found = loop {
            match scan.step(&text, random.usize(1..9)) {
                Ok(false) => {}
                found => break found,
            }
        };
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(&text));
        if expected.is_ok() {
            (0..3).for_each(|object| assert_eq!(scan.object(object), whole.object(object)));
        }
    }
    assert!((300..8000).contains(&read), "{read}");
}

#[test]
fn members_are_those_of_the_value() {
    let text = br#" { "a" : [1, {"b": 2}] , "c":"d" , "a": -1.50 } "#;
    let found = members(text).unwrap_or_default();
    let found: Vec<_> = found.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    assert_eq!(found, [("a", r#"[1, {"b": 2}]"#), ("c", r#""d""#), ("a", "-1.50")]);
    // The values are not parsed, so neither their depth nor the size of their numbers matters.
    for value in
        ["[".repeat(100_000) + &"]".repeat(100_000), "1e999".to_owned(), r#"{"b":[{},{"c":[1]}]}"#.to_owned()]
    {
        let text = format!(r#"{{"a":{value}}}"#);
        assert_eq!(members(text.as_bytes()), Some(vec![("a".to_owned(), value.as_str())]));
    }
    for value in ["[1}", "{]", "[1,]", "{1}", "[[", "-", "[\"]"] {
        assert_eq!(members(format!(r#"{{"a":{value}}}"#).as_bytes()), None, "{value}");
    }
}

#[test]
fn the_last_of_a_name_counts_and_order_does_not() {
    let value = |text: &str| Value::parse(text.as_bytes()).unwrap_or_default();
    assert_eq!(value(r#"{"a":1,"b":2,"a":3}"#)["a"], 3);
    assert_eq!(value(r#"{"a":1,"b":[2]}"#), value(r#"{"b":[2],"a":1}"#));
    assert_ne!(value(r#"{"a":1,"b":2}"#), value(r#"{"a":2,"b":1}"#));
    assert_ne!(value("1"), value("1.0"));
    assert_eq!(value("1.50"), value("15e-1"));
}

#[test]
fn integers_beyond_2_to_the_53_are_told_by_their_digits() {
    let digits = |text: &str| Value::parse(text.as_bytes()).unwrap_or_default().as_number()?.large_integer();
    for large in [
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890",
    ] {
        assert_eq!(digits(large).as_deref(), Some(large));
    }
    for other in [
        "0",
        "-0",
        "9007199254740992",
        "-9007199254740992",
        "9007199254740993.0",
        "1e18",
        "-1E30",
        "\"9007199254740993\"",
    ] {
        assert_eq!(digits(other), None, "{other}");
    }
}
