//! The options of a read that convert its items to numbers: `as`, `decode`, `mask` and `scale`.

use js_sys::{Array, TypeError};
use wasm_bindgen::{JsCast, JsValue};

use super::texture::Texture;
use crate::error::{Error, Gather};
use crate::js::JsResult;
use crate::js::convert::option::given;
use crate::js::convert::typed_array::has_halves;
use crate::js::convert::value::{field, shown};
use crate::metadata::DataType;
use crate::output::{Numeric, Scalar};
use crate::read::{Conversion, Mask, Scaling, Target};

/// Names of the number types that items can be converted to.
const TYPES: [&str; 9] =
    ["float32", "float64", "float16", "int8", "int16", "int32", "uint8", "uint16", "uint32"];

/// Parses the conversion of items; `None` where the options ask for no conversion.
pub(crate) fn conversion(options: &JsValue, texture: Option<&Texture>) -> JsResult<Option<Conversion>> {
    let [wanted, mask, scale] = ["as", "mask", "scale"].map(|name| match field(options, name) {
        value if value.is_null() => JsValue::UNDEFINED,
        value => value,
    });
    let is_decoded = decodes(options)?;
    let typed = |number| if is_decoded { Target::Decoded(number) } else { Target::Number(number) };
    let by_default = Mask::Cf;
    if let Some(Texture { target, levels, .. }) = texture {
        if !wanted.is_undefined() {
            return Err(wrong("the option texture sets the number type; leave out the option as"));
        }
        let (mask, scaling) = (masking(&mask, Some(by_default))?, scaling(&scale, true)?);
        return Ok(Some(Conversion { target: typed(*target), mask, scaling, levels: *levels }));
    }
    if wanted.is_undefined() {
        if is_decoded {
            let (mask, scaling) = (masking(&mask, Some(by_default))?, scaling(&scale, true)?);
            let target = Target::Needed { halves: has_halves() };
            return Ok(Some(Conversion { target, mask, scaling, levels: None }));
        }
        return match [("mask", mask), ("scale", scale)].iter().find(|(_, value)| !value.is_undefined()) {
            Some((name, _)) => {
                Err(wrong(&format!("the option {name} needs a number type; add as: \"float32\"")))
            }
            None => Ok(None),
        };
    }
    let name = wanted.as_string().unwrap_or_default();
    let target = TYPES.contains(&name.as_str()).then(|| DataType::scalar(&name)?.numeric()).flatten();
    let Some(target) = target else {
        let (expected, found) = (TYPES.join(", "), shown(&wanted));
        return Err(wrong(&format!("the option as must be one of {expected}, not {found}")));
    };
    let is_float = name.starts_with("float");
    if target == Numeric::Float(16) && !has_halves() {
        return Err(Error::Unsupported {
            feature: "as: \"float16\"".to_owned(),
            reason: "this engine has no Float16Array; use \"float32\"".to_owned(),
        }
        .into());
    }
    if !is_float && !mask.is_undefined() && mask != false {
        return Err(wrong(&format!("the option mask needs a float type: {name} has no NaN")));
    }
    let converts = is_float || is_decoded;
    let (mask, scaling) = (masking(&mask, converts.then_some(by_default))?, scaling(&scale, converts)?);
    Ok(Some(Conversion { target: typed(target), mask, scaling, levels: None }))
}

/// Whether items are decoded by the CF conventions, from the option `decode`.
fn decodes(options: &JsValue) -> JsResult<bool> {
    match field(options, "decode") {
        value if value.is_undefined() || value.is_null() || value == false => Ok(false),
        value if value == "cf" => Ok(true),
        value => Err(wrong(&format!("the option decode must be \"cf\" or false, not {}", shown(&value)))),
    }
}

/// Values that mark missing items, from the option `mask`.
fn masking(option: &JsValue, by_default: Option<Mask>) -> JsResult<Option<Mask>> {
    if option.is_undefined() {
        return Ok(by_default);
    }
    if *option == false {
        return Ok(None);
    }
    if *option == "attributes" {
        return Ok(Some(Mask::Attributes));
    }
    if *option == "fill" {
        return Ok(Some(Mask::Fill));
    }
    let values = match option.dyn_ref::<Array>() {
        Some(values) => values.iter().map(|value| scalar(&value)).gathered(),
        None => scalar(option).map(|value| vec![value]),
    };
    let expected = "false, \"attributes\", \"fill\", a number or a list of numbers";
    let values: Vec<Scalar> =
        values.ok_or_else(|| wrong(&format!("the option mask must be {expected}, not {}", shown(option))))?;
    Ok(Some(Mask::Values(values)))
}

fn scalar(value: &JsValue) -> Option<Scalar> {
    if value.is_bigint() {
        // No item equals an integer beyond 128 bits.
        return Some(i128::try_from(value.clone()).map_or(Scalar::Float(f64::NAN), Scalar::Integer));
    }
    value.as_f64().map(Scalar::Float)
}

/// Factor and offset by which items are unpacked, from the option `scale`.
fn scaling(option: &JsValue, by_default: bool) -> JsResult<Option<Scaling>> {
    if option.is_undefined() {
        return Ok(by_default.then_some(Scaling::Attributes));
    }
    if *option == false {
        return Ok(None);
    }
    let part = |name: &str, other: f64| given(option, name).map_or(Some(other), |value| value.as_f64());
    // Adding -0.0 changes no number, not even -0.0.
    match (part("factor", 1.0), part("offset", -0.0)) {
        (Some(factor), Some(offset)) if option.is_object() => Ok(Some(Scaling::By(factor, offset))),
        _ => {
            let expected = "false or { factor, offset }, both numbers";
            Err(wrong(&format!("the option scale must be {expected}, not {}", shown(option))))
        }
    }
}

fn wrong(message: &str) -> JsValue {
    TypeError::new(message).into()
}
