//! Casts of the items of concatenated arrays, each array's by its own attributes.
//!
//! Invariant: the items of one column have one type after the cast, whichever array they come from.

use std::rc::Rc;

use crate::output::{Assembly, Cast, OutputField};

/// Cast of each column; `None` where its items stay as they are.
pub(crate) type ColumnCasts = Vec<Option<Rc<Cast>>>;

/// Arrays whose casts differ from those in a plan's columns, sorted by their numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Casts(pub(crate) Rc<Vec<(usize, ColumnCasts)>>);

impl Casts {
    /// Sets the cast of a column's items to that of the array that they come from.
    pub(crate) fn apply(&self, array: usize, (nth, column): (usize, &OutputField), items: &mut Assembly) {
        if !self.0.is_empty() {
            let found = self.0.binary_search_by_key(&array, |(number, _)| *number);
            items.cast.clone_from(found.map_or(&column.cast, |at| &self.0[at].1[nth]));
        }
    }
}
