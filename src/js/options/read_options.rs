//! The options of `get` and other reads, parsed once and checked: order and abort, the form of the result (fields,
//! textures), and the conversion of its items to numbers (`as`, `decode`, `mask`, `scale`).

use js_sys::{Array, Function, TypeError};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use crate::error::{Error, Gather, Result};
use crate::js::JsResult;
use crate::js::convert::items::{has_64_bits, has_halves, numbers};
use crate::js::convert::value::{amount, field, flag, function, given, shown, signal, text};
use crate::metadata::{ArrayMetadata, BoundsOf, DataType, Kind};
use crate::output::{Cast, Numeric, OutputField, Scalar};
use crate::parts::Loaded;
use crate::read::{Conversion, Mask, Plan, Scaling, Target};

/// Order in which chunks are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Grid,
    Center,
}

/// Options of `get`.
pub(crate) struct GetOptions {
    pub(crate) signal: Option<AbortSignal>,
    pub(crate) on_progress: Option<Function>,
    pub(crate) order: Order,
    pub(crate) form: OutputOptions,
}

impl GetOptions {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        let order = match text(options, "order")?.as_deref() {
            None | Some("grid") => Order::Grid,
            Some("center") => Order::Center,
            Some(_) => return Err(TypeError::new("the option order must be \"grid\" or \"center\"").into()),
        };
        Ok(Self {
            signal: signal(options)?,
            on_progress: function(options, "onProgress")?,
            order,
            form: OutputOptions::parse(options)?,
        })
    }

    /// Parses the options of a read of times.
    pub(crate) fn of_times(options: &JsValue, bounds_of: BoundsOf) -> JsResult<Self> {
        Ok(Self { form: OutputOptions::of_times(bounds_of), ..Self::parse(options)? })
    }
}

/// Form of a read's result.
#[derive(Default)]
pub(crate) struct OutputOptions {
    /// Whether 64-bit integers and times become numbers.
    int64_as_number: bool,
    pub(crate) fields: Fields,
    conversion: Option<Conversion>,
    pub(crate) texture: Option<Texture>,
    /// Whether the least and the greatest item are computed.
    pub(crate) minmax: bool,
    /// Set where items are decoded as times: attributes for a bounds array that lacks them.
    pub(crate) times: Option<BoundsOf>,
    /// The caller's array for the result, or an object of arrays by field.
    out: JsValue,
}

/// Fields that are read of each item.
#[derive(Default)]
pub(crate) enum Fields {
    #[default]
    All,
    /// One field of a struct, as the region's data.
    One(String),
    /// Several fields, as data by field.
    Several(Vec<String>),
}

impl OutputOptions {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        let int64 = given(options, "int64").unwrap_or("bigint".into());
        let int64_as_number = int64 == "number";
        if !int64_as_number && int64 != "bigint" {
            let message = format!("the option int64 must be \"bigint\" or \"number\", not {}", shown(&int64));
            return Err(TypeError::new(&message).into());
        }
        let texture = Texture::parse(options)?;
        Ok(Self {
            int64_as_number,
            fields: Fields::parse(options)?,
            conversion: conversion(options, texture.as_ref())?,
            texture,
            minmax: flag(options, "minmax")?.unwrap_or_default(),
            times: None,
            out: given(options, "out").unwrap_or_default(),
        })
    }

    /// The form of a read of times: numbers that `class::times` decodes.
    pub(crate) fn of_times(bounds_of: BoundsOf) -> Self {
        let (mask, scaling) = (Some(Mask::Cf), Some(Scaling::Attributes));
        let conversion = Some(Conversion { target: Target::Times, mask, scaling, levels: None });
        Self { conversion, times: Some(bounds_of), out: JsValue::UNDEFINED, ..Self::default() }
    }

    /// Adds fields, conversions and row alignment to a plan.
    pub(crate) fn shaped<'a>(&self, plan: Plan<'a>) -> Result<Plan<'a>> {
        let plan = match self.fields.paths() {
            Some(paths) => plan.with_fields(paths)?,
            None => plan,
        };
        let plan = plan.with_casts(|metadata, column| self.cast(metadata, column))?;
        Ok(match &self.texture {
            Some(texture) => plan.with_aligned_rows(texture.row_alignment),
            None => plan,
        })
    }

    /// The caller's array for a column; undefined where none is given.
    pub(crate) fn out(&self, nth: usize) -> JsValue {
        match &self.fields {
            Fields::Several(paths) => field(&self.out, &paths[nth]),
            Fields::All | Fields::One(_) => self.out.clone(),
        }
    }

    /// Checks that the option `out` is not set, for streams.
    pub(crate) fn refuse_out(&self) -> JsResult<()> {
        if self.out.is_undefined() {
            return Ok(());
        }
        let message = "stream has no option out, because each part has its own array; use get with out";
        Err(TypeError::new(message).into())
    }

    fn cast(&self, metadata: &ArrayMetadata, column: &OutputField) -> Result<Option<Cast>> {
        let data_type = &column.data_type;
        let converted = match &self.conversion {
            Some(conversion) => conversion.cast(metadata, column)?,
            None => None,
        };
        let cast = match converted {
            Some(cast) if self.int64_as_number && is_wide(cast.target()) => {
                Some(cast.becoming(Numeric::Float(64)).exactly())
            }
            Some(cast) => Some(cast),
            None if self.int64_as_number && has_64_bits(data_type) => {
                Cast::new(Loaded::get()?, data_type, Numeric::Float(64)).map(Cast::exactly)
            }
            None => numbers(data_type)?.and_then(|(_, cast)| cast),
        };
        if !self.minmax {
            return Ok(cast);
        }
        let part = Loaded::get()?;
        let as_it_is =
            || Cast::new(part, data_type, data_type.numeric().filter(|_| !has_64_bits(data_type))?);
        let has_more = matches!(data_type.kind(), Kind::Complex(_) | Kind::Subarray { .. });
        let cast = cast.or_else(as_it_is).filter(|_| !has_more).ok_or_else(|| Error::Unsupported {
            feature: format!("minmax of {}", data_type.name()),
            reason: "minmax needs real numbers; for 64-bit integers and times, add as: \"float64\""
                .to_owned(),
        })?;
        Ok(Some(cast.seeing_range()))
    }
}

/// Whether a number type is a 64-bit integer.
fn is_wide(number: Numeric) -> bool {
    matches!(number, Numeric::Int(64) | Numeric::UInt(64))
}

impl Fields {
    fn parse(options: &JsValue) -> JsResult<Self> {
        let Some(value) = given(options, "fields") else { return Ok(Self::All) };
        if let Some(path) = value.as_string() {
            return Ok(Self::One(path));
        }
        let paths: Option<Vec<String>> =
            value.dyn_ref::<Array>().and_then(|paths| paths.iter().map(|path| path.as_string()).gathered());
        paths.map(Self::Several).ok_or_else(|| {
            let message =
                format!("the option fields must be a name or a list of names, not {}", shown(&value));
            TypeError::new(&message).into()
        })
    }

    /// Paths of the fields to read; `None` for all.
    fn paths(&self) -> Option<&[String]> {
        match self {
            Self::All => None,
            Self::One(path) => Some(std::slice::from_ref(path)),
            Self::Several(paths) => Some(paths),
        }
    }
}

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

/// Default of `rowAlignment`: rows begin at multiples of 4 bytes, as in WebGL.
const ROW_ALIGNMENT: u64 = 4;

/// The largest row alignment in bytes.
const MOST_ALIGNMENT: u64 = 4096;

/// Format of a texture.
pub(crate) struct Texture {
    pub(crate) target: Numeric,
    /// Least and greatest number of the range that `r8unorm` divides into levels; `None` for float formats.
    pub(crate) levels: Option<(f64, f64)>,
    pub(crate) row_alignment: usize,
}

impl Texture {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Option<Self>> {
        let Some(option) = given(options, "texture") else { return Ok(None) };
        let format = field(&option, "format");
        let target = match format.as_string().as_deref() {
            Some("r32float") => Numeric::Float(32),
            Some("r16float") => Numeric::Float(16),
            Some("r8unorm") => Numeric::UInt(8),
            _ => {
                let expected = "\"r32float\", \"r16float\" or \"r8unorm\"";
                return Err(wrong(&format!("texture.format must be {expected}, not {}", shown(&format))));
            }
        };
        let asked = amount(&option, "rowAlignment", 1)?.unwrap_or(ROW_ALIGNMENT);
        if !asked.is_power_of_two() || asked > MOST_ALIGNMENT {
            return Err(wrong(&format!(
                "texture.rowAlignment must be a power of two up to {MOST_ALIGNMENT}, not {asked}"
            )));
        }
        let row_alignment = usize::try_from(asked).unwrap_or(usize::MAX).max(target.size());
        let levels = levels(&field(&option, "range"))?;
        if levels.is_some() == target.is_float() {
            return Err(wrong(
                "texture.range, [least, greatest], is required for the format \"r8unorm\" and not allowed for others",
            ));
        }
        Ok(Some(Self { target, levels, row_alignment }))
    }

    /// Bytes from the start of one row of `width` items to the next.
    pub(crate) fn bytes_per_row(&self, width: u64) -> u64 {
        (width * self.target.size() as u64).next_multiple_of(self.row_alignment as u64)
    }
}

/// Parses a range: two numbers, the lower one first.
fn levels(range: &JsValue) -> JsResult<Option<(f64, f64)>> {
    if range.is_undefined() || range.is_null() {
        return Ok(None);
    }
    let numbers =
        range.dyn_ref::<Array>().map(|range| range.iter().map(|number| number.as_f64()).collect::<Vec<_>>());
    match numbers.as_deref() {
        Some([Some(least), Some(greatest)]) if least < greatest && (greatest - least).is_finite() => {
            Ok(Some((*least, *greatest)))
        }
        _ => Err(wrong(&format!(
            "texture.range must be two numbers, the lower one first, not {}",
            shown(range)
        ))),
    }
}

fn wrong(message: &str) -> JsValue {
    TypeError::new(message).into()
}
