//! The options of a read that set the form of its result.

use js_sys::{Array, TypeError};
use wasm_bindgen::{JsCast, JsValue};

use super::numbers::conversion;
use super::texture::Texture;
use crate::error::{Error, Gather, Result};
use crate::js::JsResult;
use crate::js::convert::option::{flag, given};
use crate::js::convert::typed_array::{has_64_bits, numbers};
use crate::js::convert::value::{field, shown};
use crate::metadata::{ArrayMetadata, BoundsOf, Kind};
use crate::output::{Cast, Numeric, OutputField};
use crate::parts::Loaded;
use crate::read::{Conversion, Mask, Plan, Scaling, Target};

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
