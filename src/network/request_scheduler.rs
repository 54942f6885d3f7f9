//! Scheduler of the requests to one source: which are queued, which are in flight, and who waits for each.
//!
//! Waiters make requests for bytes; a flight is what was sent for one request or for several.
//!
//! Invariants: a flight is sent once, however many requests it serves; what is queued or in flight is dropped with
//! its last waiter; at most `concurrency` requests are in flight.
//!
//! Until a host has answered a range request, one is sent alone as a trial: a host that ignores ranges sends the
//! whole value for each range, so all ranges of a value are then joined into one request.

use std::collections::HashMap;

use super::queue::{Batch, Joining, Queue, Turn, Urgency};
use crate::network::{ByteRange, Request};

/// Support of a source for byte ranges, as far as its answers have shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeSupport {
    /// Whether it has answered a range request, so that no trial is needed.
    pub is_known: bool,
    /// Whether it ignores ranges and sends the whole value for each.
    pub is_ignored: bool,
}

/// A request to send now.
#[derive(Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Number of the flight, to be passed to [`RequestScheduler::finish`].
    pub flight: u64,
    /// The request, or the first one of a run.
    pub request: Request,
    /// Number of requests of the run; `None` if the request is not part of a run.
    pub run: Option<u64>,
    /// Most bytes that a whole value may have.
    pub most: u64,
    /// Whether other requests wait until its answer shows whether the host supports ranges.
    pub is_trial: bool,
}

/// A waiter of a request, or of a run.
#[derive(Debug, Clone)]
struct Waiting<W> {
    /// Number of the request, or of the first request of the run.
    asked: u64,
    /// Most bytes that a whole value may have.
    most: u64,
    is_run: bool,
    waiter: W,
}

/// A request in flight, or some requests of a run.
#[derive(Debug)]
struct Flight<W> {
    /// Waiters, each with the offset of its bytes in the answer.
    parts: Vec<(u64, Waiting<W>)>,
    /// Number of its first request.
    first: u64,
    /// The requests of a run that are still in flight, one bit for each.
    left: u64,
}

/// Most requests of a run that are sent as one flight: the bits of `Flight::left`.
const MAX_RUN: u64 = 64;

/// The scheduler of the requests to one source; `W` is a waiter, which is returned with the answer.
#[derive(Debug)]
pub struct RequestScheduler<W> {
    queue: Queue<Waiting<W>>,
    flights: HashMap<u64, Flight<W>>,
    /// Number of requests in flight.
    in_flight: usize,
    /// Number of the last flight.
    numbers: u64,
    concurrency: usize,
    joining: Joining,
    trial: Option<u64>,
}

impl<W: Clone> RequestScheduler<W> {
    /// Creates a scheduler that has at most `concurrency` requests in flight.
    #[must_use]
    pub fn new(concurrency: usize, joining: Joining) -> Self {
        Self {
            queue: Queue::default(),
            flights: HashMap::new(),
            in_flight: 0,
            numbers: 0,
            concurrency,
            joining,
            trial: None,
        }
    }

    /// Limits for joining ranges of one value.
    #[must_use]
    pub fn joining(&self) -> Joining {
        self.joining
    }

    /// Whether nothing waits and nothing is in flight.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.flights.is_empty()
    }

    /// Whether a request waits for its turn.
    #[must_use]
    pub fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Number of requests that may be sent now.
    #[must_use]
    pub fn room(&self) -> usize {
        self.concurrency.saturating_sub(self.in_flight)
    }

    /// Lets `more` requests be in flight than until now, or fewer again; returns how many may be.
    pub fn allow(&mut self, more: i32) -> usize {
        self.concurrency = self.concurrency.saturating_add_signed(more as isize);
        self.concurrency
    }

    /// Queues a request at its reader's next turn; returns its number. `most` limits the bytes of a whole value.
    pub fn ask(
        &mut self,
        request: Request,
        most: u64,
        urgency: Urgency,
        reader: &mut Turn,
        waiter: W,
    ) -> u64 {
        let asked = self.queue.next_number();
        self.queue.push(request, urgency, reader, Waiting { asked, most, is_run: false, waiter })
    }

    /// Queues a run of requests for whole values: the first request, and the count of requests, whose keys end with
    /// consecutive numbers. Returns the number of the first request; the others have the numbers after it.
    pub fn ask_run(
        &mut self,
        request: Request,
        count: u64,
        urgency: Urgency,
        reader: &mut Turn,
        waiter: W,
    ) -> u64 {
        let asked = self.queue.next_number();
        self.queue.push_run(request, count, urgency, reader, Waiting { asked, most: 0, is_run: true, waiter })
    }

    /// Reserves the number of a flight that bypasses the queue, because the source answers synchronously.
    pub fn reserve(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Records a flight that bypassed the queue and whose answer is late; returns the number of its request.
    pub fn sent(&mut self, flight: u64, waiter: W) -> u64 {
        let asked = self.queue.skip();
        let waiting = Waiting { asked, most: 0, is_run: false, waiter };
        self.begin(flight, Flight { parts: vec![(0, waiting)], first: asked, left: 1 });
        asked
    }

    /// Raises the urgency of a request, if it still waits and is less urgent.
    pub fn raise(&mut self, asked: u64, urgency: Urgency) {
        self.queue.raise(asked, urgency);
    }

    /// Withdraws a waiter's request. If nobody else waits for what was sent for it, returns the flight and the index
    /// of the request in it, to be aborted.
    pub fn withdraw(&mut self, asked: u64) -> Option<(u64, u64)> {
        if self.queue.remove(asked) {
            return None;
        }
        let (number, nth) = self.flight_of(asked)?;
        let flight = self.flights.get_mut(&number)?;
        if flight.parts.iter().all(|(_, waiting)| waiting.is_run) {
            return (self.land(number, nth, 1) > 0).then_some((number, nth));
        }
        flight.parts.retain(|(_, waiting)| waiting.asked != asked);
        if !flight.parts.is_empty() {
            return None;
        }
        self.land(number, 0, 1);
        Some((number, 0))
    }

    /// Takes the next request to send; `None` if none is queued or none may be sent now.
    pub fn next(&mut self, ranges: RangeSupport) -> Option<Dispatch> {
        if self.room() == 0 || self.trial.is_some() {
            return None;
        }
        let all = Joining { gap: u64::MAX, most: u64::MAX };
        let joining = if ranges.is_ignored { all } else { self.joining };
        let Batch { request, parts, number, count } =
            self.queue.pop_run(joining, MAX_RUN.min(self.room() as u64))?;
        let flight = self.reserve();
        let most = parts.iter().map(|(_, waiting)| waiting.most).max().unwrap_or(0);
        let run = parts.first().is_some_and(|(_, waiting)| waiting.is_run).then_some(count);
        self.begin(flight, Flight { parts, first: number, left: bits(0, count) });
        let is_trial = !ranges.is_known && matches!(request.range, ByteRange::Span(_));
        self.trial = is_trial.then_some(flight);
        Some(Dispatch { flight, request, run, most, is_trial })
    }

    /// Ends a flight; returns its waiters, each with the offset of its bytes in the answer.
    pub fn finish(&mut self, flight: u64) -> Vec<(u64, W)> {
        self.end_trial(flight);
        let Some(Flight { parts, left, .. }) = self.flights.remove(&flight) else { return Vec::new() };
        self.in_flight -= left.count_ones() as usize;
        parts.into_iter().map(|(start, waiting)| (start, waiting.waiter)).collect()
    }

    /// Ends `count` requests of a run in flight from `nth` on; returns the waiter, and the index of the first of them
    /// in the whole run. `None` if nobody waits for them any more.
    pub fn arrive(&mut self, flight: u64, nth: u64, count: u64) -> Option<(W, u64)> {
        let run = self.flights.get(&flight)?;
        let (_, waiting) = run.parts.first()?;
        let found = (waiting.waiter.clone(), run.first - waiting.asked + nth);
        (self.land(flight, nth, count) > 0).then_some(found)
    }

    /// Whether requests of a flight are still in flight.
    #[must_use]
    pub fn is_in_flight(&self, flight: u64) -> bool {
        self.flights.contains_key(&flight)
    }

    /// Ends the wait for a flight that is the trial; returns whether it was.
    pub fn end_trial(&mut self, flight: u64) -> bool {
        self.trial.take_if(|trial| *trial == flight).is_some()
    }

    fn begin(&mut self, number: u64, flight: Flight<W>) {
        self.in_flight += flight.left.count_ones() as usize;
        self.flights.insert(number, flight);
    }

    /// The flight of a request, and its index in it.
    fn flight_of(&self, asked: u64) -> Option<(u64, u64)> {
        self.flights.iter().find_map(|(&number, flight)| {
            let nth = asked.wrapping_sub(flight.first);
            let is_own = |(_, waiting): &(u64, Waiting<W>)| match waiting.is_run {
                true => nth < MAX_RUN && flight.left & bits(nth, 1) != 0,
                false => waiting.asked == asked,
            };
            flight.parts.iter().any(is_own).then_some((number, nth))
        })
    }

    /// Ends the given requests that are still in flight, and the flight with its last one; returns their number.
    fn land(&mut self, number: u64, nth: u64, count: u64) -> u32 {
        let Some(flight) = self.flights.get_mut(&number) else { return 0 };
        let landed = flight.left & bits(nth, count);
        flight.left &= !landed;
        self.in_flight -= landed.count_ones() as usize;
        if flight.left == 0 {
            self.flights.remove(&number);
            self.end_trial(number);
        }
        landed.count_ones()
    }
}

/// Bits of `count` requests of a run from `nth` on.
fn bits(nth: u64, count: u64) -> u64 {
    (u64::MAX >> (MAX_RUN - count.clamp(1, MAX_RUN))) << nth
}
