//! The requests that wait for a free connection: fair between readers, and joined where ranges of one value lie near.
//!
//! Invariants: a want leaves the queue once, by [`Queue::pop`] or [`Queue::remove`]; of two readers that wait, each
//! gets every other turn, however much the one asked for before the other came; what is more urgent goes first.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::number_map::NumberMap;
use super::turn::{Joining, Turn, Urgency};
use crate::source::{ByteRange, Request};

/// The waiting requests, each with a ticket that says who waits.
#[derive(Debug)]
pub struct Queue<T> {
    /// Waiting requests, by number.
    wants: NumberMap<u64, Want<T>>,
    /// The ranks of all, and their numbers: pairs like those of `spans`, that one kind of set be compiled for both.
    order: BTreeSet<(u64, u64)>,
    /// The spans of each value, by start, and their numbers.
    spans: HashMap<String, BTreeSet<(u64, u64)>>,
    numbers: u64,
    /// The most wants that were pushed as one run.
    longest: u64,
    /// The turn of what was popped last.
    clock: u64,
}

/// Bit that is set in the ranks of wants that are not urgent: no turn comes so far.
const LATER: u64 = 1 << 63;

/// One want, or a run of them.
#[derive(Debug)]
struct Want<T> {
    urgency: Urgency,
    turn: u64,
    request: Request,
    count: u64,
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
    /// For each want, where its bytes start in the answer, and its ticket; one ticket for a run.
    pub parts: Vec<(u64, T)>,
    /// The number of the first want.
    pub number: u64,
    /// How many wants of a run these are: each for the value after the one before.
    pub count: u64,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let (wants, order, spans) = (NumberMap::default(), BTreeSet::new(), HashMap::new());
        Self { wants, order, spans, numbers: 0, longest: 1, clock: 0 }
    }
}

impl<T: Clone> Queue<T> {
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
        self.push_run((request, 1), urgency, reader, ticket)
    }

    /// Puts a run of requests in as many turns of their reader: the first one and those for the values after it, whose keys
    /// end with the numbers that follow. Gives the number of the first; the others have the numbers after it.
    pub fn push_run(
        &mut self,
        (request, count): (Request, u64),
        urgency: Urgency,
        reader: &mut Turn,
        ticket: T,
    ) -> u64 {
        let number = self.numbers;
        self.numbers += count;
        self.longest = self.longest.max(count);
        // One who was away does not save up turns.
        let turn = reader.0.max(self.clock);
        reader.0 = turn + count;
        if let ByteRange::Span(span) = &request.range {
            self.spans.entry(request.key.clone()).or_default().insert((span.start, number));
        }
        self.insert(number, Want { urgency, turn, request, count, ticket });
        number
    }

    /// The number of the next want that is pushed.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.numbers
    }

    /// The number of wants in the longest run so far.
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// A number that no want has or will have.
    pub fn skip(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers - 1
    }

    /// Makes a want as urgent as said, if it still waits and is less so.
    pub fn raise(&mut self, number: u64, urgency: Urgency) {
        self.part(number);
        let Some(want) = self.wants.get_mut(&number).filter(|want| urgency < want.urgency) else { return };
        self.order.remove(&(want.rank(), number));
        want.urgency = urgency;
        self.order.insert((want.rank(), number));
    }

    /// Takes a want out of the queue that nobody waits for any more; whether it was there.
    pub fn remove(&mut self, number: u64) -> bool {
        self.part(number);
        self.take(number).is_some()
    }

    /// The next request: the first want, with those spans of the same value that lie near enough to come along.
    pub fn pop(&mut self, joining: Joining) -> Option<Batch<T>> {
        self.pop_run(joining, u64::MAX)
    }

    /// Like [`Self::pop`]; of a run, at most so many wants, as far as no other want's turn lies between theirs.
    pub fn pop_run(&mut self, joining: Joining, most: u64) -> Option<Batch<T>> {
        let mut order = self.order.iter();
        let &(rank, number) = order.next()?;
        let count = order.next().map_or(most, |&(next, other)| {
            let turns = next - rank;
            most.min(turns + u64::from(number + turns < other))
        });
        self.split(number, count.max(1));
        let first = self.wants.get(&number)?;
        self.clock = self.clock.max(first.turn + first.count - 1);
        let ByteRange::Span(span) = &first.request.range else {
            let Want { request, ticket, count, .. } = self.take(number)?;
            return Some(Batch { request, parts: vec![(0, ticket)], number, count });
        };
        let (span, key) = (span.clone(), first.request.key.clone());
        let (span, members) = self.neighbours(&key, span, number, joining);
        let taken = members.into_iter().filter_map(|number| self.take(number));
        let parts = taken.filter_map(|want| match want.request.range {
            ByteRange::Span(part) => Some((part.start - span.start, want.ticket)),
            _ => None,
        });
        let parts = parts.collect();
        Some(Batch { request: Request { key, range: ByteRange::Span(span) }, parts, number, count: 1 })
    }

    fn insert(&mut self, number: u64, want: Want<T>) {
        self.order.insert((want.rank(), number));
        self.wants.insert(number, want);
    }

    /// Splits a run after so many wants, if it has more.
    fn split(&mut self, number: u64, wants: u64) {
        let Some(run) = self.wants.get_mut(&number).filter(|run| run.count > wants) else { return };
        let rest = Want {
            urgency: run.urgency,
            turn: run.turn + wants,
            request: run.request.further(wants),
            count: run.count - wants,
            ticket: run.ticket.clone(),
        };
        run.count = wants;
        self.insert(number + wants, rest);
    }

    /// Parts a want from the run that it is in.
    fn part(&mut self, number: u64) {
        let holds = |&back: &u64| {
            let first = number.checked_sub(back);
            first.and_then(|first| self.wants.get(&first)).is_some_and(|run| run.count > back)
        };
        let Some(back) = (0..self.longest).find(holds) else { return };
        if back > 0 {
            self.split(number - back, back);
        }
        self.split(number, 1);
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
        let mut grow = |found: &(u64, u64)| {
            let other = self.span(found.1)?;
            let (start, end) = (all.start.min(other.start), all.end.max(other.end));
            let is_near = other.start <= all.end.saturating_add(joining.gap)
                && all.start <= other.end.saturating_add(joining.gap);
            // A range that lies within costs nothing, however long all of them are; a long one may hide a short one.
            if is_near && (end - start <= joining.most || (start, end) == (all.start, all.end)) {
                all = start..end;
                members.push(found.1);
            }
            is_near.then_some(())
        };
        let _ = spans.range((span.start, number + 1)..).try_for_each(&mut grow);
        let _ = spans.range(..(span.start, number)).rev().try_for_each(&mut grow);
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
        self.order.remove(&(want.rank(), number));
        if let ByteRange::Span(span) = &want.request.range
            && let Some(spans) = self.spans.get_mut(&want.request.key)
        {
            spans.remove(&(span.start, number));
            if spans.is_empty() {
                self.spans.remove(&want.request.key);
            }
        }
        Some(want)
    }
}
