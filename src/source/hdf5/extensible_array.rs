//! Extensible arrays: the index of chunks of arrays with one unlimited axis.
//!
//! The index block holds the first elements, then the addresses of the first data blocks, then those of super blocks. Super
//! block `i` stands for `2^(i / 2)` data blocks of `2^((i + 1) / 2)` times the least number of elements, and the data
//! blocks of the first super blocks are in the index block.

use super::fault::{Fault, Parsed, Read};
use super::fields::Fields;
use super::file::FileBytes;
use super::stored_chunk::{Elements, StoredChunk};

/// Header of an array.
pub(super) struct ExtensibleArray {
    elements: Elements,
    /// Bits of the number of elements that the array may have.
    bits: u8,
    /// Elements in the index block.
    in_index: u64,
    /// Elements of the smallest data block.
    least: u64,
    /// Data blocks in the index block belong to twice the logarithm of this many super blocks.
    pointers: u64,
    page_bits: u8,
    /// Number of elements up to the last that was written.
    count: u64,
    index: Option<u64>,
}

/// Where an element is, beyond the index block.
struct Place {
    /// Super block, counted from 0.
    super_block: u64,
    /// Data block within the super block.
    block: u64,
    /// Data block over all super blocks.
    block_of_all: u64,
    /// Elements of the data block.
    length: u64,
    /// Element within the data block.
    element: u64,
}

impl ExtensibleArray {
    /// Reads an array's header.
    pub(super) fn read(file: &FileBytes, address: u64) -> Read<Self> {
        let length = 12 + 6 * file.widths.length + file.widths.address;
        let bytes = file.read(address, length as u64 + 4)?;
        let array = Self::parse(file.fields(&bytes));
        let array = array.map_err(|fault| fault.at(file.offset(address), "an extensible array"))?;
        file.verify(address, &bytes, length, "an extensible array")?;
        Ok(array)
    }

    fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        let address = fields.widths().address;
        fields.signature(b"EAHD")?;
        fields.u8()?;
        let (client, width, bits) = (fields.u8()?, fields.u8()?, fields.u8()?);
        let (in_index, least, pointers, page_bits) = (fields.u8()?, fields.u8()?, fields.u8()?, fields.u8()?);
        for _ in 0..4 {
            fields.length()?;
        }
        let count = fields.length()?;
        fields.length()?;
        let index = fields.address()?;
        let is_possible =
            bits <= 64 && least.is_power_of_two() && pointers.is_power_of_two() && page_bits <= 24;
        if !is_possible || count > 1 << 40 {
            return Err(Fault::Damaged("its sizes are impossible"));
        }
        Ok(Self {
            elements: Elements::new(client, width.into(), address)?,
            bits,
            in_index: in_index.into(),
            least: least.into(),
            pointers: pointers.into(),
            page_bits,
            count,
            index,
        })
    }

    /// Looks up the chunk of a slot.
    pub(super) fn chunk(&self, file: &FileBytes, slot: u64, whole: u64) -> Read<Option<StoredChunk>> {
        let Some(index) = self.index.filter(|_| slot < self.count) else { return Ok(None) };
        let (wide, width) = (file.widths.address as u64, self.elements.width as u64);
        let in_index_supers = 2 * u64::from(self.pointers.ilog2());
        let in_index_blocks = 2 * (self.pointers - 1);
        let supers = (1 + u64::from(self.bits)).saturating_sub(u64::from(self.least.ilog2()));
        let blocks_at = 6 + wide + self.in_index * width;
        let supers_at = blocks_at + in_index_blocks * wide;
        let length = supers_at + supers.saturating_sub(in_index_supers) * wide;
        let bytes = file.read(index, length + 4)?;
        let located = |fault: Fault| fault.at(file.offset(index), "an index block of an extensible array");
        self.verify(file, index, &bytes, length, b"EAIB")?;
        let address_at = |at: u64| {
            let bytes = bytes.get(at as usize..).ok_or(Fault::Short);
            bytes.and_then(|bytes| file.fields(bytes).address()).map_err(located)
        };
        let Some(slot) = slot.checked_sub(self.in_index) else {
            return self.element(file, &bytes[(6 + wide + slot * width) as usize..], whole);
        };
        let place = self.place(slot);
        let pages = place.length >> self.page_bits;
        let is_paged = pages > 1;
        if place.super_block < in_index_supers {
            let Some(block) = address_at(blocks_at + place.block_of_all * wide)? else { return Ok(None) };
            return self.in_block(file, block, &place, is_paged, whole);
        }
        if place.super_block >= supers {
            return Err(located(Fault::Damaged("a slot lies beyond its array")).into());
        }
        let Some(block) = address_at(supers_at + (place.super_block - in_index_supers) * wide)? else {
            return Ok(None);
        };
        let blocks = 1 << (place.super_block / 2);
        let bits_at = self.head(file);
        // Bits of pages are numbered through all blocks, in as many bytes as if each block began with a new one.
        let bit_bytes = if is_paged { blocks * pages.div_ceil(8) } else { 0 };
        let length = bits_at + bit_bytes + blocks * wide;
        let bytes = file.read(block, length + 4)?;
        self.verify(file, block, &bytes, length, b"EASB")?;
        if is_paged {
            let page = place.block * pages + (place.element >> self.page_bits);
            if bytes[(bits_at + page / 8) as usize] & 0x80 >> (page % 8) == 0 {
                return Ok(None);
            }
        }
        let mut fields = file.fields(&bytes[(bits_at + bit_bytes + place.block * wide) as usize..]);
        let Some(data) = fields.address().map_err(located)? else { return Ok(None) };
        self.in_block(file, data, &place, is_paged, whole)
    }

    /// Bytes before the contents of super blocks and data blocks.
    fn head(&self, file: &FileBytes) -> u64 {
        6 + file.widths.address as u64 + u64::from(self.bits).div_ceil(8)
    }

    /// Place of an element, counted from the end of those in the index block.
    fn place(&self, slot: u64) -> Place {
        // The super blocks before number i have 2^i - 1 times the least number of elements.
        let super_block = u64::from((slot / self.least + 1).ilog2());
        let within = slot - ((1 << super_block) - 1) * self.least;
        let length = self.least << super_block.div_ceil(2);
        let (block, element) = (within / length, within % length);
        let blocks_before: u64 = (0..super_block).map(|before| 1u64 << (before / 2)).sum();
        Place { super_block, block, block_of_all: blocks_before + block, length, element }
    }

    /// Looks up an element in a data block.
    fn in_block(
        &self,
        file: &FileBytes,
        address: u64,
        place: &Place,
        is_paged: bool,
        whole: u64,
    ) -> Read<Option<StoredChunk>> {
        let (head, width) = (self.head(file), self.elements.width as u64);
        if !is_paged {
            let length = head + place.length * width;
            let bytes = file.read(address, length + 4)?;
            self.verify(file, address, &bytes, length, b"EADB")?;
            return self.element(file, &bytes[(head + place.element * width) as usize..], whole);
        }
        // The head has a checksum of its own, and so has each page.
        let in_page = 1 << self.page_bits;
        let page = place.element / in_page;
        let start = address.saturating_add(head + 4 + page * (in_page * width + 4));
        let length = in_page * width;
        let bytes = file.read(start, length + 4)?;
        file.verify(start, &bytes, length as usize, "a page of an extensible array")?;
        self.element(file, &bytes[(place.element % in_page * width) as usize..], whole)
    }

    fn element(&self, file: &FileBytes, bytes: &[u8], whole: u64) -> Read<Option<StoredChunk>> {
        let chunk = self.elements.chunk(file.fields(bytes), whole);
        Ok(chunk.map_err(|fault| fault.at(0, "an element of an extensible array"))?)
    }

    fn verify(&self, file: &FileBytes, address: u64, bytes: &[u8], length: u64, name: &[u8]) -> Read<()> {
        let what = "a block of an extensible array";
        file.fields(bytes).signature(name).map_err(|fault| fault.at(file.offset(address), what))?;
        Ok(file.verify(address, bytes, length as usize, what)?)
    }
}
