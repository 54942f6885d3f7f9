//! Columns of an answer: one statistic of all cells, and how those of a tile come to their places.

/// One statistic of all cells.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerColumn {
    /// Numbers as `f64`.
    Floats(Vec<f64>),
    /// 64-bit integers; of uint64, the bits.
    Integers(Vec<i64>),
}

impl AnswerColumn {
    /// This column of one cell for so many cells; that of none has the width of counters, and stays as it is.
    pub(super) fn repeated(self, cells: usize) -> Self {
        match self {
            Self::Floats(one) => Self::Floats(one.repeat(cells)),
            Self::Integers(one) => Self::Integers(one.repeat(cells)),
        }
    }

    /// Writes the numbers of each cell to its place in the answer.
    pub(super) fn scatter(self, places: &[usize], answer: &mut Self) {
        fn scatter<T: Copy>(own: &[T], places: &[usize], answer: &mut Vec<T>) {
            let width = own.len() / places.len().max(1);
            if answer.is_empty() {
                // Counters, which one tile has for all cells.
                answer.extend_from_slice(own);
                return;
            }
            for (items, place) in own.chunks_exact(width.max(1)).zip(places) {
                answer[place * width..][..width].copy_from_slice(items);
            }
        }
        match (self, answer) {
            (Self::Floats(own), Self::Floats(answer)) => scatter(&own, places, answer),
            (Self::Integers(own), Self::Integers(answer)) => scatter(&own, places, answer),
            _ => {}
        }
    }
}
