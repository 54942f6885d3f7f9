//! The network engine of one source: requests wait their turn, near ranges travel together, so many are in flight.
//!
//! Invariants: a request is made once however many parts of it are wanted, it is dropped, queued or in flight, when
//! the last one who wants a part of it leaves, and one who leaves fails nobody else.
//!
//! Until a host has answered a range, one goes alone: one that ignores ranges sends the whole value for each, so there
//! the parts of a value travel together.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use futures_channel::oneshot::{self, Sender};
use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, Shared};
use js_sys::Uint8Array;
use wasm_bindgen_futures::spawn_local;

use super::JsResult;
use super::flight::flight;
use super::store::{Bytes, Store};
use super::timer::{settle, sleep};
use crate::read::{Batch, Joining, Queue, Turn, Urgency};
use crate::source::{ByteRange, Request};

/// Milliseconds for which one range is waited for before others are asked for.
const LONGEST_TRIAL: f64 = 1000.0;

/// A request under way, awaited by everyone who wants a part of its answer.
type Fetching = Shared<LocalBoxFuture<'static, JsResult<Option<Bytes>>>>;

/// Requests that wait, each with who is told and the bytes that a whole value may have; nobody is told of those of a plan.
pub(super) type Requests = Queue<Option<(Sender<(u64, Fetching)>, u64)>>;

/// The engine.
pub(super) struct Engine {
    store: Rc<Store>,
    queue: RefCell<Requests>,
    in_flight: Cell<usize>,
    concurrency: usize,
    joining: Joining,
    /// Whether a range is on its way that shows what the host makes of ranges.
    is_trying: Cell<bool>,
    /// Whether someone will look at the queue.
    is_awake: Cell<bool>,
}

/// How urgent something is, and its number in the queue while it waits there: what shares it can raise it.
#[derive(Debug)]
pub(super) struct Ticket {
    urgency: Cell<Urgency>,
    number: Cell<Option<u64>>,
    /// Whose queue that is.
    engine: RefCell<Weak<Engine>>,
}

/// Keeps a want in the queue for as long as someone waits for it.
struct Waiting<'a> {
    engine: &'a Engine,
    ticket: &'a Ticket,
}

/// One of the requests in flight.
struct Slot {
    engine: Rc<Engine>,
    is_trial: bool,
}

impl Ticket {
    pub(super) fn new(urgency: Urgency) -> Self {
        Self { urgency: Cell::new(urgency), number: Cell::new(None), engine: RefCell::default() }
    }

    pub(super) fn urgency(&self) -> Urgency {
        self.urgency.get()
    }

    /// Makes what it stands for as urgent as said, if it is less so.
    pub(super) fn raise(&self, urgency: Urgency) {
        if urgency < self.urgency.get() {
            self.urgency.set(urgency);
            if let (Some(number), Some(engine)) = (self.number.get(), self.engine.borrow().upgrade()) {
                engine.queue.borrow_mut().raise(number, urgency);
            }
        }
    }
}

impl Engine {
    pub(super) fn new(store: Rc<Store>, concurrency: usize, joining: Joining) -> Rc<Self> {
        let queue = RefCell::new(Queue::default());
        Rc::new(Self {
            store,
            queue,
            in_flight: Cell::new(0),
            concurrency,
            joining,
            is_trying: Cell::new(false),
            is_awake: Cell::new(false),
        })
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// How near ranges must be to travel together.
    pub(super) fn joining(&self) -> Joining {
        self.joining
    }

    /// The bytes that a request asks for, or all of the value's, which may be `most`, or nothing where nothing is stored.
    pub(super) async fn want(
        self: &Rc<Self>,
        request: &Request,
        most: u64,
        reader: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        if let Some(system) = self.store.system() {
            return system.want(request, most, reader, ticket).await;
        }
        if let Some(bytes) = self.store.persisted(request).await {
            return Ok(Some(Bytes::Asked(bytes)));
        }
        let found = self.want_anew(request, most, reader, ticket).await?;
        if let Some(Bytes::Asked(bytes)) = &found {
            self.store.persist(request, bytes);
        }
        Ok(found)
    }

    /// Like `want`, but skips what the browser keeps beyond the page's life (`persist`).
    pub(super) async fn want_anew(
        self: &Rc<Self>,
        request: &Request,
        most: u64,
        reader: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        let (sender, receiver) = oneshot::channel();
        let number = {
            let (mut queue, mut turn) = (self.queue.borrow_mut(), reader.borrow_mut());
            queue.push(request.clone(), ticket.urgency.get(), &mut turn, Some((sender, most)))
        };
        ticket.number.set(Some(number));
        ticket.engine.replace(Rc::downgrade(self));
        let waiting = Waiting { engine: self, ticket };
        self.wake();
        let started = receiver.await;
        drop(waiting);
        let Ok((start, fetching)) = started else {
            return Err(js_sys::Error::new("the request was lost").into());
        };
        Ok(fetching.await?.map(|bytes| part(bytes, start, &request.range)))
    }

    /// Looks at the queue once all who ask at this moment have asked: their ranges may travel together.
    fn wake(self: &Rc<Self>) {
        if self.is_awake.replace(true) {
            return;
        }
        let engine = Rc::clone(self);
        spawn_local(async move {
            settle().await;
            engine.is_awake.set(false);
            engine.start();
        });
    }

    /// Ends a trial that takes long: a host that is slow to answer one range need not hold up everything else.
    fn end_trial(self: &Rc<Self>) {
        let engine = Rc::downgrade(self);
        spawn_local(async move {
            sleep(LONGEST_TRIAL).await;
            if let Some(engine) = engine.upgrade().filter(|engine| engine.is_trying.replace(false)) {
                engine.start();
            }
        });
    }

    /// Starts as many requests as may be in flight.
    fn start(self: &Rc<Self>) {
        while self.in_flight.get() < self.concurrency && !self.is_trying.get() {
            let is_whole = self.store.ignores_ranges();
            let joining = if is_whole { Joining { gap: u64::MAX, most: u64::MAX } } else { self.joining };
            let batch = self.queue.borrow_mut().pop(joining);
            let Some(Batch { request, parts }) = batch else { break };
            self.in_flight.set(self.in_flight.get() + 1);
            let is_trial = !self.store.knows_ranges() && matches!(request.range, ByteRange::Span(_));
            self.is_trying.set(is_trial);
            if is_trial {
                self.end_trial();
            }
            let slot = Slot { engine: Rc::clone(self), is_trial };
            let most = parts.iter().filter_map(|(_, waiting)| Some(waiting.as_ref()?.1)).max().unwrap_or(0);
            let fetching = flight(Rc::clone(&self.store), (request, most), slot).boxed_local().shared();
            let told = parts.into_iter().filter_map(|(start, waiting)| Some((start, waiting?.0)));
            for (start, sender) in told {
                // One who left in the meantime needs nothing.
                let _ = sender.send((start, fetching.clone()));
            }
        }
    }
}

/// The part of an answer that starts so far from its start; of a whole value, all of it.
fn part(bytes: Bytes, start: u64, range: &ByteRange) -> Bytes {
    match (bytes, range) {
        (Bytes::Asked(bytes), ByteRange::Span(span)) => {
            Bytes::Asked(subarray(&bytes, start..start + (span.end - span.start)))
        }
        (bytes, _) => bytes,
    }
}

/// A copy of bytes that a store gave; none where it has taken them away since, as nothing can be copied from those.
pub(super) fn copied(bytes: &Uint8Array) -> Vec<u8> {
    if bytes.length() == 0 { Vec::new() } else { bytes.to_vec() }
}

/// Some of the bytes, as a view; what lies outside is left out.
pub(super) fn subarray(bytes: &Uint8Array, range: Range<u64>) -> Uint8Array {
    let bound = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
    bytes.subarray(bound(range.start), bound(range.end))
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.ticket.number.take() {
            self.engine.queue.borrow_mut().remove(number);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let engine = &self.engine;
        engine.in_flight.set(engine.in_flight.get().saturating_sub(1));
        if self.is_trial {
            engine.is_trying.set(false);
        }
        if !engine.queue.borrow().is_empty() {
            engine.wake();
        }
    }
}
