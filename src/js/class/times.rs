//! Times in JavaScript: milliseconds since 1970, and ISO labels.

use js_sys::{Array, BigInt64Array, Float64Array, JsString, Object};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Error, Gather};
use crate::js::JsResult;
use crate::js::convert::value::{field, set};
use crate::metadata::{ArrayMetadata, BoundsOf, Calendar, CfTime, TimeEncoding, float_text};
use crate::parts::{Calls, Loaded, later};
use crate::read::{self, NOT_A_TIME, missing_integers};

/// Checks that an array's items are times, and the same for all arrays of a concatenation.
#[later]
pub(crate) fn check_times(_: Loaded<Calls>, array: &read::Array, bounds_of: &BoundsOf) -> Result<(), Error> {
    array.times(bounds_of).map(drop)
}

#[later]
pub(super) fn span(_: Loaded<Calls>, array: &read::Array, text: &str) -> JsResult<Option<Array>> {
    let times = array.times(&BoundsOf::default())?;
    let span = CfTime::span(text, times.calendar);
    let parts = |(from, to): (CfTime, CfTime)| [from, to].map(CfTime::millis_and_nanos).concat();
    Ok(span.map(|span| parts(span).into_iter().map(JsValue::from).collect()))
}

/// Decodes a region that was read from an array of times.
#[later]
pub(crate) fn decoded(
    _: Loaded<Calls>,
    region: Object,
    metadata: &ArrayMetadata,
    bounds_of: &BoundsOf,
) -> JsResult<Object> {
    let times = TimeEncoding::of(metadata, bounds_of)?;
    let data = field(&region, "data");
    let moments = match data.dyn_ref::<BigInt64Array>() {
        Some(integers) => {
            let missing = missing_integers(metadata)?;
            let is_missing = |integer: &i64| *integer == NOT_A_TIME || missing.contains(integer);
            moments(&integers.to_vec(), is_missing, |integer| times.of_integer(*integer), i64::to_string)
        }
        None => {
            let floats = data.unchecked_into::<Float64Array>().to_vec();
            moments(
                &floats,
                |float| float.is_nan(),
                |float| times.of_float(*float),
                |float| float_text(*float),
            )
        }
    }?;
    let of = times.calendar;
    let millis: Vec<f64> =
        moments.iter().map(|moment| moment.map_or(f64::NAN, |moment| moment.epoch_millis(of))).collect();
    set(&region, "data", &Float64Array::from(millis.as_slice()));
    set(&region, "labels", &labels(&moments, of));
    set(&region, "calendar", &of.name().into());
    Ok(region)
}

/// ISO labels of moments, null for missing ones. They are passed to JavaScript as one text, which takes half the time.
fn labels(moments: &[Option<CfTime>], calendar: Calendar) -> Array {
    let mut text = String::new();
    for moment in moments {
        text.push(',');
        moment.iter().for_each(|moment| text.push_str(&moment.label(calendar)));
    }
    let labels = JsString::from(text).split(",");
    labels.shift();
    for (nth, _) in moments.iter().enumerate().filter(|(_, moment)| moment.is_none()) {
        // Cannot fail: a list in memory has fewer than 2^32 items.
        labels.set(u32::try_from(nth).unwrap_or(u32::MAX), JsValue::NULL);
    }
    labels
}

/// Decodes numbers to moments; `None` for a missing number.
fn moments<N>(
    numbers: &[N],
    is_missing: impl Fn(&N) -> bool,
    moment: impl Fn(&N) -> Option<CfTime>,
    text: impl Fn(&N) -> String,
) -> Result<Vec<Option<CfTime>>, Error> {
    let moments = numbers.iter().enumerate().map(|(nth, number)| {
        if is_missing(number) {
            return Ok(None);
        }
        moment(number).map(Some).ok_or_else(|| beyond(nth, &text(number)))
    });
    moments.gathered()
}

fn beyond(nth: usize, number: &str) -> Error {
    let reason = format!(
        "item {nth} is {number}, a date outside of the supported 273 million years; if it marks a missing value, \
         store it as the attribute _FillValue; read raw numbers with get()"
    );
    Error::Range { reason }
}
