//! The time budget of a turn of the event loop.

use rectilinear_zarr::read::TurnBudget;

#[test]
fn a_budget_begins_with_the_first_work_and_lasts_four_milliseconds() {
    let mut budget = TurnBudget::default();
    assert!(!budget.is_spent(1e9), "no work was done");
    assert!(budget.begin(1000.0));
    assert!(!budget.is_spent(1003.9));
    // Another read of the same turn gets no budget of its own.
    assert!(!budget.begin(1003.9));
    assert!(budget.is_spent(1004.0));
}
