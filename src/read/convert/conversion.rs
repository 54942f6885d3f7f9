//! Conversion of a read's items: numeric casts, missing values as NaN, and unpacking.
//!
//! Invariant: items decoded by the CF conventions have the values and the type that xarray gives them:
//! <https://docs.xarray.dev/en/stable/generated/xarray.decode_cf.html>.

use super::attributes::{CfAttributes, Packing};
use crate::error::{Error, Result};
use crate::metadata::{ArrayMetadata, DataType, Kind};
use crate::output::{Cast, Numeric, OutputField, Scalar};
use crate::parts::{Calls, Loaded, later};

/// Conversion of items, from a read's options.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// Type of the converted items.
    pub target: Target,
    /// Items that become NaN; `None` for no items.
    pub mask: Option<Mask>,
    /// Unpacking of items; `None` where they stay as they are.
    pub scaling: Option<Scaling>,
    /// Numbers that map to the levels 0 and 255; `None` where the numbers themselves are wanted.
    pub levels: Option<(f64, f64)>,
}

/// Type that items are converted to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// This type.
    Number(Numeric),
    /// This type; stored integers are signed or unsigned as the attribute `_Unsigned` says.
    Decoded(Numeric),
    /// The type that masked and unpacked items need; items that are neither stay as they are.
    Needed {
        /// Whether float16 is kept, or becomes float32.
        halves: bool,
    },
    /// Floats of 64 bits; 64-bit integers that are not packed, and datetime64, stay as they are.
    Times,
}

/// Smallest 64-bit integer, which means NaT whatever the attributes say.
pub const NOT_A_TIME: i64 = i64::MIN;

/// Definition of missing items.
#[derive(Debug, Clone, PartialEq)]
pub enum Mask {
    /// The fill value unless it is null, and the values of the attributes `_FillValue` and `missing_value`.
    Fill,
    /// The values of the attributes `_FillValue` and `missing_value`.
    Attributes,
    /// As [`Mask::Attributes`], and the fill value of Zarr v2 unless it is null.
    Cf,
    /// These values.
    Values(Vec<Scalar>),
}

/// Unpacking of items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scaling {
    /// By the attributes `scale_factor` and `add_offset`.
    Attributes,
    /// By this factor, then this offset.
    By(f64, f64),
}

impl Conversion {
    /// Cast of a column of an array with these metadata; `None` where its items stay as they are.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where items are not numeric; [`Error::InvalidMetadata`] where an attribute is no number.
    pub fn cast(&self, metadata: &ArrayMetadata, column: &OutputField) -> Result<Option<Cast>> {
        cast(Loaded::get()?, self, metadata, column)
    }

    /// Numbers that are missing; NaN alone means that no other number is.
    fn missing(
        &self,
        cast: &Cast,
        attributes: CfAttributes<'_>,
        fill_value: &[u8],
        is_packed: bool,
    ) -> Result<Vec<Scalar>> {
        let metadata = attributes.0;
        let fills = match &self.mask {
            None => return Ok(Vec::new()),
            Some(Mask::Values(values)) => return Ok(values.clone()),
            Some(Mask::Attributes) => false,
            Some(Mask::Fill) => true,
            Some(Mask::Cf) => metadata.zarr_format == 2,
        };
        let fills =
            fills && !metadata.fill_is_null && !fill_value.is_empty() && (is_packed || !cast.is_of_bools());
        // xarray prefers the fill value to `_FillValue`.
        let mut missing = if fills && self.mask == Some(Mask::Cf) {
            Vec::new()
        } else {
            attributes.numbers("_FillValue")?
        };
        missing.extend(fills.then(|| cast.number(fill_value)));
        missing.extend(attributes.numbers("missing_value")?);
        Ok(missing)
    }
}

/// The cast of a conversion.
#[later]
fn cast(
    part: Loaded<Calls>,
    conversion: &Conversion,
    metadata: &ArrayMetadata,
    column: &OutputField,
) -> Result<Option<Cast>> {
    let (data_type, attributes) = (&column.data_type, CfAttributes(metadata));
    let packing = match conversion.scaling {
        None => None,
        Some(Scaling::By(by, plus)) => Some(Packing { by, plus, is_whole: false, is_single: false }),
        Some(Scaling::Attributes) => attributes.packing()?,
    };
    let wanted = match conversion.target {
        Target::Number(number) | Target::Decoded(number) => number,
        Target::Needed { .. } if !is_decoded(data_type, packing.is_some()) => return Ok(None),
        Target::Needed { .. } | Target::Times => Numeric::Float(64),
    };
    let cast = match data_type.kind() {
        Kind::Complex(_) | Kind::Subarray { .. } => None,
        _ => Cast::new(part, data_type, wanted),
    };
    let mut cast = cast.ok_or_else(|| Error::Unsupported {
        feature: format!("{} as {wanted}", data_type.name()),
        reason: "only real numbers and times of fields without a shape can be converted to another type"
            .to_owned(),
    })?;
    let reinterpreted = match (conversion.target, data_type.kind()) {
        (Target::Number(_), _) => None,
        (_, Kind::Int) => attributes.unsigned()?.filter(|unsigned| *unsigned),
        (_, Kind::UInt) => attributes.unsigned()?.filter(|unsigned| !unsigned),
        _ => None,
    };
    if let Some(unsigned) = reinterpreted {
        cast = cast.reinterpreted(unsigned);
    }
    let is_cf = matches!(conversion.target, Target::Needed { .. } | Target::Decoded(_));
    let missing = conversion.missing(&cast, attributes, &column.fill_value, is_cf && packing.is_some())?;
    let masks = missing.iter().any(|missing| !missing.as_f64().is_nan());
    let cast = missing.iter().fold(cast, |cast, missing| cast.without(*missing));
    let cast = conversion.levels.into_iter().fold(cast, |cast, (least, most)| cast.levelled(least, most));
    let is_float = matches!(data_type.kind(), Kind::Float | Kind::MiniFloat(_));
    let precision = match packing {
        // xarray does not widen floats whose only missing value is NaN.
        Some(_) if is_cf && !masks && is_float && !missing.is_empty() => promoted(data_type, true),
        Some(Packing { is_single: true, .. }) if is_cf => Numeric::Float(32),
        // Integers have no NaN.
        Some(Packing { is_whole: true, .. }) if is_cf && !masks => Numeric::Int(64),
        _ => Numeric::Float(64),
    };
    let cast =
        packing.into_iter().fold(cast, |cast, Packing { by, plus, .. }| cast.scaled(by, plus, precision));
    let is_truth = is_cf && attributes.are_truths();
    let cast = if is_truth { cast.as_truth() } else { cast };
    let is_wide = matches!(data_type.kind(), Kind::Int | Kind::Time { .. }) && data_type.item_size() == 8;
    Ok(match (conversion.target, packing) {
        (Target::Times, None) if is_wide => None,
        (Target::Needed { .. }, _) if is_truth => Some(cast.becoming(Numeric::Bool)),
        (Target::Needed { halves: false }, Some(_)) if precision == Numeric::Float(16) => {
            Some(cast.becoming(Numeric::Float(32)))
        }
        (Target::Needed { .. }, Some(_)) => Some(cast.becoming(precision)),
        (Target::Needed { halves }, None) if masks => Some(cast.becoming(promoted(data_type, halves))),
        (Target::Needed { .. }, None) => reinterpreted.and_then(|_| cast.as_it_is()),
        _ => Some(cast),
    })
}

/// Missing values of an array of 64-bit integers; empty for other types.
///
/// # Errors
/// [`Error::InvalidMetadata`] where an attribute is not a number.
pub fn missing_integers(metadata: &ArrayMetadata) -> Result<Vec<i64>> {
    let conversion = Conversion { target: Target::Times, mask: Some(Mask::Cf), scaling: None, levels: None };
    let Some(cast) = Cast::new(Loaded::get()?, &metadata.data_type, Numeric::Float(64)) else {
        return Ok(Vec::new());
    };
    let missing = conversion.missing(&cast, CfAttributes(metadata), &metadata.fill_value, false)?;
    Ok(missing.into_iter().fold(cast, Cast::without).missing_integers().to_vec())
}

/// Whether the CF conventions apply to a data type; to booleans only where they are packed.
fn is_decoded(data_type: &DataType, is_packed: bool) -> bool {
    match data_type.kind() {
        Kind::Int | Kind::UInt | Kind::SmallInt { .. } | Kind::Float | Kind::MiniFloat(_) => true,
        kind => *kind == Kind::Bool && is_packed,
    }
}

/// Smallest type that holds the items and NaN: floats keep their type, integers of up to 16 bits become float32.
fn promoted(data_type: &DataType, halves: bool) -> Numeric {
    match (data_type.kind(), data_type.item_size()) {
        (Kind::Float, 2) if halves => Numeric::Float(16),
        (Kind::Float, 4) | (_, 1 | 2) => Numeric::Float(32),
        _ => Numeric::Float(64),
    }
}
