//! The requests that wait for a free connection: fair between readers, and joined where ranges of one value lie near.
//!
//! Invariants: a want leaves the queue once, by [`Queue::pop`] or [`Queue::remove`]; of two readers that wait, each
//! gets every other turn, however much the one asked for before the other came; what is more urgent goes first.

use std::collections::HashMap;
use std::ops::Range;

use super::number_map::NumberMap;
use super::sorted_pairs::{Pair, SortedPairs};
use crate::source::{ByteRange, Request};

/// How soon something is wanted: now, or some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// Somebody waits for it.
    Now,
    /// It may be wanted later.
    Later,
}

/// How ranges of one value become one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// The most bytes between two ranges that are fetched for nothing.
    pub gap: u64,
    /// The most bytes of a request that joins several ranges.
    pub most: u64,
}

/// A reader's place in the order of turns.
#[derive(Debug, Default, Clone, Copy)]
pub struct Turn(u64);

/// The waiting requests, each with a ticket that says who waits.
#[derive(Debug)]
pub struct Queue<T> {
    /// Waiting requests, by number.
    wants: NumberMap<u64, Want<T>>,
    /// The ranks of all, and their numbers.
    order: SortedPairs,
    /// The spans of each value, by start, and their numbers.
    spans: HashMap<String, SortedPairs>,
    numbers: u64,
    /// The turn of what was popped last.
    clock: u64,
}

/// Bit that is set in the ranks of wants that are not urgent: no turn comes so far.
const LATER: u64 = 1 << 63;

#[derive(Debug)]
struct Want<T> {
    urgency: Urgency,
    turn: u64,
    request: Request,
    ticket: T,
}

impl<T> Want<T> {
    /// The lower, the sooner.
    fn rank(&self) -> u64 {
        match self.urgency {
            Urgency::Now => self.turn,
            Urgency::Later => LATER | self.turn,
        }
    }
}

/// One request to make, and who gets which part of its answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Batch<T> {
    /// The request to make.
    pub request: Request,
    /// For each want, where its bytes start in the answer, and its ticket.
    pub parts: Vec<(u64, T)>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let (wants, order, spans) = (NumberMap::default(), SortedPairs::default(), HashMap::new());
        Self { wants, order, spans, numbers: 0, clock: 0 }
    }
}

impl<T> Queue<T> {
    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.wants.is_empty()
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.wants.len()
    }

    /// Puts a request in its reader's next turn; gives the number by which it can be raised and removed.
    pub fn push(&mut self, request: Request, urgency: Urgency, reader: &mut Turn, ticket: T) -> u64 {
        let number = self.numbers;
        self.numbers += 1;
        // One who was away does not save up turns.
        let turn = reader.0.max(self.clock);
        reader.0 = turn + 1;
        if let ByteRange::Span(span) = &request.range {
            self.spans.entry(request.key.clone()).or_default().insert((span.start, number));
        }
        let want = Want { urgency, turn, request, ticket };
        self.order.insert((want.rank(), number));
        self.wants.insert(number, want);
        number
    }

    /// Makes a want as urgent as said, if it still waits and is less so.
    pub fn raise(&mut self, number: u64, urgency: Urgency) {
        let Some(want) = self.wants.get_mut(&number).filter(|want| urgency < want.urgency) else { return };
        self.order.remove((want.rank(), number));
        want.urgency = urgency;
        self.order.insert((want.rank(), number));
    }

    /// Takes a want out of the queue that nobody waits for any more.
    pub fn remove(&mut self, number: u64) {
        self.take(number);
    }

    /// The next request: the first want, with those spans of the same value that lie near enough to come along.
    pub fn pop(&mut self, joining: Joining) -> Option<Batch<T>> {
        let (_, number) = self.order.first()?;
        let first = self.wants.get(&number)?;
        self.clock = self.clock.max(first.turn);
        let ByteRange::Span(span) = &first.request.range else {
            let Want { request, ticket, .. } = self.take(number)?;
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

    /// The span grown over what lies near it, and the numbers of the wants in it.
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
            // A range that lies within costs nothing, however long all of them are; a long one may hide a short one.
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

    fn take(&mut self, number: u64) -> Option<Want<T>> {
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
