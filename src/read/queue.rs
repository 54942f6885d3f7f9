//! Queue of requests that wait for a free connection: fair between readers, with nearby ranges of one value joined.
//!
//! Invariants: a request leaves the queue once, by [`Queue::pop`] or [`Queue::remove`]. Two waiting readers alternate,
//! however many requests one of them queued before the other came. More urgent requests go first.

use std::collections::HashMap;
use std::ops::Range;

use super::number_map::NumberMap;
use super::sorted_pairs::{Pair, SortedPairs};
use crate::source::{ByteRange, Request};

/// Urgency of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// A read waits for it.
    Now,
    /// A prefetch: a later read may use it.
    Later,
}

/// Limits for joining ranges of one value into one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// Most unused bytes between two ranges.
    pub gap: u64,
    /// Most bytes of a joined request.
    pub most: u64,
}

/// A reader's next turn in the queue.
#[derive(Debug, Default, Clone, Copy)]
pub struct Turn(u64);

/// Queue of requests, each with a ticket of type `T` that identifies who waits.
#[derive(Debug)]
pub struct Queue<T> {
    /// Waiting requests by number.
    wants: NumberMap<u64, QueuedRequest<T>>,
    /// Pairs of rank and number of all requests.
    order: SortedPairs,
    /// Pairs of start and number of the waiting spans of each value.
    spans: HashMap<String, SortedPairs>,
    numbers: u64,
    /// Turn of the last popped request.
    clock: u64,
}

/// Bit that is set in the ranks of requests that are not urgent; turns stay below it.
const LATER: u64 = 1 << 63;

#[derive(Debug)]
struct QueuedRequest<T> {
    urgency: Urgency,
    turn: u64,
    request: Request,
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
    /// Start in the answer and ticket of each waiting request.
    pub parts: Vec<(u64, T)>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let (wants, order, spans) = (NumberMap::default(), SortedPairs::default(), HashMap::new());
        Self { wants, order, spans, numbers: 0, clock: 0 }
    }
}

impl<T> Queue<T> {
    /// Whether no request waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.wants.is_empty()
    }

    /// Number of waiting requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.wants.len()
    }

    /// Adds a request at its reader's next turn; returns a number for [`Queue::raise`] and [`Queue::remove`].
    pub fn push(&mut self, request: Request, urgency: Urgency, reader: &mut Turn, ticket: T) -> u64 {
        let number = self.numbers;
        self.numbers += 1;
        // A reader that did not wait saves up no turns.
        let turn = reader.0.max(self.clock);
        reader.0 = turn + 1;
        if let ByteRange::Span(span) = &request.range {
            self.spans.entry(request.key.clone()).or_default().insert((span.start, number));
        }
        let want = QueuedRequest { urgency, turn, request, ticket };
        self.order.insert((want.rank(), number));
        self.wants.insert(number, want);
        number
    }

    /// Raises the urgency of a request, if it still waits and is less urgent.
    pub fn raise(&mut self, number: u64, urgency: Urgency) {
        let Some(want) = self.wants.get_mut(&number).filter(|want| urgency < want.urgency) else { return };
        self.order.remove((want.rank(), number));
        want.urgency = urgency;
        self.order.insert((want.rank(), number));
    }

    /// Removes a request that nobody waits for any more.
    pub fn remove(&mut self, number: u64) {
        self.take(number);
    }

    /// Takes the next request, joined with waiting spans of the same value that lie near it.
    pub fn pop(&mut self, joining: Joining) -> Option<Batch<T>> {
        let (_, number) = self.order.first()?;
        let first = self.wants.get(&number)?;
        self.clock = self.clock.max(first.turn);
        let ByteRange::Span(span) = &first.request.range else {
            let QueuedRequest { request, ticket, .. } = self.take(number)?;
            return Some(Batch { request, parts: vec![(0, ticket)] });
        };
        let (span, key) = (span.clone(), first.request.key.clone());
        let (span, members) = self.neighbours(&key, span, number, joining);
        let taken = members.into_iter().filter_map(|number| self.take(number));
        let parts = taken.filter_map(|want| match want.request.range {
            ByteRange::Span(part) => Some((part.start - span.start, want.ticket)),
            _ => None,
        });
        let parts = parts.collect();
        Some(Batch { request: Request { key, range: ByteRange::Span(span) }, parts })
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
        let mut grow = |found: Pair| {
            let other = self.span(found.1)?;
            let (start, end) = (all.start.min(other.start), all.end.max(other.end));
            let is_near = other.start <= all.end.saturating_add(joining.gap)
                && all.start <= other.end.saturating_add(joining.gap);
            // A range inside the span costs nothing, whatever the span's length.
            if is_near && (end - start <= joining.most || (start, end) == (all.start, all.end)) {
                all = start..end;
                members.push(found.1);
            }
            is_near.then_some(found)
        };
        for next in [SortedPairs::after, SortedPairs::before] {
            let mut last = (span.start, number);
            while let Some(found) = next(spans, last).and_then(&mut grow) {
                last = found;
            }
        }
        (all, members)
    }

    fn span(&self, number: u64) -> Option<&Range<u64>> {
        match &self.wants.get(&number)?.request.range {
            ByteRange::Span(span) => Some(span),
            _ => None,
        }
    }

    fn take(&mut self, number: u64) -> Option<QueuedRequest<T>> {
        let want = self.wants.remove(&number)?;
        self.order.remove((want.rank(), number));
        if let ByteRange::Span(span) = &want.request.range
            && let Some(spans) = self.spans.get_mut(&want.request.key)
        {
            spans.remove((span.start, number));
            if spans.is_empty() {
                self.spans.remove(&want.request.key);
            }
        }
        Some(want)
    }
}
