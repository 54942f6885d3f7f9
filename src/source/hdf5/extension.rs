//! The superblock's extension: heaps of shared messages, and the image of a cache.
//!
//! An image has structures as they would be at their addresses, which a program kept in memory when it closed the file; what
//! is at the addresses themselves was never written, or is older.

use super::fault::{Fault, Parsed, Read, damaged};
use super::fields::Fields;
use super::file::FileBytes;
use super::header::{Header, kind};
use super::superblock::SharedTable;

/// Most structures of an image: 2^20.
const MOST_ENTRIES: u32 = 1 << 20;

/// Addresses of structures and their bytes, which replace those of the file.
type Structures = Vec<(u64, Vec<u8>)>;

/// Reads the superblock's extension, unless there is none or that was done.
pub(super) fn extend(file: &mut FileBytes) -> Read<()> {
    let Some(address) = file.extension() else { return Ok(()) };
    let (shared_table, image) = read(file, address)?;
    file.extend(shared_table, image);
    Ok(())
}

/// Reads the extension, whose header is at an address.
fn read(file: &FileBytes, address: u64) -> Read<(Option<SharedTable>, Structures)> {
    let header = Header::read(file, address)?;
    let at = |fault: Fault| fault.at(file.offset(address), "the superblock's extension");
    let parsed =
        header.message(kind::SHARED_HEAPS).map(|message| SharedTable::parse(file.fields(&message.body)));
    let shared_table = parsed.transpose().map_err(at)?;
    let Some(message) = header.message(kind::CACHE_IMAGE) else {
        return Ok((shared_table, Vec::new()));
    };
    let mut fields = file.fields(&message.body);
    let mut place = || -> Parsed<_> { Ok((fields.u8()?, fields.address()?, fields.length()?)) };
    let (version, place, length) = place().map_err(at)?;
    if version != 0 {
        return Err(at(Fault::Unsupported("a newer version of HDF5's cache images".to_owned())).into());
    }
    let Some(place) = place else { return Ok((shared_table, Vec::new())) };
    let bytes = file.read(place, length)?;
    let image = image(file.fields(&bytes));
    let (image, end) = image.map_err(|fault| fault.at(file.offset(place), "the image of a cache"))?;
    if end as u64 + 4 > length {
        return Err(damaged(file.offset(place), "the image of a cache ends early").into());
    }
    file.verify(place, &bytes, end, "the image of a cache")?;
    Ok((shared_table, image))
}

/// Entries of an image, and where their checksum is.
fn image(mut fields: Fields<'_>) -> Parsed<(Structures, usize)> {
    fields.signature(b"MDCI")?;
    if fields.u8()? != 0 {
        return Err(Fault::Unsupported("a newer version of HDF5's cache images".to_owned()));
    }
    fields.u8()?;
    fields.length()?;
    let count = fields.u32()?;
    if count > MOST_ENTRIES {
        return Err(Fault::Damaged("it has more than 2^20 structures"));
    }
    let mut entries = Vec::new();
    for _ in 0..count {
        // Type, flags, ring, age, and numbers of structures that must be written before this one.
        fields.bytes(8)?;
        let before = fields.u16()?;
        fields.bytes(4)?;
        let (address, length) = (fields.place()?, fields.length()?);
        fields.bytes(usize::from(before) * fields.widths().address)?;
        entries.push((address, fields.counted(length)?.to_vec()));
    }
    Ok((entries, fields.at()))
}
