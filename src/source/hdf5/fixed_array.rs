//! Fixed arrays: the index of chunks of arrays without an unlimited axis.

use super::fault::{Fault, Parsed, Read};
use super::fields::Fields;
use super::file::FileBytes;
use super::stored_chunk::{Elements, StoredChunk};

/// Header of an array.
struct FixedArray {
    elements: Elements,
    /// Elements of a page: 2 to this power.
    page_bits: u8,
    count: u64,
    data: Option<u64>,
}

/// Looks up the chunk of a slot.
pub(super) fn chunk(file: &FileBytes, address: u64, slot: u64, whole: u64) -> Read<Option<StoredChunk>> {
    let wide = file.widths.address as u64;
    let length = 8 + file.widths.length + file.widths.address;
    let bytes = file.read(address, length as u64 + 4)?;
    let array = FixedArray::parse(file.fields(&bytes));
    let array = array.map_err(|fault| fault.at(file.offset(address), "a fixed array"))?;
    file.verify(address, &bytes, length, "a fixed array")?;
    let Some(data) = array.data.filter(|_| slot < array.count) else { return Ok(None) };
    let width = array.elements.width as u64;
    let in_page = 1 << array.page_bits;
    let before = 6 + wide;
    let (start, length, nth) = if array.count <= in_page {
        let length = before.saturating_add(array.count * width);
        (data, length, slot * width + before)
    } else {
        // A bit for each page says whether it was written.
        let pages = array.count.div_ceil(in_page);
        let head = before + pages.div_ceil(8);
        let bits = file.read(data, head + 4)?;
        file.verify(data, &bits, head as usize, "a fixed array's pages")?;
        let page = slot / in_page;
        if bits[(before + page / 8) as usize] & 0x80 >> (page % 8) == 0 {
            return Ok(None);
        }
        let start = data + head + 4 + page * (in_page * width + 4);
        let count = in_page.min(array.count - page * in_page);
        (start, count * width, slot % in_page * width)
    };
    let bytes = file.read(start, length + 4)?;
    file.verify(start, &bytes, length as usize, "a fixed array's elements")?;
    let element = &bytes[nth as usize..(nth + width) as usize];
    let chunk = array.elements.chunk(file.fields(element), whole);
    Ok(chunk.map_err(|fault| fault.at(file.offset(start), "a fixed array"))?)
}

impl FixedArray {
    fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        let address = fields.widths().address;
        fields.signature(b"FAHD")?;
        fields.u8()?;
        let (client, width, page_bits) = (fields.u8()?, fields.u8()?, fields.u8()?);
        let (count, data) = (fields.length()?, fields.address()?);
        if page_bits > 24 || count > 1 << 40 {
            return Err(Fault::Damaged("its sizes are impossible"));
        }
        let elements = Elements::new(client, width.into(), address)?;
        Ok(Self { elements, page_bits, count, data })
    }
}
