//! A request to a store, as its asker holds it: a handle that can raise its urgency and withdraws it when dropped, and the
//! callback that takes its answer.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use js_sys::Uint8Array;

use super::stored_bytes::{StoredBytes, Values};
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::support::work::Background;
use crate::network::{ByteRange, Request, Urgency};

/// A request, and the most bytes that its whole value may have.
#[derive(Clone, Copy)]
pub(crate) struct BoundedRequest<'a> {
    pub(crate) request: &'a Request,
    pub(crate) most: u64,
}

/// Queue of numbered requests.
pub(crate) trait RequestQueue {
    /// Sets the urgency of a request.
    fn raise(&self, number: u64, urgency: Urgency);

    /// Withdraws the requests with these numbers.
    fn withdraw(self: Rc<Self>, numbers: Range<u64>);
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
    pub(crate) fn queued(&self, queue: Weak<dyn RequestQueue>, numbers: Range<u64>) {
        self.queued.replace(Some((queue, numbers)));
    }

    /// Forgets the queue: all requests are answered, or other tickets hold them.
    pub(crate) fn finish(&self) {
        self.queued.take();
    }

    /// Raises the urgency of the requests, if it is lower than `urgency`.
    pub(crate) fn raise(&self, urgency: Urgency) {
        if urgency < self.urgency.get() {
            self.urgency.set(urgency);
            if let Some((queue, numbers)) = &*self.queued.borrow()
                && let Some(queue) = queue.upgrade()
            {
                numbers.clone().for_each(|number| queue.raise(number, urgency));
            }
        }
    }

    /// Withdraws the requests, whether queued or in flight.
    pub(crate) fn withdraw(&self) {
        let queued = self.queued.take();
        if let Some((queue, numbers)) = queued
            && let Some(queue) = queue.upgrade()
        {
            queue.withdraw(numbers);
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
        if let Some((queue, numbers)) = &*self.ticket.queued.borrow() {
            let number = numbers.start + nth;
            part.ticket.queued(Weak::clone(queue), number..number + 1);
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

/// The bytes of an answer, or of a part of it.
#[derive(Clone)]
pub(crate) struct Answered {
    pub(crate) bytes: StoredBytes,
    /// Whether the bytes are the whole value although a part of it was requested.
    pub(crate) is_whole: bool,
    /// Length of the whole value in bytes, if it is known.
    pub(crate) whole: Option<u32>,
}

/// Answer to a request; `None` where nothing is stored.
pub(crate) type Fetched = JsResult<Option<Answered>>;

/// Data that came for a request, or for a run of requests.
pub(crate) enum Arrival<'a> {
    /// The answer, and the offset of the requested bytes in it.
    Answer(u64, &'a Fetched),
    /// Values of a run: the number of the first one in its batch (`nth`) and in the run (`place`), and their count.
    Values { values: &'a Rc<Values>, nth: usize, place: usize, count: usize },
}

/// Callback of a request or a run of requests.
pub(crate) type Waiter = Rc<dyn Fn(Arrival<'_>)>;

impl From<Bytes> for Answered {
    fn from(bytes: Bytes) -> Self {
        let is_whole = matches!(bytes, Bytes::Whole(_));
        let (Bytes::Asked(bytes) | Bytes::Whole(bytes)) = bytes;
        Self { bytes: StoredBytes::Array(bytes), is_whole, whole: None }
    }
}

impl Answered {
    /// Requested bytes from a cache.
    pub(crate) fn of_array(bytes: Uint8Array) -> Self {
        Self { bytes: StoredBytes::Array(bytes), is_whole: false, whole: None }
    }

    /// The bytes of `range`, which start at `start` in the answer; a whole value stays whole.
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
