//! Global heaps: collections of the texts and lists whose lengths vary.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::by_address::ByAddress;
use super::fault::{Fault, Parsed, Read};
use super::fields::Fields;
use super::file::{FileBytes, PAGE};
use crate::source::original::Lack;

/// Most bytes that one look-up takes from heaps: 32 MiB.
pub(super) const MOST_BYTES: u64 = 32 << 20;

/// A collection, and where its objects are in it.
struct Collection {
    bytes: Vec<u8>,
    objects: HashMap<u16, Range<usize>>,
}

/// A value of varying length: the number of its items, and its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeapReference {
    pub(super) count: u64,
    pub(super) address: Option<u64>,
    index: u16,
}

/// Collections that a look-up has read.
#[derive(Default)]
pub(super) struct Collections {
    read: ByAddress<Collection>,
    bytes: u64,
}

impl HeapReference {
    /// Bytes of a reference in an item.
    pub(super) fn length(file: &FileBytes) -> usize {
        8 + file.widths.address
    }

    /// Parses a reference. One to no items has an address of 0 or none.
    pub(super) fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        let (count, address, index) = (u64::from(fields.u32()?), fields.address()?, fields.u32()?);
        let address = address.filter(|address| count > 0 && *address > 0);
        Ok(Self {
            count,
            address,
            index: u16::try_from(index).map_err(|_| Fault::Damaged("a heap has no such object"))?,
        })
    }
}

impl Collections {
    /// Reads the collections of references; all that are lacking are named at once.
    pub(super) fn load(&mut self, file: &FileBytes, references: &[HeapReference]) -> Read<()> {
        // Texts lie beside each other, so that many references lead to few collections, and these to few pages.
        let (mut lacking, mut seen, mut pages_seen) = (Vec::new(), HashSet::new(), HashSet::new());
        for address in references.iter().filter_map(|reference| reference.address) {
            if !seen.insert(address) || self.read.get(address).is_some() {
                continue;
            }
            match Collection::read(file, address) {
                Ok(collection) => {
                    self.bytes += collection.bytes.len() as u64;
                    self.read.add(address, collection);
                }
                Err(Lack::Bytes(pages)) => {
                    lacking.extend(pages.into_iter().filter(|page| pages_seen.insert(page.start)));
                }
                Err(error) => return Err(error),
            }
            if self.bytes + lacking.len() as u64 * PAGE > MOST_BYTES {
                let feature =
                    format!("a chunk or an attribute whose text takes more than {MOST_BYTES} bytes");
                return Err(Fault::Unsupported(feature).at(file.offset(address), "a heap").into());
            }
        }
        if lacking.is_empty() { Ok(()) } else { Err(Lack::Bytes(lacking)) }
    }

    /// The object of a reference, from the collections that were read.
    pub(super) fn object(&self, file: &FileBytes, reference: HeapReference) -> Read<&[u8]> {
        let Some(address) = reference.address else { return Ok(&[]) };
        let found = self
            .read
            .get(address)
            .and_then(|collection| collection.bytes.get(collection.objects.get(&reference.index)?.clone()));
        found.ok_or_else(|| {
            let fault = Fault::Damaged("it has not the object that a reference names");
            fault.at(file.offset(address), "a heap").into()
        })
    }
}

impl Collection {
    fn read(file: &FileBytes, address: u64) -> Read<Self> {
        let head = file.read_ahead(address, 8 + file.widths.length as u64, PAGE)?;
        let located = |fault: Fault| fault.at(file.offset(address), "a heap");
        let mut fields = file.fields(&head);
        let signed = fields.signature(b"GCOL").and_then(|()| fields.bytes(4)).and_then(|_| fields.length());
        let bytes = file.read(address, signed.map_err(located)?)?;
        let objects = Self::objects(file.fields(&bytes)).map_err(located)?;
        Ok(Self { bytes, objects })
    }

    fn objects(mut fields: Fields<'_>) -> Parsed<HashMap<u16, Range<usize>>> {
        fields.signature(b"GCOL")?;
        fields.bytes(4)?;
        fields.length()?;
        fields.align();
        let mut objects = HashMap::new();
        while fields.rest().len() >= 16 {
            let index = fields.u16()?;
            fields.bytes(6)?;
            let size = fields.length()?;
            fields.align();
            if index == 0 {
                break;
            }
            let start = fields.at();
            fields.counted(size)?;
            objects.insert(index, start..fields.at());
            fields.align();
        }
        Ok(objects)
    }
}
