//! Chunk keys: from chunk coordinates to store keys, by a separator or by a template (`c/{0:02}/{*}`), with a placeholder
//! for each axis, or for all axes that none names.
//!
//! Specs: <https://zarr-specs.readthedocs.io/en/latest/v3/chunk-key-encodings/index.html> and
//! <https://github.com/zarr-developers/zarr-extensions/pull/69>

use std::rc::Rc;

use crate::error::Result;
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::parts::{Calls, Loaded, later};

/// Longest format in bytes.
const MAX_FORMAT_BYTES: usize = 1024;

/// Most digits that a number is padded to.
const MAX_DIGITS: usize = 64;

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

/// Store keys of the chunks of one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkKeys {
    path: String,
    encoding: ChunkKeyEncoding,
}

impl ChunkKeys {
    /// Keys of the array at a normalised path.
    #[must_use]
    pub fn new(path: &str, encoding: ChunkKeyEncoding) -> Self {
        Self { path: path.to_owned(), encoding }
    }

    /// Path of the array, without slashes around it; empty for the root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The store key of the chunk at these chunk coordinates.
    #[must_use]
    pub fn key(&self, coords: &[u64]) -> String {
        let mut key = String::with_capacity(self.path.len() + 4 + 4 * coords.len());
        if !self.path.is_empty() {
            key.push_str(&self.path);
            key.push('/');
        }
        self.encoding.push_key(coords, &mut key);
        key
    }
}

fn parse_separator(field: Json<'_>) -> Result<char> {
    match field.string()? {
        "/" => Ok('/'),
        "." => Ok('.'),
        _ => Err(field.expected("the separator \"/\" or \".\"")),
    }
}

/// A format of keys for an array of a certain number of axes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ChunkKeyTemplate {
    pieces: Rc<[Piece]>,
    part: Loaded<Calls>,
}

/// A piece of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// The coordinate along an axis, padded with zeros.
    Coordinate {
        axis: usize,
        digits: usize,
    },
}

/// A placeholder as the format writes it.
struct Placeholder {
    /// The axis; `None` for all axes that no other placeholder names.
    axis: Option<usize>,
    digits: usize,
}

impl ChunkKeyTemplate {
    /// Reads the configuration; `chunks` is the number of chunks along each axis.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where the format is malformed, where it gives two chunks one key, or where keys
    /// could be taken for others by stores or URLs.
    fn parse(settings: &Json<'_>, chunks: &[u64]) -> Result<Self> {
        parse_template(Loaded::get()?, settings, chunks)
    }

    /// Appends the key of a chunk to `key`.
    fn push_key(&self, coords: &[u64], key: &mut String) {
        push_template_key(self.part, self, coords, key);
    }
}

#[later]
fn parse_template(part: Loaded<Calls>, settings: &Json<'_>, chunks: &[u64]) -> Result<ChunkKeyTemplate> {
    settings.only_fields(&["format", "separator"])?;
    let field = settings.required("format")?;
    let separator = settings.field("separator").map(|separator| separator.string()).transpose()?;
    let format = field.string()?;
    if format.len().max(separator.map_or(0, str::len)) > MAX_FORMAT_BYTES {
        return Err(
            field.invalid(format!("the format or its separator has more than {MAX_FORMAT_BYTES} bytes"))
        );
    }
    let written = pieces(format, chunks.len()).map_err(|reason| field.invalid(reason))?;
    let named = named_axes(&written, chunks.len()).map_err(|reason| field.invalid(reason))?;
    let mut found = Vec::new();
    for piece in written {
        match piece {
            Ok(text) => found.push(Piece::Text(text)),
            Err(Placeholder { axis: Some(axis), digits }) => found.push(Piece::Coordinate { axis, digits }),
            Err(Placeholder { axis: None, digits }) => {
                let Some(separator) = separator else {
                    return Err(settings
                        .required("separator")
                        .err()
                        .unwrap_or_else(|| settings.invalid("the placeholder {*} needs a separator")));
                };
                for (nth, axis) in (0..chunks.len()).filter(|axis| !named[*axis]).enumerate() {
                    if nth > 0 {
                        found.push(Piece::Text(separator.to_owned()));
                    }
                    found.push(Piece::Coordinate { axis, digits });
                }
            }
        }
    }
    let is_keyed = |axis: usize| {
        found.iter().any(|piece| matches!(piece, Piece::Coordinate { axis: other, .. } if *other == axis))
    };
    if let Some(axis) = (0..chunks.len()).find(|axis| chunks[*axis] > 1 && !is_keyed(*axis)) {
        let count = chunks[axis];
        return Err(field.invalid(format!("axis {axis} has {count} chunks, and is not in the format")));
    }
    check_ends(&found, chunks).map_err(|reason| field.invalid(reason))?;
    let template = ChunkKeyTemplate { pieces: found.into(), part };
    check_key(&template).map_err(|reason| field.invalid(reason))?;
    Ok(template)
}

/// Checks that a key can be read back: a number whose length is not fixed is followed by none of its digits.
fn check_ends(pieces: &[Piece], chunks: &[u64]) -> std::result::Result<(), String> {
    let mut open_axis = None;
    for piece in pieces {
        let begins_with_digit = match piece {
            Piece::Text(text) if text.is_empty() => continue,
            Piece::Text(text) => text.starts_with(|letter: char| letter.is_ascii_digit()),
            Piece::Coordinate { .. } => true,
        };
        if let Some(axis) = open_axis.filter(|_| begins_with_digit) {
            return Err(format!(
                "the number of axis {axis} is followed by a digit, so two chunks may have one key; pad it, as {{{axis}:04}}, or put other text after it"
            ));
        }
        open_axis = match piece {
            Piece::Coordinate { axis, digits } => {
                let last = chunks[*axis].saturating_sub(1);
                let length = last.checked_ilog10().map_or(1, |log| log as usize + 1);
                (length > (*digits).max(1)).then_some(*axis)
            }
            Piece::Text(_) => None,
        };
    }
    Ok(())
}

#[later]
fn push_template_key(_: Loaded<Calls>, template: &ChunkKeyTemplate, coords: &[u64], key: &mut String) {
    for piece in &*template.pieces {
        match piece {
            Piece::Text(text) => key.push_str(text),
            Piece::Coordinate { axis, digits } => {
                let coord = coords.get(*axis).copied().unwrap_or(0);
                let length = coord.checked_ilog10().map_or(1, |log| log as usize + 1);
                key.extend(std::iter::repeat_n('0', digits.saturating_sub(length)));
                push_number(coord, key);
            }
        }
    }
}

/// Checks that keys mean the same in every store. A number is never empty, so one key shows it for all.
fn check_key(template: &ChunkKeyTemplate) -> std::result::Result<(), String> {
    let mut key = String::new();
    template.push_key(&[], &mut key);
    let is_text = template.pieces.iter().all(|piece| matches!(piece, Piece::Text(_)));
    if is_text && (key == "zarr.json" || key.is_empty()) {
        return Err(format!("the key {key:?} is not one of a chunk"));
    }
    if key.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return Err(format!("keys such as {key:?} have a segment that is empty, \".\" or \"..\""));
    }
    Ok(())
}

/// Which axes placeholders name; an error where two name one, or where two stand for the rest.
fn named_axes(
    pieces: &[std::result::Result<String, Placeholder>],
    rank: usize,
) -> std::result::Result<Vec<bool>, String> {
    let mut named = vec![false; rank];
    let mut has_rest = false;
    for placeholder in pieces.iter().filter_map(|piece| piece.as_ref().err()) {
        let is_twice = match placeholder.axis {
            Some(axis) => std::mem::replace(&mut named[axis], true),
            None => std::mem::replace(&mut has_rest, true),
        };
        if is_twice {
            let name = placeholder.axis.map_or_else(|| "*".to_owned(), |axis| axis.to_string());
            return Err(format!("the format names {{{name}}} twice"));
        }
    }
    Ok(named)
}

/// The pieces of a format: text, or a placeholder.
fn pieces(
    format: &str,
    rank: usize,
) -> std::result::Result<Vec<std::result::Result<String, Placeholder>>, String> {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
            continue;
        }
        let inner = if brace == "{" { rest.split_once('}') } else { None };
        let (inner, after) =
            inner.ok_or_else(|| format!("a brace {brace:?} of the format has no partner"))?;
        if !text.is_empty() {
            found.push(Ok(std::mem::take(&mut text)));
        }
        found.push(Err(placeholder(inner, rank)?));
        rest = after;
    }
    text.push_str(rest);
    if !text.is_empty() {
        found.push(Ok(text));
    }
    Ok(found)
}

/// A placeholder by its text between braces: `*`, `1`, `-1`, or one of these with `:03`.
fn placeholder(inner: &str, rank: usize) -> std::result::Result<Placeholder, String> {
    let wrong = || {
        format!(
            "the placeholder {{{inner}}} is none of {{*}}, {{0}} for an axis, {{-1}} for the last one, or {{0:03}} with zeros"
        )
    };
    let (index, digits) = inner.split_once(':').map_or((inner, None), |(index, pad)| (index, Some(pad)));
    let digits = match digits {
        None => 0,
        Some(pad) => {
            let digits = pad.strip_prefix('0').and_then(plain_number).filter(|digits| *digits > 0);
            let digits = digits.ok_or_else(wrong)?;
            if digits > MAX_DIGITS {
                return Err(format!("the placeholder {{{inner}}} pads to more than {MAX_DIGITS} digits"));
            }
            digits
        }
    };
    if index == "*" {
        return Ok(Placeholder { axis: None, digits });
    }
    let axis = match index.strip_prefix('-') {
        Some(back) => {
            let back = plain_number(back).filter(|back| *back > 0).ok_or_else(wrong)?;
            rank.checked_sub(back)
        }
        None => Some(plain_number(index).ok_or_else(wrong)?).filter(|axis| *axis < rank),
    };
    let axis =
        axis.ok_or_else(|| format!("the placeholder {{{inner}}} is beyond the array's {rank} axes"))?;
    Ok(Placeholder { axis: Some(axis), digits })
}

/// A number in decimal digits without zeros before it.
fn plain_number(text: &str) -> Option<usize> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    is_plain.then(|| text.parse().ok()).flatten()
}

/// Appends a number to `key`. Keys are made by the thousand, and `format!` takes several times as long.
fn push_number(number: u64, key: &mut String) {
    if number >= 10 {
        push_number(number / 10, key);
    }
    key.push(char::from_digit((number % 10) as u32, 10).unwrap_or('0'));
}
