//! Bytes that store a chunk, and the elements of arrays that are indexes of chunks.

use super::fault::{Fault, Parsed};
use super::fields::Fields;

/// Bytes that store a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredChunk {
    pub(super) address: u64,
    pub(super) size: u64,
    /// Bits of the filters that were not applied.
    pub(super) mask: u32,
}

impl StoredChunk {
    /// Whether the filter of this number was not applied.
    pub(super) fn skips(&self, nth: usize) -> bool {
        self.mask >> nth & 1 != 0
    }
}

/// Elements of an array that is an index: addresses, with bytes and masks where chunks are filtered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements {
    /// Bytes of an element.
    pub(super) width: usize,
    is_filtered: bool,
}

impl Elements {
    /// Elements of a client of an array, which states their width.
    pub(super) fn new(client: u8, width: usize, address: usize) -> Parsed<Self> {
        let is_filtered = client == 1;
        let is_possible = match client {
            0 => width == address,
            1 => (address + 5..=address + 12).contains(&width),
            _ => false,
        };
        if is_possible {
            Ok(Self { width, is_filtered })
        } else {
            Err(Fault::Damaged("its elements are no chunks"))
        }
    }

    /// The chunk of an element; without filters it has `whole` bytes.
    pub(super) fn chunk(self, mut fields: Fields<'_>, whole: u64) -> Parsed<Option<StoredChunk>> {
        let start = fields.rest().len();
        let Some(address) = fields.address()? else { return Ok(None) };
        let (mut size, mut mask) = (whole, 0);
        if self.is_filtered {
            let address = start - fields.rest().len();
            size = fields.number(self.width - address - 4)?;
            mask = fields.u32()?;
        }
        Ok(Some(StoredChunk { address, size, mask }))
    }
}
