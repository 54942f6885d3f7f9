//! Indexes of chunks: from the coordinates of a chunk to the bytes that store it.
//!
//! Fixed and extensible arrays and implicit indexes number chunks in C order over the longest shape of the array, and
//! extensible arrays move the unlimited axis to the front first. libhdf5's own lists of chunks do not move it back.

use std::cmp::Ordering;

use super::btree1;
use super::btree2::BTree2;
use super::dataspace::Dataspace;
use super::extensible_array::ExtensibleArray;
use super::fault::{Fault, Read};
use super::fields::number;
use super::file::FileBytes;
use super::fixed_array;
use super::layout::{Chunks, IndexKind};
use super::stored_chunk::StoredChunk;

/// Records of chunks in B-trees of version 2, without and with filters.
const PLAIN: u8 = 10;
const FILTERED: u8 = 11;

impl Chunks {
    /// Looks up the chunk at these coordinates, in chunks; without filters a chunk has `whole` bytes.
    pub(super) fn find(
        &self,
        file: &FileBytes,
        space: &Dataspace,
        coordinates: &[u64],
        whole: u64,
    ) -> Read<Option<StoredChunk>> {
        let Some(address) = self.address else { return Ok(None) };
        match self.index {
            IndexKind::BTree1 => {
                let starts = coordinates.iter().zip(&self.shape).map(|(at, edge)| at.saturating_mul(*edge));
                btree1::chunk(file, address, &starts.collect::<Vec<_>>())
            }
            IndexKind::Single(filtered) => {
                let (size, mask) = filtered.unwrap_or((whole, 0));
                Ok(Some(StoredChunk { address, size, mask }))
            }
            IndexKind::Implicit => {
                let slot = self.slot(space, coordinates, false).saturating_mul(whole);
                Ok(Some(StoredChunk { address: address.saturating_add(slot), size: whole, mask: 0 }))
            }
            IndexKind::FixedArray => {
                fixed_array::chunk(file, address, self.slot(space, coordinates, false), whole)
            }
            IndexKind::ExtensibleArray => {
                let slot = self.slot(space, coordinates, true);
                ExtensibleArray::read(file, address)?.chunk(file, slot, whole)
            }
            IndexKind::BTree2 => Self::in_tree(file, address, coordinates, whole),
        }
    }

    /// Number of a chunk over the longest shape; saturates.
    fn slot(&self, space: &Dataspace, coordinates: &[u64], is_unlimited_first: bool) -> u64 {
        let mut axes: Vec<usize> = (0..coordinates.len()).collect();
        if is_unlimited_first && let Some(unlimited) = space.most.iter().position(Option::is_none) {
            axes.remove(unlimited);
            axes.insert(0, unlimited);
        }
        axes.into_iter().fold(0, |slot: u64, axis| {
            let most = space.most.get(axis).copied().flatten().unwrap_or(0);
            let chunks = most.div_ceil(self.shape[axis]);
            slot.saturating_mul(chunks).saturating_add(coordinates[axis])
        })
    }

    fn in_tree(file: &FileBytes, address: u64, coordinates: &[u64], whole: u64) -> Read<Option<StoredChunk>> {
        let tree = BTree2::read(file, address, &[PLAIN, FILTERED])?;
        let Some(before) = tree.record.checked_sub(8 * coordinates.len()) else {
            return Err(Fault::Short.at(file.offset(address), "a record of chunks").into());
        };
        let found = tree.find(file, |record| {
            let pairs = record[before..].as_chunks().0.iter().zip(coordinates);
            let orders = pairs.map(|(found, wanted)| u64::from_le_bytes(*found).cmp(wanted));
            orders.fold(Ordering::Equal, Ordering::then)
        })?;
        let Some(record) = found else { return Ok(None) };
        let wide = file.widths.address;
        let size = if before == wide {
            Some((whole, 0))
        } else {
            // Bytes of the chunk in the width that is left, and a mask of four.
            let fields = record.get(wide..before).and_then(|rest| rest.split_last_chunk::<4>());
            fields
                .filter(|(size, _)| size.len() <= 8)
                .map(|(size, mask)| (number(size), u32::from_le_bytes(*mask)))
        };
        let address = record.get(..wide).map(number);
        match address.zip(size) {
            Some((address, (size, mask))) => Ok(Some(StoredChunk { address, size, mask })),
            None => Err(Fault::Short.at(file.offset(address.unwrap_or(0)), "a record of chunks").into()),
        }
    }
}
