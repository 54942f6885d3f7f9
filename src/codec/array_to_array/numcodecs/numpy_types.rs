//! The pair of data types that most filters of numcodecs are told: of decoded items and of encoded ones.
//!
//! A byte order in their spelling says in which order numcodecs reads the memory that it is given: `byte_orders` finds
//! where that is not the order in which the codec behind it left the memory.

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
    /// The types of two fields, and the stage after the codec. What is missing is the array's type on the decoded side,
    /// and no other than the decoded one on the encoded side.
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

    /// Items of the encoded type as items of the decoded one.
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

/// The data type of numbers that a field spells as numpy does.
pub(crate) fn number(field: Json<'_>) -> Result<(DataType, Numeric)> {
    let found = numpy_number(field.string()?);
    let number = found.and_then(|data_type| data_type.numeric().map(|number| (data_type, number)));
    number.ok_or_else(|| field.expected("a number as numpy spells it, such as \"<i4\" or \"float32\""))
}
