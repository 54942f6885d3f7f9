//! Heaps of messages that several objects of a file share.

use super::fault::{Fault, Read};
use super::file::FileBytes;
use super::fractal_heap::FractalHeap;
use super::superblock::SharedTable;

/// Address of the heap of the messages of a kind.
fn heap(table: SharedTable, file: &FileBytes, kind: u16) -> Read<u64> {
    const WHAT: &str = "the table of shared messages";
    let entry = 14 + 2 * file.widths.address;
    let length = 4 + entry * usize::from(table.count);
    let bytes = file.read(table.address, length as u64 + 4)?;
    let at = |fault: Fault| fault.at(file.offset(table.address), WHAT);
    file.fields(&bytes).signature(b"SMTB").map_err(at)?;
    file.verify(table.address, &bytes, length, WHAT)?;
    let found = bytes[4..length].chunks_exact(entry).find(|entry| {
        // A version, a kind of list, and a bit for each kind of messages.
        u16::from_le_bytes([entry[2], entry[3]]).checked_shr(kind.into()).unwrap_or(0) & 1 != 0
    });
    let place = found.and_then(|entry| file.fields(&entry[entry.len() - file.widths.address..]).place().ok());
    Ok(place.ok_or_else(|| at(Fault::Damaged("it has no heap of such messages")))?)
}

/// The message of a kind that has this id in its heap.
pub(super) fn shared_object(file: &FileBytes, kind: u16, id: &[u8]) -> Read<Vec<u8>> {
    let table = file
        .shared_table()
        .ok_or_else(|| Fault::Damaged("the file has no table of them").at(0, "a shared message"))?;
    let address = heap(table, file, kind)?;
    FractalHeap::read(file, address)?.object(file, id)
}
