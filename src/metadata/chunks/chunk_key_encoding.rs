//! Chunk key encodings: from chunk coordinates to store keys.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/chunk-key-encodings/index.html>

use super::chunk_key_template::{ChunkKeyTemplate, push_number};
use crate::error::Result;
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;

/// Encoding of chunk coordinates as store keys.
///
/// ```
/// use rectilinear_zarr::metadata::{ChunkKeyEncoding, Json};
/// let default = ChunkKeyEncoding::parse(Json::root(&"default".into()), &[9, 99, 99])?;
/// assert_eq!(default.key(&[1, 23, 45]), "c/1/23/45");
/// let v2 = ChunkKeyEncoding::parse(Json::root(&"v2".into()), &[9, 99, 99])?;
/// assert_eq!((v2.key(&[1, 23, 45]).as_str(), v2.key(&[]).as_str()), ("1.23.45", "0"));
/// # Ok::<(), rectilinear_zarr::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkKeyEncoding {
    style: Style,
    separator: char,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Style {
    Default,
    V2,
    /// `c0/0`, the form of Zarr v3's drafts.
    Draft,
    Template(ChunkKeyTemplate),
}

impl ChunkKeyEncoding {
    /// Registered names of the supported encodings.
    pub const NAMES: [&str; 3] = ["default", "v2", "template"];

    /// Reads the `chunk_key_encoding` field; `chunks` is the number of chunks along each axis.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] for a name that is not among [`ChunkKeyEncoding::NAMES`];
    /// [`crate::Error::InvalidMetadata`] for a separator other than `/` and `.`, and for a template that is malformed or
    /// gives two chunks one key.
    pub fn parse(json: Json<'_>, chunks: &[u64]) -> Result<Self> {
        let extension = Extension::parse(json)?;
        let (style, separator) = match extension.name.as_str() {
            "default" => (Style::Default, '/'),
            "v2" => (Style::V2, '.'),
            "template" => {
                let template = ChunkKeyTemplate::parse(&extension.settings(), chunks)?;
                return Ok(Self { style: Style::Template(template), separator: '/' });
            }
            _ => return Err(extension.unsupported("chunk key encoding", &Self::NAMES)),
        };
        let settings = extension.settings();
        settings.only_fields(&["separator"])?;
        let separator = match settings.field("separator") {
            None => separator,
            Some(field) => parse_separator(field)?,
        };
        Ok(Self { style, separator })
    }

    /// Reads Zarr v2's field `dimension_separator`, which was added later and may be missing.
    pub(crate) fn v2(separator: Option<Json<'_>>) -> Result<Self> {
        Ok(Self { style: Style::V2, separator: separator.map_or(Ok('.'), parse_separator)? })
    }

    /// Reads the field `separator` of chunk grids in drafts of Zarr v3.
    pub(crate) fn draft(separator: Option<Json<'_>>) -> Result<Self> {
        Ok(Self { style: Style::Draft, separator: separator.map_or(Ok('/'), parse_separator)? })
    }

    /// The key of a chunk, relative to its array.
    #[must_use]
    pub fn key(&self, coords: &[u64]) -> String {
        let mut key = String::new();
        self.push_key(coords, &mut key);
        key
    }

    /// Appends the key of a chunk to `key`, which holds the array's path and a slash.
    pub fn push_key(&self, coords: &[u64], key: &mut String) {
        if let Style::Template(template) = &self.style {
            return template.push_key(coords, key);
        }
        if self.style != Style::V2 {
            key.push('c');
        }
        if self.style != Style::Default && coords.is_empty() {
            key.push('0');
        }
        for (axis, coord) in coords.iter().enumerate() {
            if axis > 0 || self.style == Style::Default {
                key.push(self.separator);
            }
            push_number(*coord, key);
        }
    }
}

fn parse_separator(field: Json<'_>) -> Result<char> {
    match field.string()? {
        "/" => Ok('/'),
        "." => Ok('.'),
        _ => Err(field.expected("the separator \"/\" or \".\"")),
    }
}
