//! The order of requests: urgent ones first, readers in turn, ranges of one value joined within their bounds.

use rectilinear_zarr::network::{Batch, ByteRange, Joining, Queue, Request, Turn, Urgency};

const APART: Joining = Joining { gap: 0, most: u64::MAX };

fn whole(key: &str) -> Request {
    Request { key: key.to_owned(), range: ByteRange::All }
}

fn span(key: &str, start: u64, end: u64) -> Request {
    Request { key: key.to_owned(), range: ByteRange::Span(start..end) }
}

/// The keys, or the spans, in the order in which they leave.
fn drained<T: Clone>(queue: &mut Queue<T>, joining: Joining) -> Vec<Batch<T>> {
    std::iter::from_fn(|| queue.pop(joining)).collect()
}

fn keys<T>(batches: &[Batch<T>]) -> Vec<&str> {
    batches.iter().map(|batch| batch.request.key.as_str()).collect()
}

#[test]
fn readers_take_turns() {
    let mut queue = Queue::default();
    let (mut first, mut second, mut third) = (Turn::default(), Turn::default(), Turn::default());
    for key in ["a1", "a2", "a3", "a4"] {
        queue.push(whole(key), Urgency::Now, &mut first, ());
    }
    for key in ["b1", "b2"] {
        queue.push(whole(key), Urgency::Now, &mut second, ());
    }
    assert_eq!(queue.pop(APART).unwrap().request, whole("a1"));
    assert_eq!(queue.pop(APART).unwrap().request, whole("b1"));
    assert_eq!(queue.pop(APART).unwrap().request, whole("a2"));
    // One who comes late neither waits for all nor goes before everyone.
    queue.push(whole("c1"), Urgency::Now, &mut third, ());
    assert_eq!(keys(&drained(&mut queue, APART)), ["b2", "c1", "a3", "a4"]);
}

#[test]
fn what_is_wanted_now_goes_before_what_may_be_wanted_later() {
    let mut queue = Queue::default();
    let (mut ahead, mut reader) = (Turn::default(), Turn::default());
    let later: Vec<u64> =
        ["p1", "p2", "p3"].map(|key| queue.push(whole(key), Urgency::Later, &mut ahead, ())).into();
    queue.push(whole("a1"), Urgency::Now, &mut reader, ());
    queue.raise(later[2], Urgency::Now);
    queue.remove(later[0]);
    assert_eq!(queue.len(), 3);
    assert_eq!(keys(&drained(&mut queue, APART)), ["a1", "p3", "p2"]);
    assert!(queue.is_empty());
    queue.remove(later[1]);
    queue.raise(later[1], Urgency::Now);
    assert!(queue.is_empty());
}

#[test]
fn ranges_of_one_value_are_joined_across_readers_within_the_gap() {
    let mut queue = Queue::default();
    let (mut first, mut second) = (Turn::default(), Turn::default());
    queue.push(span("s", 100, 200), Urgency::Now, &mut first, 'a');
    queue.push(span("s", 230, 300), Urgency::Now, &mut second, 'b');
    queue.push(span("s", 331, 400), Urgency::Now, &mut first, 'c');
    queue.push(span("s", 60, 70), Urgency::Later, &mut second, 'd');
    queue.push(span("other", 0, 10), Urgency::Now, &mut second, 'e');
    let batches = drained(&mut queue, Joining { gap: 30, most: 1000 });
    let requests: Vec<_> = batches.iter().map(|batch| batch.request.clone()).collect();
    assert_eq!(requests, [span("s", 60, 300), span("s", 331, 400), span("other", 0, 10)]);
    let mut parts: Vec<_> = batches[0].parts.clone();
    parts.sort_unstable();
    assert_eq!(parts, [(0, 'd'), (40, 'a'), (170, 'b')]);
}

#[test]
fn a_joined_request_stays_below_its_bound_but_takes_what_lies_within() {
    let mut queue = Queue::default();
    let mut reader = Turn::default();
    for (start, end) in [(0, 100), (100, 200), (200, 300), (120, 180), (0, 1000)] {
        queue.push(span("s", start, end), Urgency::Now, &mut reader, (start, end));
    }
    let batches = drained(&mut queue, Joining { gap: 0, most: 250 });
    let found: Vec<_> = batches.iter().map(|batch| (&batch.request.range, batch.parts.len())).collect();
    let expected = [0..200, 200..300, 0..1000].map(ByteRange::Span);
    assert_eq!(found, [(&expected[0], 3), (&expected[1], 1), (&expected[2], 1)]);
}

#[test]
fn every_want_leaves_once_and_lies_within_its_request() {
    fastrand::seed(7);
    for _ in 0..300 {
        let mut queue = Queue::default();
        let mut readers = [Turn::default(); 3];
        let wanted: Vec<(u64, u64)> = (0..fastrand::u64(1..60))
            .map(|_| {
                let start = fastrand::u64(0..2000);
                (start, start + fastrand::u64(1..80))
            })
            .collect();
        for (nth, (start, end)) in wanted.iter().enumerate() {
            queue.push(span("s", *start, *end), Urgency::Now, &mut readers[nth % 3], nth);
        }
        let joining = Joining { gap: fastrand::u64(0..50), most: fastrand::u64(1..400) };
        let mut seen = vec![0; wanted.len()];
        for batch in drained(&mut queue, joining) {
            let ByteRange::Span(all) = batch.request.range else { panic!("a span") };
            assert!(
                all.end - all.start <= joining.most
                    || batch.parts.iter().any(|(_, nth)| { (all.start, all.end) == wanted[*nth] })
            );
            for (offset, nth) in batch.parts {
                seen[nth] += 1;
                assert_eq!(all.start + offset, wanted[nth].0);
                assert!(wanted[nth].1 <= all.end);
            }
        }
        assert!(seen.iter().all(|count| *count == 1));
    }
}

#[test]
fn one_range_that_many_want_is_asked_for_once_however_long_it_is() {
    let mut queue = Queue::default();
    let mut reader = Turn::default();
    for nth in 0..5 {
        queue.push(span("s", 100, 900), Urgency::Now, &mut reader, nth);
    }
    let batches = drained(&mut queue, Joining { gap: 0, most: 250 });
    assert_eq!(batches.len(), 1);
    assert_eq!(batches[0].request, span("s", 100, 900));
    let mut parts = batches[0].parts.clone();
    parts.sort_unstable();
    assert_eq!(parts, [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]);
}

/// The keys of values that leave next: of a run, at most so many.
fn next_keys(queue: &mut Queue<()>, most: u64) -> Vec<String> {
    let Some(batch) = queue.pop_run(APART, most) else { return Vec::new() };
    (0..batch.count).map(|nth| batch.request.further(nth).key).collect()
}

#[test]
fn a_run_leaves_as_its_wants_would_one_by_one() {
    fastrand::seed(11);
    for _ in 0..500 {
        let (mut runs, mut singles) = (Queue::default(), Queue::default());
        let mut turns = [[Turn::default(); 3]; 2];
        for nth in 0..fastrand::usize(1..30) {
            let (reader, count) = (fastrand::usize(0..3), fastrand::u64(1..9));
            let urgency = if fastrand::bool() { Urgency::Now } else { Urgency::Later };
            let request = whole(&format!("r{nth}/8"));
            let first = runs.push_run(request.clone(), count, urgency, &mut turns[0][reader], ());
            for place in 0..count {
                let number = singles.push(request.further(place), urgency, &mut turns[1][reader], ());
                assert_eq!(number, first + place);
            }
            let chosen = fastrand::u64(0..first + count);
            match fastrand::u8(0..4) {
                0 => {
                    runs.raise(chosen, Urgency::Now);
                    singles.raise(chosen, Urgency::Now);
                }
                1 => assert_eq!(runs.remove(chosen), singles.remove(chosen)),
                2 => {
                    let keys = next_keys(&mut runs, fastrand::u64(1..12));
                    let expected: Vec<_> = keys.iter().flat_map(|_| next_keys(&mut singles, 1)).collect();
                    assert_eq!(keys, expected);
                }
                _ => {}
            }
        }
        let rest = std::iter::from_fn(|| Some(next_keys(&mut runs, fastrand::u64(1..12))));
        let rest: Vec<_> = rest.take_while(|keys| !keys.is_empty()).flatten().collect();
        let expected = drained(&mut singles, APART);
        assert_eq!(rest, keys(&expected));
    }
}
