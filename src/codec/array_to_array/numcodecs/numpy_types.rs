//! The two data types in the configuration of most numcodecs filters: that of decoded items and that of encoded items.
//!
//! The byte order in a type's spelling is the one in which numcodecs reads memory. The module `byte_orders` finds where
//! the next codec leaves memory in another order.

use crate::codec::array_spec::Stage;
use crate::codec::array_to_array::items::NumericItems;
use crate::error::Result;
use crate::metadata::{DataType, Extension, Json, numpy_number};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

/// Number types of items, decoded and encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumpyTypes {
    pub(crate) decoded: Numeric,
    pub(crate) encoded: Numeric,
}

impl NumpyTypes {
    /// Parses two optional fields; also returns the stage after the codec.
    ///
    /// The decoded type defaults to the type of the codec's input, the encoded type to the decoded one.
    pub(crate) fn parse(
        extension: &Extension,
        stage: &Stage,
        decoded: Option<Json<'_>>,
        encoded: Option<Json<'_>>,
    ) -> Result<(Self, Stage)> {
        let decoded = match decoded {
            None => stage.number(extension)?,
            Some(field) => {
                let (_, number) = number(field)?;
                stage.check_view(number, field)?;
                number
            }
        };
        let (data_type, encoded) = match encoded {
            None => (stage.data_type.clone(), decoded),
            Some(field) => number(field)?,
        };
        Ok((Self { decoded, encoded }, stage.cast(data_type, decoded, encoded)?))
    }

    /// Converts items of the encoded type to the decoded type.
    pub(crate) fn cast(self, chunk: Decoded<'_>) -> Result<Decoded<'_>> {
        let Decoded { bytes, strides, heap, .. } = chunk;
        let bytes = self.encoded.cast(bytes, self.decoded)?;
        let none = Decoded { bytes: (&[]).into(), strides, heap, reversed: None };
        Ok(none.with_items(bytes, self.encoded.size(), self.decoded.size()))
    }

    pub(crate) fn has_bool(self) -> bool {
        self.decoded == Numeric::Bool || self.encoded == Numeric::Bool
    }
}

/// A field that may be missing or null.
pub(crate) fn optional<'a>(settings: &'a Json<'a>, name: &'a str) -> Option<Json<'a>> {
    settings.field(name).filter(|field| !field.value().is_null())
}

/// Parses a field that holds numpy's spelling of a number type.
pub(crate) fn number(field: Json<'_>) -> Result<(DataType, Numeric)> {
    let found = numpy_number(field.string()?);
    let number = found.and_then(|data_type| data_type.numeric().map(|number| (data_type, number)));
    number.ok_or_else(|| field.expected("a numpy type of numbers, such as \"<i4\" or \"float32\""))
}
