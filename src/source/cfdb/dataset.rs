//! Variables of a cfdb data set, from its JSON document, described in Zarr's terms.

use super::index::Sizes;
use super::stored::{Compression, StoredType};
use crate::error::{Error, Result};
use crate::grid::MAX_COORDINATE;
use crate::metadata::{Json, Value};

/// Name of the data set's own attributes.
pub(super) const OWN: &str = "_";

/// Newest version that can be read: 1, of cfdb 0.10. Older files have no version, and can be read too.
const VERSION: u64 = 1;

/// Guess of a chunk's stored length in bytes before one was found.
const GUESS: u64 = 64 << 10;

/// A data set.
pub(super) struct Dataset {
    /// Variables in the order of their names.
    pub(super) variables: Vec<DatasetVariable>,
    /// Coordinate reference system, as pyproj writes it.
    pub(super) crs: Option<String>,
}

/// A coordinate or a data variable.
pub(super) struct DatasetVariable {
    pub(super) name: String,
    pub(super) dimensions: Vec<String>,
    pub(super) shape: Vec<u64>,
    pub(super) chunk_shape: Vec<u64>,
    /// First coordinate of the array along each axis of cfdb's index space.
    pub(super) origin: Vec<i64>,
    pub(super) stored: StoredType,
    pub(super) units: Option<String>,
    /// CF axis of a coordinate, such as `X` or `T`.
    pub(super) axis: Option<String>,
    /// Bytes of the longest chunk that was found so far.
    longest: u64,
}

impl Dataset {
    /// Parses the data set's document.
    pub(super) fn parse(document: &[u8]) -> Result<Self> {
        let value = Json::parse(document)?;
        let root = Json::root(&value);
        let version = match root.field("format_version") {
            None => 0,
            Some(version) => version.integer(0)?,
        };
        if version > VERSION {
            return Err(Error::Unsupported {
                feature: format!("version {version} of cfdb's format"),
                reason: format!("versions up to {VERSION} can be read"),
            });
        }
        if root.field("remote").is_some_and(|remote| *remote.value() == true) {
            return Err(Error::Unsupported {
                feature: "a local copy of a remote cfdb data set".to_owned(),
                reason: "it holds only the chunks that were fetched; copy the data set in Python with cfdb and open \
                         the copy"
                    .to_owned(),
            });
        }
        let compression = Compression::parse(root.required("compression")?)?;
        let entries = root.required("variables")?;
        let mut variables = Vec::new();
        let mut names: Vec<&String> = entries.object()?.keys().collect();
        names.sort_unstable();
        for name in names {
            let entry = entries.required(name)?;
            if name.is_empty() || name.contains('/') || name == OWN {
                return Err(entry.invalid("expected a name, other than \"_\" and without slashes"));
            }
            variables.push(DatasetVariable::parse(name, entry, entries, compression)?);
        }
        Ok(Self { variables, crs: text(root, "crs")? })
    }

    /// Finds a variable by its name.
    pub(super) fn variable(&mut self, name: &str) -> Option<&mut DatasetVariable> {
        self.variables.iter_mut().find(|variable| variable.name == name)
    }
}

impl DatasetVariable {
    fn parse(name: &str, entry: Json<'_>, entries: Json<'_>, compression: Compression) -> Result<Self> {
        let kind = entry.required("type")?;
        let mut dimensions = Vec::new();
        match kind.string()? {
            "coord" => dimensions.push(name.to_owned()),
            "data_var" => {
                let names = entry.required("coords")?;
                for name in names.items()? {
                    dimensions.push(name.string()?.to_owned());
                }
            }
            _ => return Err(kind.expected("\"coord\" or \"data_var\"")),
        }
        let (mut shape, mut origin) = (Vec::new(), Vec::new());
        for name in &dimensions {
            let coordinate = entries.required(name)?;
            let lengths = coordinate.required("shape")?;
            match integers(lengths, 0)?.as_slice() {
                &[length] => shape.push(length),
                _ => return Err(lengths.expected("one integer")),
            }
            origin.push(match coordinate.field("origin") {
                None => 0,
                Some(json) if json.value().is_null() => 0,
                Some(json) => {
                    let origin =
                        json.value().as_i64().filter(|origin| origin.unsigned_abs() <= MAX_COORDINATE);
                    origin.ok_or_else(|| json.expected("an integer from -(2^53 - 1) to 2^53 - 1"))?
                }
            });
        }
        let chunks = entry.required("chunk_shape")?;
        let chunk_shape = integers(chunks, 1)?;
        if chunk_shape.len() != shape.len() {
            return Err(chunks.expected(&format!("{} integers", shape.len())));
        }
        Ok(Self {
            name: name.to_owned(),
            stored: StoredType::parse(entry.required("dtype")?, compression)?,
            units: text(entry, "units")?,
            axis: text(entry, "axis")?,
            dimensions,
            shape,
            chunk_shape,
            origin,
            longest: 0,
        })
    }

    /// Booklet key of the chunk at these Zarr chunk coordinates; `None` where they do not fit the variable.
    pub(super) fn key(&self, coords: &str) -> Option<String> {
        let mut coords = coords.split('/');
        let mut key = self.name.clone();
        for (axis, (edge, origin)) in self.chunk_shape.iter().zip(&self.origin).enumerate() {
            let (edge, at) = (edge.cast_signed(), coords.next()?.parse().ok()?);
            let start = origin.div_euclid(edge).checked_add(at)?.checked_mul(edge)?;
            key.push(if axis == 0 { '!' } else { '.' });
            key.push_str(&start.to_string());
        }
        coords.next().is_none().then_some(key)
    }

    /// Bounds of a chunk's stored length: a compressor adds little to the size of the items.
    pub(super) fn sizes(&self) -> Sizes {
        let items = self.chunk_shape.iter().copied().fold(1, u64::saturating_mul);
        let most = match self.stored.item_size {
            Some(size) => items.saturating_mul(size),
            None => self.longest.max(GUESS).saturating_mul(4),
        };
        let most = most.saturating_add(most / 64).saturating_add(1 << 10).min(MAX_COORDINATE / 8);
        let probable = if self.longest == 0 { GUESS } else { self.longest + self.longest / 8 };
        Sizes { probable, most }
    }

    /// Notes the length of a chunk's value.
    pub(super) fn note(&mut self, length: u64) {
        self.longest = self.longest.max(length);
    }
}

/// Parses the attributes of a variable, or of the data set itself.
pub(super) fn attributes(text: &[u8], name: &str) -> Result<Value> {
    let reason = match Json::parse(text) {
        Ok(fields) if fields.is_object() => return Ok(fields),
        Ok(_) => "expected an object".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Error::metadata("", format!("attributes of {name:?}: {reason}")))
}

/// Text of a field that may be missing or null.
fn text(json: Json<'_>, name: &str) -> Result<Option<String>> {
    match json.field(name) {
        Some(field) if !field.value().is_null() => Ok(Some(field.string()?.to_owned())),
        _ => Ok(None),
    }
}

fn integers(json: Json<'_>, least: u64) -> Result<Vec<u64>> {
    let mut found = Vec::new();
    for item in json.items()? {
        found.push(item.integer(least)?);
    }
    Ok(found)
}
