//! Collecting values that may fail, by one plain loop: `collect` into a `Result` compiles to three functions a caller.

/// Outcome of a step: a value, or a failure (`Result`, `Option`).
pub(crate) trait Outcome: Sized {
    /// List of all values, or the first failure.
    type List;

    /// Lists values up to the first failure.
    fn list(outcomes: impl Iterator<Item = Self>) -> Self::List;
}

impl<T, E> Outcome for Result<T, E> {
    type List = Result<Vec<T>, E>;

    fn list(outcomes: impl Iterator<Item = Self>) -> Self::List {
        let mut list = Vec::new();
        for outcome in outcomes {
            list.push(outcome?);
        }
        Ok(list)
    }
}

impl<T> Outcome for Option<T> {
    type List = Option<Vec<T>>;

    fn list(outcomes: impl Iterator<Item = Self>) -> Self::List {
        let mut list = Vec::new();
        for outcome in outcomes {
            list.push(outcome?);
        }
        Some(list)
    }
}

/// Iterator over outcomes.
pub(crate) trait Gather: Iterator<Item: Outcome> + Sized {
    /// The list of all values, or the first failure.
    fn gathered(self) -> <Self::Item as Outcome>::List {
        Self::Item::list(self)
    }
}

impl<I: Iterator<Item: Outcome>> Gather for I {}
