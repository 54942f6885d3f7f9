//! The requests of one source: which of them wait, which are in flight, and who waits for each.
//!
//! Invariants: a request is sent once however many parts of it are wanted; it leaves, queued or in flight, with the last one
//! who waits for a part of it; no more are in flight than the source may have.
//!
//! Until a host has answered a range, one goes alone: a host that ignores ranges sends the whole value for each, so there
//! the parts of a value travel together.

use super::dispatch::{Dispatch, RangeSupport};
use super::numbered_list::NumberedList;
use super::queue::{Batch, Queue};
use super::turn::{Joining, Turn, Urgency};
use crate::source::{ByteRange, Request};

/// A waiter of a request, or of a run.
#[derive(Debug, Clone)]
struct Waiting<W> {
    /// The want, or the first one of the run.
    want: u64,
    /// The bytes that a whole value may have.
    most: u64,
    is_run: bool,
    waiter: W,
}

/// A request in flight, or some requests of a run.
#[derive(Debug)]
struct Flight<W> {
    /// Who waits, and where the bytes that each wants start in the answer.
    parts: Vec<(u64, Waiting<W>)>,
    /// The number of its first want.
    first: u64,
    /// The requests of a run that are still in flight, one bit for each.
    left: u64,
}

/// The most requests of a run that are sent as one flight: the bits of its set.
const MAX_RUN: u64 = 64;

/// The scheduler of the requests to one source; `W` is what is given back with the answer.
#[derive(Debug)]
pub struct RequestScheduler<W> {
    queue: Queue<Waiting<W>>,
    flights: NumberedList<Flight<W>>,
    /// The number of requests in flight.
    in_flight: usize,
    /// The last flight.
    numbers: u64,
    concurrency: usize,
    joining: Joining,
    trial: Option<u64>,
}

impl<W: Clone> RequestScheduler<W> {
    /// A scheduler of a source that may have so many requests in flight.
    #[must_use]
    pub fn new(concurrency: usize, joining: Joining) -> Self {
        Self {
            queue: Queue::default(),
            flights: NumberedList::default(),
            in_flight: 0,
            numbers: 0,
            concurrency,
            joining,
            trial: None,
        }
    }

    /// How near ranges of one value must be to travel together.
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

    /// The number of requests that may be sent now.
    #[must_use]
    pub fn room(&self) -> usize {
        self.concurrency.saturating_sub(self.in_flight)
    }

    /// Queues a want, whose whole value may have `most` bytes, in its reader's next turn; gives its number.
    pub fn ask(
        &mut self,
        (request, most): (Request, u64),
        urgency: Urgency,
        reader: &mut Turn,
        waiter: W,
    ) -> u64 {
        let want = self.queue.next_number();
        self.queue.push(request, urgency, reader, Waiting { want, most, is_run: false, waiter })
    }

    /// Queues a run of wants: one for a whole value, and those for the values after it, whose keys end with the numbers that
    /// follow. Gives the number of the first want; the others have the numbers after it.
    pub fn ask_run(&mut self, run: (Request, u64), urgency: Urgency, reader: &mut Turn, waiter: W) -> u64 {
        let want = self.queue.next_number();
        self.queue.push_run(run, urgency, reader, Waiting { want, most: 0, is_run: true, waiter })
    }

    /// A number for a flight that is sent without waiting, as the source answers at once.
    pub fn reserve(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Notes a request that was sent without waiting and is late; gives the number of the want.
    pub fn sent(&mut self, flight: u64, waiter: W) -> u64 {
        let want = self.queue.skip();
        let waiting = Waiting { want, most: 0, is_run: false, waiter };
        self.begin(flight, Flight { parts: vec![(0, waiting)], first: want, left: 1 });
        want
    }

    /// Makes a want as urgent as said, if it still waits and is less so.
    pub fn raise(&mut self, want: u64, urgency: Urgency) {
        self.queue.raise(want, urgency);
    }

    /// Takes a want back; gives the flight that is to be aborted, where nobody else waits for it, and which request of it.
    pub fn withdraw(&mut self, want: u64) -> Option<(u64, u64)> {
        if self.queue.remove(want) {
            return None;
        }
        let (number, nth) = self.flight_of(want)?;
        let flight = self.flights.get_mut(number)?;
        if flight.parts.iter().all(|(_, waiting)| waiting.is_run) {
            return (self.land(number, nth, 1) > 0).then_some((number, nth));
        }
        flight.parts.retain(|(_, waiting)| waiting.want != want);
        if !flight.parts.is_empty() {
            return None;
        }
        self.land(number, 0, 1);
        Some((number, 0))
    }

    /// The next request to send, if there is one and it may be sent now.
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

    /// Ends a flight; gives those who wait, each with the place in the answer where its bytes start.
    pub fn finish(&mut self, flight: u64) -> Vec<(u64, W)> {
        self.end_trial(flight);
        let Some(Flight { parts, left, .. }) = self.flights.remove(flight) else { return Vec::new() };
        self.in_flight -= left.count_ones() as usize;
        parts.into_iter().map(|(start, waiting)| (start, waiting.waiter)).collect()
    }

    /// Ends some requests of a run in flight, from this one on; gives who waits, and the place of the first one in the whole
    /// run. Nothing where nobody waits any more.
    pub fn arrive(&mut self, flight: u64, nth: u64, count: u64) -> Option<(W, u64)> {
        let run = self.flights.get(flight)?;
        let (_, waiting) = run.parts.first()?;
        let found = (waiting.waiter.clone(), run.first - waiting.want + nth);
        (self.land(flight, nth, count) > 0).then_some(found)
    }

    /// Whether requests of a flight are on their way.
    #[must_use]
    pub fn is_in_flight(&self, flight: u64) -> bool {
        self.flights.get(flight).is_some()
    }

    /// Ends the wait for a trial that takes long, if it is still under way; whether it was.
    pub fn end_trial(&mut self, flight: u64) -> bool {
        self.trial.take_if(|trial| *trial == flight).is_some()
    }

    fn begin(&mut self, number: u64, flight: Flight<W>) {
        self.in_flight += flight.left.count_ones() as usize;
        self.flights.insert(number, flight);
    }

    /// The flight of a want, and which request of it.
    fn flight_of(&self, want: u64) -> Option<(u64, u64)> {
        self.flights.iter().find_map(|(number, flight)| {
            let nth = want.wrapping_sub(flight.first);
            let is_own = |(_, waiting): &(u64, Waiting<W>)| match waiting.is_run {
                true => nth < MAX_RUN && flight.left & bits(nth, 1) != 0,
                false => waiting.want == want,
            };
            flight.parts.iter().any(is_own).then_some((number, nth))
        })
    }

    /// Ends requests of a flight that are still on their way, and the flight with the last one; how many there were.
    fn land(&mut self, number: u64, nth: u64, count: u64) -> u32 {
        let Some(flight) = self.flights.get_mut(number) else { return 0 };
        let landed = flight.left & bits(nth, count);
        flight.left &= !landed;
        self.in_flight -= landed.count_ones() as usize;
        if flight.left == 0 {
            self.flights.remove(number);
            self.end_trial(number);
        }
        landed.count_ones()
    }
}

/// The bits of so many requests of a run, from this one on.
fn bits(nth: u64, count: u64) -> u64 {
    (u64::MAX >> (MAX_RUN - count.clamp(1, MAX_RUN))) << nth
}
