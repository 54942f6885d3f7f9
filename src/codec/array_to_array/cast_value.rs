//! `cast_value`: items converted to the nearest numbers of another data type, or mapped by a table.
//!
//! A fill value that changes when it is encoded and decoded is accepted, as in zarr-python, although the specification
//! requires an error. Missing chunks are filled with the exact fill value all the same.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/cast_value>
//!
//! ```json
//! { "name": "cast_value", "configuration": { "data_type": "uint8", "rounding": "towards-zero",
//!   "out_of_range": "clamp", "scalar_map": { "encode": [["NaN", 0]], "decode": [[0, "NaN"]] } } }
//! ```

use super::items::real::Real;
use super::items::rounding::Rounding;
use super::items::{BLOCK, blocks};
use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::{Error, Gather, Result};
use crate::metadata::{DataType, Extension, Json, Value, float_text, parse_fill_value};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = CastValue::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CastValue {
    decoded: Real,
    encoded: Real,
    rules: Rules,
    /// Mapping of encoded items to decoded items, which overrides the rules.
    map: Vec<(MappedNumber, MappedNumber)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rules {
    rounding: Rounding,
    out_of_range: Option<OutOfRange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutOfRange {
    Clamp,
    Wrap,
}

/// A number of either data type.
#[derive(Debug, Clone, Copy, PartialEq)]
enum MappedNumber {
    Integer(i128),
    Float(f64),
}

impl ArrayToArrayCodec for CastValue {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["data_type", "rounding", "out_of_range", "scalar_map"])?;
        let field = settings.required("data_type")?;
        let data_type = DataType::parse(field)?;
        let (decoded, encoded) = (Real::of(&input.data_type, extension)?, Real::of(&data_type, extension)?);
        let rounding = match settings.field("rounding") {
            None => Rounding::NearestEven,
            Some(field) => {
                let found = Rounding::NAMES.iter().find(|(name, _)| field.value() == name);
                found.map(|(_, rounding)| *rounding).ok_or_else(|| {
                    field.expected(&format!("one of {}", Rounding::NAMES.map(|(name, _)| name).join(", ")))
                })?
            }
        };
        let out_of_range = match settings.field("out_of_range") {
            None => None,
            Some(field) => match field.value().as_str() {
                Some("clamp") => Some(OutOfRange::Clamp),
                Some("wrap") if encoded.integer().is_some() => Some(OutOfRange::Wrap),
                _ => {
                    return Err(field.expected("\"clamp\", or for integer data types \"wrap\""));
                }
            },
        };
        let rules = Rules { rounding, out_of_range };
        let (to, from) = (&input.data_type, &data_type);
        let mut maps = [Vec::new(), Vec::new()];
        if let Some(map) = settings.field("scalar_map").filter(|map| !map.value().is_null()) {
            map.only_fields(&["encode", "decode"])?;
            let (to, from) = ((to, decoded), (from, encoded));
            let sides = [("encode", to, from), ("decode", from, to)];
            for (found, (name, from, to)) in maps.iter_mut().zip(sides) {
                if let Some(pairs) = map.field(name) {
                    *found = pairs.items()?.map(|pair| scalars(pair, from, to)).gathered()?;
                }
            }
        }
        let [encode, map] = maps;
        let fill_value = rules.cast(&input.fill_value, decoded, encoded, &encode).map_err(|_| {
            settings.invalid(format!("the fill value cannot be cast to {}", data_type.name()))
        })?;
        Ok((Self { decoded, encoded, rules, map }, CodecInput { data_type, fill_value, rank: input.rank }))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let items = self.rules.cast(&encoded.bytes, self.encoded, self.decoded, &self.map)?;
        Ok(encoded.with_items(items.into(), self.encoded.size(), self.decoded.size()))
    }
}

impl Rules {
    /// Converts items of one number type to another.
    fn cast(
        self,
        items: &[u8],
        from: Real,
        to: Real,
        map: &[(MappedNumber, MappedNumber)],
    ) -> Result<Vec<u8>> {
        let mapped =
            |scalar: MappedNumber| map.iter().find(|(key, _)| key.is(scalar)).map(|(_, value)| *value);
        let (mut integers, mut floats) = ([0; BLOCK], [0.0; BLOCK]);
        let (mut new_integers, mut new_floats) = ([0; BLOCK], [0.0; BLOCK]);
        blocks(items, from.size(), to.size(), |source, target| {
            let count = source.len() / from.size();
            match from.integer() {
                Some(number) => number.integers(source, &mut integers[..count]),
                None => from.floats(source, &mut floats[..count]),
            }
            for at in 0..count {
                let scalar = match from.integer() {
                    Some(number) => MappedNumber::Integer(number.value(integers[at])),
                    None => MappedNumber::Float(floats[at]),
                };
                let fails =
                    || Error::codec(NAME, format!("{scalar}"), "numbers that the decoded data type can hold");
                match mapped(scalar).map_or_else(|| self.scalar(scalar, to), Some).ok_or_else(fails)? {
                    MappedNumber::Integer(integer) => new_integers[at] = low_bits(integer),
                    MappedNumber::Float(float) => new_floats[at] = float,
                }
            }
            match to.integer() {
                Some(number) => number.put_integers(&new_integers[..count], number, target),
                None => to.put_floats(&new_floats[..count], target),
            }
            Ok(())
        })
    }

    /// Converts one number to another type; `None` where the rules do not allow it.
    fn scalar(self, scalar: MappedNumber, to: Real) -> Option<MappedNumber> {
        if let Some(number) = to.integer() {
            return self.integer(scalar, number).map(MappedNumber::Integer);
        }
        let precision = to.precision();
        let (float, is_finite) = match scalar {
            MappedNumber::Integer(integer) => (self.rounding.integer(integer, precision), true),
            MappedNumber::Float(float) => (self.rounding.float(float, precision), float.is_finite()),
        };
        to.float(float, is_finite, self.out_of_range == Some(OutOfRange::Clamp)).map(MappedNumber::Float)
    }

    #[expect(clippy::cast_possible_truncation, reason = "beyond 2^127 it stays beyond every type")]
    fn integer(self, scalar: MappedNumber, to: Numeric) -> Option<i128> {
        let integer = match scalar {
            MappedNumber::Integer(integer) => integer,
            MappedNumber::Float(float) if !float.is_finite() => return None,
            MappedNumber::Float(float) => {
                let whole = self.rounding.whole(float);
                // A float of that size is a multiple of 2^64.
                let is_beyond = whole.abs() >= 2f64.powi(120) && self.out_of_range == Some(OutOfRange::Wrap);
                if is_beyond { 0 } else { whole as i128 }
            }
        };
        let range = to.range();
        match self.out_of_range {
            _ if range.contains(&integer) => Some(integer),
            Some(OutOfRange::Clamp) => Some(integer.clamp(*range.start(), *range.end())),
            Some(OutOfRange::Wrap) => Some(integer),
            None => None,
        }
    }
}

impl MappedNumber {
    /// Whether both are the same number, or both are NaN.
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Float(one), Self::Float(two)) => one == two || one.is_nan() && two.is_nan(),
            _ => self == other,
        }
    }
}

impl std::fmt::Display for MappedNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Float(float) => f.write_str(&float_text(*float)),
        }
    }
}

/// A pair of numbers, one of each type.
fn scalars(
    pair: Json<'_>,
    from: (&DataType, Real),
    to: (&DataType, Real),
) -> Result<(MappedNumber, MappedNumber)> {
    let mut items = pair.items()?;
    match (items.next(), items.next(), items.next()) {
        (Some(key), Some(value), None) => Ok((scalar(key, from)?, scalar(value, to)?)),
        _ => Err(pair.expected("a pair of numbers")),
    }
}

fn scalar(json: Json<'_>, (data_type, number): (&DataType, Real)) -> Result<MappedNumber> {
    // The specification's example writes "+Infinity", which is not a valid fill value.
    let infinity = Value::from("Infinity");
    let pointer = json.pointer();
    let json = if json.value() == "+Infinity" { Json::at(&infinity, &pointer) } else { json };
    let item = parse_fill_value(json, data_type)?;
    if let Some(number) = number.integer() {
        return Ok(MappedNumber::Integer(number.integer(&item)));
    }
    Ok(MappedNumber::Float(number.value(&item)))
}

/// The low 64 bits, which are all that wrapping an integer needs.
#[expect(clippy::cast_possible_truncation, reason = "as integers wrap")]
fn low_bits(integer: i128) -> i64 {
    integer as i64
}
