//! Tests of floats as text against the standard library and serde_json.

use fastrand::Rng;

use super::{nearest, shortest};
use crate::metadata::JsonNumber;

#[test]
fn decimal_text_is_read_as_the_nearest_float() {
    let mut random = Rng::with_seed(4);
    let check = |text: &str| {
        let expected: f64 = text.parse().unwrap_or(f64::NAN);
        assert_eq!(nearest(text).to_bits(), expected.to_bits(), "{text}");
    };
    for text in [
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "9007199254740993",
        "9007199254740992.99999",
        "0.1",
        "0e5",
        "-0.0",
        "1e-400",
        "1e400",
        "9007199254740993.00000000000000000000000000000001",
        "1e23",
        "8.5e-1",
        "6.02214076e23",
    ] {
        check(text);
    }
    // Halfway between floats, with and without a digit after those that are read.
    for more in ["", "0", "1"] {
        check(&format!("1.{}5{more}", "0".repeat(800)));
        check(&format!("9007199254740993.{}{more}", "0".repeat(900)));
        check(&format!("{}{more}e-900", "7".repeat(900)));
    }
    for _ in 0..3000 {
        let float = f64::from_bits(random.u64(..));
        if float.is_finite() {
            check(&format!("{float:e}"));
            check(&format!("{float:.*e}", random.usize(..20)));
        }
        let digits: String = (0..random.usize(1..25)).map(|_| random.digit(10)).collect();
        check(&format!("{digits}e{}", random.i32(-345..320)));
    }
}

#[test]
fn floats_are_written_with_the_fewest_digits() {
    let mut random = Rng::with_seed(5);
    let check = |float: f64| {
        let text = shortest(float);
        assert_eq!(
            Some(text.as_str()),
            serde_json::Number::from_f64(float).map(|number| number.to_string()).as_deref()
        );
        assert_eq!(text.parse(), Ok(float));
    };
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        0.3,
        1e15,
        1e16,
        123e14,
        1e17,
        1e-5,
        1e-6,
        9.5e-6,
        1e300,
        5e-324,
        f64::MAX,
        f64::MIN_POSITIVE,
        9.999_999_999_999_99e22,
        1e23,
    ];
    edges.into_iter().for_each(check);
    for _ in 0..300 {
        let float = f64::from_bits(random.u64(..));
        if float.is_finite() {
            check(float);
        }
        check(f64::from(random.f32()));
        check(random.f64() * 1e6);
        check(f64::from(random.i32(..)) / 100.0);
    }
    assert!(JsonNumber::from_f64(f64::NAN).is_none());
}
