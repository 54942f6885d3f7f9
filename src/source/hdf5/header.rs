//! Object headers, versions 1 and 2: the messages of a group, a dataset or a named type, in all blocks of the header.

use std::collections::VecDeque;

use super::fault::{Fault, Parsed, Read, damaged};
use super::fields::Fields;
use super::file::FileBytes;
use super::shared_heaps::shared_object;
use crate::source::original::Lack;

/// Kinds of messages.
pub(super) mod kind {
    pub(in super::super) const DATASPACE: u16 = 0x01;
    pub(in super::super) const LINK_INFO: u16 = 0x02;
    pub(in super::super) const DATATYPE: u16 = 0x03;
    pub(in super::super) const OLD_FILL: u16 = 0x04;
    pub(in super::super) const FILL: u16 = 0x05;
    pub(in super::super) const LINK: u16 = 0x06;
    pub(in super::super) const EXTERNAL: u16 = 0x07;
    pub(in super::super) const LAYOUT: u16 = 0x08;
    pub(in super::super) const GROUP_INFO: u16 = 0x0a;
    pub(in super::super) const FILTERS: u16 = 0x0b;
    pub(in super::super) const ATTRIBUTE: u16 = 0x0c;
    pub(in super::super) const SHARED_HEAPS: u16 = 0x0f;
    pub(in super::super) const CONTINUATION: u16 = 0x10;
    pub(in super::super) const SYMBOL_TABLE: u16 = 0x11;
    pub(in super::super) const ATTRIBUTE_INFO: u16 = 0x15;
    pub(in super::super) const CACHE_IMAGE: u16 = 0x18;
}

/// Bytes of an id in a heap of shared messages.
const HEAP_ID: usize = 8;

/// Most blocks of a header.
const MOST_BLOCKS: usize = 1 << 10;

/// Most bytes of a header: 16 MiB.
const MOST_BYTES: u64 = 16 << 20;

/// Probable bytes of a header's first block.
const PROBABLE: u64 = 2 << 10;

/// A message of a header.
pub(super) struct Message {
    pub(super) kind: u16,
    /// Whether the body only says where the message is.
    pub(super) is_shared: bool,
    pub(super) body: Vec<u8>,
}

/// An object's header.
pub(super) struct Header {
    pub(super) address: u64,
    pub(super) messages: Vec<Message>,
}

/// Address and bytes of a block that continues a header.
type Block = (u64, u64);

impl Header {
    /// Reads the header at an address.
    pub(super) fn read(file: &FileBytes, address: u64) -> Read<Self> {
        // The shortest header has eleven bytes, and an old one sixteen.
        let start = file.read_ahead(address, 7, PROBABLE)?;
        let is_new = start.starts_with(b"OHDR");
        let at = |fault: Fault| Lack::from(fault.at(file.offset(address), "an object header"));
        let mut header = Self { address, messages: Vec::new() };
        let mut blocks = VecDeque::new();
        // Times and orders take up to 8 bytes of 4 more each, before the size.
        let (before, length) = if is_new {
            let before =
                6 + if start[5] & 0x20 != 0 { 16 } else { 0 } + if start[5] & 0x10 != 0 { 4 } else { 0 };
            let width = 1 << (start[5] & 3);
            let prefix = file.read_ahead(address, before + width, PROBABLE)?;
            (before + width, super::fields::number(&prefix[before as usize..]))
        } else {
            if start[0] != 1 {
                return Err(damaged(file.offset(address), "there is no object header").into());
            }
            let start = file.read_ahead(address, 16, PROBABLE)?;
            (16, u64::from(u32::from_le_bytes([start[8], start[9], start[10], start[11]])))
        };
        let mut total = length;
        if total > MOST_BYTES {
            return Err(at(Fault::Damaged("it has more than 16 MiB")));
        }
        let check = if is_new { 4 } else { 0 };
        let bytes = file.read(address, before + length + check)?;
        let body = before as usize..(before + length) as usize;
        let flags = if is_new { Some(bytes[5]) } else { None };
        if is_new {
            if bytes[4] != 2 {
                return Err(at(Fault::Unsupported(format!("version {} of HDF5's object headers", bytes[4]))));
            }
            file.verify(address, &bytes, body.end, "an object header")?;
        }
        header.messages(file.fields(&bytes[body]), flags, &mut blocks).map_err(at)?;
        let mut read = 0;
        while let Some((place, length)) = blocks.pop_front() {
            (read, total) = (read + 1, total.saturating_add(length));
            if read > MOST_BLOCKS || total > MOST_BYTES {
                return Err(at(Fault::Damaged("it has too many blocks, or goes in a circle")));
            }
            let bytes = match file.read(place, length) {
                Ok(bytes) => bytes,
                Err(Lack::Bytes(mut pages)) => {
                    // The other blocks are requested with this one.
                    for (place, length) in blocks {
                        if let Err(Lack::Bytes(more)) = file.read(place, length) {
                            pages.extend(more);
                        }
                    }
                    return Err(Lack::Bytes(pages));
                }
                Err(error) => return Err(error),
            };
            let fields = if is_new {
                let body = bytes.len().checked_sub(4).filter(|_| bytes.starts_with(b"OCHK"));
                let end =
                    body.filter(|end| *end >= 4).ok_or_else(|| at(Fault::Damaged("a block is none")))?;
                file.verify(place, &bytes, end, "a block of an object header")?;
                file.fields(&bytes[4..end])
            } else {
                file.fields(&bytes)
            };
            header.messages(fields, flags, &mut blocks).map_err(at)?;
        }
        Ok(header)
    }

    /// Reads the messages of a block; `flags` are those of a new header.
    fn messages(
        &mut self,
        mut fields: Fields<'_>,
        flags: Option<u8>,
        blocks: &mut VecDeque<Block>,
    ) -> Parsed<()> {
        let least = match flags {
            None => 8,
            Some(flags) => 4 + if flags & 4 != 0 { 2 } else { 0 },
        };
        // What is shorter than a message's own fields is a gap.
        while fields.rest().len() >= least {
            let (kind, size, own) = if flags.is_some() {
                (u16::from(fields.u8()?), fields.u16()?, fields.u8()?)
            } else {
                (fields.u16()?, fields.u16()?, fields.u8()?)
            };
            fields.bytes(if flags.is_some() { least - 4 } else { 3 })?;
            let body = fields.bytes(size.into())?;
            if kind == kind::CONTINUATION {
                let mut body = fields.of(body);
                blocks.push_back((body.place()?, body.length()?));
            } else if kind != 0 {
                self.messages.push(Message { kind, is_shared: own & 2 != 0, body: body.to_vec() });
            }
        }
        Ok(())
    }

    /// The first message of a kind.
    pub(super) fn message(&self, kind: u16) -> Option<&Message> {
        self.messages.iter().find(|message| message.kind == kind)
    }

    /// Whether there is a message of a kind.
    pub(super) fn has(&self, kind: u16) -> bool {
        self.message(kind).is_some()
    }
}

impl Message {
    /// Body of the message, read from where it is shared.
    pub(super) fn body(&self, file: &FileBytes) -> Read<Vec<u8>> {
        if !self.is_shared {
            return Ok(self.body.clone());
        }
        let mut fields = file.fields(&self.body);
        let place = SharedPlace::parse(&mut fields).map_err(|fault| fault.at(0, "a shared message"))?;
        place.body(file, self.kind)
    }
}

/// Where a message is that several objects share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SharedPlace {
    /// In the header at this address.
    Header(u64),
    /// In the file's heap of messages of its kind, under this id.
    Heap(Vec<u8>),
}

impl SharedPlace {
    pub(super) fn parse(fields: &mut Fields<'_>) -> Parsed<Self> {
        let (version, way) = (fields.u8()?, fields.u8()?);
        match version {
            1 => {
                // Padding, and what was the place of a name.
                fields.bytes(6)?;
                fields.length()?;
            }
            3 if way == 1 => return Ok(Self::Heap(fields.bytes(HEAP_ID)?.to_vec())),
            2 | 3 => {}
            _ => return Err(Fault::Damaged("a shared message has another version")),
        }
        Ok(Self::Header(fields.place()?))
    }

    /// Body of the message of a kind there.
    pub(super) fn body(&self, file: &FileBytes, kind: u16) -> Read<Vec<u8>> {
        let address = match self {
            Self::Heap(id) => return shared_object(file, kind, id),
            Self::Header(address) => *address,
        };
        let header = Header::read(file, address)?;
        let message = header.message(kind);
        let place = message.filter(|message| message.is_shared).map(|message| {
            Self::parse(&mut file.fields(&message.body)).map_err(|fault| fault.at(0, "a shared message"))
        });
        // What another header has may be in a heap itself, but in no third header.
        match (message, place.transpose()?) {
            (Some(message), None) => Ok(message.body.clone()),
            (_, Some(Self::Heap(id))) => shared_object(file, kind, &id),
            _ => Err(damaged(file.offset(address), "a message that is shared is not there").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SharedPlace;
    use crate::source::hdf5::fields::{Fields, Widths};

    #[test]
    fn places_of_shared_messages_are_found_in_every_version() {
        let widths = Widths { address: 8, length: 8 };
        let place = |bytes: &[u8]| SharedPlace::parse(&mut Fields::new(bytes, widths)).ok();
        let header = |address| Some(SharedPlace::Header(address));
        let address = 0x1234_u64.to_le_bytes();
        assert_eq!(place(&[&[1, 0, 0, 0, 0, 0, 0, 0], &[9; 8], &address[..]].concat()), header(0x1234));
        assert_eq!(place(&[&[2, 0], &address[..]].concat()), header(0x1234));
        assert_eq!(place(&[&[3, 2], &address[..]].concat()), header(0x1234));
        assert_eq!(place(&[&[3, 1], &address[..]].concat()), Some(SharedPlace::Heap(address.to_vec())));
        assert_eq!(place(&[3, 1, 7]), None);
        assert_eq!(place(&[1, 0, 0, 0]), None);
    }
}
