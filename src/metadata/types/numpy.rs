//! Names of numpy's number types: `"<i4"`, `"float32"`, `"|b1"`, `"d"`, for Zarr v2 and configurations of numcodecs.
//!
//! Spec: <https://numpy.org/doc/stable/reference/arrays.dtypes.html#specifying-and-constructing-data-types>

use super::data_type::DataType;
use super::time;
use crate::error::Result;
use crate::metadata::json::document::Json;

/// Numpy's kinds with their bytes, and the names in v3.
const KINDS: [(&str, &str); 14] = [
    ("b1", "bool"),
    ("i1", "int8"),
    ("i2", "int16"),
    ("i4", "int32"),
    ("i8", "int64"),
    ("u1", "uint8"),
    ("u2", "uint16"),
    ("u4", "uint32"),
    ("u8", "uint64"),
    ("f2", "float16"),
    ("f4", "float32"),
    ("f8", "float64"),
    ("c8", "complex64"),
    ("c16", "complex128"),
];

/// Number types of C and Python, with their sizes on 64-bit Linux.
const NAMES: [(&str, &str); 18] = [
    ("?", "bool"),
    ("b", "int8"),
    ("h", "int16"),
    ("i", "int32"),
    ("l", "int64"),
    ("q", "int64"),
    ("B", "uint8"),
    ("H", "uint16"),
    ("I", "uint32"),
    ("L", "uint64"),
    ("Q", "uint64"),
    ("e", "float16"),
    ("f", "float32"),
    ("d", "float64"),
    ("int", "int64"),
    ("uint", "uint64"),
    ("float", "float64"),
    ("complex", "complex128"),
];

/// The data type of a kind with its bytes, such as `i4`.
pub(crate) fn of_kind(kind: &str) -> Option<DataType> {
    KINDS.iter().find(|(known, _)| *known == kind).and_then(|(_, name)| DataType::scalar(name))
}

/// The number type of any name in numpy; the byte order, which is that of numpy's memory, is ignored.
#[must_use]
pub fn numpy_number(text: &str) -> Option<DataType> {
    let plain = text.strip_prefix(['<', '>', '|', '=']).unwrap_or(text);
    let name = KINDS.iter().map(|(_, name)| *name).find(|name| *name == plain);
    let other = || NAMES.iter().find(|(known, _)| *known == plain).map(|(_, name)| *name);
    of_kind(plain).or_else(|| DataType::scalar(name.or_else(other)?))
}

/// The type of numbers or times of any name in numpy; the byte order is ignored.
#[must_use]
pub fn numpy_item(text: &str) -> Option<DataType> {
    let plain = text.strip_prefix(['<', '>', '|', '=']).unwrap_or(text);
    let time = |short: &str, long: &str, name: &str| {
        let suffix = plain.strip_prefix(short).or_else(|| plain.strip_prefix(long))?;
        time::of_numpy(name, suffix)
    };
    numpy_number(text)
        .or_else(|| time("M8", "datetime64", "numpy.datetime64"))
        .or_else(|| time("m8", "timedelta64", "numpy.timedelta64"))
}

/// Reads the type of the numbers in a ragged array's items from the configuration of `vlen-array`.
///
/// # Errors
/// [`crate::Error::InvalidMetadata`] if it is not a number type of numpy.
pub fn ragged_part(dtype: Json<'_>) -> Result<DataType> {
    numpy_number(dtype.string()?).ok_or_else(|| dtype.expected("a numpy number type such as \"<i4\""))
}

#[cfg(test)]
mod tests {
    use super::{numpy_item, numpy_number};

    #[test]
    fn spellings_are_what_numpy_makes_of_them() {
        let cases = [
            ("<i4", "int32"),
            (">i4", "int32"),
            ("i4", "int32"),
            ("|i1", "int8"),
            (">u1", "uint8"),
            ("uint16", "uint16"),
            ("float32", "float32"),
            (">f8", "float64"),
            ("<c8", "complex64"),
            ("?", "bool"),
            ("|b1", "bool"),
            ("<d", "float64"),
            ("int", "int64"),
        ];
        for (text, name) in cases {
            assert_eq!(
                numpy_number(text).map(|found| found.name().to_owned()),
                Some(name.to_owned()),
                "{text}"
            );
        }
        for text in ["", "<", "i3", "f16", "|O", "é4", "<i4 ", "<M8[ns]", "S4", "b2", "int4", "bfloat16"] {
            assert_eq!(numpy_number(text), None, "{text:?}");
        }
        for (text, name) in [
            ("<M8[ns]", "numpy.datetime64"),
            ("timedelta64[3s]", "numpy.timedelta64"),
            ("m8", "numpy.timedelta64"),
        ] {
            assert_eq!(
                numpy_item(text).map(|found| found.name().to_owned()),
                Some(name.to_owned()),
                "{text}"
            );
        }
        for text in ["M8[x]", "M8[", "m4[s]", "datetime", "<c4"] {
            assert_eq!(numpy_item(text), None, "{text:?}");
        }
    }
}
