//! A file of cfdb's: a data set of the CF conventions in one Booklet file, of which parts are read.
//!
//! Everything stands under a key of text: what the data set has in one JSON document, the attributes of each variable in
//! one of their own, each chunk under the name of its variable and where the chunk begins. Chunks lie at multiples of
//! their edges in an index space where coordinates may begin below 0, or above, so a first chunk may be part of the
//! array only; every chunk is stored whole.
//!
//! Documentation: <https://mullenkamp.github.io/cfdb/> (cfdb 0.11) and <https://mullenkamp.github.io/booklet/>
//! (Booklet 0.12). Keys have dots, where the text of the first has commas.

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
use super::{ByteLocation, ByteRange, InputRequest, Resolution, VirtualStore};
use crate::error::Result;
use crate::metadata::Value;

/// The key of the document that says what the data set has.
const METADATA: &str = "adb01ebc1ba3433eb043527";

/// The number of the need of the file's head.
const HEAD: u64 = 0;

/// A file of cfdb's, as far as it was read.
#[derive(Default)]
pub struct Cfdb {
    index: Option<Index>,
    dataset: Option<Dataset>,
    /// Of each variable, and of the data set itself without a name.
    attributes: BTreeMap<String, Value>,
}

impl fmt::Debug for Cfdb {
    /// Leaves out what was read: to spell all that JSON may hold takes more than all the rest of this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cfdb").finish_non_exhaustive()
    }
}

/// Kinds of things that a Zarr key asks for.
enum WantedKey<'a> {
    Root,
    Document(&'a str),
    Chunk(&'a str, &'a str),
    Nothing,
}

impl VirtualStore for Cfdb {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        let head =
            InputRequest { number: HEAD, url: String::new(), range: ByteRange::UpTo(0..Header::LENGTH) };
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

    fn tell(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        match &mut self.index {
            None if number == HEAD => {
                self.index = Some(Index::new(Header::parse(bytes)?));
                Ok(())
            }
            Some(index) if number != HEAD => index.tell(number, bytes.unwrap_or_default()),
            _ => Ok(()),
        }
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}

impl Cfdb {
    /// Inputs that are needed before the data set and the attributes that are wanted are known.
    fn lacking(&mut self, wanted: &WantedKey<'_>) -> Result<Vec<InputRequest>> {
        let mut needs = Vec::new();
        if self.dataset.is_none() {
            match self.content(METADATA, &mut needs)? {
                Some(Some(text)) => self.dataset = Some(Dataset::parse(&text)?),
                Some(None) => {
                    let hint =
                        "it is a Booklet file in which cfdb keeps nothing; check the address".to_owned();
                    return Err(header::no_file(hint));
                }
                None => {}
            }
        }
        // The names that attributes are stored under are known without the data set's own document, but for the root's.
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

    /// Content stored under a key, if any is; nothing yet where something has to be told first.
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

/// Where a chunk of a variable is.
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
