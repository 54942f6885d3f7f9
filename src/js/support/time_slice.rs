//! Turns of the event loop for the page during long work.
//!
//! Invariant: all work of this thread counts against one budget of the turn, whichever read does it.

use std::cell::{Cell, RefCell};

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{MessageChannel, MessagePort};

use super::timer::now;
use crate::read::TurnBudget;

/// Bytes of work between two readings of the clock: 32 KiB. Reading it takes as long as a small chunk, and the slowest
/// decoder needs milliseconds for as many bytes.
const GLANCE_BYTES: u64 = 32 << 10;

/// Least number of bytes that is counted for a step of work.
const LEAST_BYTES: u64 = 1 << 10;

/// The present turn of this thread's event loop.
struct EventLoopTurn {
    budget: Cell<TurnBudget>,
    /// Promise of the next turn, once work began in this one.
    next: RefCell<Option<Promise>>,
    /// Channel that ends this turn; without one, as outside of browsers, work is not interrupted.
    channel: RefCell<Option<Channel>>,
}

thread_local! {
    static TURN: EventLoopTurn = EventLoopTurn {
        budget: Cell::default(),
        next: RefCell::default(),
        channel: RefCell::default(),
    };
}

/// Work of one read, or of another task, that is done in slices.
#[derive(Default)]
pub(crate) struct TimeSlice {
    /// Bytes of work since the clock was last read.
    worked: u64,
}

impl TimeSlice {
    /// Ends the turn, for events, timers and frames, if its budget is used up.
    pub(crate) async fn take(&mut self) {
        self.worked = 0;
        // Work that waited for the same turn may have used up its budget too.
        while let Some(next) = TURN.with(EventLoopTurn::next_if_spent) {
            let _ = JsFuture::from(next).await;
        }
    }

    /// Like [`Self::take`], but reads the clock only after enough bytes of work.
    pub(crate) async fn take_after(&mut self, bytes: u64) {
        self.worked = self.worked.saturating_add(bytes.max(LEAST_BYTES));
        if self.worked >= GLANCE_BYTES {
            self.take().await;
        }
    }
}

impl EventLoopTurn {
    /// Promise of the next turn, if the budget of this one is used up. Begins the budget at the first work of a turn.
    fn next_if_spent(&self) -> Option<Promise> {
        let (mut budget, now) = (self.budget.get(), now());
        if budget.begin(now) {
            self.budget.set(budget);
            self.watch();
        }
        self.next.borrow().clone().filter(|_| budget.is_spent(now))
    }

    /// Ends the budget with the turn.
    fn watch(&self) {
        let Some(channel) = Channel::new() else { return };
        let next = channel.next_turn();
        self.channel.replace(Some(channel));
        self.next.replace(Some(next.clone()));
        // The future listens from here on, so it ends the budget before work that waits for the promise goes on.
        let next = JsFuture::from(next);
        spawn_local(async move {
            let _ = next.await;
            TURN.with(Self::end);
        });
    }

    fn end(&self) {
        self.channel.replace(None);
        self.next.replace(None);
        self.budget.set(TurnBudget::default());
    }
}

/// Message channel to the next turn of the event loop. Hidden tabs delay timers by a second, but not messages.
struct Channel {
    here: MessagePort,
    there: MessagePort,
}

impl Channel {
    fn new() -> Option<Self> {
        let channel = MessageChannel::new().ok()?;
        Some(Self { here: channel.port1(), there: channel.port2() })
    }

    /// Promise of the next turn.
    fn next_turn(&self) -> Promise {
        let message = Promise::new(&mut |resolve, _| self.here.set_onmessage(Some(&resolve)));
        // A message without content can always be sent.
        let _ = self.there.post_message(&JsValue::NULL);
        message
    }
}

/// Closes the port: an open one would keep Node and Deno from exiting.
impl Drop for Channel {
    fn drop(&mut self) {
        self.here.close();
    }
}
