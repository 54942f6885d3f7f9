//! Requests to one store, sent in the order of its scheduler: each answer goes to the waiters for its parts.
//!
//! Invariants: a request is dropped, queued or in flight, with the last waiter for a part of it, and a waiter that
//! leaves fails no other; no borrow is held while a store or a waiter runs.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use js_sys::Uint8Array;
use wasm_bindgen_futures::spawn_local;

use super::answer::{Answered, Arrival, Fetched, Waiter};
use super::fetched::fetched;
use crate::js::stores::batch_values::SentValues;
use crate::js::stores::request_handle::{RequestHandle, RequestQueue, Ticket};
use crate::js::stores::store::{Bytes, Store};
use crate::js::support::background::Background;
use crate::js::support::timer::{after_microtasks, sleep};
use crate::network::{ByteRange, Dispatch, Joining, NumberedList, Request, RequestScheduler, Turn, Urgency};

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
    pub(crate) flights: RefCell<NumberedList<InFlightRequest>>,
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

    /// Limits within which ranges are joined into one request.
    pub(crate) fn joining(&self) -> Joining {
        self.joining
    }

    /// Requests bytes of a value; `asked` is the request and the most bytes of its whole value. The waiter is called
    /// once, unless the handle is dropped before.
    pub(crate) fn ask(
        self: &Rc<Self>,
        asked: (&Request, u64),
        urgency: Urgency,
        turn: &Rc<RefCell<Turn>>,
        waiter: Waiter,
    ) -> RequestHandle {
        let handle = RequestHandle::new(urgency);
        if self.store.virtual_source().is_some() || self.store.persists() {
            let (driver, request, turn) = (Rc::clone(self), asked.0.clone(), Rc::clone(turn));
            let (most, ticket) = (asked.1, Rc::clone(handle.ticket()));
            handle.resolve(Background::start(async move {
                let found = driver.want((&request, most), &turn, &ticket).await;
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
        (request, most): (&Request, u64),
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
        let want = scheduler.ask((request.clone(), most), ticket.urgency(), &mut turn, waiter);
        ticket.queued(self.as_queue(), want..want + 1);
        drop(scheduler);
        self.wake();
    }

    /// Queues a run of requests for `count` whole values of a `Readable`, whose keys end with consecutive numbers. The
    /// waiter is called with values as they come, unless the handle is dropped before.
    pub(crate) fn ask_run(
        self: &Rc<Self>,
        (request, count): (&Request, u64),
        urgency: Urgency,
        turn: &RefCell<Turn>,
        waiter: Waiter,
    ) -> RequestHandle {
        let handle = RequestHandle::new(urgency);
        let run = (request.clone(), count);
        let want = self.scheduler.borrow_mut().ask_run(run, urgency, &mut turn.borrow_mut(), waiter);
        handle.ticket().queued(self.as_queue(), want..want + count);
        self.wake();
        handle
    }

    /// The driver as the queue that tickets refer to.
    pub(crate) fn as_queue(self: &Rc<Self>) -> Weak<dyn RequestQueue> {
        let own: Weak<Self> = Rc::downgrade(self);
        own
    }

    /// Sends queued requests once all callers of this turn have asked: their ranges may be joined. While no more may be
    /// sent, the next answer does that.
    pub(crate) fn wake(self: &Rc<Self>) {
        let scheduler = self.scheduler.borrow();
        if !scheduler.has_queued() || scheduler.room() == 0 || self.is_awake.replace(true) {
            return;
        }
        drop(scheduler);
        let driver = Rc::clone(self);
        spawn_local(async move {
            after_microtasks().await;
            driver.is_awake.set(false);
            driver.send();
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
        let work = Background::start(async move {
            let found = fetched(&driver.store, &request, most).await;
            driver.answer(flight, &found.map(|found| found.map(Answered::from)));
        });
        self.flights.borrow_mut().insert(flight, InFlightRequest::Fetch(work));
    }

    /// Hands an answer to its waiters.
    pub(crate) fn answer(self: &Rc<Self>, flight: u64, found: &Fetched) {
        let done = self.flights.borrow_mut().remove(flight);
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
            let flight = self.flights.borrow_mut().remove(flight);
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
}

impl RequestQueue for StoreDriver {
    fn raise(&self, want: u64, urgency: Urgency) {
        self.scheduler.borrow_mut().raise(want, urgency);
    }

    fn withdraw(self: Rc<Self>, wants: Range<u64>) {
        for want in wants {
            let aborted = self.scheduler.borrow_mut().withdraw(want);
            if let Some((flight, nth)) = aborted {
                self.abort(flight, nth);
            }
        }
        self.wake();
    }
}
