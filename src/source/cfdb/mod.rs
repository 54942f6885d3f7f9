//! cfdb: a data set of the CF conventions in one Booklet file, read in parts.
//!
//! A Booklet file maps text keys to values. One JSON document describes the data set, one document for each variable
//! has its attributes, and the key of a chunk is its variable's name and the coordinates where the chunk begins. Chunks
//! start at multiples of their edges in an index space whose first coordinate may be below or above 0, so the first
//! chunk may lie partly outside the array; every chunk is stored whole.
//!
//! Documentation: <https://mullenkamp.github.io/cfdb/> (cfdb 0.11) and <https://mullenkamp.github.io/booklet/>
//! (Booklet 0.12). Keys have dots where the documentation of cfdb has commas.

mod dataset;
mod document;
mod header;
mod index;
mod stored;
mod table;

use std::collections::BTreeMap;
use std::fmt;

use self::dataset::{Dataset, DatasetVariable};
use self::header::Header;
use self::index::{Index, Sought};
use super::{ByteLocation, InputRequest, Resolution, VirtualStore};
use crate::error::Result;
use crate::metadata::Value;
use crate::network::ByteRange;

/// Key of the document that describes the data set.
const METADATA: &str = "adb01ebc1ba3433eb043527";

/// Number of the input that is the file's header.
const HEAD: u64 = 0;

/// The part of a cfdb file that was read so far.
#[derive(Default)]
pub struct Cfdb {
    index: Option<Index>,
    dataset: Option<Dataset>,
    /// Attributes by the variable's name; those of the data set itself under [`dataset::OWN`].
    attributes: BTreeMap<String, Value>,
}

impl fmt::Debug for Cfdb {
    /// Leaves out the contents, whose formatting would need more code than this module.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cfdb").finish_non_exhaustive()
    }
}

/// Meaning of a Zarr key in a data set.
enum WantedKey<'a> {
    Root,
    Document(&'a str),
    Chunk(&'a str, &'a str),
    Nothing,
}

impl VirtualStore for Cfdb {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        let head = InputRequest::plain(HEAD, String::new(), ByteRange::UpTo(0..Header::LENGTH));
        Ok(if self.index.is_none() { vec![head] } else { Vec::new() })
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        let wanted = match (key, key.split_once('/')) {
            ("zarr.json", _) => WantedKey::Root,
            (_, Some((name, "zarr.json"))) => WantedKey::Document(name),
            (_, Some((name, chunk))) if chunk.starts_with("c/") => WantedKey::Chunk(name, &chunk[2..]),
            _ => WantedKey::Nothing,
        };
        if matches!(wanted, WantedKey::Nothing) {
            return Ok(Resolution::Place(ByteLocation::Missing));
        }
        if self.index.is_none() {
            return self.needs().map(Resolution::Needs);
        }
        let needs = self.lacking(&wanted)?;
        if !needs.is_empty() {
            return Ok(Resolution::Needs(needs));
        }
        let (Some(index), Some(dataset)) = (&mut self.index, &mut self.dataset) else {
            return Ok(Resolution::Place(ByteLocation::Missing));
        };
        let place = match wanted {
            WantedKey::Root => ByteLocation::Inline(dataset.root(&self.attributes)),
            WantedKey::Document(name) => match dataset.variable(name) {
                Some(variable) => ByteLocation::Inline(variable.document(&self.attributes).into_bytes()),
                None => ByteLocation::Missing,
            },
            WantedKey::Chunk(name, coords) => match dataset.variable(name) {
                Some(variable) => return chunk(index, variable, coords),
                None => ByteLocation::Missing,
            },
            WantedKey::Nothing => ByteLocation::Missing,
        };
        Ok(Resolution::Place(place))
    }

    fn provide(&mut self, number: u64, bytes: Option<Vec<u8>>) -> Result<()> {
        let bytes = bytes.as_deref();
        match &mut self.index {
            None if number == HEAD => {
                self.index = Some(Index::new(Header::parse(bytes)?));
                Ok(())
            }
            Some(index) if number != HEAD => index.provide(number, bytes.unwrap_or_default()),
            _ => Ok(()),
        }
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}

impl Cfdb {
    /// Inputs to provide before the data set and the wanted attributes are known.
    fn lacking(&mut self, wanted: &WantedKey<'_>) -> Result<Vec<InputRequest>> {
        let mut needs = Vec::new();
        if self.dataset.is_none() {
            match self.content(METADATA, &mut needs)? {
                Some(Some(text)) => self.dataset = Some(Dataset::parse(&text)?),
                Some(None) => {
                    let hint = "it is a Booklet file without a cfdb data set; check the address".to_owned();
                    return Err(header::no_file(hint));
                }
                None => {}
            }
        }
        // A variable's attributes can be requested before the data set's document is known; the root's document cannot.
        let mut names = Vec::new();
        match wanted {
            WantedKey::Root => {
                names.push(dataset::OWN.to_owned());
                for variable in self.dataset.iter().flat_map(|dataset| &dataset.variables) {
                    names.push(variable.name.clone());
                }
            }
            WantedKey::Document(name) => names.push((*name).to_owned()),
            WantedKey::Chunk(..) | WantedKey::Nothing => {}
        }
        for name in names {
            if self.attributes.contains_key(&name) {
                continue;
            }
            if let Some(text) = self.content(&format!("_{name}.attrs"), &mut needs)? {
                let attributes = match text {
                    Some(text) => dataset::attributes(&text, &name)?,
                    None => Value::Null,
                };
                self.attributes.insert(name, attributes);
            }
        }
        index::merge(&mut needs);
        Ok(needs)
    }

    /// Content of a key; the outer `None` means that an input, added to `needs`, must be provided first.
    fn content(&mut self, key: &str, needs: &mut Vec<InputRequest>) -> Result<Option<Option<Vec<u8>>>> {
        let Some(index) = &mut self.index else { return Ok(None) };
        match index.content(key.as_bytes())? {
            Ok(content) => Ok(Some(content)),
            Err(need) => {
                needs.push(need);
                Ok(None)
            }
        }
    }
}

/// Looks up the location of a variable's chunk.
fn chunk(index: &mut Index, variable: &mut DatasetVariable, coords: &str) -> Result<Resolution> {
    let Some(key) = variable.key(coords) else { return Ok(Resolution::Place(ByteLocation::Missing)) };
    Ok(match index.seek(key.as_bytes(), variable.sizes())? {
        Sought::Nowhere => Resolution::Place(ByteLocation::Missing),
        Sought::Needs(need) => Resolution::Needs(vec![need]),
        Sought::At(span) => {
            variable.note(span.end - span.start);
            Resolution::Place(ByteLocation::File { url: String::new(), span: Some(span) })
        }
    })
}
