//! A request as who waits for it holds it: it can be raised, and is withdrawn with its handle.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::JsResult;
use super::background::Background;
use super::engine::{Engine, Found};
use super::store::Bytes;
use super::waiting::Reply;
use crate::read::{Turn, Urgency};
use crate::source::Request;

/// The urgency of a request, and its number in a scheduler while it waits there: what shares it can raise it.
pub(super) struct Ticket {
    urgency: Cell<Urgency>,
    queued: RefCell<Option<(Weak<Engine>, u64)>>,
}

impl Ticket {
    pub(super) fn new(urgency: Urgency) -> Rc<Self> {
        Rc::new(Self { urgency: Cell::new(urgency), queued: RefCell::default() })
    }

    pub(super) fn urgency(&self) -> Urgency {
        self.urgency.get()
    }

    /// Notes where the request waits.
    pub(super) fn queued(&self, engine: &Rc<Engine>, want: u64) {
        self.queued.replace(Some((Rc::downgrade(engine), want)));
    }

    /// Makes the request as urgent as said, if it is less so.
    pub(super) fn raise(&self, urgency: Urgency) {
        if urgency < self.urgency.get() {
            self.urgency.set(urgency);
            if let Some((engine, want)) = &*self.queued.borrow()
                && let Some(engine) = engine.upgrade()
            {
                engine.scheduler.borrow_mut().raise(*want, urgency);
            }
        }
    }

    /// Takes the request back, wherever it is.
    fn withdraw(&self) {
        let queued = self.queued.take();
        if let Some((engine, want)) = queued
            && let Some(engine) = engine.upgrade()
        {
            engine.withdraw(want);
        }
    }
}

/// A request that is withdrawn with this.
pub(super) struct RequestHandle {
    ticket: Rc<Ticket>,
    /// What finds out where its bytes are, while it does.
    resolver: RefCell<Option<Background>>,
}

impl RequestHandle {
    pub(super) fn new(urgency: Urgency) -> Self {
        Self { ticket: Ticket::new(urgency), resolver: RefCell::default() }
    }

    pub(super) fn ticket(&self) -> &Rc<Ticket> {
        &self.ticket
    }

    /// Notes what finds out where the bytes are.
    pub(super) fn resolve(&self, resolver: Background) {
        self.resolver.replace(Some(resolver));
    }
}

impl Drop for RequestHandle {
    fn drop(&mut self) {
        self.ticket.withdraw();
    }
}

/// Withdraws a request that is waited for no longer.
struct Waiting<'a>(&'a Ticket);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

impl Engine {
    /// The bytes that a request asks for, or all of the value's, which may be `most`, or nothing where nothing is stored.
    pub(super) async fn want(
        self: &Rc<Self>,
        asked: (&Request, u64),
        reader: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        if let Some(system) = self.store().system() {
            return system.want(asked, reader, ticket).await;
        }
        if let Some(bytes) = self.store().persisted(asked.0).await {
            return Ok(Some(Bytes::Asked(bytes)));
        }
        let found = self.want_anew(asked, reader, ticket).await?;
        if let Some(Bytes::Asked(bytes)) = &found {
            self.store().persist(asked.0, bytes);
        }
        Ok(found)
    }

    /// Like `want`, but skips what the browser keeps beyond the page's life (`persist`).
    pub(super) async fn want_anew(
        self: &Rc<Self>,
        asked: (&Request, u64),
        reader: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        let reply: Rc<Reply<Found>> = Rc::default();
        let (given, range) = (Rc::clone(&reply), asked.0.range.clone());
        let waiter = move |start: u64, found: &Found| {
            given.give(found.clone().map(|found| found.map(|found| found.part(start, &range))));
        };
        let _waiting = Waiting(ticket);
        self.queue(asked, reader, ticket, Box::new(waiter));
        let found = reply.wait().await?;
        Ok(found.map(|found| {
            let bytes = found.bytes.array();
            if found.is_whole { Bytes::Whole(bytes) } else { Bytes::Asked(bytes) }
        }))
    }
}
