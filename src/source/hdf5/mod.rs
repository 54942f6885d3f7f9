//! HDF5 and netCDF-4: a file of groups and datasets, read in parts.
//!
//! A superblock leads to the root group's header. Headers are lists of messages: shapes, types, attributes, layouts and
//! links. Links lead to further headers; indexes of several kinds lead to chunks. All headers are read at the first
//! document, a level of groups in a round; nodes of an index are read when a chunk is looked up.
//!
//! Spec: <https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html>, and for dimensions
//! <https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html#netcdf_4_spec>

mod attribute;
mod btree1;
mod btree2;
mod by_address;
mod chunk;
mod dataspace;
mod datatype;
mod decoded_chunks;
mod dimensions;
mod document;
mod extensible_array;
mod extension;
mod fault;
mod fields;
mod file;
mod filter;
mod fixed_array;
mod fractal_heap;
mod global_heap;
mod group;
mod header;
mod index;
mod layout;
mod object;
mod shared_heaps;
mod stored_chunk;
mod stored_type;
mod superblock;
mod tree;
mod values;

use std::fmt;

use self::dimensions::Dimensions;
use self::fault::Read;
use self::file::FileBytes;
use self::object::Content;
use self::superblock::{Superblock, no_file};
use self::tree::Tree;
use super::original::Lack;
use super::{ByteLocation, InputRequest, Resolution, VirtualStore};
use crate::error::Result;

/// Name of documents.
const DOCUMENT: &str = "zarr.json";

/// The part of an HDF5 file that was read so far.
#[derive(Default)]
pub struct Hdf5 {
    file: FileBytes,
    tree: Option<Tree>,
    /// Names of dimensions, once all objects are known.
    dimensions: Option<Dimensions>,
}

impl fmt::Debug for Hdf5 {
    /// Leaves out the contents, whose formatting would need more code than this module.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hdf5").finish_non_exhaustive()
    }
}

/// Meaning of a Zarr key in a file.
enum WantedKey<'a> {
    Document(&'a str),
    Chunk(&'a str, Vec<u64>),
}

impl<'a> WantedKey<'a> {
    /// The meaning of a key; `None` for keys of no document and no chunk.
    fn parse(key: &'a str) -> Option<Self> {
        if key == DOCUMENT {
            return Some(Self::Document(""));
        }
        if let Some(path) = key.strip_suffix(DOCUMENT).and_then(|path| path.strip_suffix('/')) {
            return Some(Self::Document(path));
        }
        let (mut path, mut coordinates) = (key, Vec::new());
        loop {
            let (rest, name) = path.rsplit_once('/')?;
            path = rest;
            if name == "c" {
                break;
            }
            let is_number = !name.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit());
            coordinates.push(name.parse().ok().filter(|_| is_number)?);
        }
        coordinates.reverse();
        Some(Self::Chunk(path, coordinates))
    }
}

impl VirtualStore for Hdf5 {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        Ok(if self.file.is_begun() { Vec::new() } else { vec![InputRequest::head()] })
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        let Some(wanted) = WantedKey::parse(key) else { return Ok(Resolution::Place(ByteLocation::Missing)) };
        match self.look_up(&wanted) {
            Ok(place) => Ok(Resolution::Place(place)),
            Err(lack) => self.file.requests(lack).map(Resolution::Needs),
        }
    }

    fn provide(&mut self, number: u64, bytes: Option<Vec<u8>>) -> Result<()> {
        if self.tree.is_none() {
            let bytes = bytes.as_deref().ok_or_else(|| no_file("check the address".to_owned()))?;
            let superblock = Superblock::parse(bytes)?;
            self.file.open(&superblock);
            self.tree = Some(Tree::new(superblock.root));
        }
        // Without bytes, the file ends before what a structure of it names.
        self.file.provide(number, &bytes.unwrap_or_default());
        Ok(())
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}

impl Hdf5 {
    fn look_up(&mut self, wanted: &WantedKey<'_>) -> Read<ByteLocation> {
        let Some(tree) = &mut self.tree else { return Err(Lack::Start) };
        self.file.begin_work();
        extension::extend(&mut self.file)?;
        tree.load(&self.file)?;
        let dimensions = match &mut self.dimensions {
            Some(dimensions) => dimensions,
            unknown => {
                let found = unknown.insert(Dimensions::find(&self.file, tree)?);
                self.file.set_paths(tree.paths());
                found
            }
        };
        Ok(match wanted {
            WantedKey::Document(path) => {
                let number = tree.shown(path);
                if number.is_none() {
                    tree.check_circles(path)?;
                }
                let document =
                    number.map(|number| tree.document(&self.file, dimensions, number)).transpose()?;
                document.flatten().map_or(ByteLocation::Missing, ByteLocation::Inline)
            }
            WantedKey::Chunk(path, coordinates) => {
                let Some(number) = tree.shown(path) else { return Ok(ByteLocation::Missing) };
                let object = tree.nodes[number].object.as_ref().map_err(|error| error.clone())?;
                match &object.content {
                    Content::Dataset(dataset) => dataset.chunk(&self.file, coordinates)?,
                    _ => ByteLocation::Missing,
                }
            }
        })
    }
}
