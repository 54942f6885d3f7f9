//! Which worker decodes what.

use rectilinear_zarr::read::Crew;

const MIB: u64 = 1 << 20;

/// Two workers, 7 and 8, and so many jobs of as many bytes, of one array.
fn crew(jobs: u64, bytes: u64) -> Crew {
    let mut crew = Crew::default();
    crew.join(7);
    crew.join(8);
    (0..jobs).for_each(|job| crew.push(job, 1, bytes));
    crew
}

fn popped(crew: &mut Crew) -> Vec<(u32, Vec<u64>)> {
    std::iter::from_fn(|| crew.pop()).collect()
}

#[test]
fn little_jobs_travel_together_and_large_ones_alone() {
    let mut crew = crew(5, MIB / 2);
    assert_eq!(popped(&mut crew), [(7, vec![0, 1]), (8, vec![2, 3]), (7, vec![4])]);
    let mut crew = self::crew(3, 3 * MIB);
    assert_eq!(popped(&mut crew), [(7, vec![0]), (8, vec![1]), (7, vec![2])]);
}

#[test]
fn jobs_of_two_arrays_travel_apart() {
    let mut crew = crew(1, 10);
    crew.push(1, 2, 10);
    crew.push(2, 1, 10);
    let sent: Vec<Vec<u64>> = popped(&mut crew).into_iter().map(|(_, jobs)| jobs).collect();
    assert_eq!(sent, [vec![0], vec![1], vec![2]]);
}

#[test]
fn a_worker_has_two_parcels_and_whoever_has_less_gets_the_next() {
    let mut crew = crew(6, MIB);
    assert_eq!(popped(&mut crew), [(7, vec![0]), (8, vec![1]), (7, vec![2]), (8, vec![3])]);
    assert_eq!(crew.done(8), [1]);
    assert_eq!(popped(&mut crew), [(8, vec![4])]);
    assert_eq!(crew.done(8), [3], "answers come in the order of the parcels");
    crew.push(6, 1, 10 * MIB);
    assert_eq!(popped(&mut crew), [(8, vec![5])]);
    assert!(!crew.is_idle());
}

#[test]
fn what_nobody_wants_is_not_sent() {
    let mut crew = crew(6, MIB);
    popped(&mut crew);
    crew.remove(0);
    crew.remove(4);
    assert_eq!(crew.done(7), [0], "what was sent goes on");
    assert_eq!(popped(&mut crew), [(7, vec![5])]);
    assert!(crew.died(8, |job| job != 1).is_empty());
    crew.done(7);
    assert_eq!(popped(&mut crew), [(7, vec![3])], "1 is left out");
}

#[test]
fn the_jobs_of_a_worker_that_died_are_tried_once_more_and_first() {
    let mut crew = crew(6, MIB);
    popped(&mut crew);
    assert!(crew.died(7, |_| true).is_empty());
    assert_eq!((crew.size(), crew.done(8)), (1, vec![1]));
    assert_eq!(popped(&mut crew), [(8, vec![0])], "the first of those that it had");
    crew.join(9);
    assert_eq!(popped(&mut crew), [(9, vec![2]), (9, vec![4])]);
    assert_eq!(crew.died(9, |_| true), [2], "job 4 died for the first time");
    assert_eq!(crew.done(8), [3]);
    assert_eq!(popped(&mut crew), [(8, vec![4])]);
    assert_eq!(crew.died(8, |_| true), [4, 0]);
    assert_eq!((crew.dismiss(true), crew.dismiss(false)), (vec![], vec![5]));
    assert!(crew.is_idle());
}

#[test]
fn without_workers_nothing_is_sent() {
    let mut crew = crew(2, MIB);
    popped(&mut crew);
    assert_eq!(
        (crew.died(7, |_| true), crew.died(8, |_| true), crew.died(8, |_| true)),
        (vec![], vec![], vec![])
    );
    crew.push(2, 1, 5);
    assert_eq!(crew.pop(), None);
    assert_eq!((crew.dismiss(false), crew.dismiss(true)), (vec![2], vec![1, 0]));
}

#[test]
fn what_is_taken_back_is_not_sent() {
    let mut crew = crew(6, MIB);
    popped(&mut crew);
    assert_eq!(crew.take(|job| job % 2 == 0), [4], "0 and 2 are with workers");
    crew.done(7);
    assert_eq!(popped(&mut crew), [(7, vec![5])]);
}
