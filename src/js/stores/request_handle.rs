//! A request as who waits for it holds it: it can be raised, and is withdrawn with its handle.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use crate::js::support::background::Background;
use crate::read::Urgency;

/// A queue in which requests wait by number.
pub(crate) trait RequestQueue {
    /// Makes a request as urgent as said.
    fn raise(&self, want: u64, urgency: Urgency);

    /// Takes requests back that have numbers in a row.
    fn withdraw(self: Rc<Self>, wants: Range<u64>);
}

/// The urgency of a request or a run of them, and the numbers in a queue while they wait there: whoever shares a request can
/// raise it.
pub(crate) struct Ticket {
    urgency: Cell<Urgency>,
    queued: RefCell<Option<Queued>>,
}

/// A queue, and the numbers of requests there.
type Queued = (Weak<dyn RequestQueue>, Range<u64>);

impl Ticket {
    pub(crate) fn new(urgency: Urgency) -> Rc<Self> {
        Rc::new(Self { urgency: Cell::new(urgency), queued: RefCell::default() })
    }

    pub(crate) fn urgency(&self) -> Urgency {
        self.urgency.get()
    }

    /// Notes where the requests wait.
    pub(crate) fn queued(&self, queue: Weak<dyn RequestQueue>, wants: Range<u64>) {
        self.queued.replace(Some((queue, wants)));
    }

    /// Forgets where the requests wait: all of them are answered, or others hold them.
    pub(crate) fn finish(&self) {
        self.queued.take();
    }

    /// Makes the request as urgent as said, if it is less so.
    pub(crate) fn raise(&self, urgency: Urgency) {
        if urgency < self.urgency.get() {
            self.urgency.set(urgency);
            if let Some((queue, wants)) = &*self.queued.borrow()
                && let Some(queue) = queue.upgrade()
            {
                wants.clone().for_each(|want| queue.raise(want, urgency));
            }
        }
    }

    /// Takes the request back, wherever it is.
    pub(crate) fn withdraw(&self) {
        let queued = self.queued.take();
        if let Some((queue, wants)) = queued
            && let Some(queue) = queue.upgrade()
        {
            queue.withdraw(wants);
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

    /// A handle of one request of a run, which then has to be finished.
    pub(crate) fn part(&self, nth: u64) -> Self {
        let part = Self::new(self.ticket.urgency());
        if let Some((queue, wants)) = &*self.ticket.queued.borrow() {
            let want = wants.start + nth;
            part.ticket.queued(Weak::clone(queue), want..want + 1);
        }
        part
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
