//! Data types: their registered names, the meaning of their items, and the size of an item.
//!
//! Specs: <https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html> and
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types>

use rectilinear_zarr_kernels::numeric::Numeric;

use super::mini_float::MiniFloat;
use crate::metadata::json::value::Value;

/// The largest fixed-size item: 1 MiB.
///
/// The reason: opening an array allocates one item for the fill value.
pub const MAX_ITEM_BYTES: u64 = 1 << 20;

/// The type of an array's items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataType {
    name: String,
    kind: Kind,
    item_size: usize,
}

/// Meaning of items; [`DataType::item_size`] gives their size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One byte, 0 or 1.
    Bool,
    /// Two's complement.
    Int,
    /// Unsigned.
    UInt,
    /// An integer in the low bits of a byte; the high bits are ignored.
    SmallInt {
        /// 2 or 4.
        bits: u32,
        /// Two's complement or unsigned.
        signed: bool,
    },
    /// IEEE 754 of 2, 4 or 8 bytes.
    Float,
    /// A float of 16 bits or fewer without a JavaScript typed array.
    MiniFloat(MiniFloat),
    /// Real and imaginary part, each of this type.
    Complex(Box<DataType>),
    /// A signed 64-bit number of steps; the minimum means "not a time".
    Time {
        /// Unit by its name in numpy: `"ns"`, `"D"`, `"generic"`.
        unit: String,
        /// Number of units in a step.
        scale: u64,
    },
    /// Bytes without further meaning.
    Raw,
    /// Bytes, padded with zeros at the end.
    PaddedBytes,
    /// UTF-32 code units, padded with zeros at the end.
    Utf32,
    /// Text of any length.
    Text,
    /// Bytes of any length.
    VariableBytes,
    /// Any JSON value, as JSON text; from Zarr v2's objects.
    Object,
    /// Lists of any length of items of this type; from Zarr v2's objects, or of `ndarray`.
    Ragged(Box<DataType>),
    /// Named fields, one after the other.
    Struct(Vec<Field>),
    /// Elements of this type in C order, as many as the shape has: fields of Zarr v2's structs, and `ndarray`.
    Subarray {
        /// Type of an element.
        element: Box<DataType>,
        /// Length of each axis.
        shape: Vec<u64>,
    },
}

/// A field of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name of the field.
    pub name: String,
    /// Offset in the item, in bytes.
    pub offset: usize,
    /// Data type of the field, of a fixed size.
    pub data_type: DataType,
    /// Whether the field declares big endian storage, independently of the codec.
    pub big_endian: bool,
}

/// Size of a variable-length item: its offset and length in the heap, 32 bits each.
pub const REFERENCE_BYTES: usize = 8;

/// Name of Zarr v2's objects, as in zarrita: v3 has no name for them.
const OBJECT: &str = "v2:object";

/// Data types that are a bare name: name, kind, and bytes of an item.
const SCALARS: &[(&str, Kind, usize)] = &[
    ("bool", Kind::Bool, 1),
    ("int2", Kind::SmallInt { bits: 2, signed: true }, 1),
    ("int4", Kind::SmallInt { bits: 4, signed: true }, 1),
    ("int8", Kind::Int, 1),
    ("int16", Kind::Int, 2),
    ("int32", Kind::Int, 4),
    ("int64", Kind::Int, 8),
    ("uint2", Kind::SmallInt { bits: 2, signed: false }, 1),
    ("uint4", Kind::SmallInt { bits: 4, signed: false }, 1),
    ("uint8", Kind::UInt, 1),
    ("uint16", Kind::UInt, 2),
    ("uint32", Kind::UInt, 4),
    ("uint64", Kind::UInt, 8),
    ("float16", Kind::Float, 2),
    ("float32", Kind::Float, 4),
    ("float64", Kind::Float, 8),
    ("string", Kind::Text, REFERENCE_BYTES),
    ("bytes", Kind::VariableBytes, REFERENCE_BYTES),
    ("variable_length_bytes", Kind::VariableBytes, REFERENCE_BYTES),
    (OBJECT, Kind::Object, REFERENCE_BYTES),
];

/// Data types that have a configuration, or digits in their name.
const CONFIGURED: [&str; 9] = [
    "numpy.datetime64",
    "numpy.timedelta64",
    "fixed_length_utf32",
    "null_terminated_bytes",
    "raw_bytes",
    "r*",
    "struct",
    "ndarray",
    "vlen-ndarray",
];

impl DataType {
    /// Registered names of all data types that this build reads.
    #[must_use]
    pub fn names() -> Vec<String> {
        let mut names: Vec<&str> = SCALARS.iter().map(|(name, ..)| *name).collect();
        names.extend(MiniFloat::names());
        names.extend(["complex64", "complex128", "complex_float*", "complex_bfloat16"]);
        names.extend(CONFIGURED);
        names.into_iter().map(str::to_owned).collect()
    }

    /// The data type of a bare name; `None` if it is unknown or needs a configuration.
    #[must_use]
    pub fn scalar(name: &str) -> Option<Self> {
        if let Some((name, kind, size)) = SCALARS.iter().find(|(known, ..)| *known == name) {
            return Some(Self::new(name, kind.clone(), *size as u64));
        }
        if let Some(format) = MiniFloat::named(name) {
            return Some(Self::new(name, Kind::MiniFloat(format), format.item_size() as u64));
        }
        let part = match name {
            "complex64" => "float32",
            "complex128" => "float64",
            name => name
                .strip_prefix("complex_")
                .filter(|part| part.starts_with("float") || part.starts_with("bfloat"))?,
        };
        let part = Self::scalar(part)?;
        let size = 2 * part.item_size as u64;
        Some(Self::new(name, Kind::Complex(Box::new(part)), size))
    }

    /// A data type that this build does not support: its name, or its text where it has none, and items of no size.
    #[must_use]
    pub fn unknown(written: &Value) -> Self {
        let name = written.get("name").unwrap_or(written);
        let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        Self::new(&text, Kind::Raw, 0)
    }

    /// The type of single bytes.
    pub(crate) fn byte() -> Self {
        Self::new("uint8", Kind::UInt, 1)
    }

    /// The type of items that are lists of this type, of any length.
    #[must_use]
    pub fn ragged(part: Self) -> Self {
        Self::new(OBJECT, Kind::Ragged(Box::new(part)), REFERENCE_BYTES as u64)
    }

    /// A data type; the caller has checked the size.
    pub(crate) fn new(name: &str, kind: Kind, item_size: u64) -> Self {
        Self { name: name.to_owned(), kind, item_size: usize::try_from(item_size).unwrap_or(usize::MAX) }
    }

    /// The registered name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Meaning of items.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Bytes of one item in memory.
    #[must_use]
    pub fn item_size(&self) -> usize {
        self.item_size
    }

    /// The type of a subarray's elements; for other items, their own type.
    #[must_use]
    pub fn element(&self) -> &Self {
        match &self.kind {
            Kind::Subarray { element, .. } => element,
            _ => self,
        }
    }

    /// Whether items have variable length and refer to content in a heap.
    #[must_use]
    pub fn is_variable(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::VariableBytes | Kind::Object | Kind::Ragged(_))
    }

    /// The number type that filters and casts use for items; `None` if the items are not such numbers.
    #[must_use]
    pub fn numeric(&self) -> Option<Numeric> {
        let bits = 8 * u32::try_from(self.item_size()).ok()?;
        match self.kind() {
            Kind::Bool => Some(Numeric::Bool),
            Kind::Int => Some(Numeric::Int(bits)),
            Kind::UInt => Some(Numeric::UInt(bits)),
            Kind::SmallInt { bits, signed: true } => Some(Numeric::Int(*bits)),
            Kind::SmallInt { bits, signed: false } => Some(Numeric::UInt(*bits)),
            Kind::Float => Some(Numeric::Float(bits)),
            _ => None,
        }
    }
}
