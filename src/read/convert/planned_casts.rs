//! A plan whose columns are cast, each array's items by that array's own attributes.

use std::rc::Rc;

use super::casts::{Becoming, Casts};
use crate::error::{Error, Result};
use crate::metadata::ArrayMetadata;
use crate::output::{Cast, Numeric, OutputField};
use crate::read::plan::Plan;

impl Plan<'_> {
    /// This read, with columns cast by the metadata of their array.
    ///
    /// # Errors
    /// What working out the cast gives, [`Error::Unsupported`] where items of two arrays became numbers of two types.
    pub fn with_casts(
        mut self,
        cast: impl Fn(&ArrayMetadata, &OutputField) -> Result<Option<Cast>>,
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
