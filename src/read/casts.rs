//! What becomes of the items of arrays that were laid end to end: each array's by its own attributes.
//!
//! Invariant: items of one column become numbers of one type, whichever array they are of.

use std::rc::Rc;

use super::plan::Plan;
use crate::error::{Error, Result};
use crate::metadata::ArrayMetadata;
use crate::output::{Assembly, Cast, Column, Numeric};

/// What becomes of each column's items; nothing where they stay as they are.
type Becoming = Vec<Option<Rc<Cast>>>;

/// The arrays, in the order of their numbers, of whose items something else becomes than the columns of a plan say.
#[derive(Debug, Clone, Default)]
pub(super) struct Casts(Rc<Vec<(usize, Becoming)>>);

impl Casts {
    /// Has those items of a column, by its place among the others, that are an array's put as what becomes of them.
    pub(super) fn apply(&self, array: usize, (nth, column): (usize, &Column), items: &mut Assembly) {
        if !self.0.is_empty() {
            let found = self.0.binary_search_by_key(&array, |(number, _)| *number);
            items.cast.clone_from(found.map_or(&column.cast, |at| &self.0[at].1[nth]));
        }
    }
}

impl Plan<'_> {
    /// The same read of columns that something becomes of, by the metadata of their array.
    ///
    /// # Errors
    /// What working out the cast gives, [`Error::Unsupported`] where items of two arrays became numbers of two types.
    pub fn with_casts(
        mut self,
        cast: impl Fn(&ArrayMetadata, &Column) -> Result<Option<Cast>>,
    ) -> Result<Self> {
        let (mut usual, mut others) = (Becoming::new(), Vec::new());
        // The whole has the first one's metadata: what its columns become, those of all are.
        let whole = std::iter::once((0, self.array()));
        let parts = self.shares().into_iter().map(|(number, array, _)| (number, array));
        for (nth, (number, array)) in whole.chain(parts).enumerate() {
            if nth > 0 && std::ptr::eq(array, self.array()) {
                continue;
            }
            let mut own = Becoming::new();
            for column in &self.columns {
                own.push(cast(&array.metadata, column)?.map(Rc::new));
            }
            if nth == 0 {
                usual = own;
                continue;
            }
            if let Some((own, usual)) =
                own.iter().zip(&usual).find(|(own, usual)| target(own) != target(usual))
            {
                return Err(of_two_types(number, [own, usual].map(named)));
            }
            if own != usual {
                others.push((number, own));
            }
        }
        self.casts = Casts(Rc::new(others));
        self.columns.iter_mut().zip(usual).for_each(|(column, cast)| column.cast = cast);
        Ok(self)
    }
}

fn target(cast: &Option<Rc<Cast>>) -> Option<Numeric> {
    cast.as_ref().map(|cast| cast.target())
}

fn named(cast: &Option<Rc<Cast>>) -> String {
    target(cast).map_or("what is stored".to_owned(), |target| target.to_string())
}

fn of_two_types(number: usize, [this, first]: [String; 2]) -> Error {
    Error::Unsupported {
        feature: "a concatenation of items that become different types".to_owned(),
        reason: format!(
            "by their attributes those of array {number} become {this}, those of array 0 {first}; say with the option \
             as which one all are wanted as"
        ),
    }
}
