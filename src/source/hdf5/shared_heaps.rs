//! Heaps of messages that several objects of a file share, and the table that leads to them.

use super::fault::{Fault, Parsed, Read};
use super::fields::Fields;
use super::file::FileBytes;
use super::fractal_heap::FractalHeap;

/// Most heaps of a file, as in HDF5.
const MOST: u8 = 8;

/// The table of heaps: its address, and how many heaps it has.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedHeaps {
    address: u64,
    count: u8,
}

impl SharedHeaps {
    /// Parses the message of the superblock's extension.
    pub(super) fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        if fields.u8()? != 0 {
            return Err(Fault::Unsupported("a newer version of HDF5's shared messages".to_owned()));
        }
        let (address, count) = (fields.place()?, fields.u8()?);
        if count > MOST {
            return Err(Fault::Damaged("it has more than eight heaps of shared messages"));
        }
        Ok(Self { address, count })
    }

    /// Address of the heap of the messages of a kind.
    fn heap(self, file: &FileBytes, kind: u16) -> Read<u64> {
        const WHAT: &str = "the table of shared messages";
        let entry = 14 + 2 * file.widths.address;
        let length = 4 + entry * usize::from(self.count);
        let bytes = file.read(self.address, length as u64 + 4)?;
        let at = |fault: Fault| fault.at(file.offset(self.address), WHAT);
        file.fields(&bytes).signature(b"SMTB").map_err(at)?;
        file.verify(self.address, &bytes, length, WHAT)?;
        let found = bytes[4..length].chunks_exact(entry).find(|entry| {
            // A version, a kind of list, and a bit for each kind of messages.
            u16::from_le_bytes([entry[2], entry[3]]).checked_shr(kind.into()).unwrap_or(0) & 1 != 0
        });
        let place =
            found.and_then(|entry| file.fields(&entry[entry.len() - file.widths.address..]).place().ok());
        Ok(place.ok_or_else(|| at(Fault::Damaged("it has no heap of such messages")))?)
    }
}

/// The message of a kind that has this id in its heap.
pub(super) fn shared_object(file: &FileBytes, kind: u16, id: &[u8]) -> Read<Vec<u8>> {
    let heaps = file
        .shared_heaps()
        .ok_or_else(|| Fault::Damaged("the file has no table of them").at(0, "a shared message"))?;
    let address = heaps.heap(file, kind)?;
    FractalHeap::read(file, address)?.object(file, id)
}
