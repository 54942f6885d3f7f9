//! The schedule of workers, and the policy that says what they are for.

use rectilinear_zarr::read::{WorkerPolicy, WorkerSchedule};

const MIB: u64 = 1 << 20;

/// Two workers, 7 and 8, and so many jobs of as many bytes, of one array.
fn crew(jobs: u64, bytes: u64) -> WorkerSchedule {
    let mut crew = WorkerSchedule::default();
    crew.join(7);
    crew.join(8);
    (0..jobs).for_each(|job| crew.push(job, 1, bytes));
    crew
}

fn popped(crew: &mut WorkerSchedule) -> Vec<(u32, Vec<u64>)> {
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
fn a_worker_has_two_batches_and_whoever_has_less_gets_the_next() {
    let mut crew = crew(5, MIB);
    assert_eq!(popped(&mut crew), [(7, vec![0]), (8, vec![1]), (7, vec![2]), (8, vec![3])]);
    assert_eq!(crew.done(8), [1]);
    assert_eq!(popped(&mut crew), [(8, vec![4])]);
    assert_eq!(crew.done(8), [3], "answers come in the order of the batches");
    crew.push(6, 1, 10 * MIB);
    assert_eq!(popped(&mut crew), [(8, vec![6])]);
    assert!(!crew.is_idle());
}

#[test]
fn workers_have_more_batches_while_half_as_much_waits_for_others() {
    let mut crew = WorkerSchedule::default();
    crew.join(7);
    let sent =
        |crew: &mut WorkerSchedule| popped(crew).into_iter().flat_map(|(_, jobs)| jobs).collect::<Vec<_>>();
    (0..3).for_each(|job| crew.push(job, 1, MIB));
    assert_eq!(sent(&mut crew), [0, 1], "two batches, and one that waits");
    crew.push(3, 1, MIB);
    assert_eq!(sent(&mut crew), [2]);
    crew.push(4, 1, MIB);
    assert_eq!(sent(&mut crew), [3]);
    crew.push(5, 1, MIB);
    assert_eq!(sent(&mut crew), [0_u64; 0], "four batches, and two that wait");
    (6..30).for_each(|job| crew.push(job, 1, MIB));
    assert_eq!(sent(&mut crew), [4, 5, 6, 7], "eight MiB at most");
    assert!(crew.has_waiting());
}

#[test]
fn a_worker_has_eight_batches_at_most() {
    let mut crew = WorkerSchedule::default();
    crew.join(7);
    // Jobs of an array each share no batch.
    (0..100).for_each(|job| crew.push(job, job, 1 << 14));
    assert_eq!(popped(&mut crew).len(), 8);
}

#[test]
fn answers_may_overtake_those_to_older_batches() {
    let mut crew = crew(4, MIB);
    popped(&mut crew);
    assert_eq!(crew.done_after(7, 1), [2], "the first batch of the worker has no answer yet");
    assert_eq!(crew.done_after(7, 1), [0_u64; 0], "there is no such batch");
    assert_eq!(crew.done_after(7, 0), [0]);
    assert_eq!(crew.done_after(9, 0), [0_u64; 0], "there is no such worker");
    assert_eq!([crew.done(8), crew.done(8)], [[1], [3]]);
    assert!(crew.is_idle());
}

#[test]
fn what_nobody_wants_is_not_sent() {
    let mut crew = crew(5, MIB);
    popped(&mut crew);
    crew.push(5, 1, MIB);
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
    let mut crew = crew(5, MIB);
    popped(&mut crew);
    assert!(crew.died(7, |_| true).is_empty());
    assert_eq!((crew.size(), crew.done(8)), (1, vec![1]));
    assert_eq!(popped(&mut crew), [(8, vec![0]), (8, vec![2])], "before job 4");
    assert_eq!(crew.done(8), [3]);
    crew.join(9);
    assert_eq!(popped(&mut crew), [(9, vec![4])]);
    assert!(crew.died(9, |_| true).is_empty(), "job 4 died for the first time");
    assert_eq!(crew.died(8, |_| true), [2, 0]);
    assert_eq!((crew.dismiss(true), crew.dismiss(false)), (vec![4], vec![]));
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
    let mut crew = crew(4, MIB);
    popped(&mut crew);
    (4..6).for_each(|job| crew.push(job, 1, MIB));
    assert_eq!(crew.take(|job| job % 2 == 0), [4], "0 and 2 are with workers");
    crew.done(7);
    assert_eq!(popped(&mut crew), [(7, vec![5])]);
}

#[test]
fn the_calling_thread_takes_the_newest_job_once_every_worker_has_enough() {
    let mut crew = crew(6, MIB);
    assert_eq!(crew.pop_newest(), None, "the workers have nothing yet");
    popped(&mut crew);
    assert_eq!((crew.pop_newest(), crew.pop_newest()), (Some(5), None));
    let mut none = WorkerSchedule::default();
    none.push(1, 1, MIB);
    assert_eq!(none.pop_newest(), None, "without workers, jobs are given back by another way");
}

#[test]
fn the_calling_thread_leaves_alone_what_a_worker_died_with() {
    let mut crew = crew(5, MIB);
    popped(&mut crew);
    crew.died(7, |_| true);
    // 0 and 2 wait again, before 4; worker 8 has two batches.
    assert_eq!(std::iter::from_fn(|| crew.pop_newest()).collect::<Vec<_>>(), [4]);
}

#[test]
fn workers_are_one_less_than_processors_and_four_at_most() {
    let workers = |processors| WorkerPolicy::automatic(processors).workers();
    assert_eq!([0, 1, 2, 4, 5, 64].map(workers), [1, 1, 1, 3, 4, 4]);
    assert_eq!(WorkerPolicy::fixed(7).workers(), 7);
}

#[test]
fn what_is_worth_the_way_is_sent_and_what_the_caller_asked_for_always() {
    let automatic = WorkerPolicy::automatic(4);
    // gzip, zstd, blosc with zstd; lz4, and blosc with it; nothing but items.
    let sent = [200, 600, 1000, 3000, u64::MAX].map(|rate| automatic.sends(MIB / 2, MIB, rate));
    assert_eq!(sent, [true, true, true, false, false]);
    // 4 KiB of zstd take 7 microseconds, a message 30.
    assert!(!automatic.sends(2 << 10, 4 << 10, 600));
    assert!(WorkerPolicy::fixed(2).sends(2 << 10, 4 << 10, 3000));
    assert!(automatic.starts(8 << 20) && !automatic.starts((8 << 20) - 1));
    assert!(automatic.uses(1, false) && !automatic.uses(1, true) && automatic.uses(512 << 10, true));
}
