//! A request as who waits for it holds it: it can be raised, and is withdrawn with its handle.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use crate::js::support::background::Background;
use crate::read::Urgency;

/// A queue in which requests wait by number.
pub(crate) trait RequestQueue {
    /// Makes a request as urgent as said.
    fn raise(&self, want: u64, urgency: Urgency);

    /// Takes a request back.
    fn withdraw(self: Rc<Self>, want: u64);
}

/// The urgency of a request, and its number in a queue while it waits there: what shares it can raise it.
pub(crate) struct Ticket {
    urgency: Cell<Urgency>,
    queued: RefCell<Option<(Weak<dyn RequestQueue>, u64)>>,
}

impl Ticket {
    pub(crate) fn new(urgency: Urgency) -> Rc<Self> {
        Rc::new(Self { urgency: Cell::new(urgency), queued: RefCell::default() })
    }

    pub(crate) fn urgency(&self) -> Urgency {
        self.urgency.get()
    }

    /// Notes where the request waits.
    pub(crate) fn queued(&self, queue: Weak<dyn RequestQueue>, want: u64) {
        self.queued.replace(Some((queue, want)));
    }

    /// Makes the request as urgent as said, if it is less so.
    pub(crate) fn raise(&self, urgency: Urgency) {
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
    pub(crate) fn withdraw(&self) {
        let queued = self.queued.take();
        if let Some((queue, want)) = queued
            && let Some(queue) = queue.upgrade()
        {
            queue.withdraw(want);
        }
    }
}

/// A request that is withdrawn with this.
pub(crate) struct RequestHandle {
    ticket: Rc<Ticket>,
    /// Background work that resolves where its bytes are, while it runs.
    resolver: RefCell<Option<Background>>,
}

impl RequestHandle {
    pub(crate) fn new(urgency: Urgency) -> Self {
        Self { ticket: Ticket::new(urgency), resolver: RefCell::default() }
    }

    pub(crate) fn ticket(&self) -> &Rc<Ticket> {
        &self.ticket
    }

    /// Notes what finds out where the bytes are.
    pub(crate) fn resolve(&self, resolver: Background) {
        self.resolver.replace(Some(resolver));
    }
}

impl Drop for RequestHandle {
    fn drop(&mut self) {
        self.ticket.withdraw();
    }
}
