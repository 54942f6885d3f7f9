//! The layout of a result: its length along each axis, and the columns that its items are read into.
//!
//! Invariant: the items of one column have one type after the cast, whichever array they come from.

use std::rc::Rc;

use super::cast::Cast;
use crate::error::Error;
use crate::grid::ChunkSelection;
use crate::metadata::DataType;

/// A field that is read from each item, or the whole item.
#[derive(Debug, Clone)]
pub struct OutputField {
    /// Offset in the item, in bytes.
    pub offset: usize,
    /// Data type of the field, before the cast.
    pub data_type: DataType,
    /// Fill value of the field, before the cast.
    pub fill_value: Vec<u8>,
    /// Cast of the field; `None` leaves it unchanged.
    pub cast: Option<Rc<Cast>>,
    /// Alignment in bytes of each row of the result; `None` leaves no gaps between rows.
    pub row_alignment: Option<usize>,
}

impl OutputField {
    /// The whole item, without a cast.
    #[must_use]
    pub fn whole(data_type: &DataType, fill_value: &[u8]) -> Self {
        Self {
            offset: 0,
            data_type: data_type.clone(),
            fill_value: fill_value.to_vec(),
            cast: None,
            row_alignment: None,
        }
    }

    /// Bytes from one row of `length` items to the next.
    #[must_use]
    pub fn row_size(&self, length: u64) -> u64 {
        let size = length.saturating_mul(self.item_size() as u64);
        size.checked_next_multiple_of(self.row_alignment.unwrap_or(1) as u64).unwrap_or(u64::MAX)
    }

    /// Bytes of a result of this shape.
    #[must_use]
    pub fn size(&self, shape: &[u64]) -> u64 {
        match shape {
            [] => self.item_size() as u64,
            [rows @ .., length] => rows.iter().copied().fold(self.row_size(*length), u64::saturating_mul),
        }
    }

    /// Bytes of an item of the result.
    #[must_use]
    pub fn item_size(&self) -> usize {
        self.cast.as_ref().map_or(self.data_type.item_size(), |cast| cast.sizes().1)
    }
}

/// Cast of each column; `None` where its items stay as they are.
pub type ColumnCasts = Vec<Option<Rc<Cast>>>;

/// Layout of a result.
#[derive(Debug, Clone)]
pub struct ResultLayout {
    /// Length along each selected axis; `None` where an integer drops the axis.
    pub lengths: Vec<Option<u64>>,
    /// Columns, at least one, with the casts of the first array.
    pub columns: Vec<OutputField>,
    /// Concatenated arrays whose casts differ from those in the columns, sorted by their numbers.
    pub other_casts: Rc<Vec<(usize, ColumnCasts)>>,
}

/// Where the items of a chunk, or of a row of chunks, go in a result.
#[derive(Debug, Clone, Copy)]
pub struct ChunkPlace<'a> {
    /// Number of the chunk's array among concatenated ones.
    pub array: usize,
    /// Selected items of the chunk, and their positions in the result; of a row, those of its first chunk.
    pub selection: &'a ChunkSelection,
    /// Number of chunks that lie side by side along the last axis.
    pub chunks: usize,
}

impl ResultLayout {
    /// Layout of one column.
    #[must_use]
    pub fn of_column(lengths: Vec<Option<u64>>, column: OutputField) -> Self {
        Self { lengths, columns: vec![column], other_casts: Rc::default() }
    }

    /// Shape of the result: axes that an integer selects are dropped.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.lengths.iter().copied().flatten().collect()
    }

    /// Outermost axis of the result; `None` where the result is one item.
    #[must_use]
    pub fn outermost(&self) -> Option<usize> {
        self.lengths.iter().position(Option::is_some)
    }

    /// Bytes of the result; saturates at `u64::MAX`.
    #[must_use]
    pub fn size(&self) -> u64 {
        let shape = self.shape();
        self.columns.iter().map(|column| column.size(&shape)).fold(0, u64::saturating_add)
    }

    /// Error for a result that is larger than this machine can hold.
    #[must_use]
    pub fn too_large(&self) -> Error {
        let reason = format!("the result would take {} bytes; select less at once", self.size());
        Error::Selection { axis: None, reason }
    }

    /// Cast of a column's items that come from this array.
    pub(crate) fn cast(&self, array: usize, nth: usize) -> Option<Rc<Cast>> {
        let others = &self.other_casts;
        match others.binary_search_by_key(&array, |(number, _)| *number) {
            Ok(at) => others[at].1[nth].clone(),
            Err(_) => self.columns[nth].cast.clone(),
        }
    }
}
