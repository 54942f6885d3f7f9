//! What the data set has: its variables, as its JSON document says, with what Zarr lacks words for put into Zarr's.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::index::Sizes;
use super::stored::{Compression, Stored};
use crate::error::{Error, Result};
use crate::grid::MAX_COORDINATE;
use crate::metadata::Json;

/// The name under which the data set's own attributes are.
pub(super) const OWN: &str = "_";

/// The newest version that is read: 1, of cfdb 0.10. Files from before have none, and are read, too.
const VERSION: u64 = 1;

/// The most bytes that a chunk of items of any length is guessed to have at first, and any chunk where nothing bounds it.
const GUESS: u64 = 64 << 10;

/// A data set.
pub(super) struct Dataset {
    pub(super) variables: BTreeMap<String, Variable>,
    /// The coordinate reference system, as pyproj writes it.
    pub(super) crs: Option<String>,
}

/// A coordinate or a data variable.
pub(super) struct Variable {
    pub(super) dimensions: Vec<String>,
    pub(super) shape: Vec<u64>,
    pub(super) chunk_shape: Vec<u64>,
    /// Where the array begins along each axis.
    pub(super) origin: Vec<i64>,
    pub(super) stored: Stored,
    pub(super) units: Option<String>,
    /// The axis of space or time that a coordinate is.
    pub(super) axis: Option<String>,
    /// Bytes of the longest chunk that was found.
    longest: u64,
}

impl Dataset {
    /// Reads the document.
    pub(super) fn parse(text: &[u8]) -> Result<Self> {
        let value = Json::parse(text)?;
        let root = Json::root(&value);
        let version = optional(&root, "format_version", |json| json.integer(0))?.unwrap_or(0);
        if version > VERSION {
            return Err(Error::Unsupported {
                feature: format!("version {version} of cfdb's format"),
                reason: format!("versions up to {VERSION} are read"),
            });
        }
        if root.field("remote").is_some_and(|remote| remote.value() == true) {
            return Err(Error::Unsupported {
                feature: "a local copy of a remote cfdb data set".to_owned(),
                reason: "it has the chunks only that somebody fetched, and what it lacks cannot be told from what was never \
                         written; copy the data set in Python with cfdb and open the copy"
                    .to_owned(),
            });
        }
        let compression = Compression::parse(root.required("compression")?)?;
        let variables = root.required("variables")?;
        let entries: Vec<(&String, Json<'_>)> = variables
            .object()?
            .keys()
            .map(|name| Ok((name, variables.required(name)?)))
            .collect::<Result<_>>()?;
        let mut coordinates = BTreeMap::new();
        for (name, entry) in &entries {
            if entry.required("type")?.string()? == "coord" {
                coordinates.insert(name.as_str(), extent(*entry)?);
            }
        }
        let mut found = BTreeMap::new();
        for (name, entry) in entries {
            if name.is_empty() || name.contains('/') || name == OWN {
                return Err(entry.invalid(format!("{name:?} is no name of a variable")));
            }
            found.insert(name.clone(), Variable::parse(name, entry, &coordinates, compression)?);
        }
        Ok(Self { variables: found, crs: optional(&root, "crs", |json| json.string().map(str::to_owned))? })
    }
}

/// The length of a coordinate, and where it begins.
fn extent(entry: Json<'_>) -> Result<(u64, i64)> {
    let shape = integers(entry.required("shape")?, 0)?;
    let &[length] = shape.as_slice() else { return Err(entry.required("shape")?.expected("one integer")) };
    let origin = optional(&entry, "origin", |json| {
        let origin = json.value().as_i64().filter(|origin| origin.unsigned_abs() <= MAX_COORDINATE);
        origin.ok_or_else(|| json.expected("an integer from -(2^53 - 1) to 2^53 - 1"))
    })?;
    Ok((length, origin.unwrap_or(0)))
}

impl Variable {
    fn parse(
        name: &str,
        entry: Json<'_>,
        coordinates: &BTreeMap<&str, (u64, i64)>,
        compression: Compression,
    ) -> Result<Self> {
        let kind = entry.required("type")?;
        let dimensions = match kind.string()? {
            "coord" => vec![name.to_owned()],
            "data_var" => {
                let names = entry.required("coords")?;
                let names = names.items()?.map(|name| name.string().map(str::to_owned));
                names.collect::<Result<_>>()?
            }
            _ => return Err(kind.expected("\"coord\" or \"data_var\"")),
        };
        let extents = dimensions.iter().map(|name| {
            coordinates.get(name.as_str()).copied().ok_or_else(|| {
                entry.invalid(format!("{name:?} is said to be a coordinate, and there is none of that name"))
            })
        });
        let (shape, origin): (Vec<u64>, Vec<i64>) = extents.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let chunks = entry.required("chunk_shape")?;
        let chunk_shape = integers(chunks, 1)?;
        if chunk_shape.len() != shape.len() {
            return Err(chunks.expected(&format!("{} integers", shape.len())));
        }
        let text = |json: Json<'_>| json.string().map(str::to_owned);
        Ok(Self {
            stored: Stored::parse(entry.required("dtype")?, compression)?,
            units: optional(&entry, "units", text)?,
            axis: optional(&entry, "axis", text)?,
            dimensions,
            shape,
            chunk_shape,
            origin,
            longest: 0,
        })
    }

    /// The key of the chunk of these coordinates; nothing where they are none of Zarr's for it.
    pub(super) fn key(&self, name: &str, coords: &str) -> Option<String> {
        let coords: Vec<i64> = coords.split('/').map(|at| at.parse().ok()).collect::<Option<_>>()?;
        if coords.len() != self.shape.len() {
            return None;
        }
        let mut key = format!("{name}!");
        for (axis, at) in coords.into_iter().enumerate() {
            let edge = self.chunk_shape[axis].cast_signed();
            let start = self.origin[axis].div_euclid(edge).checked_add(at)?.checked_mul(edge)?;
            let dot = if axis == 0 { "" } else { "." };
            key.push_str(&format!("{dot}{start}"));
        }
        Some(key)
    }

    /// How long a chunk's value may be. No compressor makes much more of items than they are.
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

/// The attributes of a variable, or of the data set itself.
pub(super) fn attributes(text: &[u8], name: &str) -> Result<Map<String, Value>> {
    let invalid = |reason: &str| Error::metadata("", format!("the attributes of {name:?}: {reason}"));
    match Json::parse(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(invalid("expected an object")),
        Err(error) => Err(invalid(&error.to_string())),
    }
}

/// What a field says, where it is there and not null.
pub(super) fn optional<'a, T>(
    json: &'a Json<'a>,
    name: &'a str,
    read: impl FnOnce(Json<'a>) -> Result<T>,
) -> Result<Option<T>> {
    json.field(name).filter(|field| !field.value().is_null()).map(read).transpose()
}

fn integers(json: Json<'_>, least: u64) -> Result<Vec<u64>> {
    json.items()?.map(|item| item.integer(least)).collect()
}
