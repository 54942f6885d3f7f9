//! Casts of the items of arrays that were laid end to end: each array's by its own attributes.
//!
//! Invariant: items of one column become numbers of one type, whichever array they are of.

use std::rc::Rc;

use crate::output::{Assembly, Cast, OutputField};

/// Cast of each column's items; nothing where they stay as they are.
pub(crate) type Becoming = Vec<Option<Rc<Cast>>>;

/// The arrays, in the order of their numbers, of whose items something else becomes than the columns of a plan say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Casts(pub(crate) Rc<Vec<(usize, Becoming)>>);

impl Casts {
    /// Has those items of a column, by its place among the others, that are an array's put as what becomes of them.
    pub(crate) fn apply(&self, array: usize, (nth, column): (usize, &OutputField), items: &mut Assembly) {
        if !self.0.is_empty() {
            let found = self.0.binary_search_by_key(&array, |(number, _)| *number);
            items.cast.clone_from(found.map_or(&column.cast, |at| &self.0[at].1[nth]));
        }
    }
}
