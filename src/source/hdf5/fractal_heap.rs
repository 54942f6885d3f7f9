//! Fractal heaps: where links and attributes are that do not fit a header.

use super::btree2;
use super::fault::{Fault, Parsed, Read};
use super::fields::{Fields, number, width_of};
use super::file::FileBytes;

/// Most bytes of an object: 16 MiB.
const MOST_BYTES: u64 = 16 << 20;

/// Bytes after a heap's header that probably have its first block, or the node of names that was made with it.
const PROBABLE: u64 = 1 << 10;

/// Type of the records of long objects in the heap's B-tree.
const LONG: u8 = 1;

/// A heap.
pub(super) struct FractalHeap {
    /// Address of the tree of long objects.
    long: Option<u64>,
    /// Blocks in a row of the table.
    width: u64,
    /// Bytes of a block of the first two rows.
    start: u64,
    /// Bytes of the longest block that holds objects itself.
    longest: u64,
    /// Bytes of an offset in the heap, and of an object's length.
    offset_width: usize,
    length_width: usize,
    root: Option<u64>,
    /// Rows of the root; 0 where it is a block of objects.
    rows: u64,
    /// Bytes of an id.
    id: usize,
    is_filtered: bool,
}

impl FractalHeap {
    /// Reads a heap's header, and asks for the block that it leads to: names are read beside it, and lead to that block too.
    pub(super) fn read(file: &FileBytes, address: u64) -> Read<Self> {
        let heap = Self::head(file, address)?;
        if let Some(root) = heap.root.filter(|_| !heap.is_filtered) {
            let head = 5 + file.widths.address as u64 + heap.offset_width as u64;
            let table = head + heap.rows * heap.width * file.widths.address as u64;
            file.read(root, if heap.rows == 0 { heap.start } else { table })?;
        }
        Ok(heap)
    }

    fn head(file: &FileBytes, address: u64) -> Read<Self> {
        let (wide, long) = (file.widths.address, file.widths.length);
        let length = 4 + 1 + 2 + 2 + 1 + 4 + 10 * long + 2 * wide + 2 + 2 * long + 2 + 2 + wide + 2;
        let bytes = file.read_ahead(address, length as u64 + 4, PROBABLE)?;
        let heap = Self::parse(file.fields(&bytes));
        let heap = heap.map_err(|fault| fault.at(file.offset(address), "a heap"))?;
        if !heap.is_filtered {
            file.verify(address, &bytes, length, "a heap")?;
        }
        Ok(heap)
    }

    fn parse(mut fields: Fields<'_>) -> Parsed<Self> {
        fields.signature(b"FRHP")?;
        if fields.u8()? != 0 {
            return Err(Fault::Unsupported("a newer version of HDF5's fractal heaps".to_owned()));
        }
        let (id, filters) = (fields.u16()?, fields.u16()?);
        fields.u8()?;
        let most = u64::from(fields.u32()?);
        fields.length()?;
        let long = fields.address()?;
        fields.length()?;
        fields.address()?;
        for _ in 0..8 {
            fields.length()?;
        }
        let width = u64::from(fields.u16()?);
        let (start, longest) = (fields.length()?, fields.length()?);
        let bits = fields.u16()?;
        fields.u16()?;
        let root = fields.address()?;
        let rows = u64::from(fields.u16()?);
        let is_possible = width > 0
            && start.is_power_of_two()
            && longest.is_power_of_two()
            && start <= longest
            && longest <= MOST_BYTES
            && width.is_power_of_two()
            && bits <= 64
            && rows <= 64;
        if !is_possible {
            return Err(Fault::Damaged("its sizes are impossible"));
        }
        let offset_width = usize::from(bits).div_ceil(8);
        let length_width = (longest.ilog2() as usize).div_ceil(8).min(width_of(most));
        let is_filtered = filters > 0;
        Ok(Self {
            long,
            width,
            start,
            longest,
            offset_width,
            length_width,
            root,
            rows,
            id: id.into(),
            is_filtered,
        })
    }

    /// Reads the object of an id.
    pub(super) fn object(&self, file: &FileBytes, id: &[u8]) -> Read<Vec<u8>> {
        let fault = |fault: Fault| fault.at(0, "an id in a heap");
        let id = id.get(..self.id).ok_or_else(|| fault(Fault::Short))?;
        let mut fields = file.fields(id);
        let head = fields.u8().map_err(fault)?;
        match head >> 4 & 3 {
            0 => {
                let offset = fields.number(self.offset_width).map_err(fault)?;
                let length = fields.number(self.length_width).map_err(fault)?;
                let address = self.locate(file, offset)?;
                file.read(address, length)
            }
            1 => {
                if self.is_filtered {
                    let feature = "long objects of HDF5 heaps with filters".to_owned();
                    return Err(fault(Fault::Unsupported(feature)).into());
                }
                let direct = file.widths.address + file.widths.length;
                let (address, length) = if fields.rest().len() >= direct {
                    (fields.place().map_err(fault)?, fields.length().map_err(fault)?)
                } else {
                    self.long(file, number(&fields.rest()[..fields.rest().len().min(8)]))?
                };
                if length > MOST_BYTES {
                    return Err(fault(Fault::Damaged("an object has more than 16 MiB")).into());
                }
                file.read(address, length)
            }
            2 => {
                let length = usize::from(head & 0xf) + 1;
                Ok(fields.bytes(length).map_err(fault)?.to_vec())
            }
            _ => Err(fault(Fault::Damaged("it is of an unknown kind")).into()),
        }
    }

    /// Address and length of a long object.
    fn long(&self, file: &FileBytes, wanted: u64) -> Read<(u64, u64)> {
        let fault = |fault: Fault| fault.at(0, "a long object of a heap");
        let tree = self.long.ok_or_else(|| fault(Fault::Damaged("the heap has no tree of long objects")))?;
        for record in btree2::records(file, tree, LONG)? {
            let mut fields = file.fields(&record);
            let mut parsed = || -> Parsed<_> { Ok((fields.place()?, fields.length()?, fields.length()?)) };
            let (address, length, id) = parsed().map_err(fault)?;
            if id == wanted {
                return Ok((address, length));
            }
        }
        Err(fault(Fault::Damaged("it is not in its tree")).into())
    }

    /// Address of an offset in the heap.
    fn locate(&self, file: &FileBytes, offset: u64) -> Read<u64> {
        let fault = |reason| Fault::Damaged(reason).at(0, "an id in a heap");
        if self.is_filtered {
            return Err(Fault::Unsupported("HDF5 heaps with filters".to_owned()).at(0, "a heap").into());
        }
        let mut block = self.root.ok_or_else(|| fault("the heap is empty"))?;
        let (mut rows, mut offset) = (self.rows, offset);
        let direct_rows = u64::from(self.longest.ilog2() - self.start.ilog2()) + 2;
        let first = self.width * self.start;
        while rows > 0 {
            // The first two rows have blocks of one size; each further row has blocks twice as long.
            let row = (offset / first).checked_ilog2().map_or(0, |row| u64::from(row) + 1);
            if row >= rows {
                return Err(fault("it lies beyond the heap").into());
            }
            let before = if row == 0 { 0 } else { first << (row - 1) };
            let size = if row == 0 { self.start } else { self.start << (row - 1) };
            let nth = row * self.width + (offset - before) / size;
            let entries = block
                .saturating_add(5 + file.widths.address as u64 + self.offset_width as u64)
                .saturating_add(nth * file.widths.address as u64);
            let entry = file.read(entries, file.widths.address as u64)?;
            let child = file.fields(&entry).address().map_err(|fault| fault.at(0, "a heap"))?;
            block = child.ok_or_else(|| fault("its block was never written"))?;
            offset = (offset - before) % size;
            if row < direct_rows {
                break;
            }
            // A nested table has as many rows as its bytes need.
            rows = u64::from(size.ilog2().saturating_sub(first.ilog2())) + 1;
        }
        if rows == 0 && offset >= self.longest {
            return Err(fault("it lies beyond the heap").into());
        }
        Ok(block.saturating_add(offset))
    }
}
