//! The two data types in the configuration of most numcodecs filters: that of decoded items and that of encoded items.
//!
//! The byte order in a type's spelling is the one in which numcodecs reads memory. The module `byte_orders` finds where
//! the next codec leaves memory in another order.

pub(crate) mod item;
mod time;

use self::item::NumpyItem;
use crate::codec::kinds::CodecInput;
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension, Json, Kind, numpy_item, numpy_number};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

/// Types of items, decoded and encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumpyTypes {
    pub(crate) decoded: NumpyItem,
    pub(crate) encoded: NumpyItem,
}

impl NumpyTypes {
    /// Parses two optional fields; also returns the input of the next codec.
    ///
    /// The decoded type defaults to the type of the codec's input, the encoded type to the decoded one.
    pub(crate) fn parse(
        extension: &Extension,
        input: &CodecInput,
        decoded: Option<Json<'_>>,
        encoded: Option<Json<'_>>,
    ) -> Result<(Self, CodecInput)> {
        let decoded = match decoded {
            None => match NumpyItem::of(&input.data_type) {
                Some(item) => item,
                None => input.number(extension).map(NumpyItem::plain)?,
            },
            Some(field) => {
                let (_, item) = item(field)?;
                check_view(input, item, field)?;
                item
            }
        };
        let (data_type, encoded) = match encoded {
            None => (input.data_type.clone(), decoded),
            Some(field) => item(field)?,
        };
        let settings = extension.settings();
        if !encoded.becomes(decoded) || !decoded.becomes(encoded) {
            let reason = format!(
                "{} cannot decode dates of no unit: numpy does not convert them to dates of a unit",
                extension.name
            );
            return Err(settings.invalid(reason));
        }
        let fill_value = decoded.cast(input.fill_value.as_slice().into(), encoded, "numcodecs");
        let fill_value = fill_value.map_err(|_| {
            settings.invalid(format!("the fill value cannot be cast to {}", data_type.name()))
        })?;
        let next = CodecInput { data_type, fill_value: fill_value.into_owned(), rank: input.rank };
        Ok((Self { decoded, encoded }, next))
    }

    /// Converts items of the encoded type to the decoded type; `codec` is named in errors.
    pub(crate) fn cast<'a>(self, chunk: Decoded<'a>, codec: &'static str) -> Result<Decoded<'a>> {
        let Decoded { bytes, strides, heap, .. } = chunk;
        let bytes = self.encoded.cast(bytes, self.decoded, codec)?;
        let none = Decoded { bytes: (&[]).into(), strides, heap, reversed: None };
        Ok(none.with_items(bytes, self.encoded.size(), self.decoded.size()))
    }

    pub(crate) fn has_bool(self) -> bool {
        self.both(|item| item.number == Numeric::Bool)
    }

    pub(crate) fn has_time(self) -> bool {
        self.both(|item| item.time.is_some())
    }

    pub(crate) fn has_date(self) -> bool {
        self.both(|item| item.time.is_some_and(|time| time.is_date))
    }

    /// Whether one type or the other is such a one.
    fn both(self, is_such: impl Fn(NumpyItem) -> bool) -> bool {
        is_such(self.decoded) || is_such(self.encoded)
    }
}

/// A field that may be missing or null.
pub(crate) fn optional<'a>(settings: &'a Json<'a>, name: &'a str) -> Option<Json<'a>> {
    settings.field(name).filter(|field| !field.value().is_null())
}

/// The error for types that numpy does not calculate with; `reason` says which, and what to do.
pub(crate) fn refused(extension: &Extension, types: &str, reason: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {:?} of {types}", extension.name),
        reason: format!("met at {}; {reason}", extension.pointer),
    }
}

/// Parses a field that holds numpy's spelling of a type of numbers or times.
fn item(field: Json<'_>) -> Result<(DataType, NumpyItem)> {
    let found = numpy_item(field.string()?);
    let item = found.and_then(|data_type| NumpyItem::of(&data_type).map(|item| (data_type, item)));
    item.ok_or_else(|| {
        field.expected("a numpy type of numbers or times, such as \"<i4\", \"complex64\" or \"<m8[s]\"")
    })
}

/// Checks that items can be viewed as a type: their own, or integers or times of their size.
fn check_view(input: &CodecInput, item: NumpyItem, field: Json<'_>) -> Result<()> {
    let is_own = NumpyItem::of(&input.data_type) == Some(item);
    let is_time = item.time.is_some() && input.data_type.item_size() == item.size();
    let is_whole = matches!(input.data_type.kind(), Kind::Int | Kind::UInt | Kind::Time { .. });
    if is_own || is_time && is_whole {
        return Ok(());
    }
    // Complex numbers have the number type of their parts, but not their size.
    let number = if item.parts == 1 { item.number } else { Numeric::Bool };
    input.check_view(number, field)
}

/// Parses a field that holds numpy's spelling of a number type.
pub(crate) fn number(field: Json<'_>) -> Result<(DataType, Numeric)> {
    let found = numpy_number(field.string()?);
    let number = found.and_then(|data_type| data_type.numeric().map(|number| (data_type, number)));
    number.ok_or_else(|| field.expected("a numpy type of numbers, such as \"<i4\" or \"float32\""))
}
