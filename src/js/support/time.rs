//! Time: the clock, timers, and turns of the event loop for the page during long work.
//!
//! Invariants: all work of this thread counts against one budget of the turn, whichever read does it; a turn wakes no
//! more of the work that waits than it has time for, because thousands of reads may wait.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{MessageChannel, MessagePort};

use super::work::after_other_tasks;
use crate::read::TurnBudget;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    pub(crate) fn now() -> f64;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: f64) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// A timer that is cleared when it is dropped.
pub(crate) struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.0);
    }
}

/// Starts a timer; returns it and the promise that resolves at its end.
pub(crate) fn timeout(ms: f64) -> (Timer, Promise) {
    let mut timer = JsValue::UNDEFINED;
    let elapsed = Promise::new(&mut |resolve, _| timer = set_timeout(&resolve, ms));
    (Timer(timer), elapsed)
}

/// Waits a number of milliseconds.
pub(crate) async fn sleep(ms: f64) {
    let (timer, elapsed) = timeout(ms);
    let _ = JsFuture::from(elapsed).await;
    drop(timer);
}

/// Bytes of work between two readings of the clock: 32 KiB. Reading it takes as long as a small chunk, and the slowest
/// decoder needs milliseconds for as many bytes.
const GLANCE_BYTES: u64 = 32 << 10;

/// Least number of bytes that is counted for a step of work.
const LEAST_BYTES: u64 = 1 << 10;

/// The present turn of this thread's event loop.
struct EventLoopTurn {
    budget: Cell<TurnBudget>,
    /// Channel that ends this turn, once work began in it; without one, as outside of browsers, work is not interrupted.
    channel: RefCell<Option<Channel>>,
    /// Work that waits for a turn, the first one before the others; work that is gone stays until its turn.
    waiting: RefCell<VecDeque<Weak<Place>>>,
}

/// Place of waiting work in the queue.
#[derive(Default)]
struct Place {
    waker: RefCell<Option<Waker>>,
    is_queued: Cell<bool>,
    /// Whether it is its turn: it calls the next one when it goes on, and also where it is dropped.
    is_called: Cell<bool>,
}

thread_local! {
    static TURN: EventLoopTurn = EventLoopTurn {
        budget: Cell::default(),
        channel: RefCell::default(),
        waiting: RefCell::default(),
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
        if TURN.with(EventLoopTurn::is_spent) {
            let place = Rc::<Place>::default();
            poll_fn(|context| place.poll(context)).await;
        }
    }

    /// Ends the turn in any case.
    pub(crate) async fn end_turn(&mut self) {
        self.worked = 0;
        next_turn().await;
    }

    /// Like [`Self::take`], but reads the clock only after enough bytes of work.
    pub(crate) async fn take_after(&mut self, bytes: u64) {
        self.worked = self.worked.saturating_add(bytes.max(LEAST_BYTES));
        if self.worked >= GLANCE_BYTES {
            self.take().await;
        }
    }
}

impl Place {
    /// Waits while the budget is used up: work that was called before may have used it up too.
    fn poll(self: &Rc<Self>, context: &Context<'_>) -> Poll<()> {
        if !TURN.with(EventLoopTurn::is_spent) {
            return Poll::Ready(());
        }
        self.waker.replace(Some(context.waker().clone()));
        let is_called = self.is_called.take();
        if is_called || !self.is_queued.replace(true) {
            TURN.with(|turn| turn.put(self, is_called));
        }
        Poll::Pending
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_called.get() {
            TURN.with(EventLoopTurn::call_next);
        }
    }
}

impl EventLoopTurn {
    /// Whether the budget of this turn is used up. Begins the budget at the first work of a turn.
    fn is_spent(&self) -> bool {
        let (mut budget, now) = (self.budget.get(), now());
        if budget.begin(now) {
            self.budget.set(budget);
            self.watch();
        }
        budget.is_spent(now) && self.channel.borrow().is_some()
    }

    /// Ends the budget with the turn.
    fn watch(&self) {
        let Some(channel) = Channel::new() else { return };
        let next = JsFuture::from(channel.next_turn());
        self.channel.replace(Some(channel));
        spawn_local(async move {
            let _ = next.await;
            TURN.with(|turn| {
                turn.channel.replace(None);
                turn.budget.set(TurnBudget::default());
                turn.call_next();
            });
        });
    }

    /// Puts work into the queue, before all others where it was called already.
    fn put(&self, place: &Rc<Place>, is_first: bool) {
        let (mut waiting, place) = (self.waiting.borrow_mut(), Rc::downgrade(place));
        if is_first { waiting.push_front(place) } else { waiting.push_back(place) }
    }

    /// Wakes the first work of the queue.
    fn call_next(&self) {
        let place = {
            let mut waiting = self.waiting.borrow_mut();
            std::iter::from_fn(|| waiting.pop_front()).find_map(|place| place.upgrade())
        };
        let Some(place) = place else { return };
        place.is_called.set(true);
        if let Some(waker) = place.waker.take() {
            waker.wake();
        }
    }
}

/// Waits for the next turn of the event loop: events that came before are mostly handled first.
pub(crate) async fn next_turn() {
    match Channel::new() {
        Some(channel) => drop(JsFuture::from(channel.next_turn()).await),
        None => after_other_tasks().await,
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
