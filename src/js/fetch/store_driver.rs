//! The requests to one store, sent as its scheduler says: each answer goes to those who wait for a part of it.
//!
//! Invariants: a request is dropped, queued or in flight, when the last one who wants a part of it leaves, and one who
//! leaves fails nobody else; no borrow is held while a store or a waiter runs.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use js_sys::Uint8Array;
use wasm_bindgen_futures::spawn_local;

use super::fetched::fetched;
use crate::js::JsResult;
use crate::js::stores::batch_values::SentValue;
use crate::js::stores::readable_source::StoredBytes;
use crate::js::stores::request_handle::{RequestHandle, RequestQueue, Ticket};
use crate::js::stores::store::{Bytes, Store};
use crate::js::support::background::Background;
use crate::js::support::timer::{after_microtasks, sleep};
use crate::read::{Dispatch, Joining, NumberMap, RequestScheduler, Turn, Urgency};
use crate::source::{ByteRange, Request};

/// Milliseconds for which one range is waited for before others are asked for.
const LONGEST_TRIAL: f64 = 1000.0;

/// The bytes of an answer, or of a part of it.
#[derive(Clone)]
pub(crate) struct Answered {
    pub(crate) bytes: StoredBytes,
    /// Whether they are all of a value of which a part was asked for.
    pub(crate) is_whole: bool,
    /// Length of the whole value, where it is known.
    pub(crate) whole: Option<u32>,
}

/// An answer; nothing where nothing is stored.
pub(crate) type Fetched = JsResult<Option<Answered>>;

/// Callback for an answer, with the place in it where the bytes that were asked for start.
pub(crate) type Waiter = Box<dyn FnOnce(u64, &Fetched)>;

/// A request in flight; dropping it aborts it.
pub(crate) enum InFlightRequest {
    Fetch(#[expect(dead_code, reason = "dropped to abort it")] Background),
    Value(SentValue),
}

/// Driver of one store: what is queued, what is in flight, and the store itself.
pub(crate) struct StoreDriver {
    store: Rc<Store>,
    pub(crate) scheduler: RefCell<RequestScheduler<Waiter>>,
    pub(crate) flights: RefCell<NumberMap<u64, InFlightRequest>>,
    joining: Joining,
    /// Whether someone will look at the queue.
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

    /// How near ranges must be to travel together.
    pub(crate) fn joining(&self) -> Joining {
        self.joining
    }

    /// Asks for the bytes that a request names, of a value of at most `most`; the waiter is called once, unless the handle
    /// is dropped before.
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
                waiter(0, &found.map(|found| found.map(Answered::from)));
            }));
        } else {
            self.queue(asked, turn, handle.ticket(), waiter);
        }
        handle
    }

    /// Queues a request, by the ticket that raises and withdraws it.
    pub(crate) fn queue(
        self: &Rc<Self>,
        (request, most): (&Request, u64),
        turn: &RefCell<Turn>,
        ticket: &Ticket,
        waiter: Waiter,
    ) {
        if matches!(&request.range, ByteRange::Span(span) if span.is_empty()) {
            // HTTP has no way to ask for no bytes.
            return waiter(0, &Ok(Some(Bytes::Asked(Uint8Array::new_with_length(0)).into())));
        }
        let (mut scheduler, mut turn) = (self.scheduler.borrow_mut(), turn.borrow_mut());
        let want = scheduler.ask((request.clone(), most), ticket.urgency(), &mut turn, waiter);
        ticket.queued(self.as_queue(), want);
        drop(scheduler);
        self.wake();
    }

    /// The queue as its requests' tickets hold it.
    pub(crate) fn as_queue(self: &Rc<Self>) -> Weak<dyn RequestQueue> {
        let own: Weak<Self> = Rc::downgrade(self);
        own
    }

    /// Looks at the queue once all who ask at this moment have asked: their ranges may travel together.
    pub(crate) fn wake(self: &Rc<Self>) {
        if !self.scheduler.borrow().has_queued() || self.is_awake.replace(true) {
            return;
        }
        let driver = Rc::clone(self);
        spawn_local(async move {
            after_microtasks().await;
            driver.is_awake.set(false);
            driver.send();
        });
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
        let Dispatch { flight, request, most, is_trial } = dispatch;
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

    /// Hands an answer to those who wait for it.
    pub(crate) fn answer(self: &Rc<Self>, flight: u64, found: &Fetched) {
        let done = self.flights.borrow_mut().remove(&flight);
        let waiters = self.scheduler.borrow_mut().finish(flight);
        for (start, waiter) in waiters {
            waiter(start, found);
        }
        drop(done);
        self.wake();
    }

    /// Ends a trial that takes long: a host that is slow to answer one range need not hold up everything else.
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

    fn withdraw(self: Rc<Self>, want: u64) {
        let aborted = self.scheduler.borrow_mut().withdraw(want);
        if let Some(flight) = aborted {
            let flight = self.flights.borrow_mut().remove(&flight);
            drop(flight);
            self.wake();
        }
    }
}

impl From<Bytes> for Answered {
    fn from(bytes: Bytes) -> Self {
        let is_whole = matches!(bytes, Bytes::Whole(_));
        let (Bytes::Asked(bytes) | Bytes::Whole(bytes)) = bytes;
        Self { bytes: StoredBytes::Array(bytes), is_whole, whole: None }
    }
}

impl Answered {
    /// Bytes that were asked for, as they were kept.
    pub(crate) fn of_array(bytes: Uint8Array) -> Self {
        Self { bytes: StoredBytes::Array(bytes), is_whole: false, whole: None }
    }

    /// The bytes that were asked for, which start there; of a whole value, all of it.
    pub(crate) fn part(&self, start: u64, range: &ByteRange) -> Self {
        match range {
            ByteRange::Span(span) if !self.is_whole => {
                let length = span.end - span.start;
                if start == 0 && length == u64::from(self.bytes.length()) {
                    return self.clone();
                }
                Self { bytes: self.bytes.part(start..start + length), ..*self }
            }
            _ => self.clone(),
        }
    }
}
