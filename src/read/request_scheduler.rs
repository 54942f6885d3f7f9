//! The requests of one source: which of them wait, which are in flight, and who waits for each.
//!
//! Invariants: a request is sent once however many parts of it are wanted; it leaves, queued or in flight, with the last one
//! who waits for a part of it; no more are in flight than the source may have.
//!
//! Until a host has answered a range, one goes alone: a host that ignores ranges sends the whole value for each, so there
//! the parts of a value travel together.

use super::number_map::NumberMap;
use super::queue::{Batch, Joining, Queue, Turn, Urgency};
use crate::source::{ByteRange, Request};

/// A source's support for ranges, as far as it has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeSupport {
    /// Whether it has answered one, so that no trial is needed.
    pub is_known: bool,
    /// Whether a part of a value brings the whole value.
    pub is_ignored: bool,
}

/// A request to send now.
#[derive(Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Number of the flight, by which its end is told.
    pub flight: u64,
    /// The request.
    pub request: Request,
    /// The most bytes that a whole value may have.
    pub most: u64,
    /// Whether others wait until it shows what the host makes of ranges.
    pub is_trial: bool,
}

/// Somebody who waits for a request: with the bytes that a whole value may have.
#[derive(Debug)]
struct Waiting<W> {
    want: u64,
    most: u64,
    waiter: W,
}

/// Where a want is.
#[derive(Debug, Clone, Copy)]
enum WantState {
    /// In the queue, by its number there.
    Queued(u64),
    /// In this flight.
    InFlight(u64),
}

/// The scheduler of the requests to one source; `W` is what is given back with the answer.
#[derive(Debug)]
pub struct RequestScheduler<W> {
    queue: Queue<Waiting<W>>,
    wants: NumberMap<u64, WantState>,
    /// By flight: who waits, and where the bytes that each wants start in the answer.
    flights: NumberMap<u64, Vec<(u64, Waiting<W>)>>,
    /// The last number given.
    numbers: u64,
    concurrency: usize,
    joining: Joining,
    trial: Option<u64>,
}

impl<W> RequestScheduler<W> {
    /// A scheduler of a source that may have so many requests in flight.
    #[must_use]
    pub fn new(concurrency: usize, joining: Joining) -> Self {
        Self {
            queue: Queue::default(),
            wants: NumberMap::default(),
            flights: NumberMap::default(),
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
        self.wants.is_empty() && self.flights.is_empty()
    }

    /// Whether a request waits for its turn.
    #[must_use]
    pub fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    /// How many more requests may be sent now.
    #[must_use]
    pub fn room(&self) -> usize {
        self.concurrency.saturating_sub(self.flights.len())
    }

    /// Queues a want, whose whole value may have `most` bytes, in its reader's next turn; gives its number.
    pub fn ask(
        &mut self,
        (request, most): (Request, u64),
        urgency: Urgency,
        reader: &mut Turn,
        waiter: W,
    ) -> u64 {
        let want = self.number();
        let queued = self.queue.push(request, urgency, reader, Waiting { want, most, waiter });
        self.wants.insert(want, WantState::Queued(queued));
        want
    }

    /// Notes a request that was sent without waiting, as the source answers at once, and did not; gives the numbers of the
    /// want and of its flight.
    pub fn sent(&mut self, waiter: W) -> (u64, u64) {
        let (want, flight) = (self.number(), self.number());
        self.wants.insert(want, WantState::InFlight(flight));
        self.flights.insert(flight, vec![(0, Waiting { want, most: 0, waiter })]);
        (want, flight)
    }

    /// Makes a want as urgent as said, if it still waits and is less so.
    pub fn raise(&mut self, want: u64, urgency: Urgency) {
        if let Some(WantState::Queued(number)) = self.wants.get(&want) {
            self.queue.raise(*number, urgency);
        }
    }

    /// Takes a want back; gives the flight that is to be aborted, where nobody else waits for it.
    pub fn withdraw(&mut self, want: u64) -> Option<u64> {
        match self.wants.remove(&want)? {
            WantState::Queued(number) => {
                self.queue.remove(number);
                None
            }
            WantState::InFlight(flight) => {
                let waiting = self.flights.get_mut(&flight)?;
                waiting.retain(|(_, waiting)| waiting.want != want);
                if !waiting.is_empty() {
                    return None;
                }
                self.land(flight);
                Some(flight)
            }
        }
    }

    /// The next request to send, if there is one and it may be sent now.
    pub fn next(&mut self, ranges: RangeSupport) -> Option<Dispatch> {
        if self.room() == 0 || self.trial.is_some() {
            return None;
        }
        let all = Joining { gap: u64::MAX, most: u64::MAX };
        let Batch { request, parts } = self.queue.pop(if ranges.is_ignored { all } else { self.joining })?;
        let flight = self.number();
        let most = parts.iter().map(|(_, waiting)| waiting.most).max().unwrap_or(0);
        for (_, waiting) in &parts {
            self.wants.insert(waiting.want, WantState::InFlight(flight));
        }
        self.flights.insert(flight, parts);
        let is_trial = !ranges.is_known && matches!(request.range, ByteRange::Span(_));
        self.trial = is_trial.then_some(flight);
        Some(Dispatch { flight, request, most, is_trial })
    }

    /// Ends a flight; gives those who wait, each with the place in the answer where its bytes start.
    pub fn finish(&mut self, flight: u64) -> Vec<(u64, W)> {
        let waiting = self.land(flight);
        waiting
            .into_iter()
            .map(|(start, waiting)| {
                self.wants.remove(&waiting.want);
                (start, waiting.waiter)
            })
            .collect()
    }

    /// Ends the wait for a trial that takes long, if it is still under way; whether it was.
    pub fn end_trial(&mut self, flight: u64) -> bool {
        self.trial.take_if(|trial| *trial == flight).is_some()
    }

    fn land(&mut self, flight: u64) -> Vec<(u64, Waiting<W>)> {
        self.end_trial(flight);
        self.flights.remove(&flight).unwrap_or_default()
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}
