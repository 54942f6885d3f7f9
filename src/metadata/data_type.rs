//! Data types: their registered names and the bytes of one item.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html>

use super::document::Json;
use super::extension::Extension;
use crate::error::Result;

/// The type of an array's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the registered ones")]
pub enum DataType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
}

impl DataType {
    /// Every data type that this build reads, with its registered name and the bytes of one item.
    pub const TABLE: [(DataType, &'static str, usize); 12] = [
        (Self::Bool, "bool", 1),
        (Self::Int8, "int8", 1),
        (Self::Int16, "int16", 2),
        (Self::Int32, "int32", 4),
        (Self::Int64, "int64", 8),
        (Self::UInt8, "uint8", 1),
        (Self::UInt16, "uint16", 2),
        (Self::UInt32, "uint32", 4),
        (Self::UInt64, "uint64", 8),
        (Self::Float16, "float16", 2),
        (Self::Float32, "float32", 4),
        (Self::Float64, "float64", 8),
    ];

    /// Reads the `data_type` field.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] for a name that is not in [`DataType::TABLE`].
    pub fn parse(json: Json<'_>) -> Result<Self> {
        let extension = Extension::parse(json)?;
        let Some((data_type, ..)) = Self::TABLE.iter().find(|(_, name, _)| *name == extension.name) else {
            return Err(extension.unsupported("data type", &Self::TABLE.map(|(_, name, _)| name)));
        };
        extension.settings().only_fields(&[])?;
        Ok(*data_type)
    }

    /// The registered name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// Bytes of one item in memory.
    #[must_use]
    pub fn item_size(self) -> usize {
        Self::TABLE[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::DataType;

    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (position, (data_type, name, size)) in DataType::TABLE.into_iter().enumerate() {
            assert_eq!(data_type as usize, position);
            assert_eq!((data_type.name(), data_type.item_size()), (name, size));
        }
    }
}
