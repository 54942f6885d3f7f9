//! Events of one read: the numbers of the items that changed, in order, and one place to wait for the next.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// Events that came, and the waker of the read that waits for the next one.
#[derive(Default)]
pub(crate) struct Mailbox {
    events: RefCell<VecDeque<u32>>,
    waker: Cell<Option<Waker>>,
}

/// Mailbox of a read, and the number of the item that an event is for.
#[derive(Clone)]
pub(crate) struct EventAddress {
    pub(crate) mailbox: Rc<Mailbox>,
    pub(crate) number: u32,
}

impl EventAddress {
    /// Puts the event into the mailbox, and wakes the read.
    pub(crate) fn notify(&self) {
        self.mailbox.events.borrow_mut().push_back(self.number);
        if let Some(waker) = self.mailbox.waker.take() {
            waker.wake();
        }
    }
}

impl Mailbox {
    /// The next event, if one came.
    pub(crate) fn take(&self) -> Option<u32> {
        self.events.borrow_mut().pop_front()
    }

    /// Waits until an event is there.
    pub(crate) async fn filled(&self) {
        poll_fn(|context| {
            if !self.events.borrow().is_empty() {
                return Poll::Ready(());
            }
            self.waker.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}
