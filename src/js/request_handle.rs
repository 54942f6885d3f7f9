//! A request as who waits for it holds it: it can be raised, and is withdrawn with its handle.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::background::Background;
use crate::read::Urgency;

/// A queue in which requests wait by number.
pub(super) trait RequestQueue {
    /// Makes a request as urgent as said.
    fn raise(&self, want: u64, urgency: Urgency);

    /// Takes a request back.
    fn withdraw(self: Rc<Self>, want: u64);
}

/// The urgency of a request, and its number in a queue while it waits there: what shares it can raise it.
pub(super) struct Ticket {
    urgency: Cell<Urgency>,
    queued: RefCell<Option<(Weak<dyn RequestQueue>, u64)>>,
}

impl Ticket {
    pub(super) fn new(urgency: Urgency) -> Rc<Self> {
        Rc::new(Self { urgency: Cell::new(urgency), queued: RefCell::default() })
    }

    pub(super) fn urgency(&self) -> Urgency {
        self.urgency.get()
    }

    /// Notes where the request waits.
    pub(super) fn queued(&self, queue: Weak<dyn RequestQueue>, want: u64) {
        self.queued.replace(Some((queue, want)));
    }

    /// Makes the request as urgent as said, if it is less so.
    pub(super) fn raise(&self, urgency: Urgency) {
        if urgency < self.urgency.get() {
            self.urgency.set(urgency);
            if let Some((queue, want)) = &*self.queued.borrow()
                && let Some(queue) = queue.upgrade()
            {
                queue.raise(*want, urgency);
            }
        }
    }

    /// Takes the request back, wherever it is.
    pub(super) fn withdraw(&self) {
        let queued = self.queued.take();
        if let Some((queue, want)) = queued
            && let Some(queue) = queue.upgrade()
        {
            queue.withdraw(want);
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
