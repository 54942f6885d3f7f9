//! Queue of requests that wait for a free connection: fair between readers, with nearby ranges of one value joined.
//!
//! Invariants: a request leaves the queue once, by [`Queue::pop`] or [`Queue::remove`]. Two waiting readers alternate,
//! however many requests one of them queued before the other came. More urgent requests go first.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use crate::network::{ByteRange, Request};

/// Urgency of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// A read waits for it.
    Now,
    /// A later read may need it.
    Later,
}

/// Limits for joining ranges of one value into one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// Most unneeded bytes that are fetched between two ranges.
    pub gap: u64,
    /// Most bytes of a request that joins several ranges.
    pub most: u64,
}

/// A reader's place in the order of turns.
#[derive(Debug, Default, Clone, Copy)]
pub struct Turn(u64);

/// A rank or a start, and the number of a request.
type Pair = (u64, u64);

/// Pairs in ascending order. Most come at the end and go from the front, which a deque does at once; a tree would be
/// 2 kB more in the module.
type SortedPairs = VecDeque<Pair>;

/// Queue of requests, each with a ticket of type `T` that identifies who waits.
#[derive(Debug)]
pub struct Queue<T> {
    /// Waiting requests by number.
    waiting: HashMap<u64, QueuedRequest<T>>,
    /// Pairs of rank and number of all requests.
    order: SortedPairs,
    /// Pairs of start and number of the waiting spans of each value.
    spans: HashMap<String, SortedPairs>,
    numbers: u64,
    /// Most requests that were pushed as one run.
    longest: u64,
    /// Turn of the last popped request.
    clock: u64,
}

/// Bit that is set in the ranks of requests that are not urgent; turns stay below it.
const LATER: u64 = 1 << 63;

/// One request, or a run of them: requests of the same reader for values whose keys end with consecutive numbers.
#[derive(Debug)]
struct QueuedRequest<T> {
    urgency: Urgency,
    turn: u64,
    request: Request,
    count: u64,
    ticket: T,
}

impl<T> QueuedRequest<T> {
    /// Rank in the queue: lower ranks go first.
    fn rank(&self) -> u64 {
        match self.urgency {
            Urgency::Now => self.turn,
            Urgency::Later => LATER | self.turn,
        }
    }
}

/// A request to send, with the parts of its answer that each waiting request gets.
#[derive(Debug, PartialEq, Eq)]
pub struct Batch<T> {
    /// The request to send.
    pub request: Request,
    /// Start in the answer and ticket of each waiting request; one ticket for a run.
    pub parts: Vec<(u64, T)>,
    /// Number of the first request.
    pub number: u64,
    /// Number of requests of a run; 1 for joined requests.
    pub count: u64,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            waiting: HashMap::new(),
            order: SortedPairs::new(),
            spans: HashMap::new(),
            numbers: 0,
            longest: 1,
            clock: 0,
        }
    }
}

impl<T: Clone> Queue<T> {
    /// Whether no request waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Number of waiting requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a request at its reader's next turn; returns a number for [`Queue::raise`] and [`Queue::remove`].
    pub fn push(&mut self, request: Request, urgency: Urgency, reader: &mut Turn, ticket: T) -> u64 {
        self.push_run(request, 1, urgency, reader, ticket)
    }

    /// Adds a run of requests at as many turns of their reader: `request`, and those for the values after it, whose keys
    /// end with the numbers that follow. Returns the number of the first; the others have the numbers after it.
    pub fn push_run(
        &mut self,
        request: Request,
        count: u64,
        urgency: Urgency,
        reader: &mut Turn,
        ticket: T,
    ) -> u64 {
        let number = self.numbers;
        self.numbers += count;
        self.longest = self.longest.max(count);
        // A reader that did not wait saves up no turns.
        let turn = reader.0.max(self.clock);
        reader.0 = turn + count;
        if let ByteRange::Span(span) = &request.range {
            insert(self.spans.entry(request.key.clone()).or_default(), (span.start, number));
        }
        self.insert(number, QueuedRequest { urgency, turn, request, count, ticket });
        number
    }

    /// Number of the next request that is pushed.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.numbers
    }

    /// Takes a number that no request has or will have.
    pub fn skip(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers - 1
    }

    /// Raises the urgency of a request, if it still waits and is less urgent.
    pub fn raise(&mut self, number: u64, urgency: Urgency) {
        self.part(number);
        let Some(queued) = self.waiting.get_mut(&number).filter(|queued| urgency < queued.urgency) else {
            return;
        };
        remove(&mut self.order, (queued.rank(), number));
        queued.urgency = urgency;
        insert(&mut self.order, (queued.rank(), number));
    }

    /// Removes a request that nobody waits for any more; returns whether it was there.
    pub fn remove(&mut self, number: u64) -> bool {
        self.part(number);
        self.take(number).is_some()
    }

    /// Takes the next request, joined with waiting spans of the same value that lie near it.
    pub fn pop(&mut self, joining: Joining) -> Option<Batch<T>> {
        self.pop_run(joining, u64::MAX)
    }

    /// Like [`Self::pop`]; of a run, takes at most `most` requests, and no further than another request's turn.
    pub fn pop_run(&mut self, joining: Joining, most: u64) -> Option<Batch<T>> {
        let &(rank, number) = self.order.front()?;
        let count = self.order.get(1).map_or(most, |&(next, other)| {
            let turns = next - rank;
            most.min(turns + u64::from(number + turns < other))
        });
        self.split(number, count.max(1));
        let first = self.waiting.get(&number)?;
        self.clock = self.clock.max(first.turn + first.count - 1);
        let ByteRange::Span(span) = &first.request.range else {
            let QueuedRequest { request, ticket, count, .. } = self.take(number)?;
            return Some(Batch { request, parts: vec![(0, ticket)], number, count });
        };
        let (span, key) = (span.clone(), first.request.key.clone());
        let (span, members) = self.neighbours(&key, span, number, joining);
        let mut parts = Vec::new();
        for number in members {
            if let Some(QueuedRequest {
                request: Request { range: ByteRange::Span(part), .. }, ticket, ..
            }) = self.take(number)
            {
                parts.push((part.start - span.start, ticket));
            }
        }
        Some(Batch { request: Request { key, range: ByteRange::Span(span) }, parts, number, count: 1 })
    }

    fn insert(&mut self, number: u64, queued: QueuedRequest<T>) {
        insert(&mut self.order, (queued.rank(), number));
        self.waiting.insert(number, queued);
    }

    /// Splits a run after `count` requests, if it has more.
    fn split(&mut self, number: u64, count: u64) {
        let Some(run) = self.waiting.get_mut(&number).filter(|run| run.count > count) else { return };
        let rest = QueuedRequest {
            urgency: run.urgency,
            turn: run.turn + count,
            request: run.request.further(count),
            count: run.count - count,
            ticket: run.ticket.clone(),
        };
        run.count = count;
        self.insert(number + count, rest);
    }

    /// Splits off a request from the run that it is in.
    fn part(&mut self, number: u64) {
        let holds = |&back: &u64| {
            let first = number.checked_sub(back);
            first.and_then(|first| self.waiting.get(&first)).is_some_and(|run| run.count > back)
        };
        let Some(back) = (0..self.longest).find(holds) else { return };
        if back > 0 {
            self.split(number - back, back);
        }
        self.split(number, 1);
    }

    /// Grows a span over nearby waiting spans; also gives the numbers of the requests in it.
    fn neighbours(
        &self,
        key: &str,
        span: Range<u64>,
        number: u64,
        joining: Joining,
    ) -> (Range<u64>, Vec<u64>) {
        let mut members = vec![number];
        let Some(spans) = self.spans.get(key) else { return (span, members) };
        let mut all = span.clone();
        let mut grow = |&(_, found): &Pair| {
            let other = self.span(found)?;
            let (start, end) = (all.start.min(other.start), all.end.max(other.end));
            let is_near = other.start <= all.end.saturating_add(joining.gap)
                && all.start <= other.end.saturating_add(joining.gap);
            // A range inside the span costs nothing, whatever the span's length.
            if is_near && (end - start <= joining.most || (start, end) == (all.start, all.end)) {
                all = start..end;
                members.push(found);
            }
            is_near.then_some(())
        };
        let here = spans.partition_point(|pair| *pair < (span.start, number));
        spans.range(here..).skip(1).map_while(&mut grow).for_each(drop);
        spans.range(..here).rev().map_while(&mut grow).for_each(drop);
        (all, members)
    }

    fn span(&self, number: u64) -> Option<&Range<u64>> {
        match &self.waiting.get(&number)?.request.range {
            ByteRange::Span(span) => Some(span),
            _ => None,
        }
    }

    fn take(&mut self, number: u64) -> Option<QueuedRequest<T>> {
        let queued = self.waiting.remove(&number)?;
        remove(&mut self.order, (queued.rank(), number));
        if let ByteRange::Span(span) = &queued.request.range
            && let Some(spans) = self.spans.get_mut(&queued.request.key)
        {
            remove(spans, (span.start, number));
            if spans.is_empty() {
                self.spans.remove(&queued.request.key);
            }
        }
        Some(queued)
    }
}

/// Inserts a pair, unless it is there already.
fn insert(pairs: &mut SortedPairs, pair: Pair) {
    if let Err(place) = pairs.binary_search(&pair) {
        pairs.insert(place, pair);
    }
}

/// Removes a pair, if it is there.
fn remove(pairs: &mut SortedPairs, pair: Pair) {
    if let Ok(place) = pairs.binary_search(&pair) {
        pairs.remove(place);
    }
}
