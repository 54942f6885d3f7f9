//! Requests to one source: shared, withdrawn, bounded, and tried where nobody knows what a host makes of ranges.

use rectilinear_zarr::network::{ByteRange, Joining, RangeSupport, Request, RequestScheduler, Turn, Urgency};

const NEAR: Joining = Joining { gap: 10, most: 1000 };
const KNOWN: RangeSupport = RangeSupport { is_known: true, is_ignored: false };
const UNKNOWN: RangeSupport = RangeSupport { is_known: false, is_ignored: false };
const IGNORED: RangeSupport = RangeSupport { is_known: true, is_ignored: true };

fn span(key: &str, start: u64, end: u64) -> Request {
    Request { key: key.to_owned(), range: ByteRange::Span(start..end) }
}

/// Asks for a span in the turn of one reader, with a most of 100 bytes.
fn ask(
    scheduler: &mut RequestScheduler<&'static str>,
    turn: &mut Turn,
    request: Request,
    waiter: &'static str,
) -> u64 {
    scheduler.ask(request, 100, Urgency::Now, turn, waiter)
}

#[test]
fn near_ranges_travel_together_and_each_learns_where_its_bytes_start() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(4, NEAR), Turn::default());
    ask(&mut scheduler, &mut turn, span("a", 0, 10), "first");
    ask(&mut scheduler, &mut turn, span("a", 15, 20), "second");
    ask(&mut scheduler, &mut turn, span("a", 500, 510), "far");
    let dispatch = scheduler.next(KNOWN).unwrap();
    assert_eq!((dispatch.request, dispatch.most, dispatch.is_trial), (span("a", 0, 20), 100, false));
    assert_eq!(scheduler.next(KNOWN).unwrap().request, span("a", 500, 510));
    assert_eq!(scheduler.next(KNOWN), None);
    assert_eq!(scheduler.finish(dispatch.flight), [(0, "first"), (15, "second")]);
    assert_eq!(scheduler.finish(dispatch.flight), []);
}

#[test]
fn no_more_are_in_flight_than_may_be_and_the_end_of_one_makes_room() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(1, NEAR), Turn::default());
    ask(&mut scheduler, &mut turn, span("a", 0, 10), "a");
    ask(&mut scheduler, &mut turn, span("b", 0, 10), "b");
    let first = scheduler.next(KNOWN).unwrap();
    assert_eq!((scheduler.room(), scheduler.next(KNOWN), scheduler.has_queued()), (0, None, true));
    scheduler.finish(first.flight);
    assert_eq!(scheduler.next(KNOWN).unwrap().request, span("b", 0, 10));
}

#[test]
fn more_may_be_in_flight_for_a_while() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(1, NEAR), Turn::default());
    for key in ["a", "b", "c", "d"] {
        ask(&mut scheduler, &mut turn, span(key, 0, 10), "");
    }
    assert_eq!((scheduler.allow(0), scheduler.allow(2)), (1, 3));
    let flights: Vec<u64> = std::iter::from_fn(|| scheduler.next(KNOWN)).map(|sent| sent.flight).collect();
    assert_eq!((flights.len(), scheduler.allow(-2), scheduler.room()), (3, 1, 0));
    scheduler.finish(flights[0]);
    scheduler.finish(flights[1]);
    assert_eq!(scheduler.next(KNOWN), None, "as many as may be are still in flight");
    scheduler.finish(flights[2]);
    assert!(scheduler.next(KNOWN).is_some());
}

#[test]
fn a_request_is_aborted_when_the_last_who_waits_leaves_it() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(1, NEAR), Turn::default());
    let one = ask(&mut scheduler, &mut turn, span("a", 0, 10), "one");
    let other = ask(&mut scheduler, &mut turn, span("a", 10, 20), "other");
    let queued = ask(&mut scheduler, &mut turn, span("b", 0, 10), "queued");
    let dispatch = scheduler.next(KNOWN).unwrap();
    assert_eq!(scheduler.withdraw(one), None);
    assert_eq!(scheduler.withdraw(queued), None);
    assert_eq!(scheduler.withdraw(other), Some((dispatch.flight, 0)));
    assert_eq!(scheduler.withdraw(other), None);
    assert!(scheduler.is_idle());
    assert_eq!((scheduler.room(), scheduler.finish(dispatch.flight)), (1, vec![]));
}

#[test]
fn one_range_goes_alone_until_the_host_has_shown_what_it_makes_of_ranges() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(4, NEAR), Turn::default());
    for key in ["a", "b", "c"] {
        ask(&mut scheduler, &mut turn, span(key, 0, 10), "");
    }
    let trial = scheduler.next(UNKNOWN).unwrap();
    assert!(trial.is_trial);
    assert_eq!(scheduler.next(UNKNOWN), None);
    assert!(scheduler.end_trial(trial.flight), "it took long");
    assert!(!scheduler.end_trial(trial.flight));
    let second = scheduler.next(UNKNOWN).unwrap();
    scheduler.finish(trial.flight);
    assert_eq!(scheduler.next(KNOWN), None, "the second one is a trial itself");
    scheduler.finish(second.flight);
    assert!(!scheduler.next(KNOWN).unwrap().is_trial);
}

#[test]
fn parts_of_a_value_travel_together_where_ranges_are_ignored() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(4, NEAR), Turn::default());
    ask(&mut scheduler, &mut turn, span("a", 0, 10), "");
    ask(&mut scheduler, &mut turn, span("a", 1_000_000, 1_000_010), "");
    assert_eq!(scheduler.next(IGNORED).unwrap().request, span("a", 0, 1_000_010));
    assert_eq!(scheduler.next(IGNORED), None);
}

#[test]
fn a_want_is_raised_while_it_waits_and_a_late_answer_takes_a_place() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(2, NEAR), Turn::default());
    let flight = scheduler.reserve();
    let want = scheduler.sent(flight, "late");
    let later = scheduler.ask(span("p", 0, 1), 1, Urgency::Later, &mut turn, "later");
    ask(&mut scheduler, &mut turn, span("q", 0, 1), "now");
    scheduler.raise(later, Urgency::Now);
    scheduler.raise(want, Urgency::Now);
    assert_eq!(scheduler.next(KNOWN).unwrap().request, span("p", 0, 1));
    assert_eq!(scheduler.next(KNOWN), None);
    assert_eq!(scheduler.withdraw(want), Some((flight, 0)));
    assert_eq!(scheduler.next(KNOWN).unwrap().request, span("q", 0, 1));
}

fn value(key: &str) -> Request {
    Request { key: key.to_owned(), range: ByteRange::All }
}

#[test]
fn a_run_takes_a_place_for_each_of_its_requests_and_gives_it_back_as_values_come() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(3, NEAR), Turn::default());
    scheduler.ask_run(value("c/8"), 5, Urgency::Now, &mut turn, "run");
    let first = scheduler.next(KNOWN).unwrap();
    assert_eq!((first.request, first.run, scheduler.room()), (value("c/8"), Some(3), 0));
    assert_eq!(scheduler.next(KNOWN), None);
    assert_eq!(scheduler.arrive(first.flight, 1, 1), Some(("run", 1)));
    assert_eq!(scheduler.arrive(first.flight, 1, 1), None, "it came already");
    let second = scheduler.next(KNOWN).unwrap();
    assert_eq!((second.request, second.run, scheduler.room()), (value("c/11"), Some(1), 0));
    assert_eq!(scheduler.arrive(first.flight, 2, 1), Some(("run", 2)));
    let third = scheduler.next(KNOWN).unwrap();
    assert_eq!((third.request, third.run, scheduler.has_queued()), (value("c/12"), Some(1), false));
    assert_eq!(scheduler.arrive(third.flight, 0, 1), Some(("run", 4)));
    assert_eq!(scheduler.arrive(second.flight, 0, 1), Some(("run", 3)));
    assert!(scheduler.is_in_flight(first.flight));
    assert_eq!(scheduler.arrive(first.flight, 0, 1), Some(("run", 0)));
    assert!(!scheduler.is_in_flight(first.flight) && scheduler.is_idle());
    assert_eq!(scheduler.room(), 3);
}

#[test]
fn single_wants_of_a_run_are_raised_and_withdrawn_queued_or_in_flight() {
    let (mut scheduler, mut turn) = (RequestScheduler::new(4, NEAR), Turn::default());
    let run = scheduler.ask_run(value("c/0"), 8, Urgency::Later, &mut turn, "run");
    assert_eq!(scheduler.withdraw(run + 1), None);
    scheduler.raise(run + 6, Urgency::Now);
    let sent: Vec<_> = std::iter::from_fn(|| scheduler.next(KNOWN)).collect();
    let keys: Vec<_> = sent.iter().map(|dispatch| (dispatch.request.key.as_str(), dispatch.run)).collect();
    assert_eq!(keys, [("c/6", Some(1)), ("c/0", Some(1)), ("c/2", Some(2))]);
    assert_eq!(scheduler.withdraw(run + 3), Some((sent[2].flight, 1)));
    assert_eq!(scheduler.withdraw(run + 3), None);
    assert_eq!((scheduler.room(), scheduler.arrive(sent[2].flight, 1, 1)), (1, None));
    assert_eq!(scheduler.arrive(sent[2].flight, 0, 1), Some(("run", 2)));
    assert!(!scheduler.is_in_flight(sent[2].flight));
    (0..8).for_each(|nth| {
        assert!(scheduler.withdraw(run + nth).is_none_or(|(flight, nth)| nth == 0 && flight > 0))
    });
    assert!(scheduler.is_idle());
    assert_eq!(scheduler.room(), 4);
}
