//! Lists of what may fail, made by one plain loop: `collect` into a `Result` compiles to three functions for each caller.

/// An outcome: something, or the reason why there is nothing.
pub(crate) trait Outcome: Sized {
    /// The list of somethings, or the first reason.
    type List;

    /// Lists what is there until something is not.
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

/// Iterators of outcomes.
pub(crate) trait Gather: Iterator<Item: Outcome> + Sized {
    /// The list of all, or the first failure.
    fn gathered(self) -> <Self::Item as Outcome>::List {
        Self::Item::list(self)
    }
}

impl<I: Iterator<Item: Outcome>> Gather for I {}
