//! Handle of a request: its holder can raise the request's urgency, and withdraws the request by dropping the handle.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use crate::js::support::background::Background;
use crate::network::Urgency;

/// Queue of numbered requests.
pub(crate) trait RequestQueue {
    /// Sets the urgency of a request.
    fn raise(&self, want: u64, urgency: Urgency);

    /// Withdraws the requests with these numbers.
    fn withdraw(self: Rc<Self>, wants: Range<u64>);
}

/// Urgency of a request or a run of requests, and their numbers in a queue while they wait there. Each read that shares
/// the request can raise its urgency.
pub(crate) struct Ticket {
    urgency: Cell<Urgency>,
    queued: RefCell<Option<Queued>>,
}

/// A queue, and the numbers of requests in it.
type Queued = (Weak<dyn RequestQueue>, Range<u64>);

impl Ticket {
    pub(crate) fn new(urgency: Urgency) -> Rc<Self> {
        Rc::new(Self { urgency: Cell::new(urgency), queued: RefCell::default() })
    }

    pub(crate) fn urgency(&self) -> Urgency {
        self.urgency.get()
    }

    /// Records the queue and the numbers of the requests.
    pub(crate) fn queued(&self, queue: Weak<dyn RequestQueue>, wants: Range<u64>) {
        self.queued.replace(Some((queue, wants)));
    }

    /// Forgets the queue: all requests are answered, or other tickets hold them.
    pub(crate) fn finish(&self) {
        self.queued.take();
    }

    /// Raises the urgency of the requests, if it is lower than `urgency`.
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

    /// Withdraws the requests, whether queued or in flight.
    pub(crate) fn withdraw(&self) {
        let queued = self.queued.take();
        if let Some((queue, wants)) = queued
            && let Some(queue) = queue.upgrade()
        {
            queue.withdraw(wants);
        }
    }
}

/// Handle of a request, which is withdrawn when the handle is dropped.
pub(crate) struct RequestHandle {
    ticket: Rc<Ticket>,
    /// Background work that locates or fetches the bytes, while it runs.
    resolver: RefCell<Option<Background>>,
}

impl RequestHandle {
    pub(crate) fn new(urgency: Urgency) -> Self {
        Self { ticket: Ticket::new(urgency), resolver: RefCell::default() }
    }

    pub(crate) fn ticket(&self) -> &Rc<Ticket> {
        &self.ticket
    }

    /// Handle of one request of a run; the run's ticket then has to be finished.
    pub(crate) fn part(&self, nth: u64) -> Self {
        let part = Self::new(self.ticket.urgency());
        if let Some((queue, wants)) = &*self.ticket.queued.borrow() {
            let want = wants.start + nth;
            part.ticket.queued(Weak::clone(queue), want..want + 1);
        }
        part
    }

    /// Keeps background work, which stops when the handle is dropped.
    pub(crate) fn resolve(&self, resolver: Background) {
        self.resolver.replace(Some(resolver));
    }
}

impl Drop for RequestHandle {
    fn drop(&mut self) {
        self.ticket.withdraw();
    }
}
