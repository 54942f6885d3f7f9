//! Plans with casts: each array's items are cast by its own attributes.

use std::rc::Rc;

use super::casts::{Casts, ColumnCasts};
use crate::error::{Error, Result};
use crate::metadata::ArrayMetadata;
use crate::output::{Cast, Numeric, OutputField};
use crate::read::plan::Plan;

impl Plan<'_> {
    /// Adds casts to the plan; `cast` gives the cast of a column by the metadata of its array.
    ///
    /// # Errors
    /// The errors of `cast`; [`Error::Unsupported`] where items of two arrays would have different types.
    pub fn with_casts(
        mut self,
        cast: impl Fn(&ArrayMetadata, &OutputField) -> Result<Option<Cast>>,
    ) -> Result<Self> {
        let (mut usual, mut others) = (ColumnCasts::new(), Vec::new());
        // The concatenation has the first array's metadata, whose casts become the usual ones.
        let whole = std::iter::once((0, self.array()));
        let parts = self.shares().into_iter().map(|(number, array, _)| (number, array));
        for (nth, (number, array)) in whole.chain(parts).enumerate() {
            if nth > 0 && std::ptr::eq(array, self.array()) {
                continue;
            }
            let mut own = ColumnCasts::new();
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
    target(cast).map_or("the stored type".to_owned(), |target| target.to_string())
}

fn of_two_types(number: usize, [this, first]: [String; 2]) -> Error {
    Error::Unsupported {
        feature: "a concatenation of items that decode to different types".to_owned(),
        reason: format!(
            "by their attributes, items of array {number} decode to {this}, those of array 0 to {first}; pass the \
             option as to choose one type"
        ),
    }
}
