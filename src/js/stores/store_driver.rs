//! Requests to one store, sent in the order of its scheduler: each answer goes to the waiters for its parts. Those to a
//! `Readable` are sent in batches, and answered at once or later.
//!
//! Invariants: a request is dropped, queued or in flight, with the last waiter for a part of it, and a waiter that
//! leaves fails no other; no borrow is held while a store or a waiter runs.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::{Rc, Weak};

use js_sys::{JsString, Uint8Array};
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::readable::failure_of;
use super::request::{
    Answered, Arrival, BoundedRequest, Fetched, RequestHandle, RequestQueue, Ticket, Waiter,
};
use super::store::Store;
use super::stored_bytes::{SentValues, ValueRequests, ValueState, Values};
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::support::time::{next_turn, sleep};
use crate::js::support::work::{Background, Reply, Unsent, after_other_tasks};
use crate::network::{ByteRange, Dispatch, Joining, Request, RequestScheduler, Turn, Urgency};

/// Milliseconds for which a trial range, sent to learn whether the host supports ranges, delays other requests.
const LONGEST_TRIAL: f64 = 1000.0;

/// A request in flight; dropping a fetch aborts it.
pub(crate) enum InFlightRequest {
    Fetch(#[expect(dead_code, reason = "dropped to abort it")] Background),
    Values(Rc<SentValues>),
}

/// Driver of one store: what is queued, what is in flight, and the store itself.
pub(crate) struct StoreDriver {
    store: Rc<Store>,
    pub(crate) scheduler: RefCell<RequestScheduler<Waiter>>,
    pub(crate) flights: RefCell<HashMap<u64, InFlightRequest>>,
    joining: Joining,
    /// Whether the sending of queued requests is scheduled.
    is_awake: Cell<bool>,
}

impl StoreDriver {
    pub(crate) fn new(store: Rc<Store>, concurrency: usize, joining: Joining) -> Rc<Self> {
        let driver = Rc::new(Self {
            store,
            scheduler: RefCell::new(RequestScheduler::new(concurrency, joining)),
            flights: RefCell::default(),
            joining,
            is_awake: Cell::new(false),
        });
        driver.listen();
        driver
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Lets `more` requests be in flight than until now, or fewer again; returns how many may be. Those of a virtual store
    /// are in flight to each of the hosts of its files.
    pub(crate) fn allow(&self, more: i32) -> usize {
        match self.store.virtual_source() {
            Some(source) => source.allow(more),
            None => self.scheduler.borrow_mut().allow(more),
        }
    }

    /// Limits within which ranges are joined into one request.
    pub(crate) fn joining(&self) -> Joining {
        self.joining
    }

    /// Requests bytes of a value. The waiter is called once, unless the handle is dropped before.
    pub(crate) fn ask(
        self: &Rc<Self>,
        asked: BoundedRequest<'_>,
        urgency: Urgency,
        turn: &Rc<RefCell<Turn>>,
        waiter: Waiter,
    ) -> RequestHandle {
        let handle = RequestHandle::new(urgency);
        if self.store.virtual_source().is_some() || self.store.persists() {
            let (driver, request, turn) = (Rc::clone(self), asked.request.clone(), Rc::clone(turn));
            let (most, ticket) = (asked.most, Rc::clone(handle.ticket()));
            handle.resolve(Background::sending(async move {
                let asked = BoundedRequest { request: &request, most };
                let found = driver.request(asked, &turn, &ticket).await;
                waiter(Arrival::Answer(0, &found.map(|found| found.map(Answered::from))));
            }));
        } else {
            self.queue(asked, turn, handle.ticket(), waiter);
        }
        handle
    }

    /// Queues a request under the ticket that can raise and withdraw it.
    pub(crate) fn queue(
        self: &Rc<Self>,
        BoundedRequest { request, most }: BoundedRequest<'_>,
        turn: &RefCell<Turn>,
        ticket: &Ticket,
        waiter: Waiter,
    ) {
        if matches!(&request.range, ByteRange::Span(span) if span.is_empty()) {
            // HTTP cannot request an empty range.
            let nothing = Bytes::Asked(Uint8Array::new_with_length(0));
            return waiter(Arrival::Answer(0, &Ok(Some(nothing.into()))));
        }
        let (mut scheduler, mut turn) = (self.scheduler.borrow_mut(), turn.borrow_mut());
        let number = scheduler.ask(request.clone(), most, ticket.urgency(), &mut turn, waiter);
        ticket.queued(self.as_queue(), number..number + 1);
        drop(scheduler);
        self.wake_for_callers();
    }

    /// Queues a run of requests for `count` whole values of a `Readable`, whose keys end with consecutive numbers. The
    /// waiter is called with values as they come, unless the handle is dropped before.
    pub(crate) fn ask_run(
        self: &Rc<Self>,
        request: &Request,
        count: u64,
        urgency: Urgency,
        turn: &RefCell<Turn>,
        waiter: Waiter,
    ) -> RequestHandle {
        let handle = RequestHandle::new(urgency);
        let mut turn = turn.borrow_mut();
        let number = self.scheduler.borrow_mut().ask_run(request.clone(), count, urgency, &mut turn, waiter);
        handle.ticket().queued(self.as_queue(), number..number + count);
        self.wake();
        handle
    }

    /// The driver as the queue that tickets refer to.
    pub(crate) fn as_queue(self: &Rc<Self>) -> Weak<dyn RequestQueue> {
        let own: Weak<Self> = Rc::downgrade(self);
        own
    }

    /// Sends queued requests once the reads that were woken before have asked too. While no more may be sent, the next
    /// answer does that.
    pub(crate) fn wake(self: &Rc<Self>) {
        self.send_later(false);
    }

    /// Sends the requests of callers once all of this turn of the event loop have asked, however many promises they
    /// await before: their ranges may be joined. A `Readable` may answer sooner than the next turn comes.
    fn wake_for_callers(self: &Rc<Self>) {
        self.send_later(self.store.is_host());
    }

    fn send_later(self: &Rc<Self>, is_next_turn: bool) {
        let scheduler = self.scheduler.borrow();
        if !scheduler.has_queued() || scheduler.room() == 0 || self.is_awake.replace(true) {
            return;
        }
        drop(scheduler);
        let (driver, unsent) = (Rc::clone(self), Unsent::new());
        spawn_local(async move {
            if is_next_turn {
                next_turn().await;
            } else {
                after_other_tasks().await;
            }
            driver.is_awake.set(false);
            driver.send();
            drop(unsent);
        });
    }

    /// Sends queued requests at once, unless some were queued in this turn.
    pub(crate) fn send_queued(self: &Rc<Self>) {
        if !self.is_awake.get() {
            self.send();
        }
    }

    /// Sends as many requests as may be in flight.
    fn send(self: &Rc<Self>) {
        loop {
            let ranges = self.store.ranges();
            let is_readable = self.store.readable().is_some();
            let mut dispatches = Vec::new();
            while is_readable || dispatches.is_empty() {
                let Some(dispatch) = self.scheduler.borrow_mut().next(ranges) else { break };
                dispatches.push(dispatch);
            }
            if dispatches.is_empty() {
                break;
            }
            if is_readable {
                self.send_batch(dispatches);
            } else {
                dispatches.into_iter().for_each(|dispatch| self.fetch(dispatch));
            }
        }
    }

    fn fetch(self: &Rc<Self>, dispatch: Dispatch) {
        let Dispatch { flight, request, most, is_trial, .. } = dispatch;
        if is_trial {
            self.end_trial(flight);
        }
        let driver = Rc::clone(self);
        let work = Background::sending(async move {
            let found = fetched(&driver.store, &request, most).await;
            driver.answer(flight, &found.map(|found| found.map(Answered::from)));
        });
        self.flights.borrow_mut().insert(flight, InFlightRequest::Fetch(work));
    }

    /// Hands an answer to its waiters.
    pub(crate) fn answer(self: &Rc<Self>, flight: u64, found: &Fetched) {
        let done = self.flights.borrow_mut().remove(&flight);
        let waiters = self.scheduler.borrow_mut().finish(flight);
        for (start, waiter) in waiters {
            waiter(Arrival::Answer(start, found));
        }
        drop(done);
        self.wake();
    }

    /// Aborts a request of a flight that no waiter is left for.
    fn abort(&self, flight: u64, nth: u64) {
        let sent = self.sent(flight);
        self.forget_landed(flight);
        if let Some(sent) = sent {
            sent.values.batch.abort(sent.nth + nth as usize);
        }
    }

    /// Forgets a flight that the scheduler has ended; aborts its fetch if that still runs.
    pub(crate) fn forget_landed(&self, flight: u64) {
        if !self.scheduler.borrow().is_in_flight(flight) {
            let flight = self.flights.borrow_mut().remove(&flight);
            drop(flight);
        }
    }

    /// Ends a trial that takes long, so that a host's slow answer to one range does not delay all other requests.
    fn end_trial(self: &Rc<Self>, flight: u64) {
        let driver = Rc::downgrade(self);
        spawn_local(async move {
            sleep(LONGEST_TRIAL).await;
            if let Some(driver) = driver.upgrade()
                && driver.scheduler.borrow_mut().end_trial(flight)
            {
                driver.send();
            }
        });
    }

    /// Fetches the bytes of a request, or the whole value; `None` where nothing is stored.
    pub(crate) async fn request(
        self: &Rc<Self>,
        asked: BoundedRequest<'_>,
        turn: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        if let Some(source) = self.store().virtual_source() {
            return source.request(asked, turn, ticket).await;
        }
        let persisted = self.store().persisted(asked.request);
        if let Some((cache, address)) = &persisted
            && let Some(bytes) = cache.get(address).await
        {
            return Ok(Some(Bytes::Asked(bytes)));
        }
        let found = self.request_anew(asked, turn, ticket).await?;
        if let (Some(Bytes::Asked(bytes)), Some((cache, address))) = (&found, &persisted) {
            let _ = cache.keep(address, bytes);
        }
        Ok(found)
    }

    /// Like `request`, but skips the browser's persistent cache (`persist`).
    pub(crate) async fn request_anew(
        self: &Rc<Self>,
        asked: BoundedRequest<'_>,
        turn: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        let reply: Rc<Reply<Fetched>> = Rc::default();
        let (given, range) = (Rc::clone(&reply), asked.request.range.clone());
        let waiter = move |arrival: Arrival<'_>| {
            if let Arrival::Answer(start, found) = arrival {
                given.give(found.clone().map(|found| found.map(|found| found.part(start, &range))));
            }
        };
        let _waiting = WithdrawOnDrop(ticket);
        self.queue(asked, turn, ticket, Rc::new(waiter));
        let found = reply.wait().await?;
        Ok(found.map(|found| {
            let bytes = found.bytes.array();
            if found.is_whole { Bytes::Whole(bytes) } else { Bytes::Asked(bytes) }
        }))
    }

    /// Sets this driver as the receiver of the store's late values.
    pub(crate) fn listen(self: &Rc<Self>) {
        let Some(readable) = self.store().readable() else { return };
        let driver = Rc::downgrade(self);
        let answered = move |settled: Vec<i32>| {
            if let Some(driver) = driver.upgrade() {
                driver.settled(&settled);
            }
        };
        readable.listen(self.store().on_request(), Box::new(answered));
    }

    /// Requests values from the store, until `most` of them are late.
    pub(crate) fn ask_values(&self, asking: &ValueRequests, most: usize) -> Option<Rc<Values>> {
        let batch = self.store().readable()?.ask(asking, most)?;
        Some(Rc::new(Values::new(batch)))
    }

    /// Sends requests to the store in one batch.
    pub(crate) fn send_batch(self: &Rc<Self>, dispatches: Vec<Dispatch>) {
        let mut asking = ValueRequests::default();
        let count = |dispatch: &Dispatch| dispatch.run.unwrap_or(1) as usize;
        for dispatch in &dispatches {
            asking.add(dispatch.flight, &dispatch.request, count(dispatch));
        }
        let Some(values) = self.ask_values(&asking, usize::MAX) else { return };
        let mut nth = 0;
        for dispatch in dispatches {
            let (count, is_run) = (count(&dispatch), dispatch.run.is_some());
            let sent =
                Rc::new(SentValues { values: Rc::clone(&values), nth, request: dispatch.request, is_run });
            self.flights.borrow_mut().insert(dispatch.flight, InFlightRequest::Values(Rc::clone(&sent)));
            let is_late = |place: usize| matches!(values.state(nth + place), ValueState::Late);
            let mut place = 0;
            while place < count {
                let at_once = (place..count).take_while(|&place| !is_late(place)).count();
                if at_once > 0 {
                    self.came(dispatch.flight, &sent, place, at_once);
                }
                place += at_once.max(1);
            }
            nth += count;
        }
    }

    /// Records a late value and its waiter; returns the number of the request in the queue.
    pub(crate) fn late(&self, flight: u64, sent: SentValues, waiter: Waiter) -> u64 {
        self.flights.borrow_mut().insert(flight, InFlightRequest::Values(Rc::new(sent)));
        self.scheduler.borrow_mut().sent(flight, waiter)
    }

    /// Takes late values: four numbers for each, its flight, its place in the flight, and the two of its state.
    fn settled(self: &Rc<Self>, settled: &[i32]) {
        let (mut rest, mut has_runs, mut has_failed) = (settled, false, false);
        while let &[flight, first, ..] = rest {
            let is_next =
                |(nth, value): &(usize, &[i32])| value[..2] == [flight, first.wrapping_add(*nth as i32)];
            let count = rest.chunks_exact(4).enumerate().take_while(is_next).count();
            let (values, others) = rest.split_at(4 * count);
            rest = others;
            let (flight, first) = (u64::from(flight.cast_unsigned()), first.cast_unsigned() as usize);
            // The flight is gone where no waiter is left.
            let Some(sent) = self.sent(flight) else { continue };
            let place = if sent.is_run { first } else { 0 };
            for (nth, value) in values.chunks_exact(4).enumerate() {
                sent.values.note(sent.nth + place + nth, &value[2..]);
                has_failed |= matches!(sent.values.state(sent.nth + place + nth), ValueState::Failed);
            }
            self.came(flight, &sent, place, count);
            has_runs |= sent.is_run;
        }
        // A read asks for nothing because of a run's values, but withdraws its requests if one failed.
        if has_runs && !has_failed {
            self.send_queued();
        } else {
            self.wake();
        }
    }

    /// Passes values of a flight to their waiter.
    fn came(self: &Rc<Self>, flight: u64, sent: &SentValues, place: usize, count: usize) {
        if !sent.is_run {
            let found = self.value(&sent.values, sent.nth, &sent.request);
            return self.answer(flight, &found);
        }
        let found = self.scheduler.borrow_mut().arrive(flight, place as u64, count as u64);
        self.forget_landed(flight);
        if let Some((waiter, first)) = found {
            let (values, nth) = (&sent.values, sent.nth + place);
            waiter(Arrival::Values { values, nth, place: first as usize, count });
        }
    }

    /// The values of a flight that is still in flight.
    pub(super) fn sent(&self, flight: u64) -> Option<Rc<SentValues>> {
        match self.flights.borrow().get(&flight)? {
            InFlightRequest::Values(sent) => Some(Rc::clone(sent)),
            InFlightRequest::Fetch(_) => None,
        }
    }

    /// Answer with a value of a batch, or its error.
    pub(crate) fn value(&self, values: &Values, nth: usize, request: &Request) -> Fetched {
        let (length, whole) = match values.state(nth) {
            ValueState::Missing => return Ok(None),
            ValueState::There(length, whole) => (length, whole),
            ValueState::Late | ValueState::Failed => {
                let batch = &values.batch;
                return Err(failure_of(request, &batch.answer(nth), batch.is_thrown(nth)));
            }
        };
        let bytes = values.stored(nth, length);
        let is_part = !matches!(request.range, ByteRange::All | ByteRange::From(_));
        let is_whole = is_part && self.store().ranges().is_ignored;
        if !is_whole && !request.range.fits(length.into()) {
            return Err(self.store().unfit(request, None, whole.unwrap_or(length)));
        }
        Ok(Some(Answered { bytes, is_whole, whole }))
    }
}

impl RequestQueue for StoreDriver {
    fn raise(&self, number: u64, urgency: Urgency) {
        self.scheduler.borrow_mut().raise(number, urgency);
    }

    fn withdraw(self: Rc<Self>, numbers: Range<u64>) {
        for number in numbers {
            let aborted = self.scheduler.borrow_mut().withdraw(number);
            if let Some((flight, nth)) = aborted {
                self.abort(flight, nth);
            }
        }
        self.wake();
    }
}

/// Guard that withdraws a request when it is dropped.
struct WithdrawOnDrop<'a>(&'a Ticket);

impl Drop for WithdrawOnDrop<'_> {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

/// Guard that aborts a request when it is dropped before its end.
struct AbortOnDrop {
    controller: AbortController,
    is_finished: bool,
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if !self.is_finished {
            self.controller.abort_with_reason(&JsString::from("the request is no longer needed"));
        }
    }
}

/// Sends a request; its whole value may have at most `most` bytes.
async fn fetched(store: &Store, request: &Request, most: u64) -> JsResult<Option<Bytes>> {
    let mut running = AbortOnDrop { controller: AbortController::new()?, is_finished: false };
    let signal = running.controller.signal();
    let found = store.get(request, most, &signal).await;
    running.is_finished = true;
    found
}
